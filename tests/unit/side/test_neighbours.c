/* SPDX-License-Identifier: MIT
 * Nearest neighbours against a judge that compares whole numbers exactly: vectors
 * are whole numbers times a power of two, with many ties, and the judge sorts all
 * ids for every id. */
#include "support/test.h"

#include "support/dice.h"
#include "weft_advanced.h"

#include <float.h>

enum { MOST = 70, WIDEST = 40 };

typedef struct points {
    int64_t count, dimension;
    int64_t whole[MOST][WIDEST];
    double values[MOST * WIDEST];
} points;

/* values = (whole + offset) * 2^exponent */
static void settle_values(points *p, int64_t offset, int exponent)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t k = 0; k < p->dimension; k++)
            p->values[i * p->dimension + k] = ldexp((double)(p->whole[i][k] + offset), exponent);
}

static weft_features features_of(const points *p)
{
    return (weft_features){.count = p->count, .dimension = p->dimension, .values = p->values};
}

/* ---- The judge ---- */

static int64_t product(const points *p, int64_t i, int64_t j)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < p->dimension; k++)
        sum += p->whole[i][k] * p->whole[j][k];
    return sum;
}

static int64_t squared_distance(const points *p, int64_t i, int64_t j)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < p->dimension; k++)
        sum += (p->whole[i][k] - p->whole[j][k]) * (p->whole[i][k] - p->whole[j][k]);
    return sum;
}

/* Both for all pairs, so that the judge need not work them out again and again. */
static int64_t products[MOST][MOST], distances[MOST][MOST];

static void tabulate(const points *p)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->count; j++) {
            products[i][j] = product(p, i, j);
            distances[i][j] = squared_distance(p, i, j);
        }
}

/* The sign of cos(i,a) - cos(i,b): s_a |s_a| n_b against s_b |s_b| n_a. */
static int compare_cosines(int64_t i, int64_t a, int64_t b)
{
    int64_t sa = products[i][a], sb = products[i][b];
    int64_t left = sa * llabs(sa) * products[b][b], right = sb * llabs(sb) * products[a][a];
    return (left > right) - (left < right);
}

static bool judge_nearer(weft_metric metric, int64_t i, int64_t a, int64_t b)
{
    if (metric == WEFT_EUCLIDEAN) {
        int64_t da = distances[i][a], db = distances[i][b];
        return da < db || (da == db && a < b);
    }
    int sign = compare_cosines(i, a, b);
    return sign > 0 || (sign == 0 && a < b);
}

/* among[i][j]: j is one of the k nearest of i.  last[i]: the k-th. */
static void judge_neighbours(const points *p, const weft_neighbours *how, bool among[MOST][MOST],
                             int64_t last[MOST])
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->count; j++) {
            int64_t before = 0;
            for (int64_t other = 0; other < p->count && j != i; other++)
                before += other != i && other != j && judge_nearer(how->metric, i, other, j);
            among[i][j] = j != i && before < how->k;
            if (j != i && before == how->k - 1)
                last[i] = j;
        }
}

static long double distance(const points *p, int64_t i, int64_t j)
{
    long double sum = 0;
    for (int64_t k = 0; k < p->dimension; k++) {
        long double difference =
            (long double)p->values[i * p->dimension + k] - p->values[j * p->dimension + k];
        sum += difference * difference;
    }
    return sqrtl(sum);
}

