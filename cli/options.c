/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "parse.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_FORM = 256,
    KEY_UPDATES,
    KEY_ETA,
    KEY_GAMMA,
    KEY_DIMENSION,
    KEY_HORIZON,
    KEY_DELAY,
    KEY_CAPACITY,
    KEY_CLASSES_ROWS,
    KEY_CLASSES_COLUMNS,
    KEY_TRUTH_ROWS,
    KEY_TRUTH_COLUMNS,
    KEY_SEED,
    KEY_DETERMINISTIC,
    KEY_RANDOMISED,
    KEY_COMMITTEE,
    KEY_SINGLE,
    KEY_RESTLESS,
    KEY_TRACK,
    KEY_ENGINE,
    KEY_HALF_LIFE,
    KEY_FLOOR,
    KEY_PRECISION,
    KEY_TOLERANCE,
    KEY_THREADS,
    KEY_PREDICTIONS,
    KEY_PICTURE,
    KEY_MODEL,
    KEY_RESUME,
    KEY_CHECKPOINT,
    KEY_EMBED,
    KEY_JSON,
    KEY_QUIET
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "How to play (there is nothing that must be chosen):", 2},
    {"committee", KEY_COMMITTEE, NULL, 0,
     "many learners and rivals play at once, and it is learnt whom to believe (default)", 0},
    {"single", KEY_SINGLE, NULL, 0, "one learner plays, with theory's settings where none are given", 0},
    {"restless", KEY_RESTLESS, NULL, 0,
     "committee: nobody is put to rest, so that every trial costs all members", 0},
    {"track", KEY_TRACK, NULL, 0, "committee: follow a truth that changes; three times the cost", 0},
    {"capacity", KEY_CAPACITY, "ROWSxCOLUMNS", 0,
     "room for ids, needed when the stream is a pipe; with --both one number", 0},
    {"seed", KEY_SEED, "N", 0, "of what is drawn (1)", 0},
    {"deterministic", KEY_DETERMINISTIC, NULL, 0,
     "draw nothing, as a committee does anyway; one learner then predicts with threshold 0", 0},
    {"randomised", KEY_RANDOMISED, NULL, 0,
     "draw the prediction, as one learner does anyway; a committee goes by its majority otherwise", 0},
    {"threads", KEY_THREADS, "N", 0,
     "share out members, products by large kernels and evidence (1); nothing else changes", 0},
    {NULL, 0, NULL, 0, "One learner (implies --single; chosen and told where not given):", 3},
    {"classes-rows", KEY_CLASSES_ROWS, "K", 0, "the rows fall into K classes", 0},
    {"classes-columns", KEY_CLASSES_COLUMNS, "L", 0, "the columns fall into L classes", 0},
    {"truth-rows", KEY_TRUTH_ROWS, "FILE", 0,
     "true classes of the rows, `id class' a line: for tuning and the bound, never learnt from", 0},
    {"truth-columns", KEY_TRUTH_COLUMNS, "FILE", 0, "true classes of the columns", 0},
    {"form", KEY_FORM, "paper|balanced", 0, "the form of the margin (paper)", 0},
    {"updates", KEY_UPDATES, "margin|mistakes", 0, "when to learn from a label (margin)", 0},
    {"eta", KEY_ETA, "X", 0, "learning rate, above 0", 0},
    {"gamma", KEY_GAMMA, "X", 0, "margin, above 0 and at most 1", 0},
    {"dimension", KEY_DIMENSION, "X", 0, "estimate of the quasi-dimension D, at least 1", 0},
    {"horizon", KEY_HORIZON, "T", 0, "labelled trials to tune for (those of the stream)", 0},
    {"delay", KEY_DELAY, "N", 0, "labels arrive N trials late (0)", 0},
    {"engine", KEY_ENGINE, ENGINE_WORDS, 0,
     "how margins are computed (compact where a SPEC has map=, else krylov)", 0},
    {"half-life", KEY_HALF_LIFE, "TRIALS", 0,
     "compact engine: evidence is worth half after so many labelled trials (it stays); no bound then", 0},
    {"floor", KEY_FLOOR, "X|none", 0,
     "compact engine: eigenvalues below -X are raised to it, for constant cost (64); none: exact", 0},
    {"precision", KEY_PRECISION, "mixed|double", 0,
     "mixed tries single precision first and decides the same (mixed)", 0},
    {"tolerance", KEY_TOLERANCE, "X|none", 0, "relative width of margins (0.02); none: decisions only", 0},
    {NULL, 0, NULL, 0, "What to write:", 4},
    {"predictions", KEY_PREDICTIONS, "OUT.csv", 0, "one line a trial; - is standard output", 0},
    {"picture", KEY_PICTURE, "FILE", 0,
     "committee: whether probabilities are what they say, .svg or .png; may be repeated", 0},
    {"model", KEY_MODEL, "OUT", 0, "what was learnt, to resume, to predict, to merge", 0},
    {"resume", KEY_RESUME, "IN", 0,
     "continue from this model, which knows side information and parameters; --rows and --columns (or "
     "--both) then only say where the files are now",
     0},
    {"checkpoint", KEY_CHECKPOINT, "EVERY", 0, "write the model also after every EVERY trials", 0},
    {"embed", KEY_EMBED, NULL, 0, "put the side information itself into the model", 0},
    {"json", KEY_JSON, NULL, 0, "the result as one JSON object on standard output", 0},
    {"quiet", KEY_QUIET, NULL, 0, "no report on standard error", 0},
    {0},
};

