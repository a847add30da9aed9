/* SPDX-License-Identifier: MIT */
#include "cli/compare/metric.h"

#include "cli/report/score.h"
#include "program/new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void metric_add(metric_course *course, const metric_trial *trial, const uint64_t *context)
{
    size_t size = (size_t)course->fields * sizeof *context;
    if (size > 0) {
        course->contexts = new_room(course->contexts, course->count, &course->context_capacity, size);
        memcpy(course->contexts + course->count * course->fields, context, size);
    }
    course->trials = new_room(course->trials, course->count, &course->capacity, sizeof *course->trials);
    course->trials[course->count++] = *trial;
    course->positive += trial->label > 0;
}

static bool see(bool *seen, int64_t id)
{
    bool first = !seen[id];
    seen[id] = true;
    return first;
}

static void mark_first_trials(metric_course *course, bool *seen_rows, bool *seen_columns)
{
    for (int64_t t = 0; t < course->count; t++) {
        course->new_row[t] = see(seen_rows, course->trials[t].row);
        course->new_column[t] = see(seen_columns, course->trials[t].column);
        if (course->one_set)
            course->new_row[t] = course->new_column[t] = course->new_row[t] || course->new_column[t];
    }
}

/* Counting sort by row, trials in their order: start[i + 1] first counts the trials
 * of row i, then is where the next of them goes, and ends as where they end. */
static void sort_by_row(metric_course *course)
{
    int64_t *start = course->start;
    for (int64_t t = 0; t < course->count; t++) {
        start[course->trials[t].row + 1]++;
        if (course->one_set)
            start[course->trials[t].column + 1]++;
    }
    for (int64_t i = 0, sum = 0; i < course->rows; i++) {
        int64_t size = start[i + 1];
        start[i + 1] = sum;
        sum += size;
    }
    for (int64_t t = 0; t < course->count; t++) {
        course->by_row[start[course->trials[t].row + 1]++] = t;
        if (course->one_set)
            course->by_row[start[course->trials[t].column + 1]++] = t;
    }
}

void metric_prepare(metric_course *course)
{
    bool *seen_rows = new_array(course->rows, sizeof *seen_rows);
    bool *seen_columns = new_array(course->columns, sizeof *seen_columns);
    course->new_row = new_array(course->count, sizeof *course->new_row);
    course->new_column = new_array(course->count, sizeof *course->new_column);
    course->by_row = new_array(2 * course->count, sizeof *course->by_row);
    course->start = new_array(course->rows + 1, sizeof *course->start);
    mark_first_trials(course, seen_rows, course->one_set ? seen_rows : seen_columns);
    sort_by_row(course);
    free(seen_rows);
    free(seen_columns);
}

void metric_free(metric_course *course)
{
    free(course->contexts);
    free(course->trials);
    free(course->new_row);
    free(course->new_column);
    free(course->by_row);
    free(course->start);
    *course = (metric_course){0};
}

/* ---- Measures ---- */

/* Sums of what some trials have. */
typedef struct mean {
    double sum;
    int64_t count;
} mean;

static void add(mean *m, double value)
{
    m->sum += value;
    m->count++;
}

static double value_of(const mean *m)
{
    return m->count > 0 ? m->sum / (double)m->count : (double)NAN;
}

void metric_errors(const metric_course *course, const bool *wrong, metric_figures *figures)
{
    mean all = {0}, late = {0}, rows = {0}, columns = {0};
    figures->auc = figures->average_precision = figures->ndcg = figures->recall = (double)NAN;
    for (int64_t t = 0; t < course->count; t++) {
        add(&all, wrong[t]);
        if (t >= course->count / 2)
            add(&late, wrong[t]);
        if (course->new_row[t])
            add(&rows, wrong[t]);
        if (course->new_column[t])
            add(&columns, wrong[t]);
    }
    figures->mistakes = (int64_t)all.sum;
    figures->error = value_of(&all);
    figures->late_error = value_of(&late);
    figures->cold_rows = value_of(&rows);
    figures->cold_columns = value_of(&columns);
}

/* The list is workspace of the caller. */
static void measure_ranking(const metric_course *course, const double *scores, score_list *list,
                            metric_figures *figures)
{
    scores_clear(list);
    for (int64_t t = 0; t < course->count; t++)
        scores_add(list, scores[t], course->trials[t].label);
    ranking ranked = scores_rank(list);
    figures->auc = ranked.defined ? ranked.auc : (double)NAN;
    figures->average_precision = ranked.defined ? ranked.average_precision : (double)NAN;
}

static void measure_rows(const metric_course *course, const double *scores, score_list *list,
                         metric_figures *figures)
{
    mean ndcg = {0}, recall = {0};
    for (int64_t i = 0; i < course->rows; i++) {
        scores_clear(list);
        for (int64_t k = course->start[i]; k < course->start[i + 1]; k++) {
            int64_t t = course->by_row[k];
            scores_add(list, scores[t], course->trials[t].label);
        }
        shortlist top = scores_shortlist(list, METRIC_MOST);
        if (top.defined) {
            add(&ndcg, top.ndcg);
            add(&recall, top.recall);
        }
    }
    figures->ndcg = value_of(&ndcg);
    figures->recall = value_of(&recall);
}

void metric_measure(const metric_course *course, const metric_answers *answers, metric_figures *figures)
{
    score_list list = {0};
    metric_errors(course, answers->wrong, figures);
    measure_ranking(course, answers->scores, &list, figures);
    measure_rows(course, answers->scores, &list, figures);
    scores_free(&list);
}
