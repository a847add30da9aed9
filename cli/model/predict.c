/* SPDX-License-Identifier: MIT
 * weft predict: the margins of pairs under a model, which stays as it is.
 *
 * Pairs are taken in batches: their ids are let in by one thread, their margins
 * computed by all, each with a copy of the learner or the committee, and written in their order.  A
 * batch ends when it is full or when the next pair would have to be waited for, so
 * that whoever asks one pair at a time through a pipe is answered at once.  A margin
 * depends on the model and the pair, never on the batch or the number of threads. */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/long_call.h"
#include "cli/model/model.h"
#include "cli/model/predict_score.h"
#include "cli/model/warmth.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/new.h"
#include "program/output.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096 };

typedef struct predict_options {
    model_place place;
    const char **pairs;
    int64_t pair_count;
    weft_stream_options how; /* which field is what */
    const char *out;
    double tolerance; /* 0: not given */
    int threads;
    bool score, json;
    int64_t first; /* of a row, that nDCG and recall look at; 0: not given */
} predict_options;

static const option_row option_rows[] = {
    {"PAIRS", NULL, NULL, TAKES_FILES(predict_options, pairs, pair_count, FILE_READ)},
    {"--tolerance", "X",
     "how narrow the bracket of a margin must be, as a share of max(gamma, margin) (0.02)",
     TAKES_POSITIVE(predict_options, tolerance)},
    {"--row", "NAME", "the field of the row, in a header or in JSON lines",
     TAKES_TEXT(predict_options, how.fields[WEFT_FIELD_ROW])},
    {"--column", "NAME", "the field of the column",
     TAKES_TEXT(predict_options, how.fields[WEFT_FIELD_COLUMN])},
    {"--threads", "N", "work on N threads (1); the output is the same",
     TAKES_COUNT(predict_options, threads, 1), .most = OPTION_MOST_THREADS},
    {"--out", "OUT.csv", "write there instead of to standard output",
     TAKES_FILE(predict_options, out, FILE_WRITTEN)},
    HEADING("How good the answers are:"),
    {"--score", NULL,
     "the pairs have labels: tell the error, log loss, Brier score, AUC, average precision, nDCG and recall, "
     "in place of the answers, which --out still writes",
     TAKES_FLAG(predict_options, score)},
    {"--first", "K", "nDCG and recall look at the first K of a row (10)",
     TAKES_COUNT(predict_options, first, 1)},
    {"--json", NULL, "that as one JSON object", TAKES_FLAG(predict_options, json)},
    {"--label", "NAME", "the field of the label", TAKES_TEXT(predict_options, how.fields[WEFT_FIELD_THIRD])},
    {"--positive", "WORD", "labels are two words, of which this one is +1",
     TAKES_TEXT(predict_options, how.positive)},
    {"--threshold", "X", "labels are numbers, of which those from X on are +1",
     TAKES_WITHIN(predict_options, how.threshold, -1e300, 1e300), MARKS_GIVEN(predict_options, how.rated)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("PAIRS", "a MODEL and PAIRS are needed"),
    NEEDS("--first", "--score", "--first is of --score"),
    NEEDS("--json", "--score", "--json is of --score"),
    NEEDS("--label", "--score", "--label is of --score"),
    NEEDS("--positive", "--score", "--positive is of --score"),
    NEEDS("--threshold", "--score", "--threshold is of --score"),
    CLASH("--positive", "--threshold", "--positive is for labels that are words, --threshold for numbers"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Predicts pairs with a model, which stays as it is.\v"
    "PAIRS hold `row,column' lines, separated by tab, comma or blanks, or JSON lines; a header that names "
    "row "
    "and column, in these words or usual ones (user_id, item ...), gives their places; other fields are "
    "ignored; "
    "`-' is standard input, and every line is answered before the next is waited for.  A line that cannot be "
    "read "
    "is told on standard error with its number, the others are answered, and the status is 3.\n\n"
    "The answer is CSV: row,column,prediction,margin,lower,upper,probability,known.  Nothing is drawn: the "
    "prediction is the sign of the margin, which lies in [lower, upper].  `known' says, for the row and "
    "the column, whether labels of it were learnt (warm), only side information or nothing is there (cold), "
    "or "
    "the model has not met the id (new; it is answered as one that is similar to no other): warm/cold is a "
    "row "
    "that was learnt and a column that was not.  The compact engine "
    "cannot tell warm from cold (listed), and nothing where names are hashed (hashed).\n\n"
    "Of a committee's model the answer is row,column,prediction,vote,probability,known: the prediction is 1 "
    "if the vote, the weight of the members that predict 1, is at least 1/2; the probability is that of the "
    "label 1.  "
    "An id is warm where any of its members has learnt a label of it, resting ones too.  There is no "
    "--tolerance.\n\n"
    "With --score PAIRS hold labels that the model has not learnt, as a stream does, and in place of the "
    "answers stands how good they are, with 95 % intervals: of all pairs, of those whose row and column are "
    "warm, and of those where one or both are not.\n\n"
    "Example:\n"
    "  weft predict votes.weft pairs.csv --threads 4 --out predicted.csv\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input or lines that could not be answered, 4 a model that is "
    "damaged or does not fit, 130 "
    "interrupted, 1 anything else.";

/* ---- One batch ---- */

typedef struct query {
    char *name[2]; /* NULL where the model keeps it */
    int64_t pair[2];
    uint64_t context[WEFT_CONTEXT_LIMIT];
    int label; /* 0: none */
    weft_answer answer;
} query;

typedef struct predict_state {
    const predict_options *options;
    weft_model model;
    warmth known;
    weft_stream *stream;
    output *out;
    bool begun;    /* the header is written */
    int64_t bad;   /* lines that could not be answered, */
    int64_t lines; /* of all */
    bool swallowed;
    bool waited; /* the batch ended because the next pair has to be waited for */
    query *queries;
    int count;
    query **order; /* by their contexts */
    /* Of those that are asked at once: */
    int64_t (*pairs)[2];
    weft_answer *answers;
    score_sheet sheet; /* --score */
} predict_state;

static weft_status ask(predict_state *state, int64_t count, weft_error *error)
{
    double tolerance = state->options->tolerance > 0 ? state->options->tolerance : 0.02;
    return weft_player_predict_many(state->model.player, count, &state->pairs[0][0], tolerance,
                                    state->options->threads, state->answers, error);
}

static int compare_contexts(const query *a, const query *b)
{
    return memcmp(a->context, b->context, sizeof a->context);
}

static int by_context(const void *a, const void *b)
{
    return compare_contexts(*(query *const *)a, *(query *const *)b);
}

/* Pairs of the batch that have the context in common are asked at once: all, where there is none. */
static weft_status evaluate(predict_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    query **order = state->order;
    for (int k = 0; k < state->count; k++)
        order[k] = &state->queries[k];
    qsort(order, (size_t)state->count, sizeof(query *), by_context);
    for (int from = 0, to = 0; from < state->count; from = to) {
        for (; to < state->count && compare_contexts(order[to], order[from]) == 0; to++)
            memcpy(state->pairs[to - from], order[to]->pair, sizeof order[to]->pair);
        TRY(weft_player_set_context(state->model.player, order[from]->context, state->model.context.count,
                                    error));
        TRY(ask(state, to - from, error));
        for (int k = from; k < to; k++)
            order[k]->answer = state->answers[k - from];
    }
done:
    return status;
}

static void drop_names(predict_state *state)
{
    for (int k = 0; state->queries != NULL && k < state->count; k++)
        for (int side = 0; side < 2; side++) {
            free(state->queries[k].name[side]);
            state->queries[k].name[side] = NULL;
        }
    state->count = 0;
}

/* Names that the model does not keep, or does not know, must outlive the line. */
static void keep_names(const predict_state *state, const weft_event *event, const int64_t pair[2], query *q)
{
    const char *names[2] = {event->row, event->column};
    for (int side = 0; side < 2; side++) {
        const weft_roster *roster = side == 0 ? state->model.rows : model_columns(&state->model);
        if (model_hashed(&state->model, side) || pair[side] >= weft_ids_count(weft_roster_ids(roster)))
            q->name[side] = new_text("%s", names[side]);
    }
}

/* One line is told and passed over; true where the stream goes on behind it. */
static bool pass_over(predict_state *state, weft_status status, const weft_error *error)
{
    if (status != WEFT_INPUT && status != WEFT_UNKNOWN_ID && status != WEFT_UNSUPPORTED)
        return false;
    long_call_clear();
    fprintf(stderr, "weft: %s\n", error->message);
    state->bad++;
    return true;
}

static weft_status next_pair(predict_state *state, weft_event *event, bool *more, weft_error *error)
{
    weft_status status = weft_stream_next(state->stream, event, more, error);
    weft_stream_facts facts = weft_stream_report(state->stream);
    if (status == WEFT_OK || facts.need != WEFT_NEEDS_FIELDS)
        return status;
    weft_error inner = *error;
    return fail(error, status, "%s (say --row NAME --column NAME)", inner.message);
}

/* Takes the next line into the batch, if it can be answered. */
static weft_status take_line(predict_state *state, bool *more, weft_error *error)
{
    weft_event event = {0};
    query *q = &state->queries[state->count];
    int64_t *pair = q->pair;
    weft_status status = next_pair(state, &event, more, error);
    if (interrupt_came())
        return fail(error, WEFT_INTERRUPTED, "interrupted");
    if (status != WEFT_OK) {
        bool passed = weft_stream_report(state->stream).passed && pass_over(state, status, error);
        state->lines += passed, state->swallowed |= weft_stream_report(state->stream).swallowed;
        return passed ? WEFT_OK : status;
    }
    if (!*more)
        return WEFT_OK;
    state->lines++;
    status = model_find_pair(&state->model, &event, pair, error);
    if (status != WEFT_OK)
        return pass_over(state, status, error) ? WEFT_OK : status;
    keep_names(state, &event, pair, q);
    q->label = event.label;
    memcpy(q->context, event.context, sizeof q->context);
    state->count++;
    return WEFT_OK;
}

static weft_status read_batch(predict_state *state, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    drop_names(state);
    state->waited = false;
    while (state->count < BATCH && *more && !state->waited) {
        TRY(take_line(state, more, error));
        state->waited = *more && !weft_stream_ready(state->stream);
    }
done:
    return status;
}

static const char *name_of(const predict_state *state, int k, int side)
{
    const weft_roster *roster = side == 0 ? state->model.rows : model_columns(&state->model);
    const char *own = state->queries[k].name[side];
    return own != NULL ? own : weft_ids_name(weft_roster_ids(roster), state->queries[k].pair[side]);
}

static void write_query(const predict_state *state, int k)
{
    const warmth *known = &state->known;
    const weft_answer *answer = &state->queries[k].answer;
    FILE *out = output_stream(state->out);
    output_id(out, name_of(state, k, 0));
    putc(',', out);
    output_id(out, name_of(state, k, 1));
    fprintf(out, ",%d", answer->label);
    model_write_answer(&state->model, answer, out);
    fprintf(out, ",%s/%s\n", warmth_of(known, 0, state->queries[k].pair[0]),
            warmth_of(known, 1, state->queries[k].pair[1]));
}

static void score_query(predict_state *state, int k)
{
    const query *q = &state->queries[k];
    scored_answer said = {.row = name_of(state, k, 0), .answer = &q->answer};
    for (int side = 0; side < 2; side++)
        said.warm[side] = strcmp(warmth_of(&state->known, side, q->pair[side]), "warm") == 0;
    said.probability = weft_negatives_probability(&state->model.negatives, q->answer.probability);
    score_sheet_add(&state->sheet, &said, q->label);
}

static weft_status write_batch(predict_state *state, weft_error *error)
{
    for (int k = 0; k < state->count && state->options->score; k++)
        score_query(state, k);
    if (state->out == NULL)
        return WEFT_OK;
    if (!state->begun)
        fprintf(output_stream(state->out), "row,column,prediction%s,known\n",
                model_answer_columns(&state->model));
    state->begun = true;
    for (int k = 0; k < state->count; k++)
        write_query(state, k);
    return state->waited ? output_flush(state->out, error) : output_check(state->out, error);
}

/* ---- The command ---- */

static void make_arrays(predict_state *state)
{
    state->queries = new_array(BATCH, sizeof *state->queries);
    state->order = new_array(BATCH, sizeof(query *));
    state->pairs = new_array(BATCH, sizeof *state->pairs);
    state->answers = new_array(BATCH, sizeof *state->answers);
}

/* Answers are written, unless it is told how good they are and nobody has said where to. */
static weft_status open_output(predict_state *state, weft_error *error)
{
    const predict_options *options = state->options;
    const warmth *known = &state->known;
    state->sheet = (score_sheet){.most = options->first > 0 ? options->first : 10,
                                 .apart = !known->compact && !known->hashed[0] && !known->hashed[1]};
    if (options->score && options->out == NULL)
        return WEFT_OK;
    return output_open(options->out != NULL ? options->out : "-", &state->out, error);
}

static weft_status finish(predict_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (state->out != NULL)
        TRY(output_commit(state->out, error));
    if (state->options->score)
        TRY(score_sheet_tell(&state->sheet, state->options->json, error));
done:
    return status;
}

static weft_status predict(const predict_options *options, predict_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    weft_file_options files = limits_files(&options->place.limits, 0);
    state->options = options;
    weft_stream_options how = options->how;
    how.kind = options->score ? WEFT_LABELLED : WEFT_PAIRS;
    TRY(weft_stream_open_with(&how, options->pairs, options->pair_count, &files, &state->stream, error));
    TRY(model_open(options->place.model, &options->place, NULL, &state->model, error));
    TRY(weft_stream_set_context(state->stream, &state->model.context, error));
    if (options->tolerance > 0)
        TRY(model_need_margins(options->place.model, &state->model, "--tolerance", error));
    warmth_find(&state->model, &state->known);
    weft_roster_ask_anyone(state->model.rows);
    weft_roster_ask_anyone(state->model.columns);
    make_arrays(state);
    long_call_hush();
    TRY(open_output(state, error));
    while (more) {
        TRY(read_batch(state, &more, error));
        TRY(evaluate(state, error));
        TRY(write_batch(state, error));
    }
    TRY(finish(state, error));
    if (state->bad > 0)
        return fail(error, WEFT_INPUT, "%lld of %lld lines could not be answered, %s", (long long)state->bad,
                    (long long)state->lines,
                    state->swallowed ? "nor those behind the quote that is never closed" : "the others were");
done:
    return status;
}

static void close_state(predict_state *state)
{
    drop_names(state);
    free(state->queries);
    free(state->order);
    free(state->pairs);
    free(state->answers);
    warmth_free(&state->known);
    score_sheet_free(&state->sheet);
    output_free(state->out);
    weft_stream_free(state->stream);
    weft_model_close(&state->model);
}

static weft_status work_on(model_place *place, weft_error *error)
{
    predict_state state = {0};
    weft_status status = predict((const predict_options *)place, &state, error);
    close_state(&state);
    return status;
}

int predict_command(int count, char **arguments)
{
    static const command_line line = {
        .table = &table, .arguments = "MODEL PAIRS...", .documentation = documentation};
    predict_options options = {.threads = 1};
    return model_run(&line, work_on, count, arguments, &options.place);
}
