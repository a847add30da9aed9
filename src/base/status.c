/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/show.h"

#include <stdarg.h>
#include <stdio.h>

#define WEFT__TEXT_(x) #x
#define WEFT__TEXT(x) WEFT__TEXT_(x)

const char *weft_version(void)
{
    return WEFT__TEXT(WEFT_VERSION_MAJOR) "." WEFT__TEXT(WEFT_VERSION_MINOR) "." WEFT__TEXT(
        WEFT_VERSION_PATCH);
}

const char *weft_status_name(weft_status status)
{
    switch (status) {
#define XX(name, value, meaning, exit) \
    case WEFT_##name:                  \
        return "WEFT_" #name;
        WEFT_STATUS_MAP(XX)
#undef XX
    }
    return "WEFT_UNKNOWN";
}

const char *weft_status_meaning(weft_status status)
{
    switch (status) {
#define XX(name, value, meaning, exit) \
    case WEFT_##name:                  \
        return meaning;
        WEFT_STATUS_MAP(XX)
#undef XX
    }
    return "not a status of this library";
}

int weft_status_exit(weft_status status)
{
    switch (status) {
#define XX(name, value, meaning, exit) \
    case WEFT_##name:                  \
        return exit;
        WEFT_STATUS_MAP(XX)
#undef XX
    }
    return 1;
}

__attribute__((format(printf, 5, 0))) static weft_status
fill(weft_error *error, weft_status status, int64_t i, int64_t j, const char *format, va_list facts)
{
    if (error != NULL) {
        error->status = status;
        error->at[0] = i;
        error->at[1] = j;
        char message[sizeof error->message];
        vsnprintf(message, sizeof message, format, facts);
        weft__show_into(message, sizeof error->message, error->message);
    }
    return status;
}

weft_status weft__fail(weft_error *error, weft_status status, const char *format, ...)
{
    va_list facts;
    va_start(facts, format);
    fill(error, status, -1, -1, format, facts);
    va_end(facts);
    return status;
}

weft_status weft__fail_at(weft_error *error, weft_status status, int64_t i, int64_t j, const char *format,
                          ...)
{
    va_list facts;
    va_start(facts, format);
    fill(error, status, i, j, format, facts);
    va_end(facts);
    return status;
}

weft_status weft__need(const void *pointer, const char *name, weft_error *error)
{
    return pointer != NULL ? WEFT_OK : weft__fail(error, WEFT_ARGUMENT, "%s is NULL", name);
}
