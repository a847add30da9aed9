/* SPDX-License-Identifier: MIT
 * Room for more ids in a model of the compact engine: what was learnt stays, kappa = D / (m + n) becomes
 * less, and so every quadratic form by the same factor. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_model_support.h"

static weft_model model_of(const char *spec, weft_form form)
{
    weft_error error = {0};
    weft_model model = {.horizon = 50, .language = {.labels = WEFT_LABELS_SIGNED}};
    model.rows = roster_of(spec, "r0", NULL);
    model.columns = form == WEFT_ONE_SET ? NULL : roster_of(spec, "c0", NULL);
    int64_t number = 0;
    for (int k = 1; k < 5; k++) {
        const char name[] = {'x', (char)('0' + k), '\0'};
        assert_int_equal(weft_roster_admit(model.rows, name, NULL, &number, &error), WEFT_OK);
        if (model.columns != NULL)
            assert_int_equal(weft_roster_admit(model.columns, name, NULL, &number, &error), WEFT_OK);
    }
    weft_settings settings = weft_settings_default(8, form == WEFT_ONE_SET ? 0 : 7, 50);
    settings.form = form;
    settings.engine = WEFT_COMPACT;
    settings.half_life = 20;
    const weft_side *columns = model.columns != NULL ? weft_roster_side(model.columns) : NULL;
    if (weft_learner_create(weft_roster_side(model.rows), columns, &settings, NULL, &model.player, &error) !=
        WEFT_OK)
        fail_msg("%s", error.message);
    play(&model, 60, NULL);
    return model;
}

/* kappa x'exp(A)x; balanced: the margin itself. */
static double form_of(const weft_model *model, int64_t i, int64_t j)
{
    weft_answer p;
    assert_int_equal(weft_player_evaluate(model->player, i, j, 1e-10, &p, NULL), WEFT_OK);
    weft_form form = weft_learner_settings(model->player).form;
    return form == WEFT_PAPER ? p.margin + 1 : form == WEFT_ONE_SET ? 1 - p.margin : p.margin;
}

static void check_more_room(weft_form form)
{
    weft_error error = {0};
    test_file file = file_of("");
    weft_model model = model_of("none,map=hash:6", form), opened = {0};
    assert_int_equal(weft_model_write(file.path, &model, &error), WEFT_OK);
    weft_model_options options = {.row_capacity = 12, .column_capacity = form == WEFT_ONE_SET ? 0 : 18};
    if (weft_model_open(file.path, &options, &opened, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    double factor = form == WEFT_ONE_SET ? 8.0 / 12 : 15.0 / 30;
    assert_true(weft_learner_spectral_bound(opened.player) == weft_learner_spectral_bound(model.player));
    assert_true(weft_learner_settings(opened.player).half_life == 20);
    for (int64_t k = 0; k < 25; k++) {
        double before = form_of(&model, k / 5, k % 5), after = form_of(&opened, k / 5, k % 5);
        assert_true(fabs(after - factor * before) <= 1e-8 * fmax(1, fabs(before)));
    }
    weft_model_close(&opened);
    options.row_capacity = 7;
    assert_int_equal(weft_model_open(file.path, &options, &opened, &error), WEFT_ARGUMENT);
    weft_model_close(&model);
    unlink(file.path);
}

static void more_room_changes_kappa_alone(void **state)
{
    check_more_room(WEFT_PAPER);
    check_more_room(WEFT_BALANCED);
    check_more_room(WEFT_ONE_SET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_room_changes_kappa_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