static double judge_weight(const points *p, const weft_neighbours *how, int64_t i, int64_t j, double scale)
{
    if (!how->weighted)
        return 1;
    if (how->metric == WEFT_EUCLIDEAN) {
        long double ratio = scale > 0 ? distance(p, i, j) / scale : 0;
        return (double)expl(-ratio * ratio / 2);
    }
    long double norms = sqrtl((long double)product(p, i, i) * (long double)product(p, j, j));
    return (double)((1 + (long double)product(p, i, j) / norms) / 2);
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-13 * fabs(expected) + 1e-300))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void assert_judged(const points *p, const weft_neighbours *how)
{
    static bool among[MOST][MOST];
    int64_t last[MOST] = {0}, at = 0;
    weft_edges *edges = NULL;
    weft_error error = {0};
    weft_features features = features_of(p);
    if (weft_edges_nearest(&features, how, NULL, &edges, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    tabulate(p);
    judge_neighbours(p, how, among, last);
    long double scale = 0;
    for (int64_t i = 0; i < p->count; i++)
        scale += distance(p, i, last[i]) / (long double)p->count;
    bool scaled = how->weighted && how->metric == WEFT_EUCLIDEAN;
    assert_near(weft_edges_scale(edges), scaled ? (double)scale : 0);
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = i + 1; j < p->count; j++) {
            bool wanted = how->mutual ? among[i][j] && among[j][i] : among[i][j] || among[j][i];
            double weight = judge_weight(p, how, i, j, (double)scale);
            if (!wanted || weight == 0)
                continue;
            weft_edge edge = weft_edges_at(edges, at++);
            assert_int_equal(edge.from, i);
            assert_int_equal(edge.to, j);
            assert_near(edge.weight, weight);
        }
    assert_int_equal(weft_edges_count(edges), at);
    weft_edges_free(edges);
}

static void assert_judged_in_all_ways(const points *p, weft_metric metric, int64_t k)
{
    for (int ways = 0; ways < 4; ways++)
        assert_judged(p, &(weft_neighbours){k, metric, (ways & 1) != 0, (ways & 2) != 0, {0}});
}

/* ---- Agreement ---- */

/* Few values, so that most distances are shared by many; no vector is zero. */
static void roll(dice *d, points *p, int64_t range)
{
    p->count = 2 + dice_below(d, MOST - 1);
    p->dimension = 1 + dice_below(d, 8);
    for (int64_t i = 0; i < p->count; i++) {
        bool zero = true;
        for (int64_t k = 0; k < p->dimension; k++) {
            p->whole[i][k] = dice_below(d, 2 * range + 1) - range;
            zero = zero && p->whole[i][k] == 0;
        }
        p->whole[i][0] += zero;
    }
}

static void agrees_with_the_judge(void **state)
{
    static points p;
    dice d = {11};
    static const int exponents[] = {0, -3, 40, -900, 900};
    for (int round = 0; round < 150; round++) {
        roll(&d, &p, 1 + dice_below(&d, 9));
        settle_values(&p, 0, exponents[round % 5]);
        int64_t k = round % 7 == 0 ? p.count - 1 : 1 + dice_below(&d, p.count - 1);
        assert_judged_in_all_ways(&p, round % 2 == 0 ? WEFT_EUCLIDEAN : WEFT_COSINE, k);
    }
}

/* 0 and 1, forty of them: cosines and distances take few values. */
static void agrees_on_sets(void **state)
{
    static points p = {.count = MOST, .dimension = WIDEST};
    dice d = {12};
    for (int round = 0; round < 8; round++) {
        for (int64_t i = 0; i < p.count; i++)
            for (int64_t k = 0; k < p.dimension; k++)
                p.whole[i][k] = k == 0 || dice_chance(&d, 0.3);
        settle_values(&p, 0, round % 2 == 0 ? 0 : -1);
        assert_judged_in_all_ways(&p, WEFT_COSINE, 5);
        assert_judged_in_all_ways(&p, WEFT_EUCLIDEAN, 5);
    }
}

/* Steps of 1 at 2^40 from the origin: |x|^2 + |t|^2 - 2<x,t> has no digit left. */
static void far_from_the_origin(void **state)
{
    static points p;
    dice d = {13};
    for (int round = 0; round < 40; round++) {
        roll(&d, &p, 5);
        settle_values(&p, INT64_C(1) << 40, round % 2 == 0 ? 0 : -7);
        assert_judged_in_all_ways(&p, WEFT_EUCLIDEAN, p.count < 5 ? 1 : 4);
    }
}

/* Id 2 is id 1 with its coordinates moved round, so that it is just as far from id 0;
 * then a coordinate of 32 makes id 1 farther by 2^10 in about 2^61, which is less
 * than the error of a sum of 40 rounded squares. */
static void last_digits_decide(void **state)
{
    static points p = {.count = 3, .dimension = WIDEST};
    dice d = {14};
    for (int round = 0; round < 200; round++) {
        for (int64_t k = 1; k < WIDEST; k++) {
            p.whole[1][k] = dice_below(&d, INT64_C(1) << 28);
            p.whole[2][1 + (k + 4) % (WIDEST - 1)] = p.whole[1][k];
        }
        p.whole[1][0] = round % 2 == 0 ? 0 : 32;
        settle_values(&p, 0, -30);
        weft_features features = features_of(&p);
        weft_neighbours how = {.k = 1, .metric = WEFT_EUCLIDEAN, .mutual = false};
        weft_edges *edges = NULL;
        assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), WEFT_OK);
        assert_int_equal(weft_edges_at(edges, 0).from, 0);
        assert_int_equal(weft_edges_at(edges, 0).to, round % 2 == 0 ? 1 : 2);
        weft_edges_free(edges);
        assert_judged_in_all_ways(&p, WEFT_EUCLIDEAN, 1);
    }
}

