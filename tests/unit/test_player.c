/* SPDX-License-Identifier: MIT
 * The public functions of a player on every kind: pointers that must not be NULL are named, and what a kind
 * cannot do is refused with a reason. */
#include "test_player_support.h"

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

static void trials_need_their_pointers(weft_player *player)
{
    weft_error error;
    weft_answer answer;
    unsigned char record[8] = {0};
    size_t size = sizeof record;
    REFUSES(weft_player_predict(NULL, 0, 0, &answer, &error), "player");
    REFUSES(weft_player_predict(player, 0, 0, NULL, &error), "answer");
    REFUSES(weft_player_predict_at(NULL, 0, 0, 0, &answer, &error), "player");
    REFUSES(weft_player_predict_at(player, 0, 0, 0, NULL, &error), "answer");
    REFUSES(weft_player_evaluate(NULL, 0, 0, 0.1, &answer, &error), "player");
    REFUSES(weft_player_evaluate(player, 0, 0, 0.1, NULL, &error), "answer");
    REFUSES(weft_player_learn(NULL, 0, 0, 1, &answer, &error), "player");
    REFUSES(weft_player_record(NULL, 0, 0, 0, record, &size, &error), "player");
    REFUSES(weft_player_record(player, 0, 0, 0, record, NULL, &error), "size");
    REFUSES(weft_player_learn_late(NULL, record, size, 1, &answer, &error), "player");
    REFUSES(weft_player_learn_late(player, NULL, size, 1, &answer, &error), "record");
    REFUSES(weft_player_learn_anew(NULL, 0, 0, 1, &answer, &error), "player");
    REFUSES(weft_player_set_threads(NULL, 1, &error), "player");
}

static void knowledge_needs_its_pointers(weft_player *player)
{
    weft_error error;
    weft_evidence_entry entry = {0, 0, 1};
    weft_counters more = {0};
    REFUSES(weft_player_add_evidence(NULL, &entry, 1, &error), "player");
    REFUSES(weft_player_count_more(NULL, &more, &error), "player");
    REFUSES(weft_player_count_more(player, NULL, &error), "more");
    REFUSES(weft_player_merge(NULL, player, &error), "player");
    REFUSES(weft_player_merge(player, NULL, &error), "other");
    REFUSES(weft_player_forget(NULL, WEFT_ROWS, 0, &error), "player");
    if (weft_player_kind(player) == WEFT_LEARNER)
        REFUSES(weft_player_add_evidence(player, NULL, 1, &error), "entries");
}

static void questions_need_their_pointers(weft_player *player)
{
    static const int64_t candidates[] = {0, 1};
    weft_error error;
    weft_ranked ranked[2];
    weft_explanation explanation;
    weft_influence influence;
    int64_t found = 0;
    bool any = false;
    weft_query query = {.candidates = candidates, .candidate_count = 2, .most = 2, .tolerance = 1e-3};
    weft_query empty = {.candidate_count = 2, .most = 2, .tolerance = 1e-3};
    REFUSES(weft_player_rank(NULL, &query, ranked, &found, &error), "player");
    REFUSES(weft_player_rank(player, NULL, ranked, &found, &error), "query");
    REFUSES(weft_player_rank(player, &empty, ranked, &found, &error), "candidates");
    REFUSES(weft_player_rank(player, &query, NULL, &found, &error), "ranked");
    REFUSES(weft_player_rank(player, &query, ranked, NULL, &error), "found");
    REFUSES(weft_player_explain(NULL, 0, 0, 0.1, &explanation, &influence, &error), "player");
    REFUSES(weft_player_explain(player, 0, 0, 0.1, NULL, &influence, &error), "explanation");
    if (weft_player_evidence_count(player) > 0)
        REFUSES(weft_player_explain(player, 0, 0, 0.1, &explanation, NULL, &error), "influences");
    REFUSES(weft_learner_fill_diagonal(NULL, &error), "player");
    REFUSES(weft_diagonal_write(NULL, player, &error), "path");
    REFUSES(weft_diagonal_write("nowhere", NULL, &error), "player");
    REFUSES(weft_diagonal_read(NULL, player, &any, &error), "path");
    REFUSES(weft_diagonal_read("nowhere", NULL, &any, &error), "player");
    REFUSES(weft_diagonal_read("nowhere", player, NULL, &error), "found");
}

static void states_need_their_pointers(weft_player *player)
{
    weft_error error;
    weft_player *copy = NULL;
    size_t size = 0;
    REFUSES(weft_player_write(NULL, NULL, &size, &error), "player");
    REFUSES(weft_player_write(player, NULL, NULL, &error), "size");
    REFUSES(weft_player_clone(NULL, &copy, &error), "player");
    REFUSES(weft_player_clone(player, NULL, &error), "copy");
    REFUSES(weft_player_reset(NULL, &error), "player");
    assert_null(copy);
}

