/* SPDX-License-Identifier: MIT
 * The bytes of a committee, with fields of 8 bytes that are changed one at a time. */
#ifndef WEFT_TESTS_STATE_SUPPORT_H
#define WEFT_TESTS_STATE_SUPPORT_H

#include "support/panel.h"

/* A state, and the members that it is read with. */
typedef struct bench {
    panel p;
    panel_state s;
} bench;

static int64_t field_of(const bench *b, int64_t field)
{
    int64_t value = 0;
    memcpy(&value, b->s.bytes + 8 * field, sizeof value);
    return value;
}

static void bench_close(bench *b)
{
    free(b->s.bytes);
    panel_close(&b->p);
}

/* Reads the first `size` bytes. */
static weft_status take(const bench *b, size_t size, weft_error *error)
{
    weft_player *committee = NULL;
    weft_status status =
        weft_committee_read(b->p.members, b->p.count, b->s.bytes, size, NULL, &committee, error);
    assert_true((committee != NULL) == (status == WEFT_OK));
    weft_player_free(committee);
    return status;
}

static void refuse_field(bench *b, int64_t field, int64_t value, const char *words)
{
    int64_t kept = field_of(b, field);
    weft_error error = {0};
    assert_true(kept != value);
    memcpy(b->s.bytes + 8 * field, &value, sizeof value);
    weft_status status = take(b, b->s.size, &error);
    if (status != WEFT_MODEL || strstr(error.message, words) == NULL)
        fail_msg("field %lld = %lld: %s, '%s' does not say '%s'", (long long)field, (long long)value,
                 weft_status_name(status), error.message, words);
    memcpy(b->s.bytes + 8 * field, &kept, sizeof kept);
    assert_int_equal(take(b, b->s.size, NULL), WEFT_OK);
}

static void refuse_number(bench *b, int64_t field, double value, const char *words)
{
    int64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    refuse_field(b, field, bits, words);
}

/* Flips one bit of the byte `at`: what is read is refused, or votes in its range and learns.  Whether it was
 * read. */
static bool flip(bench *b, size_t at, dice *d)
{
    unsigned char kept = b->s.bytes[at];
    weft_player *committee = NULL;
    weft_error error = {0};
    b->s.bytes[at] ^= (unsigned char)(1 << dice_below(d, 8));
    weft_status status =
        weft_committee_read(b->p.members, b->p.count, b->s.bytes, b->s.size, NULL, &committee, &error);
    assert_true(status == WEFT_OK || (status == WEFT_MODEL && error.message[0] != 0));
    for (int64_t t = 0; committee != NULL && t < 4; t++) {
        weft_answer r = {0};
        if (weft_player_learn(committee, t, 3 - t, t % 2 ? 1 : -1, &r, NULL) != WEFT_OK)
            break;
        assert_true(r.vote >= 0 && r.vote <= 1);
        assert_true(r.probability > 0 && r.probability < 1);
    }
    weft_player_free(committee);
    b->s.bytes[at] = kept;
    return status == WEFT_OK;
}

#endif
