/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE

#include "lab/runs/journal.h"

#include "lab/lab.h"
#include "program/fail.h"
#include "program/new.h"
#include "program/paths.h"
#include "weft_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct lab_journal {
    int file;
    char *path;
    lab_journal_owner owner;
    weft_ids *keys;
    double *values; /* answers a key, in the order of the keys */
    int64_t capacity;
    bool closed; /* a line could not be written: there will be no other behind it */
};

enum { LONGEST_LINE = 4096 };

/* ---- Lines ---- */

/* FNV-1a, 64 bits: against files that were cut or edited, not against enemies. */
static uint64_t checksum(const char *text, size_t length)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < length; k++)
        sum = (sum ^ (unsigned char)text[k]) * UINT64_C(0x100000001b3);
    return sum;
}

static weft_status fail_to(const lab_journal *journal, const char *what, weft_error *error)
{
    return fail(error, WEFT_WRITE, "%s: the journal cannot be %s: %s", journal->path, what, strerror(errno));
}

static weft_status write_bytes(const lab_journal *journal, const char *bytes, int length, weft_error *error)
{
    for (int done = 0; done < length;) {
        ssize_t written = write(journal->file, bytes + done, (size_t)(length - done));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail_to(journal, "written", error);
        done += (int)written;
    }
    if (fdatasync(journal->file) != 0 && errno != EINVAL && errno != EROFS)
        return fail_to(journal, "brought to the disk", error);
    return WEFT_OK;
}

/* One line at once, so that a program that dies leaves whole lines but for the last.  A line that
 * was written in part is taken back; should that fail too, it is the last one, which is dropped
 * when the journal is opened again, since nothing is ever added behind it. */
static weft_status write_line(lab_journal *journal, const char *text, weft_error *error)
{
    char line[LONGEST_LINE + 32];
    int length = snprintf(line, sizeof line, "%s\t%016" PRIx64 "\n", text, checksum(text, strlen(text)));
    weft_status status = WEFT_OK;
    if (journal->closed)
        return fail(error, WEFT_WRITE, "%s: nothing is added to the journal after a failure", journal->path);
    off_t before = lseek(journal->file, 0, SEEK_END);
    if (before < 0)
        status = fail_to(journal, "written", error);
    else
        status = write_bytes(journal, line, length, error);
    if (status == WEFT_OK)
        return WEFT_OK;
    journal->closed = true;
    if (before >= 0 && ftruncate(journal->file, before) != 0) {
        weft_error inner = *error;
        return fail(error, status, "%.300s; and the line cannot be taken back: %s", inner.message,
                    strerror(errno));
    }
    return status;
}

/* Takes the checksum off a line and says whether it was right. */
static bool take_checksum(char *line)
{
    char *tab = strrchr(line, '\t'), sum[20];
    if (tab == NULL)
        return false;
    snprintf(sum, sizeof sum, "%016" PRIx64, checksum(line, (size_t)(tab - line)));
    *tab = '\0';
    return strcmp(tab + 1, sum) == 0;
}

static void describe(const lab_journal_owner *owner, char text[LONGEST_LINE])
{
    snprintf(text, LONGEST_LINE, "weft journal\t%s\t%d\t%d\t%s", owner->name, owner->version, owner->answers,
             weft_version());
}

/* ---- Answers in memory ---- */

static weft_status remember(lab_journal *journal, const char *key, const double *answer, weft_error *error)
{
    int64_t number, answers = journal->owner.answers;
    weft_status status = WEFT_OK;
    TRY(weft_ids_add(journal->keys, key, &number, error));
    if (number >= journal->capacity) {
        double *more = new_array(2 * number + 64, (size_t)answers * sizeof *more);
        if (journal->values != NULL)
            memcpy(more, journal->values, (size_t)(journal->capacity * answers) * sizeof *more);
        free(journal->values);
        journal->values = more;
        journal->capacity = 2 * number + 64;
    }
    memcpy(journal->values + number * answers, answer, (size_t)answers * sizeof *answer);
done:
    return status;
}

bool lab_journal_find(const lab_journal *journal, const char *key, double *answer)
{
    int64_t number = weft_ids_find(journal->keys, key), answers = journal->owner.answers;
    if (number < 0)
        return false;
    memcpy(answer, journal->values + number * answers, (size_t)answers * sizeof *answer);
    return true;
}

/* ---- Reading ---- */

static weft_status damaged(const lab_journal *journal, int64_t line, weft_error *error)
{
    return fail(error, WEFT_MODEL,
                "%s:%" PRId64 ": the journal is damaged: expected a key, %d numbers and their checksum "
                "(take another directory, or remove the file to begin anew)",
                journal->path, line, journal->owner.answers);
}

