/* SPDX-License-Identifier: MIT
 *
 * New ids among communities that were found before.  Nobody who was there moves.
 *
 * Graphs     A new id joins the community of most of its neighbours, by the weights of its edges; of equals
 *            the one that was first.  In the order in which they came, again and again as long as somebody
 *            joins; then the first that is left founds one of its own, and so on.  Only those who have a
 *            neighbour in a community are asked, the next of them by a heap, in which the round stands before
 *            the place.
 * Kernels    A new id joins the community of most of the ten ids that are nearest by the cosine of the
 *            kernel, among those that were there when communities were found, and those that founded one
 *            since (the first 4000 of them); one that is like none founds its own.  So what becomes of an id
 *            depends on those before it alone.
 * Cost       A graph: O(edges log ids).  A kernel: at most 4000 entries a new id. */
#include "io/roster/growth/growth.h"

#include <math.h>
#include <string.h>

enum { UNKNOWN = -1, NEAREST = 10, MOST_COMPARED = 4000 };

/* Multiplications, about, of an entry and of a neighbour. */
enum { AN_ENTRY = 16, A_NEIGHBOUR = 32 };

typedef struct voting {
    const weft_memory *memory;
    weft__progress *progress;
    int64_t *community; /* by place */
    int64_t first, count, communities;
    double *votes; /* by community, all 0 between two votes */
} voting;

typedef struct neighbour {
    int64_t place;
    double weight;
} neighbour;

/* The community with most votes among those of the neighbours; all are 0 again. */
static int64_t elect(voting *v, const neighbour *list, int64_t count)
{
    int64_t best = UNKNOWN;
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        if (v->community[list[k].place] != UNKNOWN)
            v->votes[v->community[list[k].place]] += list[k].weight;
    for (int64_t k = 0; k < count; k++) {
        int64_t c = v->community[list[k].place];
        if (c != UNKNOWN && (v->votes[c] > most || (v->votes[c] == most && most > 0 && c < best))) {
            most = v->votes[c];
            best = c;
        }
    }
    for (int64_t k = 0; k < count; k++)
        if (v->community[list[k].place] != UNKNOWN)
            v->votes[v->community[list[k].place]] = 0;
    return best;
}

/* ---- Graphs ---- */

/* Who is asked when; the least is on top, its children at 2 k + 1 and 2 k + 2. */
typedef struct turn {
    int64_t round, place;
} turn;

/* Of new place first + k the neighbours start[k] to start[k + 1]. */
typedef struct joining {
    voting *v;
    int64_t *start;
    neighbour *list;
    turn *heap;
    int64_t waiting;
    bool *asked; /* by new place: it waits, or has waited */
} joining;

static bool is_before(turn a, turn b)
{
    return a.round < b.round || (a.round == b.round && a.place < b.place);
}

static void push(joining *j, turn who)
{
    int64_t at = j->waiting++;
    while (at > 0 && is_before(who, j->heap[(at - 1) / 2])) {
        j->heap[at] = j->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    j->heap[at] = who;
}

static turn pop(joining *j)
{
    turn top = j->heap[0], last = j->heap[--j->waiting];
    int64_t at = 0;
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child + 1 < j->waiting && is_before(j->heap[child + 1], j->heap[child]))
            child++;
        if (child >= j->waiting || !is_before(j->heap[child], last))
            break;
        j->heap[at] = j->heap[child];
        at = child;
    }
    j->heap[at] = last;
    return top;
}

static int64_t degree(const joining *j, int64_t k)
{
    return j->start[k + 1] - j->start[k];
}

/* Those whose turn it is once `who` has a community: behind it in its round, else in the next. */
static void call(joining *j, turn who, bool founder)
{
    int64_t k = who.place - j->v->first;
    for (int64_t e = j->start[k]; e < j->start[k + 1]; e++) {
        int64_t place = j->list[e].place, other = place - j->v->first;
        if (other < 0 || j->asked[other])
            continue;
        j->asked[other] = true;
        push(j, (turn){who.round + (founder || place < who.place), place});
    }
}

static weft_status settle_waiting(joining *j, int64_t *round, weft_error *error)
{
    weft_status status = WEFT_OK;
    voting *v = j->v;
    while (j->waiting > 0) {
        turn who = pop(j);
        int64_t k = who.place - v->first;
        v->community[who.place] = elect(v, j->list + j->start[k], degree(j, k));
        call(j, who, false);
        *round = who.round;
        TRY(weft__progress_step(v->progress, A_NEIGHBOUR * (1 + (double)degree(j, k)), error));
    }
done:
    return status;
}

