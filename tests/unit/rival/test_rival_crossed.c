/* SPDX-License-Identifier: MIT
 * Crossed logistic regression against its definition: spreads, first steps, which products are made, and what
 * a context adds to them. */
#include "test_rival_traits.h"

#include "rival/pair_features.h"

enum { BITS = 12, WEIGHTS = 1 << BITS, WIDE = 80, NAMES_MAX = WIDE + 1, FEATURES = 1 + 2 * NAMES_MAX + 512 };

typedef struct feature {
    uint64_t key;
    double value;
} feature;

/* ---- What is known of an id, by the definition ---- */

/* Coordinates of the ids that were listed: spread[2d] is the offset of d and spread[2d + 1] its scale. */
static void find_spread(int64_t ids, int64_t dimension, const double *values, double *spread)
{
    for (int64_t d = 0; d < dimension; d++) {
        int64_t filled = 0;
        double sum = 0, squares = 0, offset = 0;
        for (int64_t i = 0; i < ids; i++) {
            filled += values[i * dimension + d] != 0;
            sum += values[i * dimension + d];
        }
        bool dense = 2 * filled > ids;
        if (dense)
            offset = sum / (double)ids;
        for (int64_t i = 0; i < ids; i++)
            if (dense || values[i * dimension + d] != 0)
                squares += pow(values[i * dimension + d] - offset, 2);
        double scale = sqrt(squares / (double)(dense ? ids : filled));
        spread[2 * d] = offset;
        spread[2 * d + 1] = scale > 0 ? scale : 1;
    }
}

static int list_spread(int64_t dimension, const double *x, const double *spread, feature *out)
{
    int count = 0;
    for (int64_t d = 0; d < dimension; d++) {
        double value = fmax(-10, fmin(10, (x[d] - spread[2 * d]) / spread[2 * d + 1]));
        if (value != 0)
            out[count++] = (feature){(uint64_t)d, value};
    }
    return count;
}

/* ---- The regression ---- */

typedef struct regression {
    double rate, w[WEIGHTS], s[WEIGHTS];
    feature list[FEATURES];
    int count;
    uint64_t context[WEFT_CONTEXT_LIMIT]; /* of the next question; 0: not known */
} regression;

/* How many traits are larger than trait k, or as large and before it. */
static int rank_of(const feature *traits, int count, int k)
{
    int rank = 0;
    for (int l = 0; l < count; l++)
        rank += fabs(traits[l].value) > fabs(traits[k].value) ||
                (l < k && fabs(traits[l].value) == fabs(traits[k].value));
    return rank;
}

/* The id, and of its traits the largest that have room beside `other`. */
static int names(uint64_t space, uint64_t id, const feature *traits, int count, int other, feature *out)
{
    int room = 256 / (1 + (other < 15 ? other : 15)) - 1, made = 1;
    out[0] = (feature){key(6, space, id), 1};
    for (int k = 0; k < count; k++)
        if (rank_of(traits, count, k) < room)
            out[made++] = (feature){key(6, space + 1, traits[k].key), traits[k].value};
    return made;
}

static void add(regression *r, uint64_t name, double value)
{
    r->list[r->count++] = (feature){name % WEIGHTS, value};
}

/* A value of the context, and beside it some names of both ids. */
static void list_value(regression *r, uint64_t value, const feature *a, int na, const feature *b, int nb)
{
    uint64_t name = key(6, 10, value);
    add(r, name, 1);
    for (int k = 0; k < na; k++)
        add(r, h(name + a[k].key), a[k].value);
    for (int k = 0; k < nb; k++)
        add(r, h(name + b[k].key), b[k].value);
}

/* Every value with the first names, so that there are no more than 256 of it all; all values together with
 * both ids. */