static const command_member members[] = {
    {KEY_TRUTH_ROWS, offsetof(run_options, truth.row_truth)},
    {KEY_TRUTH_COLUMNS, offsetof(run_options, truth.column_truth)},
    {KEY_DETERMINISTIC, offsetof(run_options, deterministic)},
    {KEY_RANDOMISED, offsetof(run_options, randomised)},
    {KEY_COMMITTEE, offsetof(run_options, committee)},
    {KEY_SINGLE, offsetof(run_options, single)},
    {KEY_RESTLESS, offsetof(run_options, restless)},
    {KEY_TRACK, offsetof(run_options, track)},
    {KEY_PREDICTIONS, offsetof(run_options, predictions)},
    {KEY_MODEL, offsetof(run_options, model)},
    {KEY_EMBED, offsetof(run_options, embed)},
    {KEY_JSON, offsetof(run_options, json)},
    {KEY_QUIET, offsetof(run_options, quiet)},
    {0},
};

static const char documentation[] =
    "Plays a labelled stream: predicts each pair, then learns from its label, and reports as it goes.\v"
    "STREAM holds `row,column,label' lines, separated by tab, comma or blanks, with or without a header; "
    "labels "
    "are -1/+1 or 0/1, an empty one means predict only; `-' is standard input.\n\n"
    "SPEC is one of\n"
    "  none\n"
    "  classes:FILE[,epsilon=0.1]\n"
    "  graph:FILE[,connect=star|error]\n"
    "  graph:FILE,kernel=regularised,sigma=S\n"
    "  graph:FILE,kernel=diffusion,time=T\n"
    "  kernel:FILE[,repair=error|clip|shift]\n"
    "  matrix:FILE\n"
    "  features:FILE,kernel=linear,epsilon=E\n"
    "  features:FILE,kernel=gaussian,width=W\n"
    "  features:FILE,kernel=min,range=R\n"
    "each also with ,missing=error|alone (graph: join too) and ,radius=R; graph also with "
    ",laplacian=plain|normalised and ,scale=none|unit; graph, kernel and matrix may be "
    "Matrix Market files with ,ids=FILE.  Every file may be compressed by gzip.\n\n"
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
    "Exit status: 0 done, 2 wrong usage, 3 bad input, 4 the model is damaged or does not fit, "
    "130 interrupted, 1 anything else.";

static double parse_tolerance(struct argp_state *state, const char *text)
{
    return strcmp(text, "none") == 0 ? 0 : parse_positive(state, "tolerance", text);
}

