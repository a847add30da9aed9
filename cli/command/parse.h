/* SPDX-License-Identifier: MIT
 * Numbers and words on the command line.  A wrong one is told, with the option that it belongs to, such as
 * "--eta", and ends the program with status 2. */
#ifndef WEFT_CLI_COMMAND_PARSE_H
#define WEFT_CLI_COMMAND_PARSE_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* A finite number above 0 that is at least `least`, and at most `most` unless that is 0. */
double parse_positive(struct argp_state *state, const char *name, const char *text, double least,
                      double most);
/* A number from `least` to `most`. */
double parse_within(struct argp_state *state, const char *name, const char *text, double least, double most);
/* A whole number of at least `least`, and at most `most` unless that is 0. */
int64_t parse_count(struct argp_state *state, const char *name, const char *text, int64_t least,
                    int64_t most);
/* A whole number with a unit behind it: K, M, G or T, each also as KB or KiB. */
int64_t parse_size(struct argp_state *state, const char *name, const char *text, int64_t least);
/* ROWSxCOLUMNS, or one number for one set of ids (the columns are then 0); parse_capacity_check tells, at the
 * end of the command line, which of both --capacity wants. */
void parse_capacity(struct argp_state *state, const char *name, const char *text, int64_t *row_capacity,
                    int64_t *column_capacity);
void parse_capacity_check(struct argp_state *state, int64_t rows, int64_t columns, bool one_set);
/* The place of `text` among the first `count` words, or among all, which end with NULL, where that is 0. */
int parse_word(struct argp_state *state, const char *name, const char *text, const char *const *words,
               int count);

#endif
