/* SPDX-License-Identifier: MIT
 *
 * bench-committee [--events N] [--quick]
 *
 * What a committee costs beside one learner, and what its members save by sharing the columns of kernels:
 *
 *     classes      300 rows and 200 columns in 5 classes each, which both sides know, 20,000 events
 *     features     1,000 rows and 200 columns in 5 classes each; known are 16 numbers, their class and noise,
 *                  by a Gaussian kernel: dense matrices; 10,000 events
 *     graph        one set of 1,000 ids in 5 classes, and a graph that mostly joins ids of a class; its
 *                  kernels are dense matrices; a label tells whether two ids are of one class; 10,000 events
 *     large graph  the same with 5,000 ids, where no kernel is formed and a column is a solve; 60 events
 *
 * Labels of two sides are a random 5 x 5 matrix of blocks; 10 % of all labels are noise.  Played: the
 * committee; the same without sharing, which must make the same mistakes; the same without resting; and every
 * learner of it alone, whose mean is `one learner`; of classes and features also the learner of
 * weft_settings_default, which `weft run --single` plays.  Processor time, one core.
 *
 * Fails where a committee takes more than ten times one learner, or sharing changes a result.  --events: of
 * each, at most; --quick: 2,000 at most, 300 and 6 of the graphs, and no time fails. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "src/committee/members/sharing.h"
#include "weft_advanced.h"

enum { IDS_MOST = 5000, CLASSES = 5, NUMBERS = 16, VIEWS_MOST = 4, MOST_TIMES = 10 };

typedef struct event {
    int64_t row, column;
    int label;
} event;

/* What is known of a side, and the views of it. */
typedef struct known {
    int64_t count, views;
    weft_side *side[VIEWS_MOST];
    weft_view list[VIEWS_MOST];
    int64_t class_of[IDS_MOST];
} known;

typedef struct workload {
    const char *name;
    int64_t rows, columns; /* columns 0: one set of ids */
    int64_t events, quick;
    void (*know)(known *k, uint64_t *state); /* adds what is given */
} workload;

/* ---- What is known ---- */

static void add_view(known *k, weft_view_kind kind, weft_side *side)
{
    k->side[k->views] = side;
    k->list[k->views++] = (weft_view){.kind = kind, .side = side};
}

static void add_identity(known *k)
{
    weft_error error = {0};
    weft_side *side = NULL;
    require(weft_side_with_identity(k->side[0], weft_side_radius(k->side[0]), NULL, &side, &error), &error);
    add_view(k, WEFT_VIEW_IDENTITY, side);
}

static void add_none(known *k)
{
    weft_error error = {0};
    weft_side *side = NULL;
    require(weft_side_none(k->count, NULL, &side, &error), &error);
    add_view(k, WEFT_VIEW_NONE, side);
}

static void know_classes(known *k, uint64_t *state)
{
    weft_error error = {0};
    weft_side *side = NULL;
    (void)state;
    require(weft_side_from_classes(k->count, k->class_of, 0.1, NULL, &side, &error), &error);
    add_view(k, WEFT_VIEW_GIVEN, side);
    add_none(k);
    add_identity(k);
}

/* Uniform on (-1, 1). */
static double draw_number(uint64_t *state)
{
    return 2 * (double)(next_random(state) >> 11) * 0x1p-53 - 1;
}

static void know_features(known *k, uint64_t *state)
{
    weft_error error = {0};
    weft_side *side = NULL;
    double centre[CLASSES][NUMBERS], *values = allocate(k->count * NUMBERS, sizeof *values);
    for (int c = 0; c < CLASSES; c++)
        for (int d = 0; d < NUMBERS; d++)
            centre[c][d] = draw_number(state);
    for (int64_t i = 0; i < k->count; i++)
        for (int d = 0; d < NUMBERS; d++)
            values[i * NUMBERS + d] = centre[k->class_of[i]][d] + draw_number(state);
    weft_features features = {k->count, NUMBERS, values, WEFT_GAUSSIAN, 2};
    require(weft_side_from_features(&features, NULL, &side, &error), &error);
    free(values);
    add_view(k, WEFT_VIEW_GIVEN, side);
    add_none(k);
    add_identity(k);
}

/* Any id of the class. */
static int64_t draw_of_class(const known *k, int64_t class_of, uint64_t *state)
{
    for (;;) {
        int64_t i = below(state, k->count);
        if (k->class_of[i] == class_of)
            return i;
    }
}

