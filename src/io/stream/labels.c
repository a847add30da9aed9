/* SPDX-License-Identifier: MIT
 *
 * One table says which words are labels without being asked about.  1 belongs to two pairs, so that a stream
 * of 1 alone leaves open which of them it speaks; every other label decides. */
#include "io/stream/labels.h"

#include "base/memory.h"
#include "io/text/hints.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    weft_labels pair; /* NO_PAIR: of more than one */
    int label;
} table[] = {
    {"1", WEFT_LABELS_UNKNOWN, 1},  {"0", WEFT_LABELS_BITS, -1},   {"-1", WEFT_LABELS_SIGNED, -1},
    {"+1", WEFT_LABELS_UNKNOWN, 1}, {"true", WEFT_LABELS_TRUE, 1}, {"false", WEFT_LABELS_TRUE, -1},
    {"yes", WEFT_LABELS_YES, 1},    {"no", WEFT_LABELS_YES, -1},   {"y", WEFT_LABELS_LETTER, 1},
    {"n", WEFT_LABELS_LETTER, -1},
};

const char weft__labels_known[] = "-1, 0, 1, true, false, yes, no, y, n or nothing";

enum { WORDS = sizeof table / sizeof *table };

/* What an error says of a pair. */
static const char *const pair_names[] = {
    [WEFT_LABELS_UNKNOWN] = "-1/1 or 0/1", [WEFT_LABELS_SIGNED] = "-1/1", [WEFT_LABELS_BITS] = "0/1",
    [WEFT_LABELS_TRUE] = "true/false",     [WEFT_LABELS_YES] = "yes/no",  [WEFT_LABELS_LETTER] = "y/n",
};

/* A label of the table; a word of which nothing is known is a negative `place`. */
typedef struct reading {
    const char *start;
    int length; /* without the blanks around it */
    int place;
} reading;

static int place_of_number(const char *field)
{
    double value = 0;
    if (!weft__parse_number(field, &value))
        return -1;
    return value == 1 ? 0 : value == 0 ? 1 : value == -1 ? 2 : -1;
}

static reading read_field(const char *field)
{
    reading read = {.start = field + strspn(field, " \t"), .place = -1};
    read.length = (int)strlen(read.start);
    while (read.length > 0 && strchr(" \t", read.start[read.length - 1]) != NULL)
        read.length--;
    for (int k = 0; k < WORDS && read.length > 0; k++)
        if (strlen(table[k].word) == (size_t)read.length &&
            strncasecmp(read.start, table[k].word, (size_t)read.length) == 0) {
            read.place = k;
            return read;
        }
    read.place = place_of_number(field);
    return read;
}

static bool is_word(const reading *read, const char *word)
{
    return strlen(word) == (size_t)read->length && strncasecmp(read->start, word, (size_t)read->length) == 0;
}

/* ---- What a stream speaks ---- */

void weft__labels_begin(weft__labels *labels)
{
    const weft_stream_options *how = labels->how;
    labels->says = labels->expected;
    if (how->positive != NULL) {
        labels->says.labels = WEFT_LABELS_WORDS;
        snprintf(labels->says.positive, sizeof labels->says.positive, "%s", how->positive);
    }
    if (how->rated)
        labels->says = (weft_language){.labels = WEFT_LABELS_RATINGS, .threshold = how->threshold};
    labels->line = 0;
    labels->file = NULL;
    labels->need = WEFT_NEEDS_NOTHING;
}

static int case_of(const reading *read)
{
    if (isupper((unsigned char)read->start[0]) == 0)
        return 0;
    return read->length == 1 || isupper((unsigned char)read->start[1]) != 0 ? 2 : 1;
}

const char *weft__labels_word(const weft__labels *labels, int label, char room[WEFT__LABEL_WORD])
{
    if (labels->says.labels == WEFT_LABELS_WORDS)
        return label > 0                       ? labels->says.positive
               : labels->says.negative[0] != 0 ? labels->says.negative
                                               : NULL;
    if (labels->says.labels < WEFT_LABELS_TRUE || labels->says.labels > WEFT_LABELS_LETTER)
        return NULL;
    for (int k = 0; k < WORDS; k++)
        if (table[k].pair == labels->says.labels && table[k].label == label)
            snprintf(room, WEFT__LABEL_WORD, "%s", table[k].word);
    for (int k = 0; k < labels->case_of && room[k] != 0; k++)
        room[k] = (char)toupper((unsigned char)room[k]);
    for (int k = 0; labels->case_of == 2 && room[k] != 0; k++)
        room[k] = (char)toupper((unsigned char)room[k]);
    return room;
}

