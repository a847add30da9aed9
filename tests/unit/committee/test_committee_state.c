/* SPDX-License-Identifier: MIT
 * Bytes that are not the state of a committee, or of another one: refused, never believed. */
#include "unit/test_core_support.h"

#include "committee/committee.h"
#include "support/effort.h"
#include "test_state_support.h"

/* Fields of 8 bytes, as state.c lists them. */
enum {
    MAGIC,
    VERSION,
    RANDOMISED,
    SEED,
    RESTLESS,
    TRACKING, /* once: now 0 */
    MEMBERS,
    T,
    TRIALS,
    MISTAKES,
    EXPECTED,
    ANEW,
    MINUS,
    PLUS,
    STACK_MISTAKES,
    CHECKPOINTS,
    OPENED,                   /* the trial at which accounts were opened */
    MERGED,                   /* once, where changes were followed: now 0 */
    WRONG,                    /* of each stack */
    GAP = WRONG + WEFT_STACKS /* and the regrets, the drifts, the stack, the members */
};

/* Where the fields of a member are, from its first. */
enum { AWAKE, SINCE, OWN_TRIALS, OWN_MISTAKES, SEEN, PRICE, PAID, SIZE, STATE };

/* Fields of a state. */
typedef struct places {
    int64_t mean;              /* of the stack */
    int64_t worth[3];          /* fields of what side information is worth */
    int64_t at[PANEL_MEMBERS]; /* of the members */
} places;

/* Of those that a stack without this hears; there is none where nobody sees it. */
static int64_t count_without(const panel *p, int without)
{
    int64_t count = 0;
    int seen = 0;
    for (int64_t k = 0; k < p->count; k++) {
        count += (p->members[k].uses & without) == 0;
        seen |= p->members[k].uses & without;
    }
    return seen == without ? count : 0;
}

/* Over n - 1 members and the constant: two filters, belief, labels. */
static int64_t size_of_stack(int64_t n)
{
    return 2 * (n + n * (n + 1) / 2) + 2;
}

/* Trials, with, without, length, blocks, open, and the sums of the blocks and of the open one.  Both
 * comparisons have as many blocks. */
static int64_t size_of_paired(const bench *b, int64_t at)
{
    return 7 + field_of(b, at + 4);
}

/* A committee of few trials, or of some behind a checkpoint. */
static places bench_open(bool one_set, int64_t trials, bench *b)
{
    places at;
    dice d = {9};
    panel_open_all(3, KNOWN_CLASSES, one_set, 4, 4, &b->p);
    weft_player *committee = panel_committee(&b->p, &(weft_committee_settings){.seed = 7}, NULL);
    panel_play(&b->p, PANEL_TRUE, 0, trials, &d, committee);
    b->s = panel_write(committee);
    weft_player_free(committee);
    int64_t n = b->p.count + 1, field = GAP + 1 + 2 * (b->p.count + WEFT_STACKS);
    at.mean = field;
    field += size_of_stack(n);
    for (int without = WEFT_ROWS; without <= WEFT_BOTH; without++) {
        at.worth[without - 1] = field;
        int64_t heard = count_without(&b->p, without);
        field += heard > 0 ? 2 * size_of_paired(b, field) + size_of_stack(heard + 1) : 0;
    }
    for (int64_t k = 0; k < b->p.count; k++) {
        at.at[k] = field;
        field += STATE + field_of(b, field + SIZE) / 8;
    }
    assert_int_equal(8 * field, b->s.size);
    return at;
}

/* ---- Cuts ---- */

