/* SPDX-License-Identifier: MIT
 * The estimate of a run against what an allocator counts, for every kind of side information, with trials
 * that touch all there is. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_support.h"

#include "support/dice.h"
#include "support/effort.h"
#include "support/meter.h"
#include "weft_files.h"

typedef struct situation {
    const char *kind, *words; /* of the rows */
    int64_t ids;              /* listed, */
    int64_t more;             /* and let in */
    int64_t trials;           /* 0: one an id */
    weft_engine engine;
    weft_precision precision;
    bool no_floor; /* of the compact engine */
    bool one_set;
    bool views; /* of a committee too */
    bool tight; /* least and most are one, or nearly */
} situation;

static void write_square(FILE *file, int64_t n)
{
    fprintf(file, "corner");
    for (int64_t i = 0; i < n; i++)
        fprintf(file, " a%lld", (long long)i);
    for (int64_t i = 0; i < n; i++) {
        fprintf(file, "\na%lld", (long long)i);
        for (int64_t j = 0; j < n; j++)
            fprintf(file, " %d", i == j ? 3 : (i + 1 == j || j + 1 == i));
    }
    fputc('\n', file);
}

static void write_lines(FILE *file, const char *kind, int64_t n)
{
    dice d = {3};
    for (int64_t i = 0; i < n; i++) {
        if (strcmp(kind, "classes") == 0)
            fprintf(file, "a%lld c%lld\n", (long long)i, (long long)i % 7);
        else if (strcmp(kind, "graph") == 0)
            fprintf(file, "a%lld a%lld\na%lld a%lld\n", (long long)i, (long long)(i + 1) % n, (long long)i,
                    (long long)(i + 31) % n);
        else
            fprintf(file, "a%lld %.3f %.3f\n", (long long)i, dice_normal(&d), dice_normal(&d));
    }
}

