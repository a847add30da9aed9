/* SPDX-License-Identifier: MIT
 *
 * bench-compact [--events N] [--quick]
 *
 * An endless stream at constant cost: 10^6 rows and 10^5 columns in k classes each, of which the
 * compact engine sees 64 coordinates a side (the classes, and hashed ones for what an id has of its own,
 * epsilon = .1), so d = 128.  The label is that of a random k x k matrix of blocks with 10 % noise.  A
 * million events by default.  Prints the time of every tenth of the stream, and memory.
 * Two streams are judged:
 *
 *     easy   8 classes, gamma = 1/sqrt 8, eta = .05
 *     hard   16 classes, gamma = 1/3, which cannot be met, eta = .5: updates do not end, and
 *            without a floor the products of a trial do not either
 *
 * First all three engines play prefixes of the easy one that they can: the reference engine works on
 * all ids, so that the sides of a prefix list the ids that occur in it and no others.  Printed: time a trial
 * and mistakes of each.
 *
 * Fails where either has fewer than 20,000 events a second, a last tenth of more than 1.1 times
 * the first, or more than 300 MB; the last line has the worst of both.  --quick: 50,000 events, and
 * nothing fails. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_advanced.h"

#include <math.h>

enum {
    ROWS = 1000000,
    COLUMNS = 100000,
    COORDINATES = 64,
    MOST_CLASSES = 16,
    TENTHS = 10,
    LEAST_EVENTS_A_SECOND = 20000,
    MOST_MEGABYTES = 300,
    REFERENCE_PREFIX = 300,
    KRYLOV_PREFIX = 10000
};

static const double epsilon = 0.1, most_growth = 1.1;

/* What is played: classes a side, and settings. */
typedef struct course {
    const char *name;
    int classes;
    double gamma, eta;
} course;

static const course hard = {"hard", 16, 1.0 / 3, 0.5}, easy = {"easy", 8, 0.35355339059327373, 0.05};

typedef struct event {
    int64_t row, column;
    int label;
} event;

typedef struct world {
    const course *played;
    int64_t *class_of[2];
    int block[MOST_CLASSES][MOST_CLASSES];
    uint64_t state; /* of the events still to be drawn */
} world;

static world make_world(const course *played)
{
    world w = {.played = played, .state = 11};
    const int64_t count[2] = {ROWS, COLUMNS};
    for (int side = 0; side < 2; side++) {
        w.class_of[side] = allocate(count[side], sizeof(int64_t));
        for (int64_t i = 0; i < count[side]; i++)
            w.class_of[side][i] = below(&w.state, played->classes);
    }
    for (int a = 0; a < played->classes; a++)
        for (int b = 0; b < played->classes; b++)
            w.block[a][b] = below(&w.state, 2) == 0 ? -1 : 1;
    return w;
}

static event draw_event(world *w)
{
    event e = {.row = below(&w->state, ROWS), .column = below(&w->state, COLUMNS)};
    e.label = w->block[w->class_of[0][e.row]][w->class_of[1][e.column]];
    if (below(&w->state, 10) == 0)
        e.label = -e.label;
    return e;
}

static weft_side *make_side(const course *played, int64_t count, const int64_t *class_of)
{
    weft_error error = {0};
    weft_side *side = NULL;
    const weft_map map = {.hash = COORDINATES - played->classes};
    require(
        weft_side_from_classes(count, class_of, epsilon, &(weft_side_options){.map = &map}, &side, &error),
        &error);
    return side;
}

static weft_player *make_learner(const course *played, const weft_side *rows, const weft_side *columns,
                                 weft_engine engine)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(weft_side_count(rows), weft_side_count(columns), 1);
    settings.engine = engine;
    settings.eta = played->eta;
    settings.gamma = played->gamma;
    require(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    return learner;
}

/* Plays one event and answers the margin it was given. */
static double play(weft_player *learner, const event *e)
{
    weft_error error = {0};
    weft_answer prediction;
    require(weft_player_predict(learner, e->row, e->column, &prediction, &error), &error);
    require(weft_player_learn(learner, e->row, e->column, e->label, NULL, &error), &error);
    return prediction.margin;
}

/* ---- Prefixes ---- */

/* The first `count` events with their ids numbered from 0 as they come, and the classes of these. */
typedef struct prefix {
    int64_t count, ids[2];
    event *events;
    int64_t *class_of[2];
} prefix;

static prefix cut_prefix(int64_t count)
{
    world w = make_world(&easy);
    prefix p = {.count = count, .events = allocate(count, sizeof *p.events)};
    int64_t *number[2] = {allocate(ROWS, sizeof(int64_t)), allocate(COLUMNS, sizeof(int64_t))};
    for (int side = 0; side < 2; side++)
        p.class_of[side] = allocate(count, sizeof(int64_t));
    for (int64_t t = 0; t < count; t++) {
        event e = draw_event(&w);
        int64_t *id[2] = {&e.row, &e.column};
        for (int side = 0; side < 2; side++) {
            int64_t was = *id[side];
            if (number[side][was] == 0) {
                p.class_of[side][p.ids[side]] = w.class_of[side][was];
                number[side][was] = ++p.ids[side];
            }
            *id[side] = number[side][was] - 1;
        }
        p.events[t] = e;
    }
    for (int side = 0; side < 2; side++) {
        free(number[side]);
        free(w.class_of[side]);
    }
    return p;
}

static void free_prefix(prefix *p)
{
    free(p->events);
    free(p->class_of[0]);
    free(p->class_of[1]);
}

typedef struct account {
    double seconds;
    int64_t mistakes;
    double *margin;
} account;

