/* SPDX-License-Identifier: MIT
 * What a model says by itself, with its side files there and when they are gone. */
#define _POSIX_C_SOURCE 200809L

#include "unit/test_io_model_support.h"

static weft_player *player_over(const char *spec, int64_t trials)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    weft_error error = {0};
    assert_int_equal(weft_roster_open(spec, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_roster_open("none", NULL, &columns, NULL), WEFT_OK);
    if (weft_player_create(rows, columns, &(weft_player_options){.seed = 5}, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    for (int64_t t = 0; t < trials; t++) {
        int64_t pair[2];
        assert_int_equal(weft_player_pair(player, t % 3 == 0 ? "a" : "b", t % 2 == 0 ? "x" : "y", pair, NULL),
                         WEFT_OK);
        assert_int_equal(weft_player_learn(player, pair[0], pair[1], t % 5 < 2 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    }
    return player;
}

static void must_read(const char *path, weft_model_facts *facts)
{
    weft_error error = {0};
    if (weft_model_read_facts(path, NULL, facts, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

static void assert_says(const char *path, const weft_player *player, const uint64_t digest[2])
{
    weft_model_facts facts;
    weft_counters c = weft_player_counters(player);
    must_read(path, &facts);
    assert_memory_equal(facts.digest, digest, 2 * sizeof *digest);
    assert_true(facts.members >= weft_player_member_count(player) && facts.rules.seed == 5);
    assert_true(facts.counters.t == c.t && facts.counters.trials == c.trials);
    assert_true(facts.counters.mistakes == c.mistakes && facts.counters.awake == 0);
    assert_true(facts.counters.expected_mistakes == c.expected_mistakes);
    assert_true(facts.model.read_only && facts.model.player == NULL && facts.model.context.count == 1);
    assert_string_equal(weft_ids_name(weft_roster_ids(facts.model.rows), 1), "b");
    assert_int_equal(weft_roster_source_count(facts.model.rows), 1);
    weft_model_close(&facts.model);
}

/* The digest of a model is its own: of its files it does not matter what has become of them. */
static void of_a_committee(void **state)
{
    test_file side = file_of("a red\nb blue\n"), file = file_of("");
    weft_context_fields context = {.count = 1, .name = {"hour"}};
    uint64_t digest[2];
    char spec[96];
    snprintf(spec, sizeof spec, "classes:%s,missing=alone", side.path);
    weft_player *player = player_over(spec, 40);
    assert_int_equal(weft_player_set_context_fields(player, &context, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(player, digest, NULL), WEFT_OK);
    assert_int_equal(weft_player_save(player, file.path, NULL), WEFT_OK);
    assert_says(file.path, player, digest);
    FILE *more = fopen(side.path, "a");
    fputs("c red\n", more);
    fclose(more);
    assert_says(file.path, player, digest);
    unlink(side.path);
    assert_says(file.path, player, digest);
    weft_player_free(player);
    unlink(file.path);
}

static void of_a_learner(void **state)
{
    test_sides sides = sides_begin();
    weft_model model = model_begin(&sides, false, false, 30);
    weft_model_facts facts;
    uint64_t digest[2];
    test_file file = file_of("");
    assert_int_equal(weft_model_write(file.path, &model, NULL), WEFT_OK);
    assert_int_equal(weft_model_digest(&model, digest, NULL), WEFT_OK);
    sides_end(&sides);
    must_read(file.path, &facts);
    assert_memory_equal(facts.digest, digest, sizeof digest);
    assert_true(facts.members == 0 && facts.counters.t == 0 && facts.model.horizon == model.horizon);
    weft_model_close(&facts.model);
    unlink(file.path);
    weft_model_close(&model);
}

static void what_is_refused(void **state)
{
    test_file side = file_of("a red\nb blue\n"), file = file_of("weftmodl, but no model");
    weft_model_facts facts = {.members = -7};
    weft_error error = {0};
    char spec[96];
    assert_int_equal(weft_model_read_facts(NULL, NULL, &facts, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_model_read_facts(file.path, NULL, NULL, &error), WEFT_ARGUMENT);
    assert_int_equal(weft_model_read_facts("nowhere", NULL, &facts, &error), WEFT_FILE);
    assert_int_equal(weft_model_read_facts(file.path, NULL, &facts, &error), WEFT_MODEL);
    assert_non_null(strstr(error.message, "expected 1 to 6"));
    snprintf(spec, sizeof spec, "classes:%s,missing=alone", side.path);
    weft_player *player = player_over(spec, 4);
    assert_int_equal(weft_player_save(player, file.path, NULL), WEFT_OK);
    for (int64_t k = 0;; k++) {
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_status status =
            weft_model_read_facts(file.path, &(weft_file_options){.memory = &memory}, &facts, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        assert_true(facts.members == -7 || !alloc.failed);
        if (status == WEFT_OK)
            weft_model_close(&facts.model);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
    weft_player_free(player);
    unlink(file.path);
    unlink(side.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_committee),
        cmocka_unit_test(of_a_learner),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
