/* SPDX-License-Identifier: MIT
 * Generators of matrices with latent blocks whose side information is a graph of either
 * side: the experiment of the paper's appendix, the adversary of section 4.1, and blocks
 * that change. */
#include "lab/generate/generate.h"
#include "lab/problem/protocol.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdlib.h>

/* The paper's appendix. */
static const double paper_noise = 0.1;

/* What is written. */
typedef struct problem {
    lab_blocks blocks;
    lab_graph row_graph, column_graph;
    lab_stream stream;
} problem;

static void free_problem(problem *made)
{
    lab_stream_free(&made->stream);
    lab_graph_free(&made->row_graph);
    lab_graph_free(&made->column_graph);
    lab_blocks_free(&made->blocks);
}

static lab_random begin(const lab_recipe *recipe, const char *purpose)
{
    return lab_random_begin(recipe->seed, purpose, recipe->rows, recipe->columns);
}

/* Everything but the stream. */
static problem draw_sides(const lab_recipe *recipe)
{
    lab_protocol protocol = lab_protocol_of(recipe->protocol);
    lab_random matrix = begin(recipe, "generated matrix"), rows = begin(recipe, "generated row graph"),
               columns = begin(recipe, "generated column graph");
    int64_t k = recipe->row_classes, l = recipe->column_classes;
    problem made = {.blocks = lab_blocks_draw(recipe->rows, recipe->columns, k, l, protocol.sizes, &matrix)};
    made.row_graph =
        lab_protocol_graph(&protocol, recipe->rows, k, made.blocks.row_class, recipe->graph_noise, &rows);
    made.column_graph = lab_protocol_graph(&protocol, recipe->columns, l, made.blocks.column_class,
                                           recipe->graph_noise, &columns);
    return made;
}

/* stream.csv, rows.edges, columns.edges, rows.classes, columns.classes, in this order. */
static weft_status write_problem(const char *folder, const problem *made, lab_set *set, FILE *report,
                                 weft_error *error)
{
    const lab_blocks *blocks = &made->blocks;
    lab_side rows = {"rows", "r", blocks->rows, blocks->k, blocks->row_class};
    lab_side columns = {"columns", "c", blocks->columns, blocks->l, blocks->column_class};
    weft_status status = WEFT_OK;
    TRY(lab_set_begin(folder, set, error));
    TRY(lab_set_stream(set, &made->stream, "r", "c", error));
    TRY(lab_set_graph(set, &rows, &made->row_graph, error));
    TRY(lab_set_graph(set, &columns, &made->column_graph, error));
    TRY(lab_set_classes(set, &rows, error));
    TRY(lab_set_classes(set, &columns, error));
    TRY(lab_set_commit(set, report, error));
done:
    return status;
}

static const char play[] =
    "weft run %1 --rows graph:%2 --columns graph:%3 --truth-rows %4 --truth-columns %5";

/* ---- biclustered ---- */

/* The experiment of the paper has one number of rows and columns, and 9 classes each. */
static bool is_paper(const lab_recipe *recipe)
{
    return recipe->rows == recipe->columns && recipe->row_classes == LAB_CLASSES &&
           recipe->column_classes == LAB_CLASSES && recipe->trials == 0 && recipe->label_noise == paper_noise;
}

/* Run number 0 of weft experiment table1, and a command that plays it with the settings
 * that it has there. */
static weft_status make_paper(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    lab_run run = {.protocol = lab_protocol_of(recipe->protocol),
                   .n = recipe->rows,
                   .beta = recipe->graph_noise,
                   .seed = recipe->seed};
    lab_instance instance = lab_instance_draw(&run);
    problem made = {instance.blocks, instance.row_graph, instance.column_graph, instance.stream};
    lab_set set = {0};
    char *command = NULL;
    weft_status status = WEFT_OK;
    TRY(lab_instance_settle(&run, &instance, error));
    TRY(write_problem(recipe->out, &made, &set, report, error));
    fprintf(report,
            "this is run 0 of weft experiment table1 --protocol %s --seed %" PRIu64 " at n = %" PRId64
            ", beta = %g\n",
            lab_protocol_words[recipe->protocol], recipe->seed, run.n, run.beta);
    const weft_settings *s = &instance.settings;
    command = new_text("%s --eta %.17g --gamma %.17g --dimension %.17g --seed %" PRIu64 " --tolerance %g",
                       play, s->eta, s->gamma, s->dimension, s->seed, s->tolerance);
    lab_set_command(&set, report, command);
done:
    free(command);
    lab_set_free(&set);
    lab_instance_free(&instance);
    return status;
}

static weft_status make_blocks(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    problem made = draw_sides(recipe);
    lab_random order = begin(recipe, "generated stream");
    lab_set set = {0};
    weft_status status = WEFT_OK;
    made.stream = lab_recipe_stream(recipe, &made.blocks, &order);
    TRY(write_problem(recipe->out, &made, &set, report, error));
    lab_set_command(&set, report, play);
done:
    lab_set_free(&set);
    free_problem(&made);
    return status;
}

weft_status lab_make_biclustered(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    const lab_usual usual = {40, 40, LAB_CLASSES, LAB_CLASSES, paper_noise, 0};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    weft_status status = lab_recipe_check(&filled, LAB_MOST_VERTICES, error);
    if (status != WEFT_OK)
        return status;
    return is_paper(&filled) ? make_paper(&filled, report, error) : make_blocks(&filled, report, error);
}

