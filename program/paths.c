/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "program/paths.h"

#include "program/fail.h"
#include "src/io/text/draft.h"
#include "weft_advanced.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which file it is. */
typedef struct identity {
    bool known; /* a regular file, or one that will be */
    dev_t device;
    ino_t node; /* its own, or where it is not there yet that of its directory, */
    char *name; /* in which it will have this name; else NULL */
} identity;

struct paths_entry {
    const char *option;
    const char *use; /* of standard input: the option that names it, once; else NULL */
    char *path;      /* NULL for standard input, output and error */
    bool written, model, standard;
    bool again;      /* another entry is the same file, in the same use */
    bool descriptor; /* written through a name such as /dev/stdout */
    identity file;
};

/* ---- Identities ---- */

static identity of_facts(const struct stat *facts)
{
    return (identity){.known = S_ISREG(facts->st_mode), .device = facts->st_dev, .node = facts->st_ino};
}

static identity of_descriptor(int descriptor)
{
    struct stat facts = {0};
    return fstat(descriptor, &facts) == 0 ? of_facts(&facts) : (identity){.known = false};
}

/* Where the last part of a path begins. */
static char *last_part(char *path)
{
    char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Puts what a link says in place of it; false where `path` is none. */
static bool follow(char path[PATH_MAX])
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    char *place = length > 0 && target[0] == '/' ? path : last_part(path);
    if (length <= 0 || (size_t)length + 1 > PATH_MAX - (size_t)(place - path))
        return false;
    target[length] = 0;
    memcpy(place, target, (size_t)length + 1);
    return true;
}

/* A file that is not there, nor a link. */
static identity of_new(char path[PATH_MAX])
{
    struct stat facts = {0};
    char *name = last_part(path), *copy = strdup(name);
    bool empty = *name == 0;
    *name = 0;
    if (copy != NULL && !empty && stat(*path != 0 ? path : ".", &facts) == 0)
        return (identity){.known = true, .device = facts.st_dev, .node = facts.st_ino, .name = copy};
    free(copy);
    return (identity){.known = false};
}

static identity of_path(const char *given)
{
    enum { MOST_LINKS = 40 };
    char path[PATH_MAX];
    struct stat facts = {0};
    if ((size_t)snprintf(path, sizeof path, "%s", given) >= sizeof path)
        return (identity){.known = false};
    if (stat(path, &facts) == 0)
        return of_facts(&facts);
    for (int links = 0; links < MOST_LINKS && follow(path); links++)
        ;
    return of_new(path);
}

static bool same_file(const identity *a, const identity *b)
{
    bool known = a->known && b->known && a->device == b->device && a->node == b->node;
    return known && (a->name == NULL) == (b->name == NULL) &&
           (a->name == NULL || strcmp(a->name, b->name) == 0);
}

/* ---- The list ---- */

/* Takes over what is inside the entry. */
static void add(paths_list *files, paths_entry entry)
{
    paths_entry *more = realloc(files->entries, (size_t)(files->count + 1) * sizeof *more);
    if (more == NULL) {
        files->lacking = true;
        free(entry.path);
        free(entry.file.name);
        return;
    }
    files->entries = more;
    files->entries[files->count++] = entry;
}

static void add_path(paths_list *files, const char *option, const char *path, paths_entry entry)
{
    struct stat facts = {0};
    bool standard = path != NULL && strcmp(path, "-") == 0;
    if (path == NULL || (standard && entry.written))
        return;
    entry.use = standard && !entry.again ? option : NULL;
    entry.option = standard ? "standard input" : option;
    entry.path = standard ? NULL : strdup(path);
    entry.file = standard ? of_descriptor(STDIN_FILENO) : of_path(path);
    files->lacking = files->lacking || (!standard && entry.path == NULL);
    entry.descriptor =
        entry.written && !weft__draft_possible(path) && stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    add(files, entry);
}

void paths_read(paths_list *files, const char *option, const char *path)
{
    add_path(files, option, path, (paths_entry){.written = false});
}

void paths_read_again(paths_list *files, const char *option, const char *path)
{
    add_path(files, option, path, (paths_entry){.again = true});
}

void paths_write(paths_list *files, const char *option, const char *path)
{
    add_path(files, option, path, (paths_entry){.written = true});
}

void paths_read_model(paths_list *files, const char *option, const char *path)
{
    add_path(files, option, path, (paths_entry){.model = true});
}

void paths_write_model(paths_list *files, const char *option, const char *path)
{
    add_path(files, option, path, (paths_entry){.written = true, .model = true});
}

/* Takes FILE, without the backslash before a comma or a backslash, and returns where it ends. */
static const char *take_file(paths_list *files, const char *option, const char *text)
{
    char path[PATH_MAX];
    size_t length = 0;
    for (; *text != 0 && *text != ','; text++) {
        if (*text == '\\' && (text[1] == ',' || text[1] == '\\'))
            text++;
        if (length < sizeof path - 1)
            path[length++] = *text;
    }
    path[length] = 0;
    paths_read(files, option, path);
    return text;
}

/* Several SPECs have ",+" between.  What follows the file of one are options, in which a comma is no part of
 * a name unless a backslash stands before it. */
