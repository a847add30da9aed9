/* SPDX-License-Identifier: MIT
 * Both logistic regressions against their definition, traits included. */
#include "test_rival_traits.h"

#include "rival/traits.h"

enum { BITS = 9, WEIGHTS = 1 << BITS, FEATURES = (TRAITS + 2) * (TRAITS + 2) };

typedef struct feature {
    uint64_t key;
    double value;
} feature;

/* Weights by index: hashed ones, or for the bias the constant, rows and columns. */
typedef struct regression {
    bool hashed;
    double rate;
    uint64_t seed;
    double w[WEIGHTS], s[WEIGHTS];
    feature list[FEATURES];
    int count;
} regression;

/* ---- the regression ---- */

static int names(const regression *r, const stage *s, bool column, int64_t i, feature *out)
{
    uint64_t numbers[TRAITS];
    double values[TRAITS];
    uint64_t space = column ? 3 : 1;
    const known *facts = column ? &s->column_facts : &s->row_facts;
    int count = traits(facts, column ? s->columns : s->rows, i, numbers, values);
    out[0] = (feature){key(r->seed, space, (uint64_t)i), 1};
    for (int k = 0; k < count; k++)
        out[1 + k] = (feature){key(r->seed, space + 1, numbers[k]), values[k]};
    return 1 + count;
}

static void list(regression *r, const stage *s, int64_t i, int64_t j)
{
    feature a[TRAITS + 1], b[TRAITS + 1];
    r->count = 0;
    if (!r->hashed) {
        r->list[r->count++] = (feature){0, 1};
        r->list[r->count++] = (feature){1 + (uint64_t)i, 1};
        r->list[r->count++] = (feature){(s->columns != NULL ? 1u + STAGE_ROWS : 1u) + (uint64_t)j, 1};
        return;
    }
    int na = names(r, s, false, i, a), nb = names(r, s, s->columns != NULL, j, b);
    r->list[r->count++] = (feature){key(r->seed, 0, 0), 1};
    for (int k = 0; k < na; k++)
        r->list[r->count++] = a[k];
    for (int k = 0; k < nb; k++)
        r->list[r->count++] = b[k];
    for (int k = 0; k < na; k++)
        for (int l = 0; l < nb; l++)
            r->list[r->count++] = (feature){h(a[k].key + b[l].key), a[k].value * b[l].value};
    for (int k = 0; k < r->count; k++)
        r->list[k].key %= WEIGHTS;
}

static double score(void *judge, const stage *s, int64_t i, int64_t j)
{
    regression *r = judge;
    double sum = 0;
    if (s->columns == NULL && i > j) {
        int64_t swap = i;
        i = j;
        j = swap;
    }
    list(r, s, i, j);
    for (int k = 0; k < r->count; k++)
        sum += r->w[r->list[k].key] * r->list[k].value;
    return sum;
}

static void learn(void *judge, const stage *s, int64_t i, int64_t j, int y)
{
    regression *r = judge;
    double g = y / (1 + exp(y * score(judge, s, i, j)));
    for (int k = 0; k < r->count; k++) {
        uint64_t at = r->list[k].key;
        double d = g * r->list[k].value;
        r->s[at] += d * d;
        if (r->s[at] > 0)
            r->w[at] += r->rate * d / sqrt(r->s[at]);
    }
}

static void play(bool hashed, known_kind side, bool one_set, double rate)
{
    static const judge_kind judge = {score, learn};
    static regression r;
    stage s;
    r = (regression){.hashed = hashed, .rate = rate, .seed = 6};
    stage_open(200 + (uint64_t)side, side, (known_kind)((side + 4) % KNOWN_KINDS), one_set, &s);
    weft_rival_settings settings = {
        .kind = hashed ? WEFT_RIVAL_LOGISTIC : WEFT_RIVAL_BIAS, .rate = rate, .bits = BITS, .seed = 6};
    assert_agrees(&s, &settings, &judge, &r);
    stage_close(&s);
}

static void scores_are_those_of_the_definition(void **state)
{
    for (int side = 0; side < KNOWN_KINDS; side++)
        for (int one_set = 0; one_set < 2; one_set++) {
            play(false, (known_kind)side, one_set, 0.4);
            play(true, (known_kind)side, one_set, 0.4);
            play(false, (known_kind)side, one_set, 4);
        }
}

