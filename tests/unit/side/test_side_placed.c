/* SPDX-License-Identifier: MIT
 * Every kind of side information under other numbers, with ids in between that are alone. */
#include "support/test.h"

#include "side/graph/links.h"
#include "side/kinds/placed.h"
#include "support/alloc.h"
#include "support/known.h"
#include "support/side_checks.h"

enum { MOST = 24 };

/* Distinct numbers, with gaps. */
static void draw_numbers(dice *d, int64_t count, int64_t number[MOST])
{
    int64_t next = 0;
    for (int64_t k = 0; k < count; k++) {
        next += dice_below(d, 2);
        number[k] = next++;
    }
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = dice_below(d, k + 1), kept = number[k];
        number[k] = number[other];
        number[other] = kept;
    }
}

/* K under the numbers; ids that are nobody's have R on the diagonal.  free() it. */
static double *under_numbers(const weft_side *side, const weft__placing *placing, int64_t count)
{
    double *kernel = calloc((size_t)(count * count), sizeof *kernel);
    bool *taken = calloc((size_t)count, sizeof *taken);
    double factor[MOST];
    assert_non_null(kernel);
    assert_non_null(taken);
    for (int64_t k = 0; k < placing->count; k++) {
        double own = weft_side_entry(side, k, k);
        factor[k] = own > placing->radius ? sqrt(placing->radius / own) : 1;
        taken[placing->number[k]] = true;
    }
    for (int64_t k = 0; k < placing->count; k++)
        for (int64_t l = 0; l < placing->count; l++)
            kernel[placing->number[k] * count + placing->number[l]] =
                weft_side_entry(side, k, l) * factor[k] * factor[l];
    for (int64_t i = 0; i < count; i++)
        if (!taken[i])
            kernel[i * count + i] = placing->radius;
    free(taken);
    return kernel;
}

