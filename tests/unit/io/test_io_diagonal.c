/* SPDX-License-Identifier: MIT
 * The diagonal beside a model: written and read back to the bit, ignored when the
 * model is another one, refused when it was cut or changed. */
#define _POSIX_C_SOURCE 200809L

#include "learner/rank/ranker.h"
#include "unit/test_io_model_support.h"

#include <math.h>
#include <sys/stat.h>

/* A model on the disk, opened again, removed in the end. */
typedef struct scene {
    test_sides sides;
    test_file file;
    char diagonal[160];
    weft_model model;
} scene;

/* The player of the model once more, which keeps no diagonal yet. */
static weft_player *copy_of(const weft_model *model)
{
    weft_player *copy = NULL;
    assert_int_equal(weft_player_clone(model->player, &copy, NULL), WEFT_OK);
    return copy;
}

static const weft__ranker *ranker_of(const weft_player *player)
{
    return weft__learner_in(player)->ranker;
}

static void open_again(scene *s)
{
    weft_error error = {0};
    weft_model_close(&s->model);
    if (weft_model_open(s->file.path, NULL, &s->model, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static scene scene_begin(bool one_set)
{
    scene s = {.sides = sides_begin(), .file = file_of("")};
    weft_model made = model_begin(&s.sides, one_set, false, 25);
    assert_int_equal(weft_model_write(s.file.path, &made, NULL), WEFT_OK);
    weft_model_close(&made);
    snprintf(s.diagonal, sizeof s.diagonal, "%s.diagonal", s.file.path);
    open_again(&s);
    return s;
}

static void scene_end(scene *s)
{
    weft_model_close(&s->model);
    unlink(s->file.path);
    unlink(s->diagonal);
    sides_end(&s->sides);
}

static bool read_into(const scene *s, weft_player *player)
{
    bool found = false;
    weft_error error = {0};
    if (weft_diagonal_read(s->file.path, player, &found, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return found;
}

static test_bytes load(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    test_bytes bytes = {malloc(1 << 16), 0};
    bytes.size = fread(bytes.at, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

static void store(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_same_entries(const weft_player *first, const weft_player *second)
{
    const weft__ranker *a = ranker_of(first), *b = ranker_of(second);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(weft__ranker_size(a, side), weft__ranker_size(b, side));
        for (int64_t id = 0; id < weft__ranker_size(a, side); id++) {
            double x[2] = {0, 0}, y[2] = {0, 0};
            assert_true(weft__ranker_get(a, side, id, x));
            assert_true(weft__ranker_get(b, side, id, y));
            assert_memory_equal(x, y, sizeof x);
            assert_true(x[0] <= x[1]);
        }
    }
}

static void round_trip(bool one_set)
{
    scene s = scene_begin(one_set);
    assert_false(read_into(&s, s.model.player));
    assert_int_equal(weft_learner_kept_diagonal(s.model.player), 0);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    weft_player *other = copy_of(&s.model);
    assert_true(read_into(&s, other));
    assert_int_equal(weft_learner_kept_diagonal(other), weft_learner_kept_diagonal(s.model.player));
    assert_true(weft_learner_kept_diagonal(other) >= 5);
    assert_same_entries(s.model.player, other);
    weft_player_free(other);
    scene_end(&s);
}

static void what_is_written_is_read(void **state)
{
    round_trip(false);
    round_trip(true);
}

/* The same ranking with it and without it. */
static void it_ranks_alike(void **state)
{
    scene s = scene_begin(false);
    int64_t candidates[] = {0, 1, 2, 3, 4}, found[2] = {0, 0};
    weft_ranked ranked[2][5];
    weft_query query = {
        .id = 1, .candidates = candidates, .candidate_count = 5, .most = 5, .tolerance = 1e-6};
    assert_int_equal(weft_player_rank(s.model.player, &query, ranked[0], &found[0], NULL), WEFT_OK);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    open_again(&s);
    assert_true(read_into(&s, s.model.player));
    assert_int_equal(weft_player_rank(s.model.player, &query, ranked[1], &found[1], NULL), WEFT_OK);
    assert_int_equal(found[0], 5);
    assert_int_equal(found[1], 5);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(ranked[0][k].id, ranked[1][k].id);
        assert_true(fabs(ranked[0][k].answer.margin - ranked[1][k].answer.margin) < 1e-5);
    }
    scene_end(&s);
}

/* The evidence has changed, in the file or in memory. */
static void a_stale_one_is_ignored(void **state)
{
    scene s = scene_begin(false);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    weft_evidence_entry more = {0, 0, 3};
    assert_int_equal(weft_player_add_evidence(s.model.player, &more, 1, NULL), WEFT_OK);
    assert_false(read_into(&s, s.model.player));
    assert_int_equal(weft_learner_kept_diagonal(s.model.player), 0);
    assert_int_equal(weft_model_write(s.file.path, &s.model, NULL), WEFT_OK);
    open_again(&s);
    assert_false(read_into(&s, s.model.player));
    assert_int_equal(weft_learner_kept_diagonal(s.model.player), 0);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    assert_true(read_into(&s, s.model.player));
    scene_end(&s);
}

static void assert_refused(const scene *s)
{
    weft_player *player = copy_of(&s->model);
    weft_error error = {0};
    bool found = true;
    assert_int_equal(weft_diagonal_read(s->file.path, player, &found, &error), WEFT_MODEL);
    assert_true(found);
    assert_non_null(strstr(error.message, ".diagonal: the diagonal is damaged: "));
    assert_int_equal(weft_learner_kept_diagonal(player), 0);
    weft_player_free(player);
}

static void a_damaged_one_is_refused(void **state)
{
    scene s = scene_begin(false);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    test_bytes whole = load(s.diagonal);
    for (size_t size = 0; size < whole.size; size++) {
        store(s.diagonal, whole.at, size);
        assert_refused(&s);
    }
    for (size_t at = 0; at < whole.size; at++)
        for (int way = 0; way < 2; way++) {
            unsigned char mask = way == 0 ? (unsigned char)(1u << at % 8) : 0xFF;
            whole.at[at] ^= mask;
            store(s.diagonal, whole.at, whole.size);
            assert_refused(&s);
            whole.at[at] ^= mask;
        }
    store(s.diagonal, whole.at, whole.size);
    assert_true(read_into(&s, s.model.player));
    free(whole.at);
    scene_end(&s);
}

static void put_number(test_bytes bytes, size_t at, int64_t value)
{
    for (int k = 0; k < 8; k++)
        bytes.at[at + (size_t)k] = (unsigned char)((uint64_t)value >> (8 * k));
}

/* Signed by somebody who lies: the places are those of src/io/model/diagonal.c. */
static void a_forged_one_is_refused(void **state)
{
    enum { SIZES = 56, ENTRIES = 72 };
    const double nonsense[] = {NAN, INFINITY};
    scene s = scene_begin(false);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    test_bytes whole = load(s.diagonal);
    const int64_t sizes[][2] = {{-1, 12}, {INT64_MAX, INT64_MAX}, {1, 1},  {0, 10},
                                {10, 0},  {INT64_MIN, 10},        {1, -1}, {1, INT64_MAX}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        test_bytes forged = load(s.diagonal);
        put_number(forged, SIZES, sizes[k][0]);
        put_number(forged, SIZES + 8, sizes[k][1]);
        mend(forged);
        store(s.diagonal, forged.at, forged.size);
        assert_refused(&s);
        store(s.diagonal, whole.at, whole.size);
        free(forged.at);
    }
    for (int k = 0; k < 2; k++) {
        test_bytes forged = load(s.diagonal);
        memcpy(forged.at + ENTRIES + 8, &nonsense[k], sizeof(double));
        mend(forged);
        store(s.diagonal, forged.at, forged.size);
        assert_refused(&s);
        store(s.diagonal, whole.at, whole.size);
        free(forged.at);
    }
    free(whole.at);
    scene_end(&s);
}

/* Of the balanced form there is nothing to keep, and that is kept. */
static void the_balanced_form_has_none(void **state)
{
    scene s = scene_begin(false);
    weft_settings settings = weft_learner_settings(s.model.player);
    settings.form = WEFT_BALANCED;
    weft_player *learner = NULL;
    assert_int_equal(weft_learner_create(weft_roster_side(s.model.rows), weft_roster_side(s.model.columns),
                                         &settings, NULL, &learner, NULL),
                     WEFT_OK);
    weft_player_free(s.model.player);
    s.model.player = learner;
    assert_int_equal(weft_model_write(s.file.path, &s.model, NULL), WEFT_OK);
    open_again(&s);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, NULL), WEFT_OK);
    assert_true(read_into(&s, s.model.player));
    assert_int_equal(weft_learner_kept_diagonal(s.model.player), 0);
    scene_end(&s);
}

static void what_cannot_be_written_or_read_is_told(void **state)
{
    scene s = scene_begin(false);
    weft_error error = {0};
    bool found = true;
    assert_int_equal(mkdir(s.diagonal, 0700), 0);
    assert_int_equal(weft_diagonal_write(s.file.path, s.model.player, &error), WEFT_WRITE);
    assert_int_equal(weft_diagonal_read(s.file.path, s.model.player, &found, &error), WEFT_FILE);
    assert_true(found);
    assert_int_equal(rmdir(s.diagonal), 0);
    assert_int_equal(weft_diagonal_write("/no/such/model", s.model.player, &error), WEFT_FILE);
    scene_end(&s);
}

/* Request k is refused, for all k: nothing leaks, and nothing is kept by halves. */
static weft_status short_of_memory(const scene *s, bool write, test_alloc *alloc, int64_t k)
{
    weft_memory memory = test_alloc_begin(alloc, TEST_ALLOC_NEVER);
    weft_model_options options = {.files = {.memory = &memory}};
    weft_model model = {0};
    bool found = false;
    assert_int_equal(weft_model_open(s->file.path, &options, &model, NULL), WEFT_OK);
    weft_player *player = model.player;
    test_alloc_arm(alloc, k);
    weft_status status = write ? weft_diagonal_write(s->file.path, player, NULL)
                               : weft_diagonal_read(s->file.path, player, &found, NULL);
    assert_true(write || found == (status == WEFT_OK));
    assert_true(write || found == (weft_learner_kept_diagonal(player) > 0));
    weft_model_close(&model);
    assert_int_equal(test_alloc_blocks(alloc), 0);
    return status;
}

static void memory_may_run_out(void **state)
{
    scene s = scene_begin(false);
    test_alloc alloc;
    for (int write = 1; write >= 0; write--)
        for (int64_t k = 0;; k++) {
            weft_status status = short_of_memory(&s, write != 0, &alloc, k);
            assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
            if (alloc.failed)
                continue;
            assert_true(k >= 4);
            break;
        }
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read), cmocka_unit_test(it_ranks_alike),
        cmocka_unit_test(a_stale_one_is_ignored),  cmocka_unit_test(a_damaged_one_is_refused),
        cmocka_unit_test(a_forged_one_is_refused), cmocka_unit_test(the_balanced_form_has_none),
        cmocka_unit_test(memory_may_run_out),      cmocka_unit_test(what_cannot_be_written_or_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
