/* SPDX-License-Identifier: MIT
 * weft generate: asks a generator of the laboratory for files, and tells which of its
 * options belong to which generator. */
#include "cli/command/command.h"
#include "cli/command/commands.h"
#include "lab/lab.h"
#include "program/interrupt.h"
#include "weft_advanced.h"

#include <stdio.h>
#include <string.h>

typedef struct generate_options {
    const lab_generator *generator;
    lab_recipe recipe;
} generate_options;

static option_setter find_generator;

static const option_row option_rows[] = {
    HEADING("Where to:"),
    {"NAME", NULL, NULL, TAKES_OTHER(find_generator)},
    {"--out", "DIR", "the directory of the files, made where it is not there",
     TAKES_FILE(generate_options, recipe.out, FILE_FOLDER)},
    HEADING("What (which NAME takes which, and what it does without, is told below):"),
    {"--seed", "N", "the same seed makes the same files (1)", TAKES_COUNT(generate_options, recipe.seed, 0)},
    {"--rows", "N", "rows of the matrix; community: ids", TAKES_COUNT(generate_options, recipe.rows, 1)},
    {"--columns", "N", "its columns", TAKES_COUNT(generate_options, recipe.columns, 1)},
    {"--classes-rows", "K", "classes of the rows, or of the ids",
     TAKES_COUNT(generate_options, recipe.row_classes, 1)},
    {"--classes-columns", "L", "classes of the columns",
     TAKES_COUNT(generate_options, recipe.column_classes, 1)},
    {"--trials", "T", "that many pairs, drawn with replacement (every pair once)",
     TAKES_COUNT(generate_options, recipe.trials, 1)},
    {"--label-noise", "P", "the probability that a label is turned over",
     TAKES_WITHIN(generate_options, recipe.label_noise, 0, 1)},
    {"--graph-noise", "BETA",
     "noise of the graphs, 0 to 1 (0: cliques joined as a star, which know the classes)",
     TAKES_WITHIN(generate_options, recipe.graph_noise, 0, 1)},
    {"--protocol", NULL,
     "noisy graphs as the text of the paper makes them, or as the program of its authors does (text)",
     TAKES_WORD(generate_options, recipe.protocol, lab_protocol_words)},
    {"--range", "R", "points lie in [-R,R]^D, at least 2 (2)",
     TAKES_POSITIVE(generate_options, recipe.range)},
    {"--separation", "X", "least distance of two boxes in the maximum norm (1)",
     TAKES_POSITIVE(generate_options, recipe.separation)},
    {"--dimension", "D", "numbers of a point (2)", TAKES_COUNT(generate_options, recipe.dimension, 1)},
    {"--period", "T", "trials between two changes of the blocks (400)",
     TAKES_COUNT(generate_options, recipe.period, 1)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("NAME", "the NAME of a generator is needed"),
    NEEDED("--out", "--out DIR is needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 1};

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
    "  context       40,000 events of 200 rows with 100 columns, each with a\n"
    "                device and an hour, on which its label depends as well;\n"
    "                label noise 0.05.  Takes rows, columns, classes-rows,\n"
    "                classes-columns, trials, label-noise.\n"
    "  positives     20,000 events of 200 rows with 100 columns, label +1 alone,\n"
    "                and the probability of every pair.  Takes rows, columns,\n"
    "                classes-rows, classes-columns, trials.\n"
    "An option that NAME does not take is an error.\n\n"
    "Files: stream.csv; rows.edges and columns.edges (ids.edges), which graph:FILE reads, or rows.features "
    "and columns.features, which features:FILE reads; rows.classes and columns.classes (ids.classes), the "
    "truth, which classes:FILE and --truth-rows read; truth.csv, probabilities.  Files that are there are "
    "replaced.  What was written, "
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

/* --out and --seed are for all of them. */
static void check(struct argp_state *state, void *options)
{
    const lab_generator *generator = ((generate_options *)options)->generator;
    for (const option_row *row = option_rows; row->type != OPTION_END; row++) {
        bool own = row->name != NULL && row->name[0] == '-' && strcmp(row->name, "--out") != 0 &&
                   strcmp(row->name, "--seed") != 0;
        if (own && command_given(state, row->name) && !takes(generator, row->name + 2))
            argp_error(state, "%s: %s does not take it, only --out, --seed and: %s", row->name,
                       generator->name, generator->takes);
    }
}

static void find_generator(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    char known[128] = "";
    size_t length = 0;
    const lab_generator *generator = lab_generator_find(text);
    (void)row;
    for (int k = 0; lab_generator_at(k) != NULL && length < sizeof known; k++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", k == 0 ? "" : ", ",
                                   lab_generator_at(k)->name);
    if (generator == NULL)
        argp_error(state, "found '%s', expected one of %s", weft_show(text).text, known);
    ((generate_options *)options)->generator = generator;
}

/* ---- The command line ---- */

int generate_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "NAME --out DIR",
                                      .documentation = documentation,
                                      .expected = "one NAME",
                                      .check = check};
    generate_options options = {
        .recipe = {.seed = 1, .label_noise = -1, .graph_noise = -1, .protocol = LAB_TEXT}};
    weft_error error = {0};
    command_parse(&line, count, arguments, &options);
    interrupt_watch();
    weft_status status = options.generator->make(&options.recipe, stderr, &error);
    if (status != WEFT_OK)
        fprintf(stderr, "weft: %s\n", error.message);
    return status != WEFT_OK && interrupt_came() ? EXIT_INTERRUPTED : weft_status_exit(status);
}
