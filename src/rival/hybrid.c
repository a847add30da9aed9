/* SPDX-License-Identifier: MIT
 *
 * Hybrid factorisation: an id is described by itself and by its traits, and earlier events are learnt again.
 *
 * Method     Every id and every trait (a class, a feature, a neighbour in a graph or by a kernel) has a
 *            bias and k factors.  With x_f = 1 for the id itself and the values of its traits,
 *
 *                u_i = sum_f x_f e_f / |x|,   score = a + b(i) + b(j) + <p_i, q_j>,   u = (b, p) or (b, q):
 *
 *            ids that have traits in common are alike before anything is known of them.  Traits that are ids
 *            have the vectors of these.  The n values of a context, the joint one among them, have vectors
 *            too, w = sum e / sqrt(n), and add b(w) + <p_i, w> + <q_j, w> to the score.  A step of AdaGrad
 *            along the gradient of the logistic loss for the new event, then for some of the last `window`
 *            ones, drawn by hash.
 * Cost       O((1 + replay) (traits of i and j) k) a trial, 8 (1 + k) bytes an id and trait that was learnt,
 *            24 an event kept, with contexts 96. Fewer events are learnt again where ids have many traits.
 * Reference  Kula, Metadata embeddings for user and item cold-start recommendations, CBRecSys 2015; Koren,
 *            Bell and Volinsky, Matrix factorization techniques for recommender systems, Computer 42 (2009);
 *            replay: Lin, Self-improving reactive agents, Machine Learning 8 (1992). */
#include "rival/hybrid.h"

#include <math.h>
#include <string.h>

const weft__replay *weft__hybrid_replay(const weft_player *player)
{
    const weft__rival *rival = weft__rival_in(player);
    bool hybrid = rival != NULL && rival->settings.kind == WEFT_RIVAL_HYBRID;
    return hybrid ? &((const weft__hybrid *)rival)->replay : NULL;
}

int weft__hybrid_sets(const weft__rival *rival)
{
    return rival->player.columns == NULL ? 1 : 2;
}

static weft__vectors vectors_of(const weft__rival *rival, weft__space space)
{
    return weft__vectors_of(1 + rival->settings.factors, rival->settings.seed, space, &rival->player.memory);
}

static weft_status create(weft__rival *rival, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    const weft_memory *memory = &rival->player.memory;
    self->ids[0] = vectors_of(rival, WEFT__SPACE_ROW_FACTOR);
    self->ids[1] = vectors_of(rival, WEFT__SPACE_COLUMN_FACTOR);
    self->trait_vectors[0] = vectors_of(rival, WEFT__SPACE_ROW_TRAIT_FACTOR);
    self->trait_vectors[1] = vectors_of(rival, WEFT__SPACE_COLUMN_TRAIT_FACTOR);
    self->context_vectors = vectors_of(rival, WEFT__SPACE_CONTEXT_FACTOR);
    self->replay = (weft__replay){.memory = *memory, .window = rival->settings.window};
    self->squares = 1;
    self->traits[0].memory = self->traits[1].memory = *memory;
    for (int set = 0; set < weft__hybrid_sets(rival); set++)
        TRY(weft__traits_create(&self->traits[set], weft__rival_side(rival, set), WEFT__SCALE_RANGE, memory,
                                error));
    int64_t replay = rival->settings.replay > 0 ? rival->settings.replay : 0;
    TRY(weft__new(memory, 1 + replay, sizeof *self->events, &self->events, error));
    for (int which = 0; which < 2; which++)
        TRY(weft__hybrid_make_sums(self, &self->end[which], error));
done:
    return status;
}

static void free_described(const weft_memory *memory, weft__described *end)
{
    weft__delete(memory, end->parts);
    weft__delete(memory, end->fresh);
    weft__delete(memory, end->sum);
    weft__delete(memory, end->gradient);
}

static void release(weft__rival *rival)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    for (int which = 0; which < 2; which++) {
        weft__vectors_free(&self->ids[which]);
        weft__vectors_free(&self->trait_vectors[which]);
        weft__traits_free(&self->traits[which]);
        free_described(&rival->player.memory, &self->end[which]);
    }
    free_described(&rival->player.memory, &self->around);
    weft__vectors_free(&self->context_vectors);
    weft__replay_free(&self->replay);
    weft__delete(&rival->player.memory, self->events);
}

