/* SPDX-License-Identifier: MIT
 * What the commands that work on a model share. */
#ifndef WEFT_CLI_MODEL_MODEL_H
#define WEFT_CLI_MODEL_MODEL_H

#include "cli/command/command.h"
#include "cli/command/commands.h"
#include "cli/input/context.h"
#include "cli/input/limits.h"
#include "weft_files.h"

/* Which model; where side information is read from instead of where it says: the
 * options --rows, --columns and --both, NULL where not given; and how much files
 * may ask for. */
typedef struct model_place {
    limit_options limits;
    const char *model;
    char *rows, *columns, *both; /* several SPECs with ",+" between */
    paths_list *files;           /* of the whole command; NULL: they are not looked after */
} model_place;

/* What a command does once its command line is read. */
typedef weft_status model_work(model_place *place, weft_error *error);

/* For commands whose options begin with a model_place: MODEL, --rows, --columns, --both and the limits. */
extern const option_table model_table;
#define MODEL_NEEDED NEEDED("MODEL", "a MODEL is needed")
/* The context of what a command asks, a row of its own table. */
#define MODEL_CONTEXT(S, member)                                                                  \
    {                                                                                             \
        "--context", "VALUE,...",                                                                 \
            "the context that is asked for, in the order of the model's fields, or FIELD=VALUE; " \
            "what is left out is not known",                                                      \
            TAKES_TEXT(S, member)                                                                 \
    }

/* A whole command on a model: reads the command line into options that begin with
 * `place`, works, tells a failure; the exit status. */
int model_run(const command_line *line, model_work *work, int count, char **arguments, model_place *place);

/* weft_model_open with the places; a SPEC that does not suit is told with the
 * option it came from. */
weft_status model_open(const char *path, const model_place *place, const weft_model_options *options,
                       weft_model *model, weft_error *error);

/* paths_check, once it is known which side files the model names. */
weft_status model_check_sides(const weft_model *model, paths_list *files, weft_error *error);

/* Only to look: the side information is not read, see weft_model_options. */
weft_status model_look(const char *path, const model_place *place, weft_model *model, weft_error *error);

/* What a model says by itself, without a player. */
weft_status model_read_facts(const char *path, const model_place *place, weft_model_facts *facts,
                             weft_error *error);

/* The columns, which for one set of ids are the rows. */
weft_roster *model_columns(const weft_model *model);
/* Room for rows (side 0) or columns (side 1). */
int64_t model_capacity(const weft_model *model, int side);

/* The values of --context, or NULL: nothing is known. */
weft_status model_set_context(const weft_model *model, const char *values, weft_error *error);

bool model_is_compact(const weft_model *model);

/* What predict and top write of an answer: the names of the columns, and the values, each behind a comma.  A
 * learner has margins, a committee votes. */
bool model_has_margins(const weft_model *model);
const char *model_answer_columns(const weft_model *model);
void model_write_answer(const weft_model *model, const weft_answer *answer, FILE *out);

/* The numbers of a pair, whose ids are let in as the SPECs say, within the
 * capacities. */
weft_status model_admit(const weft_model *model, const weft_event *event, int64_t pair[2], weft_error *error);
/* The same for a question: no id is let in, so that no answer depends on what else was asked. */
weft_status model_find_pair(const weft_model *model, const weft_event *event, int64_t pair[2],
                            weft_error *error);
/* The number of one row (side 0) or column (side 1), let in as the SPECs say; `event` is where it stands, or
 * NULL. */
weft_status model_admit_one(const weft_model *model, int side, const char *name, const weft_event *event,
                            int64_t *id, weft_error *error);

/* Fails, as wrong usage, where the learner keeps no pairs; `what` needs them. */
weft_status model_need_pairs(const char *path, const weft_model *model, const char *what, weft_error *error);
/* Fails, as wrong usage, where a committee plays: `what` is for the margins of one learner. */
weft_status model_need_margins(const char *path, const weft_model *model, const char *what,
                               weft_error *error);
/* Whether the names of rows (side 0) or columns (side 1) are hashed: the model does not know them. */
bool model_hashed(const weft_model *model, int side);
/* The number of a name: of those that the model knows, else -1; of any where names are hashed. */
int64_t model_number(const weft_model *model, int side, const char *name);

/* The number of an id that the model knows, a row (side 0) or a column (side 1);
 * `option` is what named it, for messages. */
weft_status model_find(const model_place *place, const weft_model *model, const char *option, int side,
                       const char *name, int64_t *id, weft_error *error);

/* compatible.c.  WEFT_MODEL, naming what differs, unless evidence means the same in both. */
weft_status check_compatible(const char *const paths[2], const weft_model models[2], weft_error *error);

#endif
