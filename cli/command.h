/* SPDX-License-Identifier: MIT
 * What every command does with its command line. */
#ifndef WEFT_CLI_COMMAND_H
#define WEFT_CLI_COMMAND_H

#include "program/paths.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* An option that is only remembered: the offset of a const char *, which becomes its
 * text, or, for an option without one, of a bool, which becomes true. */
typedef struct command_member {
    int key; /* 0 ends the list */
    size_t offset;
} command_member;

/* Names the files that the options ask to be read and written. */
typedef void command_name_files(const void *options, paths_list *files);

/* A command's own half of its command line; the other half is a parser that several
 * commands share, such as model_place_parser. */
typedef struct command_line {
    const struct argp_option *options;
    const command_member *members; /* the options that are only remembered; NULL: none */
    argp_parser_t take;        /* the others, and at the end what must hold together; NULL: there are none */
    const char *arguments;     /* as --help shows them */
    const char *documentation; /* before and, after \v, behind the options */
    command_name_files *name_files; /* of the own half, where the other is that of a model; NULL: none */
} command_line;

/* paths_check of these. */
weft_status command_check_files(command_name_files *name, const void *options, weft_error *error);

/* Reads the command line into *options, whose first member is what `shared` takes.
 * Arguments that are no options are offered to `take` first.  Wrong usage is told
 * and ends the program with status 2, --help with 0. */
void command_parse(const command_line *line, const struct argp *shared, int count, char **arguments,
                   void *options);

#endif
