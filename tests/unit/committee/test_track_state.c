/* SPDX-License-Identifier: MIT
 * The bytes of a committee that follows changes: read at any trial it goes on as if nothing had been; cut or
 * damaged they are refused. */
#include "unit/test_core_support.h"

#include "support/tracker.h"

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

typedef struct bench {
    panel p;
    panel_state s;
    int64_t track;         /* the field with which it begins */
    int64_t generation[2]; /* the fields with their sizes */
} bench;

static int64_t field_of(const bench *b, int64_t field)
{
    int64_t value = 0;
    memcpy(&value, b->s.bytes + 8 * field, sizeof value);
    return value;
}

static void bench_open(int64_t trials, bench *b)
{
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
    b->track = (int64_t)t.size / 8;
    for (int g = 0; g < 2; g++)
        b->generation[g] =
            g == 0 ? b->track + SIZE : b->generation[0] + 1 + field_of(b, b->generation[0]) / 8;
    assert_int_equal(8 * (b->generation[1] + 1) + field_of(b, b->generation[1]), b->s.size);
    free(t.bytes);
    weft_player_free(twin);
    weft_player_free(committee);
}

static void bench_close(bench *b)
{
    free(b->s.bytes);
    panel_close(&b->p);
}

static weft_status take(const bench *b, size_t size, weft_error *error)
{
    weft_player *committee = NULL;
    weft_status status =
        weft_committee_read(b->p.members, b->p.count, b->s.bytes, size, NULL, &committee, error);
    assert_true((committee != NULL) == (status == WEFT_OK));
    weft_player_free(committee);
    return status;
}

static void refuse_field(bench *b, int64_t field, int64_t value, const char *words)
{
    int64_t kept = field_of(b, field);
    weft_error error = {0};
    assert_true(kept != value);
    memcpy(b->s.bytes + 8 * field, &value, sizeof value);
    weft_status status = take(b, b->s.size, &error);
    if (status != WEFT_MODEL || strstr(error.message, words) == NULL)
        fail_msg("field %lld = %lld: %s, '%s' does not say '%s'", (long long)(field - b->track),
                 (long long)value, weft_status_name(status), error.message, words);
    memcpy(b->s.bytes + 8 * field, &kept, sizeof kept);
}

static void refuse_number(bench *b, int64_t field, double value, const char *words)
{
    int64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    refuse_field(b, field, bits, words);
}

/* A copy of the right size is made each time, so that a sanitizer sees who reads beyond.  Before the track
 * test_committee_state.c cuts. */
