/* SPDX-License-Identifier: MIT */
#include "cli/command/json_text.h"

#include "program/fail.h"
#include "program/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a name that is no UTF-8: every byte beyond ASCII as \xE9, and a backslash as two. */
static char *spell_bytes(const char *name)
{
    enum { ESCAPE = 4 };
    size_t size = ESCAPE * strlen(name) + 1, used = 0;
    char *spelt = malloc(size);
    for (const char *c = name; spelt != NULL && *c != 0; c++) {
        const char *format = (unsigned char)*c >= 0x80 ? "\\x%02X" : *c == '\\' ? "\\%c" : "%c";
        used += (size_t)snprintf(spelt + used, size - used, format, (unsigned char)*c);
    }
    if (spelt != NULL)
        spelt[used] = 0;
    return spelt;
}

json_t *json_name(const char *name)
{
    json_t *text = json_string(name);
    char *spelt = text == NULL ? spell_bytes(name) : NULL;
    if (spelt != NULL)
        text = json_string(spelt);
    free(spelt);
    return text;
}

json_t *json_real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_real_if(bool known, double value)
{
    return json_real_or_null(known ? value : NAN);
}

json_t *json_integer_if(bool known, int64_t value)
{
    return known ? json_integer(value) : json_null();
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

weft_status json_print(json_t *object, weft_error *error)
{
    weft_status status = json_line(object, stdout, error);
    return status == WEFT_OK ? output_finish(error) : status;
}
