/* SPDX-License-Identifier: MIT
 * The words of enums, for options, reports and JSON: by the value of the enum, and NULL at the end. */
#ifndef WEFT_CLI_COMMAND_WORDS_H
#define WEFT_CLI_COMMAND_WORDS_H

#include "weft_advanced.h"

/* Of weft_form; --form takes the first two, and the last is that of --both. */
extern const char *const form_words[];
enum { FORM_CHOICES = 2 };
/* The same for a sentence: "one set of ids". */
const char *form_phrase(weft_form form);

extern const char *const updates_words[];   /* of weft_updates */
extern const char *const precision_words[]; /* of weft_precision */
extern const char *const engine_words[];    /* of weft_engine */
extern const char *const metric_words[];    /* of weft_metric */

#endif
