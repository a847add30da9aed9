/* SPDX-License-Identifier: MIT
 *
 * bench-reader [--quick]
 *
 * How long learning is stopped by a reader that is made, and how far behind a reader is.
 *
 * A committee over 300 rows and 200 columns in 5 classes each, which both sides know; labels are a random 5 x
 * 5 matrix of blocks, 10 % of them noise.  After 20,000 events (--quick: 2,000) of a committee, and 5,000
 * (500) of one that follows changes:
 *
 *     alone     200 trials before there is a reader, 20 times 10 of them
 *     copied    the trials while the player is copied, of 20 readers that are made one after the other
 *     read      200 trials while another thread asks all the time, 20 times 10 of them
 *
 * Told are the median trial, and the longest one of each of the 20: the median of these, and the least.
 * Times are by the clock, and whatever else the machine does makes trials longer; the least is what no other
 * program has disturbed.  Beside them stand the time of writing the whole state, by which a copy in one go
 * would stop the player, and the answers a second and how old they were.  Fails with more than 1,000 labels
 * or 100 ms behind.
 *
 * Output.  Standard error: a table.  Standard output: one JSON object, the last line. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_advanced.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROWS = 300, COLUMNS = 200, CLASSES = 5, ROUNDS = 20, ROUND = 10, TRIALS = ROUNDS * ROUND };
enum { MOST_BEHIND = 1000 };
static const double MOST_SECONDS = 0.1;

/* ---- Events ---- */

typedef struct world {
    uint64_t state;
    int64_t class_of[2][ROWS];
    int label[CLASSES][CLASSES];
} world;

static void draw_world(world *w)
{
    *w = (world){.state = 5};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < ROWS; i++)
            w->class_of[side][i] = below(&w->state, CLASSES);
    for (int k = 0; k < CLASSES * CLASSES; k++)
        w->label[k / CLASSES][k % CLASSES] = below(&w->state, 2) == 0 ? -1 : 1;
}

/* Seconds of one trial. */
static double play(world *w, weft_player *player)
{
    weft_error error;
    weft_answer answer;
    int64_t row = below(&w->state, ROWS), column = below(&w->state, COLUMNS);
    int label = w->label[w->class_of[0][row]][w->class_of[1][column]];
    label = below(&w->state, 10) == 0 ? -label : label;
    double start = wall_seconds();
    require(weft_player_predict(player, row, column, &answer, &error), &error);
    require(weft_player_learn(player, row, column, label, NULL, &error), &error);
    return wall_seconds() - start;
}

static weft_player *found(const world *w, bool tracking)
{
    weft_error error;
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    const weft_player_options options = {.tracking = tracking};
    require(weft_roster_from_classes(ROWS, w->class_of[0], 0.1, NULL, NULL, &rows, &error), &error);
    require(weft_roster_from_classes(COLUMNS, w->class_of[1], 0.1, NULL, NULL, &columns, &error), &error);
    require(weft_player_create(rows, columns, &options, &player, &error), &error);
    return player;
}

/* ---- One that asks ---- */

typedef struct asker {
    weft_reader *reader;
    double *learnt_at; /* label k: when; written before `learnt` */
    _Atomic int64_t learnt;
    _Atomic bool enough;
    int64_t answers, behind;
    double age; /* the most of both */
} asker;

static void *ask(void *argument)
{
    asker *a = argument;
    uint64_t state = 9;
    while (!a->enough) {
        weft_error error;
        weft_answer answer;
        int64_t event = 0, learnt = a->learnt;
        double start = wall_seconds();
        require(weft_reader_predict(a->reader, below(&state, ROWS), below(&state, COLUMNS), 0, &answer,
                                    &event, &error),
                &error);
        double age = event < learnt ? start - a->learnt_at[event + 1] : 0;
        a->behind = learnt - event > a->behind ? learnt - event : a->behind;
        a->age = age > a->age ? age : a->age;
        a->answers++;
    }
    return NULL;
}

/* ---- Measuring ---- */

/* Trials, and the longest one of every round. */
typedef struct rounds {
    sample all, longest;
} rounds;

typedef struct finding {
    const char *name;
    rounds alone, copied, read;
    int64_t copy_trials;  /* of all readers */
    double write, asking; /* seconds */
    asker asker;
} finding;

static void begin_round(rounds *r)
{
    record(&r->longest, 0);
}

static void add_trial(rounds *r, double seconds)
{
    double *longest = &r->longest.seconds[r->longest.count - 1];
    record(&r->all, seconds);
    *longest = seconds > *longest ? seconds : *longest;
}

