/* SPDX-License-Identifier: MIT */
#include "io/stream/label_style.h"

enum { EARLIER = -1 };

void weft__label_style_expect(weft__label_style *language, weft_labels labels)
{
    language->expected = labels;
    language->first[0].line = labels == WEFT_LABELS_SIGNED ? EARLIER : 0;
    language->first[1].line = labels == WEFT_LABELS_BITS ? EARLIER : 0;
}

weft_labels weft__label_style_seen(const weft__label_style *language)
{
    if (language->first[0].line != 0)
        return WEFT_LABELS_SIGNED;
    return language->first[1].line != 0 ? WEFT_LABELS_BITS : WEFT_LABELS_UNKNOWN;
}

weft_status weft__label_style_take(weft__label_style *language, int label, const weft__text *text,
                                   int64_t field, const char *file, weft_error *error)
{
    if (label != -1 && label != 0)
        return WEFT_OK;
    int mine = label + 1, other = 1 - mine;
    if (language->first[mine].line == 0) {
        language->first[mine].file = file;
        language->first[mine].line = text->number;
    }
    if (language->first[other].line == 0)
        return WEFT_OK;
    if (language->first[other].line == EARLIER)
        return weft__text_fail(text, field, error,
                               "found label %d, but what was learnt before has %d: expected %s", label,
                               other - 1, other == 0 ? "-1/+1" : "0/1");
    return weft__text_fail(text, field, error,
                           "found label %d, but line %lld of %s has %d: expected either -1/+1 or 0/1", label,
                           (long long)language->first[other].line, language->first[other].file, other - 1);
}