/* ---- Predicting and learning ---- */

/* Of the factors of two sums, which are behind their biases. */
static float product_of(const weft__hybrid *self, const float *u, const float *v)
{
    return weft__vectors_dot(self->ids[0].width, u, v) - u[0] * v[0];
}

double weft__hybrid_score_sums(const weft__hybrid *self)
{
    const float *u = self->end[0].sum, *v = self->end[1].sum, *w = self->around.sum;
    float score = self->constant + (u[0] + v[0]) + product_of(self, u, v);
    if (self->around.count > 0)
        score += w[0] + (product_of(self, u, w) + product_of(self, v, w));
    return (double)score;
}

static weft_status score(weft__rival *rival, const int64_t pair[2], double *out, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    TRY(weft__hybrid_describe_event(self, pair, &rival->player.context, error));
    *out = weft__hybrid_score_sums(self);
done:
    return status;
}

/* The gradient of the sums: of each the factors of the others. */
static void find_gradients(weft__hybrid *self, float g)
{
    int64_t width = self->ids[0].width;
    weft__described *around = &self->around;
    for (int which = 0; which < 2; which++) {
        const float *other = self->end[1 - which].sum;
        float *gradient = self->end[which].gradient;
        gradient[0] = g;
        for (int64_t k = 1; k < width; k++)
            gradient[k] = g * other[k];
        for (int64_t k = 1; k < width && around->count > 0; k++)
            gradient[k] += g * around->sum[k];
    }
    if (around->count == 0)
        return;
    around->gradient[0] = g;
    for (int64_t k = 1; k < width; k++)
        around->gradient[k] = g * (self->end[0].sum[k] + self->end[1].sum[k]);
}

/* One step for the event that is described, all of whose vectors are there. */
static void step_event(weft__hybrid *self, int label)
{
    double f = weft__hybrid_score_sums(self);
    float g = (float)(label * weft__sigmoid(-label * f));
    weft__pace pace = {(float)self->base.settings.rate, (float)self->base.settings.shrink};
    weft__described *const all[] = {&self->end[0], &self->end[1], &self->around};
    find_gradients(self, g);
    for (int k = 0; k < 3; k++)
        if (all[k]->count > 0)
            weft__parts_step(all[k]->parts, all[k]->count, self->ids[0].width, all[k]->gradient, pace);
    self->squares += g * g;
    self->constant += pace.rate * g / sqrtf(self->squares);
}

/* The next of the events; the first one may be described already. */
static weft_status learn_one(weft__hybrid *self, bool described, int64_t *parts, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft__lesson *lesson = &self->events[self->event_count];
    if (!described)
        TRY(weft__hybrid_describe_event(self, lesson->event.pair, &lesson->context, error));
    step_event(self, lesson->event.label);
    self->event_count++;
    *parts += self->end[0].count + self->end[1].count + self->around.count;
done:
    return status;
}

/* Whether all is there that earlier events need: they were learnt by this one, not read, and what describes
 * an id has stayed.  By a kernel the nearest may be ids that were new since. */
static bool has_lines_of_events(weft__hybrid *self)
{
    for (int set = 0; set < weft__hybrid_sets(&self->base); set++) {
        const weft_side *side = self->traits[set].side;
        if (weft__traits_move(side) && self->listed[set] != side->count)
            self->own = 0;
        self->listed[set] = side->count;
    }
    return self->own >= weft__replay_kept(&self->replay);
}

/* Lines that room was made for, and that were not made. */
static int64_t count_wanted(const weft__hybrid *self)
{
    int64_t wanted = self->context_vectors.table.wanted;
    for (int set = 0; set < 2; set++)
        wanted += self->ids[set].table.wanted + self->trait_vectors[set].table.wanted;
    return wanted;
}

/* The room for what events are made of.  What is described is lost when it grows. */
static int64_t room_for_parts(const weft__hybrid *self)
{
    return self->end[0].capacity + self->end[1].capacity + self->around.capacity;
}

/* Room for all that the first `count` events need, then their lines.  *made: some were not there, or events
 * again had more parts than there was room for, so that nothing is described any more. */
