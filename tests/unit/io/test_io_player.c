/* SPDX-License-Identifier: MIT
 * A player with its rosters as one object: made of what is in memory or in files, asked by name, saved,
 * opened and continued to the bit. */
#define _POSIX_C_SOURCE 200809L

#include "support/alloc.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <math.h>
#include <sys/stat.h>

enum { N = 4, TRIALS = 60, CUT = 25 };

static const int64_t class_of[N] = {0, 0, 1, 1};
static const int64_t from[N] = {0, 1, 2, 3}, to[N] = {1, 2, 3, 0};
static const double values[N * 2] = {1, 0.5, 0.9, 0.6, -1, 0.25, -0.8, 1.0 / 3};
static const char *const names[N] = {"ann", "bob", "c,d", "dan"};

enum { NAMES, CLASSES, GRAPH, FEATURES, KINDS };

static weft_roster *roster_of(int kind, const weft_file_options *options)
{
    const weft_graph graph = {.vertices = N, .edges = N, .from = from, .to = to};
    const weft_features features = {
        .count = N, .dimension = 2, .values = values, .kernel = WEFT_GAUSSIAN, .parameter = 1};
    weft_roster *roster = NULL;
    weft_error error = {0};
    weft_status status = WEFT_OK;
    if (kind == NAMES)
        status = weft_roster_from_names(N, names, options, &roster, &error);
    else if (kind == CLASSES)
        status = weft_roster_from_classes(N, class_of, 0.1, names, options, &roster, &error);
    else if (kind == GRAPH)
        status = weft_roster_from_graph(&graph, names, options, &roster, &error);
    else
        status = weft_roster_from_features(&features, names, options, &roster, &error);
    if (status != WEFT_OK)
        fail_msg("%s", error.message);
    return roster;
}

static weft_player *player_of(int kind, bool one_set)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_player_create(roster_of(kind, NULL), one_set ? NULL : roster_of(NAMES, NULL), NULL, &player,
                           &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

/* Trial t by names, some of which nobody has listed. */
static weft_answer play(weft_player *player, int t)
{
    char row[16], column[16];
    int64_t pair[2];
    weft_answer answer = {0}, learnt = {0};
    weft_error error = {0};
    int i = t * 5 % 7, j = t * 3 % 11;
    snprintf(row, sizeof row, "%s", i < N ? names[i] : i == 4 ? "eve" : i == 5 ? "fay" : "guy");
    snprintf(column, sizeof column, "%s%d", j < 5 ? "film" : "book", j);
    if (weft_player_pair(player, row, column, pair, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_int_equal(weft_player_predict(player, pair[0], pair[1], &answer, &error), WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], (i + j) % 3 == 0 ? 1 : -1, &learnt, &error),
                     WEFT_OK);
    assert_true(answer.vote == learnt.vote && answer.label == learnt.label);
    return answer;
}

static void a_saved_player_goes_on_to_the_bit(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            weft_player *whole = player_of(kind, one_set), *cut = player_of(kind, one_set), *opened = NULL;
            test_file file = file_of("");
            weft_error error = {0};
            for (int t = 0; t < CUT; t++) {
                play(whole, t);
                play(cut, t);
            }
            if (weft_player_save(cut, file.path, &error) != WEFT_OK)
                fail_msg("%s", error.message);
            weft_player_free(cut);
            if (weft_player_open(file.path, NULL, &opened, &error) != WEFT_OK)
                fail_msg("%s", error.message);
            for (int t = CUT; t < TRIALS; t++) {
                weft_answer a = play(whole, t), b = play(opened, t);
                assert_true(a.vote == b.vote && a.probability == b.probability && a.label == b.label &&
                            a.t == b.t);
            }
            assert_int_equal(weft_player_counters(opened).trials, TRIALS);
            assert_string_equal(weft_player_name(opened, WEFT_ROWS, 2), "c,d");
            unlink(file.path);
            weft_player_free(opened);
            weft_player_free(whole);
        }
}