/* Those who know somebody at once, then founder by founder. */
static weft_status join_all(joining *j, weft_error *error)
{
    weft_status status = WEFT_OK;
    voting *v = j->v;
    int64_t round = 0;
    for (int64_t k = 0; k < v->count - v->first; k++) {
        bool known = false;
        for (int64_t e = j->start[k]; e < j->start[k + 1]; e++)
            known = known || j->list[e].place < v->first;
        if (known)
            push(j, (turn){0, v->first + k});
        j->asked[k] = known;
    }
    TRY(settle_waiting(j, &round, error));
    for (int64_t place = v->first; place < v->count; place++) {
        if (v->community[place] != UNKNOWN)
            continue;
        v->community[place] = v->communities++;
        j->asked[place - v->first] = true;
        call(j, (turn){round, place}, true);
        TRY(settle_waiting(j, &round, error));
    }
done:
    return status;
}

static void put_end(joining *j, int64_t *end, int64_t at, neighbour other)
{
    if (at >= j->v->first)
        j->list[end[at - j->v->first]++] = other;
}

static weft_status list_edges(joining *j, const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = j->v->memory;
    int64_t *end = NULL, first = j->v->first, fresh = j->v->count - first;
    for (int64_t e = 0; e < graph->edges; e++)
        for (int k = 0; k < 2 && graph->from[e] != graph->to[e]; k++) {
            int64_t at = k == 0 ? graph->from[e] : graph->to[e];
            if (at >= first)
                j->start[at - first + 1]++;
        }
    for (int64_t k = 0; k < fresh; k++)
        j->start[k + 1] += j->start[k];
    TRY(weft__new(memory, j->start[fresh], sizeof *j->list, &j->list, error));
    TRY(weft__new(memory, fresh, sizeof *end, &end, error));
    memcpy(end, j->start, (size_t)fresh * sizeof *end);
    for (int64_t e = 0; e < graph->edges; e++)
        if (graph->from[e] != graph->to[e]) {
            put_end(j, end, graph->from[e], (neighbour){graph->to[e], graph->weight[e]});
            put_end(j, end, graph->to[e], (neighbour){graph->from[e], graph->weight[e]});
        }
done:
    weft__delete(memory, end);
    return status;
}

static weft_status join_by_edges(voting *v, const weft_graph *graph, weft_error *error)
{
    weft_status status = WEFT_OK;
    int64_t fresh = v->count - v->first;
    joining j = {.v = v};
    TRY(weft__new(v->memory, fresh + 1, sizeof *j.start, &j.start, error));
    TRY(weft__new(v->memory, fresh, sizeof *j.heap, &j.heap, error));
    TRY(weft__new(v->memory, fresh, sizeof *j.asked, &j.asked, error));
    TRY(list_edges(&j, graph, error));
    TRY(join_all(&j, error));
done:
    weft__delete(v->memory, j.start);
    weft__delete(v->memory, j.list);
    weft__delete(v->memory, j.heap);
    weft__delete(v->memory, j.asked);
    return status;
}

/* ---- Kernels ---- */

/* Those with whom new ids are compared. */
typedef struct circle {
    const weft_side *side;
    int64_t *place, *id; /* its number for the side */
    double *root;        /* 1 / sqrt K(i,i), or 0 */
    int64_t count, room;
    double *column, *work;
} circle;

static double root_of(const weft_side *side, int64_t id)
{
    double own = side->ops->diagonal(side, id);
    return own > 0 ? 1 / sqrt(own) : 0;
}

static void admit(circle *c, int64_t place, int64_t id)
{
    if (c->count == c->room)
        return;
    c->place[c->count] = place;
    c->id[c->count] = id;
    c->root[c->count++] = root_of(c->side, id);
}

/* Puts a place among the nearest, which are in falling order, then as they come; how many these are then. */
static int64_t insert(neighbour list[NEAREST], int64_t count, neighbour found)
{
    if (!(found.weight > 0) || (count == NEAREST && list[NEAREST - 1].weight >= found.weight))
        return count;
    int64_t at = count == NEAREST ? count - 1 : count;
    for (; at > 0 && list[at - 1].weight < found.weight; at--)
        list[at] = list[at - 1];
    list[at] = found;
    return count == NEAREST ? count : count + 1;
}

