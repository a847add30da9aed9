/* SPDX-License-Identifier: MIT
 * Labels in the words of a stream, ratings, and fields by their names. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit/test_stream_support.h"

#define KNOWN "-1, 0, 1, true, false, yes, no, y, n or nothing"

static const weft_stream_options plain = {.kind = WEFT_LABELLED};

static void words_of_two(void **state)
{
    static const struct {
        const char *positive, *negative;
    } pairs[] = {{"1", "0"},         {"1", "-1"},       {"+1", "-1"},   {"1.0", "0.0"},
                 {"true", "false"},  {"TRUE", "FALSE"}, {"yes", "no"},  {"Y", "N"},
                 {" yes ", "  no "}, {"True", "False"}, {"1e0", "-1.0"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char text[100];
        snprintf(text, sizeof text, "a,x,%s\nb,y,%s\nc,y,%s\nd,y,\n", pairs[k].positive, pairs[k].negative,
                 pairs[k].positive);
        assert_told(text, &plain, "a x 1; b y -1; c y 1; d y 0; ");
        snprintf(text, sizeof text, "b,y,%s\na,x,%s\n", pairs[k].negative, pairs[k].positive);
        assert_told(text, &plain, "b y -1; a x 1; ");
    }
}

/* The words as the stream writes them, after its last line: -1, then +1. */
static void assert_words(const char *text, const weft_stream_options *how, const char *negative,
                         const char *positive)
{
    test_file file = file_of(text);
    const char *path = file.path;
    weft_stream *stream = NULL;
    weft_event event;
    bool more = true;
    assert_int_equal(weft_stream_open_with(how, &path, 1, NULL, &stream, NULL), WEFT_OK);
    while (more)
        assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
    weft_stream_facts facts = weft_stream_report(stream);
    assert_true((facts.words[0] == NULL) == (negative == NULL));
    assert_true((facts.words[1] == NULL) == (positive == NULL));
    if (negative != NULL)
        assert_string_equal(facts.words[0], negative);
    if (positive != NULL)
        assert_string_equal(facts.words[1], positive);
    assert_int_equal(weft_stream_rewind(stream, NULL), WEFT_OK);
    assert_int_equal(weft_stream_next(stream, &event, &more, NULL), WEFT_OK);
    weft_stream_free(stream);
    unlink(file.path);
}

static void words_are_given_back(void **state)
{
    const weft_stream_options own = {.positive = "Buy"};
    assert_words("a,x,1\nb,x,0\n", &plain, NULL, NULL);
    assert_words("a,x,true\n", &plain, "false", "true");
    assert_words("a,x,NO\n", &plain, "NO", "YES");
    assert_words("a,x,Yes\n", &plain, "No", "Yes");
    assert_words("a,x,N\n", &plain, "N", "Y");
    assert_words("a,x,y\n", &plain, "n", "y");
    assert_words("row,column,label\na,x,buy\nb,x, skip \nc,x,SKIP\n", &own, "skip", "Buy");
    assert_words("row,column,label\na,x,buy\n", &own, NULL, "Buy");
}

static void labels_of_two_pairs(void **state)
{
    static const struct {
        const char *text, *told;
    } mixed[] = {
        {"a,x,1\nb,x,true\n",
         "a x 1; ! F:2:5: found label 'true', but since line 1 of F labels are -1/1 or 0/1"},
        {"a,x,true\nb,x,1\n", "a x 1; ! F:2:5: found label '1', but since line 1 of F labels are true/false"},
        {"a,x,yes\nb,x,n\n", "a x 1; ! F:2:5: found label 'n', but since line 1 of F labels are yes/no"},
        {"a,x,n\nb,x,no\n", "a x -1; ! F:2:5: found label 'no', but since line 1 of F labels are y/n"},
        {"a,x,0\nb,x,-1\n", "a x -1; ! F:2:5: found label '-1', but since line 1 of F labels are 0/1"},
        {"a,x,1\nb,x,-1\nc,x,0\n",
         "a x 1; b x -1; ! F:3:5: found label '0', but since line 2 of F labels are -1/1"},
        {"a,x,1\nb,x,2\n", "a x 1; ! F:2:5: found '2', expected a label: " KNOWN},
        {"a,x,1\nb,x,buy\nc,x,buy\nd,x,\ne,x,1\n",
         "a x 1; ! F:2:5: found the words 'buy' and '1', expected labels: " KNOWN},
        {"a,x,1\nb,x,1 1\n", "a x 1; ! F:2:5: found '1 1', expected a label: " KNOWN},
        {"user,item,what\na,x,buy\nb,x,skip\nc,x,buy\nd\n",
         "! F:2:5: found the words 'buy' and 'skip', expected labels: " KNOWN},
    };
    for (size_t k = 0; k < sizeof mixed / sizeof *mixed; k++)
        assert_told(mixed[k].text, &plain, mixed[k].told);
}

