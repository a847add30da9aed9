/* SPDX-License-Identifier: MIT
 *
 * Method     the inductive setting: a matrix with k x l latent blocks, of whose rows and columns
 *            nothing is known before they arrive, and then only a point in [-r,r]^d
 * Algorithm  a new row and a new column arrive together after every trials / count trials and meet
 *            at once; until the next two, pairs of those that are there are drawn.  Sides grow by
 *            weft_side_append under the running learner; capacities and R = r^d are fixed.
 * Cost       O(count^3) to measure the side information, then `trials` trials
 * Reference  section 5.1, alg:inductive, lem:min_kernel_norm */
#include "lab/boxes/boxes.h"

#include "lab/problem/play.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_theory.h"

#include <stdlib.h>

/* ---- The problem ---- */

/* How many rows (and columns) are there at trial t. */
static int64_t present_at(const boxes_given *given, int64_t t)
{
    return 1 + t * given->count / given->trials;
}

static lab_stream draw_stream(const boxes_given *given, const lab_blocks *blocks, lab_random *random)
{
    lab_stream stream = {.count = given->trials};
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    int64_t before = 0;
    for (int64_t t = 0; t < stream.count; t++) {
        int64_t there = present_at(given, t);
        int64_t i = lab_below(random, there), j = lab_below(random, there);
        if (there > before)
            i = j = there - 1;
        before = there;
        stream.trials[t] = (lab_trial){i, j, lab_blocks_entry(blocks, i, j)};
    }
    return stream;
}

/* Whether `count` lines of the k x l blocks differ pairwise: line a has entry i at
 * block[a * across + i * along], `length` entries. */
static bool all_differ(const signed char *block, int64_t count, int64_t across, int64_t length, int64_t along)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < a; b++) {
            int64_t i = 0;
            while (i < length && block[a * across + i * along] == block[b * across + i * along])
                i++;
            if (i == length)
                return false;
        }
    return true;
}

/* Blocks in which no two classes of rows, and no two of columns, are alike: there are really k and
 * l.  (2^l >= k and 2^k >= l, or there are none.) */
static lab_blocks draw_blocks(const boxes_given *given, lab_random *random)
{
    int64_t k = given->k, l = given->l;
    for (;;) {
        lab_blocks blocks = lab_blocks_draw(given->count, given->count, k, l, LAB_EQUAL, random);
        if (all_differ(blocks.block, k, l, l, 1) && all_differ(blocks.block, l, 1, k, l))
            return blocks;
        lab_blocks_free(&blocks);
    }
}

weft_status boxes_problem_draw(const boxes_given *given, boxes_problem *problem, weft_error *error)
{
    boxes_problem made = {0};
    weft_status status = WEFT_OK;
    int64_t kl = given->k << 16 | given->l, d = given->dimension;
    lab_random blocks = lab_random_begin(given->seed, "boxes blocks", kl, given->number);
    lab_random rows = lab_random_begin(given->seed, "boxes rows", kl, given->number);
    lab_random columns = lab_random_begin(given->seed, "boxes columns", kl, given->number);
    lab_random stream = lab_random_begin(given->seed, "boxes stream", kl, given->number);
    made.blocks = draw_blocks(given, &blocks);
    TRY(lab_boxes_draw(given->k, d, given->range, given->separation, &rows, &made.row_boxes, error));
    TRY(lab_boxes_draw(given->l, d, given->range, given->separation, &columns, &made.column_boxes, error));
    made.row_points = lab_boxes_points(&made.row_boxes, given->count, made.blocks.row_class, &rows);
    made.column_points =
        lab_boxes_points(&made.column_boxes, given->count, made.blocks.column_class, &columns);
    made.stream = draw_stream(given, &made.blocks, &stream);
    *problem = made;
    made = (boxes_problem){0};
done:
    boxes_problem_free(&made);
    return status;
}

void boxes_problem_free(boxes_problem *problem)
{
    lab_blocks_free(&problem->blocks);
    lab_boxes_free(&problem->row_boxes);
    lab_boxes_free(&problem->column_boxes);
    free(problem->row_points);
    free(problem->column_points);
    lab_stream_free(&problem->stream);
    *problem = (boxes_problem){0};
}

/* ---- Sides ---- */

/* The first `count` of the points. */
static weft_status make_side(const boxes_given *given, const double *points, int64_t count, weft_side **side,
                             weft_error *error)
{
    weft_side_options options = {.inductive = true};
    weft_features features = {count, given->dimension, points, WEFT_MIN, given->range};
    if (given->blind)
        return weft_side_none(count, &options, side, error);
    return weft_side_from_features(&features, &options, side, error);
}

/* ---- What is known in hindsight ---- */

/* The settings of the realizable theorem, with D, the trace and the bound of all points. */
static weft_status measure(const boxes_given *given, const boxes_problem *problem, boxes_played *played,
                           weft_settings *settings, weft_error *error)
{
    const int64_t *row_class = problem->blocks.row_class, *column_class = problem->blocks.column_class;
    weft_truth truth = {.row_class = row_class, .column_class = column_class};
    weft_course course = {.horizon = given->trials, .trials = given->trials};
    weft_side *rows = NULL, *columns = NULL;
    weft_side_term row, column;
    weft_measure all;
    weft_status status = WEFT_OK;
    *settings = (weft_settings){
        .updates = WEFT_MISTAKE_UPDATES, .rows = given->count + given->room, .columns = given->count};
    TRY(make_side(given, problem->row_points, given->count, &rows, error));
    TRY(make_side(given, problem->column_points, given->count, &columns, error));
    TRY(weft_theory_side(rows, row_class, &row, error));
    TRY(weft_theory_side(columns, column_class, &column, error));
    TRY(weft_theory_measure(rows, columns, &truth, settings, &all, error));
    weft_theory_tune(&all, given->trials, settings, NULL);
    played->trace = row.trace / weft_side_radius(rows) + column.trace / weft_side_radius(columns);
    played->general = row.general + column.general;
    played->bound = weft_theory_judge(&all, settings, &course).value;
done:
    weft_side_free(rows);
    weft_side_free(columns);
    return status;
}

