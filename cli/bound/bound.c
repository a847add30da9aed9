/* SPDX-License-Identifier: MIT
 * weft bound: the command line, and the order of what is done. */
#include "cli/bound/bound.h"

#include "cli/command/long_call.h"
#include "cli/command/parse.h"
#include "program/fail.h"
#include "program/output.h"

static const char boxes_need[] =
    "--box-separation needs --classes-rows K, --classes-columns L and --capacity ROWSxCOLUMNS";

static const option_row option_rows[] = {
    {"--truth-rows", "FILE", "true classes of the rows, `id class' a line",
     TAKES_FILE(bound_options, truth.row_truth, FILE_READ)},
    {"--truth-columns", "FILE", "true classes of the columns",
     TAKES_FILE(bound_options, truth.column_truth, FILE_READ)},
    {"--classes-rows", "K", "only their number is known", TAKES_COUNT(bound_options, truth.row_classes, 1)},
    {"--classes-columns", "L", "likewise of the columns",
     TAKES_COUNT(bound_options, truth.column_classes, 1)},
    {"--communities", NULL, "rows and columns are the same ids, and +1 means the same class: a larger margin",
     TAKES_FLAG(bound_options, communities)},
    {"--capacity", "ROWSxCOLUMNS", "room for ids, with --both one number (those that are listed)",
     TAKES_CAPACITY(bound_options, row_capacity, column_capacity)},
    HEADING("Points in boxes, before there are any (in place of --rows and --columns):"),
    {"--box-separation", "X", "least distance of two boxes in the maximum norm",
     TAKES_POSITIVE(bound_options, box_separation), .implies = "--rows --columns"},
    {"--box-range", "R", "they lie in [-R,R]^D, at least 2 (2)", TAKES_POSITIVE(bound_options, box_range),
     .least = 2},
    {"--box-dimension", "D", "numbers of a point (2)", TAKES_COUNT(bound_options, box_dimension, 1)},
    HEADING("What is played:"),
    {"--horizon", "T", "labelled trials", TAKES_COUNT(bound_options, horizon, 1)},
    {"--errors", "E", "labels that the best matrix with these classes gets wrong (0)",
     TAKES_COUNT(bound_options, errors, 0)},
    {"--gamma", "X", "margin (the largest that the classes permit)", TAKES_POSITIVE(bound_options, gamma),
     .most = 1},
    {"--dimension", "X", "estimate of the quasi-dimension D (that of the classes)",
     TAKES_POSITIVE(bound_options, dimension), .least = 1},
    {"--eta", "X", "learning rate (that of each statement)", TAKES_POSITIVE(bound_options, eta)},
    {"--json", NULL, "one JSON object on standard output", TAKES_FLAG(bound_options, json)},
    {0},
};

static const option_rule rules[] = {
    NEEDS("--box-range --box-dimension", "--box-separation",
          "--box-range and --box-dimension need --box-separation X"),
    CLASH(
        "--box-separation", "--rows --columns --both --truth-rows --truth-columns --communities",
        "--box-separation stands in place of --rows, --columns, --both, --communities and files of classes"),
    NEEDS("--box-separation", "--classes-rows", boxes_need),
    NEEDS("--box-separation", "--classes-columns", boxes_need),
    NEEDS("--box-separation", "--capacity", boxes_need),
    TRUTH_RULES,
    CLASH("--both", "--communities", "--communities is for two sides, --both always means it"),
    NEEDED("--horizon", "--horizon T is needed"),
    {0},
};

static const char documentation[] =
    "Tells what the theorems promise for given side information and classes, before anything is played.\v"
    "SPEC is as for `weft run'.  For either side: the cut, the squared radius, R_M tr(R'MR), and every valid "
    "bound of its share of the quasi-dimension, of which the smallest counts.  Then D, gamma, eta, and each "
    "statement with its formula, the numbers in it, its value and what that means: at T mistakes or more it "
    "is vacuous, above T/2 no better than a coin.\n\n"
    "Without true classes it says what can be said: `none' needs no classes, a number of classes gives "
    "gamma, --dimension and --gamma are taken as given, and otherwise it says how small D would have to "
    "be.\n\n"
    "Examples:\n"
    "  weft bound --rows graph:friends.txt --columns none --capacity 40x100 --truth-rows groups.txt "
    "--horizon 4000\n"
    "  weft bound --rows none --columns none --capacity 100x100 --classes-rows 9 --classes-columns 9 "
    "--horizon 10000\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static void check(struct argp_state *state, void *given)
{
    const bound_options *options = given;
    parse_capacity_check(state, options->row_capacity, options->column_capacity, options->from.both != NULL);
    if (options->errors > options->horizon)
        argp_error(state, "--errors: found %lld, expected at most the horizon, %lld",
                   (long long)options->errors, (long long)options->horizon);
}

static const option_table table = {option_rows, rules, .group = 1, .next = &sides_table};

static const command_line line = {.table = &table,
                                  .arguments = "--rows SPEC --columns SPEC --horizon T\n"
                                               "--both SPEC --horizon T\n"
                                               "--box-separation X --classes-rows K --classes-columns L "
                                               "--capacity ROWSxCOLUMNS --horizon T",
                                  .documentation = documentation,
                                  .expected = "options only",
                                  .check = check};

static weft_status work(const bound_options *options, bound_problem *problem, weft_error *error)
{
    bound_statement statements[BOUND_STATEMENTS];
    weft_status status = WEFT_OK;
    TRY(command_check_files(&line, options, error));
    TRY(bound_open(options, problem, error));
    bound_state(problem, statements);
    if (options->json)
        TRY(bound_json(problem, statements, error));
    else
        bound_tell(problem, statements);
    TRY(output_finish(error));
done:
    return status;
}

int bound_command(int count, char **arguments)
{
    bound_options options = {.errors = -1, .box_range = 2, .box_dimension = 2};
    bound_problem problem = {0};
    weft_error error = {0};
    command_parse(&line, count, arguments, &options);
    long_call_watch(true);
    int code = limits_finish(&options.from.limits, work(&options, &problem, &error), "", &error);
    bound_close(&problem);
    command_free(&line, &options);
    return code;
}