static void list_context(regression *r, const feature *a, int na, const feature *b, int nb)
{
    int told = 0;
    uint64_t joint = 0;
    for (int f = 0; f < WEFT_CONTEXT_LIMIT; f++)
        told += r->context[f] != 0;
    for (int f = 0; f < WEFT_CONTEXT_LIMIT; f++) {
        if (r->context[f] == 0)
            continue;
        int most = (253 / told - 1) / 2;
        joint = h(joint ^ r->context[f]);
        list_value(r, r->context[f], a, na < most ? na : most, b, nb < most ? nb : most);
    }
    if (told > 1)
        list_value(r, joint, a, 1, b, 1);
}

static void list_pair(regression *r, const uint64_t ids[2], feature *const traits[2], const int count[2],
                      bool one_set)
{
    feature a[NAMES_MAX], b[NAMES_MAX];
    int na = names(1, ids[0], traits[0], count[0], count[1], a);
    int nb = names(one_set ? 1 : 3, ids[1], traits[1], count[1], count[0], b);
    r->count = 0;
    add(r, key(6, 0, 0), 1);
    for (int k = 0; k < na; k++)
        add(r, a[k].key, a[k].value);
    for (int k = 0; k < nb; k++)
        add(r, b[k].key, b[k].value);
    for (int k = 0; k < na; k++)
        for (int l = 0; l < nb; l++)
            add(r, h(a[k].key + b[l].key), a[k].value * b[l].value);
    list_context(r, a, na, b, nb);
}

static double sum_of(const regression *r)
{
    double sum = 0;
    for (int k = 0; k < r->count; k++)
        sum += r->w[r->list[k].key] * r->list[k].value;
    return sum;
}

static double loss(const regression *r, int y)
{
    return log1p(exp(-y * sum_of(r)));
}

/* The derivative of the loss along one weight, by differences. */
static double slope(regression *r, uint64_t at, int y)
{
    const double step = 1e-5;
    double kept = r->w[at], up = 0, down = 0;
    r->w[at] = kept + step;
    up = loss(r, y);
    r->w[at] = kept - step;
    down = loss(r, y);
    r->w[at] = kept;
    return (up - down) / (2 * step);
}

static bool is_alone_in_list(const regression *r, int k)
{
    int same = 0;
    for (int l = 0; l < r->count; l++)
        same += r->list[l].key == r->list[k].key;
    return same == 1;
}

static void step(regression *r, int y)
{
    double g = y / (1 + exp(y * sum_of(r)));
    for (int k = 0; k < r->count; k += 7)
        if (is_alone_in_list(r, k))
            assert_near(-slope(r, r->list[k].key, y), g * r->list[k].value, 1e-7 * fmax(1, fabs(g)));
    for (int k = 0; k < r->count; k++) {
        uint64_t at = r->list[k].key;
        double d = g * r->list[k].value;
        r->s[at] += d * d;
        r->w[at] += r->rate * d / sqrt(0.3 + r->s[at]);
    }
}

/* ---- Every kind of side information ---- */

static int known_traits(const known *k, const weft_side *side, int64_t i, feature *out)
{
    uint64_t numbers[TRAITS];
    double values[TRAITS], stored[STAGE_ROWS * TRAITS], spread[2 * TRAITS];
    if (is_vector(k->kind) && !k->alone[i]) {
        for (int64_t a = 0; a < STAGE_ROWS && a <= (i > STAGE_LISTED ? i : STAGE_LISTED); a++)
            for (int64_t d = 0; d < k->dimension && a < k->count; d++)
                stored[a * k->dimension + d] = coordinate(k, a, d);
        find_spread(STAGE_LISTED, k->dimension, stored, spread);
        return list_spread(k->dimension, stored + i * k->dimension, spread, out);
    }
    int count = traits(k, side, i, numbers, values);
    for (int a = 0; a < count; a++)
        out[a] = (feature){numbers[a], values[a]};
    return count;
}

