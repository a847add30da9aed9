/* SPDX-License-Identifier: MIT
 * The perceptrons against the sum over all their updates. */
#include "test_rival_support.h"

#include "side/side.h"

typedef struct updates {
    weft_rival_kind kind;
    double margin;
    int64_t count, pair[STAGE_TRIALS][2];
    int label[STAGE_TRIALS];
} updates;

/* u(i,k) from the kernel as the side tells it. */
static double cosine(const weft_side *side, int64_t i, int64_t k)
{
    double c = side->constant, entry = weft_side_entry(side, i, k);
    double a = weft_side_entry(side, i, i) - c, b = weft_side_entry(side, k, k) - c;
    if (i == k)
        return 1;
    if (entry == 0 || !(a > 0) || !(b > 0))
        return 0;
    return fmax(-1, fmin(1, (entry - c) / sqrt(a * b)));
}

static double kernel(const updates *u, const stage *s, const int64_t x[2], const int64_t y[2])
{
    const weft_side *columns = s->columns != NULL ? s->columns : s->rows;
    double ii = cosine(s->rows, x[0], y[0]), jj = cosine(columns, x[1], y[1]);
    double mean = (ii + jj) / 2, product = ii * jj;
    if (s->columns == NULL) {
        double ij = cosine(s->rows, x[0], y[1]), ji = cosine(s->rows, x[1], y[0]);
        mean = (ii + jj + ij + ji) / 4;
        product = (ii * jj + ij * ji) / 2;
    }
    return 0.01 + (u->kind == WEFT_RIVAL_SUM ? mean : u->kind == WEFT_RIVAL_PRODUCT ? product : mean * mean);
}

static double score(void *judge, const stage *s, int64_t i, int64_t j)
{
    const updates *u = judge;
    double sum = 0;
    for (int64_t k = 0; k < u->count; k++)
        sum += u->label[k] * kernel(u, s, (int64_t[2]){i, j}, u->pair[k]);
    return fabs(sum) < 1e-9 ? 0 : sum;
}

static void learn(void *judge, const stage *s, int64_t i, int64_t j, int label)
{
    updates *u = judge;
    if (label * score(judge, s, i, j) > u->margin + 1e-9)
        return;
    u->pair[u->count][0] = i;
    u->pair[u->count][1] = j;
    u->label[u->count++] = label;
}

static void play(weft_rival_kind kind, double margin, known_kind side, bool one_set)
{
    static const judge_kind judge = {score, learn};
    updates u = {.kind = kind, .margin = margin};
    stage s;
    stage_open(100 + (uint64_t)side, side, (known_kind)((side + 5) % KNOWN_KINDS), one_set, &s);
    assert_agrees(&s, &(weft_rival_settings){.kind = kind, .rate = margin}, &judge, &u);
    assert_true(u.count > 3 && u.count < STAGE_TRIALS);
    stage_close(&s);
}

static void scores_are_sums_over_updates(void **state)
{
    for (int kind = WEFT_RIVAL_SUM; kind <= WEFT_RIVAL_SQUARE; kind++)
        for (int side = 0; side < KNOWN_KINDS; side++)
            for (int one_set = 0; one_set < 2; one_set++) {
                play((weft_rival_kind)kind, 0, (known_kind)side, one_set);
                play((weft_rival_kind)kind, 0.5, (known_kind)side, one_set);
            }
}

/* Both ways through the matrix of coefficients: few columns alike, few rows alike. */
static void either_side_may_be_the_sparse_one(void **state)
{
    static const judge_kind judge = {score, learn};
    static const known_kind kinds[][2] = {{KNOWN_NONE, KNOWN_GAUSSIAN}, {KNOWN_GAUSSIAN, KNOWN_NONE}};
    for (int k = 0; k < 2; k++) {
        updates u = {.kind = WEFT_RIVAL_PRODUCT, .margin = 2};
        stage s;
        stage_open(55, kinds[k][0], kinds[k][1], false, &s);
        assert_agrees(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_PRODUCT, .rate = 2}, &judge, &u);
        stage_close(&s);
    }
}

static void play_classed(weft_rival_kind kind, double margin, known_kind rows, known_kind columns,
                         bool one_set)
{
    static const judge_kind judge = {score, learn};
    updates u = {.kind = kind, .margin = margin};
    stage s;
    stage_open(7 + (uint64_t)(10 * margin), rows, columns, one_set, &s);
    assert_agrees(&s, &(weft_rival_settings){.kind = kind, .rate = margin}, &judge, &u);
    assert_true(u.count > 3);
    stage_close(&s);
}

