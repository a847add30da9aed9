/* SPDX-License-Identifier: MIT
 *
 * Fuzzes Matrix Market files.  The first byte of the input says what the file is
 * for and how many ids there are, the rest is the file.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     fuzz-market -dict=fuzz/market.dict -max_total_time=60 WORK fuzz/seeds/market */
#include "fuzz.h"

#include "weft_files.h"

#include <string.h>

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
    require(status != WEFT_OK || weft_side_count(weft_roster_side(roster)) == ids);
    if (status == WEFT_OK)
        check_side(weft_roster_side(roster));
    else
        require(error.status == status && error.message[0] != 0);
    weft_roster_free(roster);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const uses[][2] = {
        {"kernel", ""}, {"kernel", ",repair=clip"}, {"matrix", ""}, {"graph", ""}};
    static const char names[] = "a\nb\nc\nd\ne\nf\ng\n";
    static fuzz_file file, id_file;
    char spec[256];
    if (size == 0)
        return 0;
    const char *const *use_as = uses[data[0] % 4];
    int64_t ids = 1 + data[0] / 4 % 7;
    put(&file, data + 1, size - 1);
    put(&id_file, names, (size_t)(2 * ids));
    snprintf(spec, sizeof spec, "%s:%s,ids=%s%s", use_as[0], file.path, id_file.path, use_as[1]);
    use(spec, ids);
    return 0;
}
