/* SPDX-License-Identifier: MIT
 *
 * Finite feature maps: which one a side has, and phi of an id.
 *
 * Method.  phi = [exact ; hashed], where s_i are N signs, a function of (seed, id) alone (hash_map.c), and
 * h_i = s_i / sqrt N, so that |h_i| = 1 and <h_i, h_j> is 0, or has mean 0 and variance 1/N, for i != j:
 *
 *     none                 h_i
 *     classes              [e_class ; sqrt(epsilon) h_i]
 *     linear features      [x ; sqrt(epsilon) h_x], h_x the signs of the vector and not of the id, for
 *                          epsilon [x = t] does not tell ids apart whose vectors are equal
 *     Gaussian             fourier.  With hashing [fourier ; h_i] / sqrt 2
 *     any, by eigenvectors [rows of Q sqrt(Lambda) ; sqrt(K_ii - |Q_i sqrt(Lambda)|^2) h_i]
 *     an id that is alone  [0 ; sqrt(K_ii) h_i]
 *
 * |phi_i|^2 <= R up to rounding: N equal squares and a root are right to about N + 2 units.
 *
 * Cost.  Hashing takes a block of Philox for every 256 signs; a map without eigenvectors or
 * frequencies keeps nothing at all.
 *
 * Reference.  K. Weinberger, A. Dasgupta, J. Langford, A. Smola, J. Attenberg, Feature hashing for
 * large scale multitask learning, ICML 2009; D. Achlioptas, Database-friendly random projections,
 * JCSS 66, 2003 (the signs and their variance); fourier_map.c and eigen_map.c have theirs. */
#include "side/map/map.h"

#include "base/hash.h"
#include "base/random.h"
#include "side/map/parts.h"

#include <math.h>
#include <string.h>

/* What the third number of a block of random bits says that the first one is. */
enum { OF_ID = 0, OF_VECTOR = 1 };

/* ---- Which map ---- */

static weft__nature nature_of(const weft_side *side)
{
    return side->ops->nature != NULL ? side->ops->nature(side) : (weft__nature){0};
}

/* Nothing is known: there is neither a class nor a vector, nor a kernel between ids. */
static bool is_blank(weft__nature nature)
{
    return nature.classes == 0 && nature.numbers == 0 && nature.own > 0;
}

static weft_status check_number(const weft_side *side, const char *name, int64_t number, weft_error *error)
{
    if (number >= 0 && number <= WEFT_MAP_LIMIT)
        return WEFT_OK;
    return weft__fail(error, WEFT_ARGUMENT,
                      "%s: the map has %lld coordinates of kind %s; expected a number from 0 to %d",
                      side->ops->name, (long long)number, name, WEFT_MAP_LIMIT);
}

static weft_status check_fourier(const weft_side *side, const weft_map *how, weft_error *error)
{
    if (nature_of(side).width == 0)
        return weft__fail(error, WEFT_ARGUMENT, "%s: fourier coordinates are for the Gaussian kernel alone",
                          side->ops->name);
    if (how->eigen > 0)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the map has fourier and eigen coordinates; expected one of them",
                          side->ops->name);
    if (how->fourier % 2 != 0)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the map has %lld fourier coordinates; expected an even number, "
                          "a cosine and a sine each",
                          side->ops->name, (long long)how->fourier);
    return WEFT_OK;
}

static weft_status check_eigen(const weft_side *side, const weft_map *how, weft_error *error)
{
    if (is_blank(nature_of(side)))
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the identity has no largest eigenvectors; expected hash coordinates alone",
                          side->ops->name);
    if (how->eigen > side->count)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the map has %lld eigen coordinates; expected at most %lld, the ids listed",
                          side->ops->name, (long long)how->eigen, (long long)side->count);
    return WEFT_OK;
}

/* Neither fourier nor eigen: the kernel must be finite by itself but for what is hashed. */
static weft_status check_plain(const weft_side *side, const weft_map *how, weft_error *error)
{
    weft__nature nature = nature_of(side);
    bool finite = side->ops->nature != NULL && (nature.numbers == 0 || nature.linear);
    if (!finite)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: this kernel is not finite by itself; expected a map with %seigen coordinates",
                          side->ops->name, nature.width > 0 ? "fourier or " : "");
    if (nature.own > 0 && how->hash == 0)
        return weft__fail(error, WEFT_ARGUMENT,
                          "%s: the map has nothing that tells ids apart; expected hash coordinates for %s",
                          side->ops->name, is_blank(nature) ? "the identity" : "epsilon");
    return WEFT_OK;
}

static weft_status check_map(const weft_side *side, const weft_map *how, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (weft_side_graph(side).no_kernel)
        return weft__fail(error, WEFT_ARGUMENT, "%s: there is no kernel that a feature map could stand for",
                          side->ops->name);
    TRY(check_number(side, "fourier", how->fourier, error));
    TRY(check_number(side, "eigen", how->eigen, error));
    TRY(check_number(side, "hash", how->hash, error));
    if (how->fourier > 0)
        TRY(check_fourier(side, how, error));
    else if (how->eigen > 0)
        TRY(check_eigen(side, how, error));
    else
        TRY(check_plain(side, how, error));
done:
    return status;
}

