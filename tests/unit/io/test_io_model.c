/* SPDX-License-Identifier: MIT
 * Models that are written, opened and continued. */
#define _POSIX_C_SOURCE 200809L

#include "learner/learner.h"
#include "unit/test_io_model_support.h"

#include <math.h>
#include <sys/stat.h>

/* A name in a folder of its own, so that what is left behind can be seen. */
typedef struct test_place {
    char folder[40], path[64];
} test_place;

static test_place place_begin(void)
{
    test_place place = {.folder = "/tmp/weft-model-XXXXXX"};
    assert_non_null(mkdtemp(place.folder));
    snprintf(place.path, sizeof place.path, "%s/m.weft", place.folder);
    return place;
}

/* rmdir() fails where a temporary file was left. */
static void place_end(const test_place *place)
{
    unlink(place->path);
    assert_int_equal(rmdir(place->folder), 0);
}

static weft_model must_open(const char *path, const weft_model_options *options)
{
    weft_model model = {0};
    weft_error error = {0};
    if (weft_model_open(path, options, &model, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return model;
}

static void must_write(const char *path, const weft_model *model)
{
    weft_error error = {0};
    if (weft_model_write(path, model, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static void continue_to_the_bit(bool one_set, bool embed)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, one_set, embed, 30);
    weft_answer expected = {0}, found = {0};
    must_write(place.path, &model);
    if (embed)
        sides_end(&sides);
    weft_model opened = must_open(place.path, NULL);
    assert_same_model(&model, &opened);
    assert_int_equal(opened.horizon, 50);
    assert_int_equal(opened.language.labels, WEFT_LABELS_SIGNED);
    assert_int_equal(opened.embed, embed);
    assert_false(opened.disturbed || opened.read_only);
    for (int k = 0; k < 20; k++) {
        play(&model, 1, &expected);
        play(&opened, 1, &found);
        assert_memory_equal(&expected.margin, &found.margin, sizeof(double));
        assert_memory_equal(&expected.upper, &found.upper, sizeof(double));
    }
    assert_same_model(&model, &opened);
    weft_model_close(&opened);
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

/* The label of an answer that was given one label ago: no bound of a learner holds from then on. */
static void late_labels_are_told(void **state)
{
    for (int late = 0; late < 2; late++) {
        test_sides sides = sides_begin();
        test_place place = place_begin();
        weft_model model = model_begin(&sides, false, false, 10);
        unsigned char record[1024];
        size_t size = sizeof record;
        int64_t t = weft_player_counters(model.player).t;
        assert_int_equal(weft_player_record(model.player, 0, 0, t, record, &size, NULL), WEFT_OK);
        if (late)
            assert_int_equal(weft_player_learn(model.player, 1, 0, 1, NULL, NULL), WEFT_OK);
        assert_int_equal(weft_player_learn_late(model.player, record, size, 1, NULL, NULL), WEFT_OK);
        must_write(place.path, &model);
        weft_model opened = must_open(place.path, NULL);
        assert_int_equal(opened.disturbed, late);
        weft_model_close(&opened);
        weft_model_close(&model);
        place_end(&place);
        sides_end(&sides);
    }
}

static void two_sides_continue(void **state)
{
    continue_to_the_bit(false, false);
    continue_to_the_bit(false, true);
}

static void one_set_continues(void **state)
{
    continue_to_the_bit(true, false);
    continue_to_the_bit(true, true);
}

static void equal_runs_write_equal_files(void **state)
{
    test_sides sides = sides_begin();
    weft_model a = model_begin(&sides, false, false, 25), b = model_begin(&sides, false, false, 25);
    assert_same_model(&a, &b);
    weft_model_close(&a);
    weft_model_close(&b);
    weft_model_close(&b);
    weft_model_close(NULL);
    sides_end(&sides);
}

static void ids_let_in_later_are_there_again(void **state)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, false, false, 10);
    weft_error error = {0};
    int64_t number = 0;
    assert_int_equal(weft_roster_admit(model.rows, "late", NULL, &number, &error), WEFT_OK);
    play(&model, 10, NULL);
    must_write(place.path, &model);
    weft_model opened = must_open(place.path, NULL);
    assert_same_model(&model, &opened);
    assert_int_equal(weft_ids_find(weft_roster_ids(opened.rows), "late"), number);
    assert_int_equal(weft_roster_report(opened.rows).listed, 4);
    assert_int_equal(weft_roster_report(opened.rows).let_in, 2);
    weft_model_close(&opened);
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

static void a_look_needs_no_side_files(void **state)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, false, false, 30);
    weft_model_options look = {.look = true};
    weft_error error = {0};
    must_write(place.path, &model);
    sides_end(&sides);
    weft_model seen = must_open(place.path, &look);
    assert_string_equal(weft_roster_spec(seen.rows), sides.row_spec);
    weft_source source = weft_roster_source(seen.columns, 0);
    assert_string_equal(source.path, sides.columns.path);
    assert_int_equal(source.size, strlen("c0 c1\nc2 c3 2\n"));
    assert_null(source.kept);
    assert_null(weft_roster_source(seen.columns, 1).path);
    assert_int_equal(weft_roster_source_count(seen.columns), 1);
    assert_int_equal(weft_roster_report(seen.columns).let_in, 1);
    assert_string_equal(weft_ids_name(weft_roster_ids(seen.columns), 4), "c9");
    assert_int_equal(weft_player_counters(seen.player).t, 30);
    assert_int_equal(weft_player_evidence_count(seen.player), weft_player_evidence_count(model.player));
    assert_true(seen.read_only);
    assert_int_equal(weft_model_write(place.path, &seen, &error), WEFT_ARGUMENT);
    weft_model_close(&seen);
    weft_model missing = {0};
    assert_int_equal(weft_model_open(place.path, NULL, &missing, &error), WEFT_FILE);
    assert_null(missing.rows);
    weft_model_close(&model);
    place_end(&place);
}

/* Another place, another kind, other words, other contents. */
static void side_files_elsewhere(void **state)
{
    static const struct {
        const char *words, *contents;
        weft_status status;
        const char *message;
    } cases[] = {
        {"classes:%s,missing=alone,epsilon=0.25", "r0 a\nr1 b\nr2 a\nr3 b\n", WEFT_OK, ""},
        {"classes:%s,epsilon=0.25,missing=alone", "r0 a\nr1 b\nr2 a\nr3 a\n", WEFT_MODEL,
         "expected what it said"},
        {"classes:%s,epsilon=0.25,missing=alone", "r0 a\nr0 b\nr2 a\nr3 b\n", WEFT_INPUT, "a second time"},
        {"classes:%s,epsilon=0.5,missing=alone", "r0 a\nr1 b\nr2 a\nr3 b\n", WEFT_ARGUMENT, "contradicts"},
        {"classes:%s,epsilon=0.25,missing=error", "r0 a\nr1 b\nr2 a\nr3 b\n", WEFT_ARGUMENT, "contradicts"},
        {"graph:%s", "r0 a\nr1 b\nr2 a\nr3 b\n", WEFT_ARGUMENT, "contradicts"},
        {"nothing:%s", "r0 a\n", WEFT_ARGUMENT, "found no kind"},
        {"classes:%s.lost,epsilon=0.25,missing=alone", "", WEFT_FILE, "cannot be opened"},
    };
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, false, false, 30);
    must_write(place.path, &model);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_file file = file_of(cases[k].contents);
        char spec[160];
        snprintf(spec, sizeof spec, cases[k].words, file.path);
        weft_model_options options = {.rows = spec};
        weft_model opened = {0};
        weft_error error = {.message = ""};
        assert_int_equal(weft_model_open(place.path, &options, &opened, &error), cases[k].status);
        if (strstr(error.message, cases[k].message) == NULL)
            fail_msg("%s", error.message);
        if (cases[k].status == WEFT_OK)
            assert_string_equal(weft_roster_spec(opened.rows), spec);
        weft_model_close(&opened);
        unlink(file.path);
    }
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

