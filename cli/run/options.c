/* SPDX-License-Identifier: MIT */
#include "cli/run/options.h"

#include "cli/command/parse.h"
#include "cli/command/words.h"
#include "cli/input/spec.h"

#include <string.h>

/* What speaks of one learner, and what of many. */
#define OF_ONE .implies = "--single"
#define OF_MANY .implies = "--committee"

/* Of several options that imply a player the first is told as the reason. */
static const option_row option_rows[] = {
    HEADING("How to play (there is nothing that must be chosen):"),
    {"--committee", NULL,
     "many learners and rivals play at once, weighted by how well they predict (default)",
     TAKES_FLAG(run_options, committee)},
    {"--single", NULL, "one learner plays, with theory's settings where none are given",
     TAKES_FLAG(run_options, single)},
    {"--restless", NULL, "committee: every member plays every trial, which costs more",
     TAKES_FLAG(run_options, restless), OF_MANY},
    {"--capacity", "ROWSxCOLUMNS",
     "one learner: room for ids, when the stream is a pipe; with --both a number",
     TAKES_CAPACITY(run_options, row_capacity, column_capacity)},
    {"--delay", "N", "labels arrive N lines late (0); answers count as they were given",
     TAKES_COUNT(run_options, delay, 0)},
    {"--open", "N",
     "answers to lines without a label that wait for a later line with it (10000); the oldest give way; "
     "0: none waits, and every label is that of an ordinary line",
     TAKES_COUNT(run_options, open, 0)},
    {"--negatives", "N",
     "positives alone: draw N others beside every event, to be learnt with the label -1 (none)",
     TAKES_COUNT(run_options, negatives, 1), .most = WEFT_NEGATIVES_LIMIT},
    {"--seed", "N", "of what is drawn (1)", TAKES_COUNT(run_options, seed, 0),
     MARKS_GIVEN(run_options, seed_given)},
    {"--deterministic", NULL,
     "draw nothing, as a committee does anyway; one learner then predicts with threshold 0",
     TAKES_FLAG(run_options, deterministic)},
    {"--randomised", NULL,
     "draw the prediction, as one learner does anyway; a committee goes by its majority otherwise",
     TAKES_FLAG(run_options, randomised)},
    {"--threads", "N", "share out members, products by large kernels and evidence (1); nothing else changes",
     TAKES_COUNT(run_options, threads, 1), .most = OPTION_MOST_THREADS},
    HEADING("One learner (implies --single; chosen and told where not given):"),
    {"--eta", "X", "learning rate, above 0", TAKES_POSITIVE(run_options, eta), OF_ONE},
    {"--gamma", "X", "margin, above 0 and at most 1", TAKES_POSITIVE(run_options, gamma), .most = 1, OF_ONE},
    {"--dimension", "X", "estimate of the quasi-dimension D, at least 1",
     TAKES_POSITIVE(run_options, dimension), .least = 1, OF_ONE},
    {"--updates", NULL, "when to learn from a label (margin)",
     TAKES_WORD(run_options, updates, updates_words), MARKS_GIVEN(run_options, updates_given), OF_ONE},
    {"--form", NULL, "the form of the margin (paper)", TAKES_WORD(run_options, form, form_words),
     .most = FORM_CHOICES, MARKS_GIVEN(run_options, form_given), OF_ONE},
    {"--engine", NULL, "how margins are computed (compact where a SPEC has map=, else krylov)",
     TAKES_WORD(run_options, engine.engine, engine_words), MARKS_GIVEN(run_options, engine.given), OF_ONE},
    {"--half-life", "TRIALS",
     "compact engine: evidence is worth half after so many labelled trials (it stays); no bound then",
     TAKES_POSITIVE(run_options, half_life), OF_ONE},
    {"--floor", "X|none",
     "compact engine: eigenvalues below -X are raised to it, for constant cost (64); none: exact",
     TAKES_WITHIN(run_options, floor, 1, 1e6), MARKS_GIVEN(run_options, floor_given), OF_ONE},
    {"--precision", NULL, "mixed tries single precision first and decides the same (mixed)",
     TAKES_WORD(run_options, precision, precision_words), MARKS_GIVEN(run_options, precision_given), OF_ONE},
    {"--tolerance", "X|none", "relative width of margins (0.02); none: decisions only",
     TAKES_POSITIVE(run_options, tolerance), MARKS_GIVEN(run_options, tolerance_given), OF_ONE},
    {"--classes-rows", "K", "the rows fall into K classes", TAKES_COUNT(run_options, truth.row_classes, 1),
     OF_ONE},
    {"--classes-columns", "L", "the columns fall into L classes",
     TAKES_COUNT(run_options, truth.column_classes, 1), OF_ONE},
    {"--truth-rows", "FILE",
     "true classes of the rows, `id class' a line: for tuning and the bound, never learnt from",
     TAKES_FILE(run_options, truth.row_truth, FILE_READ), OF_ONE},
    {"--truth-columns", "FILE", "true classes of the columns",
     TAKES_FILE(run_options, truth.column_truth, FILE_READ), OF_ONE},
    {"--horizon", "T", "labelled trials to tune for (those of the stream)",
     TAKES_COUNT(run_options, horizon, 1), OF_ONE},
    HEADING("What to write:"),
    {"--resume", "IN",
     "continue from this model, which knows side information and parameters; --rows and --columns (or "
     "--both) then only say where the files are now",
     TAKES_FILE(run_options, resume, FILE_MODEL_READ), .implies = "--rows --columns"},
    {"--model", "OUT", "what was learnt, to resume, to predict, to merge",
     TAKES_FILE(run_options, model, FILE_MODEL_WRITTEN)},
    {"--predictions", "OUT.csv", "one line a trial; - is standard output",
     TAKES_FILE(run_options, predictions, FILE_WRITTEN)},
    {"--picture", "FILE",
     "committee: how well the probabilities are calibrated, .svg or .png; may be repeated",
     TAKES_FILES(run_options, pictures, picture_count, FILE_PICTURE), OF_MANY},
    {"--checkpoint", "EVERY", "write the model also after every EVERY trials",
     TAKES_COUNT(run_options, checkpoint, 1)},
    {"--embed", NULL, "put the side information itself into the model", TAKES_FLAG(run_options, embed)},
    {"--json", NULL, "the result as one JSON object on standard output", TAKES_FLAG(run_options, json)},
    {"--members", NULL,
     "committee: the report also has a table of the members, and one of the probabilities in tenths",
     TAKES_FLAG(run_options, members), OF_MANY},
    {"--profile", NULL,
     "the report and the JSON also say where the time went, and of every member how much work it was",
     TAKES_FLAG(run_options, profile)},
    {"--quiet", NULL, "no report on standard error", TAKES_FLAG(run_options, quiet)},
    {0},
};

