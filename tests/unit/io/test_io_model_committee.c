/* SPDX-License-Identifier: MIT
 * Models of committees: written, opened, continued, looked at, damaged. */
#define _POSIX_C_SOURCE 200809L

#include "committee/committee.h"
#include "support/effort.h"
#include "unit/test_io_damage_support.h"

/* Numbers for the rows in place of classes. */
static test_sides sides_of_features(void)
{
    test_sides sides = sides_begin();
    unlink(sides.rows.path);
    sides.rows = file_of("r0 1 0.5\nr1 0 2\nr2 -1 0.25\nr3 3 1\n");
    snprintf(sides.row_spec, sizeof sides.row_spec, "features:%s,kernel=gaussian,width=1,missing=alone",
             sides.rows.path);
    snprintf(sides.column_spec, sizeof sides.column_spec, "graph:%s,missing=alone", sides.columns.path);
    return sides;
}

static weft_views views_of(const weft_roster *roster, weft_view list[8])
{
    weft_views views = {.list = list, .count = weft_roster_view_count(roster)};
    assert_in_range(views.count, 1, 8);
    for (int64_t k = 0; k < views.count; k++)
        list[k] = weft_roster_view(roster, k);
    return views;
}

static void form_committee(weft_model *model)
{
    weft_view lists[2][8];
    weft_member members[128];
    weft_error error = {0};
    int64_t count = 128;
    weft_views first = views_of(model->rows, lists[0]), second = {0};
    if (model->columns != NULL)
        second = views_of(model->columns, lists[1]);
    if (weft_committee_members(&first, model->columns != NULL ? &second : NULL, members, &count, &error) !=
            WEFT_OK ||
        weft_committee_create(members, count, &(weft_committee_settings){0}, NULL, &model->player, &error) !=
            WEFT_OK)
        fail_msg("%s", error.message);
}

/* Trials t, t+1, ... of a stream that depends on nothing but t. */
static void convene(const weft_model *model, int64_t trials)
{
    const weft_roster *columns = model->columns != NULL ? model->columns : model->rows;
    weft_error error = {0};
    for (int64_t k = 0; k < trials; k++) {
        dice d = {(uint64_t)weft_player_counters(model->player).t};
        int64_t row = dice_below(&d, weft_ids_count(weft_roster_ids(model->rows)));
        int64_t column = dice_below(&d, weft_ids_count(weft_roster_ids(columns)));
        if (weft_player_learn(model->player, row, column, (row + column) % 2 == 0 ? 1 : -1, NULL, &error) !=
            WEFT_OK)
            fail_msg("%s", error.message);
    }
}

/* One set of ids: the columns. */
static weft_model committee_begin(const test_sides *sides, bool one_set, bool embed, int64_t trials)
{
    weft_file_options files = {.roster = &(weft_roster_options){.keep = embed, .views = true}};
    weft_model model = {.language = {.labels = WEFT_LABELS_BITS}, .embed = embed, .disturbed = one_set};
    model.rows =
        one_set ? roster_of(sides->column_spec, "c9", &files) : roster_of(sides->row_spec, "r:", &files);
    if (!one_set)
        model.columns = roster_of(sides->column_spec, "c9", &files);
    form_committee(&model);
    convene(&model, trials);
    return model;
}

