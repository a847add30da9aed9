/* SPDX-License-Identifier: MIT
 * weft generate: asks a generator of the laboratory for files, and tells which of its
 * options belong to which generator. */
#include "generate.h"

#include "command.h"
#include "lab/lab.h"
#include "parse.h"
#include "program/interrupt.h"

#include <stdio.h>
#include <string.h>

enum {
    KEY_OUT = 256,
    KEY_SEED,
    KEY_ROWS,
    KEY_COLUMNS,
    KEY_CLASSES_ROWS,
    KEY_CLASSES_COLUMNS,
    KEY_TRIALS,
    KEY_LABEL_NOISE,
    KEY_GRAPH_NOISE,
    KEY_PROTOCOL,
    KEY_RANGE,
    KEY_SEPARATION,
    KEY_DIMENSION,
    KEY_PERIOD
};

typedef struct generate_options {
    const lab_generator *generator;
    lab_recipe recipe;
    unsigned given; /* a bit for each key from KEY_ROWS on */
} generate_options;

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "Where to:", 1},
    {"out", KEY_OUT, "DIR", 0, "the directory of the files, made where it is not there", 1},
    {NULL, 0, NULL, 0, "What (which NAME takes which, and what it does without, is told below):", 2},
    {"seed", KEY_SEED, "N", 0, "the same seed makes the same files (1)", 2},
    {"rows", KEY_ROWS, "N", 0, "rows of the matrix; community: ids", 2},
    {"columns", KEY_COLUMNS, "N", 0, "its columns", 2},
    {"classes-rows", KEY_CLASSES_ROWS, "K", 0, "classes of the rows, or of the ids", 2},
    {"classes-columns", KEY_CLASSES_COLUMNS, "L", 0, "classes of the columns", 2},
    {"trials", KEY_TRIALS, "T", 0, "that many pairs, drawn with replacement (every pair once)", 2},
    {"label-noise", KEY_LABEL_NOISE, "P", 0, "the probability that a label is turned over", 2},
    {"graph-noise", KEY_GRAPH_NOISE, "BETA", 0,
     "noise of the graphs, 0 to 1 (0: cliques joined as a star, which know the classes)", 2},
    {"protocol", KEY_PROTOCOL, "text|authors", 0,
     "noisy graphs as the text of the paper makes them, or as the program of its authors does (text)", 2},
    {"range", KEY_RANGE, "R", 0, "points lie in [-R,R]^D, at least 2 (2)", 2},
    {"separation", KEY_SEPARATION, "X", 0, "least distance of two boxes in the maximum norm (1)", 2},
    {"dimension", KEY_DIMENSION, "D", 0, "numbers of a point (2)", 2},
    {"period", KEY_PERIOD, "T", 0, "trials between two changes of the blocks (400)", 2},
    {0},
};

static const char documentation[] =
    "Makes data of which everything is known, as files that the other commands read.\v"
    "NAME is one of\n"
    "  biclustered   the matrix of the paper's appendix: 40 x 40, 9 x 9 latent\n"
    "                blocks, label noise 0.1, a graph of either side.  Where rows\n"
    "                and columns are as many and the rest is as it is, it is run 0\n"
    "                of `weft experiment table1' of that --protocol and --seed.\n"
    "                Takes rows, columns, classes-rows, classes-columns, trials,\n"
    "                label-noise, graph-noise, protocol.\n"
    "  community     40 ids in 4 classes, +1 for pairs of one class, and a graph.\n"
    "                Takes rows, classes-rows, trials, label-noise, graph-noise,\n"
    "                protocol.\n"
    "  boxes         40 x 40 in 3 x 3 blocks; rows and columns are points in\n"
    "                boxes, for the min kernel.  Takes rows, columns,\n"
    "                classes-rows, classes-columns, trials, label-noise, range,\n"
    "                separation, dimension.\n"
    "  adversary     20 x 20 in 4 x 4 blocks: one entry of every block, its label\n"
    "                a fair coin, so that every learner expects a mistake in half\n"
    "                of them.  Takes rows, columns, classes-rows,\n"
    "                classes-columns.\n"
    "  drift         40 x 40 in 4 x 4 blocks, which get fresh labels after every\n"
    "                so many trials; 4 periods.  Takes period, and what\n"
    "                biclustered takes; label noise 0.\n"
    "  growing       as boxes, but rows and columns keep arriving.\n"
    "An option that NAME does not take is an error.\n\n"
    "Files: stream.csv; rows.edges and columns.edges (ids.edges), which graph:FILE reads, or rows.features "
    "and "
    "columns.features, which features:FILE reads; rows.classes and columns.classes (ids.classes), the "
    "truth, which classes:FILE and --truth-rows read.  Files that are there are replaced.  What was written, "
    "and last the command that plays it, is told on standard error.\n\n"
    "Examples:\n"
    "  weft generate biclustered --out blocks --graph-noise 0.125\n"
    "  weft generate boxes --out boxes --rows 100 --columns 60 --separation 0.5 --seed 7\n\n"
    "Exit status: 0 done, 2 wrong usage, 130 interrupted, 1 anything else.";

