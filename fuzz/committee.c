/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the reader of the states of committees, over two sides of four ids or, where the first byte of the
 * input is odd, over one set of them.  Where it has a 2 there are but two members, which is faster.  Where it
 * has a 4 the rest is no state but the record of an answer, of such a committee; with a 16 of its first
 * learner, with a 32 of its first rival.
 * Seeds are made by fuzz/make/seeds.c.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-committee -dict=fuzz/committee.dict -max_total_time=60 WORK fuzz/seeds/committee */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { IDS = 4, LEARNERS = 5, RIVALS = 5, MEMBERS = LEARNERS + RIVALS };

static weft_member learner_of(const weft_side *rows, const weft_side *columns, weft_form form)
{
    weft_member member = {.name = "learner", .rows = rows, .columns = columns, .uses = WEFT_BOTH};
    member.learner = weft_settings_default(IDS, columns == NULL ? 0 : IDS, 10);
    member.learner.form = form;
    member.learner.eta = 1;
    /* Ids without a bound, as in the committees that people play. */
    member.learner.dimension = 0;
    member.learner.rows = member.learner.columns = 0;
    return member;
}

/* Nothing is known of the ids, or two classes. */
static const weft_member *members(bool one_set)
{
    static const weft_rival_kind kinds[RIVALS] = {WEFT_RIVAL_ROW_MAJORITY, WEFT_RIVAL_LOGISTIC,
                                                  WEFT_RIVAL_FACTORS, WEFT_RIVAL_PRODUCT, WEFT_RIVAL_HYBRID};
    static const int64_t class_of[IDS] = {0, 1, 0, 1};
    static weft_side *none, *classes;
    static weft_member made[2][MEMBERS];
    weft_member *list = made[one_set];
    if (none == NULL) {
        require(weft_side_none(IDS, NULL, &none, NULL) == WEFT_OK);
        require(weft_side_from_classes(IDS, class_of, 0.5, NULL, &classes, NULL) == WEFT_OK);
    }
    list[0] = learner_of(none, one_set ? NULL : none, one_set ? WEFT_ONE_SET : WEFT_BALANCED);
    list[0].plain = true;
    list[0].uses = 0;
    list[1] = learner_of(classes, one_set ? NULL : classes, one_set ? WEFT_ONE_SET : WEFT_PAPER);
    list[2] = learner_of(classes, classes, WEFT_BALANCED);
    for (int k = 0; k < 2; k++) {
        list[3 + k] = list[k];
        list[3 + k].learner.eta = 3;
    }
    for (int k = 0; k < RIVALS; k++)
        list[LEARNERS + k] = (weft_member){.name = "rival",
                                           .rows = classes,
                                           .columns = one_set ? NULL : classes,
                                           .uses = WEFT_ROWS,
                                           .is_rival = true,
                                           .rival = {.kind = kinds[k], .factors = 2, .bits = 4, .window = 8}};
    return list;
}

static int64_t count_of(uint8_t kind)
{
    return kind & 2 ? 2 : MEMBERS;
}

/* The members of an input with this first byte. */
static const weft_member *members_of(uint8_t kind)
{
    static weft_member few[2][2];
    const weft_member *all = members(kind & 1);
    if ((kind & 2) == 0)
        return all;
    few[kind & 1][0] = all[0];
    few[kind & 1][1] = all[LEARNERS];
    return few[kind & 1];
}

static unsigned char *write_state(const weft_player *committee, size_t size)
{
    size_t needed = 0;
    require(weft_player_write(committee, NULL, &needed, NULL) == WEFT_OK && needed == size);
    unsigned char *bytes = malloc(size);
    require(bytes != NULL && weft_player_write(committee, bytes, &needed, NULL) == WEFT_OK);
    return bytes;
}

/* What is written again is read again, and says the same.  (Capacities of 0 are filled in.) */
static void check_bytes(const weft_player *committee, uint8_t kind, size_t size)
{
    weft_player *copy = NULL;
    unsigned char *bytes = write_state(committee, size);
    require(weft_committee_read(members_of(kind), count_of(kind), bytes, size, NULL, &copy, NULL) == WEFT_OK);
    unsigned char *again = write_state(copy, size);
    require(memcmp(again, bytes, size) == 0);
    weft_player_free(copy);
    free(bytes);
    free(again);
}

