/* SPDX-License-Identifier: MIT
 *
 *     MAP  = PART *( "+" PART ), each kind at most once
 *     PART = ( "hash" | "fourier" | "eigen" ) ":" NUMBER
 *
 * Which of them a kernel can have is told here, before its file is read. */
#include "io/roster/spec_map.h"

#include "io/text/text.h"

#include <string.h>

enum { HASH, FOURIER, EIGEN, PARTS };

static const char *const part_names[PARTS] = {"hash", "fourier", "eigen"};

static int64_t *part_of(weft_map *map, int part)
{
    return part == HASH ? &map->hash : part == FOURIER ? &map->fourier : &map->eigen;
}

static weft_status refuse_word(const char *word, weft_error *error)
{
    return weft__fail(error, WEFT_ARGUMENT,
                      "map=: found %s, expected hash:N, fourier:N or eigen:N, or one of the last two with "
                      "+hash:N",
                      weft__shown_briefly(word).text);
}

static weft_status set_part(const char *word, int part, weft_map *map, weft_error *error)
{
    const char *number = word + strlen(part_names[part]) + 1, *end = "";
    int64_t *place = part_of(map, part), value = 0;
    bool whole = weft__parse_index(number, &value, &end) && *end == 0;
    if (*place != 0)
        return weft__fail(error, WEFT_ARGUMENT, "map=: %s: is given twice, expected it once",
                          part_names[part]);
    if (!whole || value < 1 || value > WEFT_MAP_LIMIT || (part == FOURIER && value % 2 != 0))
        return weft__fail(error, WEFT_ARGUMENT, "map=%s:N: found %s, expected %s number from %d to %d",
                          part_names[part], weft__shown_briefly(number).text,
                          part == FOURIER ? "an even" : "a whole", part == FOURIER ? 2 : 1, WEFT_MAP_LIMIT);
    *place = value;
    return WEFT_OK;
}

static weft_status take_part(const char *word, weft_map *map, weft_error *error)
{
    for (int part = 0; part < PARTS; part++) {
        size_t length = strlen(part_names[part]);
        if (strncmp(word, part_names[part], length) == 0 && word[length] == ':')
            return set_part(word, part, map, error);
    }
    return refuse_word(word, error);
}

weft_status weft__spec_set_map(const char *value, weft__spec *spec, weft_error *error)
{
    enum { LONGEST = 64 };
    weft_map map = {.seed = spec->map.seed};
    weft_status status = WEFT_OK;
    for (const char *at = value;; at++) {
        char word[LONGEST] = "";
        size_t length = strcspn(at, "+");
        if (length >= sizeof word)
            return refuse_word(at, error);
        memcpy(word, at, length);
        TRY(take_part(word, &map, error));
        at += length;
        if (*at == 0)
            break;
    }
    spec->map = map;
done:
    return status;
}

weft_status weft__spec_set_seed(const char *value, weft__spec *spec, weft_error *error)
{
    const char *end = "";
    int64_t seed = 0;
    if (!weft__parse_index(value, &seed, &end) || *end != 0)
        return weft__fail(error, WEFT_ARGUMENT, "seed=: found %s, expected a whole number of at least 0",
                          weft__shown_briefly(value).text);
    spec->map.seed = (uint64_t)seed;
    return WEFT_OK;
}

/* Whether the kernel can have coordinates of this kind at all. */
static bool is_possible(const weft__spec *spec, int part)
{
    bool features = spec->source == WEFT__FEATURES;
    if (part == FOURIER)
        return features && spec->kernel == WEFT_GAUSSIAN;
    return part == HASH || (spec->source != WEFT__NONE && spec->source != WEFT__CLASSES);
}

/* Finite by itself but for what is hashed. */
static bool is_plain(const weft__spec *spec)
{
    return spec->source == WEFT__NONE || spec->source == WEFT__CLASSES ||
           (spec->source == WEFT__FEATURES && spec->kernel == WEFT_LINEAR);
}

/* What can be written in place of a map that does not suit. */
static const char *suitable(const weft__spec *spec)
{
    if (!is_possible(spec, EIGEN))
        return "hash:N";
    if (is_possible(spec, FOURIER))
        return "fourier:N or eigen:N, each with +hash:N or without";
    return is_plain(spec) ? "hash:N, eigen:N or eigen:N+hash:N" : "eigen:N or eigen:N+hash:N";
}

bool weft__spec_is_mapped(const weft__spec *spec)
{
    return spec->map.hash + spec->map.fourier + spec->map.eigen > 0;
}

static weft_status check_parts(const weft__spec *spec, const char *kind, weft_error *error)
{
    weft_map map = spec->map;
    for (int part = 0; part < PARTS; part++)
        if (*part_of(&map, part) > 0 && !is_possible(spec, part))
            return weft__fail(error, WEFT_ARGUMENT, "map=%s:%lld: %s does not have that map, expected %s",
                              part_names[part], (long long)*part_of(&map, part), kind, suitable(spec));
    if (map.fourier > 0 && map.eigen > 0)
        return weft__fail(error, WEFT_ARGUMENT, "map=: found fourier and eigen, expected %s", suitable(spec));
    if (map.fourier == 0 && map.eigen == 0 && !is_plain(spec))
        return weft__fail(error, WEFT_ARGUMENT,
                          "map=hash:%lld: hash alone does not stand for %s, expected %s", (long long)map.hash,
                          kind, suitable(spec));
    long long all = map.hash + map.fourier + map.eigen;
    if (all > WEFT_MAP_LIMIT)
        return weft__fail(error, WEFT_ARGUMENT, "map=: found %lld coordinates, expected at most %d", all,
                          WEFT_MAP_LIMIT);
    return WEFT_OK;
}

weft_status weft__spec_check_map(const weft__spec *spec, const char *kind, bool seeded, weft_error *error)
{
    if (weft__spec_is_mapped(spec))
        return check_parts(spec, kind, error);
    if (seeded)
        return weft__fail(error, WEFT_ARGUMENT, "seed= is that of a map, expected map= too");
    if (spec->hashed != 0)
        return weft__fail(
            error, WEFT_ARGUMENT,
            "names=hashed needs map=hash:N: without names there is nothing else to know ids by");
    return WEFT_OK;
}
