/* SPDX-License-Identifier: MIT
 * What was settled of side information, as bytes and back, and what is not taken for it. */
#include "support/test.h"

#include "io/roster/growth/settled.h"
#include "support/alloc.h"

enum { LISTED = 3, IDS = 5, ROOM = 1024 };

static int64_t number[LISTED], community[LISTED];
static uint64_t said[LISTED];
static weft__settled_edge edge[2];
static char *column[2];

/* Three ids of a graph with weights, the second of which is number 4 of five; and two names of columns. */
static weft__settled sample(void)
{
    memcpy(number, (int64_t[]){0, 4, 2}, sizeof number);
    memcpy(community, (int64_t[]){1, 0, 1}, sizeof community);
    memcpy(said, (uint64_t[]){7, UINT64_MAX, 0}, sizeof said);
    edge[0] = (weft__settled_edge){0, 1, 1};
    edge[1] = (weft__settled_edge){1, 2, 2.5};
    column[0] = "age";
    column[1] = "";
    return (weft__settled){.memory = weft__memory_or_default(NULL),
                           .known = true,
                           .moved = true,
                           .first = 2,
                           .listed = LISTED,
                           .number = number,
                           .said = said,
                           .edge = edge,
                           .edges = 2,
                           .radius = 1.5,
                           .spread = 0.5,
                           .graph_kernel = WEFT_NO_KERNEL,
                           .dimension = 2,
                           .column = column,
                           .columns = 2,
                           .view = {WEFT_VIEW_NONE, WEFT_VIEW_COMMUNITIES},
                           .views = 2,
                           .community = community};
}

static size_t bytes_of(const weft__settled *settled, unsigned char bytes[ROOM])
{
    weft__encoder counter = {NULL, 0}, writer = {bytes, 0};
    weft__settled_write(settled, &counter);
    assert_true(counter.size <= ROOM);
    weft__settled_write(settled, &writer);
    assert_int_equal(writer.size, counter.size);
    return writer.size;
}

static weft_status read_again(const unsigned char *bytes, size_t size, weft__settled *read, weft_error *error)
{
    const weft_memory memory = weft__memory_or_default(NULL);
    weft__decoder reader = {bytes, size, false};
    weft_status status = weft__settled_read(read, IDS, &memory, &reader, error);
    if (status == WEFT_OK)
        assert_int_equal(reader.left, 0);
    return status;
}

static void assert_same_bytes(const weft__settled *settled)
{
    unsigned char one[ROOM], two[ROOM];
    size_t size = bytes_of(settled, one);
    weft__settled read = {0}, copy = {0};
    assert_int_equal(read_again(one, size, &read, NULL), WEFT_OK);
    assert_int_equal(bytes_of(&read, two), size);
    assert_memory_equal(one, two, size);
    assert_int_equal(weft__settled_copy(&read, &copy, NULL), WEFT_OK);
    weft__settled_free(&read);
    assert_int_equal(bytes_of(&copy, two), size);
    assert_memory_equal(one, two, size);
    weft__settled_free(&copy);
}

static void there_and_back(void **state)
{
    weft__settled settled = sample();
    assert_same_bytes(&settled);
    assert_true(weft__settled_has_view(&settled, WEFT_VIEW_COMMUNITIES));
    assert_false(weft__settled_has_view(&settled, WEFT_VIEW_PART));
    assert_int_equal(weft__settled_number(&settled, 1), 4);
    settled.edge = NULL;
    settled.edges = settled.columns = 0;
    settled.column = NULL;
    assert_same_bytes(&settled);
    /* Edges of weight 1 are written without. */
    settled = sample();
    size_t with_weights = bytes_of(&settled, (unsigned char[ROOM]){0});
    edge[1].weight = 1;
    assert_int_equal(bytes_of(&settled, (unsigned char[ROOM]){0}), with_weights - 16);
    assert_same_bytes(&settled);
    settled.moved = false;
    settled.number = NULL;
    assert_int_equal(weft__settled_number(&settled, 1), 1);
    assert_same_bytes(&settled);
    settled = (weft__settled){.memory = settled.memory};
    assert_int_equal(bytes_of(&settled, (unsigned char[ROOM]){0}), 8);
    assert_same_bytes(&settled);
}

