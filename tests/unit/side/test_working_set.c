/* SPDX-License-Identifier: MIT
 * The kernel over the touched ids against the entries of the side, for kinds
 * with and without structure, as it grows, is cleared and grows again. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "side/learnt/working_set.h"
#include "support/alloc.h"
#include "support/dice.h"

enum { IDS = 70, ROOM = 96 };

static weft_side *make_kernel(dice *d, int64_t count)
{
    static double factor[IDS * 3], kernel[IDS * IDS];
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * 3; k++)
        factor[k] = k / 3 == 4 ? 0 : dice_normal(d);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            kernel[i * count + j] = 0;
            for (int64_t k = 0; k < 3; k++)
                kernel[i * count + j] += factor[i * 3 + k] * factor[j * 3 + k];
        }
    assert_int_equal(weft_side_from_kernel(count, kernel, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_side *make_classes(int64_t count)
{
    int64_t class_of[IDS];
    weft_side *side = NULL;
    for (int64_t i = 0; i < count; i++)
        class_of[i] = i % 5;
    assert_int_equal(weft_side_from_classes(count, class_of, 0.25, NULL, &side, NULL), WEFT_OK);
    return side;
}

static weft_side *make_features(dice *d, int64_t count)
{
    double values[IDS * 3];
    weft_side *side = NULL;
    for (int64_t k = 0; k < count * 3; k++)
        values[k] = dice_chance(d, 0.3) ? 1 : dice_normal(d);
    weft_features features = {count, 3, values, WEFT_LINEAR, 0.5};
    weft_side_options options = {.radius = 100};
    assert_int_equal(weft_side_from_features(&features, &options, &side, NULL), WEFT_OK);
    return side;
}

static weft_side *make_path(int64_t count)
{
    int64_t from[IDS], to[IDS];
    weft_side *side = NULL;
    for (int64_t i = 0; i + 1 < count; i++) {
        from[i] = i;
        to[i] = i + 1;
    }
    weft_graph graph = {.vertices = count, .edges = count - 1, .from = from, .to = to};
    assert_int_equal(weft_side_from_graph(&graph, NULL, &side, NULL), WEFT_OK);
    return side;
}

/* scale (K_side - constant) + added from the public entries. */
static double plain(const weft__working_set *view, int64_t i, int64_t j)
{
    return view->scale * (weft_side_entry(view->side, i, j) - view->constant) + view->added;
}

static double diagonal_root(const weft__working_set *view, int64_t id)
{
    return sqrt(fmax(plain(view, id, id), 0));
}

static void check_products(weft__working_set *view, dice *d)
{
    _Alignas(64) double x[ROOM] = {0}, y[ROOM] = {0}, z[ROOM] = {0}, absolute[ROOM], positive[ROOM] = {0};
    int64_t n = view->count;
    double size = 0, square = 0, sum_x = 0;
    for (int64_t s = 0; s < n; s++) {
        x[s] = dice_normal(d);
        sum_x += x[s];
        positive[s] = fabs(x[s]);
        size += diagonal_root(view, view->ids[s]) * positive[s];
    }
    double found = weft__working_set_multiply(view, false, x, y);
    weft__working_set_multiply(view, true, x, z);
    weft__working_set_multiply_absolute(view, positive, absolute);
    for (int64_t s = 0; s < n; s++) {
        double sum = 0, sizes = 0, root = diagonal_root(view, view->ids[s]);
        for (int64_t t = 0; t < n; t++) {
            double k = plain(view, view->ids[s], view->ids[t]);
            sum += k * x[t];
            sizes += fabs(k) * positive[t];
        }
        square += x[s] * sum;
        assert_near(y[s], sum, 1e-13 * (root * size + fabs(sum)));
        assert_near(z[s], sum, (view->mixed ? 1e-6 : 1e-13) * (root * size + fabs(sum)));
        /* A bound, and the thing itself where nothing is added. */
        double slack = 1e-13 * (root * size + sizes);
        assert_true(absolute[s] >= sizes - slack);
        if (view->added == 0)
            assert_near(absolute[s], sizes, slack);
    }
    square -= view->added * sum_x * sum_x;
    if (view->side->ops->absolute == NULL)
        assert_near(found, square, 1e-12 * size * size);
    else
        assert_true(found >= square);
}

static void check_columns(const weft__working_set *view)
{
    _Alignas(64) double work[ROOM], out[ROOM];
    for (int64_t id = 0; id < view->side->count; id++) {
        for (int64_t s = 0; s < ROOM; s++)
            out[s] = s < view->count ? (double)s : 0;
        weft__working_set_add_column(view, -2, id, work, out);
        for (int64_t s = 0; s < view->count; s++)
            assert_near(out[s], (double)s - 2 * plain(view, view->ids[s], id), 1e-11);
        assert_near(weft__working_set_diagonal(view, id), plain(view, id, id), 1e-14);
        assert_near(weft__working_set_entry(view, id, (id * 7) % view->side->count),
                    plain(view, id, (id * 7) % view->side->count), 1e-14);
    }
}

