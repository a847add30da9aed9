/* SPDX-License-Identifier: MIT
 * Damaged states: cut at every byte, every byte changed, every field wrong.
 * That a whole state continues bit for bit is a matter of tests/property. */
#include "unit/test_core_support.h"

#include "support/alloc.h"

/* Fields of 8 bytes, in the order of the format. */
enum {
    MAGIC,
    VERSION,
    FORM,
    UPDATES,
    ENGINE,
    PRECISION,
    ETA,
    GAMMA,
    DIMENSION,
    ROWS,
    COLUMNS,
    TOLERANCE,
    SEED,
    DETERMINISTIC,
    TIME,
    TRIALS,
    MISTAKES,
    UPDATED,
    PRODUCTS,
    EXPECTED,
    LOG_TRACE,
    WEYL,
    LARGEST,
    DENSE,
    CELLS,
    ROW,
    COLUMN,
    COUNT,
    SECOND_ROW,
    SECOND_COLUMN
};

typedef struct saved {
    weft_side *rows, *columns;
    weft_player *learner;
    unsigned char *bytes;
    size_t size;
} saved;

static void open_saved(weft_form form, saved *s)
{
    weft_settings settings = {
        .form = form, .eta = 0.5, .gamma = 0.5, .dimension = 8, .tolerance = 0.02, .seed = 5};
    *s = (saved){0};
    assert_int_equal(weft_side_none(6, NULL, &s->rows, NULL), WEFT_OK);
    if (form != WEFT_ONE_SET)
        assert_int_equal(weft_side_none(5, NULL, &s->columns, NULL), WEFT_OK);
    assert_int_equal(weft_learner_create(s->rows, s->columns, &settings, NULL, &s->learner, NULL), WEFT_OK);
    for (int64_t t = 0; t < 30; t++)
        assert_int_equal(weft_player_learn(s->learner, t % 6, (t * 2 + 1) % 5,
                                           (t * t + t / 2) % 3 == 0 ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    assert_true(weft_player_evidence_count(s->learner) >= 3);
    s->bytes = state_bytes(s->learner, &s->size);
    assert_int_equal(s->size, 8 * ROW + 24 * (size_t)weft_player_evidence_count(s->learner));
}

static void close_saved(saved *s)
{
    free(s->bytes);
    weft_player_free(s->learner);
    weft_side_free(s->rows);
    weft_side_free(s->columns);
}

static weft_status read_back(const saved *s, const unsigned char *bytes, size_t size, weft_player **learner,
                             weft_error *error)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    weft_player *made = NULL;
    weft_status status = weft_learner_read(s->rows, s->columns, bytes, size, &memory, &made, error);
    if (status != WEFT_OK) {
        assert_null(made);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        return status;
    }
    /* The hook dies with this function: hand out a copy without it. */
    unsigned char *again = NULL;
    size_t length = 0;
    again = state_bytes(made, &length);
    assert_int_equal(weft_learner_read(s->rows, s->columns, again, length, NULL, learner, NULL), WEFT_OK);
    free(again);
    weft_player_free(made);
    assert_int_equal(test_alloc_blocks(&alloc), 0);
    return WEFT_OK;
}

static void a_whole_state_is_read(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        saved s;
        weft_player *learner = NULL;
        open_saved((weft_form)form, &s);
        assert_int_equal(read_back(&s, s.bytes, s.size, &learner, NULL), WEFT_OK);
        assert_same_state(s.learner, learner);
        weft_player_free(learner);
        close_saved(&s);
    }
}

static void a_buffer_that_is_short_is_refused(void **state)
{
    saved s;
    weft_error error = {0};
    open_saved(WEFT_PAPER, &s);
    size_t size = s.size - 1;
    memset(s.bytes, 0xcc, s.size);
    assert_fails(weft_player_write(s.learner, s.bytes, &size, &error), WEFT_ARGUMENT, "expected");
    assert_int_equal(size, s.size - 1);
    for (size_t k = 0; k < s.size; k++)
        assert_int_equal(s.bytes[k], 0xcc);
    close_saved(&s);
}

static void cut_at_every_byte(void **state)
{
    for (int form = WEFT_PAPER; form <= WEFT_ONE_SET; form++) {
        saved s;
        open_saved((weft_form)form, &s);
        for (size_t size = 0; size < s.size; size++) {
            weft_error error = {0};
            weft_player *learner = NULL;
            /* A block of exactly that size, for whoever reads past it. */
            unsigned char *part = malloc(size + 1);
            assert_non_null(part);
            memcpy(part, s.bytes, size);
            assert_int_equal(read_back(&s, part, size, &learner, &error), WEFT_MODEL);
            assert_true(strlen(error.message) > 10);
            free(part);
        }
        close_saved(&s);
    }
}

