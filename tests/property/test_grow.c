/* SPDX-License-Identifier: MIT
 * Side information that grows: a player that is told in memory, and a model that is opened after its files
 * have grown, are one thing, day by day, for every kind. */
#define _POSIX_C_SOURCE 200809L

#include "support/test.h"

#include "support/dice.h"
#include "support/effort.h"
#include "weft_files.h"

#include <sys/stat.h>
#include <unistd.h>

enum { DAYS = 4, MOST = 60, EVENTS = 60, PATH = 128 };

typedef struct world {
    char folder[64];
    const char *rows, *columns; /* SPECs with %s for the folder; columns NULL: one set */
    bool learner;
    bool apart; /* parts are opened one by one */
    dice d;
} world;

/* Ids that files list on a day; others are let in alone, and some of them are listed later. */
static int64_t listed_on(int day)
{
    return 12 + 10 * day;
}

static int64_t played_on(int day)
{
    return 8 + 14 * day;
}

static double noise(int64_t i, int64_t j, int64_t k)
{
    dice d = {(uint64_t)(1000003 * i + 1009 * j + k)};
    return dice_between(&d, -1, 1);
}

/* ---- Files ---- */

static FILE *open_file(const world *w, const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", w->folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

/* Whether an id comes on the last day alone, where others of its number are there. */
static bool is_late(int64_t i, int day)
{
    return i % 5 == 2 && day + 1 < DAYS;
}

/* The k-th line of a day: its own order every day. */
static int64_t turned(int64_t k, int64_t count, int day)
{
    return (k + 5 * day) % count;
}

static void write_table(const world *w, const char *name, int day, char delimiter)
{
    FILE *file = open_file(w, name);
    fprintf(file, "id,age,city,size\n");
    for (int64_t k = 0; k < listed_on(day); k++) {
        int64_t i = turned(k, listed_on(day), day);
        fprintf(file, "i%lld%c", (long long)i, delimiter);
        if (i % 7 != 3)
            fprintf(file, "%.3f", 20 + 10 * noise(i, 0, 0) + (i > 30 && i % 5 == 0 ? 900 : 0));
        fprintf(file, "%ctown%lld%c%.4f\n", delimiter, (long long)((i * i) % (5 + i / 4)), delimiter,
                noise(i, 1, 0));
    }
    fclose(file);
}

static void write_classes(const world *w, int day)
{
    FILE *file = open_file(w, "classes");
    for (int64_t k = 0; k < listed_on(day); k++) {
        int64_t i = turned(k, listed_on(day), day);
        fprintf(file, "i%lld c%lld\n", (long long)i, (long long)((i * 7) % (3 + i / 9)));
    }
    fclose(file);
}

static void write_features(const world *w, int day)
{
    FILE *file = open_file(w, "features");
    for (int64_t k = 0; k < listed_on(day); k++) {
        int64_t i = turned(k, listed_on(day), day);
        double size = i == 33 ? 4 : 1;
        fprintf(file, "i%lld %.5f %.5f %.5f\n", (long long)i, size * noise(i, 2, 0), size * noise(i, 2, 1),
                size * noise(i, 2, 2));
    }
    fclose(file);
}

static void write_graph(const world *w, int day)
{
    FILE *file = open_file(w, "graph");
    int64_t n = listed_on(day);
    for (int64_t k = 0; k < n; k++) {
        int64_t i = turned(k, n, day);
        for (int64_t j = i + 1; j < n; j++)
            if (j == i + 1 || ((i * 31 + j * 17) % 11 == 0 && (i % 3 == j % 3)))
                fprintf(file, day % 2 == 0 ? "i%lld i%lld %g\n" : "i%2$lld i%1$lld %3$g\n", (long long)i,
                        (long long)j, 1 + (double)((i + j) % 3));
    }
    fclose(file);
}

static double gaussian(int64_t i, int64_t j)
{
    double square = 0;
    for (int64_t k = 0; k < 3; k++)
        square += pow(noise(i, 3, k) - noise(j, 3, k), 2);
    return exp(-square) * (i == j && i > 40 ? 1.5 : 1);
}

/* Diagonally dominant. */
static double precision(int64_t i, int64_t j)
{
    return i == j ? 3 : llabs(i - j) == 1 ? -1 : 0;
}

/* Who has edges is not who is in the table: some are in one of them alone, some in one first and later in
 * both, and some are in neither. */
static void write_follows(const world *w, int day)
{
    FILE *file = open_file(w, "follows");
    int64_t n = listed_on(day) + 6;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = turned(k, n, day);
        for (int64_t j = i + 1; j < n; j++)
            if (!is_late(i, day) && !is_late(j, day) && (i * 31 + j * 17) % 7 == 0)
                fprintf(file, "i%lld i%lld\n", (long long)i, (long long)j);
    }
    fclose(file);
}