static test_file file_of_model(const weft_model *model)
{
    test_file file = file_of("");
    weft_error error = {0};
    if (weft_model_write(file.path, model, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return file;
}

static weft_model must_open(const char *path, const weft_model_options *options)
{
    weft_model model = {0};
    weft_error error = {0};
    if (weft_model_open(path, options, &model, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(weft_player_kind(model.player), WEFT_COMMITTEE);
    return model;
}

/* ---- Continuing ---- */

/* Members say the same, and have the names that they had. */
static void assert_same_standings(const weft_player *a, const weft_player *b)
{
    for (int64_t k = 0; k <= weft_player_member_count(a); k++) {
        weft_standing s = weft_committee_standing(a, k), t = weft_committee_standing(b, k);
        assert_string_equal(s.name, t.name);
        assert_true(s.weight == t.weight && s.coefficient == t.coefficient && s.certainty == t.certainty);
    }
}

/* Trials, of which the last is behind a checkpoint. */
enum { RESTING = 1500 };

static void continue_to_the_bit(const test_sides *sides, bool one_set, bool embed, int64_t trials)
{
    weft_model model = committee_begin(sides, one_set, embed, trials);
    if (trials == RESTING)
        assert_true(weft_player_counters(model.player).awake < weft_player_member_count(model.player));
    test_file file = file_of_model(&model);
    if (embed)
        sides_end(sides);
    weft_model opened = must_open(file.path, NULL);
    assert_true(opened.language.labels == WEFT_LABELS_BITS && opened.embed == embed &&
                opened.disturbed == one_set);
    assert_true(opened.horizon == 0 && !opened.read_only);
    assert_same_model(&model, &opened);
    assert_same_standings(model.player, opened.player);
    for (int k = 0; k < 5; k++) {
        convene(&model, 8);
        convene(&opened, 8);
        assert_same_model(&model, &opened);
    }
    assert_same_standings(model.player, opened.player);
    unlink(file.path);
    weft_model_close(&opened);
    weft_model_close(&model);
    assert_null(model.player);
}

static void a_run_is_continued(void **state)
{
    for (int which = 0; which < 8; which++) {
        test_sides sides = which & 1 ? sides_begin() : sides_of_features();
        continue_to_the_bit(&sides, which & 2, which & 4, 30);
        sides_end(&sides);
    }
}

/* Behind a checkpoint, when some rest. */
static void resting_is_remembered(void **state)
{
    test_sides sides = sides_begin();
    continue_to_the_bit(&sides, false, false, RESTING);
    sides_end(&sides);
}

static void ids_let_in_later_are_there_again(void **state)
{
    test_sides sides = sides_of_features();
    weft_model model = committee_begin(&sides, false, false, 20);
    int64_t number = 0;
    assert_int_equal(weft_roster_admit(model.rows, "late", NULL, &number, NULL), WEFT_OK);
    assert_int_equal(weft_roster_admit(model.columns, "later", NULL, &number, NULL), WEFT_OK);
    convene(&model, 40);
    test_file file = file_of_model(&model);
    weft_model opened = must_open(file.path, NULL);
    assert_same_model(&model, &opened);
    convene(&model, 40);
    convene(&opened, 40);
    assert_same_model(&model, &opened);
    unlink(file.path);
    weft_model_close(&opened);
    weft_model_close(&model);
    sides_end(&sides);
}

/* A committee that begins with one id of each side takes every other that comes. */
static void hardly_any_ids(void **state)
{
    weft_file_options files = {.roster = &(weft_roster_options){.views = true}};
    weft_model model = {.rows = roster_of("none", "r", &files), .columns = roster_of("none", "c", &files)};
    form_committee(&model);
    convene(&model, 3);
    test_file file = file_of_model(&model);
    weft_model opened = must_open(file.path, NULL);
    assert_same_model(&model, &opened);
    for (int64_t k = 1; k < 40; k++) {
        char name[16];
        int64_t number = 0;
        snprintf(name, sizeof name, "more%d", (int)k);
        assert_int_equal(weft_roster_admit(opened.columns, name, NULL, &number, NULL), WEFT_OK);
        assert_int_equal(number, k);
        convene(&opened, 1);
    }
    unlink(file.path);
    weft_model_close(&opened);
    weft_model_close(&model);
}

/* ---- Options ---- */

/* A committee is made of its views, so that a look reads the side files. */
static void a_look(void **state)
{
    test_sides sides = sides_begin();
    weft_model_options look = {.look = true};
    weft_error error = {0};
    for (int embed = 0; embed < 2; embed++) {
        weft_model model = committee_begin(&sides, false, embed, 30), missing = {0};
        test_file file = file_of_model(&model);
        if (embed)
            sides_end(&sides);
        weft_model seen = must_open(file.path, &look);
        assert_same_model(&model, &seen);
        assert_true(seen.read_only);
        assert_int_equal(weft_model_write(file.path, &seen, &error), WEFT_ARGUMENT);
        weft_model_close(&seen);
        sides_end(&sides);
        if (!embed)
            assert_int_equal(weft_model_open(file.path, &look, &missing, &error), WEFT_FILE);
        assert_null(missing.player);
        unlink(file.path);
        weft_model_close(&model);
        sides = sides_begin();
    }
    sides_end(&sides);
}

/* Ids have no bound, and so no capacity. */
static void no_capacity_is_taken(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = committee_begin(&sides, false, false, 30), wide = {0};
    weft_model_options options = {.row_capacity = 20, .column_capacity = 14};
    weft_error error = {0};
    test_file file = file_of_model(&model);
    assert_int_equal(weft_model_open(file.path, &options, &wide, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "no bound"));
    assert_null(wide.player);
    unlink(file.path);
    weft_model_close(&model);
    sides_end(&sides);
}

static void side_files_elsewhere(void **state)
{
    test_sides sides = sides_begin(), others = sides_begin();
    weft_model model = committee_begin(&sides, false, false, 20), opened = {0};
    weft_error error = {0};
    test_file file = file_of_model(&model), changed = file_of("r0 a\nr1 b\nr2 a\nr3 a\n");
    char spec[128];
    sides_end(&sides);
    weft_model_options options = {.rows = others.row_spec, .columns = others.column_spec};
    opened = must_open(file.path, &options);
    convene(&opened, 10);
    weft_model_close(&opened);
    snprintf(spec, sizeof spec, "classes:%s,epsilon=0.25,missing=alone", changed.path);
    options.rows = spec;
    assert_int_equal(weft_model_open(file.path, &options, &opened, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "expected what it said"));
    assert_null(opened.player);
    unlink(file.path);
    unlink(changed.path);
    weft_model_close(&model);
    sides_end(&others);
}

static void what_cannot_be_written(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = committee_begin(&sides, false, false, 3);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_BIAS};
    weft_error error = {0};
    test_file file = file_of("old");
    weft_model rival = model, neither = model;
    assert_int_equal(weft_rival_create(weft_roster_side(model.rows), weft_roster_side(model.columns),
                                       &settings, NULL, &rival.player, &error),
                     WEFT_OK);
    neither.player = NULL;
    assert_int_equal(weft_model_write(file.path, &rival, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_model_write(file.path, &neither, &error), WEFT_ARGUMENT);
    model.embed = true;
    assert_int_equal(weft_model_write(file.path, &model, &error), WEFT_ARGUMENT);
    unlink(file.path);
    weft_player_free(rival.player);
    weft_model_close(&model);
    sides_end(&sides);
}

/* ---- Damage ---- */

static void a_damaged_model_is_refused(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = committee_begin(&sides, false, true, 10);
    test_bytes whole = bytes_of(&model);
    /* Every byte of the beginning; then no field of eight bytes is left out, at no offset within it. */
    for (size_t at = 0; at < whole.size; at += at < 256 ? 1 : 7) {
        assert_told((test_bytes){whole.at, at}, "");
        whole.at[at] ^= (unsigned char)(1u << at % 8);
        assert_told(whole, "");
        whole.at[at] ^= (unsigned char)(1u << at % 8);
    }
    free(whole.at);
    weft_model_close(&model);
    sides_end(&sides);
}

/* Whatever opens, with the checksum mended, is written in the same bytes, and used. */
static void a_signed_lie_does_no_harm(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = committee_begin(&sides, false, true, 10);
    test_bytes bytes = bytes_of(&model);
    int64_t taken = 0, refused = 0;
    dice d = {11};
    for (size_t at = 24; at + 16 < bytes.size; at += 1 + (size_t)dice_below(&d, 300)) {
        unsigned char before = bytes.at[at];
        weft_model opened = {0};
        weft_error error = {0};
        bytes.at[at] = (unsigned char)(before ^ (1 + dice_below(&d, 255)));
        mend(bytes);
        weft_status status = rebuild(bytes, NULL, &opened, &error);
        if (status == WEFT_OK) {
            weft_answer ruling = {.vote = 0.5};
            assert_same_bytes(&opened, bytes);
            weft_player_learn(opened.player, 1, 1, 1, &ruling, NULL);
            assert_true(ruling.vote >= 0 && ruling.vote <= 1);
        } else {
            assert_int_equal(status, WEFT_MODEL);
            assert_true(error.message[0] != 0);
        }
        *(status == WEFT_OK ? &taken : &refused) += 1;
        weft_model_close(&opened);
        bytes.at[at] = before;
    }
    assert_true(taken > 10 && refused > 50);
    free(bytes.at);
    weft_model_close(&model);
    sides_end(&sides);
}

static void a_signed_lie_is_seen(void **state)
{
    enum { ROWS = 8 * 9, COLUMNS = 8 * 10, MEMBERS = 8 * 6, ETA = 8 * 6 + 7 };
    static const struct {
        const char *word;
        int which, offset;
        char byte;
        const char *message;
    } lies[] = {
        {"weftcomm", 0, 7, 'x', "not the state of a weft learner"},
        {"weftcomm", 0, 8, 8, "is of version 8"},
        {"weftcomm", 0, MEMBERS, 5, "the committee has 5 members"},
        {"weftcomm", 0, -8, 1, "its length is not that of its learner"},
        {"weftstat", 1, ROWS, 10, "its settings do not fit"},
        {"weftstat", 2, COLUMNS, 11, "its settings do not fit"},
        {"weftstat", 2, ETA, 0, "made with other settings"},
        {"weftriva", 3, 3, 'x', "not the state of a rival"},
    };
    test_sides sides = sides_begin();
    weft_model model = committee_begin(&sides, false, true, 10);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++)
        refuse_lie(&model, lies[k].word, lies[k].which, lies[k].offset, lies[k].byte, lies[k].message);
    weft_model_close(&model);
    sides_end(&sides);
}

/* ---- Memory ---- */

static void opening_survives_a_lack_of_memory(void **state)
{
    test_sides sides = sides_begin();
    for (int embed = 0; embed < 2; embed++) {
        weft_model model = committee_begin(&sides, embed, embed, 6);
        test_file file = file_of_model(&model), to = file_of("old");
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, 0);
        weft_model_options options = {.files = {.memory = &memory}};
        weft_model opened = {0};
        for (int64_t k = 0; opened.player == NULL; k += k < 100 ? 1 : fewer(1, 7)) {
            memory = test_alloc_begin(&alloc, k);
            weft_status status = weft_model_open(file.path, &options, &opened, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (alloc.failed)
                assert_int_equal(test_alloc_blocks(&alloc), 0);
        }
        for (int64_t k = 0;; k++) {
            test_alloc_arm(&alloc, k);
            weft_status status = weft_model_write(to.path, &opened, NULL);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (!alloc.failed)
                break;
        }
        weft_model_close(&opened);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        unlink(file.path);
        unlink(to.path);
        weft_model_close(&model);
    }
    sides_end(&sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_continued),
        cmocka_unit_test(resting_is_remembered),
        cmocka_unit_test(ids_let_in_later_are_there_again),
        cmocka_unit_test(hardly_any_ids),
        cmocka_unit_test(a_look),
        cmocka_unit_test(no_capacity_is_taken),
        cmocka_unit_test(side_files_elsewhere),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(a_damaged_model_is_refused),
        cmocka_unit_test(a_signed_lie_does_no_harm),
        cmocka_unit_test(a_signed_lie_is_seen),
        cmocka_unit_test(opening_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
