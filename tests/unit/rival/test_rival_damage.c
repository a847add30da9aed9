/* SPDX-License-Identifier: MIT
 * States that contradict themselves, one by one: what the reader must say of each. */
#include "test_rival_support.h"

enum { HEADER = 11, FIELDS = 60 };

/* The state of a fresh rival over sides of 4 ids, of which only the header is kept. */
typedef struct forged {
    stage s;
    int64_t fields[FIELDS];
    int64_t count;
} forged;

static void forge(forged *f, weft_rival_kind kind, bool one_set)
{
    size_t size = 0;
    *f = (forged){.count = HEADER};
    stage_open(9, KNOWN_LINEAR, KNOWN_NONE, one_set, &f->s);
    weft_player *rival = rival_of(&f->s, &(weft_rival_settings){.kind = kind, .rate = 0.5, .factors = 1});
    unsigned char *bytes = rival_bytes(rival, &size);
    assert_true(size >= HEADER * sizeof(int64_t));
    memcpy(f->fields, bytes, HEADER * sizeof(int64_t));
    free(bytes);
    weft_player_free(rival);
}

static void put(forged *f, int64_t value)
{
    assert_true(f->count < FIELDS);
    f->fields[f->count++] = value;
}

static int64_t bits_of(double value)
{
    int64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_double(forged *f, double value)
{
    put(f, bits_of(value));
}

/* Ends the forgery: the state is refused with these words, or taken where they are NULL. */
static void judge(forged *f, const char *words)
{
    weft_error error = {0};
    weft_player *rival = NULL;
    size_t size = (size_t)f->count * sizeof(int64_t);
    weft_status status = weft_rival_read(f->s.rows, f->s.columns, f->fields, size, NULL, &rival, &error);
    if (words != NULL)
        assert_fails(status, WEFT_MODEL, words);
    else
        assert_int_equal(status, WEFT_OK);
    weft_player_free(rival);
    stage_close(&f->s);
}

/* ---- the header ---- */

static void forge_setting(int field, int64_t value, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_BIAS, false);
    put(&f, 0);
    f.fields[field] = value;
    judge(&f, words);
}

static void settings_out_of_range(void **state)
{
    const char *words = "a setting is out of its range";
    forge_setting(0, 5, "not the state of a rival");
    forge_setting(1, 2, "of version 2, expected 3 or 4: run its stream again");
    forge_setting(1, 4, "a setting is out of its range");
    forge_setting(1, 5, "of version 5, expected 3 or 4");
    forge_setting(2, -1, words);
    forge_setting(2, WEFT_RIVALS, words);
    forge_setting(3, 0, words); /* a rate of 0 is filled in before it is written */
    forge_setting(3, -1, words);
    forge_setting(4, 0, words);
    forge_setting(4, 1 << 20, words);
    forge_setting(5, 0, words);
    forge_setting(5, 31, words);
    forge_setting(5, INT64_C(1) << 33, words);
    forge_setting(6, 0, words);
    forge_setting(7, 0, words); /* as is a number of 0 */
    forge_setting(7, -2, words);
    forge_setting(7, 1025, words);
    forge_setting(7, INT64_C(1) << 33, words);
    forge_setting(7, (INT64_C(1) << 32) + 9, words);
    forge_setting(8, 0, words);
    forge_setting(8, -1, words);
    forge_setting(8, (1 << 24) + 1, words);
    forge_setting(8, INT64_MAX, words);
    forge_setting(9, bits_of(-0.5), words);
    forge_setting(9, bits_of(1.5), words);
    forge_setting(9, bits_of((double)NAN), words);
    forge_setting(10, 1, "one set of ids");
    forge_setting(10, 2, "one set of ids");
    forge_setting(7, -1, NULL);
    forge_setting(8, 1 << 24, NULL);
    forge_setting(9, bits_of(1), NULL);
    forge_setting(6, 9, NULL);
}

/* ---- counts ---- */

