/* SPDX-License-Identifier: MIT */
#include "cli/model/explain.h"

#include "cli/command/json_text.h"
#include "figure/figure.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

static void write_share(const share *s, FILE *out)
{
    fprintf(out, "%s,", explain_kind(s->kind));
    if (s->row != NULL)
        output_id(out, s->row);
    putc(',', out);
    if (s->column != NULL)
        output_id(out, s->column);
    fprintf(out, ",%" PRId64 ",%.17g,%.17g\n", s->count, s->derivative, s->influence);
}

void explain_csv(const explanation *found, FILE *out)
{
    fputs("by,row,column,count,derivative,influence\n", out);
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        for (int64_t k = 0; k < found->lists[kind].shown; k++)
            write_share(&found->lists[kind].shares[k], out);
}

/* ---- JSON ---- */

static json_t *describe_share(const share *s)
{
    json_t *object = json_object();
    int failed = 0;
    if (s->row != NULL)
        failed |= json_object_set_new(object, s->kind == SHARE_ID ? "id" : "row", json_name(s->row));
    if (s->column != NULL)
        failed |= json_object_set_new(object, "column", json_name(s->column));
    failed |= json_object_set_new(object, "count", json_integer(s->count));
    failed |= json_object_set_new(object, "derivative", json_real(s->derivative));
    failed |= json_object_set_new(object, "influence", json_real(s->influence));
    return json_whole(object, failed);
}

static json_t *describe_list(const share_list *list)
{
    json_t *array = json_array();
    int failed = array == NULL;
    for (int64_t k = 0; failed == 0 && k < list->shown; k++)
        failed = json_array_append_new(array, describe_share(&list->shares[k]));
    return json_whole(array, failed);
}

static json_t *describe_member(const explanation *found)
{
    return json_pack("{s:o, s:f, s:f}", "name", json_name(found->leader.name), "share",
                     found->leader.coefficient, "weight", found->leader.weight);
}

static json_t *describe_answer(const explanation *found)
{
    const weft_answer *v = &found->answer;
    return json_pack("{s:i, s:f, s:f}", "prediction", v->label, "vote", v->vote, "probability",
                     weft_negatives_probability(&found->model.negatives, v->probability));
}

static json_t *describe(const explanation *found)
{
    static const char *const names[SHARE_KINDS] = {"pairs", "rows", "columns", "ids"};
    const weft_explanation *e = &found->whole;
    json_t *object = json_pack(
        "{s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:I, s:I}", "row", json_name(found->options->row), "column",
        json_name(found->options->column), "margin", e->margin, "lower", e->lower, "upper", e->upper, "total",
        e->total, "error", e->error, "evidence", (json_int_t)weft_player_evidence_count(found->model.player),
        "products", (json_int_t)e->products);
    int failed = object == NULL;
    if (found->of_member) {
        failed |= json_object_set_new(object, "member", describe_member(found));
        failed |= json_object_set_new(object, "verdict", describe_answer(found));
    }
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        if (found->lists[kind].shares != NULL)
            failed |= json_object_set_new(object, names[kind], describe_list(&found->lists[kind]));
    return json_whole(object, failed);
}

weft_status explain_json(const explanation *found, FILE *out, weft_error *error)
{
    return json_line(describe(found), out, error);
}

/* ---- Text ---- */

/* A name for people, of at most so many characters. */
enum { NAME_WIDTH = 44, NAME_BYTES = 4 * NAME_WIDTH + 8, BAR_WIDTH = 20 };

typedef struct shown_name {
    char text[NAME_BYTES];
    int width;
} shown_name;

/* Bytes 10xxxxxx go on with the character before. */
static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* What is too long ends in an ellipsis. */
static shown_name shorten(const char *text)
{
    shown_name name = {{0}, 0};
    size_t used = 0, cut = 0;
    for (; text[used] != 0 && used < sizeof name.text - 4; used++) {
        if (begins_character(text[used]) && name.width++ == NAME_WIDTH)
            break;
        if (name.width == NAME_WIDTH - 2 && begins_character(text[used]))
            cut = used;
    }
    memcpy(name.text, text, used);
    if (text[used] == 0)
        return name;
    memcpy(name.text + cut, "...", 4);
    name.width = NAME_WIDTH;
    return name;
}

static shown_name name_share(const share *s)
{
    char whole[2 * sizeof(weft_shown) + 2];
    if (s->kind != SHARE_PAIR)
        return shorten(weft_show(s->row != NULL ? s->row : s->column).text);
    snprintf(whole, sizeof whole, "%s, %s", weft_show(s->row).text, weft_show(s->column).text);
    return shorten(whole);
}

static double largest_influence(const explanation *found)
{
    double largest = 0;
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        if (found->lists[kind].shown > 0)
            largest = fmax(largest, fabs(found->lists[kind].shares[0].influence));
    return largest;
}

static int widest_name(const explanation *found)
{
    int widest = 6; /* as "column" */
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        for (int64_t k = 0; k < found->lists[kind].shown; k++) {
            int width = name_share(&found->lists[kind].shares[k]).width;
            widest = width > widest ? width : widest;
        }
    return widest;
}

static void repeat(char c, int times)
{
    for (; times > 0; times--)
        putc(c, stderr);
}

/* The bar of a negative influence ends at the axis, that of a positive one begins
 * there. */
