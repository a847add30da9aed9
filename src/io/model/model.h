/* SPDX-License-Identifier: MIT
 * A model as bytes; docs/model-format.md is the same in words. */
#ifndef WEFT_IO_MODEL_MODEL_H
#define WEFT_IO_MODEL_MODEL_H

#include "base/bytes.h"
#include "io/roster/roster.h"
#include "weft_files.h"

typedef struct weft__stored_side {
    char *spec;
    weft__known_ids known; /* with `embed` its sources have their bytes */
} weft__stored_side;

/* A model as it stands in a file, before any side information is made of it. */
typedef struct weft__stored {
    weft_memory memory;
    weft_progress progress; /* who is told while it is opened */
    int64_t version;
    int sides; /* 1: one set of ids */
    weft__stored_side side[2];
    int64_t horizon;
    weft_language language;
    bool embed, disturbed;
    bool settled; /* it says what was settled of its side information */
    weft_negatives negatives;
    weft_context_fields context;
    const unsigned char *state; /* of the player; inside the bytes */
    size_t state_size;
    bool committee; /* which kind it is, by the first bytes of the state; else a learner */
} weft__stored;

/* Writes the model to `buffer`, or with NULL only counts; the number of bytes. */
size_t weft__model_encode(const weft_model *model, unsigned char *buffer);

/* That of models whose side information can grow, which say after their head what version they would have
 * without it. */
enum { WEFT__MODEL_SETTLED = 5 };
/* The last version without that; and events.c: what it knows of its events, after its head, and of their
 * labels. */
enum { WEFT__MODEL_VERSION = 6 };
int64_t weft__model_version(const weft_model *model);
void weft__model_put_events(const weft_model *model, weft__encoder *writer);
/* The same, and how its labels are written, which is no part of what was learnt. */
void weft__model_put_said(const weft_model *model, weft__encoder *writer);
weft_status weft__model_get_events(weft__decoder *reader, weft__stored *stored, weft_error *error);

/* The part of it that was learnt, the ids and the state, in the same way; the state is that of the player, or
 * where `stored` is not NULL the one there. */
size_t weft__model_encode_learnt(const weft_model *model, const weft__stored *stored, unsigned char *buffer);

/* Whether the model can be written; `path` is for messages. */
weft_status weft__model_check(const char *path, const weft_model *model, weft_error *error);

/* Reads it from bytes that may come from anywhere: WEFT_MODEL where they are not
 * a whole model.  The bytes are borrowed.  On failure *stored is still to be
 * freed. */
weft_status weft__model_decode(const unsigned char *bytes, size_t size, const weft_memory *memory,
                               weft__stored *stored, weft_error *error);
void weft__stored_free(weft__stored *stored);

/* model->player becomes a committee that has learnt nothing, over the views of the rosters. */
weft_status weft__model_found(weft_model *model, const weft_committee_settings *settings,
                              const weft_memory *memory, weft_error *error);

/* The committee of a model whose rosters are there, with their views; WEFT_MODEL where it does not fit. */
weft_status weft__model_committee(const weft__stored *stored, const weft_model *model, weft_player **player,
                                  weft_error *error);

/* The player of the state that is stored, over rosters that are there. */
weft_status weft__model_read_state(const weft__stored *stored, weft_model *model, weft_error *error);

/* Puts what a roster has read into the terms of what is known: `changed` says that its files have. */
weft_status weft__model_grow_side(weft_roster *roster, weft__known_ids *known, bool changed,
                                  weft_error *error);
/* That a player has; 0: none. */
int weft__model_threads(const weft_player *player);
/* Whether side information has grown of which the player that is to be made does not know yet. */
bool weft__model_grew(const weft_model *model);
/* What follows from side information that has grown, for a player that was just read over it. */
void weft__model_rebase(weft_model *model);
/* WEFT_MODEL unless a copy was made of what the files of the player said: it does not grow with them. */
weft_status weft__model_check_copy(const weft_model *model, const weft_model *copy, weft_error *error);

/* The model that a player lives in that knows its ids by name; NULL, and WEFT_UNSUPPORTED: it knows none. */
weft_model *weft__home_model(const weft_player *player);
weft_status weft__need_home(const weft_player *player, weft_error *error);

/* Puts the model before a message. */
weft_status weft__model_tell(const char *path, weft_status status, weft_error *error);
/* The bytes of a file that says it is a model, at most `size_limit` of them (0: 2^36), to be deleted. */
weft_status weft__model_load(const char *path, const weft_file_options *options, int64_t size_limit,
                             unsigned char **bytes, int64_t *size, weft_error *error);
/* The model of these bytes; `path` is for messages. */
weft_status weft__model_rebuild(const char *path, const unsigned char *bytes, size_t size,
                                const weft_model_options *options, weft_model *model, weft_error *error);

#endif
