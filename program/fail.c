/* SPDX-License-Identifier: MIT */
#include "program/fail.h"

#include <stdarg.h>
#include <stdio.h>

weft_status fail(weft_error *error, weft_status status, const char *format, ...)
{
    va_list facts;
    error->status = status;
    error->at[0] = error->at[1] = -1;
    va_start(facts, format);
    vsnprintf(error->message, sizeof error->message, format, facts);
    va_end(facts);
    return status;
}