/* The bytes of a player's model, to be freed. */
static unsigned char *bytes_of(const weft_player *player, size_t *size)
{
    weft_error error = {0};
    assert_int_equal(weft_player_to_bytes(player, NULL, size, &error), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    size_t short_of = *size - 1;
    assert_int_equal(weft_player_to_bytes(player, bytes, &short_of, &error), WEFT_ARGUMENT);
    if (weft_player_to_bytes(player, bytes, size, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return bytes;
}

static bool same_digest(const weft_player *a, const weft_player *b)
{
    uint64_t of_a[2], of_b[2];
    assert_int_equal(weft_player_digest(a, of_a, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(b, of_b, NULL), WEFT_OK);
    return of_a[0] == of_b[0] && of_a[1] == of_b[1];
}

static void bytes_are_those_of_the_file(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            weft_player *player = player_of(kind, one_set), *opened = NULL;
            test_file file = file_of("");
            unsigned char kept[1 << 16];
            weft_error error = {0};
            size_t size = 0;
            for (int t = 0; t < CUT; t++)
                play(player, t);
            unsigned char *bytes = bytes_of(player, &size);
            assert_int_equal(weft_player_save(player, file.path, &error), WEFT_OK);
            FILE *stream = fopen(file.path, "rb");
            assert_non_null(stream);
            for (size_t at = 0, more; at < size; at += more) {
                more = fread(kept, 1, sizeof kept, stream);
                assert_true(more > 0 && at + more <= size && memcmp(bytes + at, kept, more) == 0);
            }
            assert_int_equal(fgetc(stream), EOF);
            fclose(stream);
            unlink(file.path);
            if (weft_player_from_bytes(bytes, size, NULL, &opened, &error) != WEFT_OK)
                fail_msg("%s", error.message);
            assert_true(same_digest(player, opened));
            play(player, CUT);
            assert_false(same_digest(player, opened));
            play(opened, CUT);
            assert_true(same_digest(player, opened));
            weft_player_free(opened);
            weft_player_free(player);
            bytes[size / 2] ^= 1;
            opened = NULL;
            assert_int_equal(weft_player_from_bytes(bytes, size, NULL, &opened, &error), WEFT_MODEL);
            assert_non_null(strstr(error.message, "the model in memory: "));
            assert_int_equal(weft_player_from_bytes(bytes, 0, NULL, &opened, &error), WEFT_MODEL);
            assert_null(opened);
            free(bytes);
        }
}

static void names_and_rosters_are_told(void **state)
{
    weft_player *two = player_of(CLASSES, false), *one = player_of(CLASSES, true);
    assert_string_equal(weft_player_name(two, WEFT_ROWS, 3), "dan");
    assert_string_equal(weft_player_name(two, WEFT_COLUMNS, 1), "bob");
    assert_null(weft_player_name(two, WEFT_ROWS, 4));
    assert_null(weft_player_name(two, WEFT_BOTH, 0));
    assert_null(weft_player_name(NULL, WEFT_ROWS, 0));
    assert_true(weft_player_roster(two, WEFT_ROWS) != weft_player_roster(two, WEFT_COLUMNS));
    assert_true(weft_player_roster(one, WEFT_ROWS) == weft_player_roster(one, WEFT_COLUMNS));
    assert_null(weft_player_roster(one, 0));
    weft_player_free(two);
    weft_player_free(one);
}

/* A copy has names of its own, and outlives its original. */
static void a_copy_is_as_its_original(void **state)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int one_set = 0; one_set < 2; one_set++) {
            weft_player *player = player_of(kind, one_set), *copy = NULL;
            test_file file = file_of("");
            weft_error error = {0};
            uint64_t before[2], after[2];
            for (int t = 0; t < CUT; t++)
                play(player, t);
            assert_int_equal(weft_player_set_threads(player, 2, &error), WEFT_OK);
            if (weft_player_clone(player, &copy, &error) != WEFT_OK)
                fail_msg("%s", error.message);
            assert_true(same_digest(player, copy));
            assert_int_equal(weft_player_digest(copy, before, NULL), WEFT_OK);
            assert_true(weft_player_roster(copy, WEFT_ROWS) != weft_player_roster(player, WEFT_ROWS));
            for (int t = CUT; t < TRIALS; t++)
                play(player, t);
            /* What the original has let in since, the copy has not. */
            assert_int_equal(weft_player_digest(copy, after, NULL), WEFT_OK);
            assert_true(before[0] == after[0] && before[1] == after[1]);
            for (int t = CUT; t < TRIALS; t++)
                play(copy, t);
            assert_true(same_digest(player, copy));
            weft_player_free(player);
            assert_string_equal(weft_player_name(copy, WEFT_ROWS, 2), "c,d");
            play(copy, TRIALS);
            assert_int_equal(weft_player_save(copy, file.path, &error), WEFT_OK);
            unlink(file.path);
            weft_player_free(copy);
        }
}

/* Files that were not kept are read again, and must be what they were. */
static void a_copy_reads_its_files_again(void **state)
{
    test_file file = file_of("ann x\nbob x\nc,d y\ndan y\n");
    char spec[300];
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL, *copy = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "classes:%s,missing=alone", file.path);
    assert_int_equal(weft_roster_open(spec, NULL, &rows, &error), WEFT_OK);
    assert_int_equal(weft_roster_open("none", NULL, &columns, &error), WEFT_OK);
    assert_int_equal(weft_player_create(rows, columns, NULL, &player, &error), WEFT_OK);
    for (int t = 0; t < CUT; t++)
        play(player, t);
    if (weft_player_clone(player, &copy, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    assert_true(same_digest(player, copy));
    weft_player_free(copy);
    FILE *stream = fopen(file.path, "a");
    assert_non_null(stream);
    fputs("eva z\n", stream);
    fclose(stream);
    copy = NULL;
    assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "digest"));
    unlink(file.path);
    assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_FILE);
    assert_null(copy);
    play(player, CUT);
    weft_player_free(player);
}

