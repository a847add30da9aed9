/* SPDX-License-Identifier: MIT
 *
 * bench-large_graph [--quick] [--side N] [--random N] [--events N] [--unit]
 *                   [--kernel pdlaplacian|regularised|diffusion]
 *
 * A graph too large for a matrix: the rows are the vertices of a grid of N x N (300, hence 90,000 of
 * them), of the 1,000 columns nothing is known.  The label is that of 2 x 2 blocks of halves (left or
 * right half of the grid, first or last half of the columns) with 10 % noise; gamma = .7, D = m + n,
 * eta = .3, decisions only.  Prints the time and memory of the set-up, the time a trial as the stream
 * goes on, and how many solves a trial took at most: one for the query, and one for every product but
 * the last.  Fails above 6 solves a trial or 1 GB.  --quick is a grid of 100 x 100 and 1,000 trials.
 * --random is a random graph of N vertices and 5 N edges in place of the grid, whose factor would be
 * large: it is solved by iteration where it is above the budget of 1 GB (its halves are those of the
 * numbers). */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_advanced.h"

enum { COLUMNS = 1000, MOST_SOLVES = 6, MOST_MEGABYTES = 1000 };

typedef struct plan {
    int64_t side, events;
    int64_t vertices; /* of a random graph; 0: side * side, a grid */
    weft_graph_kernel kernel;
    bool unit;
} plan;

static const char *const kernel_names[] = {"pdlaplacian", "regularised", "diffusion"};

enum { DEGREE = 10 };

static int64_t count_rows(const plan *p)
{
    return p->vertices > 0 ? p->vertices : p->side * p->side;
}

/* Vertex y * side + x is next to its right and its lower neighbour. */
static int64_t draw_grid(int64_t n, int64_t *from, int64_t *to)
{
    int64_t edges = 0;
    for (int64_t v = 0; v < n * n; v++) {
        if (v % n + 1 < n) {
            from[edges] = v;
            to[edges++] = v + 1;
        }
        if (v / n + 1 < n) {
            from[edges] = v;
            to[edges++] = v + n;
        }
    }
    return edges;
}

static int64_t draw_random(int64_t n, int64_t *from, int64_t *to)
{
    uint64_t state = 11;
    for (int64_t k = 0; k < n * DEGREE / 2; k++) {
        from[k] = below(&state, n);
        to[k] = below(&state, n);
    }
    return n * DEGREE / 2;
}

static weft_side *make_rows(const plan *p)
{
    weft_error error = {0};
    weft_side *side = NULL;
    int64_t n = count_rows(p);
    int64_t *from = allocate(DEGREE / 2 * n, sizeof *from), *to = allocate(DEGREE / 2 * n, sizeof *to);
    weft_graph graph = {.vertices = n,
                        .edges = p->vertices > 0 ? draw_random(n, from, to) : draw_grid(p->side, from, to),
                        .from = from,
                        .to = to,
                        .connect = true,
                        .kernel = p->kernel,
                        .parameter = 20,
                        .unit = p->unit};
    require(
        weft_side_from_graph(&graph, &(weft_side_options){.graph_path = WEFT_GRAPH_SPARSE}, &side, &error),
        &error);
    free(from);
    free(to);
    return side;
}

/* The block of (row, column), turned round once in ten. */
static int draw_label(const plan *p, int64_t row, int64_t column, uint64_t *state)
{
    bool right = p->vertices > 0 ? row >= p->vertices / 2 : row % p->side >= p->side / 2,
         last = column >= COLUMNS / 2;
    int label = right == last ? 1 : -1;
    return below(state, 10) == 0 ? -label : label;
}