void paths_read_spec(paths_list *files, const char *option, const char *spec)
{
    static const char ids[] = ",ids=", next[] = ",+";
    const char *at = spec != NULL ? spec : "";
    bool begins = true;
    while (*at != 0) {
        at += begins ? strcspn(at, ":,") : 0;
        if (begins && *at == ':')
            at = take_file(files, option, at + 1);
        begins = strncmp(at, next, sizeof next - 1) == 0;
        if (begins)
            at += sizeof next - 1;
        else if (strncmp(at, ids, sizeof ids - 1) == 0)
            at = take_file(files, option, at + sizeof ids - 1);
        else if (*at != 0)
            at += *at == '\\' && at[1] != 0 ? 2 : 1;
    }
}

void paths_free(paths_list *files)
{
    for (int64_t k = 0; k < files->count; k++) {
        free(files->entries[k].path);
        free(files->entries[k].file.name);
    }
    free(files->entries);
    *files = (paths_list){0};
}

/* ---- Checking ---- */

/* Once. */
static void add_standard(paths_list *files)
{
    for (int64_t k = 0; k < files->count; k++)
        if (files->entries[k].standard)
            return;
    add(files, (paths_entry){.option = "standard output",
                             .written = true,
                             .standard = true,
                             .file = of_descriptor(STDOUT_FILENO)});
    add(files, (paths_entry){.option = "standard error",
                             .written = true,
                             .standard = true,
                             .file = of_descriptor(STDERR_FILENO)});
}

static bool collide(const paths_entry *a, const paths_entry *b)
{
    bool successor = a->model && b->model && a->written != b->written;
    bool one_stream = a->standard && b->standard;
    bool on_purpose = (a->standard && b->descriptor) || (b->standard && a->descriptor);
    return (a->written || b->written) && !successor && !one_stream && !on_purpose &&
           same_file(&a->file, &b->file);
}

static weft_status check_name(const paths_entry *entry, weft_error *error)
{
    size_t length = entry->written && entry->path != NULL ? strlen(entry->path) : 1;
    if (length == 0)
        return fail(error, WEFT_ARGUMENT, "%s: found '', expected the name of a file", entry->option);
    if (entry->written && entry->path != NULL && entry->path[length - 1] == '/')
        return fail(error, WEFT_ARGUMENT, "%s: found '%.200s', a directory, expected the name of a file",
                    entry->option, entry->path);
    return WEFT_OK;
}

/* No message may go into the file that it speaks of: where standard error is that file, messages go to
 * standard output from now on.  Where that is the same file too, they go nowhere if it is one that is read,
 * and else stay, for there is no other place. */
static void spare(const paths_entry *entry)
{
    identity error = of_descriptor(STDERR_FILENO), output = of_descriptor(STDOUT_FILENO);
    bool both = same_file(&output, &entry->file);
    if (!same_file(&error, &entry->file) || (both && entry->written))
        return;
    int other = both ? open("/dev/null", O_WRONLY) : dup(STDOUT_FILENO);
    if (other < 0 || dup2(other, STDERR_FILENO) < 0)
        close(STDERR_FILENO);
    if (other >= 0)
        close(other);
}

/* The one that is written first. */
static weft_status refuse(const paths_entry *a, const paths_entry *b, weft_error *error)
{
    bool first = b->standard || (a->written && !a->standard);
    const paths_entry *lost = first ? b : a, *writer = first ? a : b;
    spare(lost->standard ? writer : lost);
    return fail(error, WEFT_ARGUMENT,
                "%s%s%.150s is the same file as %s%s%.150s, expected another: one would destroy the other",
                writer->option, writer->path != NULL ? " " : "", writer->path != NULL ? writer->path : "",
                lost->option, lost->path != NULL ? " " : "", lost->path != NULL ? lost->path : "");
}

/* It can be read once. */
static weft_status check_input(const paths_list *files, weft_error *error)
{
    const char *use = NULL;
    for (int64_t k = 0; k < files->count; k++) {
        const char *next = files->entries[k].use;
        if (use != NULL && next != NULL)
            return fail(error, WEFT_ARGUMENT,
                        "standard input (-) stands for %s and for %s, expected for one of them: it can be "
                        "read once",
                        use, next);
        use = next != NULL ? next : use;
    }
    return WEFT_OK;
}

weft_status paths_check(paths_list *files, weft_error *error)
{
    weft_status status = WEFT_OK;
    add_standard(files);
    if (files->lacking)
        return fail(error, WEFT_MEMORY, "out of memory");
    TRY(check_input(files, error));
    for (int64_t k = 0; k < files->count; k++) {
        TRY(check_name(&files->entries[k], error));
        for (int64_t j = 0; j < k; j++)
            if (collide(&files->entries[j], &files->entries[k]))
                return refuse(&files->entries[j], &files->entries[k], error);
    }
done:
    return status;
}

weft_status paths_check_standard(const char *path, weft_error *error)
{
    paths_list files = {0};
    paths_write(&files, "the file", path);
    weft_status status = paths_check(&files, error);
    paths_free(&files);
    return status;
}