static void forge_majority(bool one_set, const int64_t *fields, int64_t count, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_ROW_MAJORITY, one_set);
    for (int64_t k = 0; k < count; k++)
        put(&f, fields[k]);
    judge(&f, words);
}

static void counts_that_do_not_add_up(void **state)
{
    const char *words = "contradict each other", *range = "out of their range";
    forge_majority(false, (int64_t[]){2, 1, 2, 0, 0, 1, 3, 2, 0}, 9, NULL);
    forge_majority(false, (int64_t[]){3, 1, 2, 0, 0, 1, 3, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 2, 0, 0, 1, 3, 3, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 2, 2, 0, 0, 1, 3, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 2, 0, -1, 1, 3, 3, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 3, 0, 0, 1, 2, 2, 0, 3, 0, 0}, 12, words);
    forge_majority(false, (int64_t[]){2, 1, 2, 1, 0, 1, 0, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 2, 1, 0, 1, 1, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 2, 0, 0, 1, 4, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){2, 1, 2, -1, 0, 1, 3, 2, 0}, 9, words);
    forge_majority(false, (int64_t[]){0, 0, 1, 0, 0, 0}, 6, words);
    forge_majority(true, (int64_t[]){1, 1, 2, 0, 1, 1, 1, 1, 1}, 9, NULL);
    forge_majority(true, (int64_t[]){2, 2, 2, 0, 1, 1, 1, 1, 1}, 9, words);
    forge_majority(false, (int64_t[]){-1, 0, 0}, 3, range);
    forge_majority(false, (int64_t[]){INT64_MAX, 0, 0}, 3, range);
    forge_majority(false, (int64_t[]){0, 0, 5, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0}, 18, range);
    forge_majority(false, (int64_t[]){0, 0, 4, 0, 0, 0, 1, 0, 0, 2, 0, 0}, 12, range);
    forge_majority(false, (int64_t[]){0, 0, -1}, 3, range);
}

/* ---- weights ---- */

static void forge_weight(int64_t index, double value, double squares, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_BIAS, false);
    put(&f, 1);
    put(&f, index);
    put_double(&f, value);
    put_double(&f, squares);
    judge(&f, words);
}

static void weights_out_of_range(void **state)
{
    const char *words = "a weight is out of its range";
    forge_weight(8, -0.5, 2, NULL);
    forge_weight(9, -0.5, 2, words);
    forge_weight(-1, 0.5, 2, words);
    forge_weight(1, NAN, 2, words);
    forge_weight(1, -INFINITY, 2, words);
    forge_weight(1, 1e23, 2, words);
    forge_weight(1, 1, 1e61, words);
    forge_weight(1, 1, 0, words);
    forge_weight(1, 1, -1, words);
    forge_weight(1, 1, NAN, words);
    forge_weight(1, 1, INFINITY, words);
}

/* 5 rows and 4 columns: weight 9 is the bias of a row, 10 would be that of a column. */
static void biases_of_nobody(void **state)
{
    for (int64_t index = 9; index <= 10; index++) {
        forged f;
        forge(&f, WEFT_RIVAL_BIAS, false);
        assert_int_equal(known_append(&f.s.row_facts, f.s.rows, NULL), WEFT_OK);
        put(&f, 1);
        put(&f, index);
        put_double(&f, 1);
        put_double(&f, 1);
        judge(&f, index == 9 ? NULL : "of an unknown id");
    }
}

/* The vectors have known.dimension numbers; a rival made while there were fewer has as many scales. */
static void forge_scales(int64_t more, double offset, double scale, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_LOGISTIC, false);
    assert_true(f.s.row_facts.dimension > 1);
    int64_t dimension = more < -9 ? 0 : f.s.row_facts.dimension + more;
    put(&f, dimension);
    for (int64_t d = 0; d < dimension; d++) {
        put_double(&f, offset);
        put_double(&f, scale);
    }
    put(&f, 0);
    put(&f, 0);
    judge(&f, words);
}

