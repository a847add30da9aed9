/* SPDX-License-Identifier: MIT
 * The experiment of the paper's appendix, from the paper's text: PDLaplacians as dense
 * matrices, inverted by Gauss-Jordan here, and D, eta and the bounds word for word. */
#include "unit/test_core_support.h"

#include "lab/problem/protocol.h"

enum { MOST = 60 };

/* ---- Dense matrices ---- */

typedef struct square {
    int64_t n;
    double at[MOST][MOST];
} square;

/* By Gauss-Jordan with pivots from the diagonal: for positive definite matrices. */
static void invert(const square *matrix, square *inverse)
{
    static square work;
    int64_t n = matrix->n;
    work = *matrix;
    *inverse = (square){.n = n};
    for (int64_t i = 0; i < n; i++)
        inverse->at[i][i] = 1;
    for (int64_t p = 0; p < n; p++) {
        double pivot = work.at[p][p];
        assert_true(pivot > 0);
        for (int64_t j = 0; j < n; j++)
            work.at[p][j] /= pivot, inverse->at[p][j] /= pivot;
        for (int64_t i = 0; i < n; i++) {
            double factor = work.at[i][p];
            for (int64_t j = 0; j < n && i != p; j++) {
                work.at[i][j] -= factor * work.at[p][j];
                inverse->at[i][j] -= factor * inverse->at[p][j];
            }
        }
    }
}

static double largest_diagonal(const square *matrix)
{
    double largest = matrix->at[0][0];
    for (int64_t i = 1; i < matrix->n; i++)
        largest = fmax(largest, matrix->at[i][i]);
    return largest;
}

static void add_everywhere(square *matrix, double constant)
{
    for (int64_t i = 0; i < matrix->n; i++)
        for (int64_t j = 0; j < matrix->n; j++)
            matrix->at[i][j] += constant;
}

/* ---- One side, from the text ---- */

typedef struct side {
    double trace;      /* tr(R'MR) */
    double radius;     /* R_M = max (M^-1)_ii */
    double cut;        /* tr(R'LR) */
    double resistance; /* R_L = max L^+_ii */
} side;

static void make_laplacian(const lab_graph *graph, square *laplacian)
{
    int64_t n = graph->vertices;
    *laplacian = (square){.n = n};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (graph->edge[i * n + j] != 0) {
                laplacian->at[i][i] += 1;
                laplacian->at[i][j] -= 1;
            }
}

/* sum_c r_c' A r_c, r_c the 0/1 vector of class c. */
static double block_trace(const square *matrix, const int64_t *class_of)
{
    double sum = 0;
    for (int64_t i = 0; i < matrix->n; i++)
        for (int64_t j = 0; j < matrix->n; j++)
            sum += class_of[i] == class_of[j] ? matrix->at[i][j] : 0;
    return sum;
}

/* L^+ = (L + 11'/n)^-1 - 11'/n of a connected graph; M = L + (1/n)(1/n)' / R_L. */
static side measure(const lab_graph *graph, const int64_t *class_of)
{
    static square laplacian, work, inverse;
    side found;
    double n = (double)graph->vertices;
    make_laplacian(graph, &laplacian);
    found.cut = block_trace(&laplacian, class_of);
    work = laplacian;
    add_everywhere(&work, 1 / n);
    invert(&work, &inverse);
    found.resistance = largest_diagonal(&inverse) - 1 / n;
    work = laplacian;
    add_everywhere(&work, 1 / (n * n * found.resistance));
    invert(&work, &inverse);
    found.radius = largest_diagonal(&inverse);
    found.trace = block_trace(&work, class_of);
    return found;
}

/* ---- D, eta and the bounds ---- */

/* D of either protocol, by the formulas of paper and header. */
static double expected_dimension(lab_protocol_name name, side r, side c)
{
    double k = 9;
    if (name == LAB_TEXT)
        return 2 * r.trace * r.radius + 2 * c.trace * c.radius + 4 * k;
    return 4 * (r.cut * r.resistance + k) + 4 * (c.cut * c.resistance + k) + 4 * k;
}

