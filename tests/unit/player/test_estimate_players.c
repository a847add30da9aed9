/* SPDX-License-Identifier: MIT
 * Estimates of every kind of player against what an allocator counts and what the player counts of its
 * work: bytes within a factor of 2, work within a factor of 3.  Labels are drawn, so that there is much to
 * learn. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_support.h"

#include "committee/committee.h"
#include "committee/estimate.h"
#include "player/player.h"
#include "support/dice.h"
#include "support/effort.h"
#include "support/meter.h"
#include "weft_files.h"

enum { COLUMNS = 60 };

/* The rows; columns are ids of which nothing is known. */
typedef struct sides {
    const char *name, *words;
    int64_t ids;
    bool one_set;
    int64_t contexts; /* values of each of two fields of context; 0: there is none */
} sides;

static const sides all_sides[] = {
    {"none", "", 300, false, 0},
    {"classes", ",epsilon=0.1", 300, false, 0},
    {"features", ",kernel=gaussian,width=1", 300, false, 0},
    {"graph", "", 300, false, 0},
    {"graph", "", 300, true, 0},
    {"graph", ",kernel=regularised,sigma=1", 4400, false, 0},
    {"graph", ",kernel=none", 4400, false, 0},
    {"graph", ",kernel=none", 4400, true, 0},
};

/* What a solve takes is only guessed before the factor is known. */
static bool solves(const sides *what)
{
    return what->ids > 4000 && strstr(what->words, "regularised") != NULL;
}

/* One of the three. */
typedef struct kind {
    const char *name;
    const weft_settings *learner;
    const weft_rival_settings *rival;
    const weft_player_options *committee;
} kind;

typedef struct scene {
    meter own;
    weft_memory memory;
    weft_roster *rows, *columns;
} scene;