/* A copy of the right size is made each time, so that a sanitizer sees who reads beyond. */
static void cut_everywhere(void **state)
{
    bench b;
    bench_open(false, 3, &b);
    unsigned char *whole = b.s.bytes;
    for (size_t size = 0; size < b.s.size; size += (size_t)fewer(1, 3)) {
        weft_error error = {0};
        b.s.bytes = malloc(size + (size == 0));
        assert_non_null(b.s.bytes);
        memcpy(b.s.bytes, whole, size);
        assert_int_equal(take(&b, size, &error), WEFT_MODEL);
        assert_true(error.status == WEFT_MODEL && error.message[0] != 0);
        free(b.s.bytes);
    }
    b.s.bytes = malloc(b.s.size + 8);
    assert_non_null(b.s.bytes);
    memcpy(b.s.bytes, whole, b.s.size);
    memset(b.s.bytes + b.s.size, 0, 8);
    for (size_t more = 1; more <= 8; more++)
        assert_int_equal(take(&b, b.s.size + more, NULL), WEFT_MODEL);
    assert_int_equal(take(&b, b.s.size, NULL), WEFT_OK);
    free(whole);
    bench_close(&b);
}

/* ---- Fields ---- */

static void settings_and_counters(void **state)
{
    const char *choice = "none of the choices", *contradict = "counters contradict";
    bench b;
    bench_open(false, 1100, &b);
    refuse_field(&b, MAGIC, 5, "not the state of a committee");
    refuse_field(&b, VERSION, 1, "version 1, expected 7");
    refuse_field(&b, RANDOMISED, 2, choice);
    refuse_field(&b, RANDOMISED, -1, choice);
    refuse_field(&b, RESTLESS, 2, choice);
    refuse_field(&b, TRACKING, 2, choice);
    refuse_field(&b, TRACKING, 1, "follow changes, which weft does not play any more: run its stream again");
    refuse_field(&b, MEMBERS, b.p.count - 1, "members");
    refuse_field(&b, MEMBERS, INT64_MAX, "members");
    refuse_field(&b, T, 1099, contradict);
    refuse_field(&b, T, INT64_MAX, contradict);
    refuse_field(&b, TRIALS, 1099, contradict);
    refuse_field(&b, TRIALS, -1, contradict);
    refuse_field(&b, MISTAKES, 1101, contradict);
    refuse_field(&b, MISTAKES, -1, contradict);
    refuse_number(&b, EXPECTED, -1, contradict);
    refuse_number(&b, EXPECTED, 1101, contradict);
    refuse_number(&b, EXPECTED, NAN, contradict);
    refuse_field(&b, ANEW, 1101, contradict);
    refuse_field(&b, ANEW, -1, contradict);
    refuse_field(&b, MINUS, field_of(&b, MINUS) + 1, contradict);
    refuse_field(&b, PLUS, -1, contradict);
    refuse_field(&b, STACK_MISTAKES, 1101, contradict);
    refuse_field(&b, CHECKPOINTS, 64, contradict);
    refuse_field(&b, CHECKPOINTS, -1, contradict);
    refuse_field(&b, OPENED, 1101, contradict);
    refuse_field(&b, OPENED, -1, contradict);
    refuse_field(&b, MERGED, 1101, contradict);
    refuse_field(&b, MERGED, -1, contradict);
    for (int i = 0; i < WEFT_STACKS; i++) {
        refuse_field(&b, WRONG + i, 1101, contradict);
        refuse_field(&b, WRONG + i, -1, contradict);
    }
    bench_close(&b);
}

static void refuse_worth(bench *b, int64_t at)
{
    enum { COUNT, WITH, WITHOUT, LENGTH, BLOCKS, OPEN, SUMS };
    const char *words = "is worth";
    int64_t size = size_of_paired(b, at);
    refuse_field(b, at + COUNT, -1, words);
    refuse_field(b, at + COUNT, 1101, words);
    refuse_field(b, at + COUNT, 1, words);
    refuse_number(b, at + WITH, -1, words);
    refuse_number(b, at + WITHOUT, INFINITY, words);
    refuse_field(b, at + LENGTH, 0, words);
    refuse_field(b, at + LENGTH, 3, words);
    refuse_field(b, at + LENGTH, -1, words);
    refuse_field(b, at + LENGTH, 16, words);
    refuse_field(b, at + BLOCKS, -1, words);
    refuse_field(b, at + BLOCKS, WEFT_BLOCKS, words);
    refuse_field(b, at + OPEN, -1, words);
    refuse_field(b, at + OPEN, field_of(b, at + LENGTH), words);
    refuse_number(b, at + SUMS, NAN, words);
    refuse_field(b, at + size + COUNT, field_of(b, at + COUNT) - 1, words);
    refuse_number(b, at + 2 * size, NAN, words);
}

