/* SPDX-License-Identifier: MIT */
#include "program/fail.h"
#include "weft_advanced.h"

#include <stdarg.h>
#include <stdio.h>

weft_status fail(weft_error *error, weft_status status, const char *format, ...)
{
    va_list facts;
    char message[sizeof error->message];
    error->status = status;
    error->at[0] = error->at[1] = -1;
    va_start(facts, format);
    vsnprintf(message, sizeof message, format, facts);
    va_end(facts);
    snprintf(error->message, sizeof error->message, "%s", weft_show(message).text);
    return status;
}
