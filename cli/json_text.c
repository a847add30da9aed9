/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "json_text.h"

#include "program/fail.h"

#include <stdlib.h>
#include <string.h>

json_t *json_name(const char *name)
{
    json_t *text = json_string(name);
    char *copy = text == NULL ? strdup(name) : NULL;
    for (char *c = copy; c != NULL && *c != 0; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    if (copy != NULL)
        text = json_string(copy);
    free(copy);
    return text;
}

json_t *json_whole(json_t *object, int failed)
{
    if (failed == 0)
        return object;
    json_decref(object);
    return NULL;
}

weft_status json_line(json_t *object, FILE *out, weft_error *error)
{
    if (object == NULL)
        return fail(error, WEFT_MEMORY, "out of memory");
    int failed = json_dumpf(object, out, JSON_REAL_PRECISION(17));
    json_decref(object);
    putc('\n', out);
    if (failed != 0 && !ferror(out))
        return fail(error, WEFT_MEMORY, "out of memory");
    return WEFT_OK;
}
