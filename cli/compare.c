/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include "parse.h"
#include "program/fail.h"
#include "program/interrupt.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    KEY_FORM = 256,
    KEY_ENGINE,
    KEY_NO_COMMITTEE,
    KEY_BEST,
    KEY_LIMIT,
    KEY_THREADS,
    KEY_SEED,
    KEY_JSON,
    KEY_PICTURE,
    KEY_NO_TIMES,
    KEY_QUIET
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "How to compare:", 2},
    {"form", KEY_FORM, "paper|balanced", 0, "weft in this form alone (both)", 2},
    {"engine", KEY_ENGINE, ENGINE_WORDS, 0, "of weft (compact where a SPEC has map=, else krylov)", 2},
    {"no-committee", KEY_NO_COMMITTEE, NULL, 0,
     "leave out the committee, which costs as much as several learners", 2},
    {"best", KEY_BEST, "error|auc|precision", 0,
     "what makes one of three rates the best, and what the sentence is about (error)", 2},
    {"limit", KEY_LIMIT, "N", 0, "only the first N labelled lines", 2},
    {"threads", KEY_THREADS, "N", 0, "work on N threads (1); the result is the same", 2},
    {"seed", KEY_SEED, "N", 0, "of what is shuffled, drawn or hashed, at least 1 (1)", 2},
    {NULL, 0, NULL, 0, "What to write:", 3},
    {"json", KEY_JSON, NULL, 0, "the result as one JSON object in place of the table", 3},
    {"picture", KEY_PICTURE, "FILE", 0, "the running errors as a picture, .svg or .png; may be repeated", 3},
    {"no-times", KEY_NO_TIMES, NULL, 0, "leave out what differs between equal runs", 3},
    {"quiet", KEY_QUIET, NULL, 0, "no report on standard error", 3},
    {0},
};

static const char documentation[] =
    "Plays the same stream with what people would use instead and with weft, with and without side "
    "information; then says in one sentence whether the side information helps, on which side, by how much "
    "and whether it is more than noise, and in another how the committee does, which weft run plays by "
    "default, beside the best of them.\v"
    "Everybody who has a rate or a margin plays with three of them, and the best is shown: best in "
    "hindsight, for all alike but the committee, which has nothing to choose.  The table goes to standard "
    "output: error, error over the last half, area "
    "under "
    "the ROC curve, average precision, nDCG and recall of the first ten of a row, error on the first trial "
    "of each row and of each column, microseconds a trial.\n\n"
    "STREAM and SPEC are what weft run takes (weft run --help).\n\n"
    "Example:\n"
    "  weft compare votes.csv --rows classes:party.txt --columns none --picture votes.svg\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static void check_together(struct argp_state *state, const compare_options *options)
{
    if (options->from.both != NULL && options->form_given)
        argp_error(state, "--form is for two sides, --both has its own");
}

static error_t take(int key, char *text, struct argp_state *state)
{
    static const char *const forms[] = {"paper", "balanced", NULL};
    static const char *const measures[] = {"error", "auc", "precision", NULL};
    compare_options *options = state->input;
    switch (key) {
    case KEY_FORM:
        options->form = parse_word(state, "form", text, forms) == 0 ? WEFT_PAPER : WEFT_BALANCED;
        options->form_given = true;
        return 0;
    case KEY_ENGINE:
        engine_parse(state, text, &options->engine);
        return 0;
    case KEY_NO_COMMITTEE:
        options->no_committee = true;
        return 0;
    case KEY_BEST:
        options->best = (compare_measure)parse_word(state, "best", text, measures);
        return 0;
    case KEY_LIMIT:
        options->limit = parse_count(state, "limit", text, 1);
        return 0;
    case KEY_THREADS:
        options->threads = parse_threads(state, text);
        return 0;
    case KEY_SEED:
        options->seed = (uint64_t)parse_count(state, "seed", text, 1);
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_PICTURE:
        options->pictures[options->picture_count++] = parse_picture(state, text);
        return 0;
    case KEY_NO_TIMES:
        options->no_times = true;
        return 0;
    case KEY_QUIET:
        options->quiet = true;
        return 0;
    case ARGP_KEY_END:
        check_together(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const command_line line = {.options = table,
                                  .take = take,
                                  .arguments = "STREAM... --rows SPEC --columns SPEC\n"
                                               "STREAM... --both SPEC",
                                  .documentation = documentation};

static void name_files(const void *given, paths_list *files)
{
    const compare_options *options = given;
    source_name_files(&options->from, files);
    for (int64_t k = 0; k < options->picture_count; k++)
        paths_write(files, "--picture", options->pictures[k]);
}

static weft_status compare(compare_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(command_check_files(name_files, state->options, error));
    TRY(compare_open(state, error));
    interrupt_watch();
    TRY(compare_play(state, error));
    TRY(compare_follow(state, error));
    TRY(compare_judge(state, error));
    compare_tell(state);
    compare_tell_committee(state);
    TRY(state->options->json ? compare_json(state, error) : compare_table(state, error));
    TRY(compare_draw(state, error));
done:
    return status;
}

int compare_command(int count, char **arguments)
{
    compare_options options = {.threads = 1, .seed = 1};
    compare_state state = {.options = &options};
    weft_error error = {0};
    options.pictures = calloc((size_t)count, sizeof *options.pictures);
    if (options.pictures == NULL)
        return 1;
    source_parse(&line, count, arguments, &options.from);
    interrupt_spare_writes();
    weft_status status = limits_explain(&options.from.limits, compare(&state, &error), &error);
    if (status != WEFT_OK)
        fprintf(stderr, "weft: %s%s\n", error.message,
                status == WEFT_CAPACITY ? " (--max-ids gives more room)" : "");
    int code = status != WEFT_OK && interrupt_came() ? EXIT_INTERRUPTED : weft_status_exit(status);
    compare_close(&state);
    source_free(&options.from);
    free(options.pictures);
    return code;
}
