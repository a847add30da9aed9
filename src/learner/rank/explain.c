/* SPDX-License-Identifier: MIT
 *
 * What a margin rests on: its derivative by every count of the evidence.
 *
 * Method: a count G_rc enters the exponent as
 *
 *     dC = eta (e_r e_c' + e_c e_r' + d (e_r e_r' + e_c e_c')),   d = +1, -1, 0
 *
 * (paper, one set of ids, balanced), and dq = kappa sum dC_rc B(r, c), with the
 * integrals B of spectral/action.h.  The margin is linear in the quadratic forms
 * q_v: coefficient_v, which is +1, -1, +-s.
 * Cost: the sequences, O(n k^2) and O(k) a pair. */
#include "base/elementary.h"
#include "learner/rank/snapshot.h"

#include <math.h>

/* Beyond this exp is not a number to work with, and nothing is known. */
static const double LARGEST_LOG = 690;

/* One vector of the pair: its sequence and what that knows. */
typedef struct strand {
    weft__sequence sequence;
    weft__action action;
    weft__start start;
    double *image;
    bool more;
} strand;

typedef struct inquiry {
    weft__learner *learner;
    weft__snapshot snapshot;
    weft__embedding embedding;
    strand strands[2];
    weft_influence *influences; /* one a cell of the evidence */
    double total;
    weft__progress *progress; /* NULL: nobody */
} inquiry;

static weft_status begin(inquiry *q, const int64_t pair[2], weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__learner *learner = q->learner;
    weft__space *space = learner->space;
    int64_t n = space->backend.operators.n;
    TRY(weft__new(&learner->player.memory, space->evidence.count, sizeof *q->influences, &q->influences,
                  error));
    q->embedding = learner->form->embed(weft__working_set_diagonal(&space->view[0], pair[0]),
                                        weft__working_set_diagonal(weft__space_columns(space), pair[1]));
    for (int v = 0; v < learner->form->vectors; v++) {
        strand *t = &q->strands[v];
        t->sequence.whole = t->more = true;
        t->action.memory = learner->player.memory;
        TRY(weft__new(&learner->player.memory, n, sizeof(double), &t->image, error));
        TRY(weft__sequence_reserve(&t->sequence, &learner->player.memory, n, error));
        t->start = weft__space_embed(space, pair, q->embedding.value[v], t->image);
        weft__sequence_begin(&t->sequence, &q->snapshot.operators, &t->start, q->snapshot.b);
    }
done:
    return status;
}

/* Takes NULL. */
static void finish(inquiry *q)
{
    if (q == NULL)
        return;
    const weft_memory *memory = &q->learner->player.memory;
    for (int v = 0; v < 2; v++) {
        weft__sequence_release(&q->strands[v].sequence, memory);
        weft__action_release(&q->strands[v].action);
        weft__delete(memory, q->strands[v].image);
    }
    weft__delete(memory, q->influences);
    weft__snapshot_release(&q->snapshot);
    weft__delete(memory, q);
}

/* Goes on for a few steps. */
static weft_status advance(inquiry *q, strand *t, weft_error *error)
{
    weft_status status = WEFT_OK;
    int until = t->sequence.t.k + 2 + t->sequence.t.k / 8;
    while (t->more && (t->sequence.t.k < until || t->sequence.kernel_next)) {
        TRY(weft__snapshot_advance(&q->snapshot, &t->sequence, &t->start, &t->more, error));
        TRY(weft__progress_step(q->progress, weft__learner_product_work(q->learner) / 2, error));
    }
    TRY(weft__action_evaluate(&t->action, &t->sequence, error));
    TRY(weft__action_derive(&t->action, &t->sequence, error));
done:
    return status;
}

/* kappa eta times the coefficient of vector v, in the units of its action. */
static double factor_of(const inquiry *q, int v)
{
    const weft__learner *learner = q->learner;
    return learner->settings.eta * learner->form->coefficient(v, 1, q->embedding.s) *
           weft__exp(fmin(learner->log_kappa + q->strands[v].action.shift, LARGEST_LOG));
}

