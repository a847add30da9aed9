/* SPDX-License-Identifier: MIT
 * A folder for pictures, and two small parsers that say whether they are whole. */
#ifndef WEFT_TESTS_UNIT_TEST_FIGURE_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_FIGURE_SUPPORT_H

#include "support/test.h"

#include <dirent.h>
#include <unistd.h>

/* ---- A folder, and files read back ---- */

static char folder[] = "/tmp/weft-figure-XXXXXX";

static inline int make_folder(void **state)
{
    return mkdtemp(folder) == NULL;
}

static inline int remove_folder(void **state)
{
    return rmdir(folder);
}

static inline const char *place_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline int count_files(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* All bytes, with a 0 behind them; the file is removed. */
static inline char *take_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(count_files(), 0);
    return bytes;
}

/* ---- Two small parsers ---- */

static inline bool is_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#"};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(at, known[k], strlen(known[k])) == 0)
            return true;
    return false;
}

/* The end of a tag that begins at `<`, or NULL: attributes are name="value". */
static inline const char *end_of_tag(const char *at)
{
    bool quoted = false;
    for (at++; *at != 0; at++) {
        if (*at == '"')
            quoted = !quoted;
        if (*at == '<' || (*at == '&' && !is_entity(at)))
            return NULL;
        if (*at == '>' && !quoted)
            return at;
    }
    return NULL;
}

/* Elements are closed in the order in which they were opened, there is one at the
 * top, and every & is an entity. */
static inline bool is_well_formed(const char *text)
{
    enum { DEEPEST = 64 };
    const char *open[DEEPEST];
    int depth = 0, tops = 0;
    for (const char *at = text; *at != 0; at++) {
        if (*at == '&' && !is_entity(at))
            return false;
        if (*at != '<')
            continue;
        const char *end = end_of_tag(at);
        if (end == NULL || depth == DEEPEST)
            return false;
        size_t length = strcspn(at + 1, " />\n");
        if (at[1] == '/') {
            length = strcspn(at + 2, ">");
            if (depth == 0 || strncmp(open[--depth], at + 2, length) != 0 ||
                strchr(" >\n", open[depth][length]) == NULL)
                return false;
        } else if (at[1] != '?' && length > 0) {
            tops += depth == 0;
            if (end[-1] != '/')
                open[depth++] = at + 1;
        }
        at = end;
    }
    return depth == 0 && tops == 1;
}

static inline uint32_t big_endian(const char *at)
{
    const unsigned char *bytes = (const unsigned char *)at;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The size in pixels; every chunk is walked, and none may hold a time. */
static inline void read_png(const char *bytes, size_t size, uint32_t pixels[2])
{
    assert_true(size > 33 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
    assert_memory_equal(bytes + 12, "IHDR", 4);
    pixels[0] = big_endian(bytes + 16);
    pixels[1] = big_endian(bytes + 20);
    size_t at = 8;
    bool ended = false;
    while (at + 12 <= size) {
        assert_memory_not_equal(bytes + at + 4, "tIME", 4);
        assert_memory_not_equal(bytes + at + 4, "tEXt", 4);
        ended = memcmp(bytes + at + 4, "IEND", 4) == 0;
        at += 12 + big_endian(bytes + at);
    }
    assert_true(ended && at == size);
}

static inline void assert_holds(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("the picture lacks '%s'", words);
}

#endif