static void too_long_is_damage(void **state)
{
    saved s;
    open_saved(WEFT_PAPER, &s);
    unsigned char *longer = calloc(1, s.size + 24);
    assert_non_null(longer);
    memcpy(longer, s.bytes, s.size);
    weft_player *learner = NULL;
    assert_int_equal(read_back(&s, longer, s.size + 1, &learner, NULL), WEFT_MODEL);
    assert_int_equal(read_back(&s, longer, s.size + 24, &learner, NULL), WEFT_MODEL);
    free(longer);
    close_saved(&s);
}

/* Either it is refused, or it means something: it is written as it was read and
 * can be played on. */
static void every_byte_changed(void **state)
{
    saved s;
    int accepted = 0, refused = 0;
    open_saved(WEFT_BALANCED, &s);
    for (size_t k = 0; k < s.size; k++)
        for (int bit = 0; bit < 8; bit++) {
            weft_player *learner = NULL;
            s.bytes[k] = (unsigned char)(s.bytes[k] ^ 1u << bit);
            weft_status status = read_back(&s, s.bytes, s.size, &learner, NULL);
            if (status == WEFT_OK) {
                size_t size = 0;
                weft_answer p = {0};
                unsigned char *bytes = state_bytes(learner, &size);
                assert_int_equal(size, s.size);
                assert_memory_equal(bytes, s.bytes, size);
                assert_int_equal(weft_player_predict(learner, 1, 1, &p, NULL), WEFT_OK);
                assert_true(isfinite(p.margin) && p.lower <= p.margin && p.margin <= p.upper);
                free(bytes);
                weft_player_free(learner);
                accepted++;
            } else {
                assert_int_equal(status, WEFT_MODEL);
                refused++;
            }
            s.bytes[k] = (unsigned char)(s.bytes[k] ^ 1u << bit);
        }
    assert_true(refused > accepted && accepted > 0);
    close_saved(&s);
}

static void put(unsigned char *bytes, int field, int64_t value)
{
    for (int k = 0; k < 8; k++)
        bytes[8 * field + k] = (unsigned char)((uint64_t)value >> (8 * k));
}

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

typedef struct damage {
    int field;
    int64_t value;
    const char *words;
} damage;

static void damaged(const damage *cases, size_t count)
{
    saved s;
    open_saved(WEFT_PAPER, &s);
    for (size_t k = 0; k < count; k++) {
        weft_error error = {0};
        weft_player *learner = NULL;
        unsigned char field[8];
        memcpy(field, s.bytes + 8 * cases[k].field, 8);
        put(s.bytes, cases[k].field, cases[k].value);
        assert_fails(read_back(&s, s.bytes, s.size, &learner, &error), WEFT_MODEL, cases[k].words);
        memcpy(s.bytes + 8 * cases[k].field, field, 8);
    }
    close_saved(&s);
}

static void every_setting_wrong(void **state)
{
    const damage cases[] = {
        {MAGIC, 0, "not the state"},
        {VERSION, 3, "version 3, expected 1 or 2"},
        {VERSION, 2, "none of the choices"},
        {FORM, 3, "none of the choices"},
        {FORM, INT64_C(1) << 32, "none of the choices"},
        {FORM, -1, "none of the choices"},
        {FORM, WEFT_ONE_SET, "do not fit"},
        {UPDATES, 2, "none of the choices"},
        {ENGINE, 2, "none of the choices"},
        {PRECISION, 2, "none of the choices"},
        {DETERMINISTIC, 2, "none of the choices"},
        {ETA, 0, "do not fit"},
        {GAMMA, bits_of(2), "do not fit"},
        {DIMENSION, bits_of(NAN), "do not fit"},
        {TOLERANCE, bits_of(-1), "do not fit"},
        {ROWS, 3, "do not fit"},
        {COLUMNS, 4, "do not fit"},
        {COLUMNS, INT64_MAX, "do not fit"},
    };
    damaged(cases, sizeof cases / sizeof *cases);
}

static void every_counter_wrong(void **state)
{
    const damage cases[] = {
        {TIME, 29, "counters"},
        {TIME, INT64_MAX, "a counter is beyond 2^53"},
        {PRODUCTS, INT64_MAX, "a counter is beyond 2^53"},
        {TRIALS, 31, "counters"},
        {TRIALS, -1, "counters"},
        {MISTAKES, 31, "counters"},
        {MISTAKES, -1, "counters"},
        {UPDATED, 31, "counters"},
        {UPDATED, -1, "counters"},
        {PRODUCTS, -1, "counters"},
        {EXPECTED, bits_of(NAN), "counters"},
        {EXPECTED, bits_of(-1), "counters"},
        {EXPECTED, bits_of(31), "counters"},
    };
    damaged(cases, sizeof cases / sizeof *cases);
}