/* Whatever was read votes within its range, and learns or says why not. */
static void use(weft_player *committee)
{
    for (int64_t k = 0; k < 3; k++) {
        weft_answer ruling = {0};
        weft_error error = {0};
        weft_status status = weft_player_learn(committee, k, IDS - 1 - k, k % 2 ? 1 : -1, &ruling, &error);
        if (status != WEFT_OK) {
            require(error.message[0] != 0);
            return;
        }
        const weft_answer *v = &ruling;
        require(v->vote >= 0 && v->vote <= 1 && v->probability > 0 && v->probability < 1);
        require((v->probability >= 0.5) == (v->vote >= 0.5));
        require(ruling.error_probability >= 0 && ruling.error_probability <= 1);
    }
    for (int64_t k = 0; k < weft_player_member_count(committee) + WEFT_STACKS; k++) {
        weft_standing s = weft_committee_standing(committee, k);
        require(s.weight >= 0 && s.weight <= 1 && s.mistakes <= s.trials && s.regret <= s.term + s.drift);
    }
}

/* What has been used forgets and is merged, or says why not; and can still be written and read, but where
 * its trials are about to be more than can be counted. */
static void change(weft_player *committee, uint8_t kind)
{
    weft_error error = {0};
    size_t size = 0;
    if (weft_player_counters(committee).t > INT64_C(1) << 52)
        return;
    if (weft_player_forget(committee, WEFT_ROWS, 1, &error) != WEFT_OK ||
        weft_player_merge(committee, committee, &error) != WEFT_OK)
        require(error.message[0] != 0);
    require(weft_player_write(committee, NULL, &size, NULL) == WEFT_OK);
    check_bytes(committee, kind, size);
}

/* ---- Records ---- */

enum { RECORD = 4, LEARNER = 16, RIVAL = 32, TAUGHT = 35 };

/* Trials from `from` on. */
static void play(weft_player *player, int64_t from, int64_t trials)
{
    for (int64_t t = from; t < trials; t++) {
        int64_t row = t * 7 / 3 % IDS, column = (t * 5 + t / IDS) % IDS;
        int label = (row + column) % 2 == 0 || t % 6 == 5 ? 1 : -1;
        require(weft_player_learn(player, row, column, label, NULL, NULL) == WEFT_OK);
    }
}

static weft_player *player_of(uint8_t kind)
{
    weft_player *player = NULL;
    const weft_member *list = members_of(kind | 2);
    weft_committee_settings settings = {0};
    if (kind & LEARNER)
        require(weft_learner_create(list[0].rows, list[0].columns, &list[0].learner, NULL, &player, NULL) ==
                WEFT_OK);
    else if (kind & RIVAL)
        require(weft_rival_create(list[1].rows, list[1].columns, &list[1].rival, NULL, &player, NULL) ==
                WEFT_OK);
    else
        require(weft_committee_create(list, 2, &settings, NULL, &player, NULL) == WEFT_OK);
    play(player, 0, TAUGHT);
    return player;
}

/* Whatever is learnt, the player can be written, read and asked. */
static void check_learnt(weft_player *player)
{
    weft_player *copy = NULL;
    weft_answer answer;
    require(weft_player_clone(player, &copy, NULL) == WEFT_OK);
    require(weft_player_predict(copy, 0, 1, &answer, NULL) == WEFT_OK);
    require(answer.vote >= 0 && answer.vote <= 1 && answer.probability >= 0 && answer.probability <= 1);
    play(copy, 0, 3);
    weft_player_free(copy);
}

static void learn_record(const uint8_t *data, size_t size)
{
    static weft_player *made[64];
    uint8_t kind = data[0] & 63;
    weft_player *player = NULL;
    weft_error error = {0};
    if (made[kind] == NULL)
        made[kind] = player_of(kind);
    require(weft_player_clone(made[kind], &player, NULL) == WEFT_OK);
    weft_status status = weft_player_learn_late(player, data + 1, size - 1, size % 2 ? 1 : -1, NULL, &error);
    require(status == WEFT_OK || error.message[0] != 0);
    require(status == WEFT_OK || status == WEFT_INPUT || status == WEFT_ARGUMENT ||
            status == WEFT_UNKNOWN_ID);
    check_learnt(player);
    weft_player_free(player);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    if (size < 1)
        return 0;
    if (data[0] & RECORD) {
        learn_record(data, size);
        return 0;
    }
    weft_status status = weft_committee_read(members_of(data[0]), count_of(data[0]), data + 1, size - 1, NULL,
                                             &committee, &error);
    if (status == WEFT_OK) {
        check_bytes(committee, data[0], size - 1);
        use(committee);
        change(committee, data[0]);
    } else {
        require(status == WEFT_MODEL && error.status == status && error.message[0] != 0);
        require(committee == NULL);
    }
    weft_player_free(committee);
    return 0;
}
