/* SPDX-License-Identifier: MIT
 *
 * The diagonal of F = K exp(CK): one quadratic form an id, kept until the
 * evidence changes. */
#include "learner/rank/ranker.h"
#include "base/elementary.h"
#include "base/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Entries are settled when their logarithm is known to this. */
static const double KEPT_WIDTH = 1e-11;

/* Columns of the kernel are kept up to this many numbers a side: 64 MB. */
static const int64_t MOST_ACROSS = INT64_C(1) << 23;

static bool one_set(const weft__ranker *ranker)
{
    return ranker->snapshot.learner->player.columns == NULL;
}

int weft__ranker_shelf(const weft__ranker *ranker, int side)
{
    return one_set(ranker) ? 0 : side;
}

weft_status weft__ranker_create(weft__learner *learner, weft__ranker **ranker, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__ranker *self = NULL;
    TRY(weft__new(&learner->player.memory, 1, sizeof *self, &self, error));
    self->memory = self->action.memory = learner->player.memory;
    self->snapshot.learner = learner;
    self->whole.whole = true;
    self->revision = -1;
    if (learner->compact != NULL)
        TRY(weft__spectrum_create(learner, &self->spectrum, error));
    TRY(weft__ranker_fit(self, error));
    *ranker = self;
    return WEFT_OK;
done:
    weft__ranker_free(self);
    return status;
}

weft_status weft__learner_ranker(weft__learner *learner, weft__ranker **ranker, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (learner->ranker == NULL)
        TRY(weft__ranker_create(learner, &learner->ranker, error));
    *ranker = learner->ranker;
done:
    return status;
}

static void drop_columns(weft__ranker *ranker, int shelf)
{
    weft__delete(&ranker->memory, ranker->across[shelf]);
    weft__delete(&ranker->memory, ranker->has[shelf]);
    ranker->across[shelf] = NULL;
    ranker->has[shelf] = NULL;
}

void weft__ranker_free(weft__ranker *ranker)
{
    if (ranker == NULL)
        return;
    weft_memory memory = ranker->memory;
    drop_columns(ranker, 0);
    drop_columns(ranker, 1);
    void *owned[] = {ranker->kept[0], ranker->kept[1], ranker->x, ranker->f, ranker->image, ranker->work};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        weft__delete(&memory, owned[k]);
    weft__sequence_release(&ranker->whole, &memory);
    weft__sequence_release(&ranker->narrow, &memory);
    weft__action_release(&ranker->action);
    weft__snapshot_release(&ranker->snapshot);
    weft__spectrum_free(ranker->spectrum);
    weft__delete(&memory, ranker);
}

/* Nothing is known of ids from `first` on. */
static void clear(weft__ranker *ranker, int shelf, int64_t first)
{
    for (int64_t id = first; id < ranker->size[shelf]; id++)
        ranker->kept[shelf][id] = (weft__entry){-INFINITY, INFINITY, false};
}

/* The ids of a shelf that the side lists, or that something was learnt of. */
static int64_t count_known(const weft__ranker *ranker, int shelf)
{
    const weft__working_set *view = weft__snapshot_view(&ranker->snapshot, shelf);
    return view->side->count > view->known ? view->side->count : view->known;
}

/* Entries for so many ids. */
static weft_status stock(weft__ranker *ranker, int shelf, int64_t count, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t before = ranker->size[shelf];
    if (count <= before)
        return WEFT_OK;
    TRY(weft__resize(&ranker->memory, &ranker->kept[shelf], before, count, sizeof(weft__entry), error));
    drop_columns(ranker, shelf);
    ranker->size[shelf] = count;
    clear(ranker, shelf, before);
done:
    return status;
}

weft_status weft__ranker_stock(weft__ranker *ranker, int side, const int64_t *ids, int64_t count,
                               weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t last = -1;
    for (int64_t k = 0; k < count; k++)
        last = ids[k] > last ? ids[k] : last;
    TRY(stock(ranker, weft__ranker_shelf(ranker, side), last + 1, error));
done:
    return status;
}