static int64_t count_exact(const weft_side *side, const weft_map *how)
{
    weft__nature nature = nature_of(side);
    if (how->fourier > 0 || how->eigen > 0)
        return how->fourier + how->eigen;
    return nature.numbers > 0 ? nature.numbers : nature.classes;
}

/* The map that is asked for; where none is, one that is there anyway, or none. */
static weft_status plan_map(const weft_side *side, const weft_map *how, weft__feature_map *map,
                            weft_error *error)
{
    const weft_map nothing = {0};
    weft_status status = WEFT_OK;
    weft__feature_map plan = {.how = how != NULL ? *how : nothing};
    if (how == NULL && check_plain(side, &nothing, NULL) != WEFT_OK)
        return WEFT_OK;
    if (how != NULL)
        TRY(check_map(side, how, error));
    plan.exact = count_exact(side, &plan.how);
    plan.dimension = plan.exact + plan.how.hash;
    if (plan.dimension > WEFT_MAP_LIMIT && how == NULL)
        return WEFT_OK;
    if (plan.dimension > WEFT_MAP_LIMIT)
        TRY(weft__fail(error, WEFT_ARGUMENT, "%s: the map has %lld coordinates; expected at most %d",
                       side->ops->name, (long long)plan.dimension, WEFT_MAP_LIMIT));
    *map = plan;
done:
    return status;
}

static double square_of(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sum;
}

/* Behind the table: K(i,i) - |phi_i|^2, which only hashed coordinates need. */
static weft_status add_rest(const weft_side *side, weft__feature_map *map, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t n = map->listed, size = n * map->exact;
    if (map->how.hash == 0)
        return WEFT_OK;
    TRY(weft__resize(&side->memory, &map->table, size, size + n, sizeof *map->table, error));
    for (int64_t i = 0; i < n; i++) {
        double square = square_of(map->table + i * map->exact, map->exact);
        map->table[size + i] = fmax(side->ops->diagonal(side, i) - square, 0);
    }
done:
    return status;
}

weft_status weft__map_make(weft_side *side, const weft_map *how, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__feature_map map = {0};
    TRY(plan_map(side, how, &map, error));
    if (map.how.fourier > 0)
        TRY(weft__map_draw_frequencies(side, nature_of(side), &map, error));
    if (map.how.eigen > 0) {
        TRY(weft__map_find_eigenvectors(side, &map, error));
        TRY(add_rest(side, &map, error));
    }
    side->map = map;
    map.table = NULL;
done:
    weft__delete(&side->memory, map.table);
    return status;
}

/* ---- A table that was kept ---- */

static int64_t width_of(const weft__feature_map *map)
{
    return map->exact + (map->how.hash > 0 ? 1 : 0);
}

weft__map_table weft__map_table_of(const weft_side *side)
{
    const weft__feature_map *map = &side->map;
    if (map->how.eigen == 0)
        return (weft__map_table){0};
    return (weft__map_table){map->listed, width_of(map), map->table};
}

/* Features of this kernel: finite, and |phi_i|^2 <= K(i,i).  The kernel may be that of another machine, and
 * its eigenvectors those of an iteration, so that what is beyond 1e-6 R is not rounding. */
static weft_status check_row(const weft_side *side, const weft__feature_map *map, const double *table,
                             int64_t i, weft_error *error)
{
    double rest = map->how.hash > 0 ? table[map->listed * map->exact + i] : 0;
    double square = square_of(table + i * map->exact, map->exact) + rest;
    double most = side->ops->diagonal(side, i) + 1e-6 * side->radius;
    if (rest >= 0 && square <= most)
        return WEFT_OK;
    return weft__fail_at(error, WEFT_MODEL, i, -1,
                         "%s: the stored features of id %lld have the square %g, %g of it hashed; expected "
                         "at most %g, and no part below 0",
                         side->ops->name, (long long)i, square, rest, most);
}

weft_status weft__map_restore(weft_side *side, const weft_map *how, weft__map_table *table, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__feature_map map = {0};
    TRY(plan_map(side, how, &map, error));
    map.listed = side->count;
    if (table->ids != map.listed || table->width != width_of(&map))
        TRY(weft__fail(error, WEFT_MODEL,
                       "%s: the stored features are %lld ids x %lld numbers; expected %lld x %lld",
                       side->ops->name, (long long)table->ids, (long long)table->width, (long long)map.listed,
                       (long long)width_of(&map)));
    for (int64_t i = 0; i < map.listed; i++)
        TRY(check_row(side, &map, table->values, i, error));
    weft__map_release(side);
    map.table = table->values;
    side->map = map;
    *table = (weft__map_table){0};
done:
    return status;
}

void weft__map_release(weft_side *side)
{
    weft__delete(&side->memory, side->map.table);
    side->map = (weft__feature_map){0};
}

