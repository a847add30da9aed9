/* SPDX-License-Identifier: MIT
 * Streams whose events have a context, and models that remember of which fields. */
#define _POSIX_C_SOURCE 200809L

#include "base/digest.h"
#include "io/stream/stream.h"
#include "unit/test_io_support.h"
#include "weft_files.h"

#include <stdlib.h>

enum { TOLD = 400 };

static const weft_context_fields both = {.count = 2, .name = {"device", "hour"}};

/* What a digest of field k stands for, of the words that the tests use; "-" for nothing known. */
static const char *word_of(int64_t k, uint64_t digest)
{
    static const char *const words[] = {"phone", "desk", "7", "07", "1.50", "true", "a,b", "null"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (weft_context_digest(both.name[k], words[w]) == digest)
            return words[w];
    return digest == 0 ? "-" : "?";
}

static weft_status tell(const char *path, const weft_stream_options *how, const weft_memory *memory,
                        char told[TOLD], weft_error *error)
{
    const weft_file_options options = {.memory = memory};
    weft_stream *stream = NULL;
    weft_event e = {0};
    bool more = true;
    told[0] = 0;
    weft_status status = weft_stream_open_with(how, &path, 1, &options, &stream, error);
    if (status == WEFT_OK)
        status = weft_stream_set_context(stream, &both, error);
    while (status == WEFT_OK && more) {
        status = weft_stream_next(stream, &e, &more, error);
        size_t length = strlen(told);
        if (status == WEFT_OK && more)
            snprintf(told + length, TOLD - length, "%s %s %d %s %s; ", e.row, e.column, e.label,
                     word_of(0, e.context[0]), word_of(1, e.context[1]));
        assert_true(status != WEFT_OK || !more || (e.context_count == 2 && e.context[2] == 0));
    }
    size_t length = strlen(told);
    if (status == WEFT_OK)
        snprintf(told + length, TOLD - length, "%d, %d", (int)weft_stream_context_values(stream, 0),
                 (int)weft_stream_context_values(stream, 1));
    weft_stream_free(stream);
    return status;
}

/* And whichever allocation is refused, nothing leaks. */
static void assert_tells(const char *text, const weft_stream_options *how, const char *expected)
{
    test_file file = file_of(text);
    weft_error error = {0};
    char told[TOLD];
    weft_status status = tell(file.path, how, NULL, told, &error);
    for (int64_t k = 0; status == WEFT_OK; k++) {
        char again[TOLD];
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft_status found = tell(file.path, how, &memory, again, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        assert_int_equal(found, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            break;
    }
    unlink(file.path);
    const char *found = status == WEFT_OK ? told : message_without(&error, file.path);
    if (strcmp(found, expected) != 0)
        fail_msg("of '%s' is told '%s', expected '%s'", text, found, expected);
}

static const weft_stream_options plain = {.kind = WEFT_LABELLED}, pairs = {.kind = WEFT_PAIRS};

static void values_are_read(void **state)
{
    assert_tells("row,column,hour,label,device\na,x,7,1,phone\nb,x,07,0,desk\nb,y,,1,phone\na,y,7,1\n",
                 &plain, "a x 1 phone 7; b x -1 desk 07; b y 1 phone -; a y 1 - 7; 2, 2");
    assert_tells("row\tcolumn\thour\tdevice\na\tx\t1.50\t\"a,b\"\n", &pairs, "a x 0 a,b 1.50; 1, 1");
    assert_tells("{\"row\":\"a\",\"column\":\"x\",\"label\":1,\"hour\":1.50,\"device\":\"phone\"}\n"
                 "{\"hour\":true,\"row\":\"b\",\"column\":2,\"label\":0,\"device\":null}\n"
                 "{\"row\":\"b\",\"column\":2,\"hour\":\"null\"}\n",
                 &plain, "a x 1 phone 1.50; b 2 -1 - true; b 2 0 - null; 1, 3");
    assert_tells("{\"row\":\"a\",\"column\":\"x\",\"label\":1}\n", &plain, "a x 1 - -; 0, 0");
}

/* A usual name of a time or an id is a context where it is named so; one that was asked for is not. */
static void names_that_are_taken(void **state)
{
    static const weft_stream_options by_row = {.fields = {[WEFT_FIELD_ROW] = "who"}};
    assert_tells("who,column,label,device,hour\na,x,1,desk,7\n", &by_row, "a x 1 desk 7; 1, 1");
    assert_tells(
        "device,column,label,hour\na,x,1,7\n", &plain,
        "F:1: found a header without a clear row: 'device', 'column', 'label', 'hour', expected names "
        "that tell row, column, label");
}

/* One field, the first event of a text: its digest, or the message. */
static void assert_field(const char *text, const char *field, const char *value, const char *message)
{
    test_file file = file_of(text);
    const char *path = file.path;
    weft_context_fields fields = {.count = 1};
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_error error = {0};
    bool more = true;
    snprintf(fields.name[0], sizeof fields.name[0], "%s", field);
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_set_context(stream, &fields, NULL), WEFT_OK);
    weft_status status = weft_stream_next(stream, &event, &more, &error);
    assert_int_equal(status, message != NULL ? WEFT_INPUT : WEFT_OK);
    if (message != NULL)
        assert_string_equal(message_without(&error, file.path), message);
    else
        assert_true(event.context[0] == weft_context_digest(field, value));
    assert_int_equal(weft_stream_report(stream).timed, 0);
    weft_stream_free(stream);
    unlink(file.path);
}

static void usual_names(void **state)
{
    assert_field("user,item,clicked\na,x,1\n", "user", NULL,
                 "F:1:1: found 'user', which is the row, as context, expected a field beside it: 'user', "
                 "'item', 'clicked'");
    assert_field("{\"row\":1,\"column\":2,\"label\":1}\n", "label", NULL,
                 "F:1:29: found 'label', which is the label, as context, expected a field beside it: 'row', "
                 "'column', 'label'");
    assert_field("row,column,label,date\na,x,1,monday\n", "date", "monday", NULL);
    assert_field("{\"row\":1,\"column\":2,\"label\":1,\"id\":3}\n", "id", "3", NULL);
}

static void what_is_wrong_is_told(void **state)
{
    assert_tells("a,x,1\nb,y,0\n", &plain,
                 "F:1: found 'a', 'x', '1' in the first line, expected a header that names row, column and "
                 "'device': without one no field is known as context");
    assert_tells("row,column,label,hour\na,x,1,7\n", &plain,
                 "F:1: found 'row', 'column', 'label', 'hour' in the first line, expected a header with "
                 "'device', of the context");
    assert_tells("row,column,label,hour,device,hour\na,x,1,7,desk,7\n", &plain,
                 "F:1:30: found 'hour' twice in the header, expected it once");
    assert_tells("{\"row\":\"a\",\"column\":\"x\",\"hour\":1,\"hour\":2}\n", &plain,
                 "F:1:41: found 'hour' twice in an object, expected it once");
    assert_tells("{\"row\":\"a\",\"column\":\"x\",\"device\":{\"os\":1}}\n", &plain,
                 "F:1:34: found an object or a list as 'device', of the context, expected a single value");
}

static void fields_are_refused(void **state)
{
    test_file file = file_of("row,column,label\na,x,1\n");
    const char *path = file.path;
    weft_stream *stream = NULL;
    weft_event event = {0};
    weft_error error = {0};
    bool more = true;
    weft_stream_options how = {.fields = {[WEFT_FIELD_TIME] = "hour"}};
    assert_int_equal(weft_stream_open_with(&how, &path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_set_context(stream, &both, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "the field 'hour' is the time, and cannot be context too");
    assert_int_equal(weft_stream_context(stream).count, 0);
    weft_stream_free(stream);
    for (int kind = WEFT_COUNTS; kind <= WEFT_IDS; kind++) {
        assert_int_equal(weft_stream_open_as((weft_stream_kind)kind, &path, 1, NULL, &stream, NULL), WEFT_OK);
        assert_int_equal(weft_stream_set_context(stream, &both, NULL), WEFT_ARGUMENT);
        weft_stream_free(stream);
    }
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_set_context(stream, &(weft_context_fields){.count = 9}, NULL),
                     WEFT_ARGUMENT);
    assert_int_equal(weft_stream_set_context(NULL, &both, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_set_context(stream, NULL, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
    assert_int_equal(event.context_count, 0);
    assert_int_equal(weft_stream_set_context(stream, &both, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "the stream has begun: its context is set before");
    assert_int_equal(weft_stream_context(NULL).count, 0);
    assert_int_equal(weft_stream_context_values(NULL, 0), 0);
    assert_int_equal(weft_stream_context_values(stream, 0), 0);
    weft_stream_free(stream);
    unlink(file.path);
}

/* A thousand values and more, each twice. */
static void values_are_counted_once(void **state)
{
    enum { VALUES = 1500 };
    static char text[40 * VALUES];
    size_t used = (size_t)snprintf(text, sizeof text, "row,column,label,device,hour\n");
    for (int k = 0; k < 2 * VALUES; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "a,x,1,%d,\n", k % VALUES);
    test_file file = file_of(text);
    char told[TOLD];
    const char *path = file.path;
    weft_stream *stream = NULL;
    weft_event event = {0};
    bool more = true;
    (void)told;
    assert_int_equal(weft_stream_open(&path, 1, NULL, &stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_set_context(stream, &both, NULL), WEFT_OK);
    while (more)
        assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
    assert_int_equal(weft_stream_context_values(stream, 0), VALUES);
    assert_int_equal(weft_stream_context_values(stream, 1), 0);
    assert_int_equal(weft_stream_context_values(stream, 2), 0);
    assert_int_equal(weft_stream_contexts(stream), VALUES + (VALUES + 1));
    stream->contexts.values[1].count = 2;
    assert_int_equal(weft_stream_contexts(stream), VALUES + 2 + 3 * (VALUES + 1));
    stream->contexts.fields.count = 1;
    assert_int_equal(weft_stream_contexts(stream), VALUES);
    stream->contexts.values[0].count = WEFT_STREAM_VALUES;
    assert_int_equal(weft_stream_contexts(stream), 0);
    assert_int_equal(weft_stream_contexts(NULL), 0);
    weft_stream_free(stream);
    unlink(file.path);
}

/* ---- Models ---- */

static weft_player *player_of(void)
{
    weft_roster *rows = NULL, *columns = NULL;
    weft_player *player = NULL;
    assert_int_equal(weft_roster_from_names(5, NULL, NULL, &rows, NULL), WEFT_OK);
    assert_int_equal(weft_roster_from_names(5, NULL, NULL, &columns, NULL), WEFT_OK);
    assert_int_equal(weft_player_create(rows, columns, NULL, &player, NULL), WEFT_OK);
    return player;
}

static unsigned char *bytes_of(const weft_player *player, size_t *size)
{
    *size = 0;
    assert_int_equal(weft_player_to_bytes(player, NULL, size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_to_bytes(player, bytes, size, NULL), WEFT_OK);
    return bytes;
}

static void a_model_remembers_the_fields(void **state)
{
    enum { VERSION_AT = 8 };
    weft_player *player = player_of(), *opened = NULL, *copy = NULL;
    uint64_t plain_sum[2], sum[2];
    size_t size = 0;
    unsigned char *bytes = bytes_of(player, &size);
    assert_int_equal(bytes[VERSION_AT], 2);
    free(bytes);
    assert_int_equal(weft_player_digest(player, plain_sum, NULL), WEFT_OK);
    assert_int_equal(weft_player_set_context_fields(player, &both, NULL), WEFT_OK);
    assert_int_equal(weft_player_digest(player, sum, NULL), WEFT_OK);
    assert_true(sum[0] != plain_sum[0]);
    bytes = bytes_of(player, &size);
    assert_int_equal(bytes[VERSION_AT], 4);
    assert_int_equal(weft_player_from_bytes(bytes, size, NULL, &opened, NULL), WEFT_OK);
    assert_int_equal(weft_player_clone(opened, &copy, NULL), WEFT_OK);
    weft_context_fields found = weft_player_context_fields(opened), again = weft_player_context_fields(copy);
    assert_memory_equal(&found, &both, sizeof both);
    assert_memory_equal(&again, &both, sizeof both);
    weft_player *other = player_of();
    weft_error error = {0};
    assert_int_equal(weft_player_merge(player, other, &error), WEFT_ARGUMENT);
    assert_string_equal(error.message, "the contexts of the events have other fields");
    assert_int_equal(weft_player_merge(player, copy, NULL), WEFT_OK);
    weft_player_free(other);
    weft_player_free(copy);
    weft_player_free(opened);
    weft_player_free(player);
    free(bytes);
}

/* Signed again, so that it is the reader that notices. */
static weft_status open_changed(unsigned char *bytes, size_t size, size_t at, unsigned char value)
{
    enum { CHECKSUM = 16 };
    unsigned char kept = bytes[at];
    weft_player *player = NULL;
    bytes[at] = value;
    weft__digest sum = weft__digest_of(bytes, size - CHECKSUM);
    weft__encoder w = {bytes + size - CHECKSUM, 0};
    weft__put_digest(&w, sum);
    weft_status status = weft_player_from_bytes(bytes, size, NULL, &player, NULL);
    weft_player_free(player);
    bytes[at] = kept;
    return status;
}

static void a_damaged_model_is_told(void **state)
{
    /* Behind eight fields, what is drawn; then how many, and of each the length and the name. */
    enum { DRAWN = 64, COUNT = 88, LENGTH = 96, NAME = 104, SECOND = 110, SECOND_NAME = 118 };
    weft_player *player = player_of();
    weft_context_fields fields = {.count = 2, .name = {"device", "devise"}};
    size_t size = 0;
    assert_int_equal(weft_player_set_context_fields(player, &fields, NULL), WEFT_OK);
    unsigned char *bytes = bytes_of(player, &size);
    assert_int_equal(open_changed(bytes, size, NAME, 'd'), WEFT_OK);
    const struct {
        size_t at;
        unsigned char value;
    } changes[] = {{DRAWN + 8, 1}, {DRAWN + 16, 1},        {COUNT, 0},       {COUNT, 9},    {LENGTH, 0},
                   {LENGTH, 64},   {SECOND_NAME + 4, 'c'}, {SECOND_NAME, 0}, {SECOND, 200}, {DRAWN + 1, 255}};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        assert_int_equal(open_changed(bytes, size, changes[k].at, changes[k].value), WEFT_MODEL);
    free(bytes);
    weft_player_free(player);
}

static void who_knows_no_names_has_no_fields(void **state)
{
    weft_side *side = NULL;
    weft_player *rival = NULL;
    assert_int_equal(weft_side_none(3, NULL, &side, NULL), WEFT_OK);
    weft_rival_settings settings = {.kind = WEFT_RIVAL_CROSSED};
    assert_int_equal(weft_rival_create(side, NULL, &settings, NULL, &rival, NULL), WEFT_OK);
    assert_int_equal(weft_player_set_context_fields(rival, &both, NULL), WEFT_UNSUPPORTED);
    assert_int_equal(weft_player_set_context_fields(NULL, &both, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_player_context_fields(rival).count, 0);
    weft_player *player = player_of();
    assert_int_equal(weft_player_set_context_fields(player, &(weft_context_fields){.count = 1}, NULL),
                     WEFT_ARGUMENT);
    assert_int_equal(weft_player_set_context_fields(player, NULL, NULL), WEFT_ARGUMENT);
    weft_player_free(player);
    weft_player_free(rival);
    weft_side_free(side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(names_that_are_taken),
        cmocka_unit_test(usual_names),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(fields_are_refused),
        cmocka_unit_test(values_are_counted_once),
        cmocka_unit_test(a_model_remembers_the_fields),
        cmocka_unit_test(a_damaged_model_is_told),
        cmocka_unit_test(who_knows_no_names_has_no_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