static void list_stage(regression *r, const stage *s, int64_t i, int64_t j)
{
    feature a[TRAITS], b[TRAITS];
    bool one_set = s->columns == NULL;
    if (one_set && i > j) {
        int64_t swap = i;
        i = j;
        j = swap;
    }
    int na = known_traits(&s->row_facts, s->rows, i, a);
    int nb = one_set ? known_traits(&s->row_facts, s->rows, j, b)
                     : known_traits(&s->column_facts, s->columns, j, b);
    list_pair(r, (const uint64_t[]){(uint64_t)i, (uint64_t)j}, (feature *const[]){a, b},
              (const int[]){na, nb}, one_set);
}

static double score(void *judge, const stage *s, int64_t i, int64_t j)
{
    list_stage(judge, s, i, j);
    return sum_of(judge);
}

static void learn(void *judge, const stage *s, int64_t i, int64_t j, int y)
{
    list_stage(judge, s, i, j);
    step(judge, y);
}

static void scores_are_those_of_the_definition(void **state)
{
    static const judge_kind judge = {score, learn};
    static regression r;
    for (int side = 0; side < KNOWN_KINDS; side++)
        for (int one_set = 0; one_set < 2; one_set++) {
            stage s;
            r = (regression){.rate = 0.4};
            stage_open(300 + (uint64_t)side, (known_kind)side, (known_kind)((side + 4) % KNOWN_KINDS),
                       one_set, &s);
            weft_rival_settings settings = {.kind = WEFT_RIVAL_CROSSED, .rate = 0.4, .bits = BITS, .seed = 6};
            assert_agrees(&s, &settings, &judge, &r);
            stage_close(&s);
        }
}

/* ---- Wide features ---- */

enum { IDS = 8 };

typedef struct wide {
    int64_t dimension;
    double values[IDS * WIDE], spread[2 * WIDE];
    weft_side *side;
} wide;

/* A third of the numbers have any size, of the others half are 0 and the rest -1 or 1: equally large. */
static void open_wide(dice *d, int64_t dimension, wide *w)
{
    weft_error error = {0};
    w->dimension = dimension;
    for (int64_t k = 0; k < dimension; k++)
        for (int64_t i = 0; i < IDS; i++)
            w->values[i * dimension + k] = k % 3 == 0         ? dice_between(d, 2, 5)
                                           : (i + k) % 2 == 0 ? 0
                                                              : (dice_chance(d, 0.5) ? 1 : -1);
    weft_features features = {IDS, dimension, w->values, WEFT_LINEAR, 1};
    assert_int_equal(weft_side_from_features(&features, NULL, &w->side, &error), WEFT_OK);
    find_spread(IDS, dimension, w->values, w->spread);
}

/* Values of so many fields, some of them not known: for the rival, and for its judge. */
static void draw_context(dice *d, int fields, weft_player *rival, regression *r)
{
    for (int f = 0; f < fields; f++)
        r->context[f] = dice_chance(d, 0.2) ? 0 : h((uint64_t)(100 * f + dice_below(d, 3)));
    assert_int_equal(weft_player_set_context(rival, r->context, fields, NULL), WEFT_OK);
}

static void play_wide(int64_t rows, int64_t columns, int fields)
{
    static regression r;
    static wide sides[2];
    feature traits[2][WIDE];
    weft_player *rival = NULL;
    dice d = {(uint64_t)(1000 * rows + columns)};
    r = (regression){.rate = 0.4};
    open_wide(&d, rows, &sides[0]);
    open_wide(&d, columns, &sides[1]);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_CROSSED, .rate = 0.4, .bits = BITS, .seed = 6};
    assert_int_equal(weft_rival_create(sides[0].side, sides[1].side, &settings, NULL, &rival, NULL), WEFT_OK);
    for (int t = 0; t < 60; t++) {
        draw_context(&d, fields, rival, &r);
        int count[2], label = dice_chance(&d, 0.5) ? 1 : -1;
        uint64_t ids[2];
        for (int which = 0; which < 2; which++) {
            const wide *w = &sides[which];
            ids[which] = (uint64_t)dice_below(&d, IDS);
            count[which] = list_spread(w->dimension, w->values + (int64_t)ids[which] * w->dimension,
                                       w->spread, traits[which]);
        }
        list_pair(&r, ids, (feature *const[]){traits[0], traits[1]}, count, false);
        double expected = sum_of(&r);
        assert_near(ask(rival, (int64_t)ids[0], (int64_t)ids[1]).score, expected,
                    1e-9 * fmax(1, fabs(expected)));
        teach(rival, (int64_t)ids[0], (int64_t)ids[1], label);
        step(&r, label);
    }
    weft_player_free(rival);
    weft_side_free(sides[0].side);
    weft_side_free(sides[1].side);
}

