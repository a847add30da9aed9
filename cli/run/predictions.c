/* SPDX-License-Identifier: MIT */
#include "cli/run/predictions.h"

void predictions_begin(output *file, const char *columns, bool answers)
{
    fprintf(output_stream(file), "t,row,column,label,threshold,prediction,%s%s\n", columns,
            answers ? ",answer" : "");
}

static void write_event(FILE *out, int64_t t, const weft_event *event)
{
    fprintf(out, "%lld,", (long long)t);
    output_id(out, event->row);
    putc(',', out);
    output_id(out, event->column);
    putc(',', out);
    if (event->label != 0)
        fprintf(out, "%d", event->label);
}

void predictions_write(output *file, int64_t t, const weft_event *event, const weft_answer *answer)
{
    FILE *out = output_stream(file);
    write_event(out, t, event);
    fprintf(out, ",%.17g,%d,", answer->threshold, answer->label);
}

void predictions_write_answer(output *file, const char *word)
{
    putc(',', output_stream(file));
    if (word != NULL)
        output_id(output_stream(file), word);
}
