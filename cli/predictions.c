/* SPDX-License-Identifier: MIT */
#include "predictions.h"

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

weft_status predictions_write(output *file, int64_t t, const weft_event *event, const weft_outcome *outcome,
                              weft_error *error)
{
    const weft_prediction *p = &outcome->prediction;
    FILE *out = output_stream(file);
    write_event(out, t, event);
    fprintf(out, ",%.17g,%d,%.17g,%.17g,%.17g,%d,%.17g\n", p->threshold, p->label, p->margin, p->lower,
            p->upper, outcome->updated ? 1 : 0, p->probability);
    return output_check(file, error);
}

weft_status predictions_write_verdict(output *file, int64_t t, const weft_event *event,
                                      const weft_verdict *verdict, weft_error *error)
{
    FILE *out = output_stream(file);
    write_event(out, t, event);
    fprintf(out, ",%.17g,%d,%.17g,%.17g,%lld\n", verdict->threshold, verdict->label, verdict->vote,
            verdict->probability, (long long)verdict->awake);
    return output_check(file, error);
}