/* ---- The features of an id ---- */

/* What is known of an id; a graph without a matrix has all ids that it does not list alone. */
static weft_item describe(const weft_side *side, int64_t id)
{
    weft_item item = {0};
    if (side->ops->item != NULL)
        side->ops->item(side, id, &item);
    else
        item.alone = weft__side_is_alone(side, id) || (side->blur > 0 && id >= side->map.listed);
    return item;
}

bool weft__map_fits(const weft_side *side, int64_t id)
{
    const weft__feature_map *map = &side->map;
    weft_item item = describe(side, id);
    if (map->dimension == 0)
        return false;
    if (item.alone)
        return map->how.hash > 0;
    if (map->how.eigen > 0)
        return id < map->listed;
    return item.values != NULL || item.class_of < map->exact;
}

/* The exact part, zeroed before, of an id that is not alone; answers |phi|^2 of the hashed part. */
static double fill_exact(const weft_side *side, int64_t id, const weft_item *item, double *phi)
{
    const weft__feature_map *map = &side->map;
    if (map->how.eigen > 0) {
        memcpy(phi, map->table + id * map->exact, (size_t)map->exact * sizeof *phi);
        return map->how.hash > 0 ? map->table[map->listed * map->exact + id] : 0;
    }
    if (map->how.fourier > 0) {
        double share = map->how.hash > 0 ? 0.5 : 1;
        weft__map_fourier(map, item, sqrt(2 * share / (double)map->how.fourier), phi);
        return share;
    }
    if (item->values != NULL)
        memcpy(phi, item->values, (size_t)map->exact * sizeof *phi);
    else
        phi[item->class_of] = 1;
    return nature_of(side).own;
}

void weft__map_features(const weft_side *side, int64_t id, double *phi)
{
    const weft__feature_map *map = &side->map;
    weft_item item = describe(side, id);
    uint64_t of[2] = {(uint64_t)id, OF_ID};
    double square = 0;
    memset(phi, 0, (size_t)map->dimension * sizeof *phi);
    square = item.alone ? side->ops->diagonal(side, id) : fill_exact(side, id, &item, phi);
    if (map->how.hash == 0)
        return;
    if (!item.alone && map->how.fourier + map->how.eigen == 0 && item.values != NULL) {
        of[0] = weft__hash_vector(item.values, map->exact);
        of[1] = OF_VECTOR;
    }
    weft__map_hash(&map->how, of, square, phi + map->exact);
}

weft_status weft__map_fail(const weft_side *side, const char *what, int64_t id, weft_error *error)
{
    const char *name = side->ops->name;
    if (side->map.dimension == 0)
        return weft__fail(error, WEFT_UNSUPPORTED,
                          "%s: there is no feature map for this kernel; "
                          "ask for one when the side information is made",
                          name);
    if (describe(side, id).alone)
        return weft__fail_at(error, WEFT_UNSUPPORTED, id, -1,
                             "%s: %s %lld is alone, which the feature map has no room for; "
                             "expected hash coordinates",
                             name, what, (long long)id);
    return weft__fail_at(error, WEFT_UNSUPPORTED, id, -1,
                         "%s: %s %lld came after the feature map was made, which has no room for it: %s",
                         name, what, (long long)id,
                         side->map.how.eigen > 0 ? "its eigenvectors are those of the ids listed"
                                                 : "its class is new");
}

/* ---- Public ---- */

int64_t weft_side_dimension(const weft_side *side)
{
    return side != NULL ? side->map.dimension : 0;
}

weft_status weft_side_features(const weft_side *side, int64_t id, double *features, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(side);
    NEED(features);
    if (!weft__side_has(side, id))
        return weft__fail_at(error, WEFT_UNKNOWN_ID, id, -1, "%s: id %lld is not known; expected 0 to %lld",
                             side->ops->name, (long long)id, (long long)(side->count - 1));
    if (!weft__map_fits(side, id))
        return weft__map_fail(side, "id", id, error);
    weft__map_features(side, id, features);
done:
    return status;
}

static bool made_alike(const weft_map *a, const weft_map *b)
{
    return a->hash == b->hash && a->fourier == b->fourier && a->eigen == b->eigen && a->seed == b->seed;
}

bool weft__map_equal(const weft_side *a, const weft_side *b, double *room)
{
    int64_t dimension = a->map.dimension, count = a->count < b->count ? a->count : b->count;
    if (dimension != b->map.dimension || a->map.exact != b->map.exact || a->endless != b->endless ||
        !made_alike(&a->map.how, &b->map.how))
        return false;
    for (int64_t id = 0; id < count && !a->endless; id++) {
        if (!weft__map_fits(a, id) || !weft__map_fits(b, id))
            continue;
        weft__map_features(a, id, room);
        weft__map_features(b, id, room + dimension);
        if (memcmp(room, room + dimension, (size_t)dimension * sizeof *room) != 0)
            return false;
    }
    return true;
}
