/* SPDX-License-Identifier: MIT
 * Ids without a bound: a side that is open answers as one to which the same ids were appended, and players
 * over it are the same to the byte as those that knew all ids from the beginning, also in pieces. */
#include "support/test.h"

#include "learner/learner.h"
#include "support/effort.h"
#include "support/known.h"
#include "support/naive.h"

enum { LISTED = 7, IDS = 13, TRIALS = 160 };

/* One drawing of side information: with all ids, and open with the listed ones. */
typedef struct sides {
    known closed_facts, open_facts;
    weft_side *closed, *open;
} sides;

/* Where it lies it stays: a callback borrows it. */
static void draw(known_kind kind, uint64_t seed, sides *s)
{
    dice one = {seed}, two = {seed};
    *s = (sides){.closed = NULL};
    known_draw(&one, kind, IDS, LISTED, &s->closed_facts);
    known_draw(&two, kind, IDS, LISTED, &s->open_facts);
    s->open_facts.options.open = true;
    assert_int_equal(known_side(&s->closed_facts, &s->closed, NULL), WEFT_OK);
    assert_int_equal(known_side(&s->open_facts, &s->open, NULL), WEFT_OK);
    while (weft_side_count(s->closed) < IDS)
        assert_int_equal(weft_side_append(s->closed, &(weft_item){.alone = true}, NULL), WEFT_OK);
}

static void drop(sides *s)
{
    weft_side_free(s->closed);
    weft_side_free(s->open);
    known_release(&s->closed_facts);
    known_release(&s->open_facts);
}

/* ---- Sides ---- */

static void assert_same_products(const weft_side *a, const weft_side *b)
{
    int64_t ids[IDS];
    double x[IDS], y[2][IDS] = {{0}}, work[64 * IDS];
    for (int64_t k = 0; k < IDS; k++) {
        ids[k] = (5 * k + 2) % IDS;
        x[k] = 1 + (double)k / 8;
    }
    assert_true(weft__side_work(a) <= 64 * IDS);
    if (a->ops->product != NULL) {
        double rounding = a->ops->product(a, ids, IDS, x, y[0], work);
        assert_true(b->ops->product(b, ids, IDS, x, y[1], work) == rounding);
        assert_memory_equal(y[0], y[1], sizeof y[0]);
    }
    if (a->ops->absolute != NULL) {
        a->ops->absolute(a, ids, IDS, x, y[0], work);
        b->ops->absolute(b, ids, IDS, x, y[1], work);
        assert_memory_equal(y[0], y[1], sizeof y[0]);
    }
    for (int64_t i = 0; i < IDS; i++) {
        a->ops->column(a, i, ids, IDS, y[0], work);
        b->ops->column(b, i, ids, IDS, y[1], work);
        assert_memory_equal(y[0], y[1], sizeof y[0]);
    }
}

static void open_sides_answer_as_if_all_were_appended(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (uint64_t seed = 1; seed <= 12; seed++) {
            sides s;
            draw((known_kind)kind, 100 * seed + (uint64_t)kind, &s);
            assert_int_equal(weft_side_count(s.open), LISTED);
            assert_true(weft_side_radius(s.open) == weft_side_radius(s.closed));
            for (int64_t i = 0; i < IDS; i++)
                for (int64_t j = 0; j < IDS; j++)
                    assert_true(weft_side_entry(s.open, i, j) == weft_side_entry(s.closed, i, j));
            assert_same_products(s.closed, s.open);
            assert_int_equal(weft_side_append(s.open, &(weft_item){.alone = true}, NULL), WEFT_UNSUPPORTED);
            assert_false(weft__side_has(s.open, -1));
            drop(&s);
        }
}

/* ---- Players ---- */

enum { MEMBERS = 3 + WEFT_RIVALS };

static void list_members(const weft_side *rows, const weft_side *columns, weft_member members[MEMBERS])
{
    for (int k = 0; k < MEMBERS; k++) {
        members[k] = (weft_member){.rows = rows, .columns = columns, .uses = WEFT_ROWS, .is_rival = k >= 3};
        members[k].learner = (weft_settings){.form = columns == NULL ? WEFT_ONE_SET
                                                     : k == 0        ? WEFT_PAPER
                                                                     : WEFT_BALANCED,
                                             .eta = 0.5 * (k + 1),
                                             .gamma = 1.0 / 3,
                                             .tolerance = 0.3,
                                             .seed = 1,
                                             .deterministic = true};
        members[k].rival = (weft_rival_settings){.kind = (weft_rival_kind)(k >= 3 ? k - 3 : 0), .bits = 10};
        snprintf(members[k].name, sizeof members[k].name, "member %d", k);
    }
}