static void weights_of(bool one_set)
{
    const char *words = "its weights";
    bench b;
    places at = bench_open(one_set, 1100, &b);
    int64_t n = b.p.count + 1, mean = at.mean, covariance = mean + n;
    for (int64_t drift = mean - (b.p.count + WEFT_STACKS); drift < mean; drift++) {
        refuse_number(&b, drift, NAN, words);
        refuse_number(&b, drift, -1101, words);
    }
    refuse_number(&b, GAP, NAN, words);
    refuse_number(&b, GAP, -1, words);
    refuse_number(&b, GAP, INFINITY, words);
    refuse_number(&b, GAP, 1e300, words);
    refuse_number(&b, GAP + 1, NAN, words);
    refuse_number(&b, GAP + 1, INFINITY, words);
    for (int64_t k = GAP + n; k < mean; k++) {
        refuse_number(&b, k, 1e6, words); /* above the guarantee */
        refuse_number(&b, k, -1e300, words);
    }
    refuse_number(&b, mean, NAN, words);
    refuse_number(&b, mean + n - 1, -INFINITY, words);
    refuse_number(&b, mean, 1e300, words);
    refuse_number(&b, covariance, -1, words);
    refuse_number(&b, covariance, NAN, words);
    refuse_number(&b, covariance + 1, NAN, words);
    refuse_number(&b, covariance, 1e300, words);
    int64_t belief = mean + size_of_stack(n) - 2;
    refuse_number(&b, belief, 0, words);
    refuse_number(&b, belief, 1, words);
    refuse_number(&b, belief, NAN, words);
    refuse_field(&b, belief + 1, -1, words);
    for (int i = 0; i < 3; i++)
        if (count_without(&b.p, i + 1) > 0)
            refuse_worth(&b, at.worth[i]);
    bench_close(&b);
}

static void weights(void **state)
{
    weights_of(false);
    weights_of(true);
}

static void members(void **state)
{
    const char *words = "a member";
    bench b;
    places of = bench_open(false, 1100, &b);
    for (int64_t k = 0; k < b.p.count; k += b.p.count - 1) {
        int64_t at = of.at[k];
        refuse_field(&b, at + AWAKE, 2, words);
        refuse_field(&b, at + SINCE, -1, words);
        refuse_field(&b, at + SINCE, 1101, words);
        refuse_field(&b, at + OWN_TRIALS, 1101, words);
        refuse_field(&b, at + OWN_TRIALS, -1, words);
        refuse_field(&b, at + OWN_MISTAKES, 1101, words);
        refuse_field(&b, at + OWN_MISTAKES, -1, words);
        refuse_field(&b, at + SEEN, -1, words);
        refuse_field(&b, at + SEEN, 1101, words);
        refuse_number(&b, at + PRICE, NAN, words);
        refuse_number(&b, at + PRICE, -1, words);
        refuse_number(&b, at + PRICE, INFINITY, words);
        refuse_number(&b, at + PAID, NAN, words);
        refuse_number(&b, at + PAID, -1, words);
        refuse_number(&b, at + PAID, INFINITY, words);
        refuse_field(&b, at + SIZE, -8, "");
        refuse_field(&b, at + SIZE, 0, "");
        refuse_field(&b, at + SIZE, INT64_MAX, words);
        refuse_field(&b, at + SIZE, field_of(&b, at + SIZE) + 8, "");
        refuse_field(&b, at + STATE, 0, "not the state of a");
    }
    bench_close(&b);
}

static void flips(void **state)
{
    bench b;
    dice d = {77};
    int64_t taken = 0;
    bench_open(false, 1100, &b);
    for (int64_t round = 0; round < fewer(2000, 1000); round++)
        taken += flip(&b, (size_t)dice_below(&d, (int64_t)b.s.size), &d);
    assert_in_range(taken, 1, 1999);
    bench_close(&b);
}

/* ---- Other members ---- */

