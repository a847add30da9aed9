/* SPDX-License-Identifier: MIT
 * Linear features that are multiplied by their vectors: against their entries, and against the Gram
 * matrix of the same kernel in a learner. */
#include "support/test.h"

#include "support/alloc.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/side_checks.h"

#include "side/kinds/linear.h"

#include <float.h>

static bool has_product(weft_kernel kernel, int64_t dimension, int64_t count, double size)
{
    weft_side *side = NULL;
    double *values = malloc((size_t)(count * dimension) * sizeof *values);
    for (int64_t k = 0; k < count * dimension; k++)
        values[k] = size;
    weft_features f = {count, dimension, values, kernel, kernel == WEFT_LINEAR ? 0 : 2};
    assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
    bool found = side->ops->product != NULL;
    assert_true(found == (side->ops->absolute != NULL) && found == (weft__side_work(side) > 0));
    assert_string_equal(weft_side_kind(side), "features");
    weft_side_free(side);
    free(values);
    return found;
}

static void the_way_is_chosen_by_shape(void **state)
{
    assert_true(has_product(WEFT_LINEAR, 1, 1, 1));
    assert_true(has_product(WEFT_LINEAR, 64, 3, 1));
    assert_false(has_product(WEFT_LINEAR, 65, 3, 1));
    assert_false(has_product(WEFT_LINEAR, 65, 519, 1));
    assert_true(has_product(WEFT_LINEAR, 65, 520, 1));
    assert_false(has_product(WEFT_GAUSSIAN, 1, 9, 1));
    assert_false(has_product(WEFT_MIN, 1, 9, 1));
    /* Products must not leave the numbers, which are as large as R, or as small. */
    assert_false(has_product(WEFT_LINEAR, 2, 3, 1e130));
    assert_false(has_product(WEFT_LINEAR, 2, 3, 1e-130));
}

/* Half of the ids repeat an earlier vector, with the other zero. */
static double *draw_vectors(dice *d, int64_t count, int64_t dimension)
{
    double *values = malloc((size_t)(count * dimension) * sizeof *values);
    for (int64_t i = 0; i < count; i++) {
        int64_t other = i > 0 ? dice_below(d, i) : 0;
        bool repeats = i > 0 && dice_chance(d, 0.5);
        for (int64_t c = 0; c < dimension; c++) {
            double fresh = dice_chance(d, 0.2) ? 0 : dice_normal(d);
            double old = values[other * dimension + c];
            values[i * dimension + c] = !repeats ? fresh : old == 0 ? -old : old;
        }
    }
    return values;
}

/* The first `listed` ids are listed, the others appended; every ninth of those is alone. */
static bool is_alone(int64_t i, int64_t listed)
{
    return i >= listed && i % 9 == 4;
}

static weft_side *make_side(const weft_features *all, int64_t listed)
{
    weft_side *side = NULL;
    weft_features f = *all;
    f.count = listed;
    weft_side_options options = {.radius = 1e3 * (double)all->dimension + all->parameter};
    assert_int_equal(weft_side_from_features(&f, &options, &side, NULL), WEFT_OK);
    for (int64_t i = listed; i < all->count; i++) {
        weft_item item = {.alone = is_alone(i, listed),
                          .values = all->values + i * all->dimension,
                          .length = all->dimension};
        assert_int_equal(weft_side_append(side, &item, NULL), WEFT_OK);
    }
    assert_non_null(side->ops->product);
    return side;
}

/* The three sums of row k of K[ids,ids]: by x, by |x| and |K|, by |x| and the roots of the diagonal. */
typedef struct sums {
    long double plain, absolute, rooted;
} sums;

static sums sum_row(const weft_side *side, const int64_t *ids, int64_t count, int64_t k, const double *x)
{
    sums all = {0, 0, 0};
    long double own = weft_side_entry(side, ids[k], ids[k]);
    for (int64_t l = 0; l < count; l++) {
        long double entry = weft_side_entry(side, ids[k], ids[l]);
        all.plain += entry * x[l];
        all.absolute += fabsl(entry * x[l]);
        all.rooted += sqrtl(own * weft_side_entry(side, ids[l], ids[l])) * fabsl((long double)x[l]);
    }
    return all;
}

