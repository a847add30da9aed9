/* SPDX-License-Identifier: MIT
 * The options of a command as tables: one row describes an option.  From it follow how its value is read,
 * checked and kept, what --help says (and with that the man page and the completion), which files the command
 * reads and writes, and which options contradict each other.
 *
 *     static const option_row option_rows[] = {
 *         {"FILE", NULL, NULL, TAKES_FILE(my_options, path, FILE_READ)},
 *         HEADING("What to write:"),
 *         {"--json", NULL, "one JSON object in place of the table", TAKES_FLAG(my_options, json)},
 *         {"--limit", "N", "only the first N lines", TAKES_COUNT(my_options, limit, 1)},
 *         {0},
 *     };
 *     static const option_rule rules[] = {
 *         NEEDED("FILE", "a FILE is needed"),
 *         CLASH("--json", "--limit", "--json shows all lines: leave out --limit"),
 *         {0},
 *     };
 *     static const option_table table = {option_rows, rules, .group = 1}; */
#ifndef WEFT_CLI_COMMAND_OPTION_H
#define WEFT_CLI_COMMAND_OPTION_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value becomes. */
typedef enum option_type {
    OPTION_END,      /* ends the table */
    OPTION_HEADING,  /* of a group of options in --help */
    OPTION_FLAG,     /* a bool becomes true */
    OPTION_TEXT,     /* a const char * */
    OPTION_TEXTS,    /* a const char ** with an int64_t that counts them: may be repeated */
    OPTION_SPECS,    /* a char *: SPECs in one text, as weft_roster_open reads them: may be repeated */
    OPTION_COUNT,    /* an int64_t, uint64_t or int: a whole number from least to most */
    OPTION_SIZE,     /* an int64_t of at least least, with a unit */
    OPTION_POSITIVE, /* a double above 0, and from least to most */
    OPTION_WITHIN,   /* a double from least to most */
    OPTION_WORD,     /* an enum: the place of the word among the first `most` of words */
    OPTION_CAPACITY, /* two int64_t: ROWSxCOLUMNS, or one number and 0 */
    OPTION_OTHER     /* whatever `set` makes of it */
} option_type;

/* What the text of OPTION_TEXT, OPTION_TEXTS and OPTION_SPECS names. */
typedef enum option_file {
    FILE_NONE,
    FILE_READ,
    FILE_WRITTEN,
    FILE_MODEL_READ, /* may be replaced by a model that is made of it */
    FILE_MODEL_WRITTEN,
    FILE_OF_SPEC,
    FILE_PICTURE, /* written; its name tells the kind */
    FILE_FOLDER   /* not looked after, but not empty */
} option_file;

typedef struct option_row option_row;

/* Wrong usage is told by argp_error. */
typedef void option_setter(struct argp_state *state, const option_row *row, const char *text, void *options);

/* What is not said is 0.  Places are offsets into the struct that holds the options of the command.  Where
 * the argument ends in |none a number may be the word none, which is 0. */
struct option_row {
    const char *name;     /* "--eta"; "STREAM" for an argument that is no option */
    const char *argument; /* the name of its value in --help; NULL: none, or the words with bars between */
    const char *help;
    option_type type;
    option_file file;
    size_t to, second; /* the places of the value */
    size_t size;       /* of a count, in bytes */
    double least, most;
    const char *const *words; /* ends with NULL */
    option_setter *set;
    size_t given;        /* the place of a bool that becomes true; 0: none */
    const char *implies; /* options, blanks between, that need not be given then */
    char letter;         /* -n beside --count */
};

/* Lists are options and arguments, blanks between; ">--single" is any option that implies --single.  A rule
 * is broken where some of `when` are given, some of `with` are given too, and none of `without` is given or
 * implied; a list that is NULL does not matter.  Then `message` is told, with the first option of `when` and
 * of `with` for its %s. */
typedef struct option_rule {
    const char *when, *with, *without;
    const char *message; /* NULL ends the rules */
} option_rule;

/* Tables that several commands share come after a command's own; their options are at the same places in the
 * structs of all these commands, and their arguments and rules come first. */
typedef struct option_table {
    const option_row *rows;
    const option_rule *rules; /* NULL: none */
    int group;                /* in --help, of the first row; every later heading begins the next */
    const struct option_table *next;
} option_table;

/* The type and the places of a row.  A member of another type than the row wants does not compile. */
#define OPTION_PLACE(S, member, kind) _Generic(((S *)0)->member, kind : offsetof(S, member))
#define TAKES_FLAG(S, member) .type = OPTION_FLAG, .to = OPTION_PLACE(S, member, bool)
#define TAKES_TEXT(S, member) .type = OPTION_TEXT, .to = OPTION_PLACE(S, member, const char *)
#define TAKES_FILE(S, member, what) TAKES_TEXT(S, member), .file = (what)
#define TAKES_TEXTS(S, member, count)                                   \
    .type = OPTION_TEXTS, .to = OPTION_PLACE(S, member, const char **), \
    .second = OPTION_PLACE(S, count, int64_t)
#define TAKES_FILES(S, member, count, what) TAKES_TEXTS(S, member, count), .file = (what)
#define TAKES_SPECS(S, member) \
    .type = OPTION_SPECS, .to = OPTION_PLACE(S, member, char *), .file = FILE_OF_SPEC
#define TAKES_COUNT(S, member, from)                                         \
    .type = OPTION_COUNT, .size = sizeof(((S *)0)->member), .least = (from), \
    .to = _Generic(((S *)0)->member, int                                     \
                   : offsetof(S, member), int64_t                            \
                   : offsetof(S, member), uint64_t                           \
                   : offsetof(S, member))
#define TAKES_SIZE(S, member, from) \
    .type = OPTION_SIZE, .to = OPTION_PLACE(S, member, int64_t), .least = (from)
#define TAKES_POSITIVE(S, member) .type = OPTION_POSITIVE, .to = OPTION_PLACE(S, member, double)
#define TAKES_WITHIN(S, member, from, up_to) \
    .type = OPTION_WITHIN, .to = OPTION_PLACE(S, member, double), .least = (from), .most = (up_to)
#define TAKES_WORD(S, member, list) \
    .type = OPTION_WORD, .to = OPTION_PLACE(S, member, unsigned), .words = (list)
#define TAKES_CAPACITY(S, rows, columns) \
    .type = OPTION_CAPACITY, .to = OPTION_PLACE(S, rows, int64_t), .second = OPTION_PLACE(S, columns, int64_t)
#define TAKES_OTHER(setter) .type = OPTION_OTHER, .set = (setter)
#define MARKS_GIVEN(S, member) .given = OPTION_PLACE(S, member, bool)
#define HEADING(text)                          \
    {                                          \
        .help = (text), .type = OPTION_HEADING \
    }

/* Rules: two lists of options contradict each other; one needs another; something is always needed. */
#define CLASH(first, second, text)                           \
    {                                                        \
        .when = (first), .with = (second), .message = (text) \
    }
#define NEEDS(first, other, text)                              \
    {                                                          \
        .when = (first), .without = (other), .message = (text) \
    }
#define NEEDED(any, text)                   \
    {                                       \
        .without = (any), .message = (text) \
    }

/* Most of the rows of a command, those that it shares included; most of what --threads takes. */
enum { OPTION_MOST = 80, OPTION_MOST_THREADS = 256 };

/* Reads the text of an option, or of an argument, into the options; `most` is how often an option can be
 * repeated. */
void option_take(struct argp_state *state, const option_row *row, const char *text, int most, void *options);

#endif
