/* SPDX-License-Identifier: MIT */
#include "cli/command/words.h"

#include <stddef.h>

const char *const form_words[] = {
    [WEFT_PAPER] = "paper", [WEFT_BALANCED] = "balanced", [WEFT_ONE_SET] = "one set", NULL};
const char *const updates_words[] = {
    [WEFT_MARGIN_UPDATES] = "margin", [WEFT_MISTAKE_UPDATES] = "mistakes", NULL};
const char *const precision_words[] = {[WEFT_MIXED] = "mixed", [WEFT_DOUBLE] = "double", NULL};
const char *const engine_words[] = {
    [WEFT_KRYLOV] = "krylov", [WEFT_REFERENCE] = "reference", [WEFT_COMPACT] = "compact", NULL};
const char *const metric_words[] = {[WEFT_COSINE] = "cosine", [WEFT_EUCLIDEAN] = "euclidean", NULL};

const char *form_phrase(weft_form form)
{
    return form == WEFT_ONE_SET ? "one set of ids" : form_words[form];
}