static void the_largest_traits_are_crossed(void **state)
{
    static const int64_t dimensions[] = {1, 3, 30, WIDE};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            play_wide(dimensions[a], dimensions[b], 0);
}

static void contexts_are_crossed_with_what_is_known(void **state)
{
    static const int64_t dimensions[] = {1, 30, WIDE};
    static const int fields[] = {1, 2, 3, WEFT_CONTEXT_LIMIT};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int f = 0; f < 4; f++)
                play_wide(dimensions[a], dimensions[b], fields[f]);
}

/* However many traits there are, and no id goes without room that there is. */
static void products_are_bounded(void **state)
{
    for (int64_t a = 0; a < 600; a++)
        for (int64_t b = 0; b < 600; b++) {
            int64_t kept = weft__traits_kept(a, b), other = weft__traits_kept(b, a);
            assert_true(kept <= a && other <= b && (1 + kept) * (1 + other) <= WEFT__CROSSES);
            assert_true(kept == a || (2 + kept) * (1 + other) > WEFT__CROSSES);
            assert_true(kept >= (a < WEFT__CROSSED_TRAITS ? a : WEFT__CROSSED_TRAITS));
        }
}

/* ---- Numbers of any size ---- */

/* A column and another unit of it are the same; so are a constant one and none. */
static void units_do_not_matter(void **state)
{
    const double values[2][12] = {{1, 5, 2, 5, 4, 5, 8, 5, 0, 5, 3, 5},
                                  {1e150, 0, 2e150, 0, 4e150, 0, 8e150, 0, 0, 0, 3e150, 0}};
    weft_player *rival[2];
    weft_side *side[2], *columns = NULL;
    assert_int_equal(weft_side_none(1, NULL, &columns, NULL), WEFT_OK);
    for (int k = 0; k < 2; k++) {
        weft_features features = {6, 2, values[k], WEFT_GAUSSIAN, 1};
        assert_int_equal(weft_side_from_features(&features, NULL, &side[k], NULL), WEFT_OK);
        weft_rival_settings settings = {.kind = WEFT_RIVAL_CROSSED};
        assert_int_equal(weft_rival_create(side[k], columns, &settings, NULL, &rival[k], NULL), WEFT_OK);
        for (int t = 0; t < 30; t++)
            teach(rival[k], t % 6, 0, t % 6 < 3 ? -1 : 1);
    }
    for (int i = 0; i < 6; i++)
        assert_near(ask(rival[0], i, 0).score, ask(rival[1], i, 0).score, 1e-9);
    const double far[] = {1e300, -1e300};
    assert_int_equal(weft_side_append(side[0], &(weft_item){.values = far, .length = 2}, NULL), WEFT_OK);
    teach(rival[0], 6, 0, 1);
    assert_true(isfinite(ask(rival[0], 6, 0).score));
    for (int k = 0; k < 2; k++) {
        weft_player_free(rival[k]);
        weft_side_free(side[k]);
    }
    weft_side_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_definition),
        cmocka_unit_test(the_largest_traits_are_crossed),
        cmocka_unit_test(contexts_are_crossed_with_what_is_known),
        cmocka_unit_test(products_are_bounded),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
