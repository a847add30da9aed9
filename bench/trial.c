/* SPDX-License-Identifier: MIT
 *
 * bench-trial [--n N,N,...] [--quick] [--check]
 *
 * A trial of the certified engine against one of the paper's own algorithm, in
 * one process on one core.
 *
 * Method.  A krylov learner plays the first 20,000 trials of the paper's
 * experiment (or half of them, where that is less).  What it has learnt is then
 * loaded twice: its whole state is read into a second krylov learner, and its
 * evidence is merged into a reference learner.  (A merge computes the bound b
 * anew, from the evidence alone, and then knows less than a learner that has
 * kept b all along.  The reference does not use b.)  From there on both play the
 * same trials, in rounds: 100 timed ones of krylov, then reference until it has
 * made one update; every fifth round one bare dsyevd.  So whatever else the
 * machine does disturbs all three alike.
 *
 * Decisions.  Thresholds are drawn from (seed, t), and t starts at 0 in the
 * reference.  So its margin is compared with the threshold that krylov had: the
 * prediction must be the same, and the update as well.
 *
 * Output.  Standard error: a report for people.  Standard output: one JSON object
 * a line for each n.  Exit status 1 where any decision differs. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"

#include <cblas.h>

enum {
    LOADED = 20000,
    ROUNDS = 50,
    QUICK_ROUNDS = 10,
    ROUND_TRIALS = 100,
    DSYEVD_EVERY = 5,
    SEED = 1,
    LEAST_N = 100, /* half of its n^2 trials are as many as are timed */
    MOST_N = 2000,
    LARGE_COPY = 1 << 27
};

typedef struct figures {
    int64_t n, loaded, timed, rounds;
    double krylov, krylov_wall; /* seconds a trial */
    double update, idle;        /* seconds of a reference trial with and without an update */
    double reference;           /* seconds a trial, the two as they occurred */
    double dsyevd;
    double products;     /* a trial, by C */
    double update_share; /* of the timed trials */
    double mistake_rate; /* of them */
    int64_t compared, different;
} figures;

/* The two learners, what they have to play, and what krylov decided. */
typedef struct race {
    const experiment *e;
    weft_player *krylov, *reference;
    eigenproblem bare;
    int64_t next, next_reference, first;
    weft_answer *outcome; /* of krylov, from trial `first` on */
    sample krylov_times, krylov_walls, update_times, idle_times, dsyevd_times;
} race;

static weft_player *read_state(const experiment *e, const weft_player *learner)
{
    weft_error error;
    weft_player *copy = NULL;
    size_t size = 0;
    require(weft_player_write(learner, NULL, &size, &error), &error);
    void *bytes = allocate((int64_t)size, 1);
    require(weft_player_write(learner, bytes, &size, &error), &error);
    require(weft_learner_read(e->instance.rows, e->instance.columns, bytes, size, NULL, &copy, &error),
            &error);
    free(bytes);
    return copy;
}

static weft_player *merge_evidence(const experiment *e, const weft_player *learner)
{
    weft_error error;
    weft_player *reference = experiment_learner(e, WEFT_REFERENCE);
    int64_t count = weft_player_evidence_count(learner);
    weft_evidence_entry *entries = allocate(count, sizeof *entries);
    for (int64_t k = 0; k < count; k++)
        entries[k] = weft_player_evidence(learner, k);
    require(weft_player_add_evidence(reference, entries, count, &error), &error);
    free(entries);
    return reference;
}

static race race_create(const experiment *e, int64_t loaded, int64_t timed)
{
    race r = {.e = e, .next = loaded, .next_reference = loaded, .first = loaded};
    weft_player *played = experiment_learner(e, WEFT_KRYLOV);
    for (int64_t t = 0; t < loaded; t++)
        play(played, &e->instance.stream.trials[t]);
    r.krylov = read_state(e, played);
    r.reference = merge_evidence(e, played);
    r.bare = eigenproblem_create(2 * e->n);
    r.outcome = allocate(timed, sizeof *r.outcome);
    weft_player_free(played);
    return r;
}

