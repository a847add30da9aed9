/* SPDX-License-Identifier: MIT
 * Every kind of side information from a file, read and built with each allocation refused in turn: the status
 * says so, nothing leaks, and nothing is refused that was not. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "unit/test_io_support.h"
#include "weft_files.h"

static const char square[] = ",a,b,c\na,2,1,0.5\nb,1,3,0\nc,0.5,0,1\n";
static const char edges[] = "a b\nb c 2\nc d\nd a\nx y\n";
static const char dense[] = "a,1,2\nb,0.5,1\nc,2,0\nd,1,1\n";
static const char sparse[] = "a 1:1 3:2\nb 2:1\nc 1:3 2:1\nd 3:1\n";
static const char array[] = "%%MatrixMarket matrix array real general\n3 3\n2\n1\n0.5\n1\n3\n0\n0.5\n0\n1\n";
static const char entries[] = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 5\n1 1 2\n2 "
                              "2 3\n3 3 1\n2 1 1\n3 1 0.5\n";
static const char pattern[] = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";

/* @ stands for the file of the text, and & for one with the ids a, b and c. */
static const struct {
    const char *spec, *text;
} cases[] = {
    {"classes:@,missing=alone", "a 1\nb 2\nc 1\n"},
    {"classes:@,map=hash:6", "a 1\nb 2\nc 1\n"},
    {"kernel:@", square},
    {"kernel:@,repair=shift", ",a,b\na,1,3\nb,3,1\n"},
    {"kernel:@,repair=clip", ",a,b\na,1,3\nb,3,1\n"},
    {"kernel:@,map=eigen:2+hash:3", square},
    {"matrix:@", square},
    {"matrix:@,ids=&", array},
    {"kernel:@,ids=&", entries},
    {"graph:@", edges},
    {"graph:@,missing=join", edges},
    {"graph:@,kernel=none", edges},
    {"graph:@,map=eigen:2", edges},
    {"graph:@,ids=&", pattern},
    {"features:@,kernel=linear,epsilon=0.5", dense},
    {"features:@,kernel=gaussian,width=2", dense},
    {"features:@,kernel=gaussian,width=2,map=fourier:4+hash:2", dense},
    {"features:@,kernel=min,range=2", dense},
    {"features:@,kernel=linear,epsilon=0.5", sparse},
    {"features:@,kernel=linear,epsilon=0,map=hash:4", dense},
    {"features:@", dense},
};

static weft_status make(const char *spec, const weft_memory *memory, weft_error *error)
{
    const weft_file_options options = {.memory = memory,
                                       .roster = &(weft_roster_options){.views = true, .keep = true}};
    weft_roster *roster = NULL;
    weft_status status = weft_roster_open(spec, &options, &roster, error);
    if (status == WEFT_OK)
        status = weft_roster_build(roster, error);
    weft_roster_free(roster);
    return status;
}

static void write_spec(const char *how, const char *path, const char *ids, char spec[200])
{
    *spec = 0;
    for (; *how != 0; how++) {
        size_t length = strlen(spec);
        snprintf(spec + length, 200 - length, "%.*s", *how == '@' || *how == '&' ? 64 : 1,
                 *how == '@'   ? path
                 : *how == '&' ? ids
                               : how);
    }
}

static void nothing_leaks(void **state)
{
    test_file ids = file_of("a\nb\nc\n");
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        test_file file = file_of(cases[s].text);
        test_alloc alloc;
        weft_memory memory = test_alloc_begin(&alloc, TEST_ALLOC_NEVER);
        char spec[200];
        write_spec(cases[s].spec, file.path, ids.path, spec);
        int64_t k = 0;
        for (bool refused = true; refused; k++) {
            weft_error error = {0};
            test_alloc_arm(&alloc, k);
            weft_status status = make(spec, &memory, &error);
            refused = alloc.failed;
            if (status != (refused ? WEFT_MEMORY : WEFT_OK))
                fail_msg("%s, allocation %d: status %d, %s", cases[s].spec, (int)k, (int)status,
                         error.message);
            assert_int_equal(test_alloc_blocks(&alloc), 0);
        }
        assert_true(k > 10);
        unlink(file.path);
    }
    unlink(ids.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_leaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