static weft_player *convene(const weft_side *rows, const weft_side *columns)
{
    weft_member members[MEMBERS];
    weft_player *committee = NULL;
    weft_error error = {0};
    list_members(rows, columns, members);
    if (weft_committee_create(members, MEMBERS, &(weft_committee_settings){0}, NULL, &committee, &error) !=
        WEFT_OK)
        fail_msg("%s", error.message);
    return committee;
}

/* Ids come one by one: at trial t there are so many. */
static void teach(weft_player *player, int64_t from, int64_t to, bool ask_strangers)
{
    weft_error error = {0};
    weft_answer answer;
    for (int64_t t = from; t < to; t++) {
        int64_t most = 2 + t / 12 < IDS ? 2 + t / 12 : IDS;
        int64_t row = (t * 5 + t / 7) % most, column = (t * 3 + t / 5) % most;
        if (ask_strangers)
            assert_int_equal(weft_player_predict(player, IDS + t % 3, t % IDS, &answer, NULL), WEFT_OK);
        if (weft_player_learn(player, row, column, (row < column) == (t % 5 != 2) ? 1 : -1, NULL, &error) !=
            WEFT_OK)
            fail_msg("%s", error.message);
    }
}

static unsigned char *bytes_of(const weft_player *player, size_t *size)
{
    assert_int_equal(weft_player_write(player, NULL, size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(weft_player_write(player, bytes, size, NULL), WEFT_OK);
    return bytes;
}

static void assert_same_state(const weft_player *a, const weft_player *b)
{
    size_t size[2] = {0, 0};
    unsigned char *bytes[2] = {bytes_of(a, &size[0]), bytes_of(b, &size[1])};
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* Written and read again, by somebody who has never heard of the ids. */
static weft_player *read_again(weft_player *player, const weft_side *rows, const weft_side *columns)
{
    weft_member members[MEMBERS];
    weft_player *again = NULL;
    weft_error error = {0};
    size_t size = 0;
    unsigned char *bytes = bytes_of(player, &size);
    list_members(rows, columns, members);
    if (weft_committee_read(members, MEMBERS, bytes, size, NULL, &again, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    free(bytes);
    weft_player_free(player);
    return again;
}

static void check_committee(known_kind kind, bool one_set)
{
    sides s, t;
    draw(kind, 7 + (uint64_t)kind, &s);
    draw(KNOWN_NONE, 3, &t);
    weft_player *known_all = convene(s.closed, one_set ? NULL : t.closed);
    weft_player *at_once = convene(s.open, one_set ? NULL : t.open);
    weft_player *in_pieces = convene(s.open, one_set ? NULL : t.open);
    teach(known_all, 0, TRIALS, false);
    teach(at_once, 0, TRIALS, true);
    for (int64_t piece = 0; piece < 10; piece++) {
        teach(in_pieces, piece * TRIALS / 10, (piece + 1) * TRIALS / 10, false);
        in_pieces = read_again(in_pieces, s.open, one_set ? NULL : t.open);
    }
    assert_same_state(known_all, at_once);
    assert_same_state(known_all, in_pieces);
    weft_player_free(known_all);
    weft_player_free(at_once);
    weft_player_free(in_pieces);
    drop(&s);
    drop(&t);
}

static void committees_know_no_number(void **state)
{
    for (int kind = 0; kind < KNOWN_KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++)
            if (one_set == kind % 2 || fewer(1, 0))
                check_committee((known_kind)kind, one_set);
}

/* ---- The bound of the spectrum ---- */

enum { MOST = 2 * IDS };

/* y = O x for every unit vector x of a slot: the matrix of an operator over the touched ids, row by row. */
static void fill_matrix(weft__space *space, bool kernel, int64_t count, const int64_t *at,
                        long double *matrix)
{
    const weft__operators *o = &space->backend.operators;
    double *x = naive_new(o->n, sizeof *x), *y = naive_new(o->n, sizeof *y);
    for (int64_t j = 0; j < count; j++) {
        x[at[j]] = 1;
        if (kernel)
            o->kernel(o->self, false, x, y);
        else
            o->evidence(o->self, false, x, y);
        x[at[j]] = 0;
        for (int64_t i = 0; i < count; i++)
            matrix[i * count + j] = y[at[i]];
    }
    free(x);
    free(y);
}

/* The eigenvalues of sqrt(K) C sqrt(K). */
static void find_eigenvalues(weft__space *space, int64_t count, const int64_t *at, long double *values)
{
    long double k[MOST * MOST], c[MOST * MOST], v[MOST * MOST], root[MOST * MOST], a[MOST * MOST];
    fill_matrix(space, true, count, at, k);
    fill_matrix(space, false, count, at, c);
    naive_eigen(count, k, values, v);
    for (int64_t i = 0; i < count * count; i++)
        root[i] = a[i] = 0;

    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            for (int64_t e = 0; e < count; e++)
                root[i * count + j] += v[e * count + i] * v[e * count + j] * sqrtl(fmaxl(values[e], 0));
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            for (int64_t e = 0; e < count; e++)
                for (int64_t f = 0; f < count; f++)
                    a[i * count + j] += root[i * count + e] * c[e * count + f] * root[f * count + j];
    naive_eigen(count, a, values, v);
}

/* b >= lambda_max(A), and log_trace >= log tr exp(A) over the touched ids and one more. */
static void assert_bound_holds(const weft_player *player)
{
    weft__learner *learner = weft__learner_in(player);
    weft__space *space = learner->space;
    long double values[MOST], largest = 0, trace = 1;
    int64_t at[MOST], count = 0;
    for (int side = 0; side < 2; side++)
        for (int64_t s = 0; s < space->view[side].count; s++)
            at[count++] = (side == 0 ? 0 : space->exponent.offset) + s;
    find_eigenvalues(space, count, at, values);
    for (int64_t k = 0; k < count; k++) {
        largest = fmaxl(largest, values[k]);
        trace += expl(values[k]);
    }
    assert_true(learner->bound.weyl >= (double)largest - 1e-9);
    assert_true(learner->bound.log_trace >= (double)logl(trace) - 1e-9);
    assert_int_equal(learner->backend->dimensions, count + 1);
}

static void bounds_hold_as_ids_come(void **state)
{
    for (int form = 0; form < 3; form++) {
        sides s, t;
        draw(KNOWN_GAUSSIAN, 11, &s);
        draw(KNOWN_CLASSES, 5, &t);
        bool one_set = form == WEFT_ONE_SET;
        weft_settings settings = {
            .form = (weft_form)form, .eta = 1, .gamma = 1.0 / 3, .tolerance = 0.3, .seed = 1};
        weft_player *player = NULL, *other = NULL;
        assert_int_equal(weft_learner_create(s.open, one_set ? NULL : t.open, &settings, NULL, &player, NULL),
                         WEFT_OK);
        for (int64_t k = 0; k < TRIALS; k++) {
            teach(player, k, k + 1, false);
            assert_bound_holds(player);
        }
        assert_int_equal(weft_player_clone(player, &other, NULL), WEFT_OK);
        assert_int_equal(weft_player_forget(player, WEFT_ROWS, 3, NULL), WEFT_OK);
        assert_bound_holds(player);
        assert_int_equal(weft_player_merge(player, other, NULL), WEFT_OK);
        assert_bound_holds(player);
        weft_player_free(other);
        weft_player_free(player);
        drop(&s);
        drop(&t);
    }
}

/* ---- Settings ---- */

static void refusals(void **state)
{
    sides s;
    weft_side *empty = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    weft_settings settings = {.eta = 1, .gamma = 1, .rows = 50};
    draw(KNOWN_NONE, 1, &s);
    assert_int_equal(weft_learner_create(s.open, s.open, &settings, NULL, &player, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "have no bound"));
    settings = (weft_settings){.eta = 1, .gamma = 1, .dimension = 4};
    assert_int_equal(weft_side_none(0, &(weft_side_options){.open = true}, &empty, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(empty, empty, &settings, NULL, &player, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "list none"));
    /* A capacity is kept to, also over a side that is open. */
    settings = weft_settings_default(LISTED, LISTED, 10);
    assert_int_equal(weft_learner_create(s.open, s.open, &settings, NULL, &player, &error), WEFT_OK);
    assert_int_equal(weft_player_learn(player, LISTED, 0, 1, NULL, &error), WEFT_CAPACITY);
    weft_player_free(player);
    weft_side_free(empty);
    drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_sides_answer_as_if_all_were_appended),
        cmocka_unit_test(committees_know_no_number),
        cmocka_unit_test(bounds_hold_as_ids_come),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
