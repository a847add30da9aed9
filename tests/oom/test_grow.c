/* SPDX-License-Identifier: MIT
 * Side information that grows while memory is refused: the player is as before, and grows when there is
 * some. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "oom.h"
#include "support/effort.h"
#include "weft_files.h"

#include <unistd.h>

/* On the second day d and e are listed, of which d was let in on the first. */
typedef struct shop {
    const char *name;
    bool learner;
    weft_roster *(*open)(const weft_memory *memory, int day);
} shop;

static const char *const names[] = {"a", "b", "c", "d", "e"};

static int64_t listed_on(int day)
{
    return day == 0 ? 3 : 5;
}

static weft_file_options options_of(const weft_memory *memory)
{
    return (weft_file_options){.memory = memory};
}

static weft_roster *open_classes(const weft_memory *memory, int day)
{
    static const int64_t class_of[] = {1, 2, 1, 2, 3};
    weft_file_options options = options_of(memory);
    weft_roster *roster = NULL;
    assert_int_equal(weft_roster_from_classes(listed_on(day), class_of, 0.1, names, &options, &roster, NULL),
                     WEFT_OK);
    return roster;
}

static weft_roster *open_features(const weft_memory *memory, int day)
{
    static const double values[] = {1, 0, 0, 1, 1, 1, -1, 2, 4, 4};
    weft_file_options options = options_of(memory);
    weft_roster *roster = NULL;
    weft_features features = {.count = listed_on(day), .dimension = 2, .values = values, .parameter = 0.5};
    assert_int_equal(weft_roster_from_features(&features, names, &options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_roster *open_graph(const weft_memory *memory, int day)
{
    static const int64_t from[] = {0, 1, 2, 3}, to[] = {1, 2, 3, 4};
    weft_file_options options = options_of(memory);
    weft_roster *roster = NULL;
    weft_graph graph = {.vertices = listed_on(day), .edges = listed_on(day) - 1, .from = from, .to = to};
    assert_int_equal(weft_roster_from_graph(&graph, names, &options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_roster *open_matrix(const weft_memory *memory, int day)
{
    int64_t n = listed_on(day);
    double matrix[25] = {0};
    weft_file_options options = options_of(memory);
    weft_roster *roster = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? 3 : llabs(i - j) == 1 ? -1 : 0;
    assert_int_equal(weft_roster_from_matrix(n, matrix, names, &options, &roster, NULL), WEFT_OK);
    return roster;
}

static weft_roster *open_table(const weft_memory *memory, int day)
{
    static const double values[] = {1, 5, 2, 6, 3, 5, 2, 7, 90, 6};
    weft_file_options options = options_of(memory);
    weft_roster *roster = NULL;
    int64_t n = listed_on(day);
    char path[] = "/tmp/weft-grow-XXXXXX", spec[64];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs("id,age,size,town\n", file);
    for (int64_t k = 0; k < n; k++)
        fprintf(file, "%s,%g,%g,%s\n", names[k], values[2 * k], values[2 * k + 1],
                k % 3 == 0 ? "P"
                : k < 4    ? "Q"
                           : "P");
    fclose(file);
    snprintf(spec, sizeof spec, "table:%s", path);
    options.roster = &(weft_roster_options){.keep = true};
    assert_int_equal(weft_roster_open(spec, &options, &roster, NULL), WEFT_OK);
    remove(path);
    return roster;
}

/* ---- Players ---- */

static weft_player *make_learner(const shop *s, const weft_memory *memory)
{
    weft_model model = {.rows = s->open(memory, 0), .embed = true};
    weft_player *player = NULL;
    weft_file_options files = options_of(memory);
    char path[] = "/tmp/weft-grow-XXXXXX";
    weft_settings settings = {.form = WEFT_ONE_SET, .eta = 0.7, .gamma = 0.5};
    assert_int_equal(weft_roster_build(model.rows, NULL), WEFT_OK);
    assert_int_equal(
        weft_learner_create(weft_roster_side(model.rows), NULL, &settings, memory, &model.player, NULL),
        WEFT_OK);
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0 && close(descriptor) == 0);
    assert_int_equal(weft_model_write(path, &model, NULL), WEFT_OK);
    weft_model_close(&model);
    assert_int_equal(weft_player_open(path, &(weft_model_options){.files = files}, &player, NULL), WEFT_OK);
    remove(path);
    return player;
}

static weft_player *make_player(const shop *s, const weft_memory *memory)
{
    weft_player *player = NULL;
    if (s->learner)
        player = make_learner(s, memory);
    else
        assert_int_equal(weft_player_create(s->open(memory, 0), NULL, NULL, &player, NULL), WEFT_OK);
    for (int64_t t = 0; t < 12; t++) {
        int64_t pair[2];
        assert_int_equal(weft_player_pair(player, names[t % 4], names[(t + 1 + t / 4) % 4], pair, NULL),
                         WEFT_OK);
        assert_int_equal(weft_player_learn(player, pair[0], pair[1], t % 3 ? 1 : -1, NULL, NULL), WEFT_OK);
    }
    return player;
}

static uint64_t digest_of(const weft_player *player)
{
    uint64_t digest[2];
    assert_int_equal(weft_player_digest(player, digest, NULL), WEFT_OK);
    return digest[0] ^ digest[1];
}

/* Refuses request k of growing; how many requests there were.  *after is what it has become. */
static int64_t refuse(const shop *s, int64_t k, uint64_t *after_growth)
{
    test_alloc alloc;
    weft_error error = {0};
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_player *player = make_player(s, &memory);
    weft_roster *grown = s->open(&memory, 1);
    uint64_t before = digest_of(player);
    int64_t asked = alloc.requests;
    test_alloc_arm(&alloc, k);
    asked = alloc.requests;
    weft_status status = weft_player_grow(player, WEFT_ROWS, grown, &error);
    asked = alloc.requests - asked;
    test_alloc_arm(&alloc, TEST_ALLOC_NEVER);
    if (k >= 0) {
        if (status != WEFT_MEMORY)
            fail_msg("%s: allocation %lld refused gives %s", s->name, (long long)k, error.message);
        assert_true(digest_of(player) == before);
        assert_int_equal(weft_player_grow(player, WEFT_ROWS, grown, &error), WEFT_OK);
        assert_true(digest_of(player) == *after_growth);
    } else if (status != WEFT_OK) {
        fail_msg("%s: %s", s->name, error.message);
    }
    *after_growth = digest_of(player);
    weft_player_free(player);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return asked;
}

static void memory_is_refused(void **state)
{
    static const shop shops[] = {
        {"classes", true, open_classes},    {"features", true, open_features},
        {"graph", true, open_graph},        {"matrix", true, open_matrix},
        {"table", true, open_table},        {"classes", false, open_classes},
        {"features", false, open_features}, {"graph", false, open_graph},
        {"table", false, open_table},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shops / sizeof *shops; i++) {
        uint64_t grown = 0;
        int64_t count = refuse(&shops[i], TEST_ALLOC_NEVER, &grown);
        assert_true(count > 40);
        for (int64_t k = 0; k < count; k = after(k, count, 60))
            refuse(&shops[i], k, &grown);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