static void race_free(race *r)
{
    sample *samples[5] = {&r->krylov_times, &r->krylov_walls, &r->update_times, &r->idle_times,
                          &r->dsyevd_times};
    for (int k = 0; k < 5; k++)
        free(samples[k]->seconds);
    weft_player_free(r->krylov);
    weft_player_free(r->reference);
    eigenproblem_free(&r->bare);
    free(r->outcome);
}

static void run_krylov(race *r)
{
    double start = processor_seconds(), wall = wall_seconds();
    for (int k = 0; k < ROUND_TRIALS; k++, r->next++)
        r->outcome[r->next - r->first] = play(r->krylov, &r->e->instance.stream.trials[r->next]);
    record(&r->krylov_times, (processor_seconds() - start) / ROUND_TRIALS);
    record(&r->krylov_walls, (wall_seconds() - wall) / ROUND_TRIALS);
}

/* Does the paper's algorithm decide as krylov did? */
static bool agrees(const weft_answer *krylov, const weft_answer *reference)
{
    int label = reference->margin >= krylov->threshold ? 1 : -1;
    return label == krylov->label && reference->updated == krylov->updated;
}

/* Trials that krylov has played, up to and including one with an update. */
static void run_reference(race *r, figures *f)
{
    bool updated = false;
    while (!updated && r->next_reference < r->next) {
        double start = processor_seconds();
        weft_answer outcome = play(r->reference, &r->e->instance.stream.trials[r->next_reference]);
        double seconds = processor_seconds() - start;
        updated = outcome.updated;
        record(updated ? &r->update_times : &r->idle_times, seconds);
        f->compared++;
        f->different += !agrees(&r->outcome[r->next_reference - r->first], &outcome);
        r->next_reference++;
    }
}

static void summarise(race *r, figures *f)
{
    double updates = (double)r->update_times.count, idle = (double)r->idle_times.count;
    for (int64_t k = 0; k < f->timed; k++) {
        f->products += r->outcome[k].products / (double)f->timed;
        f->update_share += r->outcome[k].updated / (double)f->timed;
        f->mistake_rate += r->outcome[k].mistake / (double)f->timed;
    }
    f->krylov = median(&r->krylov_times);
    f->krylov_wall = median(&r->krylov_walls);
    f->update = median(&r->update_times);
    f->idle = median(&r->idle_times);
    f->reference = (updates * f->update + idle * f->idle) / (updates + idle);
    f->dsyevd = median(&r->dsyevd_times);
}

static figures measure(int64_t n, int64_t rounds)
{
    experiment e = experiment_create(n, SEED);
    figures f = {.n = n, .rounds = rounds, .timed = rounds * ROUND_TRIALS};
    f.loaded = e.trials / 2 < LOADED ? e.trials / 2 : LOADED;
    race r = race_create(&e, f.loaded, f.timed);
    eigenproblem_time(&r.bare); /* the first one only warms up */
    for (int64_t round = 0; round < rounds; round++) {
        run_krylov(&r);
        run_reference(&r, &f);
        if (round % DSYEVD_EVERY == 0)
            record(&r.dsyevd_times, eigenproblem_time(&r.bare));
    }
    summarise(&r, &f);
    race_free(&r);
    experiment_free(&e);
    return f;
}

/* What one product by C and one by K read: all counts, and one half of either
 * symmetric kernel, in single precision.  The last product by K of a trial is not
 * always needed, so that this is an upper bound of what is moved. */
static double bytes_of_step(int64_t n)
{
    return 2 * (double)n * (double)n * sizeof(float);
}

