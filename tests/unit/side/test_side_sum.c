/* SPDX-License-Identifier: MIT
 * Several kinds of side information as one kernel. */
#include "support/test.h"

#include "side/kinds/sum.h"
#include "side/side.h"
#include "support/alloc.h"
#include "support/known.h"
#include "support/side_checks.h"

enum { TERMS = 3, MOST = 16 };

/* Kinds over some of `ids` ids each, in an order of their own. */
typedef struct several {
    known what[TERMS];
    weft_side *side[TERMS];
    int64_t number[TERMS][MOST];
    weft__sum_term term[TERMS];
    int64_t count, ids;
} several;

/* The first `listed` of the ids in random order are numbers 0, 1, ...; the others are not there. */
static void draw_numbers(dice *d, int64_t ids, int64_t listed, int64_t *number)
{
    int64_t order[MOST];
    for (int64_t i = 0; i < ids; i++)
        order[i] = i;
    for (int64_t i = ids - 1; i > 0; i--) {
        int64_t j = dice_below(d, i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (int64_t k = 0; k < ids; k++)
        number[order[k]] = k < listed ? k : -1;
}

static void draw(dice *d, int round, several *s)
{
    s->count = 1 + dice_below(d, TERMS);
    s->ids = 6 + dice_below(d, MOST - 6);
    for (int64_t k = 0; k < s->count; k++) {
        int64_t listed = 4 + dice_below(d, s->ids - 4);
        known_draw(d, (known_kind)((round + 5 * k) % KNOWN_KINDS), listed, listed, &s->what[k]);
        assert_int_equal(known_side(&s->what[k], &s->side[k], NULL), WEFT_OK);
        draw_numbers(d, s->ids, listed, s->number[k]);
        s->term[k] = (weft__sum_term){s->side[k], s->number[k]};
    }
}

static void release(several *s)
{
    for (int64_t k = 0; k < s->count; k++) {
        weft_side_free(s->side[k]);
        known_release(&s->what[k]);
    }
}

/* (1/m) sum_k K_k(i,j) / R_k by what the kinds themselves say; free() it. */
static double *explicitly(const several *s, int64_t ids)
{
    double *kernel = calloc((size_t)(ids * ids), sizeof *kernel);
    for (int64_t i = 0; i < ids; i++)
        for (int64_t j = 0; j < ids; j++) {
            double *entry = &kernel[i * ids + j];
            for (int64_t k = 0; k < s->count; k++) {
                int64_t a = i < s->ids ? s->number[k][i] : -1, b = j < s->ids ? s->number[k][j] : -1;
                *entry += a < 0 || b < 0 ? (double)(i == j)
                                         : weft_side_entry(s->side[k], a, b) / weft_side_radius(s->side[k]);
            }
            *entry /= (double)s->count;
        }
    return kernel;
}

static weft_side *sum_of(const several *s)
{
    weft_side *side = NULL;
    weft_error error = {0};
    if (weft__side_sum(s->term, s->count, s->ids, NULL, &side, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return side;
}

/* Every kind beside every other, and ids that come later. */
static void every_kind(void **state)
{
    dice d = {21};
    for (int round = 0; round < 200; round++) {
        several s;
        draw(&d, round, &s);
        weft_side *side = sum_of(&s);
        for (int late = 0; late < 3; late++) {
            int64_t ids = s.ids + late;
            double *expected = explicitly(&s, ids);
            assert_int_equal(weft_side_count(side), ids);
            assert_kernel(side, expected, 0);
            assert_true(weft_side_radius(side) == 1);
            free(expected);
            assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
        }
        weft_error error = {0};
        assert_int_equal(weft_side_append(side, NULL, &error), WEFT_UNSUPPORTED);
        weft_side_free(side);
        release(&s);
    }
}

/* Large graphs are multiplied by solving, and what stands beside them entry by entry where it must. */
static void beside_solving(void **state)
{
    static const int64_t from[] = {0, 1, 2, 3, 4, 0}, to[] = {1, 2, 3, 4, 5, 3};
    for (int kernel = WEFT_PDLAPLACIAN; kernel <= WEFT_DIFFUSION; kernel++) {
        dice d = {(uint64_t)(7 + kernel)};
        weft_graph graph = {.vertices = 6, .edges = 6, .from = from, .to = to, .parameter = 2};
        const weft_side_options sparse = {.graph_path = WEFT_GRAPH_SPARSE};
        for (int round = 0; round < 22; round++) {
            several s;
            graph.kernel = (weft_graph_kernel)kernel;
            draw(&d, round, &s);
            weft_side_free(s.side[0]);
            assert_int_equal(weft_side_from_graph(&graph, &sparse, &s.side[0], NULL), WEFT_OK);
            s.term[0].side = s.side[0];
            draw_numbers(&d, s.ids, 6, s.number[0]);
            weft_side *side = sum_of(&s);
            double *expected = explicitly(&s, s.ids);
            assert_true(side->blur > 0 && side->ops->product != NULL);
            assert_kernel(side, expected, 1e-12);
            free(expected);
            weft_side_free(side);
            release(&s);
        }
    }
}

/* |K| x by the kernel itself, of the ids listed; free() it. */
static double *absolutely(const double *kernel, int64_t n, const int64_t *ids, int64_t count, const double *x)
{
    double *y = calloc((size_t)count, sizeof *y);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++)
            y[a] += fabs(kernel[ids[a] * n + ids[b]]) * x[b];
    return y;
}

/* No less than |K| x, and that itself where no term has a negative entry.  Of the ids all but one, and two
 * that came later. */
static void absolute_products(void **state)
{
    dice d = {17};
    int bounds = 0, equals = 0;
    for (int round = 0; round < 400; round++) {
        several s;
        draw(&d, round, &s);
        weft_side *side = sum_of(&s);
        bool positive = true, constant = side->constant != 0;
        for (int64_t k = 0; k < s.count; k++)
            positive = positive && s.side[k]->ops->absolute == NULL;
        for (int late = 0; late < 2; late++)
            assert_int_equal(weft_side_append(side, &(weft_item){.alone = true}, NULL), WEFT_OK);
        int64_t n = weft_side_count(side), ids[MOST + 2], count = 0, left_out = dice_below(&d, n);
        double x[MOST + 2], y[MOST + 2];
        for (int64_t i = 0; i < n; i++)
            if (i != left_out)
                ids[count++] = i;
        for (int64_t a = 0; a < count; a++)
            x[a] = dice_between(&d, 0, 2);
        if (side->ops->absolute != NULL && side->blur == 0 && !constant) {
            double *kernel = explicitly(&s, n), *expected = absolutely(kernel, n, ids, count, x);
            double *work = calloc((size_t)weft__side_work(side) + 1, sizeof *work);
            side->ops->absolute(side, ids, count, x, y, work);
            for (int64_t a = 0; a < count; a++) {
                assert_true(y[a] >= expected[a] * (1 - 1e-12));
                assert_true(!positive || y[a] <= expected[a] * (1 + 1e-12));
            }
            bounds += !positive;
            equals += positive;
            free(work);
            free(expected);
            free(kernel);
        }
        weft_side_free(side);
        release(&s);
    }
    assert_true(bounds > 10 && equals > 10);
}

/* A graph without a kernel is not counted, unless there is nothing else. */
static void without_kernels(void **state)
{
    static const int64_t from[] = {0, 1}, to[] = {1, 2}, class_of[] = {0, 0, 1};
    const weft_graph graph = {.vertices = 3, .edges = 2, .from = from, .to = to, .kernel = WEFT_NO_KERNEL};
    int64_t number[] = {0, 1, 2};
    weft_side *edges = NULL, *classes = NULL, *side = NULL;
    assert_int_equal(weft_side_from_graph(&graph, NULL, &edges, NULL), WEFT_OK);
    assert_int_equal(weft_side_from_classes(3, class_of, 0, NULL, &classes, NULL), WEFT_OK);
    weft__sum_term both[] = {{edges, number}, {classes, number}}, alone[] = {{edges, number}};
    assert_int_equal(weft__side_sum(both, 2, 3, NULL, &side, NULL), WEFT_OK);
    assert_true(weft_side_entry(side, 0, 1) == 1 && weft_side_entry(side, 0, 2) == 0);
    assert_false(weft_side_graph(side).no_kernel);
    weft_side_free(side);
    assert_int_equal(weft__side_sum(alone, 1, 3, NULL, &side, NULL), WEFT_OK);
    assert_true(weft_side_entry(side, 0, 1) == 0 && weft_side_entry(side, 0, 0) == 1);
    assert_true(weft_side_graph(side).no_kernel);
    weft_side_free(side);
    weft_side_free(classes);
    weft_side_free(edges);
}

/* Ids that no kind knows anything of are alike, and no others. */
static void groups(void **state)
{
    static const int64_t class_of[] = {0, 0};
    int64_t number[] = {0, -1, 1, -1};
    weft_side *classes = NULL, *side = NULL, *more = NULL;
    assert_int_equal(weft_side_from_classes(2, class_of, 0, NULL, &classes, NULL), WEFT_OK);
    weft__sum_term term = {classes, number};
    assert_int_equal(weft__side_sum(&term, 1, 4, NULL, &side, NULL), WEFT_OK);
    assert_int_equal(weft_side_with_identity(side, 1, NULL, &more, NULL), WEFT_OK);
    for (int k = 0; k < 2; k++) {
        const weft_side *of = k == 0 ? side : more;
        assert_int_equal(weft__side_group(of, 0), -1);
        assert_int_equal(weft__side_group(of, 1), 0);
        assert_int_equal(weft__side_group(of, 3), 0);
    }
    weft_side_free(more);
    weft_side_free(side);
    weft_side_free(classes);
}

static void refused(void **state)
{
    static const int64_t class_of[] = {0, 1};
    int64_t number[] = {0, 1, 2};
    weft_side *classes = NULL, *open = NULL, *side = NULL;
    weft_error error = {0};
    assert_int_equal(weft_side_from_classes(2, class_of, 0, NULL, &classes, NULL), WEFT_OK);
    assert_int_equal(weft_side_none(2, &(weft_side_options){.open = true}, &open, NULL), WEFT_OK);
    weft__sum_term term = {classes, number}, other = {open, number};
    assert_int_equal(weft__side_sum(&term, 0, 2, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "found 0 terms");
    assert_int_equal(weft__side_sum(&term, 1, 3, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, 2, -1, "id 2 is number 2 of a term with 2");
    assert_int_equal(weft__side_sum(&other, 1, 2, NULL, &side, &error), WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "term 0 is open");
    assert_int_equal(weft__side_sum(&term, 1, 2, &(weft_side_options){.radius = 2}, &side, &error),
                     WEFT_ARGUMENT);
    assert_failure(&error, WEFT_ARGUMENT, -1, -1, "expected options without them");
    const weft_map map = {.fourier = 2};
    const weft_side_options others[] = {{.inductive = true}, {.endless = true}, {.map = &map}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(weft__side_sum(&term, 1, 2, &others[k], &side, &error), WEFT_ARGUMENT);
        assert_failure(&error, WEFT_ARGUMENT, -1, -1, "expected options without them");
    }
    assert_null(side);
    weft_side_free(open);
    weft_side_free(classes);
}

/* ---- Learners ---- */

static weft_player *learner_over(const weft_side *side, weft_form form)
{
    weft_player *learner = NULL;
    int64_t n = weft_side_count(side);
    bool one_set = form == WEFT_ONE_SET;
    weft_settings settings = weft_settings_default(n, one_set ? 0 : n, 100);
    settings.form = form;
    settings.eta = 0.7;
    assert_int_equal(weft_learner_create(side, one_set ? NULL : side, &settings, NULL, &learner, NULL),
                     WEFT_OK);
    return learner;
}

/* The same trials over both: every decision is the same, and every margin but for its tolerance. */
static void assert_same_play(dice *d, const weft_side *a, const weft_side *b, weft_form form)
{
    weft_player *own = learner_over(a, form), *other = learner_over(b, form);
    for (int t = 0; t < 60; t++) {
        weft_answer x, y;
        int64_t row = dice_below(d, weft_side_count(a)), column = dice_below(d, weft_side_count(a));
        int label = dice_chance(d, 0.4) ? 1 : -1;
        assert_int_equal(weft_player_learn(own, row, column, label, &x, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn(other, row, column, label, &y, NULL), WEFT_OK);
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.updated, y.updated);
        assert_true(x.lower <= y.upper && y.lower <= x.upper);
    }
    weft_player_free(own);
    weft_player_free(other);
}

/* One set of ids does without the constant part of a kernel, which a matrix of numbers does not tell. */
static void learners_decide_as_over_an_explicit_kernel(void **state)
{
    dice d = {11};
    for (int round = 0; round < 60; round++) {
        several s;
        weft_side *dense = NULL;
        draw(&d, round, &s);
        weft_side *side = sum_of(&s);
        double *kernel = explicitly(&s, s.ids);
        assert_int_equal(
            weft_side_from_kernel(s.ids, kernel, &(weft_side_options){.radius = 1}, &dense, NULL), WEFT_OK);
        for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++)
            if (form != WEFT_ONE_SET || side->constant == 0)
                assert_same_play(&d, side, dense, (weft_form)form);
        free(kernel);
        weft_side_free(dense);
        weft_side_free(side);
        release(&s);
    }
}

/* ---- Memory ---- */

static const several *kept;

static weft_status make_kept(const weft_side_options *options, weft_side **side, weft_error *error)
{
    return weft__side_sum(kept->term, kept->count, kept->ids, options, side, error);
}

static void memory(void **state)
{
    dice d = {3};
    several s;
    draw(&d, 1, &s);
    kept = &s;
    assert_maker_survives(make_kept, 4);
    release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),      cmocka_unit_test(beside_solving),
        cmocka_unit_test(without_kernels), cmocka_unit_test(learners_decide_as_over_an_explicit_kernel),
        cmocka_unit_test(groups),          cmocka_unit_test(refused),
        cmocka_unit_test(memory),          cmocka_unit_test(absolute_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
