/* SPDX-License-Identifier: MIT
 * The bytes of a committee that follows changes: read at any trial it goes on as if nothing had been; cut or
 * damaged they are refused. */
#include "unit/test_core_support.h"

#include "support/tracker.h"
#include "test_state_support.h"

enum { IDS = TRACKER_IDS, TRACKING = 5 };

/* Fields of the track, as track_state.c lists them, from its first. */
enum {
    ALARM,
    ALARMS,
    LAST,
    MISTAKES,
    EXPECTED,
    DRIFT,
    BORN,
    BELIEF = BORN + 2,
    SHARE = BELIEF + 3,
    SIZE = SHARE + 6
};

static const weft_committee_settings SETTINGS = {.tracking = true, .randomised = true, .seed = 3};

/* ---- Going on ---- */

static weft_player *read_again(const panel *p, const weft_player *committee)
{
    weft_player *copy = NULL;
    weft_error error = {0};
    panel_state s = panel_write(committee);
    if (weft_committee_read(p->members, p->count, s.bytes, s.size, NULL, &copy, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    free(s.bytes);
    panel_assert_same(committee, copy);
    return copy;
}

/* A break after every `every` trials, from `first` on, against none. */
static void play_with_breaks(const panel *p, int64_t every, int64_t trials)
{
    weft_player *whole = panel_committee(p, &SETTINGS, NULL), *broken = panel_committee(p, &SETTINGS, NULL);
    int64_t generations = 0;
    for (int64_t t = 0; t < trials; t++) {
        tracker_play(t, t + 1, whole);
        tracker_play(t, t + 1, broken);
        if (t % every != 0)
            continue;
        weft_player *copy = read_again(p, broken);
        weft_player_free(broken);
        broken = copy;
        for (int g = 0; g < 2; g++)
            generations |= weft__committee_in(broken)->track->younger[g] != NULL ? 1 << (g + 1) : 1;
        panel_assert_same(whole, broken);
    }
    panel_assert_same(whole, broken);
    /* None, the young one alone, and both have been seen. */
    assert_true(every == 1 || generations == 7);
    assert_true(weft__committee_in(whole)->track->alarms > 0);
    weft_player_free(whole);
    weft_player_free(broken);
}

static void breaks_change_nothing(void **state)
{
    panel p;
    tracker_open(false, &p);
    play_with_breaks(&p, 1, 420);
    play_with_breaks(&p, 37, 1400);
    panel_close(&p);
}

/* What was asked for says less than what is there: capacities, rates, bits and tolerances come from the
 * state, for those who are born later as well. */
static void defaults_are_not_asked_for_again(void **state)
{
    panel p;
    tracker_open(false, &p);
    panel_add_rival(&p, WEFT_RIVAL_LOGISTIC, 0.25, p.given[0], p.given[1]);
    weft_player *whole = panel_committee(&p, &SETTINGS, NULL);
    tracker_play(0, 100, whole);
    p.members[0].learner.rows = p.members[0].learner.columns = 0;
    p.members[0].learner.tolerance = 0;
    p.members[2].rival = (weft_rival_settings){.kind = WEFT_RIVAL_LOGISTIC};
    weft_player *broken = read_again(&p, whole);
    tracker_play(100, 560, whole);
    tracker_play(100, 560, broken);
    assert_non_null(weft__committee_in(whole)->track->younger[1]);
    panel_assert_same(whole, broken);
    weft_player_free(broken);
    broken = read_again(&p, whole);
    weft_player_free(broken);
    weft_player_free(whole);
    panel_close(&p);
}

/* ---- Damage ---- */

/* Fields of a state. */
typedef struct places {
    int64_t track;         /* the field with which it begins */
    int64_t generation[2]; /* the fields with their sizes */
} places;

static places bench_open(int64_t trials, bench *b)
{
    places at;
    tracker_open(false, &b->p);
    weft_player *committee = panel_committee(&b->p, &SETTINGS, NULL);
    tracker_play(0, trials, committee);
    b->s = panel_write(committee);
    /* The eldest alone has as many bytes as one that follows nothing. */
    weft_committee_settings plain = SETTINGS;
    plain.tracking = false;
    weft_player *twin = panel_committee(&b->p, &plain, NULL);
    tracker_play(0, trials, twin);
    panel_state t = panel_write(twin);
    at.track = (int64_t)t.size / 8;
    for (int g = 0; g < 2; g++)
        at.generation[g] =
            g == 0 ? at.track + SIZE : at.generation[0] + 1 + field_of(b, at.generation[0]) / 8;
    assert_int_equal(8 * (at.generation[1] + 1) + field_of(b, at.generation[1]), b->s.size);
    free(t.bytes);
    weft_player_free(twin);
    weft_player_free(committee);
    return at;
}

/* A copy of the right size is made each time, so that a sanitizer sees who reads beyond.  Before the track
 * test_committee_state.c cuts. */
static void cut_everywhere(void **state)
{
    bench b;
    places at = bench_open(TRACKER_BOTH, &b);
    assert_true(field_of(&b, at.generation[0]) > 0 && field_of(&b, at.generation[1]) > 0);
    unsigned char *whole = b.s.bytes;
    for (size_t size = 8 * (size_t)at.track; size < b.s.size; size++) {
        weft_error error = {0};
        b.s.bytes = malloc(size);
        assert_non_null(b.s.bytes);
        memcpy(b.s.bytes, whole, size);
        assert_int_equal(take(&b, size, &error), WEFT_MODEL);
        assert_non_null(strstr(error.message, "damaged"));
        free(b.s.bytes);
    }
    b.s.bytes = whole;
    assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
    bench_close(&b);
}

static void numbers_of(bench *b, places at, int64_t trials)
{
    const char *words = "its generations are cut short or contradict themselves";
    for (int64_t field = ALARMS; field <= BORN + 1; field++) {
        refuse_field(b, at.track + field, -1, words);
        if (field != EXPECTED && field != DRIFT)
            refuse_field(b, at.track + field, trials + 1, words);
    }
    refuse_field(b, at.track + BORN, field_of(b, at.track + BORN + 1) + 1, words);
    refuse_number(b, at.track + DRIFT, -1e9, words);
    refuse_number(b, at.track + DRIFT, 1e9, words);
    for (int field = 0; field < 3; field++) {
        static const double bad[] = {NAN, -0.5, INFINITY, 1e9};
        int number = field == 0 ? ALARM : field == 1 ? EXPECTED : BELIEF;
        for (int k = 0; k < 4; k++)
            refuse_number(b, at.track + number, bad[k], words);
    }
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        refuse_number(b, at.track + BELIEF + g, 0, words);
        refuse_number(b, at.track + BELIEF + g, 1.01, words);
    }
    for (int field = 0; field < 6; field++)
        refuse_number(b, at.track + SHARE + field, NAN, words);
}

static void every_field(void **state)
{
    for (int64_t trials = TRACKER_NONE; trials <= TRACKER_BOTH; trials += TRACKER_BOTH - TRACKER_NONE) {
        bench b;
        places at = bench_open(trials, &b);
        numbers_of(&b, at, trials);
        assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
        for (int g = 0; g < 2; g++) {
            refuse_field(&b, at.generation[g], -8, "a generation is cut short");
            refuse_field(&b, at.generation[g], INT64_MAX, "a generation is cut short");
            refuse_field(&b, at.generation[g], (int64_t)b.s.size, "a generation is cut short");
        }
        bench_close(&b);
    }
}

/* Fields of a committee, as state.c lists them. */
enum { COMMITTEE_VERSION = 1, RANDOMISED = 2, RESTLESS = 4, MEMBERS = 6 };

/* Where rows and columns of the first learner of a generation are: found by their values. */
static int64_t find_rows(const bench *b, int64_t from)
{
    int64_t field = from;
    while (field_of(b, field) != IDS || field_of(b, field + 1) != IDS)
        field++;
    return field;
}

static void generations_of_others(void **state)
{
    const char *settings = "a generation has other settings than the eldest";
    bench b;
    places at = bench_open(TRACKER_BOTH, &b);
    for (int g = 0; g < 2; g++) {
        int64_t first = at.generation[g] + 1, born = at.track + BORN + g;
        refuse_field(&b, first, 0, "not the state of a committee");
        refuse_field(&b, first + COMMITTEE_VERSION, 1, "version 1");
        refuse_field(&b, first + RANDOMISED, 1, settings);
        refuse_field(&b, first + RESTLESS, 1, settings);
        refuse_field(&b, first + TRACKING, 1, "a generation has generations of its own");
        refuse_field(&b, first + MEMBERS, 3, "3 members, expected 2");
        refuse_field(&b, born, field_of(&b, born) + (g == 0 ? -1 : 1), "as old as it cannot be");
        int64_t rows = find_rows(&b, first);
        refuse_field(&b, rows, IDS + 1, settings);
        refuse_field(&b, rows + 1, IDS + 1, settings);
    }
    assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
    bench_close(&b);
}

/* Takes the bytes of generation g out; its size becomes 0. */
static void take_out(bench *b, places of, int g)
{
    size_t at = 8 * (size_t)(of.generation[g] + 1), size = (size_t)field_of(b, of.generation[g]);
    memmove(b->s.bytes + at, b->s.bytes + at + size, b->s.size - at - size);
    memset(b->s.bytes + at - 8, 0, 8);
    b->s.size -= size;
}

static void a_young_one_is_missing(void **state)
{
    bench b;
    weft_error error = {0};
    places at = bench_open(TRACKER_BOTH, &b);
    take_out(&b, at, 1);
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "no young one");
    take_out(&b, at, 0);
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "no young one");
    memcpy(b.s.bytes + 8 * (at.track + BORN), b.s.bytes + 8 * (at.track + BORN + 1), 8);
    assert_int_equal(take(&b, b.s.size, &error), WEFT_OK);
    bench_close(&b);
}

