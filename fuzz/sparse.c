/* SPDX-License-Identifier: MIT
 *
 * Fuzzes features, sparse and dense.  The first byte of the input chooses the
 * kernel, the rest is the file.  What is read sparse is written out dense and read
 * again: both kernels must be the same.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-sparse -dict=fuzz/sparse.dict -max_total_time=60 WORK fuzz/seeds/sparse */
#include "fuzz.h"

#include "io/roster/contents.h"

#include <string.h>

enum { FIELDS = 16, IDS = 16 };

static const weft_file_options limits = {.line_limit = 512, .field_limit = FIELDS, .id_limit = IDS};

static weft_roster *make(const char *path, const char *kernel)
{
    char spec[256];
    weft_roster *roster = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "features:%s%s", path, kernel);
    weft_status status = weft_roster_open(spec, &limits, &roster, &error);
    if (status == WEFT_OK)
        status = weft_roster_build(roster, &error);
    if (status == WEFT_OK)
        return roster;
    require(error.status == status && error.message[0] != 0);
    weft_roster_free(roster);
    return NULL;
}

/* The values of the file at `path`, as the reader sees them, one line an id. */
static bool write_dense(char *path, fuzz_file *to)
{
    weft__spec spec = {.source = WEFT__FEATURES, .path = path, .kernel = WEFT_LINEAR};
    weft__input options = {0};
    weft__contents contents = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    weft_ids *ids = NULL;
    require(weft__input_begin(&limits, &options, NULL) == WEFT_OK);
    require(weft_ids_create(NULL, &ids, NULL) == WEFT_OK);
    bool read = weft__contents_read(&spec, &options, ids, &contents, NULL) == WEFT_OK;
    put(to, "", 0);
    int out = to->descriptor;
    require(lseek(out, 0, SEEK_SET) == 0);
    for (int64_t i = 0; read && i < weft_ids_count(ids); i++) {
        dprintf(out, "%d", (int)i);
        require(contents.dimension >= 1 && contents.dimension <= FIELDS);
        for (int64_t k = 0; k < contents.dimension; k++)
            dprintf(out, " %.17g", contents.values[i * contents.dimension + k]);
        dprintf(out, "\n");
    }
    weft__contents_free(&contents, &memory);
    weft_ids_free(ids);
    return read;
}

static void compare(const weft_side *a, const weft_side *b)
{
    require(weft_side_count(a) == weft_side_count(b));
    for (int64_t i = 0; i < weft_side_count(a); i++)
        for (int64_t j = 0; j < weft_side_count(a); j++)
            require(weft_side_entry(a, i, j) == weft_side_entry(b, i, j));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kernels[] = {",kernel=linear,epsilon=0.5", ",kernel=gaussian,width=2",
                                          ",kernel=min,range=3"};
    static fuzz_file file, dense_file;
    if (size == 0)
        return 0;
    const char *kernel = kernels[data[0] % 3];
    put(&file, data + 1, size - 1);
    weft_roster *roster = make(file.path, kernel);
    if (roster != NULL) {
        require(write_dense(file.path, &dense_file));
        /* An id and 16 numbers are 17 fields: one more than the limit. */
        weft_roster *dense =
            weft_roster_report(roster).dimension < FIELDS ? make(dense_file.path, kernel) : NULL;
        require(dense != NULL || weft_roster_report(roster).dimension == FIELDS);
        if (dense != NULL)
            compare(weft_roster_side(roster), weft_roster_side(dense));
        weft_roster_free(dense);
    }
    weft_roster_free(roster);
    return 0;
}
