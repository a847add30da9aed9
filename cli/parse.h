/* SPDX-License-Identifier: MIT
 * Numbers and words on the command line.  A wrong one is told, with the option --NAME that
 * it belongs to, and ends the program with status 2. */
#ifndef WEFT_CLI_PARSE_H
#define WEFT_CLI_PARSE_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* A finite number above 0. */
double parse_positive(struct argp_state *state, const char *name, const char *text);
/* A number from `least` to `most`. */
double parse_within(struct argp_state *state, const char *name, const char *text, double least, double most);
/* A whole number of at least `least`. */
int64_t parse_count(struct argp_state *state, const char *name, const char *text, int64_t least);
/* The same with a unit behind it: K, M, G or T, each also as KB or KiB. */
int64_t parse_size(struct argp_state *state, const char *name, const char *text, int64_t least);
/* --gamma X, above 0 and at most 1, and --dimension X, at least 1. */
double parse_gamma(struct argp_state *state, const char *text);
double parse_dimension(struct argp_state *state, const char *text);
/* --capacity ROWSxCOLUMNS, or one number for one set of ids (the columns are then 0);
 * parse_capacity_check tells, at the end of the command line, which of both is wanted. */
void parse_capacity(struct argp_state *state, const char *text, int64_t *row_capacity,
                    int64_t *column_capacity);
void parse_capacity_check(struct argp_state *state, int64_t rows, int64_t columns, bool one_set);
/* The place of `text` among words that end with NULL. */
int parse_word(struct argp_state *state, const char *name, const char *text, const char *const *words);
/* The name of a picture, which tells its kind. */
const char *parse_picture(struct argp_state *state, const char *text);
/* --threads N */
int parse_threads(struct argp_state *state, const char *text);

#endif