/* ---- Of several kinds ---- */

/* The whole, and behind it two parts with the numbers of the whole. */
static size_t bytes_of_parts(weft__settled *whole, const weft__settled *part, bool numbered,
                             unsigned char bytes[2 * ROOM])
{
    static const int64_t numbers[LISTED] = {3, 1, 0};
    weft__encoder writer = {bytes, 0};
    weft__settled_write(whole, &writer);
    weft__settled_write_part(part, numbers, &writer);
    weft__settled_write_part(part, numbered ? numbers : NULL, &writer);
    return writer.size;
}

static weft_status read_parts(const unsigned char *bytes, size_t size, weft__settled *read, weft_error *error)
{
    const weft_memory memory = weft__memory_or_default(NULL);
    weft__decoder reader = {bytes, size, false};
    weft_status status = weft__settled_read(read, IDS, &memory, &reader, error);
    return status != WEFT_OK ? status : weft__settled_read_parts(read, 2, IDS, &reader, error);
}

static void parts_there_and_back(void **state)
{
    unsigned char bytes[2 * ROOM];
    weft__settled whole = sample(), part = sample(), read = {0};
    part.moved = false;
    part.number = NULL;
    size_t size = bytes_of_parts(&whole, &part, true, bytes);
    assert_int_equal(read_parts(bytes, size, &read, NULL), WEFT_OK);
    assert_int_equal(read.parts, 2);
    assert_int_equal(read.part[1].number[0], 3);
    assert_int_equal(read.part[0].edges, 2);
    weft__settled_free(&read);
    /* What is not known of all is of no part. */
    whole.known = false;
    size = bytes_of_parts(&whole, &part, true, bytes);
    assert_int_equal(read_parts(bytes, size, &read, NULL), WEFT_OK);
    assert_true(read.parts == 0 && read.part == NULL);
    weft__settled_free(&read);
    whole = sample();
    size = bytes_of_parts(&whole, &part, false, bytes);
    assert_int_equal(read_parts(bytes, size, &read, NULL), WEFT_MODEL);
    weft__settled_free(&read);
    part.known = false;
    size = bytes_of_parts(&whole, &part, true, bytes);
    assert_int_equal(read_parts(bytes, size, &read, NULL), WEFT_MODEL);
    weft__settled_free(&read);
}

/* ---- What is never written ---- */

static void assert_damaged(const weft__settled *settled, int line)
{
    unsigned char bytes[ROOM];
    size_t size = bytes_of(settled, bytes);
    weft__settled read = {0};
    weft_error error = {0};
    weft_status status = read_again(bytes, size, &read, &error);
    weft__settled_free(&read);
    if (status != WEFT_MODEL ||
        strstr(error.message, "settled of its side information is out of range") == NULL)
        fail_msg("line %d: status %d, %s", line, (int)status, error.message);
}

/* The sample but for one thing that is out of range. */
#define DAMAGED(change)                     \
    do {                                    \
        weft__settled settled = sample();   \
        change;                             \
        assert_damaged(&settled, __LINE__); \
    } while (0)

static void counts_out_of_range(void **state)
{
    DAMAGED(settled.first = 0);
    DAMAGED(settled.first = LISTED + 1);
    DAMAGED(settled.moved = false); /* which leaves numbers as they are */
    DAMAGED(settled.radius = 0);
    DAMAGED(settled.radius = INFINITY);
    DAMAGED(settled.radius = NAN);
    DAMAGED(settled.spread = -1);
    DAMAGED(settled.spread = INFINITY);
    DAMAGED(settled.dimension = -1);
    DAMAGED(settled.graph_kernel = WEFT_NO_KERNEL + 1);
    DAMAGED(settled.view[1] = WEFT_VIEW_PART + 1);
    DAMAGED(settled.view[0] = -1);
}

static void lists_out_of_range(void **state)
{
    DAMAGED(number[0] = 2); /* twice */
    DAMAGED(number[1] = IDS);
    DAMAGED(number[2] = -1);
    DAMAGED(community[0] = LISTED);
    DAMAGED(community[1] = -1);
    DAMAGED(edge[0].from = 2); /* the larger first */
    DAMAGED(edge[1].to = LISTED);
    DAMAGED(edge[1].weight = 0);
    DAMAGED(edge[0].weight = -2);
    DAMAGED(edge[1].weight = INFINITY);
    DAMAGED(edge[1].weight = NAN);
}