/* ---- adversary ---- */

/* Ids by class: those of class c are id[first[c]], ..., id[first[c + 1] - 1]. */
typedef struct members {
    int64_t *first, *id;
} members;

static members sort_members(const int64_t *class_of, int64_t count, int64_t classes)
{
    members sorted = {new_array(classes + 1, sizeof *sorted.first), new_array(count, sizeof *sorted.id)};
    int64_t *end = new_array(classes, sizeof *end);
    for (int64_t i = 0; i < count; i++)
        sorted.first[class_of[i] + 1]++;
    for (int64_t c = 0; c < classes; c++) {
        sorted.first[c + 1] += sorted.first[c];
        end[c] = sorted.first[c];
    }
    for (int64_t i = 0; i < count; i++)
        sorted.id[end[class_of[i]]++] = i;
    free(end);
    return sorted;
}

static void free_members(members *sorted)
{
    free(sorted->first);
    free(sorted->id);
}

/* A random one of a class, of which there is at least one. */
static int64_t draw_member(const members *sorted, int64_t which, lab_random *random)
{
    int64_t first = sorted->first[which];
    return sorted->id[first + lab_below(random, sorted->first[which + 1] - first)];
}

/* One entry of every block, in random order. */
static lab_stream visit_blocks(const lab_blocks *blocks, lab_random *random)
{
    lab_stream stream = {.count = blocks->k * blocks->l};
    members rows = sort_members(blocks->row_class, blocks->rows, blocks->k);
    members columns = sort_members(blocks->column_class, blocks->columns, blocks->l);
    int64_t *order = lab_permutation(random, stream.count);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t t = 0; t < stream.count; t++) {
        int64_t i = draw_member(&rows, order[t] / blocks->l, random);
        int64_t j = draw_member(&columns, order[t] % blocks->l, random);
        stream.trials[t] = (lab_trial){i, j, lab_blocks_entry(blocks, i, j)};
    }
    free(order);
    free_members(&rows);
    free_members(&columns);
    return stream;
}

weft_status lab_make_adversary(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    static const lab_usual usual = {20, 20, 4, 4, 0, 0};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    problem made = {.stream = {0}};
    lab_random order = begin(&filled, "generated stream");
    lab_set set = {0};
    weft_status status = WEFT_OK;
    TRY(lab_recipe_check(&filled, LAB_MOST_VERTICES, error));
    made = draw_sides(&filled);
    made.stream = visit_blocks(&made.blocks, &order);
    TRY(write_problem(filled.out, &made, &set, report, error));
    fprintf(
        report,
        "every line is the first of its block, and the labels of blocks are fair coins: any learner expects "
        "%g mistakes in these %" PRId64 " trials.  An adversary that sees the predictions forces all "
        "%" PRId64 ": weft experiment tightness\n",
        (double)made.stream.count / 2, made.stream.count, made.stream.count);
    lab_set_command(&set, report, play);
done:
    lab_set_free(&set);
    free_problem(&made);
    return status;
}

/* ---- drift ---- */

/* Fresh labels for all blocks. */
static void redraw(lab_blocks *blocks, lab_random *random)
{
    for (int64_t b = 0; b < blocks->k * blocks->l; b++)
        blocks->block[b] = (signed char)lab_sign(random);
}

/* Pieces of `period` trials, each from a matrix of its own. */
static lab_stream drift(const lab_recipe *recipe, lab_blocks *blocks, lab_random *random)
{
    lab_stream whole = {.count = recipe->trials};
    whole.trials = new_array(whole.count, sizeof *whole.trials);
    for (int64_t t = 0; t < whole.count; t += recipe->period) {
        int64_t left = whole.count - t, count = left < recipe->period ? left : recipe->period;
        if (t > 0)
            redraw(blocks, random);
        lab_stream piece = lab_stream_drawn(blocks, count, recipe->label_noise, false, random);
        for (int64_t s = 0; s < count; s++)
            whole.trials[t + s] = piece.trials[s];
        whole.turned += piece.turned;
        lab_stream_free(&piece);
    }
    return whole;
}

weft_status lab_make_drift(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    enum { USUAL_PERIOD = 400, USUAL_PERIODS = 4 };
    static const lab_usual usual = {40, 40, 4, 4, 0, 0};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    problem made = {.stream = {0}};
    lab_random order = begin(&filled, "generated stream");
    lab_set set = {0};
    weft_status status = WEFT_OK;
    filled.period = recipe->period > 0 ? recipe->period : USUAL_PERIOD;
    TRY(lab_recipe_count("period", filled.period, 1,
                         recipe->trials > 0 ? LAB_MOST_LINES : LAB_MOST_LINES / USUAL_PERIODS, error));
    if (recipe->trials == 0)
        filled.trials = USUAL_PERIODS * filled.period;
    TRY(lab_recipe_check(&filled, LAB_MOST_VERTICES, error));
    made = draw_sides(&filled);
    made.stream = drift(&filled, &made.blocks, &order);
    TRY(write_problem(filled.out, &made, &set, report, error));
    fprintf(report, "all blocks get fresh labels after every %" PRId64 " trials; classes and graphs stay\n",
            filled.period);
    lab_set_command(&set, report, play);
done:
    lab_set_free(&set);
    free_problem(&made);
    return status;
}
