/* SPDX-License-Identifier: MIT
 * Small models for tests: side files, a few trials, and the bytes they become. */
#ifndef WEFT_TESTS_UNIT_TEST_IO_MODEL_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_IO_MODEL_SUPPORT_H

#include "base/digest.h"
#include "io/model/model.h"
#include "support/dice.h"
#include "unit/test_io_support.h"

/* The side files of a model, removed in the end. */
typedef struct test_sides {
    test_file rows, columns;
    char row_spec[128], column_spec[128];
} test_sides;

/* Classes for the rows, a graph that is not connected and lacks an id for the columns. */
static inline test_sides sides_begin(void)
{
    test_sides sides = {.rows = file_of("r0 a\nr1 b\nr2 a\nr3 b\n"), .columns = file_of("c0 c1\nc2 c3 2\n")};
    snprintf(sides.row_spec, sizeof sides.row_spec, "classes:%s,epsilon=0.25,missing=alone", sides.rows.path);
    snprintf(sides.column_spec, sizeof sides.column_spec, "graph:%s", sides.columns.path);
    return sides;
}

static inline void sides_end(const test_sides *sides)
{
    unlink(sides->rows.path);
    unlink(sides->columns.path);
}

static inline weft_roster *roster_of(const char *spec, const char *newcomer, const weft_file_options *files)
{
    weft_roster *roster = NULL;
    weft_error error = {0};
    int64_t number = 0;
    if (weft_roster_open(spec, files, &roster, &error) != WEFT_OK ||
        weft_roster_admit(roster, newcomer, NULL, &number, &error) != WEFT_OK ||
        weft_roster_build(roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

/* Trials t, t+1, ... of a stream that depends on nothing but t. */
static inline void play(const weft_model *model, int64_t trials, weft_answer *last)
{
    weft_error error = {0};
    const weft_roster *columns = model->columns != NULL ? model->columns : model->rows;
    for (int64_t k = 0; k < trials; k++) {
        dice d = {(uint64_t)weft_player_counters(model->player).t};
        int64_t row = dice_below(&d, weft_ids_count(weft_roster_ids(model->rows)));
        int64_t column = dice_below(&d, weft_ids_count(weft_roster_ids(columns)));
        int label = (row + column) % 2 == 0 ? 1 : -1;
        if (weft_player_learn(model->player, row, column, label, last, &error) != WEFT_OK)
            fail_msg("%s", error.message);
    }
}

/* A model that has seen `trials`; one_set takes the graph for both. */
static inline weft_model model_begin(const test_sides *sides, bool one_set, bool embed, int64_t trials)
{
    weft_file_options files = {.roster = &(weft_roster_options){.keep = embed}};
    weft_error error = {0};
    weft_model model = {.horizon = 50, .language = {.labels = WEFT_LABELS_SIGNED}, .embed = embed};
    model.rows =
        one_set ? roster_of(sides->column_spec, "c9", &files) : roster_of(sides->row_spec, "r:", &files);
    if (!one_set)
        model.columns = roster_of(sides->column_spec, "c9", &files);
    weft_settings settings = weft_settings_default(9, one_set ? 0 : 8, 50);
    const weft_side *columns = one_set ? NULL : weft_roster_side(model.columns);
    if (weft_learner_create(weft_roster_side(model.rows), columns, &settings, NULL, &model.player, &error) !=
        WEFT_OK)
        fail_msg("%s", error.message);
    play(&model, trials, NULL);
    return model;
}

typedef struct test_bytes {
    unsigned char *at;
    size_t size;
} test_bytes;

static inline test_bytes bytes_of(const weft_model *model)
{
    test_bytes bytes = {.size = weft__model_encode(model, NULL)};
    bytes.at = malloc(bytes.size);
    assert_non_null(bytes.at);
    assert_int_equal(weft__model_encode(model, bytes.at), bytes.size);
    return bytes;
}

static inline void assert_same_model(const weft_model *a, const weft_model *b)
{
    test_bytes x = bytes_of(a), y = bytes_of(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.at, y.at, x.size);
    free(x.at);
    free(y.at);
}

/* Makes the checksum right again. */
static inline void mend(test_bytes bytes)
{
    weft__digest sum = weft__digest_of(bytes.at, bytes.size - 16);
    for (int k = 0; k < 16; k++)
        bytes.at[bytes.size - 16 + (size_t)k] = (unsigned char)(sum.half[k / 8] >> (8 * (k % 8)));
}

/* The roster of a SPEC, with the ids of its file alone. */
static inline weft_roster *built(const char *spec, bool keep)
{
    weft_file_options files = {.roster = &(weft_roster_options){.keep = keep}};
    weft_roster *roster = NULL;
    weft_error error = {0};
    if (weft_roster_open(spec, &files, &roster, &error) != WEFT_OK ||
        weft_roster_build(roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

/* Rows r0, r1, ... and columns of such names, as many as are drawn from. */
typedef struct test_names {
    int64_t rows, columns;
    const char *column; /* what a name of a column begins with */
} test_names;

/* Trials t, t+1, ... of a stream that depends on nothing but t; of one set rows serve both. */
static inline void play_names(const weft_model *model, const test_names *names, int64_t trials)
{
    weft_error error = {0};
    for (int64_t k = 0; k < trials; k++) {
        dice d = {(uint64_t)weft_player_counters(model->player).t};
        char row[16], column[16];
        int64_t i = dice_below(&d, names->rows), j = dice_below(&d, names->columns), pair[2] = {0, 0};
        snprintf(row, sizeof row, "r%d", (int)i);
        snprintf(column, sizeof column, "%s%d", model->columns != NULL ? names->column : "r", (int)j);
        weft_event event = {.row = row, .column = column};
        if (weft_roster_admit_pair(model->rows, model->columns, &event, pair, &error) != WEFT_OK ||
            weft_player_learn(model->player, pair[0], pair[1], (i + j) % 2 == 0 ? 1 : -1, NULL, &error) !=
                WEFT_OK)
            fail_msg("%s", error.message);
    }
}

/* The model of the bytes; options NULL: none. */
static inline weft_status rebuild(test_bytes bytes, const weft_model_options *options, weft_model *model,
                                  weft_error *error)
{
    const weft_model_options none = {0};
    return weft__model_rebuild("m", bytes.at, bytes.size, options != NULL ? options : &none, model, error);
}

#endif