static const option_rule rules[] = {
    CLASH(">--single", "--committee",
          "%s speaks of one learner, but --committee plays many and chooses among them"),
    CLASH("--single", "--committee", "--single plays one learner, --committee many"),
    CLASH(">--committee", "--single >--single", "%s is for a committee, but %s speaks of one learner"),
    CLASH("--randomised", "--deterministic", "--randomised draws the prediction, --deterministic does not"),
    CLASH("--both", "--form", "--form is for two sides, --both has its own"),
    CLASH("--negatives", "--delay",
          "--negatives draws what comes with an event at once, and --delay has labels come late"),
    CLASH("--members", "--quiet", "--members adds tables to the report, which --quiet leaves out"),
    NEEDS("--checkpoint", "--model", "--checkpoint needs --model OUT, the file that it writes"),
    NEEDS("--embed", "--model",
          "--embed needs --model OUT, the file into which it puts the side information"),
    CLASH("--resume", "--truth-rows --truth-columns --classes-rows --classes-columns",
          "--truth-rows, --truth-columns, --classes-rows and --classes-columns choose "
          "parameters, but with --resume they are those of the model"),
    TRUTH_RULES,
    {0},
};

static const char documentation[] =
    "Plays a labelled stream: predicts each pair, then learns from its label, and reports as it goes.\v"
    "STREAM holds `row,column,label' lines, separated by tab, comma or blanks, or JSON lines.  A header "
    "names "
    "the fields, in usual words (user_id, item, clicked, ts ...) or those of --row, --column and --label. "
    "Labels are -1/+1, 0/1, true/false, yes/no or y/n; an empty one means predict only, and a later line may "
    "have it; `-' is standard input, where with --predictions - every line is answered at once.\n\n"
    "SPEC is one of\n"
    "  none\n"
    "  classes:FILE[,epsilon=0.1]\n"
    "  graph:FILE[,connect=star|error]\n"
    "  graph:FILE,kernel=regularised,sigma=S\n"
    "  graph:FILE,kernel=diffusion,time=T\n"
    "  graph:FILE,kernel=none\n"
    "  kernel:FILE[,repair=error|clip|shift]\n"
    "  matrix:FILE\n"
    "  table:FILE[,id=NAME][,skip=NAME]...\n"
    "  features:FILE\n"
    "  features:FILE,kernel=linear,epsilon=E\n"
    "  features:FILE,kernel=gaussian,width=W\n"
    "  features:FILE,kernel=min,range=R\n"
    "each also with ,missing=error|alone (graph: join too) and ,radius=R; graph also with "
    ",laplacian=plain|normalised and ,scale=none|unit; graph, kernel and matrix may be Matrix Market files "
    "with ,ids=FILE.  Every file may be compressed by gzip.\n\n"
    "Finite features in place of the kernel, for streams without an end (--engine compact):\n"
    "  none,map=hash:64[,names=hashed]\n"
    "  classes:FILE,map=hash:64\n"
    "  features:FILE,kernel=linear,epsilon=E,map=hash:64\n"
    "  features:FILE,kernel=gaussian,width=W,map=fourier:128[+hash:64]\n"
    "  graph:FILE,...,map=eigen:32[+hash:64], also features, kernel and matrix\n"
    "each also with ,seed=S.  names=hashed keeps no list of ids.\n\n"
    "Examples:\n"
    "  weft run votes.csv --rows classes:party.txt --columns none --model votes.weft\n"
    "  weft run votes.csv --rows classes:party.txt --columns none --single\n"
    "  weft run more.csv --resume votes.weft --model votes.weft\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 the model is damaged or does not fit, 130 "
    "interrupted, 1 anything else.";

