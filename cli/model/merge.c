/* SPDX-License-Identifier: MIT
 * weft merge: the evidence of two models in one.
 *
 * Evidence adds where both models mean the same by it: the same form, the same
 * kernels over the same ids (by name; their order may differ), the same eta,
 * gamma and D.  What is neither evidence, id nor counter comes from the first. */
#include "cli/model/model.h"
#include "program/fail.h"
#include "program/new.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct merge_options {
    model_place place; /* with the first model */
    const char *second;
    const char *out;
} merge_options;

static const option_row option_rows[] = {
    {"B", NULL, NULL, TAKES_FILE(merge_options, second, FILE_MODEL_READ)},
    {"--model", "OUT", "the model to write; may be A or B itself",
     TAKES_FILE(merge_options, out, FILE_MODEL_WRITTEN)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("B", "two models, A and B, are needed"),
    NEEDED("--model", "--model OUT is needed"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Writes a model with the evidence of two.\v"
    "A and B must have the same form, SPECs with the same files, eta, gamma and dimension; ids are matched "
    "by "
    "name.  Counts and counters are sums; the capacity is the larger one, or what the ids need; everything "
    "else is that of A.  No bound holds for what was merged.\n\n"
    "Of two committees evidence, counters and standings are sums; of the stack and of every rival the one "
    "that has seen more labels stays, but hashed weights of A where B numbers its ids otherwise; a rival "
    "then "
    "learns the last 16,384 labels of the other committee.  Two "
    "learners of the compact engine, with the same "
    "floor, half-life and features, add their matrices; ids must be numbered alike there too.\n\n"
    "Example:\n"
    "  weft merge monday.weft tuesday.weft --model both.weft\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 a file that cannot be read, 4 models that are damaged or do not "
    "go together, 130 interrupted, 1 anything else.";

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Room for the ids of both. */
static int64_t union_capacity(const weft_model models[2], int side)
{
    const weft_roster *a = side == 0 ? models[0].rows : models[0].columns;
    const weft_roster *b = side == 0 ? models[1].rows : models[1].columns;
    if (a == NULL || model_capacity(&models[0], side) == 0)
        return 0;
    const weft_ids *mine = weft_roster_ids(a), *others = weft_roster_ids(b);
    int64_t ids = weft_ids_count(mine);
    for (int64_t i = 0; i < weft_ids_count(others); i++)
        ids += weft_ids_find(mine, weft_ids_name(others, i)) < 0;
    return larger(ids, larger(model_capacity(&models[0], side), model_capacity(&models[1], side)));
}

/* number[i] of `into` for every id i of `from`; ids that are new are let in. */
static weft_status map_ids(const char *path, const weft_roster *from, weft_roster *into, int64_t **number,
                           weft_error *error)
{
    const weft_ids *ids = weft_roster_ids(from);
    int64_t count = weft_ids_count(ids);
    int64_t *map = new_array(count, sizeof *map);
    weft_event event = {.file = path};
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < count; i++) {
        event.line = i + 1;
        TRY(weft_roster_admit(into, weft_ids_name(ids, i), &event, &map[i], error));
    }
    *number = map;
    map = NULL;
done:
    free(map);
    return status;
}

static void tell_committee(const weft_model models[2], const weft_model *merged)
{
    fprintf(
        stderr,
        "weft: %" PRId64 " and %" PRId64 " labelled trials make %" PRId64
        "; all members that have played are awake; of the stack and of each rival, whose weights do not add, "
        "the one that has seen more labels stays, of equals that of A (hashed weights of A where B numbers "
        "its ids otherwise), and rivals learn the labels that the other committee keeps (its last 16384 at "
        "most)\n",
        weft_player_counters(models[0].player).trials, weft_player_counters(models[1].player).trials,
        weft_player_counters(merged->player).trials);
}

static void tell_learner(const weft_model models[2], const weft_model *merged)
{
    fprintf(stderr,
            "weft: %" PRId64 " and %" PRId64 " pairs of evidence make %" PRId64 ", of %" PRId64
            " labelled trials; no bound holds for this model\n",
            weft_player_evidence_count(models[0].player), weft_player_evidence_count(models[1].player),
            weft_player_evidence_count(merged->player), weft_player_counters(merged->player).trials);
    if (weft_learner_settings(merged->player).form != WEFT_BALANCED)
        fprintf(stderr,
                "weft: added evidence changes the scale of margins but in the balanced form: this model "
                "may predict worse than A and B until it has learnt more\n");
}

static void tell_compact(const weft_model models[2], const weft_model *merged)
{
    weft_settings settings = weft_learner_settings(merged->player);
    fprintf(stderr,
            "weft: %" PRId64 " and %" PRId64 " labelled trials make %" PRId64
            "; no bound holds for this model\n",
            weft_player_counters(models[0].player).trials, weft_player_counters(models[1].player).trials,
            weft_player_counters(merged->player).trials);
    if (settings.floor > 0)
        fprintf(stderr,
                "weft: what A or B lost when eigenvalues were held at the floor of %g is not given back\n",
                settings.floor);
    if (settings.half_life > 0)
        fprintf(stderr,
                "weft: A and B have faded by their own labels alone: the last labels of both count as "
                "equally recent\n");
}

/* How the merging of a kind of player is told. */
typedef struct merge_ops {
    void (*tell)(const weft_model models[2], const weft_model *merged);
    const char *changed; /* by another room for ids */
} merge_ops;

static const merge_ops *ops_of(const weft_model *model)
{
    static const merge_ops learner = {tell_learner, "predictions"};
    static const merge_ops committee = {tell_committee, "margins of the members"};
    static const merge_ops compact = {tell_compact, "predictions"};
    if (weft_player_kind(model->player) == WEFT_COMMITTEE)
        return &committee;
    return model_is_compact(model) ? &compact : &learner;
}

static weft_status unite(const char *const paths[2], const weft_model *from, weft_model *into,
                         weft_error *error)
{
    int64_t *rows = NULL, *columns = NULL;
    weft_status status = WEFT_OK;
    TRY(map_ids(paths[1], from->rows, into->rows, &rows, error));
    if (from->columns != NULL)
        TRY(map_ids(paths[1], from->columns, into->columns, &columns, error));
    TRY(weft_player_merge_numbered(into->player, from->player, rows,
                                   weft_ids_count(weft_roster_ids(from->rows)), columns,
                                   weft_ids_count(weft_roster_ids(from->columns)), error));
    TRY(weft_language_unite(&into->language, &from->language, &into->language, error));
    if (into->negatives.count > 0)
        into->negatives.ids = weft_ids_count(weft_roster_ids(model_columns(into)));
done:
    free(rows);
    free(columns);
    return status;
}

static void tell_capacity(char name, const weft_model *model, const weft_model *merged)
{
    int64_t before[2], now[2];
    for (int side = 0; side < 2; side++) {
        before[side] = model_capacity(model, side);
        now[side] = model_capacity(merged, side);
    }
    if (before[0] == now[0] && before[1] == now[1])
        return;
    if (merged->columns == NULL)
        fprintf(stderr, "weft: %c had room for %" PRId64 " ids, the new model for %" PRId64, name, before[0],
                now[0]);
    else
        fprintf(stderr,
                "weft: %c had room for %" PRId64 "x%" PRId64 " ids, the new model for %" PRId64 "x%" PRId64,
                name, before[0], before[1], now[0], now[1]);
    fprintf(stderr, ": that changes kappa, and with it %s\n", ops_of(merged)->changed);
}

static void tell(const weft_model models[2], const weft_model *merged)
{
    ops_of(merged)->tell(models, merged);
    tell_capacity('A', &models[0], merged);
    tell_capacity('B', &models[1], merged);
}

/* What side files say by now counts, not what they said when a model was written: where a first look finds
 * them different both models are opened whole, if they can be. */
static weft_status look(const merge_options *options, const char *const paths[2], weft_model looked[2],
                        weft_error *error)
{
    weft_error first = {0};
    weft_status status = WEFT_OK;
    for (int k = 0; k < 2; k++)
        TRY(model_look(paths[k], &options->place, &looked[k], error));
    if (check_compatible(paths, looked, &first) == WEFT_OK)
        return WEFT_OK;
    for (int k = 0; k < 2; k++) {
        weft_model_close(&looked[k]);
        if (model_open(paths[k], &options->place, NULL, &looked[k], error) != WEFT_OK)
            return fail(error, WEFT_MODEL, "%s", first.message);
    }
    TRY(check_compatible(paths, looked, error));
done:
    return status;
}

static weft_status merge(const merge_options *options, weft_model looked[2], weft_model *merged,
                         weft_error *error)
{
    const char *const paths[2] = {options->place.model, options->second};
    weft_status status = WEFT_OK;
    TRY(look(options, paths, looked, error));
    if (model_is_compact(&looked[1])) {
        /* Its features are compared too. */
        weft_model_close(&looked[1]);
        TRY(model_open(paths[1], &options->place, NULL, &looked[1], error));
    }
    weft_model_options room = {.row_capacity = union_capacity(looked, 0),
                               .column_capacity = union_capacity(looked, 1)};
    TRY(model_open(paths[0], &options->place, &room, merged, error));
    TRY(unite(paths, &looked[1], merged, error));
    TRY(weft_model_write(options->out, merged, error));
    tell(looked, merged);
done:
    return status;
}

static weft_status work(model_place *place, weft_error *error)
{
    weft_model looked[2] = {{0}, {0}}, merged = {0};
    weft_status status = merge((const merge_options *)place, looked, &merged, error);
    weft_model_close(&merged);
    weft_model_close(&looked[0]);
    weft_model_close(&looked[1]);
    return status;
}

int merge_command(int count, char **arguments)
{
    static const command_line line = {.table = &table,
                                      .arguments = "A B --model OUT",
                                      .documentation = documentation,
                                      .expected = "two models"};
    merge_options options = {0};
    return model_run(&line, work, count, arguments, &options.place);
}