/* Every allocation of a copy refused in turn: nothing is left behind, and the original is as before. */
static void a_copy_without_memory_costs_nothing(void **state)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    const weft_file_options options = {.memory = &memory};
    weft_player *player = NULL, *copy = NULL;
    weft_error error = {0};
    uint64_t before[2], after[2];
    assert_int_equal(
        weft_player_create(roster_of(CLASSES, &options), roster_of(NAMES, &options), NULL, &player, &error),
        WEFT_OK);
    play(player, 0);
    assert_int_equal(weft_player_digest(player, before, NULL), WEFT_OK);
    int64_t blocks = alloc.blocks;
    for (int64_t k = 0; copy == NULL; k++) {
        test_alloc_arm(&alloc, k);
        weft_status status = weft_player_clone(player, &copy, &error);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        assert_true((copy == NULL) == alloc.failed && (copy != NULL || alloc.blocks == blocks));
    }
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    assert_int_equal(weft_player_digest(player, after, NULL), WEFT_OK);
    assert_memory_equal(before, after, sizeof before);
    weft_player_free(copy);
    weft_player_free(player);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
}

/* Starting anew leaves the ids and the side information. */
static void a_player_that_starts_anew_keeps_its_rosters(void **state)
{
    weft_player *player = player_of(CLASSES, false), *fresh = player_of(CLASSES, false);
    weft_error error = {0};
    for (int t = 0; t < 10; t++)
        play(player, t);
    assert_int_equal(weft_player_reset(player, &error), WEFT_OK);
    assert_string_equal(weft_player_name(player, WEFT_ROWS, 2), "c,d");
    for (int t = 0; t < 10; t++) {
        weft_answer a = play(player, t), b = play(fresh, t);
        assert_true(a.vote == b.vote && a.probability == b.probability && a.t == b.t);
    }
    assert_true(same_digest(player, fresh));
    weft_player_free(player);
    weft_player_free(fresh);
}

