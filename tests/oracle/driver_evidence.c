/* SPDX-License-Identifier: MIT
 *
 * Plays problems with merged evidence from standard input, for a judge that
 * computes in multiprecision arithmetic (run_multiprecision.py).  Numbers,
 * separated by blanks, one problem after the other:
 *
 *     FORM UPDATES ENGINE PRECISION        the values of the enumerations
 *     ETA GAMMA DIMENSION TOLERANCE
 *     M N                                  N = 0 for one set of ids
 *     M*M entries of the row kernel, then N*N of the column kernel
 *     ENTRIES, then ROW COLUMN COUNT for each
 *     QUERIES, then ROW COLUMN LABEL for each; LABEL 0 predicts only
 *
 * and for each query one line: LOWER MARGIN UPPER PREDICTION CERTIFIED UPDATED
 * B, where b is that of the evidence the query met. */
#include "numbers.h"

static weft_side *read_kernel(int64_t count)
{
    weft_error error = {0};
    weft_side *side = NULL;
    double *kernel = read_numbers(count * count);
    demand(weft_side_from_kernel(count, kernel, NULL, &side, &error), &error);
    free(kernel);
    return side;
}

static void merge_evidence(weft_player *learner)
{
    weft_error error = {0};
    int64_t count = read_count();
    weft_evidence_entry *entries = allocate(count, sizeof *entries);
    for (int64_t k = 0; k < count; k++) {
        int64_t row = read_count(), column = read_count();
        entries[k] = (weft_evidence_entry){row, column, read_count()};
    }
    demand(weft_player_add_evidence(learner, entries, count, &error), &error);
    free(entries);
}

static void answer(weft_player *learner)
{
    weft_error error = {0};
    weft_answer outcome = {0};
    int64_t row = read_count(), column = read_count(), label = read_count();
    double bound = weft_learner_spectral_bound(learner);
    if (label == 0)
        demand(weft_player_predict(learner, row, column, &outcome, &error), &error);
    else
        demand(weft_player_learn(learner, row, column, (int)label, &outcome, &error), &error);
    const weft_answer *got = &outcome;
    printf("%.17g %.17g %.17g %d %d %d %.17g\n", got->lower, got->margin, got->upper, got->label,
           got->certified, outcome.updated, bound);
}

static void play(weft_form form)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    weft_settings settings = {.form = form, .deterministic = true};
    settings.updates = (weft_updates)read_count();
    settings.engine = (weft_engine)read_count();
    settings.precision = (weft_precision)read_count();
    settings.eta = read_number();
    settings.gamma = read_number();
    settings.dimension = read_number();
    settings.tolerance = read_number();
    int64_t m = read_count(), n = read_count();
    weft_side *rows = read_kernel(m), *columns = n > 0 ? read_kernel(n) : NULL;
    demand(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    merge_evidence(learner);
    for (int64_t queries = read_count(); queries > 0; queries--)
        answer(learner);
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

int main(void)
{
    int64_t form;
    while (scanf("%" SCNd64, &form) == 1)
        play((weft_form)form);
    return 0;
}