static double derivative_of(const inquiry *q, const weft__cell *cell)
{
    double d = q->learner->form->diagonal, sum = 0;
    int64_t r = cell->a, c = q->learner->space->exponent.offset + cell->b;
    for (int v = 0; v < q->learner->form->vectors; v++) {
        const weft__action *action = &q->strands[v].action;
        double both = 2 * weft__action_sensitivity(action, r, c);
        if (d != 0)
            both += d * (weft__action_sensitivity(action, r, r) + weft__action_sensitivity(action, c, c));
        sum += factor_of(q, v) * both;
    }
    return sum;
}

/* No derivative is off by more: |x_s|^2 <= 1 for all forms. */
static double error_of(const inquiry *q)
{
    double sum = 0;
    for (int v = 0; v < q->learner->form->vectors; v++)
        if (q->learner->log_kappa + q->strands[v].action.shift > LARGEST_LOG)
            return INFINITY;
    for (int v = 0; v < q->learner->form->vectors; v++)
        sum += fabs(factor_of(q, v)) * q->strands[v].action.sensitivity_error;
    return sum;
}

static double clamp(double value)
{
    return fmin(fmax(value, -WEFT_MARGIN_LIMIT), WEFT_MARGIN_LIMIT);
}

/* Fills in all influences; returns the largest |derivative|. */
static double list(inquiry *q)
{
    const weft__evidence *evidence = &q->learner->space->evidence;
    double largest = 0;
    q->total = 0;
    for (int64_t k = 0; k < evidence->count; k++) {
        weft_evidence_entry entry = weft__learner_evidence(q->learner, k);
        double derivative = clamp(derivative_of(q, &evidence->cells[k]));
        double influence = clamp((double)entry.count * derivative);
        q->influences[k] = (weft_influence){entry.row, entry.column, entry.count, derivative, influence};
        largest = fmax(largest, fabs(derivative));
        q->total = clamp(q->total + influence);
    }
    return largest;
}

/* The margin comes along. */
static weft_explanation conclude(const inquiry *q)
{
    weft__reading reading = {.log_kappa = q->learner->log_kappa, .s = q->embedding.s};
    weft_explanation result = {.total = q->total, .error = clamp(error_of(q))};
    for (int v = 0; v < q->learner->form->vectors; v++) {
        reading.bracket[v] = &q->strands[v].sequence.bracket;
        result.products += q->strands[v].sequence.bracket.products;
    }
    weft__margin margin = q->learner->form->margin(&reading);
    result.margin = margin.lower / 2 + margin.upper / 2;
    result.lower = margin.lower;
    result.upper = margin.upper;
    return result;
}

/* Multiplications of the derivatives of all pairs: those of as many vectors as there are steps. */
static double work_of_list(const inquiry *q)
{
    double steps = 0;
    for (int v = 0; v < q->learner->form->vectors; v++)
        steps += q->strands[v].sequence.t.k;
    return 4 * steps * (double)q->learner->space->evidence.count;
}

/* Until the derivatives are known to `tolerance` times the largest of them. */
static weft_status narrow(inquiry *q, double tolerance, weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    while (more) {
        more = false;
        for (int v = 0; v < q->learner->form->vectors; v++) {
            TRY(advance(q, &q->strands[v], error));
            more = more || q->strands[v].more;
        }
        TRY(weft__progress_step(q->progress, work_of_list(q), error));
        more = error_of(q) > tolerance * list(q) && more;
    }
done:
    return status;
}

weft_status weft__learner_explain(weft__learner *learner, const int64_t pair[2], double tolerance,
                                  weft__progress *progress, weft_explanation *explanation,
                                  weft_influence *influences, weft_error *error)
{
    weft_status status = WEFT_OK;
    inquiry *q = NULL;
    TRY(weft__learner_need_evidence(learner, "an explanation", error));
    TRY(weft__learner_check(learner, pair[0], pair[1], error));
    TRY(weft__new(&learner->player.memory, 1, sizeof *q, &q, error));
    q->learner = q->snapshot.learner = learner;
    q->progress = progress;
    weft__progress_begin(progress, "explaining", 0);
    TRY(weft__snapshot_fit(&q->snapshot, error));
    TRY(begin(q, pair, error));
    TRY(narrow(q, tolerance, error));
    *explanation = conclude(q);
    for (int64_t k = 0; k < learner->space->evidence.count; k++)
        influences[k] = q->influences[k];
done:
    finish(q);
    return status;
}