static weft_status reserve_vectors(weft__ranker *ranker, int64_t n, weft_error *error)
{
    weft_status status = WEFT_OK;
    double **vectors[] = {&ranker->x, &ranker->f, &ranker->image, &ranker->work};
    TRY(weft__sequence_reserve(&ranker->whole, &ranker->memory, n, error));
    TRY(weft__sequence_reserve(&ranker->narrow, &ranker->memory, n, error));
    if (n <= ranker->capacity)
        return WEFT_OK;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        TRY(weft__resize(&ranker->memory, vectors[k], 0, n, sizeof(double), error));
    ranker->capacity = n;
done:
    return status;
}

weft_status weft__ranker_fit(weft__ranker *ranker, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__learner *learner = ranker->snapshot.learner;
    if (ranker->spectrum != NULL)
        return WEFT_OK;
    TRY(weft__snapshot_fit(&ranker->snapshot, error));
    ranker->swift = ranker->snapshot.operators;
    ranker->swift.mixed = learner->space->backend.operators.mixed;
    TRY(reserve_vectors(ranker, ranker->snapshot.operators.n, error));
    for (int shelf = 0; shelf < (one_set(ranker) ? 1 : 2); shelf++)
        TRY(stock(ranker, shelf, count_known(ranker, shelf), error));
    if (ranker->revision != learner->revision) {
        for (int shelf = 0; shelf < 2; shelf++) {
            clear(ranker, shelf, 0);
            drop_columns(ranker, shelf);
        }
        ranker->revision = learner->revision;
    }
done:
    return status;
}

/* Room for the columns of a side, unless that is too much. */
static weft_status make_room(weft__ranker *ranker, int shelf, int64_t stride, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t size = ranker->size[shelf];
    if (ranker->has[shelf] != NULL || stride == 0 || size > MOST_ACROSS / stride)
        return WEFT_OK;
    drop_columns(ranker, shelf);
    TRY(weft__new(&ranker->memory, size * stride, sizeof(double), &ranker->across[shelf], error));
    TRY(weft__new(&ranker->memory, size, sizeof(bool), &ranker->has[shelf], error));
    ranker->stride[shelf] = stride;
done:
    return status;
}

/* Kernels with structure have cheap columns. */
weft_status weft__ranker_column(weft__ranker *ranker, int side, int64_t id, const double **column,
                                weft_error *error)
{
    weft_status status = WEFT_OK;
    int shelf = weft__ranker_shelf(ranker, side);
    const weft__working_set *view = weft__snapshot_view(&ranker->snapshot, side);
    *column = NULL;
    if (view->full == NULL)
        return WEFT_OK;
    TRY(make_room(ranker, shelf, weft__padded(view->count), error));
    if (ranker->has[shelf] == NULL)
        return WEFT_OK;
    int64_t stride = ranker->stride[shelf];
    double *kept = ranker->across[shelf] + id * stride;
    if (!ranker->has[shelf][id]) {
        weft__snapshot_column(&ranker->snapshot, side, id, ranker->work);
        memcpy(kept, ranker->work + weft__snapshot_offset(&ranker->snapshot, side),
               (size_t)stride * sizeof *kept);
        ranker->has[shelf][id] = true;
    }
    *column = kept;
done:
    return status;
}