/* Places of a number in the bytes of the sample, each of 8. */
enum { KNOWN = 0, MOVED = 1, FIRST = 2, COUNT = 3, HAS_NUMBER = 4, HAS_SAID = 8, EDGES = 12, WEIGHTS = 13 };

static void replaced(size_t place, int64_t value, int line)
{
    unsigned char bytes[ROOM];
    weft__settled settled = sample(), read = {0};
    weft_error error = {0};
    size_t size = bytes_of(&settled, bytes);
    weft__encoder writer = {bytes + 8 * place, 0};
    weft__put_integer(&writer, value);
    weft_status status = read_again(bytes, size, &read, &error);
    weft__settled_free(&read);
    if (status != WEFT_MODEL || strstr(error.message, "out of range") == NULL)
        fail_msg("line %d: status %d, %s", line, (int)status, error.message);
}

/* Counts beyond what is left are refused before memory is asked for them. */
static void counts_beyond_the_bytes(void **state)
{
    replaced(KNOWN, 2, __LINE__);
    replaced(MOVED, -1, __LINE__);
    replaced(FIRST, -1, __LINE__);
    replaced(COUNT, IDS + 1, __LINE__);
    replaced(HAS_NUMBER, 2, __LINE__);
    replaced(HAS_SAID, 7, __LINE__);
    replaced(EDGES, -1, __LINE__);
    replaced(EDGES, INT64_C(1) << 60, __LINE__);
    replaced(WEIGHTS, 3, __LINE__);
    weft__settled settled = sample();
    unsigned char bytes[ROOM];
    size_t end = bytes_of(&settled, bytes);
    /* Behind the edges, their weights, and four numbers stand the names of the columns. */
    size_t names = (WEIGHTS + 1 + 4 + 4);
    replaced(names, -1, __LINE__);
    replaced(names, INT64_C(1) << 50, __LINE__);
    replaced(names + 1, -1, __LINE__);
    replaced(names + 1, (int64_t)end, __LINE__);
    column[0] = "a\1e";
    end = bytes_of(&settled, bytes);
    unsigned char *inside = memchr(bytes + 1, 1, end - 1);
    for (; inside != NULL && !(inside[-1] == 'a' && inside[1] == 'e');)
        inside = memchr(inside + 1, 1, end - (size_t)(inside + 1 - bytes));
    assert_non_null(inside);
    *inside = 0; /* names end where they say */
    weft__settled read = {0};
    assert_int_equal(read_again(bytes, end, &read, NULL), WEFT_MODEL);
    weft__settled_free(&read);
}

static void cut_anywhere(void **state)
{
    unsigned char bytes[ROOM];
    weft__settled settled = sample();
    size_t size = bytes_of(&settled, bytes);
    for (size_t left = 0; left < size; left++) {
        weft__settled read = {0};
        assert_int_equal(read_again(bytes, left, &read, NULL), WEFT_MODEL);
        weft__settled_free(&read);
    }
}

/* ---- Memory ---- */

static void memory_is_refused(void **state)
{
    unsigned char bytes[ROOM];
    weft__settled settled = sample();
    size_t size = bytes_of(&settled, bytes);
    bool done = false;
    for (int64_t k = 0; !done; k++) {
        test_alloc alloc;
        const weft_memory memory = test_alloc_begin(&alloc, k);
        weft__decoder reader = {bytes, size, false};
        weft__settled read = {0}, copy = {0};
        weft_status status = weft__settled_read(&read, IDS, &memory, &reader, NULL);
        if (status == WEFT_OK)
            status = weft__settled_copy(&read, &copy, NULL);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        done = !alloc.failed;
        weft__settled_free(&copy);
        weft__settled_free(&read);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),          cmocka_unit_test(parts_there_and_back),
        cmocka_unit_test(counts_out_of_range),     cmocka_unit_test(lists_out_of_range),
        cmocka_unit_test(counts_beyond_the_bytes), cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
