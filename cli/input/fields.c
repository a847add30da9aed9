/* SPDX-License-Identifier: MIT */
#include "cli/input/fields.h"

#include "cli/command/json_text.h"
#include "cli/input/context.h"

#include <inttypes.h>
#include <string.h>

static const char *const words[WEFT_STREAM_FIELDS] = {"row", "column", "label", "time", "id"};

/* Whether a reader of the file could not know it from the words alone. */
static bool is_plain(const weft_stream_facts *facts)
{
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++)
        if (facts->fields[k] != NULL && strcmp(facts->fields[k], words[k]) != 0)
            return false;
    return true;
}

/* Whether a header names no label: then all are positives. */
static bool lacks_label(const weft_stream_facts *facts, bool labelled)
{
    return labelled && facts->named && !facts->objects && facts->fields[WEFT_FIELD_THIRD] == NULL;
}

/* A label that is called otherwise is none: in JSON lines it may lack. */
static void tell_fields(const weft_stream_facts *facts, bool labelled, FILE *out)
{
    const char *between = "";
    fprintf(out, "%-11s", "fields");
    for (int k = 0; k < WEFT_STREAM_FIELDS; k++) {
        if (facts->fields[k] == NULL)
            continue;
        fprintf(out, "%s%s '%s'", between, words[k], weft_show(facts->fields[k]).text);
        between = ", ";
    }
    if (facts->objects && labelled && facts->fields[WEFT_FIELD_THIRD] == NULL)
        fputs(", no label (is it called otherwise? --label NAME)", out);
    if (lacks_label(facts, labelled))
        fputs(", no label: every line is +1", out);
    fputs(facts->objects ? " (JSON lines)\n" : "\n", out);
}

void stream_tell(weft_stream *stream, const weft_stream_options *how, FILE *out)
{
    weft_stream_facts facts = weft_stream_report(stream);
    if (!is_plain(&facts) || facts.objects || lacks_label(&facts, how->kind == WEFT_LABELLED))
        tell_fields(&facts, how->kind == WEFT_LABELLED, out);
    context_tell(stream, out);
    if (facts.words[1] != NULL && facts.words[0] != NULL) {
        fprintf(out, "%-11s'%s' is +1, ", "labels", weft_show(facts.words[1]).text);
        fprintf(out, "'%s' is -1\n", weft_show(facts.words[0]).text);
    }
    weft_language language = weft_stream_language(stream);
    if (language.labels == WEFT_LABELS_RATINGS)
        fprintf(out, "%-11snumbers from %.6g on are +1, others -1\n", "labels", language.threshold);
    if (facts.early > 0)
        fprintf(out, "%-11s%" PRId64 " event%s earlier than the one before, first that of line %" PRId64 "\n",
                "order", facts.early, facts.early == 1 ? " is" : "s are", facts.first_early);
}

int stream_label(const int64_t came[2])
{
    enum { LEAST = 10 };
    if (came[0] + came[1] < LEAST || (came[0] > 0 && came[1] > 0))
        return 0;
    return came[1] > 0 ? 1 : -1;
}

void stream_tell_label(const int64_t came[2], FILE *out)
{
    int label = stream_label(came);
    if (label > 0)
        fprintf(out,
                "%-11sall %" PRId64 " are +1, positives alone: there is nothing to tell them from; weft run "
                "--negatives 4\n%-11sdraws four others beside every event (docs/positives.md)\n",
                "labels", came[1], "");
    else if (label < 0)
        fprintf(out, "%-11sall %" PRId64 " are -1: there is nothing to tell them from\n", "labels", came[0]);
}

json_t *stream_describe(weft_stream *stream)
{
    weft_stream_facts facts = weft_stream_report(stream);
    json_t *object = json_object();
    int failed = object == NULL;
    for (int k = 0; k < WEFT_STREAM_FIELDS && failed == 0; k++)
        failed |= json_object_set_new(object, words[k],
                                      facts.fields[k] != NULL ? json_name(facts.fields[k]) : json_null());
    if (failed == 0)
        failed |= json_object_set_new(object, "early", json_integer(facts.early));
    if (failed == 0 && weft_stream_context(stream).count > 0)
        failed |= json_object_set_new(object, "context", context_describe(stream));
    return json_whole(object, failed);
}
