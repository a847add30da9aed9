/* SPDX-License-Identifier: MIT
 * Tables: what is made of every column, what ids say by them, and what is no table. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit/test_io_support.h"
#include "weft_files.h"

enum { TOLD_BYTES = 2000 };

static void add_text(char *told, const char *text)
{
    assert_true(strlen(told) + strlen(text) < TOLD_BYTES);
    strcat(told, text);
}

/* `name: use`, the cells of every kind, and what else was found. */
static void add_column(char *told, const weft_column *column)
{
    char text[400];
    snprintf(text, sizeof text, "%s: %s, %lld+%lld+%lld", column->name, weft_column_use_name(column->use),
             (long long)column->numbers, (long long)column->words, (long long)column->empty);
    add_text(told, text);
    if (column->use == WEFT_COLUMN_NUMBERS) {
        snprintf(text, sizeof text, ", centre %g, scale %g, clipped %lld", column->centre, column->scale,
                 (long long)column->clipped);
        add_text(told, text);
    }
    if (column->use == WEFT_COLUMN_WORDS) {
        snprintf(text, sizeof text, ", classes %lld", (long long)column->classes);
        add_text(told, text);
    }
    if (column->twin != NULL) {
        snprintf(text, sizeof text, ", twin of %s", column->twin);
        add_text(told, text);
    }
    if (column->example != NULL) {
        snprintf(text, sizeof text, ", such as %s", column->example);
        add_text(told, text);
    }
    add_text(told, "; ");
}

static weft_status open_table(const char *spec, const weft_memory *memory, weft_roster **roster,
                              weft_error *error)
{
    const weft_file_options options = {.memory = memory};
    weft_status status = weft_roster_open(spec, &options, roster, error);
    if (status == WEFT_OK)
        status = weft_roster_build(*roster, error);
    return status;
}