bool weft__labels_may_be(const weft__labels *labels, const char *field)
{
    double value = 0;
    if (labels->says.labels == WEFT_LABELS_WORDS || *field == 0)
        return true;
    if (labels->says.labels == WEFT_LABELS_RATINGS)
        return weft__parse_number(field, &value);
    reading read = read_field(field);
    return read.length == 0 || read.place >= 0;
}

/* ---- Reading ---- */

static weft_status read_own(weft__labels *labels, const reading *read, const weft__text *text, int64_t field,
                            int *label, weft_error *error)
{
    weft_language *says = &labels->says;
    const char *found = text->fields[field].text;
    *label = is_word(read, says->positive) ? 1 : -1;
    if (*label > 0 || is_word(read, says->negative))
        return WEFT_OK;
    if (says->negative[0] != 0)
        return weft__text_fail(text, field, error, "found a third word %s, expected %s or %s as label",
                               weft__shown_briefly(found).text, weft__shown_briefly(says->positive).text,
                               weft__shown_briefly(says->negative).text);
    if (read->length >= WEFT_LABEL_LIMIT)
        return weft__text_fail(text, field, error, "found a label of %d bytes, %s, expected at most %d",
                               read->length, weft__shown_briefly(found).text, WEFT_LABEL_LIMIT - 1);
    memcpy(says->negative, read->start, (size_t)read->length);
    says->negative[read->length] = 0;
    return WEFT_OK;
}

static weft_status read_rating(const weft__labels *labels, const weft__text *text, int64_t field, int *label,
                               weft_error *error)
{
    double value = 0;
    weft_status status = weft__text_number(text, field, &value, error);
    *label = value >= labels->says.threshold ? 1 : -1;
    return status;
}

static weft_status refuse_word(weft__labels *labels, const weft__text *text, int64_t field, weft_error *error)
{
    double value = 0;
    const char *found = text->fields[field].text;
    bool number = weft__parse_number(found, &value) || weft__has_commas(found);
    if (weft__is_missing(found))
        return weft__text_fail(text, field, error,
                               "found %s, expected a label: %s (where there is no label the field is empty)",
                               weft__shown_briefly(found).text, weft__labels_known);
    labels->need = number ? WEFT_NEEDS_THRESHOLD : WEFT_NEEDS_POSITIVE;
    return weft__text_fail(text, field, error, "found %s, expected a label: %s%s%s",
                           weft__shown_briefly(found).text, weft__labels_known, weft__hint_fields(text).text,
                           weft__hint_number(found).text);
}

/* Labels of two pairs: what was seen first says which is meant. */
static weft_status refuse_pair(const weft__labels *labels, const weft__text *text, int64_t field,
                               weft_error *error)
{
    const char *found = text->fields[field].text;
    if (labels->line == 0)
        return weft__text_fail(text, field, error, "found label %s, but labels learnt before are %s",
                               weft__shown_briefly(found).text, pair_names[labels->says.labels]);
    return weft__text_fail(text, field, error, "found label %s, but since line %lld of %s labels are %s",
                           weft__shown_briefly(found).text, (long long)labels->line, labels->file,
                           pair_names[labels->says.labels]);
}

/* Keeps what the label says of the pair; false where it is of another one. */
static bool agrees(weft__labels *labels, const reading *read, int64_t line, const char *file)
{
    weft_labels pair = table[read->place].pair;
    bool number = labels->says.labels == WEFT_LABELS_SIGNED || labels->says.labels == WEFT_LABELS_BITS;
    if (pair == WEFT_LABELS_UNKNOWN) {
        if (labels->line == 0 && labels->says.labels == WEFT_LABELS_UNKNOWN) {
            labels->line = line; /* a number, which leaves open which pair of numbers it is of */
            labels->file = file;
        }
        return number || labels->says.labels == WEFT_LABELS_UNKNOWN;
    }
    if (labels->says.labels != WEFT_LABELS_UNKNOWN)
        return labels->says.labels == pair;
    if (labels->line != 0 && pair >= WEFT_LABELS_TRUE)
        return false;
    labels->says.labels = pair;
    labels->line = line;
    labels->file = file;
    labels->case_of = case_of(read);
    return true;
}

weft_status weft__labels_read(weft__labels *labels, const weft__text *text, int64_t field, const char *file,
                              int *label, weft_error *error)
{
    reading read = read_field(text->fields[field].text);
    labels->need = WEFT_NEEDS_NOTHING;
    *label = 0;
    if (read.length == 0)
        return WEFT_OK;
    if (labels->says.labels == WEFT_LABELS_WORDS)
        return read_own(labels, &read, text, field, label, error);
    if (labels->says.labels == WEFT_LABELS_RATINGS)
        return read_rating(labels, text, field, label, error);
    if (read.place < 0)
        return refuse_word(labels, text, field, error);
    *label = table[read.place].label;
    return agrees(labels, &read, text->number, file) ? WEFT_OK : refuse_pair(labels, text, field, error);
}