static void assert_products(const weft_side *side, dice *d)
{
    int64_t n = weft_side_count(side), count = 0, *ids = malloc((size_t)n * sizeof *ids);
    double *room = malloc((size_t)(4 * n) * sizeof *room), *x = room, *y = x + n, *positive = y + n,
           *bound = positive + n, *work = malloc((size_t)weft__side_work(side) * sizeof *work);
    for (int64_t k = 0; k < weft__side_work(side); k++)
        work[k] = NAN;
    for (int64_t i = n - 1; i >= 0; i--)
        if (dice_chance(d, 0.8)) {
            x[count] = dice_normal(d);
            positive[count] = fabs(x[count]);
            ids[count++] = i;
        }
    double rounding = side->ops->product(side, ids, count, x, y, work);
    side->ops->absolute(side, ids, count, positive, bound, work);
    long double found = 0, expected = 0;
    for (int64_t k = 0; k < count; k++) {
        sums all = sum_row(side, ids, count, k, x);
        assert_true(fabsl(y[k] - all.plain) <= 1e-12L * all.rooted);
        assert_true(fabsl(bound[k] - all.absolute) <= 1e-12L * all.absolute);
        found += (long double)x[k] * y[k];
        expected += x[k] * all.plain;
    }
    assert_true(rounding >= 0 && (count == 0 || rounding > 0));
    assert_true(fabsl(found - expected) <= 8 * DBL_EPSILON * (rounding + fabs((double)expected)));
    free(ids);
    free(room);
    free(work);
}

static void products_follow_the_entries(void **state)
{
    dice d = {71};
    const struct {
        int64_t dimension, count, listed;
    } shapes[] = {{1, 40, 40}, {3, 60, 5}, {4, 1, 1}, {16, 200, 150}, {64, 30, 20}, {70, 700, 600}};
    const double epsilons[] = {0, 0.3, 1e100};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++) {
            double *values = draw_vectors(&d, shapes[k].count, shapes[k].dimension);
            weft_features f = {shapes[k].count, shapes[k].dimension, values, WEFT_LINEAR, epsilons[e]};
            weft_side *side = make_side(&f, shapes[k].listed);
            for (int round = 0; round < fewer(3, 1); round++)
                assert_products(side, &d);
            weft_side_free(side);
            free(values);
        }
}

/* Vectors that cancel: y is far below its terms, and `rounding` knows. */
static void rounding_covers_cancellation(void **state)
{
    enum { N = 3000, D = 16 };
    dice d = {72};
    static double values[N * D], x[N], y[N], work[2 * N];
    static int64_t ids[N];
    for (int round = 0; round < fewer(20, 4); round++) {
        weft_side *side = NULL;
        long double z[D] = {0}, square = 0, found = 0;
        for (int64_t i = 0; i < N; i++) {
            ids[i] = i;
            /* Pairs of opposite weights over nearly equal vectors. */
            x[i] = i % 2 == 0 ? dice_normal(&d) : -x[i - 1];
            for (int64_t c = 0; c < D; c++) {
                double near = i % 2 == 0 ? 0 : values[(i - 1) * D + c] + 1e-9 * dice_normal(&d);
                values[i * D + c] = i % 2 == 0 ? dice_normal(&d) : near;
                z[c] += (long double)x[i] * values[i * D + c];
            }
        }
        weft_features f = {N, D, values, WEFT_LINEAR, 0};
        assert_int_equal(weft_side_from_features(&f, NULL, &side, NULL), WEFT_OK);
        double rounding = side->ops->product(side, ids, N, x, y, work);
        for (int64_t i = 0; i < N; i++)
            found += (long double)x[i] * y[i];
        for (int64_t c = 0; c < D; c++)
            square += z[c] * z[c];
        assert_true(fabsl(found - square) <= 4 * DBL_EPSILON * rounding);
        assert_true(rounding <= 1e-5 * weft_side_radius(side) * N);
        weft_side_free(side);
    }
}

