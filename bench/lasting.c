/* SPDX-License-Identifier: MIT
 *
 * bench-lasting [--events N] [--rows N] [--columns N] [STREAM...]
 *
 * Whether a long stream costs the committee that `weft run` plays by itself more than a short one: time a
 * trial by tenths of the stream, the exponent of its growth from the second tenth on, memory, and how long
 * the set-up took.
 *
 *     none      2,000 rows and 500 columns of which nothing is known
 *     classes   the same, in 20 classes each, which both sides know
 *     gaussian  3,000 rows with 16 numbers, their class and noise, by a Gaussian kernel; 500 columns
 *     linear    the same numbers as they are
 *     graph     5,000 vertices, 5 edges each, four of five of them within a class; 500 columns
 *     set       one set of 2,700 vertices of such a graph; a label tells whether two are of one class
 *     uniform   1,000,000 rows and 100,000 columns of which nothing is known, all as likely
 *     skewed    the same, the id of rank r as likely as 1 / r
 *     edges     1,000,000 vertices, 10 edges each; 1,000 columns
 *     told      the same rows, of which the classes are known that four of five edges lie within
 *
 * Labels of two sides are blocks of 20 x 20 classes; 10 % of all labels are noise.  Without a STREAM the
 * first six, each in a process of its own, whose peak is what is told.  --events: of each (1,000,000);
 * --rows, --columns: other sizes. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_files.h"

#include <math.h>
#include <sys/wait.h>

enum { CLASSES = 20, NUMBERS = 16, TENTHS = 10, SMALL = 6, EVENTS = 1000000 };

typedef struct workload workload;
typedef weft_roster *make_rows(const workload *w, uint64_t *state);

struct workload {
    const char *name;
    int64_t rows, columns; /* columns 0: one set of ids */
    make_rows *make;
    bool knows_columns, skewed;
};

static int64_t class_of(int64_t id)
{
    return (id * 7919 + 3) % CLASSES;
}

/* ---- What is known ---- */

static const weft_file_options VIEWS = {.roster = &(weft_roster_options){.views = true}};

static weft_roster *know_nothing(int64_t count)
{
    weft_error error = {0};
    weft_roster *roster = NULL;
    require(weft_roster_from_names(count, NULL, &VIEWS, &roster, &error), &error);
    return roster;
}

static weft_roster *none_of(const workload *w, uint64_t *state)
{
    (void)state;
    return know_nothing(w->rows);
}

static weft_roster *know_classes(int64_t count)
{
    weft_error error = {0};
    weft_roster *roster = NULL;
    int64_t *list = allocate(count, sizeof *list);
    for (int64_t i = 0; i < count; i++)
        list[i] = class_of(i);
    require(weft_roster_from_classes(count, list, 0.1, NULL, &VIEWS, &roster, &error), &error);
    free(list);
    return roster;
}

static weft_roster *classes_of(const workload *w, uint64_t *state)
{
    (void)state;
    return know_classes(w->rows);
}

static double noise(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53 - 0.5;
}

static weft_roster *numbers_of(const workload *w, uint64_t *state, weft_kernel kernel)
{
    weft_error error = {0};
    weft_roster *roster = NULL;
    double *values = allocate(w->rows * NUMBERS, sizeof *values);
    for (int64_t i = 0; i < w->rows; i++)
        for (int64_t d = 0; d < NUMBERS; d++)
            values[i * NUMBERS + d] = (double)((class_of(i) >> d % 5) & 1) + noise(state);
    weft_features features = {w->rows, NUMBERS, values, kernel, 1};
    require(weft_roster_from_features(&features, NULL, &VIEWS, &roster, &error), &error);
    free(values);
    return roster;
}

static weft_roster *gaussian_of(const workload *w, uint64_t *state)
{
    return numbers_of(w, state, WEFT_GAUSSIAN);
}

static weft_roster *linear_of(const workload *w, uint64_t *state)
{
    return numbers_of(w, state, WEFT_LINEAR);
}