static void write_clubs(const world *w, int day)
{
    FILE *file = open_file(w, "clubs");
    for (int64_t k = 0; k < MOST; k++) {
        int64_t i = turned(k, MOST, day);
        if (i < played_on(day) && !is_late(2 * i, day))
            fprintf(file, "i%lld c%lld\n", (long long)i, (long long)((i * 7) % (3 + i / 9)));
    }
    fclose(file);
}

/* Indices that nobody had come with new ids. */
static void write_sparse(const world *w, int day)
{
    FILE *file = open_file(w, "sparse");
    for (int64_t k = 0; k < listed_on(day); k++) {
        int64_t i = turned(k, listed_on(day), day);
        fprintf(file, "i%lld %lld:%.4f %lld:1\n", (long long)i, (long long)(1 + i % 4), noise(i, 5, 0),
                (long long)(5 + i / 6));
    }
    fclose(file);
}

static void write_square(const world *w, const char *name, int day, double entry(int64_t, int64_t))
{
    FILE *file = open_file(w, name);
    int64_t n = listed_on(day);
    fprintf(file, "corner");
    for (int64_t k = 0; k < n; k++)
        fprintf(file, " i%lld", (long long)turned(k, n, day));
    for (int64_t k = 0; k < n; k++) {
        int64_t i = turned(k, n, day);
        fprintf(file, "\ni%lld", (long long)i);
        for (int64_t l = 0; l < n; l++)
            fprintf(file, " %.17g", entry(i, turned(l, n, day)));
    }
    fprintf(file, "\n");
    fclose(file);
}

static void write_files(const world *w, int day)
{
    write_table(w, "table", day, ',');
    write_classes(w, day);
    write_features(w, day);
    write_graph(w, day);
    write_follows(w, day);
    write_clubs(w, day);
    write_sparse(w, day);
    write_square(w, "kernel", day, gaussian);
    write_square(w, "matrix", day, precision);
}

static void remove_files(const world *w)
{
    static const char *const names[] = {"table",   "classes", "features", "graph",  "kernel",
                                        "follows", "clubs",   "sparse",   "matrix", "model"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%s", w->folder, names[k]);
        unlink(path);
    }
    rmdir(w->folder);
}

/* ---- Players ---- */

static void must(weft_status status, const weft_error *error)
{
    if (status != WEFT_OK)
        fail_msg("%s", error->message);
}

/* Several SPECs have ",+" between them, or are opened one by one. */
static weft_roster *open_roster(const world *w, const char *words)
{
    char spec[3 * PATH];
    weft_roster *roster = NULL, *parts[2] = {NULL};
    weft_error error = {0};
    snprintf(spec, sizeof spec, words, w->folder, w->folder);
    char *between = strstr(spec, ",+");
    if (between == NULL || !w->apart) {
        must(weft_roster_open(spec, NULL, &roster, &error), &error);
        return roster;
    }
    *between = 0;
    must(weft_roster_open(spec, NULL, &parts[0], &error), &error);
    must(weft_roster_open(between + 2, NULL, &parts[1], &error), &error);
    must(weft_roster_combine(parts, 2, &roster, &error), &error);
    return roster;
}

static void place_of_model(const world *w, char path[PATH])
{
    snprintf(path, PATH, "%s/model", w->folder);
}

/* A learner with room for all, as a player that knows names. */
static weft_player *make_learner(const world *w)
{
    weft_error error = {0};
    char path[PATH];
    weft_model model = {.rows = open_roster(w, w->rows)};
    weft_player *player = NULL;
    must(weft_roster_build(model.rows, &error), &error);
    if (w->columns != NULL) {
        model.columns = open_roster(w, w->columns);
        must(weft_roster_build(model.columns, &error), &error);
    }
    weft_settings settings = {.form = w->columns != NULL ? WEFT_BALANCED : WEFT_ONE_SET,
                              .updates = WEFT_MARGIN_UPDATES,
                              .eta = 0.7,
                              .gamma = 0.5};
    must(weft_learner_create(weft_roster_side(model.rows),
                             w->columns != NULL ? weft_roster_side(model.columns) : NULL, &settings, NULL,
                             &model.player, &error),
         &error);
    place_of_model(w, path);
    must(weft_model_write(path, &model, &error), &error);
    weft_model_close(&model);
    must(weft_player_open(path, NULL, &player, &error), &error);
    return player;
}

