/* SPDX-License-Identifier: MIT
 * Events and side information in memory: what weft run does with a file, to the bit, and nothing of an event
 * that fails stays. */
#define _POSIX_C_SOURCE 200809L

#include "support/alloc.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

enum { ROWS = 5, COLUMNS = 7, EVENTS = 60 };

static const char *const row_names[ROWS] = {"ann", "bob", "c,d", "dan", "eve"};
static const char *const column_names[COLUMNS] = {"jazz", "opera", "ann", "folk", "rock", "ska", "bob"};

/* Events with ids that come later, some without a label. */
typedef struct story {
    int64_t rows[EVENTS], columns[EVENTS];
    signed char labels[EVENTS];
    weft_events events;
} story;

static void tell_story(story *s, bool one_set)
{
    for (int k = 0; k < EVENTS; k++) {
        s->rows[k] = k * 3 % (k < 20 ? 3 : ROWS);
        s->columns[k] = k * 5 % (one_set ? ROWS : k < 30 ? 4 : COLUMNS);
        s->labels[k] = (signed char)(k % 7 == 3 ? 0 : (k * k + k / 4) % 3 == 0 ? 1 : -1);
    }
    s->events = (weft_events){.count = EVENTS,
                              .rows = s->rows,
                              .columns = s->columns,
                              .labels = s->labels,
                              .row_names = row_names,
                              .row_count = ROWS,
                              .column_names = one_set ? NULL : column_names,
                              .column_count = one_set ? 0 : COLUMNS};
}