/* Another vertex, four times of five of the class of i: ids of a class are CLASSES apart. */
static int64_t draw_neighbour(int64_t i, int64_t count, uint64_t *state)
{
    int64_t j = below(state, count);
    if (below(state, 5) > 0 && count > 2 * CLASSES)
        j = j / CLASSES * CLASSES + i % CLASSES;
    return j < count && j != i ? j : (i + CLASSES) % count;
}

static weft_roster *graph_of(const workload *w, uint64_t *state)
{
    enum { LARGE = 4000, MILLION = 1000000 };
    weft_error error = {0};
    weft_roster *roster = NULL;
    int64_t each = w->rows >= MILLION ? 10 : 5, edges = each * w->rows;
    int64_t *from = allocate(edges, sizeof *from), *to = allocate(edges, sizeof *to);
    for (int64_t k = 0; k < edges; k++) {
        from[k] = k / each;
        to[k] = draw_neighbour(from[k], w->rows, state);
    }
    weft_graph graph = {.vertices = w->rows, .edges = edges, .from = from, .to = to, .connect = true};
    graph.kernel = w->rows > LARGE ? WEFT_NO_KERNEL : WEFT_PDLAPLACIAN;
    require(weft_roster_from_graph(&graph, NULL, &VIEWS, &roster, &error), &error);
    free(from);
    free(to);
    return roster;
}

/* ---- Playing ---- */

static int64_t draw_id(const workload *w, int64_t count, uint64_t *state)
{
    if (!w->skewed)
        return below(state, count);
    double u = (double)(next_random(state) >> 11) * 0x1p-53;
    int64_t rank = (int64_t)pow((double)count, u) - 1;
    return rank < count ? rank : count - 1;
}

static int draw_label(const workload *w, int64_t i, int64_t j, uint64_t *state)
{
    uint64_t block = (uint64_t)(class_of(i) * CLASSES + class_of(j)), seed = block;
    bool truth = w->columns == 0 ? class_of(i) == class_of(j) : (next_random(&seed) & 1) != 0;
    return truth != (below(state, 10) == 0) ? 1 : -1;
}

typedef struct tenth {
    double seconds, megabytes;
    int64_t mistakes;
} tenth;

static tenth play_tenth(const workload *w, weft_player *player, int64_t events, uint64_t *state)
{
    weft_error error = {0};
    tenth t = {0};
    double start = processor_seconds();
    for (int64_t k = 0; k < events; k++) {
        weft_answer answer = {0};
        int64_t i = draw_id(w, w->rows, state), j = draw_id(w, w->columns > 0 ? w->columns : w->rows, state);
        require(weft_player_learn(player, i, j, draw_label(w, i, j, state), &answer, &error), &error);
        t.mistakes += answer.mistake;
    }
    t.seconds = (processor_seconds() - start) / (double)events;
    t.megabytes = resident_megabytes_now();
    return t;
}

/* The slope of log seconds over log trials by least squares, from the second tenth on. */
static double exponent_of(const tenth *list)
{
    double x[TENTHS], y[TENTHS], mx = 0, my = 0, xx = 0, xy = 0;
    for (int k = 1; k < TENTHS; k++) {
        mx += (x[k] = log(k + 0.5)) / (TENTHS - 1);
        my += (y[k] = log(list[k].seconds)) / (TENTHS - 1);
    }
    for (int k = 1; k < TENTHS; k++) {
        xx += (x[k] - mx) * (x[k] - mx);
        xy += (x[k] - mx) * (y[k] - my);
    }
    return xy / xx;
}

