/* SPDX-License-Identifier: MIT
 * Players whose side information grows, for the tests of that. */
#ifndef WEFT_TESTS_UNIT_TEST_IO_GROW_SUPPORT_H
#define WEFT_TESTS_UNIT_TEST_IO_GROW_SUPPORT_H

#include "../test_io_support.h"
#include "io/roster/roster.h"
#include "weft_files.h"

static inline weft_roster *open_text(const char *kind, const char *words, const char *text)
{
    test_file file = file_of(text);
    char spec[160];
    weft_roster_options keep = {.keep = true};
    weft_roster *roster = NULL;
    weft_error error = {0};
    snprintf(spec, sizeof spec, "%s:%s%s", kind, file.path, words);
    if (weft_roster_open(spec, &(weft_file_options){.roster = &keep}, &roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    unlink(file.path);
    return roster;
}

static inline weft_player *player_of(const char *kind, const char *words, const char *text)
{
    weft_player *player = NULL;
    weft_error error = {0};
    if (weft_player_create(open_text(kind, words, text), NULL, NULL, &player, &error) != WEFT_OK)
        fail_msg("%s", error.message);
    return player;
}

static inline void learn(weft_player *player, const char *row, const char *column, int label)
{
    int64_t pair[2];
    assert_int_equal(weft_player_pair(player, row, column, pair, NULL), WEFT_OK);
    assert_int_equal(weft_player_learn(player, pair[0], pair[1], label, NULL, NULL), WEFT_OK);
}

static inline void grow(weft_player *player, weft_roster *roster)
{
    weft_error error = {0};
    if (weft_player_grow(player, WEFT_ROWS, roster, &error) != WEFT_OK)
        fail_msg("%s", error.message);
}

/* Fails, says so, and leaves the player and the roster. */
static inline void refuse(weft_player *player, weft_roster *roster, weft_status status, const char *words)
{
    weft_error error = {0};
    uint64_t before[2], now[2];
    assert_int_equal(weft_player_digest(player, before, NULL), WEFT_OK);
    assert_int_equal(weft_player_grow(player, WEFT_ROWS, roster, &error), status);
    if (strstr(error.message, words) == NULL)
        fail_msg("found %s, expected %s", error.message, words);
    assert_int_equal(weft_player_digest(player, now, NULL), WEFT_OK);
    assert_memory_equal(before, now, sizeof now);
    weft_roster_free(roster);
}

static inline int64_t number_of(const weft_player *player, const char *name)
{
    return weft_ids_find(weft_roster_ids(weft_player_roster(player, WEFT_ROWS)), name);
}

static inline const weft_side *view_of(const weft_player *player, weft_view_kind kind)
{
    const weft_roster *roster = weft_player_roster(player, WEFT_ROWS);
    for (int64_t k = 0; k < weft_roster_view_count(roster); k++)
        if (weft_roster_view(roster, k).kind == kind)
            return weft_roster_view(roster, k).side;
    return NULL;
}

static inline weft_roster_facts facts_of(const weft_player *player)
{
    return weft_roster_report(weft_player_roster(player, WEFT_ROWS));
}

static inline int64_t community_of(const weft_player *player, const char *name)
{
    const weft_side *side = view_of(player, WEFT_VIEW_COMMUNITIES);
    weft_item item = {0};
    assert_non_null(side);
    side->ops->item(side, number_of(player, name), &item);
    return item.class_of;
}

#endif