static void cut_everywhere(void **state)
{
    bench b;
    bench_open(TRACKER_BOTH, &b);
    assert_true(field_of(&b, b.generation[0]) > 0 && field_of(&b, b.generation[1]) > 0);
    unsigned char *whole = b.s.bytes;
    for (size_t size = 8 * (size_t)b.track; size < b.s.size; size++) {
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

static void numbers_of(bench *b, int64_t trials)
{
    const char *words = "its generations are cut short or contradict themselves";
    for (int64_t field = ALARMS; field <= BORN + 1; field++) {
        refuse_field(b, b->track + field, -1, words);
        if (field != EXPECTED && field != DRIFT)
            refuse_field(b, b->track + field, trials + 1, words);
    }
    refuse_field(b, b->track + BORN, field_of(b, b->track + BORN + 1) + 1, words);
    refuse_number(b, b->track + DRIFT, -1e9, words);
    refuse_number(b, b->track + DRIFT, 1e9, words);
    for (int field = 0; field < 3; field++) {
        static const double bad[] = {NAN, -0.5, INFINITY, 1e9};
        int at = field == 0 ? ALARM : field == 1 ? EXPECTED : BELIEF;
        for (int k = 0; k < 4; k++)
            refuse_number(b, b->track + at, bad[k], words);
    }
    for (int g = 0; g < WEFT_GENERATIONS; g++) {
        refuse_number(b, b->track + BELIEF + g, 0, words);
        refuse_number(b, b->track + BELIEF + g, 1.01, words);
    }
    for (int field = 0; field < 6; field++)
        refuse_number(b, b->track + SHARE + field, NAN, words);
}

static void every_field(void **state)
{
    for (int64_t trials = TRACKER_NONE; trials <= TRACKER_BOTH; trials += TRACKER_BOTH - TRACKER_NONE) {
        bench b;
        bench_open(trials, &b);
        numbers_of(&b, trials);
        assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
        for (int g = 0; g < 2; g++) {
            refuse_field(&b, b.generation[g], -8, "a generation is cut short");
            refuse_field(&b, b.generation[g], INT64_MAX, "a generation is cut short");
            refuse_field(&b, b.generation[g], (int64_t)b.s.size, "a generation is cut short");
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
    bench_open(TRACKER_BOTH, &b);
    for (int g = 0; g < 2; g++) {
        int64_t at = b.generation[g] + 1, born = b.track + BORN + g;
        refuse_field(&b, at, 0, "not the state of a committee");
        refuse_field(&b, at + COMMITTEE_VERSION, 1, "version 1");
        refuse_field(&b, at + RANDOMISED, 1, settings);
        refuse_field(&b, at + RESTLESS, 1, settings);
        refuse_field(&b, at + TRACKING, 1, "a generation has generations of its own");
        refuse_field(&b, at + MEMBERS, 3, "3 members, expected 2");
        refuse_field(&b, born, field_of(&b, born) + (g == 0 ? -1 : 1), "as old as it cannot be");
        int64_t rows = find_rows(&b, at);
        refuse_field(&b, rows, IDS + 1, settings);
        refuse_field(&b, rows + 1, IDS + 1, settings);
    }
    assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
    bench_close(&b);
}

/* Takes the bytes of generation g out; its size becomes 0. */
static void take_out(bench *b, int g)
{
    size_t at = 8 * (size_t)(b->generation[g] + 1), size = (size_t)field_of(b, b->generation[g]);
    memmove(b->s.bytes + at, b->s.bytes + at + size, b->s.size - at - size);
    memset(b->s.bytes + at - 8, 0, 8);
    b->s.size -= size;
}

static void a_young_one_is_missing(void **state)
{
    bench b;
    weft_error error = {0};
    bench_open(TRACKER_BOTH, &b);
    take_out(&b, 1);
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "no young one");
    take_out(&b, 0);
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "no young one");
    memcpy(b.s.bytes + 8 * (b.track + BORN), b.s.bytes + 8 * (b.track + BORN + 1), 8);
    assert_int_equal(take(&b, b.s.size, &error), WEFT_OK);
    bench_close(&b);
}

/* A state that follows changes, where none does, and the other way round. */
static void the_setting_is_believed(void **state)
{
    bench b;
    weft_error error = {0};
    bench_open(TRACKER_NONE, &b);
    b.s.bytes[8 * TRACKING] = 0;
    assert_fails(take(&b, b.s.size, &error), WEFT_MODEL, "bytes behind its end");
    assert_int_equal(take(&b, 8 * (size_t)b.track, NULL), WEFT_OK);
    b.s.bytes[8 * TRACKING] = 1;
    assert_fails(take(&b, 8 * (size_t)b.track, &error), WEFT_MODEL, "its generations are cut short");
    bench_close(&b);
}

/* Whatever is flipped in the track, it is refused, or what is made of it votes in its range and learns. */
static void flips(void **state)
{
    bench b;
    dice d = {77};
    bench_open(TRACKER_BOTH, &b);
    for (int64_t round = 0; round < 300; round++) {
        size_t from = 8 * (size_t)b.track, head = round % 2 ? 8 * (SIZE + 1) : b.s.size - from;
        size_t at = from + (size_t)dice_below(&d, (int64_t)head);
        unsigned char kept = b.s.bytes[at];
        weft_player *committee = NULL;
        weft_error error = {0};
        b.s.bytes[at] ^= (unsigned char)(1 << dice_below(&d, 8));
        weft_status status =
            weft_committee_read(b.p.members, b.p.count, b.s.bytes, b.s.size, NULL, &committee, &error);
        assert_true(status == WEFT_OK || (status == WEFT_MODEL && error.message[0] != 0));
        for (int64_t t = 0; committee != NULL && t < 4; t++) {
            weft_answer r = {0};
            if (weft_player_learn(committee, t, 3 - t, t % 2 ? 1 : -1, &r, NULL) != WEFT_OK)
                break;
            assert_true(r.vote >= 0 && r.vote <= 1);
            assert_true(r.probability > 0 && r.probability < 1);
        }
        weft_player_free(committee);
        b.s.bytes[at] = kept;
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