static void pointers_are_named(void **state)
{
    (void)state;
    stage s = stage_open(false);
    for (int kind = 0; kind < KINDS; kind++) {
        weft_player *player = taught(&s, (weft_kind)kind, 30), *before = NULL;
        assert_int_equal(weft_player_clone(player, &before, NULL), WEFT_OK);
        trials_need_their_pointers(player);
        knowledge_needs_its_pointers(player);
        questions_need_their_pointers(player);
        states_need_their_pointers(player);
        assert_same_state(player, before);
        weft_player_free(before);
        weft_player_free(player);
    }
    stage_close(&s);
}

static void constructors_need_their_pointers(void **state)
{
    (void)state;
    stage s = stage_open(false);
    weft_error error;
    weft_player *player = NULL;
    weft_settings settings = settings_of(&s);
    weft_rival_settings rival = {.kind = WEFT_RIVAL_BIAS};
    weft_committee_settings committee = {0};
    weft_member members[MEMBERS];
    char bytes[8] = {0};
    list_members(&s, members);
    REFUSES(weft_learner_create(NULL, s.columns, &settings, NULL, &player, &error), "rows");
    REFUSES(weft_learner_create(s.rows, s.columns, NULL, NULL, &player, &error), "settings");
    REFUSES(weft_learner_create(s.rows, s.columns, &settings, NULL, NULL, &error), "player");
    REFUSES(weft_learner_read(NULL, s.columns, bytes, 8, NULL, &player, &error), "rows");
    REFUSES(weft_learner_read(s.rows, s.columns, NULL, 8, NULL, &player, &error), "buffer");
    REFUSES(weft_learner_read(s.rows, s.columns, bytes, 8, NULL, NULL, &error), "player");
    REFUSES(weft_rival_create(NULL, s.columns, &rival, NULL, &player, &error), "rows");
    REFUSES(weft_rival_create(s.rows, s.columns, NULL, NULL, &player, &error), "settings");
    REFUSES(weft_rival_create(s.rows, s.columns, &rival, NULL, NULL, &error), "player");
    REFUSES(weft_rival_read(NULL, s.columns, bytes, 8, NULL, &player, &error), "rows");
    REFUSES(weft_rival_read(s.rows, s.columns, NULL, 8, NULL, &player, &error), "buffer");
    REFUSES(weft_rival_read(s.rows, s.columns, bytes, 8, NULL, NULL, &error), "player");
    REFUSES(weft_committee_create(NULL, MEMBERS, &committee, NULL, &player, &error), "members");
    REFUSES(weft_committee_create(members, MEMBERS, NULL, NULL, &player, &error), "settings");
    REFUSES(weft_committee_create(members, MEMBERS, &committee, NULL, NULL, &error), "player");
    REFUSES(weft_committee_read(NULL, MEMBERS, bytes, 8, NULL, &player, &error), "members");
    REFUSES(weft_committee_read(members, MEMBERS, NULL, 8, NULL, &player, &error), "buffer");
    REFUSES(weft_committee_read(members, MEMBERS, bytes, 8, NULL, NULL, &error), "player");
    members[1].rows = NULL;
    REFUSES(weft_committee_create(members, MEMBERS, &committee, NULL, &player, &error), "b:");
    assert_null(player);
    stage_close(&s);
}

static void models_need_their_pointers(void **state)
{
    (void)state;
    stage s = stage_open(false);
    weft_error error;
    weft_model model = {.player = player_of(&s, WEFT_LEARNER)};
    const weft_view view = {WEFT_VIEW_GIVEN, s.rows};
    weft_views views = {&view, 1, 0};
    weft_member members[MEMBERS];
    int64_t count = MEMBERS;
    REFUSES(weft_model_write(NULL, &model, &error), "path");
    REFUSES(weft_model_write("nowhere", NULL, &error), "model");
    REFUSES(weft_model_write("nowhere", &model, &error), "rows");
    REFUSES(weft_model_open(NULL, NULL, &model, &error), "path");
    REFUSES(weft_model_open("nowhere", NULL, NULL, &error), "model");
    REFUSES(weft_committee_members(NULL, &views, members, &count, &error), "rows");
    REFUSES(weft_committee_members(&views, NULL, members, NULL, &error), "count");
    weft_player_free(model.player);
    stage_close(&s);
}

/* Numbers that no kind takes. */
static void numbers_are_checked(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(pointers_are_named),         cmocka_unit_test(constructors_need_their_pointers),
        cmocka_unit_test(models_need_their_pointers), cmocka_unit_test(numbers_are_checked),
        cmocka_unit_test(what_a_kind_cannot_do),      cmocka_unit_test(rivals_alone_explain_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
