/* SPDX-License-Identifier: MIT
 *
 * bench-committee [--events N] [--quick]
 *
 * What a committee costs beside one learner: 300 rows and 200 columns in 5 classes each, which both sides
 * know, a random 5 x 5 matrix of blocks with 10 % noise, 20,000 events.  Played: the committee; the same
 * without resting; and every learner of it alone, whose mean is `one learner`; the learner of
 * weft_settings_default, which `weft run --single` plays, is printed too.  Processor time, one
 * core.
 *
 * Fails where the committee takes more than ten times one learner.  --quick: 2,000 events, and nothing
 * fails. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"

enum { ROWS = 300, COLUMNS = 200, CLASSES = 5, VIEWS = 3, MOST_TIMES = 10 };

typedef struct event {
    int64_t row, column;
    int label;
} event;

/* What is known of a side, and the views of it. */
typedef struct known {
    weft_side *side[VIEWS];
    weft_view list[VIEWS];
    int64_t class_of[ROWS];
} known;

static void know(known *k, int64_t count, uint64_t *state)
{
    static const weft_view_kind kinds[VIEWS] = {WEFT_VIEW_GIVEN, WEFT_VIEW_NONE, WEFT_VIEW_IDENTITY};
    weft_error error = {0};
    for (int64_t i = 0; i < count; i++)
        k->class_of[i] = below(state, CLASSES);
    require(weft_side_from_classes(count, k->class_of, 0.1, NULL, &k->side[0], &error), &error);
    require(weft_side_none(count, NULL, &k->side[1], &error), &error);
    require(weft_side_with_identity(k->side[0], weft_side_radius(k->side[0]), NULL, &k->side[2], &error),
            &error);
    for (int v = 0; v < VIEWS; v++)
        k->list[v] = (weft_view){kinds[v], k->side[v]};
}

static void forget(known *k)
{
    for (int v = VIEWS - 1; v >= 0; v--)
        weft_side_free(k->side[v]);
}

static event *draw_events(int64_t count, const known *rows, const known *columns, uint64_t *state)
{
    int block[CLASSES][CLASSES];
    event *events = allocate(count, sizeof *events);
    for (int a = 0; a < CLASSES; a++)
        for (int b = 0; b < CLASSES; b++)
            block[a][b] = below(state, 2) == 0 ? -1 : 1;
    for (int64_t t = 0; t < count; t++) {
        event *e = &events[t];
        *e = (event){.row = below(state, ROWS), .column = below(state, COLUMNS)};
        e->label = block[rows->class_of[e->row]][columns->class_of[e->column]];
        if (below(state, 10) == 0)
            e->label = -e->label;
    }
    return events;
}

typedef struct account {
    double seconds;
    int64_t mistakes, awake;
} account;

static account play_committee(const weft_member *members, int64_t count, bool restless, const event *events,
                              int64_t number)
{
    weft_error error = {0};
    weft_committee *committee = NULL;
    const weft_committee_settings settings = {.restless = restless};
    require(weft_committee_create(members, count, &settings, NULL, &committee, &error), &error);
    double start = processor_seconds();
    for (int64_t t = 0; t < number; t++)
        require(
            weft_committee_learn(committee, events[t].row, events[t].column, events[t].label, NULL, &error),
            &error);
    weft_committee_counters counters = weft_committee_counters_of(committee);
    account a = {processor_seconds() - start, counters.mistakes, counters.awake};
    weft_committee_free(committee);
    return a;
}

static account play_learner(const weft_side *rows, const weft_side *columns, const weft_settings *settings,
                            const event *events, int64_t number)
{
    weft_error error = {0};
    weft_learner *learner = NULL;
    require(weft_learner_create(rows, columns, settings, NULL, &learner, &error), &error);
    double start = processor_seconds();
    for (int64_t t = 0; t < number; t++) {
        weft_prediction prediction;
        require(weft_learner_predict(learner, events[t].row, events[t].column, &prediction, &error), &error);
        require(weft_learner_learn(learner, events[t].row, events[t].column, events[t].label, NULL, &error),
                &error);
    }
    account a = {processor_seconds() - start, weft_learner_counters(learner).mistakes, 1};
    weft_learner_free(learner);
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
        if (members[k].is_rival)
            continue;
        account a = play_learner(members[k].rows, members[k].columns, &members[k].learner, events, number);
        printf("%-36s %9.1f us a trial, mistake rate %.4f\n", members[k].name,
               1e6 * a.seconds / (double)number, (double)a.mistakes / (double)number);
        sum += a.seconds;
        learners++;
    }
    return sum / (double)learners;
}

static int measure(int64_t number, bool quick)
{
    weft_error error = {0};
    known rows = {.class_of = {0}}, columns = {.class_of = {0}};
    uint64_t state = 7;
    int64_t count = 0;
    know(&rows, ROWS, &state);
    know(&columns, COLUMNS, &state);
    event *events = draw_events(number, &rows, &columns, &state);
    const weft_views views[2] = {{rows.list, VIEWS, 0}, {columns.list, VIEWS, 0}};
    require(weft_committee_members(&views[0], &views[1], NULL, &count, &error), &error);
    weft_member *members = allocate(count, sizeof *members);
    require(weft_committee_members(&views[0], &views[1], members, &count, &error), &error);
    double one = play_alone(members, count, events, number);
    weft_settings settings = weft_settings_default(ROWS, COLUMNS, number);
    account single = play_learner(rows.side[0], columns.side[0], &settings, events, number);
    account all = play_committee(members, count, true, events, number);
    account some = play_committee(members, count, false, events, number);
    printf("%lld members; one learner: %.1f us a trial\n", (long long)count, 1e6 * one / (double)number);
    tell("weft_settings_default", &single, one, number);
    tell("committee, nobody rests", &all, one, number);
    tell("committee", &some, one, number);
    printf("{\"bench\":\"committee\",\"members\":%lld,\"learners_worth\":%.2f,\"without_rest\":%.2f,"
           "\"of_default\":%.2f}\n",
           (long long)count, some.seconds / one, all.seconds / one, some.seconds / single.seconds);
    free(members);
    free(events);
    forget(&rows);
    forget(&columns);
    return quick || some.seconds <= MOST_TIMES * one ? 0 : 1;
}

int main(int count, char **words)
{
    int64_t number = 20000;
    bool quick = false;
    for (int k = 1; k < count; k++) {
        if (strcmp(words[k], "--quick") == 0) {
            quick = true;
            number = 2000;
        } else if (k + 1 < count && strcmp(words[k], "--events") == 0) {
            number = atoll(words[++k]);
        } else {
            number = 0;
            break;
        }
    }
    if (number < 1) {
        fprintf(stderr, "usage: bench-committee [--events N] [--quick]\n");
        return 2;
    }
    return measure(number, quick);
}
