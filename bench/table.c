/* SPDX-License-Identifier: MIT
 *
 * bench-table [--quick]
 *
 * How long a table takes: 10^6 ids (--quick: 10^5) and 20 columns, of each three one of whole numbers, one of
 * numbers with four decimals and one of eight words, a tenth of the cells empty.
 *
 *     copy    the bytes of the file are read and added up
 *     read    weft_roster_open: the cells, and what is made of every column
 *     built   weft_roster_build: the side
 *
 * Told are the megabytes a second of processor time, of the median of three; fails below 50 for `read`.
 *
 * Output.  Standard error: a table.  Standard output: one JSON object, the last line. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_files.h"

#include <unistd.h>

enum { COLUMNS = 20, REPETITIONS = 3, WORDS = 8 };
static const double LEAST_SPEED = 50; /* MB a second */

/* In megabytes; `path` ends in XXXXXX. */
static double write_table(char *path, int64_t rows)
{
    static const char *const words[WORDS] = {"Berlin", "Rome",   "Paris",  "Madrid",
                                             "Lisbon", "Vienna", "Prague", "\"New York, NY\""};
    uint64_t state = 5;
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL) {
        fprintf(stderr, "bench: %s cannot be written\n", path);
        exit(1);
    }
    fprintf(file, "id");
    for (int k = 0; k < COLUMNS; k++)
        fprintf(file, ",column%d", k);
    for (int64_t i = 0; i < rows; i++) {
        fprintf(file, "\nuser%lld", (long long)i);
        for (int k = 0; k < COLUMNS; k++) {
            int64_t drawn = below(&state, 1000000);
            if (below(&state, 10) == 0)
                fprintf(file, ",");
            else if (k % 3 == 0)
                fprintf(file, ",%lld", (long long)drawn);
            else if (k % 3 == 1)
                fprintf(file, ",%.4f", (double)drawn / 977);
            else
                fprintf(file, ",%s", words[drawn % WORDS]);
        }
    }
    fprintf(file, "\n");
    double megabytes = 1e-6 * (double)ftell(file);
    if (fclose(file) != 0)
        exit(1);
    return megabytes;
}

/* Seconds of reading alone. */
static double copy_file(const char *path)
{
    enum { SIZE = 1 << 16 };
    static unsigned char bytes[SIZE];
    uint64_t sum = 0;
    size_t got = 0;
    double start = processor_seconds();
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        exit(1);
    while ((got = fread(bytes, 1, SIZE, file)) > 0)
        for (size_t k = 0; k < got; k++)
            sum += bytes[k];
    fclose(file);
    return processor_seconds() - start + (sum == 0 ? 1 : 0);
}

int main(int count, char **words)
{
    int64_t rows = read_flag(count, words, "table", "--quick") ? 100000 : 1000000;
    char path[] = "/tmp/weft-table-XXXXXX", spec[64];
    sample copy = {0}, read = {0}, built = {0};
    double megabytes = write_table(path, rows);
    snprintf(spec, sizeof spec, "table:%s", path);
    for (int k = 0; k < REPETITIONS; k++) {
        weft_error error = {0};
        weft_roster *roster = NULL;
        record(&copy, copy_file(path));
        double start = processor_seconds();
        require(weft_roster_open(spec, NULL, &roster, &error), &error);
        record(&read, processor_seconds() - start);
        start = processor_seconds();
        require(weft_roster_build(roster, &error), &error);
        record(&built, processor_seconds() - start);
        weft_roster_free(roster);
    }
    unlink(path);
    double speed = megabytes / median(&read);
    fprintf(stderr, "%.1f MB: copy %.0f MB/s, read %.1f MB/s, built in %.2f s, %.0f MB of memory\n",
            megabytes, megabytes / median(&copy), speed, median(&built), resident_megabytes());
    printf(
        "{\"bench\":\"table\",\"ids\":%lld,\"megabytes\":%.1f,\"copy\":%.0f,\"read\":%.1f,\"built\":%.2f}\n",
        (long long)rows, megabytes, megabytes / median(&copy), speed, median(&built));
    free(copy.seconds);
    free(read.seconds);
    free(built.seconds);
    return speed >= LEAST_SPEED ? 0 : 1;
}
