/* SPDX-License-Identifier: MIT
 *
 * bench-reader [--quick]
 *
 * How long learning is stopped by a reader that is made, and how far behind a reader is.
 *
 * A committee over 300 rows and 200 columns in 5 classes each, which both sides know; labels are a random 5 x
 * 5 matrix of blocks, 10 % of them noise.  After 20,000 events (--quick: 2,000):
 *
 *     alone     20 times 100 trials before there is a reader
 *     beside    the same while another thread computes something that has nothing to do with the player
 *     copied    the trials while the player is copied, some 100, of 20 readers that are made one after the
 *               other
 *     read      20 times 10 trials while another thread asks all the time
 *
 * Told are the median trial, and the longest one of each of the 20: the median of these, and the least; and
 * the same of the longest by the time of the processor.  By the clock whatever else the machine does makes
 * trials longer: `beside` says by how much, as a copy is made by another thread too.  The time of the
 * processor has slices, which the thread that learns copies, but not what it waits for.  Beside them stand
 * the time of writing the whole state, by which a copy in one go would stop the player, and the answers a
 * second and how old they were.  Fails with more than 1,000 labels or 100 ms behind.
 *
 * Output.  Standard error: a table.  Standard output: one JSON object, the last line. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_advanced.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ROWS = 300, COLUMNS = 200, CLASSES = 5, ROUNDS = 20, ROUND = 10, TRIALS = ROUNDS * ROUND };
enum { LONG_ROUND = 100 };
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

/* Seconds by the clock, and of the processor. */
typedef struct span {
    double wall, processor;
} span;

static span start_span(void)
{
    return (span){wall_seconds(), seconds_of(CLOCK_THREAD_CPUTIME_ID)};
}

static span end_span(span start)
{
    return (span){wall_seconds() - start.wall, seconds_of(CLOCK_THREAD_CPUTIME_ID) - start.processor};
}

/* One trial. */
static span play(world *w, weft_player *player)
{
    weft_error error;
    weft_answer answer;
    int64_t row = below(&w->state, ROWS), column = below(&w->state, COLUMNS);
    int label = w->label[w->class_of[0][row]][w->class_of[1][column]];
    label = below(&w->state, 10) == 0 ? -label : label;
    span start = start_span();
    require(weft_player_predict(player, row, column, &answer, &error), &error);
    require(weft_player_learn(player, row, column, label, NULL, &error), &error);
    return end_span(start);
}

static weft_player *found(const world *w)
{
    weft_error error;
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    require(weft_roster_from_classes(ROWS, w->class_of[0], 0.1, NULL, NULL, &rows, &error), &error);
    require(weft_roster_from_classes(COLUMNS, w->class_of[1], 0.1, NULL, NULL, &columns, &error), &error);
    require(weft_player_create(rows, columns, NULL, &player, &error), &error);
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
    sample all, longest, processor;
} rounds;

typedef struct finding {
    const char *name;
    rounds alone, beside, copied, read;
    int64_t copy_trials;  /* of all readers */
    double write, asking; /* seconds */
    asker asker;
} finding;

static void begin_round(rounds *r)
{
    record(&r->longest, 0);
    record(&r->processor, 0);
}

static void lengthen(sample *s, double seconds)
{
    double *last = &s->seconds[s->count - 1];
    *last = seconds > *last ? seconds : *last;
}

static void add_trial(rounds *r, span seconds)
{
    record(&r->all, seconds.wall);
    lengthen(&r->longest, seconds.wall);
    lengthen(&r->processor, seconds.processor);
}

/* ---- Something else that is computed ---- */

typedef struct stranger {
    _Atomic bool enough;
    double sum;
} stranger;

static void *compute(void *argument)
{
    enum { NUMBERS = 1 << 20 };
    stranger *s = argument;
    double *numbers = allocate(NUMBERS, sizeof *numbers);
    for (int64_t k = 0; !s->enough; k++) {
        numbers[k % NUMBERS] += (double)k;
        s->sum += numbers[7919 * k % NUMBERS];
    }
    free(numbers);
    return NULL;
}

static void measure_trials(world *w, weft_player *player, rounds *r)
{
    for (int k = 0; k < ROUNDS * LONG_ROUND; k++) {
        if (k % LONG_ROUND == 0)
            begin_round(r);
        add_trial(r, play(w, player));
    }
}

static void measure_beside(world *w, weft_player *player, rounds *r)
{
    stranger other = {.sum = 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, compute, &other) != 0)
        exit(1);
    measure_trials(w, player, r);
    other.enough = true;
    pthread_join(thread, NULL);
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
        span start = start_span();
        require(weft_reader_create(player, &f->asker.reader, &error), &error);
        add_trial(&f->copied, end_span(start));
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

static void measure(const char *name, int64_t events, finding *f)
{
    world w;
    *f = (finding){.name = name};
    draw_world(&w);
    weft_player *player = found(&w);
    for (int64_t k = 0; k < events; k++)
        play(&w, player);
    measure_trials(&w, player, &f->alone);
    measure_beside(&w, player, &f->beside);
    f->write = write_seconds(player);
    measure_copy(&w, player, f);
    measure_reading(&w, player, f);
    weft_reader_free(f->asker.reader);
    weft_player_free(player);
}

/* ---- Telling ---- */

static void tell_rounds(const char *name, rounds *r, bool last)
{
    double trial = median(&r->all), longest = median(&r->longest), processor = median(&r->processor);
    double least = r->longest.seconds[0], least_processor = r->processor.seconds[0];
    fprintf(stderr,
            "  %-7s %8.3f ms, longest %8.3f ms, least of these %8.3f ms; by the processor %8.3f and %8.3f "
            "ms\n",
            name, 1e3 * trial, 1e3 * longest, 1e3 * least, 1e3 * processor, 1e3 * least_processor);
    printf("\"%s\": [%g, %g, %g, %g, %g]%s", name, trial, longest, least, processor, least_processor,
           last ? "}" : ", ");
    free(r->all.seconds);
    free(r->longest.seconds);
    free(r->processor.seconds);
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
    tell_rounds("beside", &f->beside, false);
    tell_rounds("copied", &f->copied, false);
    tell_rounds("read", &f->read, true);
}

int main(int count, char **words)
{
    finding f;
    measure("committee", read_flag(count, words, "reader", "--quick") ? 2000 : 20000, &f);
    printf("{\"players\": [");
    tell(&f);
    printf("]}\n");
    return f.asker.behind <= MOST_BEHIND && f.asker.age <= MOST_SECONDS ? 0 : 1;
}