static void every_piece_of_evidence_wrong(void **state)
{
    const damage cases[] = {
        {LOG_TRACE, bits_of(NAN), "spectral bound"},
        {LOG_TRACE, bits_of(INFINITY), "spectral bound"},
        {WEYL, bits_of(-1), "spectral bound"},
        {WEYL, bits_of(NAN), "spectral bound"},
        {WEYL, bits_of(INFINITY), "spectral bound"},
        {LARGEST, 0, "larger than the largest"},
        {LARGEST, -1, "length"},
        {DENSE, 2, "length"},
        {DENSE, -1, "length"},
        {CELLS, 0, "length"},
        {CELLS, -1, "length"},
        {CELLS, INT64_C(1) << 61, "length"},
        {ROW, 6, "does not fit its sides"},
        {ROW, -1, "does not fit its sides"},
        {COLUMN, 5, "does not fit its sides"},
        {COUNT, INT64_MAX, "does not fit its sides"},
        {COUNT, INT64_MIN, "does not fit its sides"},
        {COUNT, 100, "larger than the largest"},
    };
    damaged(cases, sizeof cases / sizeof *cases);
}

static void a_pair_listed_twice(void **state)
{
    saved s;
    weft_error error = {0};
    weft_player *learner = NULL;
    open_saved(WEFT_PAPER, &s);
    memcpy(s.bytes + 8 * SECOND_ROW, s.bytes + 8 * ROW, 16);
    assert_fails(read_back(&s, s.bytes, s.size, &learner, &error), WEFT_MODEL, "twice");
    close_saved(&s);
    /* One set: the same pair the other way round, and an id with itself. */
    open_saved(WEFT_ONE_SET, &s);
    put(s.bytes, FORM, WEFT_PAPER);
    assert_fails(read_back(&s, s.bytes, s.size, &learner, &error), WEFT_MODEL, "do not fit");
    put(s.bytes, FORM, WEFT_ONE_SET);
    memcpy(s.bytes + 8 * SECOND_ROW, s.bytes + 8 * COLUMN, 8);
    memcpy(s.bytes + 8 * SECOND_COLUMN, s.bytes + 8 * ROW, 8);
    assert_fails(read_back(&s, s.bytes, s.size, &learner, &error), WEFT_MODEL, "twice");
    memcpy(s.bytes + 8 * SECOND_ROW, s.bytes + 8 * SECOND_COLUMN, 8);
    assert_fails(read_back(&s, s.bytes, s.size, &learner, &error), WEFT_MODEL, "twice");
    close_saved(&s);
}

/* A bound that is too low, which no check of the bytes can see, is noticed when
 * it is used. */
static void a_low_bound_is_mended(void **state)
{
    saved s;
    weft_player *learner = NULL;
    weft_answer right, mended;
    open_saved(WEFT_PAPER, &s);
    put(s.bytes, WEYL, 0);
    assert_int_equal(read_back(&s, s.bytes, s.size, &learner, NULL), WEFT_OK);
    int64_t row = -1;
    for (int64_t k = 0; k < weft_player_evidence_count(learner); k++)
        if (weft_player_evidence(learner, k).count > 0)
            row = k;
    assert_true(row >= 0);
    weft_evidence_entry entry = weft_player_evidence(learner, row);
    assert_int_equal(weft_player_predict(s.learner, entry.row, entry.column, &right, NULL), WEFT_OK);
    assert_int_equal(weft_player_predict(learner, entry.row, entry.column, &mended, NULL), WEFT_OK);
    assert_int_equal(right.label, mended.label);
    assert_true(mended.lower <= right.upper && right.lower <= mended.upper);
    weft_player_free(learner);
    close_saved(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_state_is_read), cmocka_unit_test(a_buffer_that_is_short_is_refused),
        cmocka_unit_test(cut_at_every_byte),     cmocka_unit_test(too_long_is_damage),
        cmocka_unit_test(every_byte_changed),    cmocka_unit_test(every_setting_wrong),
        cmocka_unit_test(every_counter_wrong),   cmocka_unit_test(every_piece_of_evidence_wrong),
        cmocka_unit_test(a_pair_listed_twice),   cmocka_unit_test(a_low_bound_is_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
