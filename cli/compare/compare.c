/* SPDX-License-Identifier: MIT */
#include "cli/compare/compare.h"

#include "cli/command/long_call.h"
#include "cli/command/words.h"
#include "program/fail.h"

#include <stdio.h>

const char *const compare_measure_words[] = {
    [BY_ERROR] = "error", [BY_AUC] = "auc", [BY_PRECISION] = "precision", NULL};

static const option_row option_rows[] = {
    HEADING("How to compare:"),
    {"--form", NULL, "weft in this form alone (both)", TAKES_WORD(compare_options, form, form_words),
     .most = FORM_CHOICES, MARKS_GIVEN(compare_options, form_given)},
    {"--engine", NULL, "of weft (compact where a SPEC has map=, else krylov)",
     TAKES_WORD(compare_options, engine.engine, engine_words), MARKS_GIVEN(compare_options, engine.given)},
    {"--no-committee", NULL, "leave out the committee, which costs as much as several learners",
     TAKES_FLAG(compare_options, no_committee)},
    {"--best", NULL, "what makes one of three rates the best, and what the sentence is about (error)",
     TAKES_WORD(compare_options, best, compare_measure_words)},
    {"--limit", "N", "only the first N labelled lines", TAKES_COUNT(compare_options, limit, 1)},
    {"--threads", "N", "work on N threads (1); the result is the same",
     TAKES_COUNT(compare_options, threads, 1), .most = OPTION_MOST_THREADS},
    {"--seed", "N", "of what is shuffled, drawn or hashed, at least 1 (1)",
     TAKES_COUNT(compare_options, seed, 1)},
    HEADING("What to write:"),
    {"--json", NULL, "the result as one JSON object in place of the table",
     TAKES_FLAG(compare_options, json)},
    {"--picture", "FILE", "the running errors as a picture, .svg or .png; may be repeated",
     TAKES_FILES(compare_options, pictures, picture_count, FILE_PICTURE)},
    {"--no-times", NULL, "leave out what differs between equal runs", TAKES_FLAG(compare_options, no_times)},
    {"--quiet", NULL, "no report on standard error", TAKES_FLAG(compare_options, quiet)},
    {0},
};

static const option_rule rules[] = {
    CLASH("--both", "--form", "--form is for two sides, --both has its own"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &stream_table};

static const char documentation[] =
    "Plays the same stream with what people would use instead and with weft, with and without side "
    "information; then says in one sentence whether the side information helps, on which side, by how much "
    "and whether it is more than noise, and in another how the committee does, which weft run plays by "
    "default, beside the best of them.\v"
    "Every player that has a rate or a margin plays with three of them, and the best is shown: best in "
    "hindsight, for all alike but the committee, which has nothing to choose.  The table goes to standard "
    "output: error, error over the last half, area under the ROC curve, average precision, nDCG and recall "
    "of the first ten of a row, error on the first trial of each row and of each column, microseconds a "
    "trial.\n\n"
    "STREAM and SPEC are what weft run takes (weft run --help).\n\n"
    "Example:\n"
    "  weft compare votes.csv --rows classes:party.txt --columns none --picture votes.svg\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static const command_line line = {.table = &table,
                                  .arguments = "STREAM... --rows SPEC --columns SPEC\n"
                                               "STREAM... --both SPEC",
                                  .documentation = documentation};

static weft_status compare(compare_state *state, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(command_check_files(&line, state->options, error));
    TRY(compare_open(state, error));
    long_call_hush();
    TRY(compare_play(state, error));
    compare_follow(state);
    compare_judge(state);
    compare_tell(state);
    compare_tell_committee(state);
    compare_find_worth(state);
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
    command_parse(&line, count, arguments, &options);
    long_call_watch(!options.quiet);
    int code = limits_finish(&options.from.limits, compare(&state, &error), MORE_IDS, &error);
    compare_close(&state);
    command_free(&line, &options);
    return code;
}