/* A state that follows changes, where none does, and the other way round. */
static void the_setting_is_believed(void **state)
{
    bench b;
    weft_error error = {0};
    places at = bench_open(TRACKER_NONE, &b);
    b.s.bytes[8 * TRACKING] = 0;
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "bytes behind its end");
    assert_int_equal(take(&b, 8 * (size_t)at.track, NULL), WEFT_OK);
    b.s.bytes[8 * TRACKING] = 1;
    assert_fails(take(&b, 8 * (size_t)at.track, &error), WEFT_MODEL, "its generations are cut short");
    bench_close(&b);
}

/* In the track, and most often at its head. */
static void flips(void **state)
{
    bench b;
    dice d = {77};
    places at = bench_open(TRACKER_BOTH, &b);
    for (int64_t round = 0; round < 300; round++) {
        size_t from = 8 * (size_t)at.track, head = round % 2 ? 8 * (SIZE + 1) : b.s.size - from;
        flip(&b, from + (size_t)dice_below(&d, (int64_t)head), &d);
    }
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_change_nothing),   cmocka_unit_test(defaults_are_not_asked_for_again),
        cmocka_unit_test(cut_everywhere),          cmocka_unit_test(every_field),
        cmocka_unit_test(generations_of_others),   cmocka_unit_test(a_young_one_is_missing),
        cmocka_unit_test(the_setting_is_believed), cmocka_unit_test(flips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