/* More room means a smaller kappa; the bound stays one. */
static void room_can_be_made(void **state)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, false, false, 40);
    weft_answer before = {0}, after = {0};
    weft_model_options options = {.row_capacity = 20, .column_capacity = 14};
    weft_error error = {0};
    must_write(place.path, &model);
    weft_model wide = must_open(place.path, &options);
    assert_int_equal(weft_learner_settings(wide.player).rows, 20);
    assert_int_equal(weft_learner_settings(wide.player).columns, 14);
    assert_int_equal(weft_player_predict(model.player, 1, 2, &before, &error), WEFT_OK);
    assert_int_equal(weft_player_predict(wide.player, 1, 2, &after, &error), WEFT_OK);
    double ratio = (1 + after.margin) / (1 + before.margin);
    assert_true(fabs(ratio - 0.5) < 0.02); /* kappa = D / 17, then D / 34 */
    /* tr exp(A) has one more in each of 17 new dimensions. */
    double grown = log(exp(weft__learner_in(model.player)->bound.log_trace) + 17);
    assert_true(weft__learner_in(wide.player)->bound.log_trace >= grown * (1 - 1e-15) &&
                weft__learner_in(wide.player)->bound.log_trace <= grown + 1e-12);
    assert_true(weft__learner_in(wide.player)->bound.weyl == weft__learner_in(model.player)->bound.weyl);
    assert_int_equal(weft_player_counters(wide.player).t, 40);
    weft_model_close(&wide);
    options.column_capacity = 7;
    assert_int_equal(weft_model_open(place.path, &options, &wide, &error), WEFT_ARGUMENT);
    options.row_capacity = options.column_capacity = INT64_MAX;
    assert_int_equal(weft_model_open(place.path, &options, &wide, &error), WEFT_ARGUMENT);
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