static void assert_settings(const lab_instance *instance, lab_protocol_name name, int64_t n)
{
    side r = measure(&instance->row_graph, instance->blocks.row_class);
    side c = measure(&instance->column_graph, instance->blocks.column_class);
    double d = expected_dimension(name, r, c), trials = (double)(n * n), log_size = log(2 * (double)n);
    double errors = (double)instance->stream.turned, gamma = 1 / sqrt(9);
    double regret = 4 * sqrt(2 * d / (gamma * gamma) * log_size * trials);
    double sharp = 2 / gamma * sqrt(2 * d * log_size * trials) + 2 / gamma * d * log_size;
    const weft_settings *s = &instance->settings;
    if (trials < 2 * d * log_size || sharp > regret)
        sharp = regret;
    assert_near(s->dimension, d, 1e-8 * d);
    assert_near(s->eta, sqrt(d * log_size / (2 * trials)), 1e-8);
    assert_near(s->gamma, gamma, 1e-15);
    assert_int_equal(s->updates, WEFT_MARGIN_UPDATES);
    assert_int_equal(s->form, WEFT_PAPER);
    assert_false(s->deterministic);
    assert_near(instance->bound, errors + regret, 1e-7 * regret);
    assert_near(instance->sharper, errors + sharp, 1e-7 * regret);
    assert_near(weft_side_radius(instance->rows), r.radius, 1e-9 * r.radius);
    assert_near(weft_side_radius(instance->columns), c.radius, 1e-9 * c.radius);
    /* The constant of a PDLaplacian doubles the largest diagonal. */
    assert_near(r.radius, 2 * r.resistance, 1e-9 * r.radius);
}

static void settings_are_those_of_the_text(void **state)
{
    const double beta[] = {0, 0.03125, 0.5};
    for (int p = 0; p < LAB_PROTOCOLS; p++)
        for (int64_t n = 20; n <= 60; n += 20)
            for (int b = 0; b < 3; b++) {
                lab_run run = {.protocol = lab_protocol_of((lab_protocol_name)p),
                               .n = n,
                               .beta = beta[b],
                               .seed = 5,
                               .number = b};
                weft_error error = {0};
                lab_instance instance = lab_instance_draw(&run);
                assert_int_equal(lab_instance_settle(&run, &instance, &error), WEFT_OK);
                assert_settings(&instance, (lab_protocol_name)p, n);
                lab_instance_free(&instance);
            }
}

/* What is proved may be smaller, what is promised never above its own formula. */
static void other_choices_are_what_they_say(void **state)
{
    lab_run run = {.protocol = lab_protocol_of(LAB_TEXT), .n = 20, .beta = 0.125, .seed = 6};
    weft_error error = {0};
    double text, eta;
    lab_instance instance = lab_instance_draw(&run);
    assert_int_equal(lab_instance_settle(&run, &instance, &error), WEFT_OK);
    text = instance.settings.dimension;
    eta = instance.settings.eta;
    lab_instance_free(&instance);

    run.protocol.rate = 2;
    instance = lab_instance_draw(&run);
    assert_int_equal(lab_instance_settle(&run, &instance, &error), WEFT_OK);
    assert_near(instance.settings.eta, 2 * eta, 1e-12);
    assert_near(instance.settings.dimension, text, 1e-9);
    assert_true(instance.bound < 0); /* the theorem has one eta */
    lab_instance_free(&instance);

    run.protocol = lab_protocol_of(LAB_TEXT);
    run.protocol.dimension = LAB_D_COUNT;
    run.protocol.deterministic = true;
    instance = lab_instance_draw(&run);
    assert_int_equal(lab_instance_settle(&run, &instance, &error), WEFT_OK);
    assert_near(instance.settings.dimension, 40, 1e-12);
    assert_true(instance.settings.deterministic);
    assert_true(instance.bound < 0);
    lab_instance_free(&instance);

    run.protocol = lab_protocol_of(LAB_TEXT);
    run.protocol.dimension = LAB_D_SHARP;
    run.protocol.mistakes = true;
    instance = lab_instance_draw(&run);
    assert_int_equal(lab_instance_settle(&run, &instance, &error), WEFT_OK);
    assert_true(instance.settings.dimension <= text);
    assert_int_equal(instance.settings.updates, WEFT_MISTAKE_UPDATES);
    assert_near(instance.settings.eta, 1.0 / 3, 1e-15);
    lab_instance_free(&instance);
}

/* ---- The problem ---- */

static void assert_same_edges(const lab_graph *a, const lab_graph *b)
{
    assert_int_equal(a->vertices, b->vertices);
    assert_memory_equal(a->edge, b->edge, (size_t)(a->vertices * a->vertices));
}

/* Without noise the text's graph is the ideal one; the authors' is its cliques, whose first
 * vertices are joined to vertex 0. */