static void report(const figures *f, double large_copy)
{
    double moved = f->products * bytes_of_step(f->n) / f->krylov;
    double small_copy = copy_bandwidth((size_t)bytes_of_step(f->n));
    double ratio = f->reference / f->krylov, over = f->update / f->dsyevd;
    fprintf(stderr,
            "\nn = %lld: %lld trials loaded, %lld of krylov timed, %lld of reference, %lld with an update\n",
            (long long)f->n, (long long)f->loaded, (long long)f->timed, (long long)f->compared,
            (long long)f->rounds);
    fprintf(stderr, "  a trial of krylov      %12.1f us   (wall %.1f)\n", 1e6 * f->krylov,
            1e6 * f->krylov_wall);
    fprintf(stderr, "  a trial of reference   %12.1f us   (%.1f with an update, %.1f without)\n",
            1e6 * f->reference, 1e6 * f->update, 1e6 * f->idle);
    fprintf(stderr, "  ratio                  %12.0f\n", ratio);
    fprintf(stderr, "  products a trial       %12.2f\n", f->products);
    fprintf(stderr, "  bytes moved a second   %12.1f GB   (copy: %.1f in memory, %.1f in %.1f MB)\n",
            1e-9 * moved, 1e-9 * large_copy, 1e-9 * small_copy, 1e-6 * bytes_of_step(f->n));
    fprintf(stderr, "  bare dsyevd of %-7lld %12.1f us   (an update of reference is %.2f times it)\n",
            2 * (long long)f->n, 1e6 * f->dsyevd, over);
    fprintf(stderr, "  decisions              %12lld compared, %lld different\n", (long long)f->compared,
            (long long)f->different);
    printf("{\"bench\":\"trial\",\"n\":%lld,\"ratio\":%.1f,\"products_per_trial\":%.3f,"
           "\"reference_over_dsyevd\":%.3f,\"krylov_seconds\":%.3e,\"reference_seconds\":%.3e,"
           "\"update_seconds\":%.3e,\"dsyevd_seconds\":%.3e,\"bytes_per_second\":%.3e,"
           "\"copy_bytes_per_second\":%.3e,\"cached_copy_bytes_per_second\":%.3e,\"update_share\":%.3f,"
           "\"mistake_rate\":%.3f,\"compared\":%lld,\"different\":%lld,\"core\":\"%s\"}\n",
           (long long)f->n, ratio, f->products, over, f->krylov, f->reference, f->update, f->dsyevd, moved,
           large_copy, small_copy, f->update_share, f->mistake_rate, (long long)f->compared,
           (long long)f->different, openblas_get_corename());
    fflush(stdout);
}

/* What is asked of n = 400, on a machine that does nothing else. */
static bool meets_targets(const figures *f)
{
    bool met = f->reference / f->krylov >= 500 && f->products <= 4.8 && f->update / f->dsyevd <= 1.3;
    if (!met)
        fprintf(stderr, "short of a ratio of 500, 4.8 products a trial or 1.3 times dsyevd\n");
    return met;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: bench-trial [--n N,N,...] [--quick] [--check]\n"
            "N from %d to %d, default 100,200,400; --check fails short of the targets at n = 400\n",
            LEAST_N, MOST_N);
    return 2;
}

/* Reads "100,200,400"; returns how many numbers, 0 where it is not that. */
static int read_sizes(const char *text, int64_t *sizes, int most)
{
    int count = 0;
    for (;;) {
        char *end = NULL;
        long value = strtol(text, &end, 10);
        if (end == text || value < LEAST_N || value > MOST_N || count == most)
            return 0;
        sizes[count++] = value;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
}

int main(int argc, char **argv)
{
    enum { MOST_SIZES = 16 };
    int64_t sizes[MOST_SIZES] = {100, 200, 400}, rounds = ROUNDS, different = 0, short_of = 0;
    int count = 3;
    bool check = false;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--quick") == 0)
            rounds = QUICK_ROUNDS;
        else if (strcmp(argv[k], "--check") == 0)
            check = true;
        else if (strcmp(argv[k], "--n") == 0 && k + 1 < argc)
            count = read_sizes(argv[++k], sizes, MOST_SIZES);
        else
            return usage();
    }
    if (count == 0)
        return usage();
    double large_copy = copy_bandwidth(LARGE_COPY);
    fprintf(stderr, "OpenBLAS core type %s; times are processor time, medians of %lld rounds\n",
            openblas_get_corename(), (long long)rounds);
    for (int k = 0; k < count; k++) {
        figures f = measure(sizes[k], rounds);
        report(&f, large_copy);
        different += f.different;
        short_of += check && sizes[k] == 400 && !meets_targets(&f);
    }
    return different == 0 && short_of == 0 ? 0 : 1;
}
