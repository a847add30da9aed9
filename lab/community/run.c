/* SPDX-License-Identifier: MIT
 *
 * Method     online community membership prediction: a pair is +1 iff both are of one community
 * Algorithm  communities of equal size, each a cycle with random chords; k - 1 edges join them to a
 *            random tree, the other edges of the cut are any pairs of different communities; then
 *            every unordered pair once, in random order
 * Cost       O(n^3) for the Laplacian, then n (n - 1) / 2 trials
 * Reference  section 4.2; Gentile, Herbster and Pasteris, 2013, for one set of ids */
#include "lab/community/community.h"

#include "lab/problem/graph.h"
#include "lab/problem/play.h"
#include "program/fail.h"
#include "program/new.h"
#include "weft_theory.h"

#include <stdlib.h>

/* A chord for every fourth pair: sparse enough for the cut to drown the communities, which have
 * n / 4k chords a vertex, dense enough for their radius to be small. */
static const double chord_probability = 0.25;

bool community_has_graph(community_method method)
{
    return method < COMMUNITY_NOTHING;
}

bool community_is_one_set(community_method method)
{
    return method == COMMUNITY_ONE_SET || method == COMMUNITY_ALONE;
}

/* ---- The graph ---- */

static bool put_edge(lab_graph *graph, int64_t i, int64_t j)
{
    unsigned char *there = &graph->edge[i * graph->vertices + j];
    bool is_new = !*there;
    *there = 1;
    graph->edge[j * graph->vertices + i] = 1;
    return is_new;
}

/* A cycle through the members of every community, in the order of their numbers. */
static void put_cycles(lab_graph *graph, int64_t k, const int64_t *class_of)
{
    for (int64_t c = 0; c < k; c++) {
        int64_t first = -1, last = -1;
        for (int64_t i = 0; i < graph->vertices; i++) {
            if (class_of[i] != c)
                continue;
            if (last >= 0)
                put_edge(graph, last, i);
            first = first < 0 ? i : first;
            last = i;
        }
        if (first != last)
            put_edge(graph, first, last);
    }
}

static void put_chords(lab_graph *graph, const int64_t *class_of, lab_random *random)
{
    for (int64_t i = 0; i < graph->vertices; i++)
        for (int64_t j = 0; j < i; j++)
            if (class_of[i] == class_of[j] && lab_event(random, chord_probability))
                put_edge(graph, i, j);
}

static int64_t draw_member(const int64_t *class_of, int64_t n, int64_t wanted, lab_random *random)
{
    int64_t i;
    do
        i = lab_below(random, n);
    while (class_of[i] != wanted);
    return i;
}

/* Every community but the first is joined to an earlier one, then any are until the cut is full. */
static void put_cut(lab_graph *graph, const community_given *given, const int64_t *class_of,
                    lab_random *random)
{
    int64_t n = graph->vertices, cut = 0;
    for (int64_t c = 1; c < given->k; c++) {
        int64_t i = draw_member(class_of, n, c, random);
        cut += put_edge(graph, i, draw_member(class_of, n, lab_below(random, c), random));
    }
    while (cut < given->cut) {
        int64_t i = lab_below(random, n), j = lab_below(random, n);
        if (class_of[i] != class_of[j])
            cut += put_edge(graph, i, j);
    }
}

static lab_graph draw_graph(const community_given *given, const int64_t *class_of)
{
    lab_graph graph = {.vertices = given->n, .edge = new_array(given->n * given->n, 1)};
    lab_random chords = lab_random_begin(given->seed, "community chords", given->k, given->number);
    lab_random cut =
        lab_random_begin(given->seed, "community cut", given->k * given->n + given->cut, given->number);
    put_cycles(&graph, given->k, class_of);
    put_chords(&graph, class_of, &chords);
    put_cut(&graph, given, class_of, &cut);
    return graph;
}

/* ---- The stream ---- */