static weft_player *make_player(const world *w)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (w->learner)
        return make_learner(w);
    must(weft_player_create(open_roster(w, w->rows), w->columns != NULL ? open_roster(w, w->columns) : NULL,
                            NULL, &player, &error),
         &error);
    return player;
}

/* Once its graph has taken in vertices (missing=join) a player knows no others. */
static void learn(weft_player *player, dice *d, int day)
{
    weft_error error = {0};
    for (int k = 0; k < EVENTS; k++) {
        char row[24], column[24];
        int64_t i = dice_below(d, played_on(day)), j = dice_below(d, played_on(day)), pair[2];
        int label = noise(i % 5, j % 3, 9) > 0 ? 1 : -1;
        snprintf(row, sizeof row, "i%lld", (long long)i);
        snprintf(column, sizeof column, "i%lld", (long long)j);
        weft_status status = weft_player_pair(player, row, column, pair, &error);
        if (status == WEFT_UNSUPPORTED && strstr(error.message, "cannot take new vertices") != NULL)
            continue;
        must(status, &error);
        must(weft_player_learn(player, pair[0], pair[1], label, NULL, &error), &error);
    }
}

static bool can_grow(const char *words)
{
    return strcmp(words, "none") != 0;
}

static void grow(const world *w, weft_player *player)
{
    weft_error error = {0};
    if (can_grow(w->rows))
        must(weft_player_grow(player, WEFT_ROWS, open_roster(w, w->rows), &error), &error);
    if (w->columns != NULL && can_grow(w->columns))
        must(weft_player_grow(player, WEFT_COLUMNS, open_roster(w, w->columns), &error), &error);
}

static weft_player *save(const world *w, weft_player *player)
{
    weft_error error = {0};
    char path[PATH];
    place_of_model(w, path);
    must(weft_player_save(player, path, &error), &error);
    weft_player_free(player);
    return NULL;
}

static weft_player *open_again(const world *w)
{
    weft_error error = {0};
    weft_player *player = NULL;
    char path[PATH];
    place_of_model(w, path);
    must(weft_player_open(path, NULL, &player, &error), &error);
    return player;
}