static void what_cannot_be_written(void **state)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, false, false, 3);
    weft_error error = {0};
    char lost[96];
    snprintf(lost, sizeof lost, "%s/lost/m.weft", place.folder);
    assert_int_equal(weft_model_write(lost, &model, &error), WEFT_WRITE);
    assert_int_equal(weft_model_write(place.folder, &model, &error), WEFT_WRITE);
    assert_non_null(strstr(error.message, "a directory"));
    assert_int_equal(weft_model_write("/dev/null", &model, &error), WEFT_WRITE);
    model.embed = true;
    assert_int_equal(weft_model_write(place.path, &model, &error), WEFT_ARGUMENT);
    assert_int_equal(access(place.path, F_OK), -1);
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

/* The mask of the user decides, as for any other file. */
/* People's data: a model that is new is for its owner alone, one that is replaced stays whose it was. */
static void nobody_else_may_read_it(void **state)
{
    test_sides sides = sides_begin();
    test_place place = place_begin();
    weft_model model = model_begin(&sides, true, false, 3);
    struct stat facts = {0};
    mode_t before = umask(022);
    must_write(place.path, &model);
    assert_int_equal(stat(place.path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    assert_int_equal(chmod(place.path, 0640), 0);
    must_write(place.path, &model);
    umask(before);
    assert_int_equal(stat(place.path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    weft_model_close(&model);
    place_end(&place);
    sides_end(&sides);
}

static void what_cannot_be_read(void **state)
{
    weft_model model = {0};
    weft_model_options options = {.size_limit = 10};
    weft_error error = {0};
    test_file file = file_of("this is not a model of anything");
    assert_int_equal(weft_model_open("/nowhere/at/all", NULL, &model, &error), WEFT_FILE);
    assert_int_equal(weft_model_open("/dev/null", NULL, &model, &error), WEFT_FILE);
    assert_int_equal(weft_model_open("/tmp", NULL, &model, &error), WEFT_FILE);
    assert_int_equal(weft_model_open(file.path, NULL, &model, &error), WEFT_MODEL);
    assert_string_equal(message_without(&error, file.path), "F: found no model of weft, expected one");
    assert_int_equal(weft_model_open(file.path, &options, &model, &error), WEFT_MODEL);
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_labels_are_told),
        cmocka_unit_test(two_sides_continue),
        cmocka_unit_test(one_set_continues),
        cmocka_unit_test(equal_runs_write_equal_files),
        cmocka_unit_test(ids_let_in_later_are_there_again),
        cmocka_unit_test(a_look_needs_no_side_files),
        cmocka_unit_test(side_files_elsewhere),
        cmocka_unit_test(room_can_be_made),
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(nobody_else_may_read_it),
        cmocka_unit_test(what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