/* Every unordered pair once, in random order, either of the two first. */
static lab_stream draw_pairs(int64_t n, const int64_t *class_of, lab_random *random)
{
    lab_stream stream = {.count = n * (n - 1) / 2};
    stream.trials = new_array(stream.count, sizeof *stream.trials);
    int64_t *order = lab_permutation(random, stream.count), number = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            int label = class_of[i] == class_of[j] ? 1 : -1;
            bool swapped = lab_event(random, 0.5);
            stream.trials[order[number++]] = swapped ? (lab_trial){j, i, label} : (lab_trial){i, j, label};
        }
    free(order);
    return stream;
}

/* ---- The run ---- */

static weft_settings settings_of(const community_given *given)
{
    return (weft_settings){
        .form = community_is_one_set(given->method) ? WEFT_ONE_SET : WEFT_PAPER,
        .updates = given->method == COMMUNITY_MARGIN ? WEFT_MARGIN_UPDATES : WEFT_MISTAKE_UPDATES,
        /* Expected mistakes are then known to about 0.1 gamma of the margin each. */
        .tolerance = given->method == COMMUNITY_MARGIN ? 0.2 : 0,
        .seed = given->seed + (uint64_t)given->number,
    };
}

static weft_status make_side(const community_given *given, const int64_t *class_of, weft_side **side,
                             weft_error *error)
{
    if (!community_has_graph(given->method))
        return weft_side_none(given->n, NULL, side, error);
    lab_graph graph = draw_graph(given, class_of);
    weft_status status = lab_graph_side(&graph, side, error);
    lab_graph_free(&graph);
    return status;
}

/* Parameters as the theory that belongs to the form and the updates wants them, with the true
 * communities known; then its bound. */
static weft_status play(const community_given *given, const weft_side *side, const int64_t *class_of,
                        const lab_stream *stream, double *answer, weft_error *error)
{
    weft_settings settings = settings_of(given);
    const weft_side *columns = settings.form == WEFT_ONE_SET ? NULL : side;
    weft_truth truth = {.row_class = class_of, .column_class = class_of, .communities = true};
    weft_measure measure;
    lab_score score;
    weft_status status = WEFT_OK;
    TRY(weft_theory_measure(side, columns, &truth, &settings, &measure, error));
    weft_theory_tune(&measure, stream->count, &settings, NULL);
    TRY(lab_play(side, columns, &settings, stream, &score, error));
    weft_course course = {.horizon = stream->count, .trials = stream->count};
    bool drawn = settings.updates == WEFT_MARGIN_UPDATES;
    answer[COMMUNITY_TRIALS] = (double)stream->count;
    answer[COMMUNITY_MISTAKEN] = (double)score.counters.mistakes;
    answer[COMMUNITY_EXPECTED] = drawn ? score.counters.expected_mistakes : (double)score.counters.mistakes;
    /* The constant part of a PDLaplacian doubles the radius: R = 2 R_L. */
    answer[COMMUNITY_RADIUS] = community_has_graph(given->method) ? weft_side_radius(side) / 2 : 0;
    answer[COMMUNITY_DIMENSION] = settings.dimension;
    answer[COMMUNITY_BOUND] = weft_theory_judge(&measure, &settings, &course).value;
    answer[COMMUNITY_UNCERTAIN] = (double)score.uncertified;
done:
    return status;
}

weft_status community_work(const void *what, double *answer, weft_error *error)
{
    const community_given *given = what;
    lab_random classes = lab_random_begin(given->seed, "community classes", given->k, given->number);
    lab_random pairs = lab_random_begin(given->seed, "community pairs", given->k, given->number);
    int64_t *class_of = lab_classes(given->n, given->k, LAB_EQUAL, &classes);
    lab_stream stream = draw_pairs(given->n, class_of, &pairs);
    weft_side *side = NULL;
    weft_status status = WEFT_OK;
    TRY(make_side(given, class_of, &side, error));
    TRY(play(given, side, class_of, &stream, answer, error));
done:
    weft_side_free(side);
    lab_stream_free(&stream);
    free(class_of);
    return status;
}