/* Cosines in units of 2^-30: rounding chooses between nobody. */
static int64_t find_nearest(circle *c, int64_t id, neighbour list[NEAREST])
{
    double root = root_of(c->side, id);
    int64_t count = 0;
    c->side->ops->column(c->side, id, c->id, c->count, c->column, c->work);
    for (int64_t k = 0; k < c->count; k++) {
        double cosine = rint(c->column[k] * (root * c->root[k]) * 0x1p30) * 0x1p-30;
        count = insert(list, count, (neighbour){c->place[k], cosine});
    }
    return count;
}

static weft_status create_circle(circle *c, const weft_roster *roster, const weft_side *side,
                                 weft_error *error)
{
    weft_status status = WEFT_OK;
    const weft_memory *memory = &roster->memory;
    int64_t first = roster->settled.first;
    c->side = side;
    c->room = first > MOST_COMPARED ? first : MOST_COMPARED;
    TRY(weft__new(memory, c->room, sizeof *c->place, &c->place, error));
    TRY(weft__new(memory, c->room, sizeof *c->id, &c->id, error));
    TRY(weft__new(memory, c->room, sizeof *c->root, &c->root, error));
    TRY(weft__new(memory, c->room, sizeof *c->column, &c->column, error));
    TRY(weft__new(memory, weft__side_work(side), sizeof *c->work, &c->work, error));
done:
    return status;
}

/* Several kinds together speak of ids, others of places. */
static int64_t number_of(const weft_roster *roster, int64_t place)
{
    return roster->part_count > 0 ? weft__settled_number(&roster->settled, place) : place;
}

static weft_status join_by_kernel(voting *v, const weft_roster *roster, const weft_side *side,
                                  weft_error *error)
{
    weft_status status = WEFT_OK;
    circle c = {0};
    int64_t founded = 0;
    neighbour list[NEAREST];
    TRY(create_circle(&c, roster, side, error));
    for (int64_t place = 0; place < v->count; place++) {
        int64_t id = number_of(roster, place), count = 0;
        if (place >= v->first) {
            count = find_nearest(&c, id, list);
            v->community[place] = count > 0 ? elect(v, list, count) : v->communities++;
            TRY(weft__progress_step(v->progress, AN_ENTRY * (double)c.count + side->solve_work, error));
        }
        bool founder = v->community[place] >= founded;
        founded = founder ? v->community[place] + 1 : founded;
        if (place < roster->settled.first || founder)
            admit(&c, place, id);
    }
done:
    weft__delete(v->memory, c.place);
    weft__delete(v->memory, c.id);
    weft__delete(v->memory, c.root);
    weft__delete(v->memory, c.column);
    weft__delete(v->memory, c.work);
    return status;
}

/* ---- All ---- */

static weft_status extend(weft__settled *settled, int64_t first, voting *v, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__resize(v->memory, &settled->community, first, settled->listed, sizeof *settled->community,
                     error));
    v->community = settled->community;
    for (int64_t k = first; k < settled->listed; k++)
        v->community[k] = UNKNOWN;
    for (int64_t k = 0; k < first; k++)
        v->communities = v->community[k] >= v->communities ? v->community[k] + 1 : v->communities;
    TRY(weft__new(v->memory, v->communities + settled->listed - first, sizeof *v->votes, &v->votes, error));
done:
    return status;
}

weft_status weft__growth_communities(weft_roster *roster, const weft_graph *graph, const weft_side *side,
                                     weft_error *error)
{
    weft_status status = WEFT_OK;
    weft__settled *settled = &roster->settled;
    int64_t first = settled->before;
    weft__progress progress = weft__progress_of(&roster->input.limits.progress);
    voting v = {.memory = &roster->memory, .progress = &progress, .first = first, .count = settled->listed};
    if (!settled->moved || settled->community == NULL || first == settled->listed)
        return WEFT_OK;
    weft__progress_begin(&progress, "new ids among the communities", 0);
    TRY(extend(settled, first, &v, error));
    TRY((graph != NULL ? join_by_edges(&v, graph, error) : join_by_kernel(&v, roster, side, error)));
done:
    weft__delete(&roster->memory, v.votes);
    return status;
}