static weft_player *player_with(bool one_set, const weft_file_options *options)
{
    static const int64_t class_of[3] = {0, 0, 1};
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    assert_int_equal(weft_roster_from_classes(3, class_of, 0.1, row_names, options, &rows, &error), WEFT_OK);
    if (!one_set)
        assert_int_equal(weft_roster_open("none", options, &columns, &error), WEFT_OK);
    if (weft_player_create(rows, columns, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static weft_player *player_of(bool one_set)
{
    return player_with(one_set, NULL);
}

static bool same_digest(const weft_player *a, const weft_player *b)
{
    uint64_t of_a[2], of_b[2];
    assert_int_equal(weft_player_digest(a, of_a, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(b, of_b, NULL), WEFT_OK);
    return of_a[0] == of_b[0] && of_a[1] == of_b[1];
}

/* What a program did before: a name at a time. */
static weft_answer play_by_hand(weft_player *player, const story *s, int k, bool one_set)
{
    const char *row = row_names[s->rows[k]];
    const char *column = (one_set ? row_names : column_names)[s->columns[k]];
    int64_t pair[2];
    weft_answer answer = {0};
    weft_error error = {0};
    weft_status status = s->labels[k] != 0 ? weft_player_pair(player, row, column, pair, &error)
                                           : weft_player_find(player, row, column, pair, &error);
    assert_int_equal(status, WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], s->labels[k], &answer, &error), WEFT_OK);
    return answer;
}

static void events_are_played_as_one_by_one(void **state)
{
    for (int one_set = 0; one_set < 2; one_set++) {
        static weft_answer answers[EVENTS];
        weft_player *a = player_of(one_set), *b = player_of(one_set);
        weft_error error = {0};
        int64_t played = 0;
        story s;
        tell_story(&s, one_set);
        assert_int_equal(weft_player_play(a, &s.events, answers, &played, &error), WEFT_OK);
        assert_int_equal(played, EVENTS);
        for (int k = 0; k < EVENTS; k++) {
            weft_answer one = play_by_hand(b, &s, k, one_set);
            assert_true(one.vote == answers[k].vote && one.probability == answers[k].probability &&
                        one.label == answers[k].label && one.t == answers[k].t &&
                        one.mistake == answers[k].mistake);
        }
        assert_true(same_digest(a, b));
        weft_player_free(a);
        weft_player_free(b);
    }
}

/* Each event has its own, and none is left behind. */
static void events_have_their_context(void **state)
{
    static const char *const hours[] = {"6", "12", "18"};
    uint64_t contexts[2 * EVENTS], none = 0;
    weft_player *a = player_of(false), *b = player_of(false), *plain = player_of(false);
    weft_answer answers[EVENTS], of_a, of_b;
    weft_error error = {0};
    story s;
    tell_story(&s, false);
    assert_int_equal(weft_player_play(plain, &s.events, NULL, NULL, &error), WEFT_OK);
    for (int k = 0; k < EVENTS; k++) {
        contexts[2 * k] = weft_context_digest("hour", hours[k % 3]);
        contexts[2 * k + 1] = k % 2 == 0 ? none : weft_context_digest("device", "phone");
    }
    s.events.contexts = contexts;
    s.events.context_count = 2;
    assert_int_equal(weft_player_play(a, &s.events, answers, NULL, &error), WEFT_OK);
    for (int k = 0; k < EVENTS; k++) {
        assert_int_equal(weft_player_set_context(b, contexts + 2 * k, 2, &error), WEFT_OK);
        assert_true(play_by_hand(b, &s, k, false).probability == answers[k].probability);
    }
    assert_true(same_digest(a, b));
    assert_false(same_digest(a, plain));
    assert_int_equal(weft_player_set_context(b, NULL, 0, &error), WEFT_OK);
    assert_int_equal(weft_player_predict(a, 0, 0, &of_a, &error), WEFT_OK);
    assert_int_equal(weft_player_predict(b, 0, 0, &of_b, &error), WEFT_OK);
    assert_true(of_a.probability == of_b.probability);
    s.events.contexts = NULL;
    assert_int_equal(weft_player_play(a, &s.events, NULL, NULL, &error), WEFT_ARGUMENT);
    s.events.contexts = contexts;
    s.events.context_count = WEFT_CONTEXT_LIMIT + 1;
    s.events.count = 1;
    assert_int_equal(weft_player_play(a, &s.events, NULL, NULL, &error), WEFT_ARGUMENT);
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(plain);
}

static void a_name_comes_with_its_label(void **state)
{
    weft_player *player = player_of(false);
    const int64_t rows[] = {4, 4}, columns[] = {6, 6};
    const signed char labels[] = {0, 1};
    weft_events events = {1, rows, columns, labels, row_names, column_names, ROWS, COLUMNS, NULL, 0};
    assert_int_equal(weft_player_play(player, &events, NULL, NULL, NULL), WEFT_OK);
    assert_null(weft_player_name(player, WEFT_ROWS, 3));
    events.count = 2;
    assert_int_equal(weft_player_play(player, &events, NULL, NULL, NULL), WEFT_OK);
    assert_string_equal(weft_player_name(player, WEFT_ROWS, 3), "eve");
    assert_string_equal(weft_player_name(player, WEFT_COLUMNS, 0), "bob");
    weft_player_free(player);
}

/* A row that may come, beside a column that may not: neither is known afterwards. */
static void nothing_of_a_failed_event_stays(void **state)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    const weft_text text = {"memory.csv", "jazz 0\nopera 1\n", 15};
    assert_int_equal(weft_roster_open("none", NULL, &rows, &error), WEFT_OK);
    assert_int_equal(
        weft_roster_from_text("classes:memory.csv,missing=error", &text, 1, NULL, &columns, &error), WEFT_OK);
    assert_int_equal(weft_player_create(rows, columns, NULL, &player, &error), WEFT_OK);
    const int64_t event_rows[] = {0, 1, 2}, event_columns[] = {0, 3, 1};
    const signed char labels[] = {1, 1, 1};
    const weft_events events = {3,    event_rows, event_columns, labels, row_names, column_names,
                                ROWS, COLUMNS,    NULL,          0};
    weft_answer answers[3];
    int64_t played = -1;
    assert_int_equal(weft_player_play(player, &events, answers, &played, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(played, 1);
    assert_non_null(strstr(error.message, "folk"));
    assert_int_equal(weft_ids_count(weft_roster_ids(weft_player_roster(player, WEFT_ROWS))), 1);
    assert_int_equal(weft_player_counters(player).trials, 1);
    const signed char none[] = {1, 0, 1};
    const weft_events asked = {3,    event_rows, event_columns, none, row_names, column_names,
                               ROWS, COLUMNS,    NULL,          0};
    assert_int_equal(weft_player_play(player, &asked, NULL, &played, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(played, 1);
    weft_player_free(player);
}

static void what_is_no_event_is_refused(void **state)
{
    weft_player *player = player_of(false), *one_set = player_of(true);
    weft_error error = {0};
    story s;
    int64_t played = -1;
    tell_story(&s, false);
    weft_events wrong = s.events;
    wrong.count = -1;
    assert_int_equal(weft_player_play(player, &wrong, NULL, NULL, &error), WEFT_ARGUMENT);
    wrong.count = 0;
    wrong.rows = NULL;
    assert_int_equal(weft_player_play(player, &wrong, NULL, &played, &error), WEFT_OK);
    assert_int_equal(played, 0);
    wrong.count = EVENTS;
    assert_int_equal(weft_player_play(player, &wrong, NULL, NULL, &error), WEFT_ARGUMENT);
    for (int hole = 0; hole < 4; hole++) {
        wrong = s.events;
        wrong.columns = hole == 0 ? NULL : wrong.columns;
        wrong.labels = hole == 1 ? NULL : wrong.labels;
        wrong.row_names = hole == 2 ? NULL : wrong.row_names;
        wrong.column_names = hole == 3 ? NULL : wrong.column_names;
        assert_int_equal(weft_player_play(player, &wrong, NULL, NULL, &error), WEFT_ARGUMENT);
    }
    for (int k = 0; k < 4; k++) {
        int64_t *place = k < 2 ? &s.rows[2] : &s.columns[2], kept = *place;
        *place = k % 2 == 0 ? -1 : k < 2 ? ROWS : COLUMNS;
        assert_int_equal(weft_player_play(player, &s.events, NULL, &played, &error), WEFT_ARGUMENT);
        assert_true(played == 2 && error.at[0] == 2);
        *place = kept;
    }
    s.labels[0] = 2;
    assert_int_equal(weft_player_play(player, &s.events, NULL, &played, &error), WEFT_ARGUMENT);
    assert_int_equal(played, 0);
    /* Columns of one set are names of the list of rows. */
    tell_story(&s, true);
    s.columns[0] = ROWS;
    s.events.column_names = column_names;
    s.events.column_count = COLUMNS;
    assert_int_equal(weft_player_play(one_set, &s.events, NULL, &played, &error), WEFT_ARGUMENT);
    weft_player_free(player);
    weft_player_free(one_set);
}

static bool stop_later(void *context, const char *what, double done)
{
    int *calls = context;
    assert_string_equal(what, "playing events");
    assert_false(done < 0 || done > 1); /* NAN: it is not known yet */
    return ++*calls < 4;
}

static void who_is_told_can_stop(void **state)
{
    weft_player *player = player_of(false), *other = player_of(false);
    int calls = 0;
    const weft_progress progress = {stop_later, &calls, 1};
    weft_error error = {0};
    int64_t played = 0;
    story s;
    tell_story(&s, false);
    assert_int_equal(weft_player_set_progress(player, &progress, &error), WEFT_OK);
    assert_int_equal(weft_player_play(player, &s.events, NULL, &played, &error), WEFT_INTERRUPTED);
    assert_true(played > 0 && played < EVENTS && calls == 4);
    s.events.count = played;
    assert_int_equal(weft_player_play(other, &s.events, NULL, NULL, &error), WEFT_OK);
    assert_true(same_digest(player, other));
    weft_player_free(player);
    weft_player_free(other);
}

/* Every allocation refused in turn: a call that is repeated ends where it would have. */
static void events_without_memory_are_played_again(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    const weft_file_options options = {.memory = &memory};
    weft_player *player = player_with(false, &options), *other = player_of(false);
    weft_error error = {0};
    story s;
    int64_t begun = 0, refused = 0;
    tell_story(&s, false);
    const weft_events all = s.events;
    for (int64_t k = 0; begun < EVENTS; k = refused % 5) {
        weft_events rest = all;
        int64_t played = 0, ids = weft_ids_count(weft_roster_ids(weft_player_roster(player, WEFT_ROWS)));
        rest.rows += begun;
        rest.columns += begun;
        rest.labels += begun;
        rest.count = 1;
        test_alloc_arm(&alloc, k);
        weft_status status = weft_player_play(player, &rest, NULL, &played, &error);
        refused += status != WEFT_OK;
        assert_true(status == WEFT_OK || (status == WEFT_MEMORY && alloc.failed));
        if (status != WEFT_OK)
            assert_int_equal(weft_ids_count(weft_roster_ids(weft_player_roster(player, WEFT_ROWS))), ids);
        test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
        if (status != WEFT_OK)
            assert_int_equal(weft_player_play(player, &rest, NULL, &played, &error), WEFT_OK);
        begun += played;
    }
    assert_true(refused > 0);
    assert_int_equal(weft_player_play(other, &all, NULL, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_counters(player).trials, weft_player_counters(other).trials);
    assert_true(same_digest(player, other));
    weft_player_free(player);
    weft_player_free(other);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* ---- Side information ---- */

static void text_is_as_its_file(void **state)
{
    static const char content[] = "id,age,town\nann,31,Rome\nbob,47,Oslo\nc,d,8\ndan,22,Rome\n";
    static const char square[] = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n0.5\n1\n",
                      ids[] = "x\ny\n";
    test_file file = file_of(content);
    char spec[300];
    weft_roster *named = NULL, *made = NULL;
    weft_error error = {0};
    const weft_text text = {file.path, content, sizeof content - 1};
    const weft_text two[] = {{"k.mtx", square, sizeof square - 1}, {"k.ids", ids, sizeof ids - 1}};
    const weft_text three[] = {{"a.csv", content, sizeof content - 1}, {"b.csv", content, 4}};
    snprintf(spec, sizeof spec, "table:%s", file.path);
    assert_int_equal(weft_roster_open(spec, NULL, &named, &error), WEFT_OK);
    unlink(file.path);
    assert_int_equal(weft_roster_from_text(spec, &text, 1, NULL, &made, &error), WEFT_OK);
    assert_true(weft_roster_build(named, &error) == WEFT_OK && weft_roster_build(made, &error) == WEFT_OK);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            assert_true(weft_side_entry(weft_roster_side(named), i, j) ==
                        weft_side_entry(weft_roster_side(made), i, j));
    assert_memory_equal(weft_roster_source(made, 0).kept, content, sizeof content - 1);
    weft_roster_free(named);
    weft_roster_free(made);
    made = NULL;
    assert_int_equal(weft_roster_from_text("kernel:k.mtx,ids=k.ids", two, 2, NULL, &made, &error), WEFT_OK);
    assert_string_equal(weft_ids_name(weft_roster_ids(made), 1), "y");
    weft_roster_free(made);
    made = NULL;
    assert_int_equal(weft_roster_from_text("kernel:k.mtx,ids=k.ids", two, 1, NULL, &made, &error),
                     WEFT_MODEL);
    assert_int_equal(weft_roster_from_text("table:a.csv", three, 2, NULL, &made, &error), WEFT_MODEL);
    assert_int_equal(weft_roster_from_text("table:k.mtx", two, 0, NULL, &made, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_text("nothing:k.mtx", two, 1, NULL, &made, &error), WEFT_ARGUMENT);
    const weft_text hole = {NULL, square, 1}, empty = {"k.mtx", NULL, 1};
    assert_int_equal(weft_roster_from_text("table:k.mtx", &hole, 1, NULL, &made, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_from_text("table:k.mtx", &empty, 1, NULL, &made, &error), WEFT_ARGUMENT);
    assert_null(made);
}

/* A matrix that is no kernel, with the words that mend it. */
static void arrays_take_words_of_a_spec(void **state)
{
    static const double square[4] = {1, 2, 2, 1};
    weft_roster_options how = {.words = "repair=clip"};
    const weft_file_options options = {.roster = &how};
    weft_roster *roster = NULL;
    weft_error error = {0};
    assert_int_equal(weft_roster_from_kernel(2, square, NULL, NULL, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_INPUT);
    weft_roster_free(roster);
    roster = NULL;
    assert_int_equal(weft_roster_from_kernel(2, square, NULL, &options, &roster, &error), WEFT_OK);
    assert_int_equal(weft_roster_build(roster, &error), WEFT_OK);
    assert_true(weft_roster_report(roster).repaired);
    weft_roster_free(roster);
    roster = NULL;
    how.words = "sigma=2";
    assert_int_equal(weft_roster_from_kernel(2, square, NULL, &options, &roster, &error), WEFT_ARGUMENT);
    assert_null(roster);
}

/* ---- What is kept with a model ---- */

static void labels_are_kept(void **state)
{
    static const weft_language wrong[] = {
        {.labels = (weft_labels)8},
        {.labels = (weft_labels)-1},
        {.labels = WEFT_LABELS_WORDS},
        {.labels = WEFT_LABELS_YES, .positive = "aye"},
        {.labels = WEFT_LABELS_YES, .negative = "nay"},
        {.labels = WEFT_LABELS_WORDS, .positive = "aye", .negative = "Aye"},
        {.labels = WEFT_LABELS_RATINGS, .threshold = NAN},
        {.labels = WEFT_LABELS_BITS, .threshold = 1},
    };
    static const weft_language right[] = {
        {.labels = WEFT_LABELS_BITS},
        {.labels = WEFT_LABELS_UNKNOWN},
        {.labels = WEFT_LABELS_LETTER},
        {.labels = WEFT_LABELS_WORDS, .positive = "aye"},
        {.labels = WEFT_LABELS_WORDS, .positive = "aye", .negative = "nay"},
        {.labels = WEFT_LABELS_RATINGS, .threshold = 3.5},
    };
    weft_player *player = player_of(false), *opened = NULL;
    test_file file = file_of("");
    weft_error error = {0};
    assert_int_equal(weft_player_language(player).labels, WEFT_LABELS_UNKNOWN);
    assert_int_equal(weft_player_language(NULL).labels, WEFT_LABELS_UNKNOWN);
    assert_int_equal(weft_player_set_language(player, NULL, &error), WEFT_ARGUMENT);
    weft_language endless = {.labels = WEFT_LABELS_WORDS};
    memset(endless.positive, 'w', sizeof endless.positive);
    assert_int_equal(weft_player_set_language(player, &endless, &error), WEFT_ARGUMENT);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(weft_player_set_language(player, &wrong[k], &error), WEFT_ARGUMENT);
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        assert_int_equal(weft_player_set_language(player, &right[k], &error), WEFT_OK);
        assert_int_equal(weft_player_save_named(player, file.path, &error), WEFT_OK);
        assert_int_equal(weft_player_open(file.path, NULL, &opened, &error), WEFT_OK);
        weft_language found = weft_player_language(opened);
        assert_int_equal(found.labels, right[k].labels);
        assert_string_equal(found.positive, right[k].positive);
        assert_string_equal(found.negative, right[k].negative);
        assert_true(found.threshold == right[k].threshold);
        weft_player_free(opened);
    }
    unlink(file.path);
    weft_player_free(player);
}

/* Kept or not, the model names the file; one with a side of memory has both inside. */
static void kept_files_are_named(void **state)
{
    for (int memory = 0; memory < 2; memory++) {
        test_file side = file_of("ann x\nbob x\ncyd y\n"), file = file_of("");
        const weft_file_options options = {.roster = &(weft_roster_options){.keep = true}};
        weft_roster *rows = NULL, *columns = NULL;
        weft_player *player = NULL, *opened = NULL;
        weft_error error = {0};
        char spec[300];
        snprintf(spec, sizeof spec, "classes:%s", side.path);
        assert_int_equal(weft_roster_open(spec, &options, &rows, &error), WEFT_OK);
        if (memory)
            assert_int_equal(
                weft_roster_from_classes(2, (const int64_t[]){0, 1}, 0.1, NULL, NULL, &columns, &error),
                WEFT_OK);
        else
            assert_int_equal(weft_roster_open("none", &options, &columns, &error), WEFT_OK);
        assert_int_equal(weft_player_create(rows, columns, NULL, &player, &error), WEFT_OK);
        assert_int_equal(weft_player_save_named(player, file.path, &error), WEFT_OK);
        unlink(side.path);
        assert_int_equal(weft_player_open(file.path, NULL, &opened, &error), memory ? WEFT_OK : WEFT_FILE);
        weft_player_free(opened);
        opened = NULL;
        assert_int_equal(weft_player_save(player, file.path, &error), WEFT_OK);
        assert_int_equal(weft_player_open(file.path, NULL, &opened, &error), WEFT_OK);
        unlink(file.path);
        weft_player_free(opened);
        weft_player_free(player);
    }
}

static void names_of_fields_are_known(void **state)
{
    assert_int_equal(weft_stream_usual_field("row"), WEFT_FIELD_ROW);
    assert_int_equal(weft_stream_usual_field("User_ID"), WEFT_FIELD_ROW);
    assert_int_equal(weft_stream_usual_field("item"), WEFT_FIELD_COLUMN);
    assert_int_equal(weft_stream_usual_field("clicked"), WEFT_FIELD_THIRD);
    assert_int_equal(weft_stream_usual_field("timestamp"), WEFT_FIELD_TIME);
    assert_int_equal(weft_stream_usual_field("colour"), WEFT_STREAM_FIELDS);
    assert_int_equal(weft_stream_usual_field(""), WEFT_STREAM_FIELDS);
    assert_int_equal(weft_stream_usual_field(NULL), WEFT_STREAM_FIELDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_played_as_one_by_one),
        cmocka_unit_test(events_have_their_context),
        cmocka_unit_test(a_name_comes_with_its_label),
        cmocka_unit_test(nothing_of_a_failed_event_stays),
        cmocka_unit_test(what_is_no_event_is_refused),
        cmocka_unit_test(who_is_told_can_stop),
        cmocka_unit_test(events_without_memory_are_played_again),
        cmocka_unit_test(text_is_as_its_file),
        cmocka_unit_test(arrays_take_words_of_a_spec),
        cmocka_unit_test(labels_are_kept),
        cmocka_unit_test(kept_files_are_named),
        cmocka_unit_test(names_of_fields_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
