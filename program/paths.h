/* SPDX-License-Identifier: MIT
 * The files that a command reads and writes, so that none of those it writes is one of the others.
 *
 *     paths_list files = {0};
 *     paths_read(&files, "STREAM", stream);
 *     paths_write(&files, "--out", out);
 *     TRY(paths_check(&files, error));
 * done:
 *     paths_free(&files);
 *
 * Files are compared by device and inode, so that neither links nor spellings hide anything; one that is
 * not there yet by its name in its directory, and a link to nothing by what it would make.  Devices and
 * pipes are never the same.  Standard output and error are written too: paths_check adds them where they
 * are regular files. */
#ifndef WEFT_PROGRAM_PATHS_H
#define WEFT_PROGRAM_PATHS_H

#include "weft.h"

typedef struct paths_entry paths_entry;

typedef struct paths_list {
    paths_entry *entries;
    int64_t count;
    bool lacking; /* memory */
} paths_list;

/* `option` is the word that named the file, for messages, and is borrowed; a path that is NULL is no file,
 * "-" is standard input or output. */
void paths_read(paths_list *files, const char *option, const char *path);
/* One that another option may have named, to be read once. */
void paths_read_again(paths_list *files, const char *option, const char *path);
void paths_write(paths_list *files, const char *option, const char *path);
/* A model may be replaced by one that is made of it. */
void paths_read_model(paths_list *files, const char *option, const char *path);
void paths_write_model(paths_list *files, const char *option, const char *path);
/* The files of a SPEC; NULL has none. */
void paths_read_spec(paths_list *files, const char *option, const char *spec);

/* WEFT_ARGUMENT, with both options and the paths, where a file that is written is another of the files, and
 * where standard input is read for two of them;
 * also where its path is empty or that of a directory by its last letter.  Where standard error is such a
 * file it is led to standard output, so that the message is not written into it. */
weft_status paths_check(paths_list *files, weft_error *error);
/* The same for one file that is written, against standard output and error alone. */
weft_status paths_check_standard(const char *path, weft_error *error);
void paths_free(paths_list *files);

#endif
