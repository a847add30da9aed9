/* SPDX-License-Identifier: MIT */
#include "cli/run/predictions.h"

#include "program/fail.h"

weft_status predictions_open(const char *path, const char *columns, output **file, weft_error *error)
{
    output *made = NULL;
    weft_status status = WEFT_OK;
    TRY(output_open(path, &made, error));
    fprintf(output_stream(made), "t,row,column,label,threshold,prediction,%s\n", columns);
    TRY(output_check(made, error));
    *file = made;
    made = NULL;
done:
    output_free(made);
    return status;
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