static weft_roster *open_rows(const sides *what, bool views, const weft_memory *memory)
{
    test_file file = file_of("");
    char spec[256], name[32];
    weft_roster *roster = NULL;
    weft_error error = {0};
    int64_t number = 0, n = what->ids;
    dice d = {8};
    FILE *out = fopen(file.path, "w");
    assert_non_null(out);
    for (int64_t i = 0; i < n; i++) {
        if (strcmp(what->name, "graph") == 0)
            fprintf(out, "a%lld a%lld\na%lld a%lld\n", (long long)i, (long long)(i + 1) % n, (long long)i,
                    (long long)(i + 31) % n);
        else if (strcmp(what->name, "classes") == 0)
            fprintf(out, "a%lld c%lld\n", (long long)i, (long long)i % 7);
        else
            fprintf(out, "a%lld %.3f %.3f\n", (long long)i, dice_normal(&d), dice_normal(&d));
    }
    assert_int_equal(fclose(out), 0);
    bool none = strcmp(what->name, "none") == 0;
    snprintf(spec, sizeof spec, "%s%s%s%s", what->name, none ? "" : ":", none ? "" : file.path, what->words);
    weft_file_options options = {.memory = memory, .roster = &(weft_roster_options){.views = views}};
    if (weft_roster_open(spec, &options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    for (int64_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "a%lld", (long long)i);
        assert_int_equal(weft_roster_admit(roster, name, NULL, &number, &error), WEFT_OK);
    }
    unlink(file.path);
    return roster;
}

static weft_roster *open_columns(bool views, const weft_memory *memory)
{
    weft_roster *roster = NULL;
    weft_file_options options = {.memory = memory, .roster = &(weft_roster_options){.views = views}};
    assert_int_equal(weft_roster_from_names(COLUMNS, NULL, &options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_player *make_player(scene *s, const kind *who)
{
    weft_player *player = NULL;
    weft_error error = {0};
    const weft_side *rows = weft_roster_side(s->rows),
                    *columns = s->columns != NULL ? weft_roster_side(s->columns) : NULL;
    weft_status status = WEFT_OK;
    if (who->learner != NULL)
        status = weft_learner_create(rows, columns, who->learner, &s->memory, &player, &error);
    else if (who->rival != NULL)
        status = weft_rival_create(rows, columns, who->rival, &s->memory, &player, &error);
    else
        status = weft_player_create(s->rows, s->columns, who->committee, &player, &error);
    if (status != WEFT_OK)
        fail_msg("%s: %s", who->name, error.message);
    if (who->committee != NULL)
        s->rows = s->columns = NULL;
    return player;
}

/* Of two fields. */
static void set_context(weft_player *player, int64_t values, dice *d)
{
    const uint64_t digests[2] = {1 + (uint64_t)dice_below(d, values),
                                 1000000 + (uint64_t)dice_below(d, values)};
    assert_int_equal(weft_player_set_context(player, digests, 2, NULL), WEFT_OK);
}

/* Two filters of each stack multiply by their covariances and narrow them, for every member that does not
 * rest (stack.c). */
static double work_of_stacks(const weft_player *player)
{
    const weft__committee *committee = weft__committee_in(player);
    double work = 0;
    for (int i = -1; committee != NULL && i < 3; i++) {
        const weft__stack *stack = i < 0 ? &committee->stack : &committee->ablation[i].stack;
        for (int64_t k = 0; k < stack->count; k++)
            work += weft__stack_hears(stack, k) ? 4 * (double)stack->n : 0;
    }
    return work;
}

/* Multiplications that the last trials took, a trial, as the player prices them itself and with those of its
 * stacks. */
static double play(weft_player *player, const sides *what, int64_t trials)
{
    dice d = {9};
    double work = 0;
    int64_t last = 20;
    for (int64_t t = 0; t < trials; t++) {
        weft_answer answer = {0};
        if (what->contexts > 0)
            set_context(player, what->contexts, &d);
        int64_t i = dice_below(&d, what->ids), j = dice_below(&d, what->one_set ? what->ids : COLUMNS);
        assert_int_equal(weft_player_learn(player, i, j == i && what->one_set ? (j + 1) % what->ids : j,
                                           dice_below(&d, 2) ? 1 : -1, &answer, NULL),
                         WEFT_OK);
        if (t < trials - last)
            continue;
        for (int64_t k = 0; k < weft_player_member_count(player); k++) {
            const weft_player *member = weft_player_member(player, k);
            bool single = member == player;
            weft_counters counters = weft_player_counters(member);
            int products = single ? answer.products : 0;
            if (!single && weft_player_kind(member) == WEFT_LEARNER && counters.trials > 0)
                products = (int)(counters.products / counters.trials);
            if (single || weft_committee_standing(player, k).is_awake)
                work += member->ops->price(member, products, t) / (double)last;
        }
    }
    return work + work_of_stacks(player);
}

static void assert_within(const kind *who, const sides *what, const char *of, double estimate, double found,
                          double factor)
{
    if (estimate < found / factor || estimate > found * factor)
        fail_msg("%s over %s, %lld ids: %s is %.0f, the estimate %.0f", who->name, what->name,
                 (long long)what->ids, of, found, estimate);
}

static void check(const kind *who, const sides *what, int64_t trials)
{
    scene s = {.rows = NULL};
    s.memory = meter_hook(&s.own);
    bool views = who->committee != NULL;
    s.rows = open_rows(what, views, &s.memory);
    s.columns = what->one_set ? NULL : open_columns(views, &s.memory);
    weft_plan plan = {
        .learner = who->learner, .rival = who->rival, .committee = who->committee, .trials = trials};
    if (what->contexts > 0) {
        int64_t values = what->contexts;
        plan.context_fields = 2;
        plan.context_values = 2 * values + (values + 1) * (values + 1);
    }
    weft_estimate before = weft_estimate_run(s.rows, s.columns, &plan);
    assert_int_equal(weft_roster_build(s.rows, NULL), WEFT_OK);
    if (s.columns != NULL)
        assert_int_equal(weft_roster_build(s.columns, NULL), WEFT_OK);
    weft_estimate after = weft_estimate_run(s.rows, s.columns, &plan);
    assert_true(after.player.most == before.player.most && after.player.least == before.player.least);
    assert_true(after.first_work == before.first_work && after.last_work == before.last_work);
    assert_true(after.rows.most == 0 && after.columns.most == 0);
    int64_t held = s.own.used;
    weft_player *player = make_player(&s, who);
    double start = (double)(s.own.used - held);
    s.own.peak = s.own.used;
    double work = play(player, what, trials);
    double peak = (double)(s.own.peak - held);
    assert_true(before.first_work <= before.last_work || who->committee != NULL);
    assert_within(who, what, "start", (double)before.player.least, start, 2);
    assert_within(who, what, "bytes", (double)before.player.most, peak, 2);
    if ((double)before.player.most < peak)
        fail_msg("%s over %s, %lld ids, %lld contexts: peak %.0f, at most %.0f told", who->name, what->name,
                 (long long)what->ids, (long long)what->contexts, peak, (double)before.player.most);
    if (!solves(what))
        assert_within(who, what, "work", before.last_work, work, 3);
    weft_player_free(player);
    weft_roster_free(s.columns);
    weft_roster_free(s.rows);
    assert_int_equal(s.own.used, 0);
}

static void learners(void **state)
{
    for (size_t k = 0; k < sizeof all_sides / sizeof *all_sides; k++) {
        const sides *what = &all_sides[k];
        if (what->ids > 4000 && what->one_set)
            continue; /* few are met twice, and little is learnt */
        weft_settings settings = weft_settings_default(what->ids, what->one_set ? 0 : COLUMNS, 400);
        kind krylov = {"learner", &settings, NULL, NULL};
        check(&krylov, what, solves(what) ? fewer(400, 50) : 400);
        settings.precision = WEFT_DOUBLE;
        if (!solves(what) || fewer(1, 0))
            check(&krylov, what, 50);
    }
}

static void compact_learners(void **state)
{
    const sides what = {"classes", ",epsilon=0", 200, true, 0};
    weft_settings settings = weft_settings_default(200, 0, 400);
    settings.engine = WEFT_COMPACT;
    check(&(kind){"compact", &settings, NULL, NULL}, &what, 200);
}

static void rivals(void **state)
{
    for (int which = 0; which < WEFT_RIVALS; which++)
        for (size_t k = 0; k < sizeof all_sides / sizeof *all_sides; k++) {
            weft_rival_settings settings = {.kind = (weft_rival_kind)which, .bits = 16};
            kind rival = {weft_rival_name((weft_rival_kind)which), NULL, &settings, NULL};
            /* The kernel of a large graph takes long to make and is the same for all. */
            if (!solves(&all_sides[k]) || which == WEFT_RIVAL_SUM || fewer(1, 0))
                check(&rival, &all_sides[k], fewer(500, 400));
        }
}

static void committees(void **state)
{
    const weft_player_options options = {0};
    for (size_t k = 0; k < sizeof all_sides / sizeof *all_sides; k++)
        check(&(kind){"committee", NULL, NULL, &options}, &all_sides[k],
              all_sides[k].ids > 4000 ? fewer(40, 10) : fewer(300, 100));
}

/* What a context adds: vectors and weights of its values, and a place beside every event that is kept. */
static void contexts(void **state)
{
    const weft_player_options options = {0};
    weft_rival_settings settings[2] = {{.kind = WEFT_RIVAL_HYBRID}, {.kind = WEFT_RIVAL_CROSSED, .bits = 18}};
    static const int64_t values[] = {3, 200};
    for (int many = 0; many < 2; many++) {
        sides what = all_sides[0];
        what.contexts = values[many];
        for (int k = 0; k < 2; k++)
            check(&(kind){weft_rival_name(settings[k].kind), NULL, &settings[k], NULL}, &what,
                  fewer(5000, 500));
        check(&(kind){"committee", NULL, NULL, &options}, &what, fewer(2000, 200));
    }
}

/* However many ids there are: rivals give memory back where there is more than they may hold. */
static void many_ids_end_at_what_rivals_may_hold(void **state)
{
    const weft_player_options options = {0};
    const weft_plan plan = {.committee = &options, .rows = 10000000, .trials = 100000000};
    weft_roster *rows = open_rows(&all_sides[0], true, NULL), *columns = open_columns(true, NULL);
    weft_estimate found = weft_estimate_run(rows, columns, &plan);
    assert_true((double)found.player.most > WEFT__ROOM && (double)found.player.most < 3 * WEFT__ROOM);
    weft_roster_free(rows);
    weft_roster_free(columns);
}

/* Where nothing is said of its kernel a large graph has none, whether the views were asked for or come with
 * the committee. */
static void committees_over_edges(void **state)
{
    const weft_player_options options = {0};
    const weft_plan plan = {.committee = &options, .trials = 500};
    for (int one_set = 0; one_set < 2; one_set++) {
        const sides open = {"graph", "", 4400, one_set, 0},
                    none = {"graph", ",kernel=none", 4400, one_set, 0},
                    explicit = {"graph", ",kernel=pdlaplacian", 4400, one_set, 0};
        check(&(kind){"committee", NULL, NULL, &options}, &open, fewer(300, 100));
        weft_estimate found[4];
        for (int k = 0; k < 4; k++) {
            weft_roster *rows = open_rows(k < 2    ? &open
                                          : k == 2 ? &none
                                                   : &explicit,
                                          k != 1, NULL),
                        *columns = one_set ? NULL : open_columns(k != 1, NULL);
            found[k] = weft_estimate_run(rows, columns, &plan);
            weft_roster_free(rows);
            weft_roster_free(columns);
        }
        for (int k = 1; k < 3; k++) {
            assert_int_equal(found[k].all.most, found[0].all.most);
            assert_int_equal(found[k].rows.most, found[0].rows.most);
            assert_int_equal(found[k].player.most, found[0].player.most);
            assert_true(found[k].first_work == found[0].first_work);
            assert_true(found[k].last_work == found[0].last_work);
        }
        assert_true(found[3].rows.most > 10 * found[0].rows.most);
        assert_true(found[3].first_work > 10 * found[0].first_work);
    }
}

/* To a learner edges say nothing. */
static void learners_over_edges(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++) {
        const sides edges = {"graph", ",kernel=none", 4400, one_set, 0},
                    none = {"none", "", 4400, one_set, 0};
        const weft_settings settings = weft_settings_default(4400, one_set ? 0 : COLUMNS, 400);
        const weft_plan plan = {.learner = &settings, .trials = 400};
        weft_roster *columns = one_set ? NULL : open_columns(false, NULL);
        weft_estimate found[2];
        for (int k = 0; k < 2; k++) {
            weft_roster *rows = open_rows(k == 0 ? &edges : &none, false, NULL);
            found[k] = weft_estimate_run(rows, columns, &plan);
            weft_roster_free(rows);
        }
        assert_int_equal(found[0].player.least, found[1].player.least);
        assert_int_equal(found[0].player.most, found[1].player.most);
        assert_true(found[0].first_work == found[1].first_work && found[0].last_work == found[1].last_work);
        weft_roster_free(columns);
    }
}

/* The side itself, while it is made. */
static void a_side_of_edges(void **state)
{
    const sides edges = {"graph", ",kernel=none", 9000, true, 0};
    meter own = {0};
    const weft_memory memory = meter_hook(&own);
    weft_roster *rows = open_rows(&edges, false, &memory);
    int64_t held = own.used;
    weft_estimate found = weft_estimate_run(rows, NULL, NULL);
    own.peak = own.used;
    assert_int_equal(weft_roster_build(rows, NULL), WEFT_OK);
    double peak = (double)(own.peak - held);
    if ((double)found.rows.most < peak || (double)found.rows.least > peak)
        fail_msg("peak %.0f, estimate %.0f to %.0f", peak, (double)found.rows.least, (double)found.rows.most);
    weft_roster_free(rows);
}

/* What a committee begins with is known well: without the members over the communities it would be told too
 * little. */
static void communities_are_counted(void **state)
{
    const weft_player_options options = {0};
    const kind who = {"committee", NULL, NULL, &options};
    for (size_t k = 3; k < 5; k++) {
        scene s = {.rows = NULL};
        s.memory = meter_hook(&s.own);
        s.rows = open_rows(&all_sides[k], true, &s.memory);
        s.columns = all_sides[k].one_set ? NULL : open_columns(true, &s.memory);
        weft_estimate found =
            weft_estimate_run(s.rows, s.columns, &(weft_plan){.committee = &options, .trials = 10});
        assert_int_equal(weft_roster_build(s.rows, NULL), WEFT_OK);
        if (s.columns != NULL)
            assert_int_equal(weft_roster_build(s.columns, NULL), WEFT_OK);
        int64_t held = s.own.used;
        weft_player *player = make_player(&s, &who);
        double start = (double)(s.own.used - held), told = (double)found.player.least;
        assert_true(told > start && told < 1.25 * start);
        weft_player_free(player);
        weft_roster_free(s.columns);
        weft_roster_free(s.rows);
        assert_int_equal(s.own.used, 0);
    }
}

/* For so long that some accounts are spent. */
static void a_long_committee(void **state)
{
    const weft_player_options options = {0};
    check(&(kind){"committee", NULL, NULL, &options}, &all_sides[1], fewer(6000, 500));
}

/* Where every member can pay, all play on, and none becomes cheaper.  Those that can pay cost at most what
 * their accounts have for a trial, all others together the budget; beside them four stacks learn, each four
 * times the square of the members.  Who is heard longer takes no less memory. */
static void accounts_end(void **state)
{
    enum { MEMBERS = 128 };
    const weft_player_options options = {0};
    for (size_t k = 0; k < sizeof all_sides / sizeof *all_sides; k++) {
        weft_roster *rows = open_rows(&all_sides[k], true, NULL), *columns = NULL;
        if (!all_sides[k].one_set)
            columns = open_columns(true, NULL);
        weft_plan plan = {.committee = &options, .trials = 3};
        weft_estimate before = weft_estimate_run(rows, columns, &plan);
        assert_true(before.last_work >= before.first_work);
        for (plan.trials = 1000; plan.trials <= INT64_C(1000000000000); plan.trials *= 10) {
            weft_estimate now = weft_estimate_run(rows, columns, &plan);
            double paid = MEMBERS * 1e9 / (double)plan.trials;
            assert_true(now.last_work <= WEFT__BUDGET + 4 * 4 * (MEMBERS + 1) * (MEMBERS + 1) + paid);
            assert_true(now.first_work == before.first_work && now.player.most >= before.player.most);
            before = now;
        }
        weft_roster_free(columns);
        weft_roster_free(rows);
    }
}

/* The most trials of which the last price, as often as `share` times the trials, is in the account. */
static double paid_trials(const weft__foreseen *f, double share)
{
    double trials = 1;
    while (share * trials * weft__learner_work(f->rows, f->columns, &f->member->learner, trials).most <= 1e8)
        trials *= 1.001;
    return trials;
}

static weft__amount estimate_of(const weft__foreseen *f, bool restless, double trials)
{
    return weft__committee_estimate(
        &(weft__committee_plan){.members = f, .count = 1, .restless = restless, .stream = {trials, 0, 0}});
}

/* A learner is dear before its account is empty, and then hears no more.  Its price grows, so what it has
 * paid is something between nothing and the last price for every trial.  A rival of counts hears all. */
static void the_dear_hear_no_more(void **state)
{
    const weft__outline side = {
        .listed = 20000, .ids = 20000, .structured = true, .vectors = 1, .budget = 1e9};
    weft_member learner = {.learner = weft_settings_default(20000, 20000, 1000000)};
    weft_member rival = {.is_rival = true, .rival = {.kind = WEFT_RIVAL_LOGISTIC, .bits = 20}};
    const weft__foreseen dear = {&learner, &side, &side}, cheap = {&rival, &side, &side};
    double least = estimate_of(&dear, true, paid_trials(&dear, 2)).most,
           most = estimate_of(&dear, true, paid_trials(&dear, 1)).most;
    for (double trials = 1e5; trials <= 1e12; trials *= 10) {
        double found = estimate_of(&dear, false, trials).most;
        assert_true(least <= 1.01 * found && found <= 1.01 * most);
        assert_true(2 * most < estimate_of(&dear, true, trials).most);
        assert_true(estimate_of(&cheap, false, trials).most == estimate_of(&cheap, true, trials).most);
    }
    assert_true(estimate_of(&dear, false, 100).most == estimate_of(&dear, true, 100).most);
}

/* A learner without a quasi-dimension takes whoever comes: nobody is listed. */
static void an_open_learner(void **state)
{
    enum { TRIALS = 2000 };
    for (int one_set = 0; one_set < 2; one_set++) {
        scene s = {.rows = NULL};
        s.memory = meter_hook(&s.own);
        const weft_file_options options = {.memory = &s.memory};
        weft_settings settings = weft_settings_default(1, one_set ? 0 : 1, TRIALS);
        settings.rows = settings.columns = 0;
        settings.eta = 1;
        settings.dimension = 0;
        assert_int_equal(weft_roster_open("none", &options, &s.rows, NULL), WEFT_OK);
        if (!one_set)
            assert_int_equal(weft_roster_open("none", &options, &s.columns, NULL), WEFT_OK);
        const weft_plan plan = {.learner = &settings, .trials = TRIALS};
        weft_estimate found = weft_estimate_run(s.rows, s.columns, &plan);
        assert_int_equal(weft_roster_build(s.rows, NULL), WEFT_OK);
        if (!one_set)
            assert_int_equal(weft_roster_build(s.columns, NULL), WEFT_OK);
        int64_t held = s.own.used;
        kind who = {"open learner", &settings, NULL, NULL};
        weft_player *player = make_player(&s, &who);
        s.own.peak = s.own.used;
        /* What it does not expect, so that every trial touches its ids. */
        for (int64_t t = 0; t < TRIALS; t++) {
            weft_answer answer;
            assert_int_equal(weft_player_predict(player, 2 * t, 2 * t + 1, &answer, NULL), WEFT_OK);
            assert_int_equal(weft_player_learn(player, 2 * t, 2 * t + 1, -answer.label, NULL, NULL), WEFT_OK);
        }
        const sides what = {"none", "", 2 * TRIALS, one_set, 0};
        assert_within(&who, &what, "bytes", (double)found.player.most, (double)(s.own.peak - held), 2);
        weft_player_free(player);
        weft_roster_free(s.columns);
        weft_roster_free(s.rows);
        assert_int_equal(s.own.used, 0);
    }
}

static void negative_counts(void **state)
{
    const weft_player_options committee = {0};
    weft_settings settings = weft_settings_default(5, 5, 100);
    weft_roster *rows = NULL;
    const weft_plan plans[] = {{.committee = &committee, .trials = -1},
                               {.committee = &committee, .rows = -1},
                               {.committee = &committee, .columns = -1},
                               {.learner = &settings, .trials = 5},
                               {.learner = &settings, .trials = 5}};
    assert_int_equal(weft_roster_from_names(5, NULL, NULL, &rows, NULL), WEFT_OK);
    for (int k = 0; k < 5; k++) {
        settings.rows = k == 3 ? -5 : 5;
        settings.columns = k == 4 ? -5 : 5;
        weft_estimate found = weft_estimate_run(rows, NULL, &plans[k]);
        assert_true(found.all.most == 0 && found.player.most == 0 && found.last_work == 0);
    }
    weft_roster_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learners),
        cmocka_unit_test(compact_learners),
        cmocka_unit_test(rivals),
        cmocka_unit_test(committees),
        cmocka_unit_test(contexts),
        cmocka_unit_test(many_ids_end_at_what_rivals_may_hold),
        cmocka_unit_test(communities_are_counted),
        cmocka_unit_test(a_long_committee),
        cmocka_unit_test(an_open_learner),
        cmocka_unit_test(accounts_end),
        cmocka_unit_test(the_dear_hear_no_more),
        cmocka_unit_test(negative_counts),
        cmocka_unit_test(committees_over_edges),
        cmocka_unit_test(a_side_of_edges),
        cmocka_unit_test(learners_over_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