static bool all_zero(const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

static void tighten(weft__entry *entry, double lower, double upper)
{
    entry->lower = fmax(entry->lower, lower);
    entry->upper = fmax(fmin(entry->upper, upper), entry->lower);
    entry->settled = entry->settled || entry->upper - entry->lower <= KEPT_WIDTH;
}

void weft__ranker_begin(weft__ranker *ranker, int side, int64_t id, bool swift)
{
    weft__entry *entry = &ranker->kept[weft__ranker_shelf(ranker, side)][id];
    weft__snapshot *snapshot = &ranker->snapshot;
    ranker->start = weft__snapshot_embed(snapshot, side, id);
    weft__sequence_begin(&ranker->narrow, swift ? &ranker->swift : &snapshot->operators, &ranker->start,
                         snapshot->b);
    tighten(entry, ranker->narrow.bracket.log_lower, ranker->narrow.bracket.log_upper);
    /* Similar to nothing that carries evidence: F_jj = K_jj. */
    if (all_zero(snapshot->image, snapshot->operators.n)) {
        double log_square = ranker->start.square > 0 ? weft__log(ranker->start.square) : -INFINITY;
        *entry = (weft__entry){log_square - 4 * DBL_EPSILON, log_square + 4 * DBL_EPSILON, true};
    }
}

weft_status weft__ranker_advance(weft__ranker *ranker, int side, int64_t id, bool *more, weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__entry *entry = &ranker->kept[weft__ranker_shelf(ranker, side)][id];
    if (entry->settled) {
        *more = false;
        return WEFT_OK;
    }
    TRY(weft__snapshot_advance(&ranker->snapshot, &ranker->narrow, &ranker->start, more, error));
    tighten(entry, ranker->narrow.bracket.log_lower, ranker->narrow.bracket.log_upper);
    entry->settled = entry->settled || !*more;
done:
    return status;
}

static weft_status settle(weft__ranker *ranker, int side, int64_t id, weft__progress *progress,
                          weft_error *error)
{
    weft_status status = WEFT_OK;
    bool more = true;
    double work = weft__learner_product_work(ranker->snapshot.learner);
    if (ranker->kept[side][id].settled)
        return WEFT_OK;
    weft__ranker_begin(ranker, side, id, false);
    while (more) {
        TRY(weft__ranker_advance(ranker, side, id, &more, error));
        TRY(weft__progress_step(progress, work / 2, error));
    }
done:
    return status;
}

weft_status weft__ranker_fill(weft__ranker *ranker, weft__progress *progress, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__ranker_fit(ranker, error));
    if (ranker->snapshot.learner->settings.form == WEFT_BALANCED)
        return WEFT_OK;
    double all = (double)(ranker->size[0] + ranker->size[1]);
    weft__progress_begin(progress, "the diagonal for rankings", 0);
    for (int side = 0; side < 2; side++)
        for (int64_t id = 0; id < weft__ranker_size(ranker, side); id++) {
            TRY(settle(ranker, side, id, progress, error));
            weft__progress_expect(progress, ((double)(side * ranker->size[0] + id) + 1) / all);
        }
done:
    return status;
}

int64_t weft__ranker_kept(const weft__ranker *ranker)
{
    int64_t count = 0;
    if (ranker->revision != ranker->snapshot.learner->revision)
        return 0;
    for (int side = 0; side < 2; side++)
        for (int64_t id = 0; id < weft__ranker_size(ranker, side); id++)
            count += ranker->kept[side][id].settled;
    return count;
}

int64_t weft__ranker_size(const weft__ranker *ranker, int side)
{
    if (ranker->size[side] == 0)
        return 0;
    int64_t known = count_known(ranker, side);
    return known < ranker->size[side] ? known : ranker->size[side];
}

bool weft__ranker_get(const weft__ranker *ranker, int side, int64_t id, double log_bracket[2])
{
    if (id < 0 || id >= weft__ranker_size(ranker, side) ||
        ranker->revision != ranker->snapshot.learner->revision)
        return false;
    log_bracket[0] = ranker->kept[side][id].lower;
    log_bracket[1] = ranker->kept[side][id].upper;
    return ranker->kept[side][id].settled;
}

weft_status weft__ranker_put(weft__ranker *ranker, int side, int64_t id, const double log_bracket[2],
                             weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__ranker_fit(ranker, error));
    if (id < 0 || id >= weft__ranker_size(ranker, side) || !(log_bracket[0] <= log_bracket[1]) ||
        log_bracket[1] == INFINITY)
        return weft__fail(error, WEFT_MODEL, "entry %lld of the diagonal is not one of this model",
                          (long long)id);
    ranker->kept[side][id] = (weft__entry){log_bracket[0], log_bracket[1], true};
done:
    return status;
}