/* ---- Which options belong together ---- */

static bool takes(const lab_generator *generator, const char *option)
{
    size_t length = strlen(option);
    for (const char *word = generator->takes; word != NULL; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(word, option, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            return true;
    }
    return false;
}

static void check_given(struct argp_state *state, const generate_options *options)
{
    for (const struct argp_option *o = table; o->name != NULL || o->doc != NULL; o++)
        if (o->key >= KEY_ROWS && (options->given >> (o->key - KEY_ROWS) & 1) != 0 &&
            !takes(options->generator, o->name))
            argp_error(state, "--%s: %s does not look at it, only at --out, --seed and: %s", o->name,
                       options->generator->name, options->generator->takes);
}

static void find_generator(struct argp_state *state, const char *name, generate_options *options)
{
    char known[128] = "";
    size_t length = 0;
    if (options->generator != NULL)
        argp_error(state, "found '%s', expected one NAME", weft_show(name).text);
    options->generator = lab_generator_find(name);
    for (int k = 0; lab_generator_at(k) != NULL && length < sizeof known; k++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", k == 0 ? "" : ", ",
                                   lab_generator_at(k)->name);
    if (options->generator == NULL)
        argp_error(state, "found '%s', expected one of %s", weft_show(name).text, known);
}

/* ---- The command line ---- */

static error_t take_counts(int key, char *text, struct argp_state *state)
{
    lab_recipe *recipe = &((generate_options *)state->input)->recipe;
    switch (key) {
    case KEY_ROWS:
        recipe->rows = parse_count(state, "rows", text, 1);
        return 0;
    case KEY_COLUMNS:
        recipe->columns = parse_count(state, "columns", text, 1);
        return 0;
    case KEY_CLASSES_ROWS:
        recipe->row_classes = parse_count(state, "classes-rows", text, 1);
        return 0;
    case KEY_CLASSES_COLUMNS:
        recipe->column_classes = parse_count(state, "classes-columns", text, 1);
        return 0;
    case KEY_TRIALS:
        recipe->trials = parse_count(state, "trials", text, 1);
        return 0;
    case KEY_DIMENSION:
        recipe->dimension = parse_count(state, "dimension", text, 1);
        return 0;
    case KEY_PERIOD:
        recipe->period = parse_count(state, "period", text, 1);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t take_reals(int key, char *text, struct argp_state *state)
{
    static const char *const protocols[] = {"text", "authors", NULL};
    lab_recipe *recipe = &((generate_options *)state->input)->recipe;
    switch (key) {
    case KEY_LABEL_NOISE:
        recipe->label_noise = parse_within(state, "label-noise", text, 0, 1);
        return 0;
    case KEY_GRAPH_NOISE:
        recipe->graph_noise = parse_within(state, "graph-noise", text, 0, 1);
        return 0;
    case KEY_PROTOCOL:
        recipe->protocol = parse_word(state, "protocol", text, protocols) == 0 ? LAB_TEXT : LAB_AUTHORS;
        return 0;
    case KEY_RANGE:
        recipe->range = parse_positive(state, "range", text);
        return 0;
    case KEY_SEPARATION:
        recipe->separation = parse_positive(state, "separation", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_together(struct argp_state *state, const generate_options *options)
{
    if (options->generator == NULL)
        argp_error(state, "the NAME of a generator is needed");
    if (options->recipe.out == NULL)
        argp_error(state, "--out DIR is needed");
    else if (options->recipe.out[0] == '\0')
        argp_error(state, "--out: found '', expected a directory");
    check_given(state, options);
}

static error_t take(int key, char *text, struct argp_state *state)
{
    generate_options *options = state->input;
    if (key >= KEY_ROWS && key <= KEY_PERIOD)
        options->given |= 1U << (key - KEY_ROWS);
    switch (key) {
    case KEY_OUT:
        options->recipe.out = text;
        return 0;
    case KEY_SEED:
        options->recipe.seed = (uint64_t)parse_count(state, "seed", text, 0);
        return 0;
    case ARGP_KEY_ARG:
        find_generator(state, text, options);
        return 0;
    case ARGP_KEY_END:
        check_together(state, options);
        return 0;
    default:
        return take_counts(key, text, state) == 0 ? 0 : take_reals(key, text, state);
    }
}

int generate_command(int count, char **arguments)
{
    static const command_line line = {
        .options = table, .take = take, .arguments = "NAME --out DIR", .documentation = documentation};
    static const struct argp nothing = {0};
    generate_options options = {
        .recipe = {.seed = 1, .label_noise = -1, .graph_noise = -1, .protocol = LAB_TEXT}};
    weft_error error = {0};
    command_parse(&line, &nothing, count, arguments, &options);
    interrupt_watch();
    weft_status status = options.generator->make(&options.recipe, stderr, &error);
    if (status != WEFT_OK)
        fprintf(stderr, "weft: %s\n", error.message);
    return status != WEFT_OK && interrupt_came() ? EXIT_INTERRUPTED : weft_status_exit(status);
}