/* ---- The run ---- */

typedef struct game {
    const boxes_given *given;
    const boxes_problem *problem;
    boxes_played *played;
    unsigned char *decisions;
} game;

/* The newest row and column of trial t arrive, unless they are known. */
static weft_status arrive(void *user, int64_t t, lab_trial *trial, weft_error *error)
{
    const game *g = user;
    int64_t d = g->given->dimension, there = present_at(g->given, t);
    weft_item row = {.values = g->problem->row_points + (there - 1) * d, .length = d};
    weft_item column = {.values = g->problem->column_points + (there - 1) * d, .length = d};
    weft_status status = WEFT_OK;
    (void)trial;
    if (weft_side_count(g->played->rows) >= there)
        return WEFT_OK;
    TRY(weft_side_append(g->played->rows, &row, error));
    TRY(weft_side_append(g->played->columns, &column, error));
done:
    return status;
}

static weft_status note_decision(void *user, int64_t t, const lab_trial *trial, const weft_answer *answer,
                                 weft_error *error)
{
    bool certain = answer->update_certified && answer->certified;
    (void)trial;
    (void)error;
    ((game *)user)->decisions[t] = (unsigned char)(answer->mistake + 2 * answer->updated + 4 * !certain);
    return WEFT_OK;
}

weft_status boxes_play(const boxes_given *given, const boxes_problem *problem, bool known,
                       boxes_played *played, unsigned char *decisions, weft_error *error)
{
    boxes_played made = {0};
    game g = {given, problem, &made, decisions};
    const lab_hooks hooks = {&g, arrive, note_decision};
    weft_settings settings;
    weft_status status = WEFT_OK;
    int64_t listed = known ? given->count : 0;
    TRY(measure(given, problem, &made, &settings, error));
    TRY(make_side(given, problem->row_points, listed, &made.rows, error));
    TRY(make_side(given, problem->column_points, listed, &made.columns, error));
    TRY(weft_learner_create(made.rows, made.columns, &settings, NULL, &made.learner, error));
    TRY(lab_play_trials(made.learner, &problem->stream, 0, problem->stream.count, &hooks, NULL, error));
    *played = made;
    made = (boxes_played){0};
done:
    boxes_played_free(&made);
    return status;
}

void boxes_played_free(boxes_played *played)
{
    weft_player_free(played->learner);
    weft_side_free(played->rows);
    weft_side_free(played->columns);
    *played = (boxes_played){0};
}

/* Counts what happened to the pairs that arrive in the second half, and doubtful decisions. */
static void count_decisions(const boxes_given *given, const unsigned char *decisions, double *answer)
{
    int64_t first = 0, wrong = 0, uncertain = 0;
    for (int64_t t = 1; t < given->trials; t++) {
        bool arrival = present_at(given, t) > present_at(given, t - 1);
        if (arrival && 2 * t >= given->trials) {
            first++;
            wrong += decisions[t] & 1;
        }
        uncertain += decisions[t] >> 2;
    }
    answer[BOXES_LATE_FIRST] = (double)first;
    answer[BOXES_LATE_WRONG] = (double)wrong;
    answer[BOXES_UNCERTAIN] = (double)uncertain;
}

/* How many decisions are others when every point is known in advance: none, by eq:alg. */
static weft_status compare(const boxes_given *given, const boxes_problem *problem,
                           const unsigned char *decisions, double *different, weft_error *error)
{
    unsigned char *others = new_array(given->trials, 1);
    boxes_played played = {0};
    weft_status status = WEFT_OK;
    TRY(boxes_play(given, problem, true, &played, others, error));
    *different = 0;
    for (int64_t t = 0; t < given->trials; t++)
        *different += (decisions[t] & 3) != (others[t] & 3);
done:
    boxes_played_free(&played);
    free(others);
    return status;
}

weft_status boxes_work(const void *what, double *answer, weft_error *error)
{
    const boxes_given *given = what;
    unsigned char *decisions = new_array(given->trials, 1);
    boxes_problem problem = {0};
    boxes_played played = {0};
    weft_status status = WEFT_OK;
    TRY(boxes_problem_draw(given, &problem, error));
    TRY(boxes_play(given, &problem, false, &played, decisions, error));
    answer[BOXES_MISTAKES] = (double)weft_player_counters(played.learner).mistakes;
    answer[BOXES_TRACE] = played.trace;
    answer[BOXES_GENERAL] = played.general;
    answer[BOXES_DIMENSION] = weft_learner_settings(played.learner).dimension;
    answer[BOXES_BOUND] = played.bound;
    count_decisions(given, decisions, answer);
    answer[BOXES_DIFFERENT] = 0;
    if (given->twice)
        TRY(compare(given, &problem, decisions, &answer[BOXES_DIFFERENT], error));
done:
    boxes_played_free(&played);
    boxes_problem_free(&problem);
    free(decisions);
    return status;
}