static void files_are_named_or_kept(void **state)
{
    for (int keep = 0; keep < 2; keep++) {
        test_file side = file_of("ann x\nbob x\ncyd y\n"), model = file_of("");
        weft_file_options options = {.roster = &(weft_roster_options){.keep = keep}};
        weft_roster *rows = NULL;
        weft_player *player = NULL, *opened = NULL;
        weft_error error = {0};
        char spec[300];
        snprintf(spec, sizeof spec, "classes:%s,missing=alone", side.path);
        assert_int_equal(weft_roster_open(spec, &options, &rows, &error), WEFT_OK);
        assert_int_equal(weft_player_create(rows, roster_of(NAMES, NULL), NULL, &player, &error), WEFT_OK);
        for (int t = 0; t < 5; t++)
            play(player, t);
        assert_int_equal(weft_player_save(player, model.path, &error), WEFT_OK);
        unlink(side.path);
        assert_int_equal(weft_player_open(model.path, NULL, &opened, &error), keep ? WEFT_OK : WEFT_FILE);
        unlink(model.path);
        weft_player_free(opened);
        weft_player_free(player);
    }
}

/* One side in memory and a file of the other that was not kept: no model can have both. */
static void what_cannot_be_saved_is_refused(void **state)
{
    test_file side = file_of("ann x\nbob x\ncyd y\n"), model = file_of("");
    weft_roster *rows = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    char spec[300];
    unlink(model.path);
    snprintf(spec, sizeof spec, "classes:%s,missing=alone", side.path);
    assert_int_equal(weft_roster_open(spec, NULL, &rows, &error), WEFT_OK);
    assert_int_equal(weft_player_create(rows, roster_of(CLASSES, NULL), NULL, &player, &error), WEFT_OK);
    assert_int_equal(weft_player_save(player, model.path, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "not kept"));
    struct stat facts;
    assert_true(stat(model.path, &facts) != 0);
    weft_player_free(player);
    unlink(side.path);
}

/* What the model under `path` says of its evidence. */
static bool is_disturbed(const char *path)
{
    weft_model model = {0};
    assert_int_equal(weft_model_open(path, NULL, &model, NULL), WEFT_OK);
    bool disturbed = model.disturbed;
    weft_model_close(&model);
    return disturbed;
}

static void models_tell_what_was_done_to_the_evidence(void **state)
{
    for (int merges = 0; merges < 2; merges++) {
        test_file file = file_of("");
        weft_player *player = player_of(CLASSES, false), *other = player_of(CLASSES, false), *opened = NULL;
        weft_error error = {0};
        play(player, 0);
        assert_int_equal(weft_player_save(player, file.path, &error), WEFT_OK);
        assert_false(is_disturbed(file.path));
        assert_int_equal(merges ? weft_player_merge(player, other, &error)
                                : weft_player_forget(player, WEFT_ROWS, 0, &error),
                         WEFT_OK);
        assert_int_equal(weft_player_save(player, file.path, &error), WEFT_OK);
        assert_true(is_disturbed(file.path));
        assert_int_equal(weft_player_open(file.path, NULL, &opened, &error), WEFT_OK);
        assert_int_equal(weft_player_save(opened, file.path, &error), WEFT_OK);
        assert_true(is_disturbed(file.path));
        assert_int_equal(weft_player_reset(opened, &error), WEFT_OK);
        assert_int_equal(weft_player_save(opened, file.path, &error), WEFT_OK);
        assert_false(is_disturbed(file.path));
        unlink(file.path);
        weft_player_free(opened);
        weft_player_free(other);
        weft_player_free(player);
    }
}

