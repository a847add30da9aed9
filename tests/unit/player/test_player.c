/* SPDX-License-Identifier: MIT
 * The public functions of a player on every kind: numbers and pointers inside of structs are checked, and
 * what a kind cannot do is refused with a reason. */
#include "test_player_support.h"
#include "weft_files.h"

/* A status, and the word that its message must have. */
static void assert_told(weft_status status, weft_status expected, const weft_error *error, const char *word)
{
    assert_int_equal(status, expected);
    assert_int_equal(error->status, expected);
    if (strstr(error->message, word) == NULL)
        fail_msg("'%s' does not tell of '%s'", error->message, word);
}

#define REFUSES(call, name)                                   \
    do {                                                      \
        error = (weft_error){0};                              \
        assert_told((call), WEFT_ARGUMENT, &error, name " "); \
    } while (0)

/* tests/hostile/run_pointers.py has the pointers themselves. */
static void pointers_inside_are_named(void **state)
{
    stage s = stage_open(false);
    weft_error error;
    weft_ranked ranked[2];
    int64_t found = 0;
    const weft_query empty = {.candidate_count = 2, .most = 2, .tolerance = 1e-3};
    const weft_committee_settings committee = {0};
    weft_member members[MEMBERS];
    weft_model model = {.player = player_of(&s, WEFT_LEARNER)};
    weft_player *player = NULL;
    REFUSES(weft_player_rank(model.player, &empty, ranked, &found, &error), "candidates");
    REFUSES(weft_model_write("nowhere", &model, &error), "rows");
    list_members(&s, members);
    members[1].rows = NULL;
    REFUSES(weft_committee_create(members, MEMBERS, &committee, NULL, &player, &error), "b:");
    assert_null(player);
    weft_player_free(model.player);
    stage_close(&s);
}

/* Numbers that no kind takes. */
static void numbers_are_checked(void **state)
{
    stage s = stage_open(false);
    for (int kind = 0; kind < KINDS; kind++) {
        weft_player *player = taught(&s, (weft_kind)kind, 10);
        weft_answer answer = {.label = 9};
        weft_ranked ranked;
        int64_t found = -1;
        weft_error error;
        weft_query query = {.most = 0, .tolerance = 0.1};
        REFUSES(weft_player_learn(player, 0, 0, 2, &answer, &error), "the label is 2,");
        REFUSES(weft_player_predict_at(player, 0, 0, -1, &answer, &error), "the trial is -1,");
        REFUSES(weft_player_evaluate(player, 0, 0, -0.5, &answer, &error), "tolerance is -0.5,");
        REFUSES(weft_player_set_threads(player, WEFT_THREAD_LIMIT + 1, &error), "threads is 257,");
        REFUSES(weft_player_forget(player, WEFT_BOTH, 0, &error), "which is 3,");
        REFUSES(weft_player_rank(player, &query, &ranked, &found, &error), "most is 0,");
        query = (weft_query){.most = 1, .candidate_count = -1, .tolerance = 0.1};
        REFUSES(weft_player_rank(player, &query, &ranked, &found, &error), "candidate_count is -1,");
        query = (weft_query){.most = 1, .tolerance = -1};
        REFUSES(weft_player_rank(player, &query, &ranked, &found, &error), "tolerance is -1,");
        assert_true(answer.label == 9 && found == -1);
        error = (weft_error){0};
        assert_told(weft_player_predict(player, IDS, 0, &answer, &error), WEFT_UNKNOWN_ID, &error, "6");
        assert_told(weft_player_learn(player, 0, -1, 1, &answer, &error), WEFT_UNKNOWN_ID, &error, "-1");
        weft_player_free(player);
    }
    stage_close(&s);
}

/* ---- What a kind cannot do ---- */

static void assert_unsupported(weft_status status, const weft_error *error, weft_kind kind)
{
    assert_told(status, WEFT_UNSUPPORTED, error, weft_kind_name(kind));
    const char *reason = strstr(error->message, ": ");
    assert_true(reason != NULL && strlen(reason) > 20);
    assert_null(strchr(error->message, '\n'));
}

static void refuse_evidence(weft_player *player)
{
    weft_kind kind = weft_player_kind(player);
    weft_evidence_entry entry = {0, 0, 1};
    weft_counters more = {.t = 1};
    weft_error error = {0};
    bool found = false;
    assert_unsupported(weft_player_add_evidence(player, &entry, 1, &error), &error, kind);
    assert_unsupported(weft_player_count_more(player, &more, &error), &error, kind);
    assert_unsupported(weft_learner_fill_diagonal(player, &error), &error, kind);
    assert_unsupported(weft_diagonal_write("nowhere", player, &error), &error, kind);
    assert_unsupported(weft_diagonal_read("nowhere", player, &found, &error), &error, kind);
}

static void what_a_kind_cannot_do(void **state)
{
    stage s = stage_open(false);
    weft_player *rival = taught(&s, WEFT_RIVAL, 20), *other = taught(&s, WEFT_RIVAL, 5), *before = NULL;
    weft_player *committee = taught(&s, WEFT_COMMITTEE, 20);
    weft_explanation explanation;
    weft_error error = {0};
    assert_int_equal(weft_player_clone(rival, &before, NULL), WEFT_OK);
    refuse_evidence(rival);
    refuse_evidence(committee);
    assert_unsupported(weft_player_merge(rival, other, &error), &error, WEFT_RIVAL);
    assert_unsupported(weft_player_forget(rival, WEFT_ROWS, 0, &error), &error, WEFT_RIVAL);
    assert_unsupported(weft_player_explain(rival, 0, 0, 0.1, &explanation, NULL, &error), &error, WEFT_RIVAL);
    assert_told(weft_player_merge(rival, committee, &error), WEFT_ARGUMENT, &error, "same kind");
    assert_same_state(rival, before);
    weft_player_free(before);
    weft_player_free(rival);
    weft_player_free(other);
    weft_player_free(committee);
    stage_close(&s);
}

/* A committee of rivals has no margin to explain. */
static void rivals_alone_explain_nothing(void **state)
{
    stage s = stage_open(false);
    weft_member members[MEMBERS];
    weft_committee_settings settings = {0};
    weft_player *player = NULL;
    weft_explanation explanation;
    weft_error error = {0};
    list_members(&s, members);
    assert_int_equal(weft_committee_create(members + 2, 2, &settings, NULL, &player, NULL), WEFT_OK);
    teach(player, 0, 10);
    assert_null(weft_committee_leader(player));
    assert_int_equal(weft_player_evidence_count(player), 0);
    assert_unsupported(weft_player_explain(player, 0, 0, 0.1, &explanation, NULL, &error), &error,
                       WEFT_COMMITTEE);
    weft_player_free(player);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_inside_are_named),
        cmocka_unit_test(numbers_are_checked),
        cmocka_unit_test(what_a_kind_cannot_do),
        cmocka_unit_test(rivals_alone_explain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