/* The cosines of (1, 2^-20) and (1, 2^-20 + 2^-30) to (1, 0) differ by 2^-50, within
 * the error of a quick key; to each other and to a multiple they are 1 to the last
 * digit, so that the earlier is taken. */
static void rounding_does_not_decide(void **state)
{
    const double values[] = {1, 0, 1, 0x1p-20 + 0x1p-30, 1, 0x1p-20, 3, 0x3p-20};
    weft_features features = {.count = 4, .dimension = 2, .values = values};
    weft_edges *edges = NULL;
    weft_neighbours how = {.k = 1, .metric = WEFT_COSINE};
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), WEFT_OK);
    /* 0 -> 2, 1 -> 2, 2 -> 1, 3 -> 1 */
    static const int64_t expected[][2] = {{0, 2}, {1, 2}, {1, 3}};
    assert_int_equal(weft_edges_count(edges), 3);
    for (int64_t k = 0; k < 3; k++) {
        assert_int_equal(weft_edges_at(edges, k).from, expected[k][0]);
        assert_int_equal(weft_edges_at(edges, k).to, expected[k][1]);
    }
    weft_edges_free(edges);
}

/* One direction at ten lengths: all are equally near to all, and the first ones are
 * taken, although products of numbers of 51 digits are not exact. */
static void lengths_do_not_matter(void **state)
{
    static const int64_t direction[] = {(1 << 25) + 1, (1 << 24) + 3, 12345677};
    double values[10 * 3];
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 3; k++)
            values[3 * i + k] = (double)(((1 << 26) - 2 * i - 1) * direction[k]);
    weft_features features = {.count = 10, .dimension = 3, .values = values};
    weft_neighbours how = {.k = 2, .metric = WEFT_COSINE, .weighted = true};
    weft_edges *edges = NULL;
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), WEFT_OK);
    /* 0: 1 and 2; all others: 0 and 1, and 1: 0 and 2 */
    assert_int_equal(weft_edges_count(edges), 9 + 8);
    for (int64_t k = 0; k < 17; k++) {
        weft_edge edge = weft_edges_at(edges, k);
        assert_int_equal(edge.from, k < 9 ? 0 : 1);
        assert_int_equal(edge.to, k < 9 ? k + 1 : k - 7);
        assert_true(fabs(edge.weight - 1) <= DBL_EPSILON);
    }
    weft_edges_free(edges);
}

/* ---- Weights at their ends ---- */

static void equal_vectors(void **state)
{
    static points p = {.count = 9, .dimension = 3};
    for (int64_t i = 0; i < p.count; i++)
        for (int64_t k = 0; k < 3; k++)
            p.whole[i][k] = k + 1;
    settle_values(&p, 0, -2);
    assert_judged_in_all_ways(&p, WEFT_EUCLIDEAN, 3); /* s = 0, and all weights 1 */
    assert_judged_in_all_ways(&p, WEFT_COSINE, 3);
}

