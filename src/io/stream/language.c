/* SPDX-License-Identifier: MIT */
#include "io/stream/language.h"

#include "base/show.h"
#include "io/stream/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

weft_language_text weft_language_show(const weft_language *language)
{
    static const char *const pairs[] = {"unknown", "-1/+1", "0/1", "true/false", "yes/no", "y/n"};
    weft_language_text made = {{0}};
    if (language == NULL || (int)language->labels < 0 || language->labels > WEFT_LABELS_RATINGS)
        return (weft_language_text){"unknown"};
    if (language->labels == WEFT_LABELS_RATINGS)
        snprintf(made.text, sizeof made.text, "numbers, from %.17g on +1", language->threshold);
    else if (language->labels < WEFT_LABELS_WORDS)
        snprintf(made.text, sizeof made.text, "%s", pairs[language->labels]);
    else
        snprintf(made.text, sizeof made.text, "%s for +1, %s for -1",
                 weft__shown_briefly(language->positive).text,
                 language->negative[0] != 0 ? weft__shown_briefly(language->negative).text : "another word");
    return made;
}

/* ---- What is none ---- */

static weft_status check_word(const char *word, bool needed, weft_error *error)
{
    bool has_end = memchr(word, 0, WEFT_LABEL_LIMIT) != NULL;
    if (has_end && (*word != 0 || !needed))
        return WEFT_OK;
    return weft__fail(error, WEFT_ARGUMENT, "a word for labels is %s, expected 1 to %d bytes",
                      has_end ? "empty" : "too long", WEFT_LABEL_LIMIT - 1);
}

weft_status weft__language_check(const weft_language *language, weft_error *error)
{
    bool words = language->labels == WEFT_LABELS_WORDS, rated = language->labels == WEFT_LABELS_RATINGS;
    weft_status status = WEFT_OK;
    if ((int)language->labels < WEFT_LABELS_UNKNOWN || language->labels > WEFT_LABELS_RATINGS)
        return weft__fail(error, WEFT_ARGUMENT, "found the labels %d, expected 0 to %d",
                          (int)language->labels, WEFT_LABELS_RATINGS);
    TRY(check_word(language->positive, words, error));
    TRY(check_word(language->negative, false, error));
    if (!words && (language->positive[0] != 0 || language->negative[0] != 0))
        return weft__fail(error, WEFT_ARGUMENT, "labels that are no words of the user's have such words");
    if (words && strcasecmp(language->positive, language->negative) == 0)
        return weft__fail(error, WEFT_ARGUMENT, "one word, %s, stands for both labels",
                          weft__shown_briefly(language->positive).text);
    if (!isfinite(language->threshold) || (!rated && language->threshold != 0))
        return weft__fail(error, WEFT_ARGUMENT, "the threshold of labels is %g, expected %s",
                          language->threshold, rated ? "a finite number" : "0");
done:
    return status;
}

weft_status weft__language_check_options(const weft_stream_options *how, weft_error *error)
{
    if (how->positive != NULL && (*how->positive == 0 || strlen(how->positive) >= WEFT_LABEL_LIMIT))
        return weft__fail(error, WEFT_ARGUMENT, "the word for +1 has %zu bytes, expected 1 to %d",
                          strlen(how->positive), WEFT_LABEL_LIMIT - 1);
    if (how->rated && !isfinite(how->threshold))
        return weft__fail(error, WEFT_ARGUMENT, "the threshold of labels is %g, expected a finite number",
                          how->threshold);
    return WEFT_OK;
}

/* ---- Two of them ---- */

static bool is_asked_for(const weft_language *language)
{
    return language->labels >= WEFT_LABELS_WORDS;
}

/* Words that were not seen yet may be any. */
static bool is_same(const weft_language *a, const weft_language *b)
{
    return a->labels == b->labels && a->threshold == b->threshold &&
           strcasecmp(a->positive, b->positive) == 0 &&
           (a->negative[0] == 0 || b->negative[0] == 0 || strcasecmp(a->negative, b->negative) == 0);
}

weft_status weft_language_unite(const weft_language *a, const weft_language *b, weft_language *both,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(a);
    NEED(b);
    NEED(both);
    if (a->labels == WEFT_LABELS_UNKNOWN || b->labels == WEFT_LABELS_UNKNOWN)
        *both = a->labels == WEFT_LABELS_UNKNOWN ? *b : *a;
    else if (is_same(a, b))
        *both = a->negative[0] != 0 ? *a : *b;
    else if (is_asked_for(a) || is_asked_for(b))
        return weft__fail(error, WEFT_ARGUMENT, "labels are %s in one and %s in the other",
                          weft_language_show(a).text, weft_language_show(b).text);
    else
        *both = (weft_language){.labels = WEFT_LABELS_UNKNOWN};
done:
    return status;
}

/* ---- Of a stream ---- */

weft_language weft_stream_language(const weft_stream *stream)
{
    return stream != NULL ? stream->labels.says : (weft_language){.labels = WEFT_LABELS_UNKNOWN};
}

weft_status weft_stream_expect(weft_stream *stream, const weft_language *earlier, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(stream);
    NEED(earlier);
    TRY(weft__language_check(earlier, error));
    weft__labels asked = {.how = &stream->how};
    weft__labels_begin(&asked);
    if (is_asked_for(&asked.says) && earlier->labels != WEFT_LABELS_UNKNOWN && !is_same(&asked.says, earlier))
        return weft__fail(error, WEFT_ARGUMENT, "the labels of the earlier stream are others: %s",
                          weft_language_show(earlier).text);
    stream->labels.expected = *earlier;
    weft__labels_begin(&stream->labels);
done:
    return status;
}