/* What an error asks the caller for. */
static void assert_need(const char *text, weft_stream_need need)
{
    char told[TOLD_BYTES];
    weft_stream_facts facts;
    tell_text(text, &plain, told, &facts);
    assert_int_equal(facts.need, need);
}

static void errors_say_what_they_need(void **state)
{
    assert_need("a,x,1\nb,x,2\n", WEFT_NEEDS_THRESHOLD);
    assert_need("a,x,1\nb,x,buy\n", WEFT_NEEDS_POSITIVE);
    assert_need("a,x,2\nb,x,3\n", WEFT_NEEDS_LABELS);
    assert_need("user,customer,item,clicked\n", WEFT_NEEDS_FIELDS);
    assert_need("user,a,b,clicked\n", WEFT_NEEDS_FIELDS);
    assert_need("a,x,1\n,x,1\n", WEFT_NEEDS_NOTHING);
}

static void words_of_ones_own(void **state)
{
    const weft_stream_options own = {.positive = "click"};
    assert_told("user,item,action\na,x,click\nb,y,skip\nc,y, CLICK\nd,y,\ne,y,Skip\n", &own,
                "a x 1; b y -1; c y 1; d y 0; e y -1; ");
    assert_told("user,item,action\nb,y,skip\na,x,buy\n", &own,
                "b y -1; ! F:3:5: found a third word 'buy', expected 'click' or 'skip' as label");
}

static void ratings(void **state)
{
    const weft_stream_options rated = {.rated = true, .threshold = 4};
    assert_told("userId,movieId,rating\n1,31,2.5\n1,10,4\n2,10,4.5\n2,31,\n", &rated,
                "1 31 -1; 1 10 1; 2 10 1; 2 31 0; ");
    assert_told("1,31,2.5\n1,10,5\n", &rated, "1 31 -1; 1 10 1; ");
    assert_told("1,31,2.5\n1,10,good\n", &rated, "1 31 -1; ! F:2:6: found 'good', expected a finite number");
    assert_told(
        "a,b,good\n", &rated,
        "! F:1: found 'a', 'b', 'good' in the first line, expected a label as third field, or a header "
        "that names row, column, label");
}

static void fields_by_name(void **state)
{
    const weft_stream_options asked = {.fields = {"who", "what", "did", NULL, "event"}};
    const weft_stream_options pairs = {.kind = WEFT_PAIRS}, counts = {.kind = WEFT_COUNTS};
    const weft_stream_options one = {.kind = WEFT_PAIRS, .fields = {"who"}};
    assert_told("ts,user_id,clicked,item_id\n7,a,1,x\n", &plain, "a x 1; ");
    assert_told("Customer,Product ID,bought\na,x,yes\n", &plain, "a x 1; ");
    assert_told("label,thing,row\n1,x,a\n", &plain, "a x 1; ");
    assert_told("event_id,user,item,clicked\n5,a,x,1\n,a,y,0\n", &plain, "a x 1 (5); a y -1; ");
    assert_told("event,who,more,what,did\n5,a,m,x,1\n", &asked, "a x 1 (5); ");
    assert_told(
        "who,what,did\na,x,1\n", &asked,
        "! F:1: found 'who', 'what', 'did' in the first line, expected a header with 'event', the id");
    assert_told("when,item_id,customer\n7,x,a\n", &pairs, "a x 0; ");
    assert_told("a,x\nb,y,more\n", &pairs, "a x 0; b y 0; ");
    assert_told("who,what\na,x\n", &one, "a x 0; ");
    assert_told("whom,what\na,x\n", &one,
                "! F:1: found 'whom', 'what' in the first line, expected a header with 'who', the row");
    assert_told("row,column,count\na,x,3\nb,x,-2\n", &counts, "a x 0 x3; b x 0 x-2; ");
    assert_told("a,x,3\nb,x,much\n", &counts,
                "a x 0 x3; ! F:2:5: found 'much', expected a count: a whole number from -2^53 to 2^53");
    assert_told(
        "a,x,much\n", &counts,
        "! F:1: found 'a', 'x', 'much' in the first line, expected a count as third field, or a header "
        "that names row, column, count");
    assert_told("a x\nb y 1\n", &plain, "a x 0; b y 1; ");
    assert_told("user,uid,item,clicked,when,ts\na,b,x,1,2,3\n", &plain,
                "! F:1:6: found 'user' and 'uid', of which each may be the row, expected one of them");
    assert_told("user,item,clicked,when,ts\na,x,1,2,3\n", &plain, "a x 1; ");
}