static void tell_share(const share *s, int width, double largest)
{
    shown_name name = name_share(s);
    int bar = largest > 0 ? (int)lround(fabs(s->influence) / largest * BAR_WIDTH) : 0;
    bool left = s->influence < 0;
    fprintf(stderr, "  %s", name.text);
    repeat(' ', width - name.width);
    fprintf(stderr, "  %+12.5g  ", s->influence);
    repeat(' ', left ? BAR_WIDTH - bar : BAR_WIDTH);
    repeat('#', left ? bar : 0);
    putc('|', stderr);
    repeat('#', left ? 0 : bar);
    putc('\n', stderr);
}

static void tell_list(const explanation *found, share_kind kind, int width, double largest)
{
    const share_list *list = &found->lists[kind];
    if (list->shown == 0)
        return;
    fprintf(stderr, "by %s", explain_kind(kind));
    if (list->shown < list->count)
        fprintf(stderr, ", the largest %" PRId64 " of %" PRId64, list->shown, list->count);
    putc('\n', stderr);
    for (int64_t k = 0; k < list->shown; k++)
        tell_share(&list->shares[k], width, largest);
}

static void tell_committee(const explanation *found)
{
    const weft_answer *v = &found->answer;
    if (found->leader.is_awake)
        fprintf(stderr,
                "this is the margin of one member, '%s', which has the largest share of the learners awake",
                found->leader.name);
    else
        fprintf(stderr,
                "this is the margin of one member, '%s', the best of the learners: they cost too much for so "
                "long\n"
                "a stream, and rest since trial %" PRId64 "; what came later it has not heard",
                found->leader.name, found->leader.since);
    if (found->leader.is_awake)
        fprintf(stderr, ", %.4f\n", found->leader.coefficient);
    else
        fputc('\n', stderr);
    fprintf(stderr, "the committee itself says %+d: vote %.6g, probability %.6g\n", v->label, v->vote,
            weft_negatives_probability(&found->model.negatives, v->probability));
}

void explain_tell(const explanation *found)
{
    const weft_explanation *e = &found->whole;
    int64_t pairs = weft_player_evidence_count(found->model.player);
    double largest = largest_influence(found);
    int width = widest_name(found);
    fprintf(stderr, "%s, %s: margin %.6g, between %.17g and %.17g\n", weft_show(found->options->row).text,
            weft_show(found->options->column).text, e->margin, e->lower, e->upper);
    if (found->of_member)
        tell_committee(found);
    fprintf(stderr,
            "the influences of all %" PRId64
            " pair%s sum to %.6g; influence: to first order, what the margin "
            "would lose without that evidence\n",
            pairs, output_plural(pairs), e->total);
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        tell_list(found, (share_kind)kind, width, largest);
}

/* ---- Picture ---- */

/* What there is to draw. */
typedef struct drawing {
    shown_name *names;
    figure_bar *bars;
    int count;
    int64_t wanted; /* bars, of which as many are drawn as a picture can hold */
} drawing;

/* Where several kinds are drawn, a name says its kind, and each has its part of the
 * bars that a picture can hold. */
static void add_bars(const share_list *list, int kinds, drawing *d)
{
    bool several = kinds > 1;
    for (int64_t k = 0; k < list->shown && k < FIGURE_MOST_BARS / kinds; k++) {
        const share *s = &list->shares[k];
        shown_name name = name_share(s), *full = &d->names[d->count];
        snprintf(full->text, sizeof full->text, "%s%s%.*s", several ? explain_kind(s->kind) : "",
                 several ? ": " : "", NAME_BYTES - 12, name.text);
        d->bars[d->count++] = (figure_bar){.name = full->text, .value = s->influence};
    }
}

static weft_status draw(const explanation *found, const drawing *d, weft_error *error)
{
    char title[1024], note[320];
    figure_error why = {{0}};
    snprintf(title, sizeof title, "What the margin %.4g of %.400s, %.400s rests on", found->whole.margin,
             found->options->row, found->options->column);
    snprintf(
        note, sizeof note,
        "Influence: to first order, what the margin would lose without that evidence. All influences sum "
        "to %.4g.%s",
        found->whole.total, d->count < d->wanted ? " The largest are drawn." : "");
    figure_bars bars = {
        .title = title, .note = note, .unit = "influence", .bars = d->bars, .count = d->count};
    for (int64_t k = 0; k < found->options->picture_count; k++)
        if (!figure_draw_bars(found->options->pictures[k], &bars, &why))
            return fail(error, WEFT_WRITE, "%s", why.message);
    return WEFT_OK;
}

weft_status explain_draw(const explanation *found, weft_error *error)
{
    drawing d = {0};
    int64_t count = 0;
    int kinds = 0;
    if (found->options->picture_count == 0)
        return WEFT_OK;
    for (int kind = 0; kind < SHARE_KINDS; kind++) {
        count += found->lists[kind].shown;
        kinds += found->lists[kind].shown > 0;
    }
    if (count == 0) {
        fprintf(stderr, "weft: there is no evidence to draw: no picture was made\n");
        return WEFT_OK;
    }
    d.names = new_array(count, sizeof *d.names);
    d.bars = new_array(count, sizeof *d.bars);
    d.wanted = count;
    for (int kind = 0; kind < SHARE_KINDS; kind++)
        add_bars(&found->lists[kind], kinds, &d);
    weft_status status = draw(found, &d, error);
    free(d.names);
    free(d.bars);
    return status;
}