static weft_status read_answer(lab_journal *journal, char *line, int64_t number, weft_error *error)
{
    double answer[LAB_MOST_VALUES];
    char *next = strchr(line, '\t');
    for (int k = 0; k < journal->owner.answers; k++) {
        char *end = NULL;
        if (next == NULL)
            return damaged(journal, number, error);
        *next = '\0';
        answer[k] = strtod(next + 1, &end);
        if (end == next + 1 || (*end != '\t' && *end != '\0'))
            return damaged(journal, number, error);
        next = *end == '\t' ? end : NULL;
    }
    return next == NULL ? remember(journal, line, answer, error) : damaged(journal, number, error);
}

static weft_status read_line(lab_journal *journal, char *line, int64_t number, weft_error *error)
{
    char expected[LONGEST_LINE];
    if (!take_checksum(line))
        return damaged(journal, number, error);
    if (number > 1)
        return read_answer(journal, line, number, error);
    describe(&journal->owner, expected);
    if (strcmp(line, expected) != 0)
        return fail(error, WEFT_MODEL,
                    "%s: the journal is of another experiment or version: found '%.100s', expected '%.100s' "
                    "(take another directory, or remove the file to begin anew)",
                    journal->path, line, expected);
    return WEFT_OK;
}

/* The whole file, with a zero at its end. */
static weft_status read_bytes(const lab_journal *journal, char **bytes, int64_t *size, weft_error *error)
{
    struct stat facts;
    if (fstat(journal->file, &facts) != 0)
        return fail_to(journal, "read", error);
    char *buffer = new_array((int64_t)facts.st_size + 1, 1);
    *size = 0;
    while (*size < facts.st_size) {
        ssize_t got = pread(journal->file, buffer + *size, (size_t)(facts.st_size - *size), (off_t)*size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            free(buffer);
            return fail_to(journal, "read", error);
        }
        *size += got;
    }
    *bytes = buffer;
    return WEFT_OK;
}

/* Whole lines are read; what is left behind the last of them is cut off. */
static weft_status read_all(lab_journal *journal, weft_error *error)
{
    char *bytes = NULL, *line, *end, text[LONGEST_LINE];
    int64_t size = 0, number = 0;
    weft_status status = WEFT_OK;
    TRY(read_bytes(journal, &bytes, &size, error));
    for (line = bytes; (end = memchr(line, '\n', (size_t)(bytes + size - line))) != NULL; line = end + 1) {
        number++;
        *end = '\0';
        if (strlen(line) != (size_t)(end - line))
            TRY(damaged(journal, number, error));
        TRY(read_line(journal, line, number, error));
    }
    if (line < bytes + size && ftruncate(journal->file, (off_t)(line - bytes)) != 0)
        TRY(fail_to(journal, "mended", error));
    if (number == 0) {
        describe(&journal->owner, text);
        TRY(write_line(journal, text, error));
    }
done:
    free(bytes);
    return status;
}

/* ---- Opening, adding ---- */

/* For this program alone, until it closes the file or ends, in whatever way. */
static weft_status lock(const lab_journal *journal, weft_error *error)
{
    while (flock(journal->file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return fail(error, WEFT_WRITE, "%s: another program works on this experiment now", journal->path);
        if (errno != EINTR)
            return fail_to(journal, "locked", error);
    }
    return WEFT_OK;
}

weft_status lab_journal_open(const char *path, const lab_journal_owner *owner, lab_journal **journal,
                             weft_error *error)
{
    lab_journal *new = new_array(1, sizeof *new);
    weft_status status = WEFT_OK;
    *new = (lab_journal){.file = -1, .path = new_text("%s", path), .owner = *owner};
    TRY(weft_ids_create(NULL, &new->keys, error));
    TRY(paths_check_standard(path, error));
    new->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (new->file < 0)
        TRY(fail_to(new, "opened", error));
    TRY(lock(new, error));
    TRY(read_all(new, error));
    *journal = new;
    new = NULL;
done:
    lab_journal_close(new);
    return status;
}

void lab_journal_close(lab_journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->file >= 0)
        close(journal->file);
    weft_ids_free(journal->keys);
    free(journal->values);
    free(journal->path);
    free(journal);
}

weft_status lab_journal_add(lab_journal *journal, const char *key, const double *answer, weft_error *error)
{
    char text[LONGEST_LINE];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", key);
    weft_status status = WEFT_OK;
    for (int k = 0; k < journal->owner.answers && length < sizeof text - 32; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "\t%.17g", answer[k]);
    TRY(write_line(journal, text, error));
    TRY(remember(journal, key, answer, error));
done:
    return status;
}