static void refuse_members(bench *b, const weft_member *members, int64_t count)
{
    weft_player *committee = NULL;
    weft_error error = {0};
    weft_status status = weft_committee_read(members, count, b->s.bytes, b->s.size, NULL, &committee, &error);
    weft_player_free(committee);
    assert_int_equal(status, WEFT_MODEL);
    assert_true(error.message[0] != 0);
}

/* One setting of learner 0 and of the rivals of each kind is another one. */
static void other_settings(void **state)
{
    bench b;
    bench_open(false, 30, &b);
    weft_member other[PANEL_MEMBERS], *l = &other[0], *hashed = &other[7 + WEFT_RIVAL_LOGISTIC];
    weft_member *factors = &other[7 + WEFT_RIVAL_FACTORS], *margin = &other[b.p.count - 1];
    weft_member *hybrid = &other[7 + WEFT_RIVAL_HYBRID];
#define REFUSE_WITH(change)                       \
    do {                                          \
        memcpy(other, b.p.members, sizeof other); \
        change;                                   \
        refuse_members(&b, other, b.p.count);     \
    } while (0)
    REFUSE_WITH(l->learner.eta = 2);
    REFUSE_WITH(l->learner.gamma = 0.5);
    REFUSE_WITH(l->learner.form = WEFT_PAPER);
    REFUSE_WITH(l->learner.updates = WEFT_MISTAKE_UPDATES);
    REFUSE_WITH(l->learner.engine = WEFT_REFERENCE);
    REFUSE_WITH(l->is_rival = true);
    REFUSE_WITH(hashed->is_rival = false);
    REFUSE_WITH(hashed->rival.rate = 0.7);
    REFUSE_WITH(hashed->rival.kind = WEFT_RIVAL_BIAS);
    REFUSE_WITH(hashed->rival.bits = 7);
    REFUSE_WITH(hashed->rival.seed = 5);
    REFUSE_WITH(factors->rival.factors = 3);
    REFUSE_WITH(hybrid->rival.factors = 3);
    REFUSE_WITH(hybrid->rival.replay = 8);
    REFUSE_WITH(hybrid->rival.replay = -1);
    REFUSE_WITH(hybrid->rival.window = 16383);
    REFUSE_WITH(hybrid->rival.shrink = 0.5);
    REFUSE_WITH(margin->rival.rate = 0.25);
    REFUSE_WITH(margin->rival.rate = 0);
#undef REFUSE_WITH
    bench_close(&b);
}

static void other_lists(void **state)
{
    bench b;
    weft_error error = {0};
    weft_player *committee = NULL;
    bench_open(false, 30, &b);
    weft_member other[PANEL_MEMBERS];
    memcpy(other, b.p.members, sizeof other);
    refuse_members(&b, other, b.p.count - 1);
    refuse_members(&b, other, b.p.count + 1);
    other[0] = b.p.members[1];
    other[1] = b.p.members[0];
    refuse_members(&b, other, b.p.count);
    memcpy(other, b.p.members, sizeof other);
    other[9].columns = NULL;
    refuse_members(&b, other, b.p.count);
    memset(other[3].name, 'x', sizeof other[3].name);
    assert_fails(weft_committee_read(other, b.p.count, b.s.bytes, b.s.size, NULL, &committee, &error),
                 WEFT_ARGUMENT, "no end");
    bench_close(&b);
}

/* A buffer that is too small is told so, and not touched. */
static void small_buffers(void **state)
{
    bench b;
    weft_error error = {0};
    unsigned char byte = 42;
    size_t size = 1;
    bench_open(true, 5, &b);
    weft_player *committee = panel_committee(&b.p, &(weft_committee_settings){0}, NULL);
    assert_fails(weft_player_write(committee, &byte, &size, &error), WEFT_ARGUMENT, "buffer has 1 bytes");
    assert_true(byte == 42 && size == 1);
    weft_player_free(committee);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_everywhere), cmocka_unit_test(settings_and_counters),
        cmocka_unit_test(weights),        cmocka_unit_test(members),
        cmocka_unit_test(flips),          cmocka_unit_test(other_settings),
        cmocka_unit_test(other_lists),    cmocka_unit_test(small_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
