/* SPDX-License-Identifier: MIT
 * weft bound: the command line, and the order of what is done. */
#include "bound.h"

#include "parse.h"
#include "program/fail.h"
#include "program/interrupt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    KEY_CLASSES_ROWS = 256,
    KEY_CLASSES_COLUMNS,
    KEY_TRUTH_ROWS,
    KEY_TRUTH_COLUMNS,
    KEY_COMMUNITIES,
    KEY_BOX_SEPARATION,
    KEY_BOX_RANGE,
    KEY_BOX_DIMENSION,
    KEY_HORIZON,
    KEY_ERRORS,
    KEY_CAPACITY,
    KEY_ETA,
    KEY_GAMMA,
    KEY_DIMENSION,
    KEY_JSON
};

static const struct argp_option table[] = {
    {"truth-rows", KEY_TRUTH_ROWS, "FILE", 0, "true classes of the rows, `id class' a line", 1},
    {"truth-columns", KEY_TRUTH_COLUMNS, "FILE", 0, "true classes of the columns", 1},
    {"classes-rows", KEY_CLASSES_ROWS, "K", 0, "only their number is known", 1},
    {"classes-columns", KEY_CLASSES_COLUMNS, "L", 0, "likewise of the columns", 1},
    {"communities", KEY_COMMUNITIES, NULL, 0,
     "rows and columns are the same ids, and +1 means the same class: a larger margin", 1},
    {"capacity", KEY_CAPACITY, "ROWSxCOLUMNS", 0,
     "room for ids, with --both one number (those that are listed)", 1},
    {NULL, 0, NULL, 0, "Points in boxes, before there are any (in place of --rows and --columns):", 2},
    {"box-separation", KEY_BOX_SEPARATION, "X", 0, "least distance of two boxes in the maximum norm", 2},
    {"box-range", KEY_BOX_RANGE, "R", 0, "they lie in [-R,R]^D, at least 2 (2)", 2},
    {"box-dimension", KEY_BOX_DIMENSION, "D", 0, "numbers of a point (2)", 2},
    {NULL, 0, NULL, 0, "What is played:", 3},
    {"horizon", KEY_HORIZON, "T", 0, "labelled trials", 3},
    {"errors", KEY_ERRORS, "E", 0, "labels that the best matrix with these classes gets wrong (0)", 3},
    {"gamma", KEY_GAMMA, "X", 0, "margin (the largest that the classes permit)", 3},
    {"dimension", KEY_DIMENSION, "X", 0, "estimate of the quasi-dimension D (that of the classes)", 3},
    {"eta", KEY_ETA, "X", 0, "learning rate (that of each statement)", 3},
    {"json", KEY_JSON, NULL, 0, "one JSON object on standard output", 3},
    {0},
};

static const command_member members[] = {
    {KEY_TRUTH_ROWS, offsetof(bound_options, truth.row_truth)},
    {KEY_TRUTH_COLUMNS, offsetof(bound_options, truth.column_truth)},
    {KEY_COMMUNITIES, offsetof(bound_options, communities)},
    {KEY_JSON, offsetof(bound_options, json)},
    {0},
};

static const char documentation[] =
    "Tells what the theorems promise for given side information and classes, before anything is played.\v"
    "SPEC is as for `weft run'.  For either side: the cut, the squared radius, R_M tr(R'MR), and every valid "
    "bound of its share of the quasi-dimension, of which the smallest counts.  Then D, gamma, eta, and each "
    "statement with its formula, the numbers in it, its value and what that means: at T mistakes or more it "
    "is "
    "vacuous, above T/2 no better than a coin.\n\n"
    "Without true classes it says what can be said: `none' needs no classes, a number of classes gives "
    "gamma, "
    "--dimension and --gamma are taken at their word, and otherwise it says how small D would have to be.\n\n"
    "Examples:\n"
    "  weft bound --rows graph:friends.txt --columns none --capacity 40x100 --truth-rows groups.txt "
    "--horizon "
    "4000\n"
    "  weft bound --rows none --columns none --capacity 100x100 --classes-rows 9 --classes-columns 9 "
    "--horizon "
    "10000\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 130 interrupted, 1 anything else.";