static void know_graph(known *k, uint64_t *state)
{
    enum { EDGES = 5 };
    weft_error error = {0};
    int64_t edges = k->count * EDGES, *ends = allocate(2 * edges, sizeof *ends);
    for (int64_t e = 0; e < edges; e++) {
        int64_t i = ends[e] = e / EDGES;
        ends[edges + e] = e % EDGES == 0 ? below(state, k->count) : draw_of_class(k, k->class_of[i], state);
    }
    weft_graph graph = {
        .vertices = k->count, .edges = edges, .from = ends, .to = ends + edges, .connect = true};
    for (weft_view_kind kind = WEFT_VIEW_GIVEN; kind <= WEFT_VIEW_FAR; kind++) {
        weft_side *side = NULL;
        if (kind == WEFT_VIEW_NONE)
            add_none(k);
        if (kind == WEFT_VIEW_NONE || kind == WEFT_VIEW_IDENTITY)
            continue;
        if (kind != WEFT_VIEW_GIVEN) {
            graph.kernel = WEFT_DIFFUSION;
            graph.parameter = kind == WEFT_VIEW_NEAR ? 5 : 20;
            graph.normalised = graph.unit = true;
        }
        require(weft_side_from_graph(&graph, NULL, &side, &error), &error);
        add_view(k, kind, side);
    }
    free(ends);
}

static const workload workloads[] = {
    {"classes", 300, 200, 20000, 2000, know_classes},
    {"features", 1000, 200, 10000, 2000, know_features},
    {"graph", 1000, 0, 10000, 300, know_graph},
    {"large graph", 5000, 0, 60, 6, know_graph},
};

static known *open_known(const workload *w, int64_t count, uint64_t *state)
{
    known *k = allocate(1, sizeof *k);
    k->count = count;
    for (int64_t i = 0; i < count; i++)
        k->class_of[i] = below(state, CLASSES);
    w->know(k, state);
    return k;
}

static void close_known(known *k)
{
    for (int64_t v = k != NULL ? k->views - 1 : -1; v >= 0; v--)
        weft_side_free(k->side[v]);
    free(k);
}

/* ---- What happens ---- */

/* `columns` is NULL for one set of ids, of which half of the pairs are of one class. */
static event draw_event(const known *rows, const known *columns, int block[CLASSES][CLASSES], uint64_t *state)
{
    event e = {.row = below(state, rows->count)};
    int64_t class_of = rows->class_of[e.row];
    if (columns != NULL) {
        e.column = below(state, columns->count);
        e.label = block[class_of][columns->class_of[e.column]];
    } else {
        bool same = below(state, 2) == 0;
        e.column = same ? draw_of_class(rows, class_of, state) : below(state, rows->count);
        e.label = rows->class_of[e.column] == class_of ? 1 : -1;
    }
    if (below(state, 10) == 0)
        e.label = -e.label;
    return e;
}

static event *draw_events(int64_t count, const known *rows, const known *columns, uint64_t *state)
{
    int block[CLASSES][CLASSES];
    event *events = allocate(count, sizeof *events);
    for (int a = 0; a < CLASSES; a++)
        for (int b = 0; b < CLASSES; b++)
            block[a][b] = below(state, 2) == 0 ? -1 : 1;
    for (int64_t t = 0; t < count; t++)
        events[t] = draw_event(rows, columns, block, state);
    return events;
}

/* ---- Playing ---- */

typedef struct account {
    double seconds;
    int64_t mistakes, awake;
    weft__sharing sharing;
} account;

static account play_committee(const weft_member *members, int64_t count,
                              const weft_committee_settings *settings, bool apart, const event *events,
                              int64_t number)
{
    weft_error error = {0};
    weft_player *committee = NULL;
    require(weft_committee_create(members, count, settings, NULL, &committee, &error), &error);
    if (apart)
        weft__committee_set_apart(committee);
    double start = processor_seconds();
    for (int64_t t = 0; t < number; t++)
        require(weft_player_learn(committee, events[t].row, events[t].column, events[t].label, NULL, &error),
                &error);
    weft_counters counters = weft_player_counters(committee);
    account a = {processor_seconds() - start, counters.mistakes, counters.awake,
                 weft__committee_sharing(committee)};
    weft_player_free(committee);
    return a;
}

static account play_learner(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                            const event *events, int64_t number)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    require(weft_learner_create(rows, columns, settings, NULL, &learner, &error), &error);
    double start = processor_seconds();
    for (int64_t t = 0; t < number; t++) {
        weft_answer prediction;
        require(weft_player_predict(learner, events[t].row, events[t].column, &prediction, &error), &error);
        require(weft_player_learn(learner, events[t].row, events[t].column, events[t].label, NULL, &error),
                &error);
    }
    account a = {processor_seconds() - start, weft_player_counters(learner).mistakes, 1, {0}};
    weft_player_free(learner);
    return a;
}

static void tell(const char *name, const account *a, double one, int64_t number)
{
    printf("%-36s %9.1f us a trial %7.2f learners, mistake rate %.4f, %lld awake\n", name,
           1e6 * a->seconds / (double)number, a->seconds / one, (double)a->mistakes / (double)number,
           (long long)a->awake);
}