static account play_prefix(const prefix *p, weft_engine engine)
{
    weft_side *rows = make_side(&easy, p->ids[0], p->class_of[0]),
              *columns = make_side(&easy, p->ids[1], p->class_of[1]);
    weft_player *learner = make_learner(&easy, rows, columns, engine);
    account a = {.margin = allocate(p->count, sizeof(double))};
    double start = processor_seconds();
    for (int64_t t = 0; t < p->count; t++)
        a.margin[t] = play(learner, &p->events[t]);
    a.seconds = processor_seconds() - start;
    a.mistakes = weft_player_counters(learner).mistakes;
    weft_player_free(learner);
    weft_side_free(columns);
    weft_side_free(rows);
    return a;
}

/* Plays a prefix with every engine from `first` on; compact is the last. */
static void compare(int64_t count, bool reference)
{
    static const char *const names[] = {"compact", "krylov", "reference"};
    const weft_engine engines[] = {WEFT_COMPACT, WEFT_KRYLOV, WEFT_REFERENCE};
    prefix p = cut_prefix(count);
    account a[3];
    int played = reference ? 3 : 2;
    printf("the first %lld events, %lld rows and %lld columns:\n", (long long)count, (long long)p.ids[0],
           (long long)p.ids[1]);
    for (int k = 0; k < played; k++) {
        a[k] = play_prefix(&p, engines[k]);
        printf("  %-10s %12.1f us a trial %8.1f times compact's, mistake rate %.4f\n", names[k],
               1e6 * a[k].seconds / (double)count, a[k].seconds / a[0].seconds,
               (double)a[k].mistakes / (double)count);
    }
    double sum = 0;
    for (int64_t t = 0; t < count; t++)
        sum += fabs(a[0].margin[t] - a[1].margin[t]);
    printf("  margins of compact and krylov differ by %.3f in the mean\n", sum / (double)count);
    for (int k = 0; k < played; k++)
        free(a[k].margin);
    free_prefix(&p);
}

/* ---- The whole stream ---- */

typedef struct result {
    double events_a_second, growth; /* the time of the last tenth over that of the first */
    double megabytes_first, megabytes_last;
} result;

/* Plays a tenth and tells of it; answers its seconds. */
static double play_tenth(world *w, weft_player *learner, int64_t events)
{
    weft_counters before = weft_player_counters(learner);
    double start = processor_seconds();
    for (int64_t t = 0; t < events; t++) {
        event e = draw_event(w);
        play(learner, &e);
    }
    double seconds = processor_seconds() - start, share = (double)events;
    weft_counters now = weft_player_counters(learner);
    printf("  %10lld events %8.2f us each, mistake rate %.4f, updates %.2f, products %.2f, b %.2f, %.0f MB\n",
           (long long)now.trials, 1e6 * seconds / share, (double)(now.mistakes - before.mistakes) / share,
           (double)(now.updates - before.updates) / share, (double)(now.products - before.products) / share,
           weft_learner_spectral_bound(learner), resident_megabytes_now());
    return seconds;
}

static result play_all(const course *played, int64_t events)
{
    world w = make_world(played);
    weft_side *rows = make_side(played, ROWS, w.class_of[0]),
              *columns = make_side(played, COLUMNS, w.class_of[1]);
    weft_player *learner = make_learner(played, rows, columns, WEFT_COMPACT);
    weft_settings settings = weft_learner_settings(learner);
    result r = {.growth = 0};
    double first = 0, last = 0, seconds = 0;
    printf("%s: %d classes, eta %.3g, gamma %.3g, d = %lld:\n", played->name, played->classes, settings.eta,
           settings.gamma, (long long)weft_side_dimension(rows) + (long long)weft_side_dimension(columns));
    for (int tenth = 0; tenth < TENTHS; tenth++) {
        last = play_tenth(&w, learner, events * (tenth + 1) / TENTHS - events * tenth / TENTHS);
        seconds += last;
        r.megabytes_last = resident_megabytes_now();
        if (tenth == 0) {
            first = last;
            r.megabytes_first = r.megabytes_last;
        }
    }
    r.events_a_second = (double)events / seconds;
    r.growth = last / first;
    printf("  %.0f events a second, last tenth over first %.3f\n", r.events_a_second, r.growth);
    weft_player_free(learner);
    weft_side_free(columns);
    weft_side_free(rows);
    for (int side = 0; side < 2; side++)
        free(w.class_of[side]);
    return r;
}

static bool good(const result *r)
{
    return r->events_a_second >= LEAST_EVENTS_A_SECOND && r->growth <= most_growth &&
           r->megabytes_last <= r->megabytes_first + 1;
}

int main(int count, char **words)
{
    int64_t events = 1000000;
    bool quick = false;
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "--quick") == 0) {
            quick = true;
            events = 50000;
        } else if (k + 1 < count && strcmp(words[k], "--events") == 0) {
            events = atoll(words[++k]);
        } else {
            events = 0;
            break;
        }
    }
    if (events < TENTHS) {
        fprintf(stderr, "usage: bench-compact [--events N] [--quick], N at least %d\n", TENTHS);
        return 2;
    }
    compare(quick ? 60 : REFERENCE_PREFIX, true);
    compare(quick ? 1000 : KRYLOV_PREFIX, false);
    result a = play_all(&easy, events), b = play_all(&hard, events);
    double memory = resident_megabytes();
    printf(
        "{\"bench\":\"compact\",\"events_per_second\":%.0f,\"last_over_first\":%.3f,\"resident_mb\":%.0f}\n",
        fmin(a.events_a_second, b.events_a_second), fmax(a.growth, b.growth), memory);
    return quick || (good(&a) && good(&b) && memory <= MOST_MEGABYTES) ? 0 : 1;
}