static error_t take_numbers(int key, char *text, struct argp_state *state)
{
    bound_options *options = state->input;
    switch (key) {
    case KEY_CLASSES_ROWS:
        options->truth.row_classes = parse_count(state, "classes-rows", text, 1);
        return 0;
    case KEY_CLASSES_COLUMNS:
        options->truth.column_classes = parse_count(state, "classes-columns", text, 1);
        return 0;
    case KEY_BOX_SEPARATION:
        options->box_separation = parse_positive(state, "box-separation", text);
        options->from.known = true;
        return 0;
    case KEY_BOX_RANGE:
        options->box_range = parse_positive(state, "box-range", text);
        if (options->box_range < 2)
            argp_error(state, "--box-range: found %s, expected at least 2", text);
        return 0;
    case KEY_BOX_DIMENSION:
        options->box_dimension = parse_count(state, "box-dimension", text, 1);
        return 0;
    case KEY_HORIZON:
        options->horizon = parse_count(state, "horizon", text, 1);
        return 0;
    case KEY_ERRORS:
        options->errors = parse_count(state, "errors", text, 0);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_settings(int key, char *text, struct argp_state *state)
{
    bound_options *options = state->input;
    switch (key) {
    case KEY_CAPACITY:
        parse_capacity(state, text, &options->row_capacity, &options->column_capacity);
        return 0;
    case KEY_ETA:
        options->eta = parse_positive(state, "eta", text);
        return 0;
    case KEY_GAMMA:
        options->gamma = parse_gamma(state, text);
        return 0;
    case KEY_DIMENSION:
        options->dimension = parse_dimension(state, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_boxes(struct argp_state *state, const bound_options *options)
{
    const source_options *from = &options->from;
    const truth_options *truth = &options->truth;
    if (options->box_separation <= 0) {
        if (options->box_range > 0 || options->box_dimension > 0)
            argp_error(state, "--box-range and --box-dimension need --box-separation X");
        return;
    }
    if (from->rows != NULL || from->columns != NULL || from->both != NULL || truth->row_truth != NULL ||
        truth->column_truth != NULL || options->communities)
        argp_error(state, "--box-separation stands in place of --rows, --columns, --both, --communities and "
                          "files of classes");
    if (truth->row_classes == 0 || truth->column_classes == 0 || options->row_capacity == 0)
        argp_error(state, "--box-separation needs --classes-rows K, --classes-columns L and --capacity "
                          "ROWSxCOLUMNS");
}

static void check_together(struct argp_state *state, const bound_options *options)
{
    bool one_set = options->from.both != NULL;
    check_boxes(state, options);
    truth_check(state, &options->truth, one_set);
    parse_capacity_check(state, options->row_capacity, options->column_capacity, one_set);
    if (one_set && options->communities)
        argp_error(state, "--communities is for two sides, --both always means it");
    if (options->horizon == 0)
        argp_error(state, "--horizon T is needed");
    if (options->errors > options->horizon)
        argp_error(state, "--errors: found %lld, expected at most the horizon, %lld",
                   (long long)options->errors, (long long)options->horizon);
}

static error_t take(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_END) {
        check_together(state, state->input);
        return 0;
    }
    return take_numbers(key, text, state) == 0 ? 0 : take_settings(key, text, state);
}

void bound_parse(int count, char **arguments, bound_options *options)
{
    static const command_line line = {.options = table,
                                      .members = members,
                                      .take = take,
                                      .arguments = "--rows SPEC --columns SPEC --horizon T\n"
                                                   "--both SPEC --horizon T\n"
                                                   "--box-separation X --classes-rows K --classes-columns L "
                                                   "--capacity ROWSxCOLUMNS --horizon T",
                                      .documentation = documentation};
    *options = (bound_options){.errors = -1, .from = {.streamless = true}};
    source_parse(&line, count, arguments, &options->from);
    if (options->box_range <= 0)
        options->box_range = 2;
    if (options->box_dimension == 0)
        options->box_dimension = 2;
}

static void name_files(const void *given, paths_list *files)
{
    const bound_options *options = given;
    source_name_files(&options->from, files);
    truth_name_files(&options->truth, files);
}

static weft_status work(const bound_options *options, bound_problem *problem, weft_error *error)
{
    bound_statement statements[BOUND_STATEMENTS];
    weft_status status = WEFT_OK;
    TRY(command_check_files(name_files, options, error));
    TRY(bound_open(options, problem, error));
    bound_state(problem, statements);
    if (options->json)
        TRY(bound_json(problem, statements, error));
    else
        bound_tell(problem, statements);
    if (fflush(stdout) != 0 || ferror(stdout) != 0)
        TRY(fail(error, WEFT_WRITE, "standard output: cannot be written: %s", strerror(errno)));
done:
    return status;
}

int bound_command(int count, char **arguments)
{
    bound_options options = {0};
    bound_problem problem = {0};
    weft_error error = {0};
    bound_parse(count, arguments, &options);
    interrupt_spare_writes();
    weft_status status = limits_explain(&options.from.limits, work(&options, &problem, &error), &error);
    if (status != WEFT_OK)
        fprintf(stderr, "weft: %s\n", error.message);
    bound_close(&problem);
    source_free(&options.from);
    return weft_status_exit(status);
}