static void graphs_without_noise_are_ideal(void **state)
{
    for (int p = 0; p < LAB_PROTOCOLS; p++) {
        lab_run run = {.protocol = lab_protocol_of((lab_protocol_name)p), .n = 30, .seed = 7};
        lab_instance instance = lab_instance_draw(&run);
        const int64_t *class_of = instance.blocks.row_class;
        if (p == LAB_TEXT) {
            lab_graph ideal = lab_graph_ideal(30, 9, class_of);
            assert_same_edges(&instance.row_graph, &ideal);
            lab_graph_free(&ideal);
        }
        for (int64_t i = 1; i < 30 && p == LAB_AUTHORS; i++) {
            bool first = true;
            for (int64_t j = 0; j < i; j++) {
                first = first && class_of[j] != class_of[i];
                if (j > 0 || class_of[0] == class_of[i])
                    assert_int_equal(instance.row_graph.edge[i * 30 + j], class_of[i] == class_of[j]);
            }
            if (class_of[i] != class_of[0])
                assert_int_equal(instance.row_graph.edge[i * 30], first);
        }
        assert_int_equal(lab_graph_cut(&instance.row_graph, class_of), 8);
        lab_instance_free(&instance);
    }
}

static void assert_same_stream(const lab_stream *a, const lab_stream *b)
{
    assert_int_equal(a->count, b->count);
    for (int64_t t = 0; t < a->count; t++)
        assert_true(a->trials[t].row == b->trials[t].row && a->trials[t].column == b->trials[t].column &&
                    a->trials[t].label == b->trials[t].label);
}

static void cells_differ_only_in_what_they_mean_to(void **state)
{
    lab_run run = {.protocol = lab_protocol_of(LAB_TEXT), .n = 20, .beta = 0, .seed = 8};
    lab_run noisy = run, next = run;
    noisy.beta = 0.5;
    next.number = 1;
    lab_instance a = lab_instance_draw(&run), b = lab_instance_draw(&noisy), c = lab_instance_draw(&next);
    assert_same_stream(&a.stream, &b.stream);
    assert_memory_equal(a.blocks.block, b.blocks.block, 81);
    assert_memory_equal(a.blocks.row_class, b.blocks.row_class, 20 * sizeof(int64_t));
    assert_memory_not_equal(a.row_graph.edge, b.row_graph.edge, 400);
    assert_memory_not_equal(b.row_graph.edge, b.column_graph.edge, 400);
    assert_memory_not_equal(a.blocks.block, c.blocks.block, 81);
    assert_int_equal(a.stream.count, 400);
    assert_near((double)a.stream.turned, 40, 4 * sqrt(36));
    assert_true(lab_run_seed(&run) != lab_run_seed(&next));
    assert_true(lab_run_seed(&run) <= (uint64_t)INT64_MAX);
    lab_instance_free(&a);
    lab_instance_free(&b);
    lab_instance_free(&c);
}

static void classes_follow_their_protocol(void **state)
{
    for (int64_t number = 0; number < 20; number++) {
        lab_run run = {.protocol = lab_protocol_of(LAB_TEXT), .n = 12, .seed = 9, .number = number};
        lab_instance text = lab_instance_draw(&run);
        run.protocol = lab_protocol_of(LAB_AUTHORS);
        lab_instance authors = lab_instance_draw(&run);
        int64_t size[9] = {0};
        for (int64_t c = 0; c < 9; c++)
            assert_true(text.blocks.row_class[c] == c && text.blocks.column_class[c] == c);
        for (int64_t i = 0; i < 12; i++)
            size[authors.blocks.row_class[i]]++;
        for (int c = 0; c < 9; c++)
            assert_true(size[c] > 0);
        lab_instance_free(&text);
        lab_instance_free(&authors);
    }
}

static void the_paper_has_78_cells(void **state)
{
    int64_t cells = 0;
    for (int64_t n = 1; n <= 500; n++)
        for (int b = 0; b < LAB_PAPER_NOISE; b++) {
            double rate = lab_paper_rate(n, lab_paper_noise[b]);
            assert_true((rate < 0) == (lab_paper_deviation(n, lab_paper_noise[b]) < 0));
            cells += rate >= 0;
        }
    assert_int_equal(cells, LAB_PAPER_DIMENSIONS * LAB_PAPER_NOISE);
    assert_true(lab_paper_rate(40, 0.3) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_those_of_the_text),
        cmocka_unit_test(other_choices_are_what_they_say),
        cmocka_unit_test(graphs_without_noise_are_ideal),
        cmocka_unit_test(cells_differ_only_in_what_they_mean_to),
        cmocka_unit_test(classes_follow_their_protocol),
        cmocka_unit_test(the_paper_has_78_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
