/* SPDX-License-Identifier: MIT
 * How well a contestant played a stream: the columns of the table of weft compare. */
#ifndef WEFT_CLI_COMPARE_METRIC_H
#define WEFT_CLI_COMPARE_METRIC_H

#include <stdbool.h>
#include <stdint.h>

/* One labelled line, its ids as numbers. */
typedef struct metric_trial {
    int64_t row, column;
    int label; /* -1 or +1 */
} metric_trial;

/* A stream in memory.  With one set of ids every trial belongs to both of its ids,
 * and `columns` is `rows`. */
typedef struct metric_course {
    metric_trial *trials;
    int64_t count, capacity;
    int64_t fields; /* of the context of a trial, which are contexts[t * fields] and on; none: NULL */
    uint64_t *contexts;
    int64_t context_capacity;
    int64_t positive;      /* labels +1 */
    int64_t rows, columns; /* ids */
    bool one_set;
    /* Made by metric_prepare: */
    bool *new_row, *new_column; /* the first trial of its row, of its column */
    int64_t *by_row;            /* places of the trials of row i: by_row[start[i]..start[i+1]) */
    int64_t *start;
} metric_course;

void metric_add(metric_course *course, const metric_trial *trial, const uint64_t *context);
/* Once all trials are there and the counts of ids are set. */
void metric_prepare(metric_course *course);
void metric_free(metric_course *course);

/* The answers of a contestant, each given before the label of its trial. */
typedef struct metric_answers {
    double *scores; /* larger means rather +1 */
    bool *wrong;
} metric_answers;

enum { METRIC_MOST = 10 }; /* of nDCG and recall */

/* NaN where something is not defined. */
typedef struct metric_figures {
    int64_t mistakes;
    double error;
    double late_error; /* of the trials count/2, count/2 + 1, ..., from 0 */
    double auc, average_precision;
    /* Means over the rows with more than METRIC_MOST trials and both labels. */
    double ndcg, recall;
    double cold_rows, cold_columns; /* error on first trials; one set: of either id, twice the same */
} metric_figures;

/* Those that need no scores. */
void metric_errors(const metric_course *course, const bool *wrong, metric_figures *figures);
/* All of them. */
void metric_measure(const metric_course *course, const metric_answers *answers, metric_figures *figures);

#endif