static weft_side *placed(weft_side *side, const weft__placing *placing, int64_t *shortened)
{
    weft_side *made = NULL;
    weft_error error = {0};
    if (weft__side_place(&side, placing, &made, shortened, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_null(side);
    return made;
}

/* One more, that is alone. */
static double *with_one_more(const double *kernel, int64_t count, double radius)
{
    int64_t n = count + 1;
    double *more = calloc((size_t)(n * n), sizeof *more);
    assert_non_null(more);
    for (int64_t i = 0; i < count; i++)
        memcpy(more + i * n, kernel + i * count, (size_t)count * sizeof *more);
    more[n * n - 1] = radius;
    return more;
}

/* With R as it is, larger, and smaller where nothing of the kernel is constant. */
static void every_kind(void **state)
{
    dice d = {11};
    for (int round = 0; round < 220; round++) {
        known what;
        weft_side *side = NULL;
        int64_t count = 4 + dice_below(&d, 8), number[MOST], last = 0, shortened = 0;
        known_draw(&d, (known_kind)(round % KNOWN_KINDS), count, count, &what);
        assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
        draw_numbers(&d, count, number);
        for (int64_t k = 0; k < count; k++)
            last = number[k] > last ? number[k] : last;
        double radius =
            weft_side_radius(side) * (side->constant == 0 && round % 3 == 0 ? 0.6 : 1 + round % 2);
        weft__placing placing = {count, number, radius};
        double *expected = under_numbers(side, &placing, last + 1);
        const char *kind = weft_side_kind(side);
        weft_side *made = placed(side, &placing, &shortened);
        assert_string_equal(weft_side_kind(made), kind);
        assert_true(weft_side_radius(made) == radius);
        assert_int_equal(weft_side_count(made), last + 1);
        for (int64_t i = 0; i <= last; i++)
            assert_true(weft_side_entry(made, i, i) <= radius);
        assert_kernel(made, expected, 1e-12 * radius);
        assert_int_equal(weft_side_append(made, NULL, NULL), WEFT_UNSUPPORTED);
        assert_int_equal(weft_side_append(made, &(weft_item){.alone = true}, NULL), WEFT_OK);
        double *more = with_one_more(expected, last + 1, radius);
        assert_kernel(made, more, 1e-12 * radius);
        free(more);
        free(expected);
        weft_side_free(made);
        known_release(&what);
    }
}

/* K = I, whatever R is: an id that is alone is no more than another. */
static void a_graph_without_a_kernel(void **state)
{
    static const int64_t from[] = {0, 1}, to[] = {1, 2}, number[] = {2, 0, 1}, ids[] = {0, 1, 2, 4};
    const weft_graph graph = {.vertices = 3, .edges = 2, .from = from, .to = to, .kernel = WEFT_NO_KERNEL};
    const weft_side_options options = {.radius = 3};
    const double x[] = {1, 2, 3, 4};
    double y[4], found[4], work[64];
    int64_t shortened = 0;
    weft_side *side = NULL;
    assert_int_equal(weft_side_from_graph(&graph, &options, &side, NULL), WEFT_OK);
    weft_side *made = placed(side, &(weft__placing){3, number, 3}, &shortened);
    assert_int_equal(weft_side_append(made, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_int_equal(weft_side_append(made, &(weft_item){.alone = true}, NULL), WEFT_OK);
    assert_true(weft__side_work(made) <= 64 && weft_side_radius(made) == 3);
    made->ops->product(made, ids, 4, x, y, work);
    made->ops->column(made, 4, ids, 4, found, work);
    for (int k = 0; k < 4; k++) {
        assert_true(weft_side_entry(made, ids[k], ids[k]) == 1 && y[k] == x[k]);
        assert_true(found[k] == (ids[k] == 4));
    }
    weft_side_free(made);
}

/* At least |K| x, and an id that is alone R times its own: with R as it is, and with all that are longer
 * shortened. */
static void absolute_products(void **state)
{
    dice d = {29};
    static const int64_t number[] = {5, 0, 3, 1}, ids[] = {0, 5, 2, 3, 6};
    for (int round = 0; round < 40; round++) {
        known what;
        weft_side *side = NULL;
        int64_t shortened = 0;
        known_draw(&d, KNOWN_LINEAR, 4, 4, &what);
        assert_int_equal(known_side(&what, &side, NULL), WEFT_OK);
        const weft__placing placing = {4, number, weft_side_radius(side) * (round % 2 ? 0.5 : 1)};
        weft_side *made = placed(side, &placing, &shortened);
        assert_true((round % 2 == 1) == (shortened > 0));
        assert_int_equal(weft_side_append(made, &(weft_item){.alone = true}, NULL), WEFT_OK);
        assert_non_null(made->ops->absolute);
        double x[5], y[5], *work = calloc((size_t)weft__side_work(made) + 1, sizeof *work);
        for (int a = 0; a < 5; a++)
            x[a] = dice_between(&d, 0, 2);
        made->ops->absolute(made, ids, 5, x, y, work);
        for (int a = 0; a < 5; a++) {
            double least = 0;
            for (int b = 0; b < 5; b++)
                least += fabs(weft_side_entry(made, ids[a], ids[b])) * x[b];
            assert_true(y[a] >= least * (1 - 1e-12));
            if (ids[a] == 2 || ids[a] == 6)
                assert_true(y[a] == placing.radius * x[a]);
        }
        free(work);
        weft_side_free(made);
        known_release(&what);
    }
}

/* Kernels that are never formed, and neighbours by their numbers. */
static void large_graphs(void **state)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 0}, to[] = {1, 2, 3, 4, 5, 3};
    static const int64_t number[] = {7, 2, 0, 4, 3, 9};
    for (int kernel = WEFT_PDLAPLACIAN; kernel <= WEFT_DIFFUSION; kernel++) {
        weft_graph graph = {.vertices = 6, .edges = 6, .from = from, .to = to, .parameter = 2};
        graph.kernel = (weft_graph_kernel)kernel;
        const weft_side_options sparse = {.graph_path = WEFT_GRAPH_SPARSE};
        weft_side *side = NULL;
        int64_t shortened = 0, count = 0;
        assert_int_equal(weft_side_from_graph(&graph, &sparse, &side, NULL), WEFT_OK);
        weft__placing placing = {6, number, weft_side_radius(side)};
        double *expected = under_numbers(side, &placing, 10);
        weft_side *made = placed(side, &placing, &shortened);
        assert_true(made->blur > 0);
        assert_int_equal(shortened, 0);
        assert_kernel(made, expected, 1e-12 * placing.radius);
        const weft__link *links = weft__side_links(made, 7, &count);
        assert_true(count >= 2);
        for (int64_t k = 0; k < 2; k++)
            assert_true(links[k].id == 2 || links[k].id == 4);
        assert_non_null(weft__side_links(made, 1, &count));
        assert_int_equal(count, 0);
        free(expected);
        weft_side_free(made);
    }
}

/* Classes and traits are those of the other side, and ids in between have none. */
static void what_is_known_of_an_id(void **state)
{
    static const int64_t class_of[] = {5, 6, 5}, number[] = {3, 0, 1};
    weft_side *side = NULL;
    int64_t shortened = 0;
    assert_int_equal(weft_side_from_classes(3, class_of, 0.5, NULL, &side, NULL), WEFT_OK);
    weft__placing placing = {3, number, 1.2};
    weft_side *made = placed(side, &placing, &shortened);
    assert_int_equal(shortened, 3);
    for (int64_t k = 0; k < 3; k++) {
        weft_item item = {0};
        made->ops->item(made, number[k], &item);
        assert_false(item.alone);
        assert_int_equal(item.class_of, class_of[k] - 5);
    }
    weft_item item = {0};
    made->ops->item(made, 2, &item);
    assert_true(item.alone);
    assert_int_equal(made->ops->nature(made).classes, 2);
    weft_side_free(made);
}

/* Every allocation refused in turn: nothing is left, and the other side is gone too. */
static void memory_is_refused(void **state)
{
    static const int64_t from[] = {0, 1}, to[] = {1, 2}, number[] = {4, 0, 2};
    for (int64_t k = 0, done = 0; !done; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        const weft_side_options options = {.memory = &memory};
        weft_graph graph = {.vertices = 3, .edges = 2, .from = from, .to = to};
        weft_side *side = NULL, *made = NULL;
        int64_t shortened = 0;
        assert_int_equal(weft_side_from_graph(&graph, &options, &side, NULL), WEFT_OK);
        weft__placing placing = {3, number, weft_side_radius(side)};
        test_alloc_arm(&alloc, k);
        weft_status status = weft__side_place(&side, &placing, &made, &shortened, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        done = !alloc.failed;
        weft_side_free(made);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(a_graph_without_a_kernel),
        cmocka_unit_test(absolute_products),
        cmocka_unit_test(large_graphs),
        cmocka_unit_test(what_is_known_of_an_id),
        cmocka_unit_test(memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
