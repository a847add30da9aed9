/* SPDX-License-Identifier: MIT
 *
 * Fuzzes Matrix Market files.  The first byte of the input says what the file is
 * for and how many ids there are, the rest is the file.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-market -dict=fuzz/market.dict -max_total_time=60 WORK fuzz/seeds/market */
#define _GNU_SOURCE

#include "weft_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        __builtin_trap();
}

static int new_file(char path[64])
{
    int file = memfd_create("market", 0);
    snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

static void put(int file, const void *bytes, size_t size)
{
    require(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
}

/* Symmetric, finite, as large as it says. */
static void check_side(const weft_side *side, int64_t ids)
{
    require(weft_side_count(side) == ids);
    for (int64_t i = 0; i < ids; i++)
        for (int64_t j = 0; j <= i; j++) {
            double entry = weft_side_entry(side, i, j);
            require(isfinite(entry) && entry == weft_side_entry(side, j, i));
        }
}

static void use(const char *spec, int64_t ids)
{
    weft_file_options limits = {.line_limit = 256, .field_limit = 8, .id_limit = 8};
    weft_roster *roster = NULL;
    weft_error error = {0};
    weft_status status = weft_roster_open(spec, &limits, &roster, &error);
    if (status == WEFT_OK) {
        require(weft_ids_count(weft_roster_ids(roster)) == ids);
        status = weft_roster_build(roster, &error);
    }
    if (status == WEFT_OK)
        check_side(weft_roster_side(roster), ids);
    else
        require(error.status == status && error.message[0] != 0);
    weft_roster_free(roster);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const uses[][2] = {
        {"kernel", ""}, {"kernel", ",repair=clip"}, {"matrix", ""}, {"graph", ""}};
    static const char names[] = "a\nb\nc\nd\ne\nf\ng\n";
    static int file = -1, id_file = -1;
    static char path[64], id_path[64];
    char spec[256];
    if (size == 0)
        return 0;
    if (file < 0) {
        file = new_file(path);
        id_file = new_file(id_path);
    }
    const char *const *use_as = uses[data[0] % 4];
    int64_t ids = 1 + data[0] / 4 % 7;
    put(file, data + 1, size - 1);
    put(id_file, names, (size_t)(2 * ids));
    snprintf(spec, sizeof spec, "%s:%s,ids=%s%s", use_as[0], path, id_path, use_as[1]);
    use(spec, ids);
    return 0;
}