/* Too many ids for every entry: a bound, no further than that of Cauchy and Schwarz. */
static void many_ids_have_a_bound(void **state)
{
    enum { N = 4200, D = 16 };
    dice d = {76};
    double *values = draw_vectors(&d, N, D);
    static double x[N], y[N], work[2 * N];
    static int64_t ids[N];
    weft_features f = {N, D, values, WEFT_LINEAR, 0.3};
    weft_side *side = make_side(&f, N - 50);
    for (int64_t i = 0; i < N; i++) {
        ids[i] = N - 1 - i;
        x[i] = dice_uniform(&d);
    }
    side->ops->absolute(side, ids, N, x, y, work);
    for (int64_t k = 0; k < N; k += k < 50 ? 1 : 500) {
        sums all = sum_row(side, ids, N, k, x);
        assert_true(y[k] >= (1 - 1e-12L) * all.absolute && y[k] <= (1 + 1e-12L) * all.rooted);
    }
    weft_side_free(side);
    free(values);
}

/* ---- Equal vectors ---- */

static void assert_groups(const weft__groups *groups, weft__rows rows, int64_t listed)
{
    int64_t count = 0;
    for (int64_t i = 0; i < groups->ids; i++) {
        int64_t first = 0;
        bool same = false;
        for (int64_t j = 0; j <= i && !same; j++) {
            same = !is_alone(j, listed);
            for (int64_t c = 0; c < rows.dimension; c++)
                same = same && rows.values[j * rows.dimension + c] == rows.values[i * rows.dimension + c];
            first = j;
        }
        assert_int_equal(groups->of[i], is_alone(i, listed) ? WEFT__NO_GROUP : first);
        count += groups->of[i] == i;
    }
    assert_int_equal(groups->count, count);
}

static void the_first_of_equal_vectors_is_found(void **state)
{
    enum { N = 300, LISTED = 50 };
    dice d = {73};
    for (int64_t dimension = 1; dimension < 6; dimension++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft__groups groups = {0};
        double *values = draw_vectors(&d, N, dimension);
        weft__rows rows = {values, dimension};
        int64_t refused = 0;
        for (int64_t i = 0; i < N; i++) {
            for (int64_t k = 0;; k++) {
                test_alloc_arm(&alloc, k);
                weft_status status = weft__groups_reserve(&groups, rows, i + 1, &memory, NULL);
                assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
                if (status == WEFT_OK)
                    break;
                refused++;
            }
            assert_int_equal(groups.ids, i);
            weft__groups_add(&groups, rows, !is_alone(i, LISTED));
        }
        assert_true(refused >= 6 && groups.slots >= 2 * groups.count && groups.slots > 32);
        assert_groups(&groups, rows, LISTED);
        weft__groups_release(&groups, &memory);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        free(values);
    }
}