/* A learner over two rosters as a model. */
static test_file learner_model(void)
{
    test_file file = file_of("");
    weft_settings settings = weft_settings_default(4, 4, 10);
    weft_model model = {.rows = roster_of(CLASSES, NULL), .columns = roster_of(CLASSES, NULL), .embed = true};
    assert_int_equal(weft_roster_build(model.rows, NULL), WEFT_OK);
    assert_int_equal(weft_roster_build(model.columns, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(weft_roster_side(model.rows), weft_roster_side(model.columns),
                                         &settings, NULL, &model.player, NULL),
                     WEFT_OK);
    assert_int_equal(weft_player_learn(model.player, 0, 1, -1, NULL, NULL), WEFT_OK);
    assert_int_equal(weft_model_write(file.path, &model, NULL), WEFT_OK);
    weft_model_close(&model);
    return file;
}

static void a_look_is_not_asked(void **state)
{
    test_file file = learner_model();
    weft_player *player = NULL, *copy = NULL;
    weft_error error = {0};
    weft_answer answer;
    weft_ranked ranked;
    weft_explanation explanation;
    weft_influence influence;
    int64_t found = 0;
    assert_int_equal(weft_player_open(file.path, &(weft_model_options){.look = true}, &player, &error),
                     WEFT_OK);
    assert_int_equal(weft_player_clone(player, &copy, &error), WEFT_OK);
    assert_int_equal(weft_player_counters(player).t, 1);
    assert_int_equal(weft_player_evidence_count(player), 1);
    const weft_status refused[] = {
        weft_player_predict(player, 0, 0, &answer, &error),
        weft_player_predict_at(player, 0, 0, 3, &answer, &error),
        weft_player_evaluate(player, 0, 0, 0.1, &answer, &error),
        weft_player_learn(player, 0, 0, 1, NULL, &error),
        weft_player_rank(player, &(weft_query){.most = 1}, &ranked, &found, &error),
        weft_player_explain(player, 0, 0, 0.1, &explanation, &influence, &error),
        weft_player_forget(player, WEFT_ROWS, 0, &error),
        weft_player_merge(player, copy, &error),
        weft_player_add_evidence(player, NULL, 0, &error),
        weft_player_predict(copy, 0, 0, &answer, &error),
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        assert_int_equal(refused[k], WEFT_UNSUPPORTED);
    assert_non_null(strstr(error.message, "only to look"));
    assert_int_equal(weft_player_save(player, file.path, &error), WEFT_ARGUMENT);
    weft_player_free(copy);
    weft_player_free(player);
    unlink(file.path);
}

static void arguments_are_checked(void **state)
{
    weft_roster *rows = roster_of(CLASSES, NULL), *built = roster_of(CLASSES, NULL), *mapped = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    int64_t pair[2];
    size_t size = 0;
    uint64_t digest[2];
    assert_int_equal(weft_player_create(NULL, rows, NULL, &player, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "rows is NULL");
    assert_int_equal(weft_player_create(rows, NULL, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_create(rows, rows, NULL, &player, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_build(built, &error), WEFT_OK);
    assert_int_equal(weft_player_create(built, rows, NULL, &player, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_roster_open("none,map=hash:8", NULL, &mapped, &error), WEFT_OK);
    assert_int_equal(weft_player_create(mapped, rows, NULL, &player, &error), WEFT_UNSUPPORTED);
    assert_int_equal(weft_player_create(rows, mapped, NULL, &player, &error), WEFT_UNSUPPORTED);
    assert_int_equal(weft_player_open(NULL, NULL, &player, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_open("/nonexistent/model", NULL, &player, &error), WEFT_FILE);
    assert_int_equal(weft_player_open("x", NULL, NULL, &error), WEFT_ARGUMENT);
    assert_null(player);
    assert_int_equal(weft_player_create(rows, NULL, NULL, &player, &error), WEFT_OK);
    weft_player *second = NULL;
    assert_int_equal(weft_player_create(rows, NULL, NULL, &second, &error), WEFT_ARGUMENT);
    assert_non_null(strstr(error.message, "belongs to another player"));
    assert_null(second);
    assert_int_equal(weft_player_pair(player, NULL, "x", pair, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_pair(player, "x", NULL, pair, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_pair(player, "x", "y", NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_pair(NULL, "x", "y", pair, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_save(player, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_save(NULL, "x", &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_to_bytes(NULL, NULL, &size, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_to_bytes(player, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_from_bytes(NULL, 1, NULL, &player, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_from_bytes("x", 1, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_digest(NULL, digest, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_digest(player, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_model_digest(NULL, digest, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_model_digest(&(weft_model){0}, digest, &error), WEFT_ARGUMENT);
    weft_player_free(player);
    weft_roster_free(built);
    weft_roster_free(mapped);
}

static void assert_digest(const weft_player *player, const uint64_t expected[2])
{
    uint64_t found[2];
    assert_int_equal(weft_player_digest(player, found, NULL), WEFT_OK);
    assert_memory_equal(found, expected, sizeof found);
}

/* Names that were never met are answered, which changes nothing; learnt, they have the numbers that they were
 * asked for by. */
static void names_that_are_asked_for(void **state)
{
    weft_player *player = NULL, *one = NULL;
    weft_error error = {0};
    int64_t asked[2], learnt[2];
    uint64_t before[2];
    weft_answer answer, again;
    assert_int_equal(
        weft_player_create(roster_of(CLASSES, NULL), roster_of(NAMES, NULL), NULL, &player, &error), WEFT_OK);
    for (int k = 0; k < 50; k++) {
        char row[16], column[16];
        snprintf(row, sizeof row, "new %d", k);
        snprintf(column, sizeof column, "other %d", k);
        assert_int_equal(weft_player_digest(player, before, &error), WEFT_OK);
        assert_int_equal(weft_player_find(player, row, column, asked, &error), WEFT_OK);
        assert_int_equal(weft_player_predict(player, asked[0], asked[1], &answer, &error), WEFT_OK);
        assert_digest(player, before);
        assert_int_equal(weft_player_pair(player, row, column, learnt, &error), WEFT_OK);
        assert_memory_equal(asked, learnt, sizeof asked);
        assert_int_equal(weft_player_predict(player, learnt[0], learnt[1], &again, &error), WEFT_OK);
        assert_true(again.probability == answer.probability && again.label == answer.label);
        assert_int_equal(weft_player_learn(player, learnt[0], learnt[1], k % 3 == 0 ? -1 : 1, NULL, &error),
                         WEFT_OK);
    }
    weft_player_free(player);
    assert_int_equal(weft_player_create(roster_of(NAMES, NULL), NULL, NULL, &one, &error), WEFT_OK);
    assert_int_equal(weft_player_find(one, "x", "y", asked, &error), WEFT_OK);
    assert_int_equal(asked[1], asked[0] + 1);
    assert_int_equal(weft_player_find(one, "x", "x", asked, &error), WEFT_OK);
    assert_int_equal(asked[1], asked[0]);
    weft_player_free(one);
}

/* What has no name cannot be learnt or forgotten, so that a model that was saved can be opened again. */
static void numbers_without_a_name(void **state)
{
    weft_player *player = NULL;
    weft_error error = {0};
    int64_t pair[2], asked[2];
    unsigned char record[4096];
    size_t size = sizeof record;
    uint64_t before[2];
    assert_int_equal(
        weft_player_create(roster_of(CLASSES, NULL), roster_of(NAMES, NULL), NULL, &player, &error), WEFT_OK);
    assert_int_equal(weft_player_pair(player, "new", "other", pair, &error), WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], 1, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_digest(player, before, &error), WEFT_OK);
    assert_int_equal(weft_player_find(player, "stranger", "unheard", asked, &error), WEFT_OK);
    assert_int_equal(weft_player_learn(player, asked[0], pair[1], 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_non_null(strstr(error.message, "has no name"));
    assert_int_equal(weft_player_learn(player, pair[0], asked[1], 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_learn(player, asked[0], asked[1], 0, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_learn_anew(player, asked[0], asked[1], 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_record(player, asked[0], asked[1], 1, record, &size, &error), WEFT_OK);
    assert_int_equal(weft_player_learn_late(player, record, size, 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_forget(player, WEFT_ROWS, asked[0], &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_forget(player, WEFT_COLUMNS, asked[1], &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_merge_numbered(player, player, asked, 1, pair, 0, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_merge_numbered(player, player, pair, 1, asked + 1, 1, &error),
                     WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_merge_numbered(player, player, pair, -1, pair, 0, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_merge_numbered(player, player, pair, 0, pair, -1, &error), WEFT_ARGUMENT);
    /* Names that are empty, and numbers that no array has. */
    assert_int_equal(weft_player_pair(player, "", "c", pair, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_find(player, "r", "", pair, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_player_learn(player, 0, INT64_MAX, 1, NULL, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_player_predict(player, INT64_MAX, 0, &(weft_answer){0}, &error), WEFT_UNKNOWN_ID);
    assert_int_equal(weft_record_set_pair(record, size, -1, 0, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_record_set_pair(record, size, 0, -1, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_record_set_pair(record, 8, 0, 0, &error), WEFT_INPUT);
    assert_digest(player, before);
    /* With its names it is learnt. */
    assert_int_equal(weft_player_pair(player, "stranger", "unheard", pair, &error), WEFT_OK);
    assert_int_equal(weft_record_set_pair(record, size, pair[0], pair[1], &error), WEFT_OK);
    assert_int_equal(weft_player_learn_late(player, record, size, 1, NULL, &error), WEFT_OK);
    assert_int_equal(weft_player_counters(player).t, 2);
    weft_player_free(player);
}

/* weft_player_create where request number k is refused; how many were made.  Where it fails the rosters are
 * the caller's. */
static int64_t create_refused(int64_t k)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_file_options options = {.memory = &memory};
    weft_roster *rows = roster_of(GRAPH, &options), *columns = roster_of(NAMES, &options);
    weft_player *player = NULL;
    weft_error error = {0};
    test_alloc_arm(&alloc, k);
    int64_t before = alloc.requests;
    weft_status status = weft_player_create(rows, columns, NULL, &player, &error);
    int64_t made = alloc.requests - before;
    assert_int_equal(status, k < 0 ? WEFT_OK : WEFT_MEMORY);
    if (status != WEFT_OK) {
        assert_null(player);
        weft_roster_free(rows);
        weft_roster_free(columns);
    }
    weft_player_free(player);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return made;
}

/* A committee asks for thousands: the first ones and the last ones, and every 37th. */
static void refused_memory_leaves_the_rosters(void **state)
{
    int64_t all = create_refused(TEST_ALLOC_NEVER);
    assert_true(all > 100);
    for (int64_t k = 0; k < all; k += k < 40 || k > all - 20 ? 1 : 37)
        create_refused(k);
    create_refused(all - 1);
}

/* The same of weft_player_open. */
static void refused_memory_opens_nothing(void **state)
{
    test_file file = file_of("");
    weft_player *player = player_of(FEATURES, false);
    weft_error error = {0};
    for (int t = 0; t < 10; t++)
        play(player, t);
    assert_int_equal(weft_player_save(player, file.path, &error), WEFT_OK);
    weft_player_free(player);
    int64_t all = 1;
    for (int64_t k = -1; k < all; k += k >= 0 && k < all - 20 ? 37 : 1) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_model_options options = {.files = {.memory = &memory}};
        player = NULL;
        weft_status status = weft_player_open(file.path, &options, &player, &error);
        assert_int_equal(status, k < 0 ? WEFT_OK : WEFT_MEMORY);
        assert_true((player != NULL) == (k < 0));
        all = k < 0 ? alloc.requests : all;
        weft_player_free(player);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
    unlink(file.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_player_goes_on_to_the_bit),
        cmocka_unit_test(bytes_are_those_of_the_file),
        cmocka_unit_test(names_and_rosters_are_told),
        cmocka_unit_test(a_copy_is_as_its_original),
        cmocka_unit_test(a_copy_reads_its_files_again),
        cmocka_unit_test(a_copy_without_memory_costs_nothing),
        cmocka_unit_test(a_player_that_starts_anew_keeps_its_rosters),
        cmocka_unit_test(files_are_named_or_kept),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
        cmocka_unit_test(models_tell_what_was_done_to_the_evidence),
        cmocka_unit_test(a_look_is_not_asked),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(names_that_are_asked_for),
        cmocka_unit_test(numbers_without_a_name),
        cmocka_unit_test(refused_memory_leaves_the_rosters),
        cmocka_unit_test(refused_memory_opens_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