/* The mean time of the learners, each alone. */
static double play_alone(const weft_member *members, int64_t count, const event *events, int64_t number)
{
    double sum = 0;
    int64_t learners = 0;
    for (int64_t k = 0; k < count; k++) {
        if (members[k].is_rival || members[k].beyond > 0)
            continue;
        account a = play_learner(members[k].rows, members[k].columns, &members[k].learner, events, number);
        printf("%-36s %9.1f us a trial, mistake rate %.4f\n", members[k].name,
               1e6 * a.seconds / (double)number, (double)a.mistakes / (double)number);
        sum += a.seconds;
        learners++;
    }
    return sum / (double)learners;
}

/* The members of a committee over what is known; columns NULL for one set of ids. */
static weft_member *list_members(const known *rows, const known *columns, int64_t *count)
{
    weft_error error = {0};
    weft_views views[2] = {{rows->list, rows->views}, {0}};
    if (columns != NULL)
        views[1] = (weft_views){columns->list, columns->views};
    const weft_views *second = columns != NULL ? &views[1] : NULL;
    require(weft_committee_members(&views[0], second, NULL, count, &error), &error);
    weft_member *members = allocate(*count, sizeof *members);
    require(weft_committee_members(&views[0], second, members, count, &error), &error);
    return members;
}

/* The committee as it is, without sharing, and without resting. */
enum { PLAYED = 3 };

static void tell_all(const workload *w, const account *played, int64_t count, double one, int64_t number)
{
    static const char *const names[PLAYED] = {"committee", "committee, nothing shared",
                                              "committee, nobody rests"};
    const account *own = &played[0];
    printf("%s: %lld members; one learner: %.1f us a trial\n", w->name, (long long)count,
           1e6 * one / (double)number);
    for (int k = PLAYED - 1; k >= 0; k--)
        tell(names[k], &played[k], one, number);
    printf("%s: %lld columns of kernels asked for, %lld made; not sharing them takes %.2f times as long\n",
           w->name, (long long)own->sharing.asked, (long long)own->sharing.made,
           played[1].seconds / own->seconds);
    printf("{\"bench\":\"committee\",\"workload\":\"%s\",\"members\":%lld,\"learners_worth\":%.2f,"
           "\"without_rest\":%.2f,\"without_sharing\":%.2f,\"columns_asked\":%lld,\"columns_made\":%lld}\n",
           w->name, (long long)count, own->seconds / one, played[2].seconds / one, played[1].seconds / one,
           (long long)own->sharing.asked, (long long)own->sharing.made);
}

/* Whether all is as it should be. */
static bool measure(const workload *w, int64_t number, bool quick)
{
    static const weft_committee_settings settings[PLAYED] = {[2] = {.restless = true}};
    uint64_t state = 7;
    int64_t count = 0;
    account played[PLAYED];
    known *rows = open_known(w, w->rows, &state);
    known *columns = w->columns > 0 ? open_known(w, w->columns, &state) : NULL;
    event *events = draw_events(number, rows, columns, &state);
    weft_member *members = list_members(rows, columns, &count);
    double one = play_alone(members, count, events, number);
    if (columns != NULL) {
        weft_settings theory = weft_settings_default(w->rows, w->columns, number);
        account single = play_learner(rows->side[0], columns->side[0], &theory, events, number);
        tell("weft_settings_default", &single, one, number);
    }
    for (int k = 0; k < PLAYED; k++)
        played[k] = play_committee(members, count, &settings[k], k == 1, events, number);
    tell_all(w, played, count, one, number);
    free(members);
    free(events);
    close_known(rows);
    close_known(columns);
    bool same = played[0].mistakes == played[1].mistakes && played[0].awake == played[1].awake;
    if (!same)
        printf("%s: sharing changes what is predicted\n", w->name);
    return same && (quick || played[0].seconds <= MOST_TIMES * one);
}

int main(int count, char **words)
{
    int64_t most = INT64_MAX;
    bool quick = false, sound = true;
    for (int k = 1; k < count && most > 0; k++) {
        if (strcmp(words[k], "--quick") == 0)
            quick = true;
        else if (k + 1 < count && strcmp(words[k], "--events") == 0)
            most = atoll(words[++k]);
        else
            most = 0;
    }
    if (most < 1) {
        fprintf(stderr, "usage: bench-committee [--events N] [--quick]\n");
        return 2;
    }
    for (size_t k = 0; k < sizeof workloads / sizeof *workloads; k++) {
        int64_t number = quick ? workloads[k].quick : workloads[k].events;
        sound = measure(&workloads[k], number < most ? number : most, quick) && sound;
    }
    return sound ? 0 : 1;
}
