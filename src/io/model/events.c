/* SPDX-License-Identifier: MIT
 * What a model knows of its events: what is drawn beside them, of which fields their context is, and the
 * language of their labels. */
#include "base/context.h"
#include "io/model/model.h"
#include "io/stream/language.h"
#include "player/player.h"

#include <string.h>

enum { PLAIN = 2, WITH_DRAWN = 3, WITH_CONTEXT = 4, WITH_LANGUAGE = 6 };
_Static_assert((int)WITH_LANGUAGE == (int)WEFT__MODEL_VERSION,
               "the last version is that of a model with a language");

int64_t weft__model_version(const weft_model *model)
{
    return model->language.labels > WEFT_LABELS_BITS ? WITH_LANGUAGE
           : model->context.count > 0                ? WITH_CONTEXT
           : model->negatives.count > 0              ? WITH_DRAWN
                                                     : PLAIN;
}

static void put_name(weft__encoder *w, const char *text)
{
    size_t length = strlen(text);
    weft__put_integer(w, (int64_t)length);
    weft__put_bytes(w, text, length);
}

void weft__model_put_events(const weft_model *model, weft__encoder *w)
{
    const weft_context_fields *context = &model->context;
    bool all = weft__model_version(model) == WITH_LANGUAGE;
    if (weft__model_version(model) > PLAIN) {
        weft__put_integer(w, model->negatives.count);
        weft__put_integer(w, (int64_t)model->negatives.seed);
        weft__put_integer(w, model->negatives.ids);
    }
    if (context->count == 0 && !all)
        return;
    weft__put_integer(w, context->count);
    for (int64_t k = 0; k < context->count; k++)
        put_name(w, context->name[k]);
}

void weft__model_put_said(const weft_model *model, weft__encoder *w)
{
    weft__model_put_events(model, w);
    if (weft__model_version(model) != WITH_LANGUAGE)
        return;
    put_name(w, model->language.positive);
    put_name(w, model->language.negative);
    weft__put_double(w, model->language.threshold);
}

static weft_status damaged(weft_error *error, const char *what)
{
    return weft__fail(error, WEFT_MODEL, "the model is damaged: %s", what);
}

static weft_status get_negatives(weft__decoder *r, weft__stored *stored, weft_error *error)
{
    weft_negatives *negatives = &stored->negatives;
    int64_t least = stored->version == WITH_DRAWN;
    negatives->count = weft__get_integer(r);
    negatives->seed = (uint64_t)weft__get_integer(r);
    negatives->ids = weft__get_integer(r);
    negatives->one_set = stored->sides == 1;
    if (r->failed || negatives->count < least || negatives->count > WEFT_NEGATIVES_LIMIT ||
        negatives->ids < 0)
        return damaged(error, "the drawn negatives are out of range");
    if (negatives->count == 0 && (negatives->seed != 0 || negatives->ids != 0))
        return damaged(error, "nothing is drawn, from ids or by a seed");
    if (negatives->count == 0)
        *negatives = (weft_negatives){0};
    return WEFT_OK;
}

static weft_status get_context(weft__decoder *r, int64_t least, weft_context_fields *context,
                               weft_error *error)
{
    context->count = weft__get_integer(r);
    if (r->failed || context->count < least || context->count > WEFT_CONTEXT_LIMIT)
        return damaged(error, "the number of fields of its context is out of range");
    for (int64_t k = 0; k < context->count; k++) {
        int64_t length = weft__get_integer(r);
        const unsigned char *bytes = weft__get_bytes(r, length);
        if (bytes == NULL || length >= (int64_t)sizeof context->name[k] ||
            memchr(bytes, 0, (size_t)length) != NULL)
            return damaged(error, "a field of its context has no name");
        memcpy(context->name[k], bytes, (size_t)length);
    }
    return context->count == 0 || weft__context_check_fields(context, NULL) == WEFT_OK
               ? WEFT_OK
               : damaged(error, "a field of its context has no name, or that of another");
}

static weft_status get_word(weft__decoder *r, char word[WEFT_LABEL_LIMIT], weft_error *error)
{
    int64_t length = weft__get_integer(r);
    const unsigned char *bytes = weft__get_bytes(r, length);
    if (bytes == NULL || length >= WEFT_LABEL_LIMIT || memchr(bytes, 0, (size_t)length) != NULL)
        return damaged(error, "a word of its labels is too long, or has a zero byte");
    memcpy(word, bytes, (size_t)length);
    return WEFT_OK;
}

static weft_status get_language(weft__decoder *r, weft_language *language, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(get_word(r, language->positive, error));
    TRY(get_word(r, language->negative, error));
    language->threshold = weft__get_double(r);
    if (r->failed || weft__language_check(language, NULL) != WEFT_OK)
        TRY(damaged(error, "the language of its labels is none"));
done:
    return status;
}

weft_status weft__model_get_events(weft__decoder *r, weft__stored *stored, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (stored->version > PLAIN)
        TRY(get_negatives(r, stored, error));
    if (stored->version > WITH_DRAWN)
        TRY(get_context(r, stored->version == WITH_CONTEXT, &stored->context, error));
    if ((stored->language.labels > WEFT_LABELS_BITS) != (stored->version == WITH_LANGUAGE))
        TRY(damaged(error, "its labels are not of its version"));
    if (stored->version == WITH_LANGUAGE)
        TRY(get_language(r, &stored->language, error));
done:
    return status;
}

/* ---- Of players that know their ids by name ---- */

weft_status weft_player_set_negatives(weft_player *player, const weft_negatives *how, weft_error *error)
{
    weft_status status = WEFT_OK;
    TRY(weft__check_negatives(how, error));
    TRY(weft__need_home(player, error));
    weft_model *model = weft__home_model(player);
    int64_t names = player->home->count(player->home, WEFT_COLUMNS);
    if (how->one_set != (model->columns == NULL))
        return weft__fail(error, WEFT_ARGUMENT, "one_set is %d, but the player has %s", (int)how->one_set,
                          model->columns == NULL ? "one set of ids" : "rows and columns");
    if (how->ids > names)
        return weft__fail(error, WEFT_ARGUMENT, "ids is %lld, expected at most the %lld that have names",
                          (long long)how->ids, (long long)names);
    model->negatives = *how;
done:
    return status;
}

weft_negatives weft_player_negatives(const weft_player *player)
{
    const weft_model *model = weft__home_model(player);
    return model != NULL ? model->negatives : (weft_negatives){0};
}

weft_status weft_player_set_context_fields(weft_player *player, const weft_context_fields *fields,
                                           weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(fields);
    TRY(weft__need_home(player, error));
    TRY(weft__context_check_fields(fields, error));
    weft__home_model(player)->context = *fields;
done:
    return status;
}

weft_context_fields weft_player_context_fields(const weft_player *player)
{
    const weft_model *model = weft__home_model(player);
    return model != NULL ? model->context : (weft_context_fields){.count = 0};
}

weft_status weft_player_set_language(weft_player *player, const weft_language *language, weft_error *error)
{
    weft_status status = WEFT_OK;
    NEED(language);
    TRY(weft__need_home(player, error));
    TRY(weft__language_check(language, error));
    weft__home_model(player)->language = *language;
done:
    return status;
}

weft_language weft_player_language(const weft_player *player)
{
    const weft_model *model = weft__home_model(player);
    return model != NULL ? model->language : (weft_language){.labels = WEFT_LABELS_UNKNOWN};
}