static void scales_out_of_range(void **state)
{
    const char *words = "the scale of a feature", *other = "its features are not those";
    forge_scales(0, 0.5, 2, NULL);
    forge_scales(-10, 0, 1, NULL);
    forge_scales(1, 0, 1, other);
    forge_scales(-1, 0, 1, NULL); /* a coordinate that came later has no scale */
    forge_scales(0, NAN, 1, words);
    forge_scales(0, 0, 0, words);
    forge_scales(0, 0, -1, words);
    forge_scales(0, 0, INFINITY, words);
}

/* ---- factors ---- */

static void forge_factor(int64_t first, int64_t ids, double value, double squares, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_FACTORS, false);
    put_double(&f, 0.25);
    put_double(&f, 1);
    put(&f, ids);
    for (int64_t k = 0; k < 2 * ids; k++) {
        if (k % 2 == 0)
            put(&f, first + (first < 0 ? -k : k) / 2);
        put_double(&f, value);
        put_double(&f, squares);
    }
    put(&f, 0);
    judge(&f, words);
}

static void factors_out_of_range(void **state)
{
    const char *words = "a factor is out of its range";
    forge_factor(0, 1, 0.5, 0, NULL);
    forge_factor(3, 1, 0.5, 0, NULL);
    forge_factor(0, 4, 0.5, 3, NULL);
    forge_factor(0, 5, 0.5, 3, words);
    forge_factor(4, 1, 0.5, 3, words);
    forge_factor(1, 4, 0.5, 3, words);
    forge_factor(-1, 1, 0.5, 3, words);
    forge_factor(0, 1, NAN, 0, words);
    forge_factor(0, 1, -1e200, 0, words);
    forge_factor(0, 1, 0.5, -1, words);
    forge_factor(0, 1, 0.5, NAN, words);
    forge_factor(0, 1, 0.5, INFINITY, words);
}

/* ---- hybrids ---- */

/* A value and its squares, as one field. */
static int64_t packed(float value, float squares)
{
    uint32_t bits[2];
    memcpy(&bits[0], &value, sizeof value);
    memcpy(&bits[1], &squares, sizeof squares);
    return (int64_t)((uint64_t)bits[1] << 32 | bits[0]);
}

/* What a hybrid over features and nothing knows, one event: constant, events, then of the rows scales, lines
 * of ids and of features, and the same of the columns. */
typedef struct mixture {
    double constant, squares;
    int64_t learnt, events, row, column, label;
    int64_t dimension; /* less that of the side */
    double scale;
    int64_t rows, traits; /* lines, */
    int64_t first, step;  /* and their numbers */
    float value, sum;
} mixture;

static const mixture sound = {.squares = 1,
                              .learnt = 1,
                              .events = 1,
                              .row = 3,
                              .column = 1,
                              .label = -1,
                              .scale = 1,
                              .rows = 4,
                              .traits = 1,
                              .step = 1,
                              .sum = 1};

static void forge_hybrid(bool one_set, mixture m, const char *words)
{
    forged f;
    forge(&f, WEFT_RIVAL_HYBRID, one_set);
    put_double(&f, m.constant);
    put_double(&f, m.squares);
    put(&f, m.learnt);
    for (int64_t k = 0; k < m.events; k++) {
        put(&f, m.row);
        put(&f, m.column);
        put(&f, m.label);
    }
    int64_t dimension = f.s.row_facts.dimension + m.dimension;
    put(&f, dimension);
    for (int64_t d = 0; d < dimension; d++) {
        put_double(&f, 0);
        put_double(&f, m.scale);
    }
    for (int part = 0; part < 2; part++) {
        put(&f, part == 0 ? m.rows : m.traits);
        for (int64_t k = 0; k < (part == 0 ? m.rows : m.traits); k++) {
            put(&f, m.first + k * m.step);
            put(&f, packed(m.value, m.sum));
            put(&f, packed(m.value, m.sum));
        }
    }
    for (int k = 0; k < 3 && !one_set; k++)
        put(&f, 0);
    judge(&f, words);
}

