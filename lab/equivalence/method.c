/* SPDX-License-Identifier: MIT
 *
 * Method     The transductive methods know all ids and the matrices M and N; the inductive ones know
 *            a kernel, and an id only when it comes, so that their numbers are those of arrival.
 * Algorithm  Algorithm 2 of the paper is played literally: on every trial a learner is made over the
 *            rows and columns that were updated, and the pair in question, and all past updates are
 *            replayed.
 * Cost       krylov as always; Algorithm 1 O(n^3) an update, Algorithm 2 O(n^3) a trial.
 * Reference  Herbster, Pasteris and Tse, Algorithms 1 and 2.
 */
#include "lab/equivalence/equivalence.h"

#include "program/fail.h"
#include "program/new.h"

#include <stdlib.h>
#include <string.h>

/* One side of a method: ids by the order in which they came. */
typedef struct arrivals {
    const equivalence_problem *problem;
    int which;
    int64_t count;
    int64_t *id;     /* of number 0, ..., count - 1 */
    int64_t *number; /* of an id; -1: it has not come */
    weft_side *side;
} arrivals;

struct equivalence_method {
    equivalence_method_name name;
    const equivalence_problem *problem;
    weft_settings settings;
    arrivals sides[2];
    weft_player *learner; /* Algorithm 2: none that lasts */
    /* Of Algorithm 2: what is to be replayed, in numbers of arrival. */
    weft_evidence_entry *replay;
    int64_t replayed, t;
};

const char *equivalence_method_word(equivalence_method_name name)
{
    static const char *const words[] = {
        "transductive: M and N of all ids", "inductive: vectors appended as they come",
        "inductive: a kernel function", "Algorithm 1 word for word", "Algorithm 2 word for word"};
    return words[name];
}

static bool is_inductive(equivalence_method_name name)
{
    return name == EQUIVALENCE_INDUCTIVE || name == EQUIVALENCE_CALLBACK;
}

/* ---- Sides ---- */

static arrivals arrivals_begin(const equivalence_problem *problem, int which)
{
    arrivals r = {.problem = problem, .which = which};
    r.id = new_array(problem->n, sizeof *r.id);
    r.number = new_array(problem->n, sizeof *r.number);
    for (int64_t i = 0; i < problem->n; i++)
        r.number[i] = -1;
    return r;
}

static void arrivals_free(arrivals *r)
{
    weft_side_free(r->side);
    free(r->id);
    free(r->number);
}

static void enter(arrivals *r, int64_t id)
{
    r->number[id] = r->count;
    r->id[r->count++] = id;
}

static double kernel_of_arrivals(void *user, int64_t i, int64_t j)
{
    const arrivals *r = user;
    return equivalence_kernel(r->problem, r->which, r->id[i], r->id[j]);
}

static weft_status make_transductive(arrivals *r, weft_error *error)
{
    double *matrix = NULL;
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < r->problem->n; i++)
        enter(r, i);
    TRY(equivalence_matrix(r->problem, r->which, &matrix, error));
    TRY(weft_side_from_matrix(r->problem->n, matrix, NULL, &r->side, error));
done:
    free(matrix);
    return status;
}

/* A side that is still empty; R is the one of the transductive method. */
static weft_status make_inductive(arrivals *r, bool callback, weft_error *error)
{
    const equivalence_problem *p = r->problem;
    weft_side_options options = {.radius = p->radius[r->which]};
    weft_features features = {.dimension = p->dimension, .kernel = p->run->kernel, .parameter = p->parameter};
    if (callback)
        return weft_side_from_callback(0, kernel_of_arrivals, r, &options, &r->side, error);
    return weft_side_from_features(&features, &options, &r->side, error);
}

/* Lets an id in that has not come before. */
static weft_status admit(arrivals *r, int64_t id, weft_error *error)
{
    const equivalence_problem *p = r->problem;
    weft_item item = {.values = p->points[r->which] + id * p->dimension, .length = p->dimension};
    if (r->number[id] >= 0)
        return WEFT_OK;
    enter(r, id);
    return weft_side_append(r->side, &item, error);
}

/* ---- Algorithm 2 ---- */