static double write_seconds(const weft_player *player)
{
    weft_error error;
    size_t size = 0;
    double start = wall_seconds();
    require(weft_player_write(player, NULL, &size, &error), &error);
    void *bytes = allocate((int64_t)size, 1);
    require(weft_player_write(player, bytes, &size, &error), &error);
    double seconds = wall_seconds() - start;
    free(bytes);
    return seconds;
}

/* From its making until the replica is there; a player without readers again in between.  The last one
 * stays. */
static void measure_copy(world *w, weft_player *player, finding *f)
{
    weft_error error;
    for (int k = 0; k < ROUNDS; k++) {
        weft_reader_free(f->asker.reader);
        begin_round(&f->copied);
        double start = wall_seconds();
        require(weft_reader_create(player, &f->asker.reader, &error), &error);
        add_trial(&f->copied, wall_seconds() - start);
        while (weft_reader_event(f->asker.reader) < 0)
            add_trial(&f->copied, play(w, player));
    }
    f->copy_trials = f->copied.all.count - ROUNDS;
}

static void measure_reading(world *w, weft_player *player, finding *f)
{
    asker *a = &f->asker;
    pthread_t thread;
    int64_t t = weft_player_counters(player).t;
    a->learnt_at = allocate(t + TRIALS + 1, sizeof *a->learnt_at);
    for (int64_t k = 0; k <= t; k++)
        a->learnt_at[k] = wall_seconds();
    a->learnt = t;
    double start = wall_seconds();
    if (pthread_create(&thread, NULL, ask, a) != 0)
        exit(1);
    for (int k = 0; k < TRIALS; k++) {
        if (k % ROUND == 0)
            begin_round(&f->read);
        add_trial(&f->read, play(w, player));
        a->learnt_at[t + k + 1] = wall_seconds();
        a->learnt = t + k + 1;
    }
    a->enough = true;
    pthread_join(thread, NULL);
    f->asking = wall_seconds() - start;
    free(a->learnt_at);
}

static void measure(const char *name, bool tracking, int64_t events, finding *f)
{
    world w;
    *f = (finding){.name = name};
    draw_world(&w);
    weft_player *player = found(&w, tracking);
    for (int64_t k = 0; k < events; k++)
        play(&w, player);
    for (int k = 0; k < TRIALS; k++) {
        if (k % ROUND == 0)
            begin_round(&f->alone);
        add_trial(&f->alone, play(&w, player));
    }
    f->write = write_seconds(player);
    measure_copy(&w, player, f);
    measure_reading(&w, player, f);
    weft_reader_free(f->asker.reader);
    weft_player_free(player);
}

/* ---- Telling ---- */

static void tell_rounds(const char *name, rounds *r, bool last)
{
    double trial = median(&r->all), longest = median(&r->longest);
    double least = r->longest.seconds[0];
    fprintf(stderr, "  %-7s %8.3f ms, longest %8.3f ms, least of these %8.3f ms\n", name, 1e3 * trial,
            1e3 * longest, 1e3 * least);
    printf("\"%s\": [%g, %g, %g]%s", name, trial, longest, least, last ? "}" : ", ");
    free(r->all.seconds);
    free(r->longest.seconds);
}

static void tell(finding *f)
{
    const asker *a = &f->asker;
    double copy_trials = (double)f->copy_trials / ROUNDS;
    fprintf(
        stderr,
        "%s: a copy in %.1f trials; writing all takes %.2f ms; %.0f answers a second, at most %lld labels "
        "and %.1f ms behind\n",
        f->name, copy_trials, 1e3 * f->write, (double)a->answers / f->asking, (long long)a->behind,
        1e3 * a->age);
    printf(
        "{\"name\": \"%s\", \"copy_trials\": %g, \"write\": %g, \"answers\": %g, \"behind\": %lld, \"age\": "
        "%g, ",
        f->name, copy_trials, f->write, (double)a->answers / f->asking, (long long)a->behind, a->age);
    tell_rounds("alone", &f->alone, false);
    tell_rounds("copied", &f->copied, false);
    tell_rounds("read", &f->read, true);
}

int main(int count, char **words)
{
    bool quick = read_flag(count, words, "reader", "--quick"), good = true;
    finding findings[2];
    measure("committee", false, quick ? 2000 : 20000, &findings[0]);
    measure("tracking committee", true, quick ? 500 : 5000, &findings[1]);
    printf("{\"players\": [");
    for (int k = 0; k < 2; k++) {
        printf("%s", k > 0 ? ", " : "");
        tell(&findings[k]);
        good = good && findings[k].asker.behind <= MOST_BEHIND && findings[k].asker.age <= MOST_SECONDS;
    }
    printf("]}\n");
    return good ? 0 : 1;
}