#define FORGE(words, ...)                \
    do {                                 \
        mixture m = sound;               \
        __VA_ARGS__;                     \
        forge_hybrid(false, m, (words)); \
    } while (0)

static void hybrids_out_of_range(void **state)
{
    const char *factor = "a factor is out of its range", *event = "one of its events",
               *number = "number of its";
    forge_hybrid(false, sound, NULL);
    FORGE(NULL, m.value = 64; m.sum = 1e30F);
    FORGE(factor, m.constant = (double)NAN);
    FORGE(factor, m.constant = 1e31);
    FORGE(factor, m.constant = 0.1); /* no number of single precision */
    FORGE(factor, m.squares = 0.5);
    FORGE(factor, m.squares = (double)INFINITY);
    FORGE(number, m.learnt = -1);
    FORGE(number, m.learnt = 1000);
    FORGE(number, m.learnt = INT64_MAX);
    FORGE(event, m.row = 4);
    FORGE(event, m.row = -1);
    FORGE(event, m.column = 4);
    FORGE(event, m.column = INT64_MIN);
    FORGE(event, m.label = 0);
    FORGE(event, m.label = 2);
    FORGE(event, m.label = (INT64_C(1) << 32) + 1);
    FORGE("its features are not those", m.dimension = 1);
    FORGE("the scale of a feature", m.scale = 0);
    FORGE(factor, m.rows = 5);
    FORGE(NULL, m.rows = 1; m.first = 3);
    FORGE(factor, m.rows = 1; m.first = 4);
    FORGE(factor, m.first = -1);
    FORGE(factor, m.step = 0);
    FORGE(factor, m.step = -1);
    FORGE(factor, m.rows = 0; m.first = INT64_MAX);
    FORGE(factor, m.value = 65);
    FORGE(factor, m.value = -65);
    FORGE(factor, m.value = NAN);
    FORGE(factor, m.sum = 0.5F);
    FORGE(factor, m.sum = 2e30F);
    FORGE(factor, m.sum = NAN);
}

/* One set: the smaller id of an event is first. */
static void events_in_the_wrong_order(void **state)
{
    mixture m = sound;
    m.row = 1, m.column = 3;
    forge_hybrid(true, m, NULL);
    m.row = 3, m.column = 1;
    forge_hybrid(true, m, "one of its events");
}

/* Fewer lines than the event needs: what is read learns all the same, within its memory. */
static void events_of_ids_without_lines(void **state)
{
    size_t size = 0, others = 0;
    for (int64_t rows = 0; rows <= 4; rows++) {
        /* In the end there are those that were read, 0 and 3. */
        size_t lines = (size_t)(rows == 0 ? 2 : rows < 4 ? rows + 1 : 4);
        forged f;
        weft_player *rival = NULL;
        forge(&f, WEFT_RIVAL_HYBRID, false);
        put_double(&f, 0);
        put_double(&f, 1);
        put(&f, 1);
        put(&f, 3);
        put(&f, 3);
        put(&f, 1);
        int64_t dimension = f.s.row_facts.dimension;
        put(&f, dimension);
        for (int64_t d = 0; d < dimension; d++) {
            put_double(&f, 0);
            put_double(&f, 1);
        }
        put(&f, rows);
        for (int64_t k = 0; k < 3 * rows; k++)
            put(&f, k % 3 == 0 ? k / 3 : packed(0.25F, 1));
        for (int k = 0; k < 4; k++)
            put(&f, 0);
        assert_int_equal(weft_rival_read(f.s.rows, f.s.columns, f.fields, (size_t)f.count * sizeof(int64_t),
                                         NULL, &rival, NULL),
                         WEFT_OK);
        for (int64_t t = 0; t < 20; t++)
            teach(rival, 0, 0, t % 2 == 0 ? 1 : -1);
        assert_true(isfinite(ask(rival, 3, 3).score));
        free(rival_bytes(rival, &size));
        assert_true(rows == 0 || size - lines * 3 * sizeof(int64_t) == others);
        others = size - lines * 3 * sizeof(int64_t);
        weft_player_free(rival);
        stage_close(&f.s);
    }
}