/* Sums over classes, with ids that are alone, of a class with others, and of which nothing is known. */
static void classes_are_summed(void **state)
{
    static const known_kind kinds[][2] = {{KNOWN_CLASSES, KNOWN_CLASSES},
                                          {KNOWN_CLASSES, KNOWN_NONE},
                                          {KNOWN_NONE, KNOWN_CLASSES},
                                          {KNOWN_NONE, KNOWN_NONE}};
    for (int kind = WEFT_RIVAL_SUM; kind <= WEFT_RIVAL_SQUARE; kind++)
        for (int k = 0; k < 4; k++)
            for (int one_set = 0; one_set < 2; one_set++)
                for (double margin = 0; margin < 3; margin += 0.7)
                    play_classed((weft_rival_kind)kind, margin, kinds[k][0], kinds[k][1], one_set);
}

/* The constant of a PDLaplacian would make all vertices alike: without it those of a
 * path's two ends are opposite. */
static void the_constant_of_a_graph_is_taken_away(void **state)
{
    weft_side *side = NULL;
    weft_player *rival = NULL;
    const int64_t from[] = {0, 1}, to[] = {1, 2};
    weft_graph graph = {.vertices = 3, .edges = 2, .from = from, .to = to};
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_PRODUCT, .rate = 1};
    assert_int_equal(weft_rival_create(side, side, &settings, NULL, &rival, NULL), WEFT_OK);
    teach(rival, 0, 0, 1);
    assert_near(ask(rival, 0, 0).score, 1.01, 1e-12);
    /* L^+ of the path is (5 -1 -4; -1 2 -1; -4 -1 5) / 9. */
    assert_near(ask(rival, 0, 2).score, 0.01 - 0.8, 1e-12);
    assert_near(ask(rival, 2, 2).score, 0.01 + 0.64, 1e-12);
    weft_player_free(rival);
    weft_side_free(side);
}

/* An id with K(i,i) = 0 has no direction; it is like itself and nothing else. */
static void an_id_of_no_length_is_like_itself(void **state)
{
    const double kernel[] = {1, 0.5, 0, 0.5, 1, 0, 0, 0, 0};
    weft_side *side = NULL;
    weft_player *rival = NULL;
    weft_rival_settings settings = {.kind = WEFT_RIVAL_PRODUCT, .rate = 1};
    assert_int_equal(weft_side_from_kernel(3, kernel, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_rival_create(side, side, &settings, NULL, &rival, NULL), WEFT_OK);
    teach(rival, 2, 0, 1);
    assert_near(ask(rival, 2, 0).score, 1.01, 1e-12);
    assert_near(ask(rival, 2, 1).score, 0.51, 1e-12);
    assert_near(ask(rival, 1, 0).score, 0.01, 1e-12);
    weft_player_free(rival);
    weft_side_free(side);
}

/* A callback is taken at its word, but no cosine leaves [-1, 1]. */
static double wrong_kernel(void *user, int64_t i, int64_t j)
{
    const double *far = user;
    return i == j ? 1 : (i + j == 9 ? *far : 0.1);
}

static void cosines_stay_within_one(void **state)
{
    double far = 0.1;
    weft_side *side = NULL;
    weft_player *rival = NULL;
    weft_rival_settings settings = {.kind = WEFT_RIVAL_PRODUCT, .rate = 1};
    /* Sound as long as it is looked at. */
    assert_int_equal(weft_side_from_callback(10, wrong_kernel, &far, NULL, &side, NULL), WEFT_OK);
    far = 50;
    assert_int_equal(weft_rival_create(side, side, &settings, NULL, &rival, NULL), WEFT_OK);
    teach(rival, 2, 3, 1);
    assert_near(ask(rival, 7, 3).score, 1.01, 1e-12);
    far = -50;
    assert_near(ask(rival, 7, 6).score, 1.01, 1e-12);
    assert_near(ask(rival, 2, 6).score, 0.01 - 1, 1e-12);
    weft_player_free(rival);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_sums_over_updates),
        cmocka_unit_test(either_side_may_be_the_sparse_one),
        cmocka_unit_test(classes_are_summed),
        cmocka_unit_test(the_constant_of_a_graph_is_taken_away),
        cmocka_unit_test(an_id_of_no_length_is_like_itself),
        cmocka_unit_test(cosines_stay_within_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