static void report(const workload *w, int64_t events, double setup, const tenth *list)
{
    double ratio = list[TENTHS - 1].seconds / list[1].seconds;
    double memory = list[TENTHS - 1].megabytes / list[1].megabytes;
    fprintf(stderr, "%-9s", w->name);
    printf("{\"bench\":\"lasting\",\"stream\":\"%s\",\"events\":%lld,\"us_by_tenths\":[", w->name,
           (long long)events);
    for (int k = 0; k < TENTHS; k++) {
        fprintf(stderr, " %6.1f", 1e6 * list[k].seconds);
        printf("%s%.2f", k > 0 ? "," : "", 1e6 * list[k].seconds);
    }
    fprintf(stderr, "  %5.2f %6.2f %8.0f %5.2f %7.4f %7.1f\n", ratio, exponent_of(list), resident_megabytes(),
            memory, TENTHS * (double)list[TENTHS - 1].mistakes / (double)events, setup);
    printf(
        "],\"last_over_second\":%.3f,\"exponent\":%.3f,\"peak_megabytes\":%.0f,\"memory_last_over_second\":"
        "%.3f,\"setup_seconds\":%.2f}\n",
        ratio, exponent_of(list), resident_megabytes(), memory, setup);
    fflush(stdout);
}

static void play_stream(const workload *w, int64_t events)
{
    weft_error error = {0};
    weft_player *player = NULL;
    uint64_t state = 1;
    tenth list[TENTHS];
    double start = processor_seconds();
    weft_roster *rows = w->make(w, &state), *columns = NULL;
    if (w->columns > 0)
        columns = w->knows_columns ? know_classes(w->columns) : know_nothing(w->columns);
    require(weft_player_create(rows, columns, NULL, &player, &error), &error);
    double setup = processor_seconds() - start;
    for (int k = 0; k < TENTHS; k++)
        list[k] = play_tenth(w, player, events / TENTHS, &state);
    report(w, events, setup, list);
    weft_player_free(player);
}

/* ---- The command ---- */

static const workload workloads[] = {
    {"none", 2000, 500, none_of, false, false},          {"classes", 2000, 500, classes_of, true, false},
    {"gaussian", 3000, 500, gaussian_of, false, false},  {"linear", 3000, 500, linear_of, false, false},
    {"graph", 5000, 500, graph_of, false, false},        {"set", 2700, 0, graph_of, false, false},
    {"uniform", 1000000, 100000, none_of, false, false}, {"skewed", 1000000, 100000, none_of, false, true},
    {"edges", 1000000, 1000, graph_of, false, false},    {"told", 1000000, 1000, classes_of, false, false},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

_Noreturn static void complain(void)
{
    fprintf(stderr, "usage: bench-lasting [--events N] [--rows N] [--columns N] [STREAM...]\n");
    exit(2);
}

static int64_t read_number(const char *word)
{
    char *end = NULL;
    long long number = word != NULL ? strtoll(word, &end, 10) : 0;
    if (number < TENTHS || *end != '\0')
        complain();
    return number;
}

static const workload *find_workload(const char *name)
{
    for (int k = 0; k < WORKLOADS; k++)
        if (strcmp(workloads[k].name, name) == 0)
            return &workloads[k];
    complain();
}

/* In a process of its own. */
static void play_apart(workload w, int64_t events, int64_t rows, int64_t columns)
{
    int status = 0;
    w.rows = rows > 0 ? rows : w.rows;
    w.columns = columns > 0 && w.columns > 0 ? columns : w.columns;
    pid_t child = fork();
    if (child == 0) {
        play_stream(&w, events);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    int64_t events = EVENTS, rows = 0, columns = 0;
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        int64_t *where = strcmp(argv[at], "--events") == 0    ? &events
                         : strcmp(argv[at], "--rows") == 0    ? &rows
                         : strcmp(argv[at], "--columns") == 0 ? &columns
                                                              : NULL;
        if (where == NULL)
            complain();
        *where = read_number(argv[at + 1]);
    }
    fprintf(stderr, "%-9s %69s  %5s %6s %8s %5s %7s %7s\n", "", "us a trial, by tenths", "10/2", "growth",
            "peak MB", "10/2", "last", "set-up");
    for (int k = 0; k < SMALL && at == argc; k++)
        play_apart(workloads[k], events, rows, columns);
    for (; at < argc; at++)
        play_apart(*find_workload(argv[at]), events, rows, columns);
    return 0;
}