/* Every allocation refused in turn: nothing leaks, and the table is read all the same when none is. */
static void assert_refused_memory_leaks_nothing(const char *spec)
{
    test_alloc alloc;
    weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
    for (int64_t k = 0;; k++) {
        weft_roster *roster = NULL;
        test_alloc_arm(&alloc, k);
        weft_status status = open_table(spec, &memory, &roster, NULL);
        weft_roster_free(roster);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
}

/* What is made of a file; `how` is the SPEC with % in place of it.  Behind `! ` stands why nothing is. */
static void tell_table(const char *how, const char *text, char *told)
{
    test_file file = file_of(text);
    weft_error error = {0};
    weft_roster *roster = NULL;
    char spec[200];
    const char *place = strchr(how, '%');
    snprintf(spec, sizeof spec, "%.*s%s%s", (int)(place - how), how, file.path, place + 1);
    weft_status status = open_table(spec, NULL, &roster, &error);
    *told = 0;
    for (int64_t k = 0; k < weft_roster_column_count(roster); k++) {
        weft_column column = weft_roster_column(roster, k);
        add_column(told, &column);
    }
    weft_roster_free(roster);
    if (status == WEFT_OK)
        assert_refused_memory_leaks_nothing(spec);
    unlink(file.path);
    if (status != WEFT_OK) {
        add_text(told, "! ");
        add_text(told, message_without(&error, file.path));
    }
}

static void assert_made(const char *how, const char *text, const char *expected)
{
    char told[TOLD_BYTES];
    tell_table(how, text, told);
    if (strcmp(told, expected) != 0)
        fail_msg("of '%.200s' is made '%s', expected '%s'", text, told, expected);
}

static void columns_of_numbers(void **state)
{
    assert_made("table:%", "id,x\na,1\nb,2\nc,3\nd,4\ne,1000\n",
                "x: numbers, 5+0+0, centre 3, scale 1.4826, clipped 1; ");
    /* More than half are equal: by the outer numbers; nearly all: by the mean deviation. */
    assert_made("table:%", "id,x\na,1\nb,1\nc,1\nd,4\ne,7\n",
                "x: numbers, 5+0+0, centre 1, scale 1.82371, clipped 1; ");
    assert_made("table:%",
                "id,x\na,1\nb,1\nc,1\nd,1\ne,1\nf,1\ng,1\nh,1\ni,1\nj,1\nk,1\nl,1\nm,1\nn,1\no,1\np,1\nq,1\n"
                "r,1\ns,1\nt,1\nu,1\nv,1\nw,1\nx,1\ny,1\nz,1\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,1\n9,1\n"
                "10,1\n11,1\n12,1\n13,1\n14,2\n15,3\n",
                "x: numbers, 41+0+0, centre 1, scale 0.0731707, clipped 2; ");
    assert_made("table:%", "id,x\na,-1e308\nb,1e308\nc,0\n",
                "x: numbers, 3+0+0, centre 0, scale 1.4826e+308, clipped 0; ");
    assert_made("table:%", "id,x\na,1\nb,\nc,3\nd,  \ne,5\nf,9\n",
                "x: numbers, 4+0+2, centre 3, scale 2.9652, clipped 0; ");
    /* One word in ten cells is an empty cell. */
    assert_made("table:%", "id,x\na,n/a\nb,1\nc,2\nd,3\ne,4\nf,5\ng,6\nh,7\ni,8\nj,10\n",
                "x: numbers, 9+1+0, centre 5, scale 2.9652, clipped 0, such as n/a; ");
    /* What stands for no number is one in any number, beside numbers; -0 is 0. */
    assert_made("table:%", "id,x\na,NaN\nb,1\nc,null\nd,3\ne,-inf\nf,9\n",
                "x: numbers, 3+3+0, centre 3, scale 2.9652, clipped 0, such as NaN; ");
    assert_made("table:%", "id,x\na,0\nb,-0\nc,0\nd,1\ne,-0\nf,1\n", "x: words, 6+0+0, classes 2; ");
}

static void columns_of_words(void **state)
{
    assert_made("table:%", "id,c\na,red\nb,blue\nc,red\nd,blue\ne,\n", "c: words, 0+4+1, classes 2; ");
    assert_made("table:%", "id,c\na,NA\nb,NA\nc,red\nd,red\n", "c: words, 0+4+0, classes 2; ");
    assert_made("table:%", "id\tc\na\t1,5\nb\t1,5\nc\t2,5\nd\tNA\n",
                "c: words, 0+4+0, classes 1, such as 1,5; ");
    assert_made("table:%", "id,c\na,red\nb,\nc,red\nd,\ne,green\n", "c: words, 0+3+2, classes 2; ");
    /* Two different numbers are two words; numbers among words are words by their values. */
    assert_made("table:%", "id,c\na,0\nb,1\nc,1.0\nd,\n", "c: words, 3+0+1, classes 1; ");
    assert_made("table:%", "id,c\na,x\nb,7\nc,7.0\nd,x\ne,8\nf,\n", "c: words, 3+2+1, classes 2; ");
    assert_made("table:%", "id,c,d\na,7,r\nb,x,s\nc,,r\nd,x,s\n",
                "c: words, 1+2+1, classes 1; d: words, 0+4+0, classes 2; ");
}

static void columns_that_are_left_out(void **state)
{
    assert_made(
        "table:%", "id,c,none,one,word,name\na,1,,5,w,p\nb,2,,5,w,q\nc,4,,5,w,r\nd,8,,5,w,s\n",
        "c: numbers, 4+0+0, centre 2, scale 1.4826, clipped 1; none: left out: empty, 0+0+4; one: left "
        "out: constant, 4+0+0; word: left out: constant, 0+4+0; name: left out: hardly any word stands "
        "twice, 0+4+0; ");
    assert_made(
        "table:%", "id,x,y,z\na,1,1,r\nb,2,2,s\nc,4,4,r\nd,,,s\ne,,,r\n",
        "x: numbers, 3+0+2, centre 2, scale 1.4826, clipped 0; y: left out: a copy, 3+0+2, twin of x; "
        "z: words, 0+5+0, classes 2; ");
    assert_made("table:%", "id,x,y\na,r,1\nb,s,0\nc,r,1\nd,s,0\n",
                "x: words, 0+4+0, classes 2; y: left out: a copy, 4+0+0, twin of x; ");
    /* The same cells are empty: one word for both. */
    assert_made("table:%", "id,x,y\na,1,7\nb,2,6\nc,4,9\nd,,\ne,,\n",
                "x: numbers, 3+0+2, centre 2, scale 1.4826, clipped 0; y: numbers, 3+0+2, centre 7, scale "
                "1.4826, clipped 0; ");
}

static void numbers_that_count_the_lines(void **state)
{
    char text[600] = "id,line,x\n", told[TOLD_BYTES];
    for (int k = 0; k < 20; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "u%d,%d,%d\n", k, 5 + k, k * k);
    tell_table("table:%", text, told);
    assert_string_equal(told, "line: left out: it counts the lines, 20+0+0; x: numbers, 20+0+0, centre 81, "
                              "scale 106.747, clipped 0; ");
    /* Nineteen may say something. */
    *strrchr(text, 'u') = 0;
    tell_table("table:%", text, told);
    assert_non_null(strstr(told, "line: numbers, 19+0+0"));
}

static void headers(void **state)
{
    assert_made("table:%,id=who", "c,who\nr,a\ns,b\nr,c\ns,d\n", "c: words, 0+4+0, classes 2; ");
    assert_made(
        "table:%", "id,, \na,1,r\nb,2,r\nc,3,s\nd,7,s\n",
        "column 2: numbers, 4+0+0, centre 2, scale 1.4826, clipped 1; column 3: words, 0+4+0, classes 2; ");
    assert_made("table:%", "\"id\",\"a \"\"b\"\"\"\nx,1\ny,2\nz,9\n",
                "a \"b\": numbers, 3+0+0, centre 2, scale 1.4826, clipped 1; ");
}

static void what_is_no_table(void **state)
{
    static const struct {
        const char *how, *text, *told;
    } refused[] = {
        {"table:%", "", "! F: found no ids, expected at least one line"},
        {"table:%", "id,a\n", "! F: found no ids, expected at least one line"},
        {"table:%", "id\nx\n", "! F:1: found 1 column, expected an id and at least one more in the header"},
        {"table:%", "1,2\n3,4\n",
         "! F:1:3: found '2' in the first line, expected a header with the names of the columns "
         "(features:FILE "
         "reads numbers without one)"},
        {"table:%,id=who", "1,who\n1,a\n2,b\n",
         "! F:1:1: found '1' in the first line, expected a header with the names of the columns "
         "(features:FILE "
         "reads numbers without one)"},
        {"table:%", "id,a,a\nx,1,2\n",
         "! F:1:6: found the name 'a' a second time in the header, expected every name once"},
        {"table:%,id=who", "id,a\nx,1\n",
         "! F:1: found no column 'who' in the header, expected one (id=): it begins with 'id'"},
        {"table:%", "x,1,red\ny,2,blue\nz,3,red\n",
         "! F:1: found '1' and 'red' in the first line, as in lines below it, expected a header with the "
         "names of the columns"},
        {"table:%", "id,a,b\nx,1\n", "! F:2: found 2 fields, expected 3 as in the header"},
        {"table:%", "id,a\nx\n", "! F:2: found 1 field, expected 2 as in the header"},
        {"table:%", "id,a\nx,1\nx,2\n",
         "! F:3:1: found id 'x' a second time, expected every id once (id= says which column has the ids)"},
        {"table:%", "id,a\n,1\n", "! F:2:1: found nothing, expected an id"},
        {"table:%", "id,x\na,1,2\nb,2\n",
         "! F:2: found 3 fields, expected 2 as in the header (a comma inside a cell needs quotes)"},
        {"table:%", "id x\na 1 2\n",
         "! F:2: found 3 fields, expected 2 as in the header, in which blanks stand between fields"},
        {"table:%", "id,a,b,c,d\nx,1,,u,1\ny,1,,u,1\n",
         "! F: found no column that tells ids apart: 'a' left out: constant, 'b' left out: empty, 'c' left "
         "out: constant, ...; expected one with numbers that differ or with words that ids have in common"},
        {"table:%", "id,a\nx,1\ny,1\n",
         "! F: found no column that tells ids apart: 'a' left out: constant; expected one with numbers that "
         "differ or with words that ids have in common"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)

        assert_made(refused[k].how, refused[k].text, refused[k].told);
}

/* A name with a sign that stands between fields elsewhere, above numbers; names that stand again as words
 * alone, or as a number alone. */
static void odd_names(void **state)
{
    assert_made("table:%", "id,a;b\nx,1\ny,2\nz,4\n",
                "a;b: numbers, 3+0+0, centre 2, scale 1.4826, clipped 0; ");
    assert_made("table:%", "id,red,blue\na,red,blue\nb,red,y\nc,x,blue\nd,x,y\n",
                "red: words, 0+4+0, classes 2; blue: words, 0+4+0, classes 2; ");
    assert_made("table:%", "id,1990,blue\na,1,u\nb,2,v\nc,4,u\nd,9,v\n",
                "1990: numbers, 4+0+0, centre 2, scale 1.4826, clipped 1; blue: words, 0+4+0, classes 2; ");
}

/* Words and numbers of more rows than there was room for at first. */
static void many_rows(void **state)
{
    char text[2000] = "id,w,n\n";
    size_t length = strlen(text);
    for (int k = 0; k < 100; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "r%d,%c,%d\n", k, 'a' + k % 3, k * k);
    assert_made("table:%", text,
                "w: words, 0+100+0, classes 3; n: numbers, 100+0+0, centre 2401, scale 3095.67, clipped 0; ");
}

static void more_columns_than_a_table_has(void **state)
{
    enum { COLUMNS = 5000 };
    char *text = calloc(COLUMNS, 8), *told = calloc(TOLD_BYTES, 1);
    size_t length = (size_t)sprintf(text, "id");
    for (int k = 0; k < COLUMNS; k++)
        length += (size_t)sprintf(text + length, ",c%d", k);
    tell_table("table:%", text, told);
    assert_string_equal(told, "! F:1: found 5000 columns beside the id, expected at most 4096");
    length = (size_t)sprintf(text, "a");
    for (int k = 0; k < COLUMNS; k++)
        length += (size_t)sprintf(text + length, ",%d", k);
    tell_table("features:%", text, told);
    assert_non_null(strstr(told, "found 5000 numbers of an id, expected at most 4096 where no kernel="));
    free(told);
    free(text);
}

/* Features without a kernel are a table without a header. */
static void features_are_a_table(void **state)
{
    assert_made(
        "features:%", "a,1,0\nb,2,1\nc,3,1\n",
        "column 1: numbers, 3+0+0, centre 2, scale 1.4826, clipped 0; column 2: words, 3+0+0, classes 1; ");
}

/* The more two ids have in common, the more alike they are: a and b all, a and c the words, a and d
 * nothing. */
static void ids_are_alike_by_what_they_have_in_common(void **state)
{
    test_file file = file_of("id,c,x\na,r,1\nb,r,1\nc,r,9\nd,s,9\ne,s,5\n");
    weft_roster *roster = NULL;
    char spec[100];
    snprintf(spec, sizeof spec, "table:%s", file.path);
    assert_int_equal(open_table(spec, NULL, &roster, NULL), WEFT_OK);
    const weft_side *side = weft_roster_side(roster);
    double both = weft_side_entry(side, 0, 1), word = weft_side_entry(side, 0, 2);
    double nothing = weft_side_entry(side, 0, 3);
    assert_true(weft_side_entry(side, 0, 0) >= both && both > word && word > nothing);
    weft_column none = weft_roster_column(roster, 2);
    assert_null(none.name);
    assert_null(weft_roster_column(roster, -1).name);
    assert_int_equal(weft_roster_column_count(NULL), 0);
    assert_null(weft_column_use_name((weft_column_use)-1));
    assert_null(weft_column_use_name((weft_column_use)(WEFT_COLUMN_NAMES + 1)));
    weft_roster_free(roster);
    unlink(file.path);
}

/* skip= */
static void columns_that_nobody_wants(void **state)
{
    static const char text[] = "id,x,y\na,1,p\nb,2,q\nc,4,p\nd,8,q\n";
    assert_made("table:%,skip=y", text, "x: numbers, 4+0+0, centre 2, scale 1.4826, clipped 1; ");
    assert_made("table:%,skip=x", text, "y: words, 0+4+0, classes 2; ");
    assert_made("table:%,skip=x,skip=y", text,
                "! F:1: found no column that is not left out (skip=), expected one");
    assert_made("table:%,skip=z", text,
                "! F:1: found no column 'z' beside the ids in the header, expected one to leave out (skip=)");
    assert_made(
        "table:%,skip=x,skip=id", text,
        "! F:1: found no column 'id' beside the ids in the header, expected one to leave out (skip=)");
    assert_made(
        "table:%,skip=xx", text,
        "! F:1: found no column 'xx' beside the ids in the header, expected one to leave out (skip=)");
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_numbers),
        cmocka_unit_test(columns_of_words),
        cmocka_unit_test(columns_that_are_left_out),
        cmocka_unit_test(numbers_that_count_the_lines),
        cmocka_unit_test(columns_that_nobody_wants),
        cmocka_unit_test(headers),
        cmocka_unit_test(what_is_no_table),
        cmocka_unit_test(odd_names),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(more_columns_than_a_table_has),
        cmocka_unit_test(features_are_a_table),
        cmocka_unit_test(ids_are_alike_by_what_they_have_in_common),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
