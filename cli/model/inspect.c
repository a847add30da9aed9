/* SPDX-License-Identifier: MIT
 * weft inspect: what a model is, for people and for programs. */
#include "cli/model/inspect.h"

#include "cli/command/words.h"
#include "cli/input/engine.h"
#include "cli/input/spec.h"
#include "cli/model/model.h"
#include "program/fail.h"
#include "program/output.h"

#include <inttypes.h>

typedef struct inspect_options {
    model_place place;
    int64_t top;
    bool json, look, digest;
} inspect_options;

static const option_row option_rows[] = {
    {"--json", NULL, "one JSON object on one line", TAKES_FLAG(inspect_options, json)},
    {"--top", "N", "how many of the heaviest pairs and ids to list (5)",
     TAKES_COUNT(inspect_options, top, 0)},
    {"--look", NULL, "do not read the files of the side information: no squared radius",
     TAKES_FLAG(inspect_options, look)},
    {"--digest", NULL, "only the digest of what was learnt and of the ids: equal where the state is",
     TAKES_FLAG(inspect_options, digest)},
    {0},
};

static const option_rule rules[] = {
    MODEL_NEEDED,
    CLASH("--digest", "--json", "--digest is one word on a line: leave out --json"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 2, .next = &model_table};

static const char documentation[] =
    "Tells what a model is: its settings, its side information, what it has been through, and its evidence.\v"
    "Where the files of the side information cannot be read any more, or have changed, it says so and tells "
    "the rest.  Of a committee it tells which member leads, by how much and since when, where every member "
    "stands, "
    "what is guaranteed, and the evidence of the learner awake with the largest share, or of the one that "
    "stood best where all rest.\n\n"
    "Example:\n"
    "  weft inspect votes.weft --top 10\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 a file that cannot be read, 4 a model that is damaged, 130 "
    "interrupted, 1 anything else.";

/* ---- Words ---- */

digest_text inspect_digest(const uint64_t half[2])
{
    digest_text digest = {{0}};
    snprintf(digest.text, sizeof digest.text, "%016" PRIx64 "%016" PRIx64, half[0], half[1]);
    return digest;
}

/* ---- For people ---- */

static void tell_side(const inspection *seen, const char *name, const weft_roster *roster, FILE *out)
{
    int64_t count = weft_ids_count(weft_roster_ids(roster)), parts = weft_roster_part_count(roster);
    for (int64_t k = 0; k < parts; k++)
        fprintf(out, "%-19s%s\n", k == 0 ? name : "",
                weft_show(weft_roster_spec(weft_roster_part(roster, k))).text);
    fprintf(out, "%-19s", "");
    for (int64_t k = 0; k < parts; k++)
        fprintf(out, "%s%s", k == 0 ? "" : " + ",
                spec_kind(weft_roster_spec(weft_roster_part(roster, k))).text);
    fprintf(out, ", ");
    if (weft_roster_report(roster).hashed)
        fprintf(out, "no ids are kept");
    else
        fprintf(out, "%" PRId64 " id%s", count, output_plural(count));
    if (seen->sides)
        fprintf(out, ", squared radius %.6g", weft_side_radius(weft_roster_side(roster)));
    putc('\n', out);
    for (int64_t k = 0; k < weft_roster_source_count(roster); k++) {
        weft_source source = weft_roster_source(roster, k);
        fprintf(out, "%-19s%s: %" PRId64 " bytes, digest %s, %s\n", "", weft_show(source.path).text,
                source.size, inspect_digest(source.digest).text,
                seen->model.embed ? "embedded" : "read from there");
    }
}

static void tell_compact(const inspection *seen, const weft_settings *settings, FILE *out)
{
    int64_t rows = weft_side_dimension(weft_roster_side(seen->model.rows));
    if (seen->model.columns == NULL)
        fprintf(out, "%-19s%" PRId64 "\n", "features", rows);
    else
        fprintf(out, "%-19s%" PRId64 " of a row, %" PRId64 " of a column\n", "features", rows,
                weft_side_dimension(weft_roster_side(seen->model.columns)));
    if (settings->floor > 0)
        fprintf(out, "%-19s%.17g\n", "floor", settings->floor);
    else
        fprintf(out, "%-19s%s\n", "floor", "none");
    if (settings->half_life > 0)
        fprintf(out, "%-19s%.17g trials: no bound holds\n", "half-life", settings->half_life);
    else
        fprintf(out, "%-19s%s\n", "half-life", "none: what was learnt stays");
}

/* "3 rows, 5 columns" or "8 ids" */
static void tell_capacity(const inspection *seen, FILE *out)
{
    int64_t rows = seen->facts.room[0], columns = seen->facts.room[1];
    if (seen->model.columns == NULL)
        fprintf(out, "%-19s%" PRId64 " id%s\n", "capacity", rows, output_plural(rows));
    else
        fprintf(out, "%-19s%" PRId64 " row%s, %" PRId64 " column%s\n", "capacity", rows, output_plural(rows),
                columns, output_plural(columns));
}

static void tell_settings(const inspection *seen, FILE *out)
{
    const weft_settings *settings = &seen->facts.settings;
    fprintf(out, "%-19s%s\n%-19s%s\n", "form", form_words[settings->form], "updates",
            updates_words[settings->updates]);
    fprintf(out, "%-19s%.17g\n%-19s%.17g\n%-19s%.17g\n", "eta", settings->eta, "gamma", settings->gamma,
            "dimension", settings->dimension);
    if (seen->model.horizon > 0)
        fprintf(out, "%-19s%" PRId64 "\n", "horizon", seen->model.horizon);
    else
        fprintf(out, "%-19s%s\n", "horizon", "unknown");
    tell_capacity(seen, out);
    fprintf(out, "%-19s%" PRIu64 "%s\n", "seed", settings->seed,
            settings->deterministic ? ", deterministic" : "");
    fprintf(out, "%-19s%s, %s precision\n", "engine", engine_name(settings->engine),
            precision_words[settings->precision]);
    if (settings->engine == WEFT_COMPACT)
        tell_compact(seen, settings, out);
    if (settings->tolerance > 0)
        fprintf(out, "%-19s%g\n", "tolerance", settings->tolerance);
    else
        fprintf(out, "%-19s%s\n", "tolerance", "none");
    fprintf(out, "%-19s%s\n", "labels", weft_language_show(&seen->model.language).text);
}

void inspect_disturbed(const inspection *seen, FILE *out)
{
    if (!seen->model.disturbed)
        return;
    fprintf(out, "%-19s%s\n", "disturbed", seen->ops->disturbed);
}

void inspect_counters(const inspection *seen, FILE *out)
{
    const weft_counters *c = &seen->facts.counters;
    const weft_negatives *how = &seen->model.negatives;
    fprintf(out, "%-19s%" PRId64 "\n", "trials", c->trials);
    fprintf(out, "%-19s%" PRId64 ", expected %.6g\n", "mistakes", c->mistakes, c->expected_mistakes);
    if (how->count > 0)
        fprintf(out, "%-19s%" PRId64 " drawn beside every event from %" PRId64 " ids, seed %" PRIu64 "\n",
                "negatives", how->count, how->ids, how->seed);
}

static void tell_learner(const inspection *seen, FILE *out)
{
    const weft_counters *c = &seen->facts.counters;
    tell_settings(seen, out);
    inspect_counters(seen, out);
    fprintf(out, "%-19s%" PRId64 "\n%-19s%" PRId64 "\n", "updates made", c->updates, "products", c->products);
    inspect_disturbed(seen, out);
}

static int add_nothing(const inspection *seen, json_t *object)
{
    (void)seen;
    (void)object;
    return 0;
}

const inspect_ops inspect_learner = {
    .disturbed = "labels came late, evidence was merged, forgotten or imported, or side information "
                 "has grown: no bound holds",
    .tell = tell_learner,
    .settings = inspect_learner_settings,
    .counters = inspect_learner_counters,
    .add_rest = add_nothing,
};

static void tell_ids(const inspection *seen, int side, const char *name, FILE *out)
{
    const weft_roster *roster = side == 0 ? seen->model.rows : seen->model.columns;
    const summary *evidence = &seen->evidence;
    if (evidence->ids_count[side] == 0)
        return;
    fprintf(out, "heaviest %s\n", name);
    for (int64_t k = 0; k < evidence->ids_count[side]; k++) {
        const id_weight *id = &evidence->ids[side][k];
        fprintf(out, "%-19s%s: %" PRId64 " in %" PRId64 " pair%s\n", "",
                weft_show(weft_ids_name(weft_roster_ids(roster), id->id)).text, id->weight, id->pairs,
                output_plural(id->pairs));
    }
}

static void tell_evidence(const inspection *seen, FILE *out)
{
    const summary *evidence = &seen->evidence;
    const weft_ids *rows = weft_roster_ids(seen->model.rows);
    const weft_ids *columns = weft_roster_ids(model_columns(&seen->model));
    int64_t rows_touched = evidence->touched[0], columns_touched = evidence->touched[1];
    bool one_set = seen->model.columns == NULL;
    if (seen->compact) {
        fprintf(out, "%-19s%s\n%-19s%.6g\n", "evidence", "not kept: the compact engine keeps no pairs",
                "spectral bound", weft_learner_spectral_bound(seen->leader));
        return;
    }
    fprintf(out,
            "%-19s%" PRId64 " pair%s, %" PRId64 " of them not 0; counts of %" PRId64 ", in sum %+" PRId64
            "\n",
            "evidence", evidence->pairs, output_plural(evidence->pairs), evidence->nonzero, evidence->weight,
            evidence->balance);
    if (one_set)
        fprintf(out, "%-19s%" PRId64 " id%s\n", "carried by", rows_touched, output_plural(rows_touched));
    else
        fprintf(out, "%-19s%" PRId64 " row%s, %" PRId64 " column%s\n", "carried by", rows_touched,
                output_plural(rows_touched), columns_touched, output_plural(columns_touched));
    fprintf(out, "%-19s%.6g\n", "spectral bound", weft_learner_spectral_bound(seen->leader));
    if (evidence->heaviest_count > 0)
        fprintf(out, "heaviest pairs\n");
    for (int64_t k = 0; k < evidence->heaviest_count; k++) {
        weft_evidence_entry entry = evidence->heaviest[k];
        fprintf(out, "%-19s%s, %s: %+" PRId64 "\n", "", weft_show(weft_ids_name(rows, entry.row)).text,
                weft_show(weft_ids_name(columns, entry.column)).text, entry.count);
    }
    tell_ids(seen, 0, one_set ? "ids" : "rows", out);
    tell_ids(seen, 1, "columns", out);
}

static void tell(const inspection *seen, FILE *out)
{
    fprintf(out, "%-19s%s\n", "model", weft_show(seen->path).text);
    if (seen->model.columns == NULL) {
        tell_side(seen, "both", seen->model.rows, out);
    } else {
        tell_side(seen, "rows", seen->model.rows, out);
        tell_side(seen, "columns", seen->model.columns, out);
    }
    if (!seen->sides)
        fprintf(out, "%-19s%s\n", "not read", seen->unread);
    if (seen->model.context.count > 0)
        fprintf(out, "%-19s%s\n", "context", context_show(&seen->model.context).text);
    seen->ops->tell(seen, out);
    if (seen->leader != NULL)
        tell_evidence(seen, out);
}

/* ---- The command ---- */

/* What a committee says without its side information. */
static void take_facts(const weft_model_facts *found, inspection *seen)
{
    seen->model = found->model;
    seen->facts = (player_facts){
        .is_committee = true, .counters = found->counters, .rules = found->rules, .members = found->members};
    seen->ops = &inspect_committee_alone;
}

/* Of a learner all but the radius, and a committee whole where it embeds what it is made of. */
static weft_status look_only(const inspect_options *options, inspection *seen, weft_error *error)
{
    weft_model_facts found = {.members = 0};
    weft_status status = WEFT_OK;
    TRY(model_read_facts(options->place.model, &options->place, &found, error));
    if (found.members > 0 && !found.model.embed) {
        take_facts(&found, seen);
        return WEFT_OK;
    }
    TRY(model_look(options->place.model, &options->place, &seen->model, error));
done:
    weft_model_close(&found.model);
    return status;
}

/* A model whose side information is gone can still be looked at; one that is
 * damaged cannot. */
static weft_status look(const inspect_options *options, inspection *seen, char unread[], size_t size,
                        weft_error *error)
{
    weft_error why = {0};
    weft_status status = WEFT_OK;
    seen->sides = !options->look &&
                  model_open(options->place.model, &options->place, NULL, &seen->model, &why) == WEFT_OK;
    if (!seen->sides)
        TRY(look_only(options, seen, error));
    if (!options->look && !seen->sides && why.status == WEFT_ARGUMENT) {
        *error = why;
        return why.status;
    }
    snprintf(unread, size, "%s", options->look ? "the files of the side information (--look)" : why.message);
    seen->unread = unread;
done:
    return status;
}

/* That of the model as it was written, so that no side file is read. */
static weft_status print_digest(const inspect_options *options, inspection *seen, weft_error *error)
{
    weft_model_facts found = {.members = 0};
    output *out = NULL;
    weft_status status = WEFT_OK;
    TRY(model_read_facts(options->place.model, &options->place, &found, error));
    seen->model = found.model;
    TRY(output_open("-", &out, error));
    fprintf(output_stream(out), "%s\n", inspect_digest(found.digest).text);
    TRY(output_commit(out, error));
done:
    output_free(out);
    return status;
}

/* Of a player that was made again. */
static void find_facts(const inspect_options *options, inspection *seen)
{
    seen->facts = player_facts_of(seen->model.player, seen->model.columns == NULL);
    seen->ops = seen->facts.is_committee ? &inspect_committee : &inspect_learner;
    seen->compact = model_is_compact(&seen->model);
    seen->leader = weft_committee_leader(seen->model.player);
    if (seen->leader != NULL)
        seen->evidence = summary_make(&seen->model, seen->leader, options->top);
}

static weft_status inspect(const inspect_options *options, inspection *seen, weft_error *error)
{
    char unread[sizeof error->message];
    output *out = NULL;
    weft_status status = WEFT_OK;
    seen->path = options->place.model;
    TRY(look(options, seen, unread, sizeof unread, error));
    if (seen->model.player != NULL)
        find_facts(options, seen);
    TRY(output_open("-", &out, error));
    if (options->json)
        TRY(inspect_json(seen, output_stream(out), error));
    else
        tell(seen, output_stream(out));
    TRY(output_commit(out, error));
done:
    output_free(out);
    return status;
}

static weft_status work(model_place *place, weft_error *error)
{
    inspection seen = {0};
    const inspect_options *options = (const inspect_options *)place;
    weft_status status = (options->digest ? print_digest : inspect)(options, &seen, error);
    summary_free(&seen.evidence);
    weft_model_close(&seen.model);
    return status;
}

int inspect_command(int count, char **arguments)
{
    static const command_line line = {
        .table = &table, .arguments = "MODEL", .documentation = documentation, .expected = "one MODEL"};
    inspect_options options = {.top = 5};
    return model_run(&line, work, count, arguments, &options.place);
}
