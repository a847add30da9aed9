/* SPDX-License-Identifier: MIT
 *
 * bench-top_committee [--check] [--columns N] [--learnt N] [--events N]
 *
 * The ten most probable of N columns (10^6) for one row, by the committee that `weft run` plays by itself,
 * after so many events (10^6) of 1,000 rows with the first `learnt` columns (200,000), the labels blocks of
 * 20 x 20 classes with 10 % noise:
 *
 *     none      nothing is known of either
 *     classes   the classes of both are known
 *
 *     single     weft_player_evaluate of a sample of columns, for as many as there are
 *     first      weft_player_rank of the first row
 *     repeated   of other rows
 *
 * --check fails (exit 1) unless a repeated query takes less than a second and the answer is that of single
 * evaluations: each of its scores, and nobody of the sample is above its least.  A table on standard error,
 * one JSON object a line on standard output. */
#define _GNU_SOURCE

#include "draw.h"
#include "rank.h"
#include "weft_files.h"

enum { ROWS = 1000, CLASSES = 20, MOST = 10, SAMPLE = 2000, REPETITIONS = 7 };

static const double most_seconds = 1;

typedef struct plan {
    int64_t columns, learnt, events;
} plan;

typedef struct figures {
    double learning, single, first, repeated; /* seconds */
    int64_t asked;
    bool same;
} figures;

static int64_t class_of(int64_t id)
{
    return (id * 7919 + 3) % CLASSES;
}

static const weft_file_options VIEWS = {.roster = &(weft_roster_options){.views = true}};

static weft_roster *know(int64_t count, bool classes)
{
    weft_error error = {0};
    weft_roster *roster = NULL;
    int64_t *list = allocate(count, sizeof *list);
    for (int64_t i = 0; i < count; i++)
        list[i] = class_of(i);
    require(classes ? weft_roster_from_classes(count, list, 0.1, NULL, &VIEWS, &roster, &error)
                    : weft_roster_from_names(count, NULL, &VIEWS, &roster, &error),
            &error);
    free(list);
    return roster;
}

static int draw_label(int64_t i, int64_t j, uint64_t *state)
{
    uint64_t seed = (uint64_t)(class_of(i) * CLASSES + class_of(j));
    bool truth = (next_random(&seed) & 1) != 0;
    return truth != (below(state, 10) == 0) ? 1 : -1;
}

static double teach(const plan *p, weft_player *player)
{
    weft_error error = {0};
    uint64_t state = 1;
    double start = processor_seconds();
    for (int64_t k = 0; k < p->events; k++) {
        int64_t i = below(&state, ROWS), j = below(&state, p->learnt);
        require(weft_player_learn(player, i, j, draw_label(i, j, &state), NULL, &error), &error);
    }
    return processor_seconds() - start;
}

/* Seconds an evaluation, of columns that are spread over all. */
static double time_singles(const plan *p, weft_player *player, int64_t row, double *score)
{
    weft_error error = {0};
    weft_answer answer;
    double start = processor_seconds();
    for (int64_t k = 0; k < SAMPLE; k++) {
        require(weft_player_evaluate(player, row, k * (p->columns / SAMPLE), 0.02, &answer, &error), &error);
        score[k] = answer.score;
    }
    return (processor_seconds() - start) / SAMPLE;
}

/* Whether the scores are those of single evaluations, and none of the sample is left out. */
static bool agrees(const plan *p, weft_player *player, int64_t row, const weft_ranked *ranked,
                   const double *score)
{
    weft_error error = {0};
    weft_answer answer;
    bool good = true;
    for (int64_t k = 0; k < MOST; k++) {
        require(weft_player_evaluate(player, row, ranked[k].id, 0.02, &answer, &error), &error);
        good = good && answer.score == ranked[k].answer.score && answer.vote == ranked[k].answer.vote;
    }
    for (int64_t k = 0; k < SAMPLE; k++) {
        bool listed = false;
        for (int64_t i = 0; i < MOST; i++)
            listed = listed || ranked[i].id == k * (p->columns / SAMPLE);
        good = good && (listed || score[k] <= ranked[MOST - 1].answer.score);
    }
    return good;
}

static figures measure(const plan *p, bool classes)
{
    weft_error error = {0};
    figures f = {0};
    weft_player *player = NULL;
    double score[SAMPLE];
    weft_ranked ranked[MOST];
    int64_t *candidates = allocate(p->columns, sizeof *candidates);
    for (int64_t j = 0; j < p->columns; j++)
        candidates[j] = j;
    require(weft_player_create(know(ROWS, classes), know(p->columns, classes), NULL, &player, &error),
            &error);
    f.learning = teach(p, player);
    weft_query query = {
        .candidates = candidates, .candidate_count = p->columns, .most = MOST, .tolerance = 0.02};
    f.first = time_rank(player, &query, ranked);
    f.single = time_singles(p, player, 0, score);
    f.same = agrees(p, player, 0, ranked, score);
    f.repeated = time_repeated(player, query, 2, REPETITIONS, ranked);
    f.asked = ranked[0].answer.asked;
    weft_player_free(player);
    free(candidates);
    return f;
}

static bool report(const plan *p, const char *name, const figures *f)
{
    double all = f->single * (double)p->columns;
    fprintf(stderr, "%-8s %10.1f %8lld %12.1f %10.3f %10.3f %s\n", name,
            1e6 * f->learning / (double)p->events, (long long)f->asked, all, f->first, f->repeated,
            f->same ? "" : "other scores than single evaluations");
    printf("{\"bench\":\"top_committee\",\"model\":\"%s\",\"columns\":%lld,\"learnt\":%lld,\"events\":%lld,"
           "\"members_awake\":%lld,\"single_seconds\":%.3e,\"first_seconds\":%.3e,\"repeated_seconds\":%.3e,"
           "\"same\":%s}\n",
           name, (long long)p->columns, (long long)p->learnt, (long long)p->events, (long long)f->asked, all,
           f->first, f->repeated, f->same ? "true" : "false");
    fflush(stdout);
    return f->same && f->repeated < most_seconds;
}

_Noreturn static void complain(void)
{
    fprintf(stderr, "usage: bench-top_committee [--check] [--columns N] [--learnt N] [--events N]\n");
    exit(2);
}

static plan read_options(int count, char **words, bool *check)
{
    plan p = {1000000, 200000, 1000000};
    for (int k = 1; k < count; k++) {
        int64_t *where = strcmp(words[k], "--columns") == 0  ? &p.columns
                         : strcmp(words[k], "--learnt") == 0 ? &p.learnt
                         : strcmp(words[k], "--events") == 0 ? &p.events
                                                             : NULL;
        *check = *check || strcmp(words[k], "--check") == 0;
        if (where == NULL && strcmp(words[k], "--check") != 0)
            complain();
        if (where != NULL && (k + 1 == count || (*where = atoll(words[++k])) < 1))
            complain();
    }
    if (p.columns < SAMPLE || p.learnt > p.columns)
        complain();
    return p;
}

int main(int argc, char **argv)
{
    bool check = false, good = true;
    plan p = read_options(argc, argv, &check);
    fprintf(stderr, "%-8s %10s %8s %12s %10s %10s\n", "", "us a trial", "awake", "single, s", "first, s",
            "repeated, s");
    for (int classes = 0; classes < 2; classes++) {
        figures f = measure(&p, classes);
        good = report(&p, classes ? "classes" : "none", &f) && good;
    }
    return check && !good ? 1 : 0;
}
