/* SPDX-License-Identifier: MIT */
#include "command.h"

#include "usage.h"

#include <stdbool.h>

/* What the command's own half works with. */
typedef struct own_half {
    const command_line *line;
    void *options;
} own_half;

static bool remember(const own_half *half, int key, char *text)
{
    for (const command_member *m = half->line->members; m != NULL && m->key != 0; m++) {
        void *place = (char *)half->options + m->offset;
        if (m->key != key)
            continue;
        if (text != NULL)
            *(const char **)place = text;
        else
            *(bool *)place = true;
        return true;
    }
    return false;
}

static error_t take_own(int key, char *text, struct argp_state *state)
{
    const own_half *half = state->input;
    if (remember(half, key, text))
        return 0;
    state->input = half->options;
    return half->line->take != NULL ? half->line->take(key, text, state) : ARGP_ERR_UNKNOWN;
}

/* Both halves work on the same options. */
static error_t share(int key, char *text, struct argp_state *state)
{
    own_half *half = state->input;
    (void)text;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = half;
    state->child_inputs[1] = half->options;
    return 0;
}

void command_parse(const command_line *line, const struct argp *shared, int count, char **arguments,
                   void *options)
{
    own_half half = {line, options};
    const struct argp own = {.options = line->options, .parser = take_own};
    const struct argp_child halves[] = {{&own, 0, NULL, 0}, {shared, 0, NULL, 0}, {0}};
    const struct argp whole = {
        .parser = share, .args_doc = line->arguments, .doc = line->documentation, .children = halves};
    usage_parse(&whole, count, arguments, &half);
}

weft_status command_check_files(command_name_files *name, const void *options, weft_error *error)
{
    paths_list files = {0};
    name(options, &files);
    weft_status status = paths_check(&files, error);
    paths_free(&files);
    return status;
}