static void check_same(const weft_player *a, const weft_player *b, const world *w, int day)
{
    uint64_t x[2], y[2];
    assert_int_equal(weft_player_digest(a, x, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(b, y, NULL), WEFT_OK);
    if (x[0] != y[0] || x[1] != y[1])
        fail_msg("%s and %s, day %d: other digests", w->rows, w->columns != NULL ? w->columns : "no others",
                 day);
}

/* What a stranger is told of a listed id. */
static void check_numbers(const weft_player *player, const world *w, int day)
{
    const weft_roster *roster = weft_player_roster(player, WEFT_ROWS);
    weft_roster_facts facts = weft_roster_report(roster);
    if (!can_grow(w->rows))
        return;
    if (strstr(w->rows, ",+") == NULL)
        assert_int_equal(facts.listed, listed_on(day));
    assert_int_equal(weft_ids_count(weft_roster_ids(roster)), facts.listed + facts.let_in);
}

static void play(world w)
{
    dice first = {7}, second = {7};
    snprintf(w.folder, sizeof w.folder, "/tmp/weft-grow-XXXXXX");
    assert_non_null(mkdtemp(w.folder));
    write_files(&w, 0);
    weft_player *told = make_player(&w), *resumed = make_player(&w);
    for (int day = 0; day < DAYS; day++) {
        if (day > 0) {
            resumed = save(&w, resumed);
            write_files(&w, day);
            grow(&w, told);
            resumed = open_again(&w);
            check_same(told, resumed, &w, day);
        }
        learn(told, &first, day);
        learn(resumed, &second, day);
        check_same(told, resumed, &w, day);
        check_numbers(told, &w, day);
    }
    /* One that grew in memory, saved and opened again, goes on to the bit. */
    save(&w, told);
    told = open_again(&w);
    learn(told, &first, DAYS - 1);
    learn(resumed, &second, DAYS - 1);
    check_same(told, resumed, &w, DAYS);
    weft_player_free(told);
    weft_player_free(resumed);
    remove_files(&w);
}

static const char *const kinds[] = {
    "classes:%s/classes",
    "table:%s/table",
    "features:%s/features",
    "features:%s/features,kernel=gaussian,width=1",
    "features:%s/features,kernel=linear,epsilon=0.1",
    "features:%s/features,kernel=min,range=9",
    "features:%s/sparse,kernel=linear,epsilon=0.5",
    "features:%s/sparse,kernel=gaussian,width=2",
    "graph:%s/graph",
    "graph:%s/graph,kernel=regularised,sigma=1",
    "graph:%s/graph,kernel=diffusion,time=2,scale=unit",
    "graph:%s/graph,kernel=none",
    "kernel:%s/kernel",
    "kernel:%s/kernel,repair=clip",
    "matrix:%s/matrix",
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void two_sets_grow(void **state)
{
    (void)state;
    for (int64_t k = 0; k < KINDS; k++)
        play((world){.rows = kinds[k], .columns = k % 2 == 0 ? "none" : kinds[(k * 5 + 1) % KINDS]});
}

static void one_set_grows(void **state)
{
    (void)state;
    for (int64_t k = 0; k < KINDS; k++)
        play((world){.rows = kinds[k]});
}

static void a_learner_grows(void **state)
{
    (void)state;
    for (int64_t k = 0; k < KINDS; k++) {
        if (strstr(kinds[k], "features,") == NULL && strstr(kinds[k], "kernel=none") != NULL)
            continue;
        play((world){.rows = kinds[k], .columns = kinds[(k * 7 + 3) % KINDS], .learner = true});
        play((world){.rows = kinds[k], .learner = true});
    }
}

/* ---- Several kinds of one side ---- */

static const char *const pairs[] = {
    "table:%s/table",
    "graph:%s/follows",
    "classes:%s/clubs",
    "features:%s/sparse,kernel=linear,epsilon=0.5",
    "kernel:%s/kernel",
    "graph:%s/follows,kernel=none",
    "graph:%s/follows,missing=join",
    "features:%s/features,kernel=gaussian,width=1",
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* All pairs in the long form; else those with a table, and every fifth of the others in turn. */
static bool wanted(int64_t k, int64_t j, bool learner, bool one_set)
{
    bool graphs = strstr(pairs[k], "follows") != NULL && strstr(pairs[j], "follows") != NULL;
    bool table = k == 0 && !learner && !one_set && fewer(1, 0) == 1;
    if (k == j || graphs)
        return false;
    return is_long() || table || (k + 3 * j + learner + 2 * one_set) % fewer(5, 11) == 0;
}

/* `first` and `second` of one side, each beside each: ids are new in one of them, or in both. */
static void pair_of(char words[2 * PATH], int64_t first, int64_t second)
{
    snprintf(words, 2 * PATH, "%s,+%s", pairs[first], pairs[second]);
}

static void play_pairs(bool learner, bool one_set)
{
    char rows[2 * PATH], columns[2 * PATH];
    for (int64_t k = 0; k < PAIRS; k++)
        for (int64_t j = 0; j < PAIRS; j++) {
            if (!wanted(k, j, learner, one_set))
                continue;
            pair_of(rows, k, j);
            pair_of(columns, j, k);
            bool same = (k + j) % 3 == 0;
            play((world){.rows = rows,
                         .columns = one_set   ? NULL
                                    : same    ? columns
                                    : learner ? pairs[k]
                                              : "none",
                         .learner = learner,
                         .apart = (k + j) % 2 == 1});
        }
}

static void several_kinds_of_two_sets(void **state)
{
    (void)state;
    play_pairs(false, false);
}

static void several_kinds_of_one_set(void **state)
{
    (void)state;
    play_pairs(false, true);
}

static void a_learner_of_several_kinds(void **state)
{
    (void)state;
    play_pairs(true, false);
    play_pairs(true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sets_grow),
        cmocka_unit_test(one_set_grows),
        cmocka_unit_test(a_learner_grows),
        cmocka_unit_test(several_kinds_of_two_sets),
        cmocka_unit_test(several_kinds_of_one_set),
        cmocka_unit_test(a_learner_of_several_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
