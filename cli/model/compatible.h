/* SPDX-License-Identifier: MIT */
#ifndef WEFT_CLI_MODEL_COMPATIBLE_H
#define WEFT_CLI_MODEL_COMPATIBLE_H

#include "weft_advanced.h"

/* WEFT_MODEL, naming what differs, unless evidence means the same in both. */
weft_status check_compatible(const char *const paths[2], const weft_model models[2], weft_error *error);

#endif
