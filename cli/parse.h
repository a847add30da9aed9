/* SPDX-License-Identifier: MIT
 * Numbers and words on the command line.  A wrong one is told, with the option --NAME that
 * it belongs to, and ends the program with status 2. */
#ifndef WEFT_CLI_PARSE_H
#define WEFT_CLI_PARSE_H

#include <argp.h>
#include <stdint.h>

/* A finite number above 0. */
double parse_positive(struct argp_state *state, const char *name, const char *text);
/* A number from `least` to `most`. */
double parse_within(struct argp_state *state, const char *name, const char *text, double least, double most);
/* A whole number of at least `least`. */
int64_t parse_count(struct argp_state *state, const char *name, const char *text, int64_t least);
/* The place of `text` among words that end with NULL. */
int parse_word(struct argp_state *state, const char *name, const char *text, const char *const *words);
/* --threads N */
int parse_threads(struct argp_state *state, const char *text);

#endif
