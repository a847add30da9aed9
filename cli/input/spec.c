/* SPDX-License-Identifier: MIT */
#include "cli/input/spec.h"

#include <stddef.h>
#include <string.h>

spec_word spec_kind(const char *spec)
{
    spec_word kind = {{0}};
    size_t length = strcspn(spec, ":,");
    memcpy(kind.text, spec, length < sizeof kind.text ? length : sizeof kind.text - 1);
    return kind;
}

bool spec_is(const char *spec, const char *kind)
{
    return strcmp(spec_kind(spec).text, kind) == 0;
}

bool spec_has(const char *spec, const char *setting)
{
    for (; spec != NULL && *spec != 0; spec++) {
        if (*spec == ',' && strncmp(spec + 1, setting, strlen(setting)) == 0)
            return true;
        if (*spec == '\\' && spec[1] != 0)
            spec++;
    }
    return false;
}