static void what_is_asked_of_a_stream(void **state)
{
    const char *path = "/no/such/file";
    char word[WEFT_LABEL_LIMIT + 1] = "";
    memset(word, 'w', WEFT_LABEL_LIMIT);
    const weft_stream_options both = {.positive = "a", .rated = true}, wild = {.kind = (weft_stream_kind)9};
    const weft_stream_options none[] = {
        {.positive = ""}, {.positive = word}, {.rated = true, .threshold = INFINITY}};
    weft_stream *stream = NULL;
    weft_event event;
    bool more = true;
    assert_int_equal(weft_stream_open_with(&both, &path, 1, NULL, &stream, NULL), WEFT_ARGUMENT);
    for (int k = 0; k < 3; k++)
        assert_int_equal(weft_stream_open_with(&none[k], &path, 1, NULL, &stream, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_open_with(&wild, &path, 1, NULL, &stream, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_open_with(&plain, &path, 0, NULL, &stream, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_open_with(&plain, &path, 1, NULL, &stream, NULL), WEFT_FILE);
    path = "/";
    assert_int_equal(weft_stream_open_with(&plain, &path, 1, NULL, &stream, NULL), WEFT_FILE);
    path = NULL;
    assert_int_equal(weft_stream_open_with(&plain, &path, 1, NULL, &stream, NULL), WEFT_ARGUMENT);
    assert_null(stream);
    assert_int_equal(weft_stream_next(NULL, &event, &more, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_rewind(NULL, NULL), WEFT_ARGUMENT);
    assert_int_equal(weft_stream_language(NULL).labels, WEFT_LABELS_UNKNOWN);
    assert_false(weft_stream_report(NULL).named || weft_stream_ready(NULL) || weft_stream_seekable(NULL));
    assert_int_equal(weft_stream_expect(NULL, &(weft_language){0}, NULL), WEFT_ARGUMENT);
}

/* What a model remembers, and what is asked of the stream that continues it. */
static void languages_go_on(void **state)
{
    static const weft_language aye = {.labels = WEFT_LABELS_WORDS, .positive = "aye", .negative = "nay"};
    static const weft_language four = {.labels = WEFT_LABELS_RATINGS, .threshold = 4};
    static const weft_language yes = {.labels = WEFT_LABELS_YES}, unknown = {.labels = WEFT_LABELS_UNKNOWN};
    static const struct {
        const weft_language *earlier;
        weft_stream_options how;
        const char *content, *told; /* NULL: the options contradict */
    } rows[] = {
        {&aye, {.positive = NULL}, "a,x,Nay\nb,x,AYE\n", "a x -1; b x 1; "},
        {&aye, {.positive = "Aye"}, "a,x,nay\nb,x,aye\n", "a x -1; b x 1; "},
        {&aye,
         {.positive = NULL},
         "a,x,aye\nb,x,1\n",
         "a x 1; ! F:2:5: found a third word '1', expected 'aye' or 'nay' as label"},
        {&aye, {.positive = "nay"}, "", NULL},
        {&aye, {.positive = "other"}, "", NULL},
        {&aye, {.rated = true, .threshold = 4}, "", NULL},
        {&four, {.rated = true, .threshold = 4}, "a,x,3\nb,x,4\n", "a x -1; b x 1; "},
        {&four, {.positive = NULL}, "a,x,3\nb,x,4\n", "a x -1; b x 1; "},
        {&four, {.rated = true, .threshold = 3}, "", NULL},
        {&yes, {.positive = "yes"}, "", NULL},
        {&yes,
         {.positive = NULL},
         "a,x,no\nb,x,0\n",
         "a x -1; ! F:2:5: found label '0', but labels learnt before are yes/no"},
        {&unknown, {.positive = "in"}, "a,x,in\nb,x,out\n", "a x 1; b x -1; "},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        test_file file = file_of(rows[k].content);
        const char *path = file.path;
        weft_stream *stream = NULL;
        weft_error error = {0};
        assert_int_equal(weft_stream_open_with(&rows[k].how, &path, 1, NULL, &stream, &error), WEFT_OK);
        weft_status status = weft_stream_expect(stream, rows[k].earlier, &error);
        assert_int_equal(status, rows[k].told == NULL ? WEFT_ARGUMENT : WEFT_OK);
        char told[512] = "";
        weft_event event = {0};
        bool more = rows[k].told != NULL;
        while (more && (status = weft_stream_next(stream, &event, &more, &error)) == WEFT_OK && more)
            snprintf(told + strlen(told), sizeof told - strlen(told), "%s %s %d; ", event.row, event.column,
                     event.label);
        if (more)
            snprintf(told + strlen(told), sizeof told - strlen(told), "! %s",
                     message_without(&error, file.path));
        if (rows[k].told != NULL)
            assert_string_equal(told, rows[k].told);
        weft_stream_free(stream);
        unlink(file.path);
    }
}

/* Of two models that are merged: the same, what one of them knows, or none; never one that turns a label. */
static void languages_are_united(void **state)
{
    static const weft_language none = {.labels = WEFT_LABELS_UNKNOWN}, bits = {.labels = WEFT_LABELS_BITS};
    static const weft_language yes = {.labels = WEFT_LABELS_YES};
    static const weft_language aye = {.labels = WEFT_LABELS_WORDS, .positive = "aye"};
    static const weft_language both = {.labels = WEFT_LABELS_WORDS, .positive = "Aye", .negative = "nay"};
    static const weft_language nay = {.labels = WEFT_LABELS_WORDS, .positive = "nay", .negative = "aye"};
    static const weft_language four = {.labels = WEFT_LABELS_RATINGS, .threshold = 4};
    static const weft_language five = {.labels = WEFT_LABELS_RATINGS, .threshold = 5};
    static const struct {
        const weft_language *a, *b;
        const char *both; /* NULL: refused */
    } rows[] = {
        {&none, &bits, "0/1"},
        {&bits, &bits, "0/1"},
        {&bits, &yes, "unknown"},
        {&bits, &aye, NULL},
        {&four, &five, NULL},
        {&aye, &both, "'Aye' for +1, 'nay' for -1"},
        {&both, &nay, NULL},
        {&aye, &nay, NULL},
        {&aye, &none, "'aye' for +1, another word for -1"},
        {&aye, &four, NULL},
        {&four, &four, "numbers, from 4 on +1"},
    };
    for (size_t k = 0; k < 2 * (sizeof rows / sizeof *rows); k++) {
        const weft_language *a = k % 2 == 0 ? rows[k / 2].a : rows[k / 2].b;
        const weft_language *b = k % 2 == 0 ? rows[k / 2].b : rows[k / 2].a;
        weft_language made = none;
        weft_status status = weft_language_unite(a, b, &made, NULL);
        assert_int_equal(status, rows[k / 2].both == NULL ? WEFT_ARGUMENT : WEFT_OK);
        if (rows[k / 2].both != NULL)
            assert_string_equal(weft_language_show(&made).text, rows[k / 2].both);
    }
    assert_string_equal(weft_language_show(NULL).text, "unknown");
    assert_string_equal(weft_language_show(&(weft_language){.labels = (weft_labels)9}).text, "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_two),        cmocka_unit_test(words_are_given_back),
        cmocka_unit_test(labels_of_two_pairs), cmocka_unit_test(errors_say_what_they_need),
        cmocka_unit_test(words_of_ones_own),   cmocka_unit_test(ratings),
        cmocka_unit_test(fields_by_name),      cmocka_unit_test(what_is_asked_of_a_stream),
        cmocka_unit_test(languages_go_on),     cmocka_unit_test(languages_are_united),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