/* A side of those that were updated and of one more, whose number comes out. */
static weft_status embed(const arrivals *r, int64_t id, weft_side **side, int64_t *number, weft_error *error)
{
    const equivalence_problem *p = r->problem;
    int64_t count = r->count + (r->number[id] < 0);
    size_t size = (size_t)p->dimension * sizeof(double);
    double *values = new_array(count * p->dimension, sizeof *values);
    for (int64_t i = 0; i < count; i++)
        memcpy(values + i * p->dimension, p->points[r->which] + (i < r->count ? r->id[i] : id) * p->dimension,
               size);
    weft_side_options options = {.radius = p->radius[r->which]};
    weft_features features = {count, p->dimension, values, p->run->kernel, p->parameter};
    *number = r->number[id] < 0 ? r->count : r->number[id];
    weft_status status = weft_side_from_features(&features, &options, side, error);
    free(values);
    return status;
}

static void remember(equivalence_method *method, const lab_trial *trial)
{
    const int64_t ids[2] = {trial->row, trial->column};
    for (int s = 0; s < 2; s++)
        if (method->sides[s].number[ids[s]] < 0)
            enter(&method->sides[s], ids[s]);
    method->replay[method->replayed++] = (weft_evidence_entry){
        method->sides[0].number[trial->row], method->sides[1].number[trial->column], trial->label};
}

static weft_status play_anew(equivalence_method *method, const lab_trial *trial, weft_answer *outcome,
                             weft_error *error)
{
    weft_side *rows = NULL, *columns = NULL;
    weft_player *learner = NULL;
    weft_counters before = {.t = method->t};
    int64_t row = 0, column = 0;
    weft_status status = WEFT_OK;
    TRY(embed(&method->sides[0], trial->row, &rows, &row, error));
    TRY(embed(&method->sides[1], trial->column, &columns, &column, error));
    TRY(weft_learner_create(rows, columns, &method->settings, NULL, &learner, error));
    TRY(weft_player_add_evidence(learner, method->replay, method->replayed, error));
    TRY(weft_player_count_more(learner, &before, error));
    TRY(weft_player_learn(learner, row, column, trial->label, outcome, error));
    method->t++;
    if (outcome->updated)
        remember(method, trial);
done:
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
    return status;
}

/* ---- Methods ---- */

static weft_status make_side(equivalence_method *method, int which, weft_error *error)
{
    arrivals *r = &method->sides[which];
    *r = arrivals_begin(method->problem, which);
    if (method->name == EQUIVALENCE_ALGORITHM_2)
        return WEFT_OK;
    if (is_inductive(method->name))
        return make_inductive(r, method->name == EQUIVALENCE_CALLBACK, error);
    return make_transductive(r, error);
}

weft_status equivalence_method_create(equivalence_method_name name, const equivalence_problem *problem,
                                      equivalence_method **method, weft_error *error)
{
    equivalence_method *v = new_array(1, sizeof *v);
    weft_status status = WEFT_OK;
    *v = (equivalence_method){.name = name, .problem = problem, .settings = problem->settings};
    bool reference = name == EQUIVALENCE_ALGORITHM_1 || name == EQUIVALENCE_ALGORITHM_2;
    v->settings.engine = reference ? WEFT_REFERENCE : WEFT_KRYLOV;
    TRY(make_side(v, 0, error));
    TRY(make_side(v, 1, error));
    if (name == EQUIVALENCE_ALGORITHM_2)
        v->replay = new_array(problem->stream.count, sizeof *v->replay);
    else
        TRY(weft_learner_create(v->sides[0].side, v->sides[1].side, &v->settings, NULL, &v->learner, error));
    *method = v;
done:
    if (status != WEFT_OK)
        equivalence_method_free(v);
    return status;
}

weft_player *equivalence_method_learner(equivalence_method *method)
{
    return method->learner;
}

weft_status equivalence_method_play(equivalence_method *method, const lab_trial *trial, weft_answer *outcome,
                                    weft_error *error)
{
    weft_status status = WEFT_OK;
    arrivals *rows = &method->sides[0], *columns = &method->sides[1];
    if (method->name == EQUIVALENCE_ALGORITHM_2)
        return play_anew(method, trial, outcome, error);
    TRY(admit(rows, trial->row, error));
    TRY(admit(columns, trial->column, error));
    TRY(weft_player_learn(method->learner, rows->number[trial->row], columns->number[trial->column],
                          trial->label, outcome, error));
done:
    return status;
}

void equivalence_method_free(equivalence_method *method)
{
    if (method == NULL)
        return;
    weft_player_free(method->learner);
    arrivals_free(&method->sides[0]);
    arrivals_free(&method->sides[1]);
    free(method->replay);
    free(method);
}