static error_t take_learning(int key, char *text, struct argp_state *state)
{
    static const char *const forms[] = {"paper", "balanced", NULL};
    static const char *const updates[] = {"margin", "mistakes", NULL};
    static const char *const precisions[] = {"mixed", "double", NULL};
    run_options *options = state->input;
    switch (key) {
    case KEY_FORM:
        options->form = parse_word(state, "form", text, forms) == 0 ? WEFT_PAPER : WEFT_BALANCED;
        options->form_given = true;
        return 0;
    case KEY_UPDATES:
        options->updates =
            parse_word(state, "updates", text, updates) == 0 ? WEFT_MARGIN_UPDATES : WEFT_MISTAKE_UPDATES;
        options->updates_given = true;
        return 0;
    case KEY_ENGINE:
        engine_parse(state, text, &options->engine);
        return 0;
    case KEY_HALF_LIFE:
        options->half_life = parse_positive(state, "half-life", text);
        return 0;
    case KEY_FLOOR:
        options->floor = strcmp(text, "none") == 0 ? 0 : parse_within(state, "floor", text, 1, 1e6);
        options->floor_given = true;
        return 0;
    case KEY_PRECISION:
        options->precision = parse_word(state, "precision", text, precisions) == 0 ? WEFT_MIXED : WEFT_DOUBLE;
        options->precision_given = true;
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
    case KEY_TOLERANCE:
        options->tolerance = parse_tolerance(state, text);
        options->tolerance_given = true;
        return 0;
    case KEY_THREADS:
        options->threads = parse_threads(state, text);
        return 0;
    case KEY_SEED:
        options->seed = (uint64_t)parse_count(state, "seed", text, 0);
        options->seed_given = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_numbers(int key, char *text, struct argp_state *state)
{
    run_options *options = state->input;
    switch (key) {
    case KEY_CLASSES_ROWS:
        options->truth.row_classes = parse_count(state, "classes-rows", text, 1);
        return 0;
    case KEY_CLASSES_COLUMNS:
        options->truth.column_classes = parse_count(state, "classes-columns", text, 1);
        return 0;
    case KEY_HORIZON:
        options->horizon = parse_count(state, "horizon", text, 1);
        return 0;
    case KEY_DELAY:
        options->delay = parse_count(state, "delay", text, 0);
        options->delay_given = true;
        return 0;
    case KEY_CAPACITY:
        parse_capacity(state, text, &options->row_capacity, &options->column_capacity);
        return 0;
    case KEY_PICTURE:
        options->pictures[options->picture_count++] = parse_picture(state, text);
        return 0;
    case KEY_RESUME:
        options->resume = text;
        options->from.known = true;
        return 0;
    case KEY_CHECKPOINT:
        options->checkpoint = parse_count(state, "checkpoint", text, 1);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_models(struct argp_state *state, const run_options *options)
{
    if (options->model == NULL && options->checkpoint > 0)
        argp_error(state, "--checkpoint needs --model OUT, the file that it writes");
    if (options->model == NULL && options->embed)
        argp_error(state, "--embed needs --model OUT, the file into which it puts the side information");
    if (options->resume == NULL)
        return;
    const truth_options *truth = &options->truth;
    if (truth->row_truth != NULL || truth->column_truth != NULL || truth->row_classes > 0 ||
        truth->column_classes > 0)
        argp_error(state, "--truth-rows, --truth-columns, --classes-rows and --classes-columns choose "
                          "parameters, but with --resume they are those of the model");
}

const char *options_single(const run_options *options)
{
    const truth_options *truth = &options->truth;
    const struct {
        bool given;
        const char *name;
    } list[] = {
        {options->eta > 0, "--eta"},
        {options->gamma > 0, "--gamma"},
        {options->dimension > 0, "--dimension"},
        {options->updates_given, "--updates"},
        {options->form_given, "--form"},
        {options->engine.given, "--engine"},
        {options->half_life > 0, "--half-life"},
        {options->floor_given, "--floor"},
        {options->precision_given, "--precision"},
        {options->tolerance_given, "--tolerance"},
        {truth->row_classes > 0, "--classes-rows"},
        {truth->column_classes > 0, "--classes-columns"},
        {truth->row_truth != NULL, "--truth-rows"},
        {truth->column_truth != NULL, "--truth-columns"},
        {options->delay_given, "--delay"},
        {options->horizon > 0, "--horizon"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (list[k].given)
            return list[k].name;
    return NULL;
}

const char *options_many(const run_options *options)
{
    return options->restless            ? "--restless"
           : options->track             ? "--track"
           : options->picture_count > 0 ? "--picture"
                                        : NULL;
}

static void check_committee(struct argp_state *state, const run_options *options)
{
    const char *single = options_single(options), *many = options_many(options);
    if (options->committee && single != NULL)
        argp_error(state, "%s speaks of one learner, but --committee plays many and chooses among them",
                   single);
    if (options->committee && options->single)
        argp_error(state, "--single plays one learner, --committee many");
    if (many != NULL && (options->single || single != NULL))
        argp_error(state, "%s is for a committee, but %s speaks of one learner", many,
                   options->single ? "--single" : single);
}

/* Whether a SPEC asks for finite features.  A comma that belongs to the name of a file stands behind a
 * backslash. */
static bool asks_for_map(const char *spec)
{
    static const char setting[] = ",map=";
    for (; spec != NULL && *spec != 0; spec++) {
        if (strncmp(spec, setting, sizeof setting - 1) == 0)
            return true;
        if (*spec == '\\' && spec[1] != 0)
            spec++;
    }
    return false;
}

/* A committee, unless something speaks of one learner.  Committees do not play finite features yet: where
 * nobody asked for one they are left to one learner. */
static player_choice choose_player(const run_options *options)
{
    const source_options *from = &options->from;
    const char *single = options_single(options);
    bool mapped = asks_for_map(from->rows) || asks_for_map(from->columns) || asks_for_map(from->both);
    if (options->committee || options_many(options) != NULL)
        return (player_choice){true, options->committee ? "--committee" : "default"};
    if (options->single || single != NULL)
        return (player_choice){false, options->single ? "--single" : single};
    if (mapped)
        return (player_choice){false, "a SPEC has map=, which committees do not play yet"};
    return (player_choice){true, "default"};
}

static void check_together(struct argp_state *state, const run_options *options)
{
    bool one_set = options->from.both != NULL;
    check_committee(state, options);
    if (options->randomised && options->deterministic)
        argp_error(state, "--randomised draws the prediction, --deterministic does not");
    if (one_set && options->form_given)
        argp_error(state, "--form is for two sides, --both has its own");
    check_models(state, options);
    truth_check(state, &options->truth, one_set);
    if (options->resume == NULL)
        parse_capacity_check(state, options->row_capacity, options->column_capacity, one_set);
    if (options->json && options->predictions != NULL && strcmp(options->predictions, "-") == 0)
        argp_error(state, "--json and --predictions - cannot share standard output");
}

static error_t take(int key, char *text, struct argp_state *state)
{
    run_options *options = state->input;
    switch (key) {
    case ARGP_KEY_END:
        check_together(state, options);
        options->player = choose_player(options);
        return 0;
    default:
        return take_learning(key, text, state) == 0 ? 0 : take_numbers(key, text, state);
    }
}

bool options_parse(int count, char **arguments, run_options *options)
{
    static const command_line line = {.options = table,
                                      .members = members,
                                      .take = take,
                                      .arguments = "STREAM... --rows SPEC --columns SPEC\n"
                                                   "STREAM... --both SPEC\n"
                                                   "STREAM... --resume MODEL",
                                      .documentation = documentation};
    *options = (run_options){.tolerance = 0.02, .seed = 1, .floor = weft_settings_default(1, 1, 1).floor};
    options->pictures = calloc((size_t)count, sizeof *options->pictures);
    if (options->pictures == NULL)
        return false;
    source_parse(&line, count, arguments, &options->from);
    return true;
}

void options_free(run_options *options)
{
    source_free(&options->from);
    free(options->pictures);
}
