/* SPDX-License-Identifier: MIT
 * What the commands that work on a model share. */
#ifndef WEFT_CLI_MODEL_H
#define WEFT_CLI_MODEL_H

#include "limits.h"
#include "weft.h"

/* Where side information is read from instead of where the model says: the
 * options --rows, --columns and --both, NULL where not given; and how much files
 * may ask for. */
typedef struct model_place {
    const char *rows, *columns, *both;
    limit_options limits;
} model_place;

/* A child of the parser of a command; its input is a model_place. */
extern const struct argp model_place_parser;

/* weft_model_open with the places; a SPEC that does not suit is told with the
 * option it came from. */
weft_status model_open(const char *path, const model_place *place, const weft_model_options *options,
                       weft_model *model, weft_error *error);

/* Only to look: the side information is not read, see weft_model_options. */
weft_status model_look(const char *path, const model_place *place, weft_model *model, weft_error *error);

/* The columns, which for one set of ids are the rows. */
weft_roster *model_columns(const weft_model *model);
/* Room for rows (side 0) or columns (side 1). */
int64_t model_capacity(const weft_model *model, int side);

/* The numbers of a pair, whose ids are let in as the SPECs say, within the
 * capacities. */
weft_status model_admit(const weft_model *model, const weft_event *event, int64_t pair[2], weft_error *error);

/* Tells a failure and gives the exit status: of an interruption, if one came. */
int model_finish(const model_place *place, weft_status status, weft_error *error);

/* predict.c, inspect.c, forget.c, merge.c, evidence.c: arguments[0] is the name
 * for messages; the exit status. */
int predict_command(int count, char **arguments);
int inspect_command(int count, char **arguments);
int forget_command(int count, char **arguments);
int merge_command(int count, char **arguments);
int evidence_command(int count, char **arguments);

#endif