/* ---- coefficients ---- */

static void forge_pairs(weft_rival_kind kind, bool one_set, const int64_t *fields, int64_t count,
                        const char *words)
{
    forged f;
    forge(&f, kind, one_set);
    for (int64_t k = 0; k < count; k++)
        put(&f, fields[k]);
    judge(&f, words);
}

/* Row ids, column ids, then slots and labels. */
static void coefficients_out_of_order(void **state)
{
    const char *ids = "unknown or listed twice", *order = "out of its range or its order";
    const weft_rival_kind kind = WEFT_RIVAL_PRODUCT;
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 0, 0, 5, 1, 0, -1}, 12, NULL);
    forge_pairs(kind, false, (int64_t[]){2, 3, 3, 1, 0, 2, 0, 0, 5, 1, 0, -1}, 12, ids);
    forge_pairs(kind, false, (int64_t[]){2, 3, 4, 1, 0, 2, 0, 0, 5, 1, 0, -1}, 12, ids);
    forge_pairs(kind, false, (int64_t[]){2, 3, -1, 1, 0, 2, 0, 0, 5, 1, 0, -1}, 12, ids);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 1, 0, 5, 0, 0, -1}, 12, order);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 0, 0, 5, 0, 0, -1}, 12, order);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 0, 0, 5, 2, 0, -1}, 12, order);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 0, 1, 5, 1, 0, -1}, 12, order);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 2, 0, 0, INT64_MAX, 1, 0, -1}, 12, order);
    forge_pairs(kind, false, (int64_t[]){2, 3, 1, 1, 0, 1, 0, 0, 5}, 9, "has no coefficients");
    forge_pairs(kind, false, (int64_t[]){1, 3, 1, 0, 0}, 5, "has no coefficients");
    forge_pairs(kind, true, (int64_t[]){2, 3, 1, 0, 2, 0, 0, 5, 0, 1, -1}, 11, NULL);
    forge_pairs(kind, true, (int64_t[]){2, 3, 1, 0, 2, 0, 0, 5, 1, 0, -1}, 11, order);
    forge_pairs(kind, true, (int64_t[]){2, 3, 1, 1, 0, 1, 0, 1, -1}, 9, "number of ids");
}

static void sums_that_do_not_agree(void **state)
{
    const char *words = "its sums contradict each other";
    forge_pairs(WEFT_RIVAL_SUM, false, (int64_t[]){2, 3, 1, 1, 0, 4, -1, 3}, 8, NULL);
    forge_pairs(WEFT_RIVAL_SUM, false, (int64_t[]){2, 3, 1, 1, 0, 4, -1, 2}, 8, words);
    forge_pairs(WEFT_RIVAL_SUM, false, (int64_t[]){1, 3, 1, 0, INT64_MIN, INT64_MIN}, 6, words);
    forge_pairs(WEFT_RIVAL_SUM, true, (int64_t[]){2, 3, 1, 0, 3, 1}, 6, NULL);
    forge_pairs(WEFT_RIVAL_SUM, true, (int64_t[]){2, 3, 1, 0, 3, 2}, 6, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_out_of_range),       cmocka_unit_test(counts_that_do_not_add_up),
        cmocka_unit_test(weights_out_of_range),        cmocka_unit_test(scales_out_of_range),
        cmocka_unit_test(factors_out_of_range),        cmocka_unit_test(coefficients_out_of_order),
        cmocka_unit_test(sums_that_do_not_agree),      cmocka_unit_test(biases_of_nobody),
        cmocka_unit_test(hybrids_out_of_range),        cmocka_unit_test(events_in_the_wrong_order),
        cmocka_unit_test(events_of_ids_without_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