/* Opposite vectors have weight 0, and so has one that is very far: no edges. */
static void edges_of_weight_zero(void **state)
{
    const double opposite[] = {1, -1, 2};
    double far[50];
    for (int i = 0; i < 50; i++)
        far[i] = i < 49 ? i : 1e9;
    weft_edges *edges = NULL;
    weft_features features = {.count = 3, .dimension = 1, .values = opposite};
    weft_neighbours how = {.k = 2, .metric = WEFT_COSINE, .weighted = true};
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), WEFT_OK);
    assert_int_equal(weft_edges_count(edges), 1);
    assert_int_equal(weft_edges_at(edges, 0).to, 2);
    weft_edges_free(edges);
    /* s is a 50th of the distance of the last, whose weight exp(-1250) is 0. */
    features = (weft_features){.count = 50, .dimension = 1, .values = far};
    how = (weft_neighbours){.k = 1, .metric = WEFT_EUCLIDEAN, .weighted = true};
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), WEFT_OK);
    assert_int_equal(weft_edges_count(edges), 48);
    assert_int_equal(weft_edges_at(edges, 47).to, 48);
    weft_edges_free(edges);
}

/* ---- Failures ---- */

static void assert_refused(weft_features features, weft_neighbours how, weft_status status, int64_t at,
                           const char *message)
{
    weft_edges *edges = (weft_edges *)&features;
    weft_error error = {0};
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, &error), status);
    assert_int_equal(error.status, status);
    assert_ptr_equal(edges, &features);
    assert_int_equal(error.at[0], at);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.message, message);
    assert_int_equal(weft_edges_nearest(&features, &how, NULL, &edges, NULL), status);
}

static void bad_arguments_are_refused(void **state)
{
    const double values[] = {1, 2, 3, 4, 5, 6}, hole[] = {1, 2, 3, NAN, 5, 6}, zero[] = {1, 2, 0, 0, 5, 6};
    const double endless[] = {1, 2, 3, 4, -INFINITY, 6};
    weft_features good = {.count = 3, .dimension = 2, .values = values};
    weft_neighbours how = {.k = 1, .metric = WEFT_EUCLIDEAN};
    weft_features bad = good;
    assert_refused(good, (weft_neighbours){.k = 3}, WEFT_ARGUMENT, -1, "k is 3; expected 1 to 2");
    assert_refused(good, (weft_neighbours){.k = 0}, WEFT_ARGUMENT, -1, "k is 0");
    assert_refused(good, (weft_neighbours){.k = -1}, WEFT_ARGUMENT, -1, "k is -1");
    assert_refused(good, (weft_neighbours){.k = 1, .metric = (weft_metric)7}, WEFT_ARGUMENT, -1,
                   "7 is not a metric");
    bad.count = 1;
    assert_refused(bad, how, WEFT_ARGUMENT, -1, "1 vectors");
    bad = good;
    bad.dimension = 0;
    assert_refused(bad, how, WEFT_ARGUMENT, -1, "the dimension is 0");
    bad = good;
    bad.values = NULL;
    assert_refused(bad, how, WEFT_ARGUMENT, -1, "vectors");
    bad.values = hole;
    assert_refused(bad, how, WEFT_INPUT, 1, "coordinate 1 of id 1 is nan");
    bad.values = endless;
    assert_refused(bad, how, WEFT_INPUT, 2, "coordinate 0 of id 2 is -inf");
    bad.values = zero;
    assert_refused(bad, (weft_neighbours){.k = 1, .metric = WEFT_COSINE}, WEFT_INPUT, 1, "of id 1 is zero");
    weft_edges *edges = NULL;
    assert_int_equal(weft_edges_nearest(&bad, &how, NULL, &edges, NULL), WEFT_OK);
    assert_int_equal(weft_edges_at(edges, -1).to, 0);
    assert_int_equal(weft_edges_at(edges, weft_edges_count(edges)).to, 0);
    weft_edges_free(edges);
    weft_edges_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_judge),
        cmocka_unit_test(agrees_on_sets),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(last_digits_decide),
        cmocka_unit_test(rounding_does_not_decide),
        cmocka_unit_test(lengths_do_not_matter),
        cmocka_unit_test(equal_vectors),
        cmocka_unit_test(edges_of_weight_zero),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