/* Plays all events; tells at 1, 2, 4, ... thousandths of them. */
static double play(const plan *p, weft_player *learner)
{
    weft_error error = {0};
    uint64_t state = 7;
    double start = processor_seconds(), last = start;
    int64_t told = 0, due = 125;
    fprintf(stderr, "%10s %10s %10s %12s %10s\n", "trials", "mistakes", "updates", "ms a trial", "products");
    for (int64_t t = 0; t < p->events; t++) {
        int64_t row = below(&state, count_rows(p)), column = below(&state, COLUMNS);
        weft_answer prediction;
        require(weft_player_predict(learner, row, column, &prediction, &error), &error);
        require(weft_player_learn(learner, row, column, draw_label(p, row, column, &state), NULL, &error),
                &error);
        if (t + 1 != due && t + 1 != p->events)
            continue;
        weft_counters c = weft_player_counters(learner);
        double now = processor_seconds();
        fprintf(stderr, "%10lld %10lld %10lld %12.2f %10.2f\n", (long long)c.trials, (long long)c.mistakes,
                (long long)c.updates, 1e3 * (now - last) / (double)(t + 1 - told),
                (double)c.products / (double)c.trials);
        last = now;
        told = t + 1;
        due *= 2;
    }
    return processor_seconds() - start;
}

static bool read_options(int count, char **words, plan *p)
{
    *p = (plan){.side = 300, .events = 20000, .kernel = WEFT_PDLAPLACIAN};
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "--quick") == 0) {
            p->side = 100;
            p->events = 1000;
        } else if (k + 1 < count && strcmp(words[k], "--side") == 0) {
            p->side = atoll(words[++k]);
        } else if (k + 1 < count && strcmp(words[k], "--random") == 0) {
            p->vertices = atoll(words[++k]);
        } else if (strcmp(words[k], "--unit") == 0) {
            p->unit = true;
        } else if (k + 1 < count && strcmp(words[k], "--events") == 0) {
            p->events = atoll(words[++k]);
        } else if (k + 1 < count && strcmp(words[k], "--kernel") == 0) {
            int which = 0;
            k++;
            while (which < 3 && strcmp(words[k], kernel_names[which]) != 0)
                which++;
            p->kernel = (weft_graph_kernel)which;
        } else {
            return false;
        }
    }
    p->unit = p->unit || p->kernel == WEFT_DIFFUSION;
    return p->side >= 2 && p->vertices >= 0 && p->events >= 1 && p->kernel <= WEFT_DIFFUSION;
}

int main(int count, char **words)
{
    plan p;
    weft_error error = {0};
    weft_side *columns = NULL;
    weft_player *learner = NULL;
    if (!read_options(count, words, &p)) {
        fprintf(stderr, "usage: bench-large_graph [--quick] [--side N] [--random N] [--events N] [--kernel "
                        "NAME] [--unit]\n");
        return 2;
    }
    double start = processor_seconds();
    weft_side *rows = make_rows(&p);
    double set_up = processor_seconds() - start, set_up_memory = resident_megabytes();
    fprintf(stderr, "%lld vertices, %s%s%s: set up in %.2f s, %.0f MB, squared radius %.6g\n",
            (long long)weft_side_count(rows), kernel_names[p.kernel], p.unit ? ", unit diagonal" : "",
            weft_side_graph(rows).iterative ? ", by iteration" : "", set_up, set_up_memory,
            weft_side_radius(rows));
    require(weft_side_none(COLUMNS, NULL, &columns, &error), &error);
    int64_t m = count_rows(&p);
    weft_settings settings = weft_settings_default(m, COLUMNS, p.events);
    settings.gamma = 0.7;
    settings.dimension = (double)(m + COLUMNS);
    settings.eta = 0.3;
    settings.tolerance = 0;
    require(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    double seconds = play(&p, learner);
    weft_counters c = weft_player_counters(learner);
    double solves = 1 + (double)c.products / (double)c.trials, memory = resident_megabytes();
    printf("{\"bench\":\"grid\",\"kernel\":\"%s\",\"vertices\":%lld,\"trials\":%lld,\"mistakes\":%lld,\"set_"
           "up_seconds\":%.2f,"
           "\"milliseconds_a_trial\":%.3f,\"products_a_trial\":%.3f,\"solves_a_trial\":%.3f,\"resident_mb\":%"
           ".0f}\n",
           kernel_names[p.kernel], (long long)m, (long long)c.trials, (long long)c.mistakes, set_up,
           1e3 * seconds / (double)c.trials, (double)c.products / (double)c.trials, solves, memory);
    weft_player_free(learner);
    weft_side_free(columns);
    weft_side_free(rows);
    return solves <= MOST_SOLVES && memory <= MOST_MEGABYTES ? 0 : 1;
}
