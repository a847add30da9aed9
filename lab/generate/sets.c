/* SPDX-License-Identifier: MIT
 * The generator of communities: one set of ids, pairs of them, and a graph (section 4.2). */
#include "lab/generate/generate.h"
#include "lab/problem/protocol.h"
#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>

/* The p-th of the pairs (1,0), (2,0), (2,1), (3,0), ...: `row` is the largest i with
 * i (i - 1) / 2 <= p. */
static lab_trial pair_at(int64_t p, int64_t ids)
{
    int64_t low = 1, high = ids - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (middle * (middle - 1) / 2 <= p)
            low = middle;
        else
            high = middle - 1;
    }
    return (lab_trial){.row = low, .column = p - low * (low - 1) / 2};
}

/* Every pair of distinct ids once, in random order. */
static lab_stream visit_pairs(const lab_blocks *blocks, double noise, lab_random *random)
{
    lab_stream stream = {.count = blocks->rows * (blocks->rows - 1) / 2};
    int64_t *order = lab_permutation(random, stream.count);
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    for (int64_t t = 0; t < stream.count; t++) {
        lab_trial trial = pair_at(order[t], blocks->rows);
        bool turned = lab_event(random, noise);
        int label = lab_blocks_entry(blocks, trial.row, trial.column);
        trial.label = turned ? -label : label;
        stream.turned += turned;
        stream.trials[t] = trial;
    }
    free(order);
    return stream;
}

static lab_recipe fill(const lab_recipe *recipe)
{
    static const lab_usual usual = {.rows = 40, .row_classes = 4};
    lab_recipe filled = lab_recipe_fill(recipe, &usual);
    filled.columns = filled.rows;
    filled.column_classes = filled.row_classes;
    return filled;
}

/* What is written. */
typedef struct communities {
    lab_blocks blocks;
    lab_graph graph;
    lab_stream stream;
} communities;

static communities draw(const lab_recipe *recipe)
{
    int64_t n = recipe->rows, k = recipe->row_classes;
    lab_random matrix = lab_random_begin(recipe->seed, "generated communities", n, k),
               edges = lab_random_begin(recipe->seed, "generated graph", n, k),
               order = lab_random_begin(recipe->seed, "generated pairs", n, k);
    lab_protocol protocol = lab_protocol_of(recipe->protocol);
    int64_t *class_of = lab_classes(n, k, protocol.sizes, &matrix);
    communities made = {.blocks = lab_blocks_community(n, k, class_of)};
    made.graph = lab_protocol_graph(&protocol, n, k, class_of, recipe->graph_noise, &edges);
    made.stream = recipe->trials == 0
                      ? visit_pairs(&made.blocks, recipe->label_noise, &order)
                      : lab_stream_drawn(&made.blocks, recipe->trials, recipe->label_noise, true, &order);
    free(class_of);
    return made;
}

static weft_status write_set(const lab_recipe *recipe, const communities *made, FILE *report,
                             weft_error *error)
{
    lab_side ids = {"ids", "v", recipe->rows, recipe->row_classes, made->blocks.row_class};
    lab_set set = {0};
    weft_status status = WEFT_OK;
    TRY(lab_set_begin(recipe->out, &set, error));
    TRY(lab_set_stream(&set, &made->stream, "v", "v", error));
    TRY(lab_set_graph(&set, &ids, &made->graph, error));
    TRY(lab_set_classes(&set, &ids, error));
    TRY(lab_set_commit(&set, report, error));
    lab_set_command(&set, report, "weft run %1 --both graph:%2 --truth-rows %3");
done:
    lab_set_free(&set);
    return status;
}

weft_status lab_make_community(const lab_recipe *recipe, FILE *report, weft_error *error)
{
    enum { LEAST = 3 }; /* log n must be above 1 */
    lab_recipe filled = fill(recipe);
    communities made = {.stream = {0}};
    weft_status status = WEFT_OK;
    TRY(lab_recipe_count("rows", filled.rows, LEAST, LAB_MOST_VERTICES, error));
    TRY(lab_recipe_check(&filled, LAB_MOST_VERTICES, error));
    made = draw(&filled);
    TRY(write_set(&filled, &made, report, error));
done:
    lab_stream_free(&made.stream);
    lab_graph_free(&made.graph);
    lab_blocks_free(&made.blocks);
    return status;
}