static weft_roster *open_rows(const situation *what, const weft_memory *memory)
{
    test_file file = file_of("");
    char spec[256], name[32];
    weft_roster *roster = NULL;
    weft_error error = {0};
    int64_t number = 0;
    FILE *out = fopen(file.path, "w");
    assert_non_null(out);
    if (strcmp(what->kind, "kernel") == 0 || strcmp(what->kind, "matrix") == 0)
        write_square(out, what->ids);
    else
        write_lines(out, what->kind, what->ids);
    assert_int_equal(fclose(out), 0);
    bool none = strcmp(what->kind, "none") == 0;
    snprintf(spec, sizeof spec, "%s%s%s%s", what->kind, none ? "" : ":", none ? "" : file.path, what->words);
    weft_file_options options = {.memory = memory, .roster = &(weft_roster_options){.views = what->views}};
    if (weft_roster_open(spec, &options, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    for (int64_t i = 0; i < what->ids + what->more; i++) {
        snprintf(name, sizeof name, "a%lld", (long long)i);
        assert_int_equal(weft_roster_admit(roster, name, NULL, &number, &error), WEFT_OK);
    }
    unlink(file.path);
    return roster;
}

static weft_roster *open_columns(bool compact, const weft_memory *memory)
{
    weft_roster *roster = NULL;
    weft_file_options options = {.memory = memory};
    int64_t number = 0;
    assert_int_equal(weft_roster_open(compact ? "none,map=hash:16" : "none", &options, &roster, NULL),
                     WEFT_OK);
    assert_int_equal(weft_roster_admit(roster, "x", NULL, &number, NULL), WEFT_OK);
    assert_int_equal(weft_roster_admit(roster, "y", NULL, &number, NULL), WEFT_OK);
    return roster;
}

/* With gamma = 1 a label -1 is always learnt; for one set of ids the other way round. */
static void play(weft_player *learner, int64_t rows, bool one_set)
{
    weft_error error = {0};
    for (int64_t i = 0; i + one_set < rows; i++)
        if (weft_player_learn(learner, i, one_set ? i + 1 : i % 2, one_set ? 1 : -1, NULL, &error) != WEFT_OK)
            fail_msg("%s", error.message);
}

static weft_settings settings_of(const situation *what)
{
    weft_settings settings = weft_settings_default(what->ids + what->more, what->one_set ? 0 : 2, 100);
    settings.engine = what->engine;
    settings.precision = what->precision;
    settings.gamma = 1;
    settings.dimension = 4;
    settings.eta = 1e-3;
    settings.tolerance = 0;
    if (what->no_floor)
        settings.floor = 0;
    return settings;
}

/* Most bytes from the moment of the estimate on, beyond those held then. */
static int64_t measure(const situation *what, weft_estimate *estimate, weft_estimate *afterwards)
{
    meter own = {0};
    weft_memory memory = meter_hook(&own);
    weft_settings settings = settings_of(what);
    weft_roster *rows = open_rows(what, &memory),
                *columns = what->one_set ? NULL : open_columns(what->engine == WEFT_COMPACT, &memory);
    weft_player *learner = NULL;
    weft_error error = {0};
    int64_t trials = what->trials > 0 ? what->trials : what->ids + what->more;
    weft_plan plan = {.learner = &settings, .trials = trials};
    *estimate = weft_estimate_run(rows, columns, &plan);
    int64_t held = own.used;
    own.peak = held;
    if (weft_roster_build(rows, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    if (columns != NULL)
        assert_int_equal(weft_roster_build(columns, &error), WEFT_OK);
    *afterwards = weft_estimate_run(rows, columns, &plan);
    if (weft_learner_create(weft_roster_side(rows), columns != NULL ? weft_roster_side(columns) : NULL,
                            &settings, &memory, &learner, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    play(learner, trials, what->one_set);
    int64_t peak = own.peak - held;
    weft_player_free(learner);
    weft_roster_free(columns);
    weft_roster_free(rows);
    assert_int_equal(own.used, 0);
    return peak;
}

static const situation situations[] = {
    {.kind = "kernel", .ids = 400, .tight = true},
    {.kind = "kernel", .words = ",repair=clip", .ids = 400, .tight = true},
    {.kind = "kernel", .words = ",missing=alone", .ids = 300, .more = 150, .tight = true},
    {.kind = "kernel", .ids = 400, .precision = WEFT_DOUBLE, .tight = true},
    {.kind = "matrix", .ids = 400, .tight = true},
    {.kind = "graph", .ids = 500, .tight = true},
    {.kind = "graph", .words = ",kernel=diffusion,time=3", .ids = 500},
    {.kind = "graph", .words = ",kernel=regularised,sigma=3", .ids = 500, .tight = true},
    {.kind = "graph", .words = ",kernel=diffusion,time=3,scale=unit", .ids = 4100, .trials = 20},
    {.kind = "graph", .ids = 500, .one_set = true, .tight = true},
    {.kind = "graph", .ids = 500, .views = true},
    {.kind = "graph", .words = ",missing=alone", .ids = 300, .more = 150, .views = true},
    {.kind = "graph",
     .words = ",kernel=diffusion,time=3,scale=unit",
     .ids = 4100,
     .trials = 20,
     .views = true},
    {.kind = "kernel", .words = ",missing=alone", .ids = 300, .more = 150, .views = true, .tight = true},
    {.kind = "features", .words = ",kernel=gaussian,width=1", .ids = 700, .tight = true},
    {.kind = "features",
     .words = ",kernel=gaussian,width=1",
     .ids = 700,
     .precision = WEFT_DOUBLE,
     .tight = true},
    {.kind = "features", .words = ",kernel=linear,epsilon=1", .ids = 500, .tight = true},
    {.kind = "features", .words = ",kernel=linear,epsilon=0", .ids = 3000},
    {.kind = "features", .words = ",kernel=linear,epsilon=1", .ids = 3000},
    {.kind = "features", .words = ",kernel=linear,epsilon=1,missing=alone", .ids = 1500, .more = 700},
    {.kind = "features", .words = ",kernel=min,range=9", .ids = 600, .one_set = true, .tight = true},
    {.kind = "features",
     .words = ",kernel=gaussian,width=1",
     .ids = 200,
     .engine = WEFT_REFERENCE,
     .tight = true},
    {.kind = "features",
     .words = ",kernel=gaussian,width=1,map=fourier:400",
     .ids = 100,
     .engine = WEFT_COMPACT,
     .tight = true},
    {.kind = "features",
     .words = ",kernel=linear,epsilon=1,map=hash:200",
     .ids = 100,
     .engine = WEFT_COMPACT,
     .tight = true},
    {.kind = "features",
     .words = ",kernel=linear,epsilon=1,map=hash:200",
     .ids = 100,
     .engine = WEFT_COMPACT,
     .no_floor = true,
     .tight = true},
    {.kind = "kernel", .words = ",map=eigen:32", .ids = 300, .engine = WEFT_COMPACT, .tight = true},
    {.kind = "graph", .words = ",map=eigen:32", .ids = 300, .engine = WEFT_COMPACT},
    {.kind = "classes", .words = ",epsilon=0", .ids = 100, .engine = WEFT_COMPACT, .tight = true},
    {.kind = "classes", .ids = 3000},
    {.kind = "none", .words = "", .ids = 0, .more = 3000},
    {.kind = "none", .words = "", .ids = 0, .more = 200, .engine = WEFT_REFERENCE, .tight = true},
};

static void the_estimate_is_what_is_taken(void **state)
{
    for (size_t k = 0; k < sizeof situations / sizeof *situations; k++) {
        situation what = situations[k];
        if (what.ids > 4000 && what.views &&
            fewer(0, 1)) /* the same as without, and as the small ones with */
            continue;
        what.words = what.words != NULL ? what.words : "";
        weft_estimate estimate, afterwards;
        int64_t peak = measure(&what, &estimate, &afterwards);
        double least = (double)estimate.all.least, most = (double)estimate.all.most, found = (double)peak;
        char told[200];
        snprintf(told, sizeof told, "%s%s, %lld ids: %.0f, expected %.0f to %.0f", what.kind, what.words,
                 (long long)(what.ids + what.more), found, least, most);
        if (found < 0.9 * least || found > 1.05 * most || (what.tight && found < 0.75 * most))
            fail_msg("%s", told);
        assert_true(afterwards.rows.most == 0 && afterwards.columns.most == 0);
        assert_true(afterwards.player.most == estimate.player.most);
        assert_true(afterwards.player.least == estimate.player.least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_estimate_is_what_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
