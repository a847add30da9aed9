/* SPDX-License-Identifier: MIT
 * The bytes of a picture, and their way into a file. */
#include "figure/canvas.h"
#include "program/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool figure__fail(figure_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

bool figure__bytes_add(figure__bytes *bytes, const void *more, size_t count)
{
    if (count > bytes->capacity - bytes->count) {
        size_t capacity = 2 * (bytes->capacity + count);
        char *at = realloc(bytes->at, capacity);
        if (at == NULL)
            return false;
        bytes->at = at;
        bytes->capacity = capacity;
    }
    if (count > 0)
        memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
    return true;
}

bool figure__bytes_add_escaped(figure__bytes *bytes, const char *text)
{
    bool added = true;
    for (; added && *text != 0; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        added = entity != NULL ? figure__bytes_add(bytes, entity, strlen(entity))
                               : figure__bytes_add(bytes, text, 1);
    }
    return added;
}

bool figure__bytes_publish(const figure__bytes *bytes, const char *path, figure_error *error)
{
    output *file = NULL;
    weft_error why = {0};
    weft_status status = output_open(path, &file, &why);
    if (status == WEFT_OK) {
        fwrite(bytes->at, 1, bytes->count, output_stream(file));
        status = output_commit(file, &why);
    }
    output_free(file);
    return status == WEFT_OK || figure__fail(error, "%s", why.message);
}