/* Every allocation of every append refused in turn; products are right afterwards. */
static void refused_appends_leave_products_right(void **state)
{
    enum { N = 120, D = 3 };
    dice d = {74};
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    double *values = draw_vectors(&d, N, D);
    weft_side *side = NULL;
    weft_features f = {0, D, values, WEFT_LINEAR, 0.5};
    weft_side_options options = {.radius = 1e3, .memory = &memory};
    assert_int_equal(weft_side_from_features(&f, &options, &side, NULL), WEFT_OK);
    for (int64_t i = 0; i < N; i++) {
        weft_item item = {.alone = i % 7 == 3, .values = values + i * D, .length = D};
        weft_item far = {.values = (double[]){99, 0, 0}, .length = D};
        weft_status status = WEFT_MEMORY;
        for (int64_t k = 0; status != WEFT_OK; k++) {
            test_alloc_arm(&alloc, k);
            status = weft_side_append(side, &item, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        }
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        assert_int_equal(weft_side_append(side, &far, NULL), WEFT_INPUT);
        assert_int_equal(weft_side_count(side), i + 1);
        if (i % 10 == 0)
            assert_products(side, &d);
    }
    assert_products(side, &d);
    weft_side_free(side);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    free(values);
}

/* ---- In a learner ---- */

enum { IDS = 300, FEW = 5, MANY = 80 };

/* The same kernel with zeros behind the coordinates, so many that there is a Gram matrix. */
static weft_side *make_of(const double *values, int64_t dimension, double epsilon, int64_t budget)
{
    static double wide[IDS * MANY];
    weft_side *side = NULL;
    memset(wide, 0, sizeof wide);
    for (int64_t i = 0; i < IDS; i++)
        memcpy(wide + i * dimension, values + i * FEW, FEW * sizeof *wide);
    weft_features f = {IDS, dimension, wide, WEFT_LINEAR, epsilon};
    weft_side_options options = {.budget = budget};
    assert_int_equal(weft_side_from_features(&f, &options, &side, NULL), WEFT_OK);
    assert_true((side->ops->product != NULL) == (dimension == FEW));
    return side;
}

static void compare(weft_form form, weft_precision precision, double epsilon)
{
    dice d = {75};
    double *values = draw_vectors(&d, IDS, FEW);
    /* No budget is needed where there is no matrix. */
    weft_side *sides[2] = {make_of(values, FEW, epsilon, 1), make_of(values, MANY, epsilon, 0)}, *none = NULL;
    weft_player *learners[2] = {NULL, NULL};
    assert_int_equal(weft_side_none(20, NULL, &none, NULL), WEFT_OK);
    weft_settings settings = weft_settings_default(IDS, form == WEFT_ONE_SET ? 0 : 20, 200);
    settings.form = form;
    settings.precision = precision;
    settings.dimension = 4;
    settings.gamma = 0.5;
    settings.eta = 0.3;
    for (int k = 0; k < 2; k++)
        assert_int_equal(weft_learner_create(sides[k], form == WEFT_ONE_SET ? NULL : none, &settings, NULL,
                                             &learners[k], NULL),
                         WEFT_OK);
    int64_t learnt = 0;
    for (int64_t t = 0; t < 200; t++) {
        int64_t row = dice_below(&d, IDS), column = dice_below(&d, form == WEFT_ONE_SET ? IDS : 20);
        int label = dice_chance(&d, 0.5) ? 1 : -1;
        weft_answer p[2];
        weft_answer o[2];
        for (int k = 0; k < 2; k++) {
            assert_int_equal(weft_player_evaluate(learners[k], row, column, 1e-13, &p[k], NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(learners[k], row, column, label, &o[k], NULL), WEFT_OK);
        }
        assert_true(fabs(p[0].margin - p[1].margin) <= 1e-10);
        assert_true(p[0].lower <= p[1].upper && p[1].lower <= p[0].upper);
        assert_true(p[0].upper - p[0].lower <= 1e-9);
        assert_int_equal(o[0].updated, o[1].updated);
        learnt += o[0].updated;
    }
    assert_true(learnt > 50);
    for (int k = 0; k < 2; k++) {
        weft_player_free(learners[k]);
        weft_side_free(sides[k]);
    }
    weft_side_free(none);
    free(values);
}

static void margins_are_those_of_the_gram_matrix(void **state)
{
    for (int form = 0; form < 3; form++)
        for (int precision = 0; precision < 2; precision++)
            for (int k = 0; k < 2; k++)
                if ((form + precision + k) % 2 == 0 || fewer(1, 0))
                    compare((weft_form)form, (weft_precision)precision, k == 0 ? 0 : 0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_is_chosen_by_shape),
        cmocka_unit_test(products_follow_the_entries),
        cmocka_unit_test(rounding_covers_cancellation),
        cmocka_unit_test(many_ids_have_a_bound),
        cmocka_unit_test(the_first_of_equal_vectors_is_found),
        cmocka_unit_test(refused_appends_leave_products_right),
        cmocka_unit_test(margins_are_those_of_the_gram_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