const char *options_single(const run_options *options)
{
    return options->of_one;
}

const char *options_many(const run_options *options)
{
    return options->of_many;
}

/* A committee, unless something speaks of one learner.  Committees do not play finite features yet: where
 * no option asks for one they are left to one learner. */
static player_choice choose_player(const run_options *options)
{
    const source_options *from = &options->from;
    const char *single = options_single(options);
    bool mapped =
        spec_has(from->rows, "map=") || spec_has(from->columns, "map=") || spec_has(from->both, "map=");
    if (options->committee || options_many(options) != NULL)
        return (player_choice){true, options->committee ? "--committee" : "default"};
    if (options->single || single != NULL)
        return (player_choice){false, options->single ? "--single" : single};
    if (mapped)
        return (player_choice){false, "a SPEC has map=, which committees do not play yet"};
    return (player_choice){true, "default"};
}

static void check(struct argp_state *state, void *given)
{
    run_options *options = given;
    options->of_one = command_implying(state, "--single");
    options->of_many = command_implying(state, "--committee");
    options->player = choose_player(options);
    if (options->resume == NULL)
        parse_capacity_check(state, options->row_capacity, options->column_capacity,
                             options->from.both != NULL);
    if (options->resume == NULL && options->player.committee && options->row_capacity > 0)
        argp_error(state, "--capacity is for one learner (--single): the ids of a committee have no bound");
    if (options->resume == NULL && options->from.context.count > 0 && !options->player.committee)
        argp_error(state, "--context is for a committee: one learner (%s) makes no use of it",
                   options->player.reason);
    if (options->profile && options->quiet && !options->json)
        argp_error(state, "--profile adds to the report, which --quiet leaves out (--json has it as well)");
    if (options->json && options->predictions != NULL && strcmp(options->predictions, "-") == 0)
        argp_error(state, "--json and --predictions - cannot share standard output");
}

static const option_table table = {option_rows, rules, .group = 2, .next = &stream_table};

static const command_line line = {.table = &table,
                                  .arguments = "STREAM... --rows SPEC --columns SPEC\n"
                                               "STREAM... --both SPEC\n"
                                               "STREAM... --resume MODEL",
                                  .documentation = documentation,
                                  .check = check};

void options_parse(int count, char **arguments, run_options *options)
{
    *options = (run_options){
        .tolerance = 0.02, .seed = 1, .open = 10000, .floor = weft_settings_default(1, 1, 1).floor};
    command_parse(&line, count, arguments, options);
}

void options_name_files(const run_options *options, paths_list *files)
{
    command_name_files(&line, options, files);
}

void options_free(run_options *options)
{
    command_free(&line, options);
}
