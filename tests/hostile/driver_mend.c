/* SPDX-License-Identifier: MIT
 * Makes crafted models pass the first gates: for every path on standard input it
 * puts the true size (third field) and the true checksum (last 16 bytes, XXH3-128
 * of all bytes before them) into the file, and answers with a line. */
#include "base/digest.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 24
#define CHECKSUM 16
#define LARGEST ((size_t)1 << 24)

static void put(unsigned char *place, uint64_t number)
{
    for (int k = 0; k < 8; k++)
        place[k] = (unsigned char)(number >> (8 * k));
}

static const char *mend(const char *path, unsigned char *bytes)
{
    FILE *file = fopen(path, "r+b");
    if (!file)
        return "cannot be opened";
    size_t size = fread(bytes, 1, LARGEST, file);
    if (size < HEAD + CHECKSUM || size == LARGEST)
        return fclose(file), "has a size that no crafted model has";
    put(bytes + 16, size);
    weft__digest digest = weft__digest_of(bytes, size - CHECKSUM);
    put(bytes + size - 16, digest.half[0]);
    put(bytes + size - 8, digest.half[1]);
    rewind(file);
    size_t written = fwrite(bytes, 1, size, file);
    return fclose(file) != 0 || written != size ? "cannot be written" : "mended";
}

int main(void)
{
    unsigned char *bytes = malloc(LARGEST);
    char path[4096];
    while (bytes && fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        puts(mend(path, bytes));
        fflush(stdout);
    }
    free(bytes);
}
