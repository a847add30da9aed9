/* SPDX-License-Identifier: MIT
 * What every command does with its command line. */
#ifndef WEFT_CLI_COMMAND_COMMAND_H
#define WEFT_CLI_COMMAND_COMMAND_H

#include "cli/command/option.h"
#include "program/paths.h"

/* A command line.  Functions that are NULL are left out. */
typedef struct command_line {
    const option_table *table; /* the command's own, which leads to those that it shares */
    const char *arguments;     /* as --help shows them */
    const char *documentation; /* before and, after \v, behind the options */
    const char *expected;      /* what is told of an argument too many: "found 'x', expected one MODEL" */
    /* What the rules cannot say of the options together: told by argp_error, after all rules. */
    void (*check)(struct argp_state *state, void *options);
    /* Adds files that no option names. */
    void (*name_files)(const void *options, paths_list *files);
    char *(*filter_help)(int key, const char *text, void *input); /* see argp */
} command_line;

/* Reads the command line into *options.  Texts are those of `arguments`, lists of texts are freed by
 * command_free.  Wrong usage is told and ends the program with status 2, --help with 0. */
void command_parse(const command_line *line, int count, char **arguments, void *options);
void command_free(const command_line *line, void *options);

/* For `check`: whether the option or argument was given; the first option given that implies another, such as
 * "--eta" for "--single", or NULL. */
bool command_given(const struct argp_state *state, const char *name);
const char *command_implying(const struct argp_state *state, const char *name);

/* The files that the options name, as the table says. */
void command_name_files(const command_line *line, const void *options, paths_list *files);
/* paths_check of these. */
weft_status command_check_files(const command_line *line, const void *options, weft_error *error);

#endif