static weft_status make_all_lines(weft__hybrid *self, int64_t count, bool *made, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t room = room_for_parts(self);
    int64_t fresh = has_lines_of_events(self) ? 1 : count;
    TRY(weft__replay_reserve(&self->replay, error));
    if (weft__context_known(&self->events[0].context))
        TRY(weft__replay_reserve_contexts(&self->replay, error));
    for (int64_t k = 0; k < fresh; k++)
        TRY(weft__hybrid_make_lines(self, &self->events[k], weft__vectors_make_room, error));
    bool wanted = count_wanted(self) > 0;
    *made = wanted || room_for_parts(self) > room;
    for (int64_t k = 0; k < fresh && wanted; k++)
        TRY(weft__hybrid_make_lines(self, &self->events[k], weft__vectors_reserve, error));
done:
    return status;
}

/* Lines of earlier events lie anywhere: all of them are on their way while the first are learnt. */
static void fetch_events(const weft__hybrid *self, int64_t count)
{
    for (int64_t k = 1; k < count; k++)
        for (int which = 0; which < 2; which++)
            weft__table_fetch(&self->ids[weft__hybrid_set(&self->base, which)].table,
                              self->events[k].event.pair[which]);
}

/* After the lines are made nothing fails.  The score has described the pair; lines that are new since are not
 * among its parts. */
static weft_status learn(weft__rival *rival, const int64_t pair[2], int label, weft_error *error)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    weft_status status = WEFT_OK;
    int64_t again =
        weft__replay_kept(&self->replay) > 0 && rival->settings.replay > 0 ? rival->settings.replay : 0;
    int64_t parts = 0;
    bool made = false;
    self->event_count = 0;
    self->events[0] = (weft__lesson){{{pair[0], pair[1]}, label}, rival->player.context};
    weft__replay_draw(&self->replay, rival->settings.seed, again, self->events + 1);
    TRY(make_all_lines(self, 1 + again, &made, error));
    fetch_events(self, 1 + again);
    do
        TRY(learn_one(self, self->event_count == 0 && !made, &parts, error));
    while (self->event_count <= again && parts < WEFT__HYBRID_PARTS);
    weft__replay_add(&self->replay, &self->events[0]);
    weft__replay_fetch(&self->replay, rival->settings.seed, again);
    rival->met_context = rival->met_context || weft__context_known(&rival->player.context);
    self->own++;
    self->work = WEFT__HYBRID_EVENT * (double)self->event_count +
                 WEFT__HYBRID_NUMBER * (double)(parts * self->ids[0].width);
done:
    return status;
}

static double price(const weft__rival *rival, int64_t seen)
{
    (void)seen;
    return ((const weft__hybrid *)rival)->work;
}

static double bytes(const weft__rival *rival)
{
    const weft__hybrid *self = (const weft__hybrid *)rival;
    size_t event = sizeof(weft__event) + (rival->met_context ? sizeof(weft__context) : 0);
    double sum = (double)weft__replay_kept(&self->replay) * (double)event +
                 weft__table_bytes(&self->context_vectors.table);
    for (int which = 0; which < 2; which++)
        sum +=
            weft__table_bytes(&self->ids[which].table) + weft__table_bytes(&self->trait_vectors[which].table);
    return sum;
}

static void empty(weft__rival *rival)
{
    weft__hybrid *self = (weft__hybrid *)rival;
    for (int which = 0; which < 2; which++) {
        weft__vectors_free(&self->ids[which]);
        weft__vectors_free(&self->trait_vectors[which]);
    }
    weft__vectors_free(&self->context_vectors);
    weft__replay_free(&self->replay);
    rival->met_context = false;
    self->constant = 0;
    self->squares = 1;
    self->own = self->event_count = 0;
}

const weft__rival_ops weft__rival_hybrid = {
    .size = sizeof(weft__hybrid),
    .create = create,
    .score = score,
    .score_many = weft__hybrid_score_many,
    .probability = weft__sigmoid,
    .learn = learn,
    .write = weft__hybrid_write,
    .read = weft__hybrid_read,
    .put_entries = weft__hybrid_put_entries,
    .put_changed = weft__hybrid_put_changed,
    .put_rest = weft__hybrid_put_rest,
    .take = weft__hybrid_take,
    .take_rest = weft__hybrid_take_rest,
    .renumber = weft__hybrid_renumber,
    .release = release,
    .price = price,
    .bytes = bytes,
    .empty = empty,
};