/* A new id is what its traits say, before anybody has learnt it. */
static void traits_speak_for_new_ids(void **state)
{
    const int64_t class_of[] = {3, 3, 8, 8};
    weft_side *rows = NULL, *columns = NULL;
    weft_player *rival = NULL;
    assert_int_equal(weft_side_from_classes(4, class_of, 0.1, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(1, NULL, &columns, NULL), WEFT_OK);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_LOGISTIC};
    assert_int_equal(weft_rival_create(rows, columns, &settings, NULL, &rival, NULL), WEFT_OK);
    for (int k = 0; k < 10; k++) {
        teach(rival, 0, 0, 1);
        teach(rival, 2, 0, -1);
    }
    assert_true(ask(rival, 1, 0).score > 1 && ask(rival, 3, 0).score < -1);
    assert_int_equal(weft_side_append(rows, &(weft_item){.class_of = 8}, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(rows, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_true(ask(rival, 4, 0).score == ask(rival, 3, 0).score);
    assert_true(fabs(ask(rival, 5, 0).score) < fabs(ask(rival, 4, 0).score));
    weft_player_free(rival);
    weft_side_free(rows);
    weft_side_free(columns);
}

/* Vectors that come later may be far out: they are cut off, and all stays finite. */
static void far_vectors_are_cut_off(void **state)
{
    const double values[] = {1, 2, 3, 5}, far[] = {1e300, -1e300};
    weft_side *side = NULL;
    weft_player *rival = NULL;
    weft_features features = {2, 2, values, WEFT_GAUSSIAN, 1};
    assert_int_equal(weft_side_from_features(&features, NULL, &side, NULL), WEFT_OK);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_LOGISTIC};
    assert_int_equal(weft_rival_create(side, NULL, &settings, NULL, &rival, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(side, &(weft_item){.values = far, .length = 2}, NULL), WEFT_OK);
    for (int k = 0; k < 5; k++)
        teach(rival, 2, 2, 1);
    assert_true(ask(rival, 2, 2).score > 0 && isfinite(ask(rival, 2, 2).score));
    weft_player_free(rival);
    weft_side_free(side);
}

/* A step of any size moves a weight by its rate, the first time. */
static void the_first_step_is_the_rate(void **state)
{
    stage s;
    stage_open(1, KNOWN_NONE, KNOWN_NONE, false, &s);
    weft_player *rival = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_BIAS, .rate = 15});
    teach(rival, 0, 0, 1);
    assert_near(ask(rival, 0, 0).score, 45, 1e-12);
    /* The gradient is sigma(-30), about 1e-13; the constant has seen larger ones. */
    teach(rival, 0, 1, 1);
    assert_near(ask(rival, 0, 1).score, 45, 1e-9);
    weft_player_free(rival);
    stage_close(&s);
}

/* Where ids are equally near but for rounding the smaller numbers come first, and no more than ten. */
static void ten_are_the_nearest(void **state)
{
    enum { IDS = 14 };
    double kernel[IDS * IDS];
    weft_side *side = NULL;
    /* All equally alike up to rounding, which makes later ids nearer; but id 5 is a little nearer to id 0,
     * and id 2 is near by rounding alone. */
    for (int64_t k = 0; k < IDS * IDS; k++)
        kernel[k] = k / IDS == k % IDS ? 1 : 0.5 + 1e-15 * (double)(k / IDS + k % IDS);
    kernel[5] = kernel[5 * IDS] = 0.5 + 1e-8;
    kernel[2] = kernel[2 * IDS] = 1e-12;
    assert_int_equal(weft_side_from_kernel(IDS, kernel, NULL, &side, NULL), WEFT_OK);
    weft__traits traits = {.id = 0};
    weft_memory memory = weft__memory_or_default(NULL);
    assert_int_equal(weft__traits_create(&traits, side, WEFT__SCALE_RANGE, &memory, NULL), WEFT_OK);
    assert_int_equal(weft__traits_find(&traits, 0, NULL), WEFT_OK);
    assert_int_equal(traits.count, 10);
    assert_int_equal(traits.list[0].number, 5);
    for (int64_t k = 1; k < 10; k++)
        assert_int_equal(traits.list[k].number, k == 1 ? 1 : k < 4 ? k + 1 : k + 2);
    weft__traits_free(&traits);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_definition),
        cmocka_unit_test(traits_speak_for_new_ids),
        cmocka_unit_test(far_vectors_are_cut_off),
        cmocka_unit_test(the_first_step_is_the_rate),
        cmocka_unit_test(ten_are_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