static void touch(weft__working_set *view, int64_t id)
{
    int64_t count = view->count, slot = weft__working_set_slot(view, id);
    assert_int_equal(weft__working_set_reserve(view, 1, -1, NULL), WEFT_OK);
    int64_t found = weft__working_set_touch(view, id);
    assert_int_equal(found, slot >= 0 ? slot : count);
    assert_int_equal(view->count, slot >= 0 ? count : count + 1);
    assert_int_equal(weft__working_set_slot(view, id), found);
    assert_int_equal(view->ids[found], id);
    assert_int_equal(view->capacity % WEFT__LANES, 0);
    assert_true(view->capacity >= view->count && view->capacity <= ROOM);
}

static void grow(weft_side *side, bool mixed, double added)
{
    weft__working_set view;
    dice d = {31};
    assert_int_equal(weft__working_set_create(&view, side, mixed, NULL, NULL), WEFT_OK);
    view.scale = 0.25;
    view.added = added;
    for (int64_t k = 0; k < 60; k++) {
        touch(&view, (k * 11) % IDS % side->count);
        if (k % 13 == 3)
            check_products(&view, &d);
    }
    check_products(&view, &d);
    check_columns(&view);
    weft__working_set_free(&view);
    weft_side_free(side);
}

static void every_kind_grows(void **state)
{
    dice d = {32};
    for (int mixed = 0; mixed < 2; mixed++) {
        weft_side *none = NULL;
        assert_int_equal(weft_side_none(IDS, NULL, &none, NULL), WEFT_OK);
        grow(none, mixed, 0);
        grow(make_classes(IDS), mixed, 0);
        grow(make_kernel(&d, IDS), mixed, 0);
        grow(make_features(&d, IDS), mixed, 0);
        weft_side *path = make_path(IDS);
        double constant = path->constant;
        assert_true(constant > 0);
        grow(path, mixed, 0);
        grow(make_path(IDS), mixed, 0.25 * constant);
        grow(make_kernel(&d, 5), mixed, 0);
    }
}

/* Ids that the side takes while a view is in use. */
static void ids_may_come_later(void **state)
{
    dice d = {33};
    weft_side *sides[] = {make_classes(3), make_kernel(&d, 3), make_features(&d, 3)};
    for (size_t k = 0; k < 3; k++) {
        weft__working_set view;
        assert_int_equal(weft__working_set_create(&view, sides[k], true, NULL, NULL), WEFT_OK);
        touch(&view, 2);
        for (int64_t id = 3; id < 40; id++) {
            assert_int_equal(weft_side_append(sides[k], &(weft_item){.alone = true}, NULL), WEFT_OK);
            assert_int_equal(weft__working_set_slot(&view, id), -1);
            touch(&view, id);
        }
        check_products(&view, &d);
        check_columns(&view);
        weft__working_set_free(&view);
        weft_side_free(sides[k]);
    }
}

static void a_side_without_ids_has_a_view(void **state)
{
    weft_side *side = NULL;
    weft__working_set view;
    assert_int_equal(weft_side_none(0, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft__working_set_create(&view, side, true, NULL, NULL), WEFT_OK);
    assert_int_equal(weft__working_set_slot(&view, 0), -1);
    assert_int_equal(weft_side_append(side, NULL, NULL), WEFT_OK);
    touch(&view, 0);
    weft__working_set_free(&view);
    weft_side_free(side);
}

static void refused_room_changes_nothing(void **state)
{
    dice d = {34};
    weft_side *sides[] = {make_classes(IDS), make_kernel(&d, IDS), make_features(&d, IDS)};
    for (size_t k = 0; k < 3; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        weft__working_set view;
        int64_t refused = 0;
        while (test_alloc_arm(&alloc, refused),
               weft__working_set_create(&view, sides[k], true, &memory, NULL) != WEFT_OK) {
            assert_int_equal(test_alloc_blocks(&alloc), 0);
            refused++;
        }
        assert_true(refused >= 6);
        for (int64_t id = 0; id < 60; id++)
            for (int64_t fail_at = 0;; fail_at++) {
                test_alloc_arm(&alloc, fail_at);
                weft_status status = weft__working_set_reserve(&view, 1, -1, NULL);
                assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
                test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
                check_products(&view, &d);
                if (status == WEFT_OK) {
                    weft__working_set_touch(&view, id);
                    break;
                }
            }
        check_columns(&view);
        weft__working_set_free(&view);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        weft_side_free(sides[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_grows),
        cmocka_unit_test(ids_may_come_later),
        cmocka_unit_test(a_side_without_ids_has_a_view),
        cmocka_unit_test(refused_room_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
