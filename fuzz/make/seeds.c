/* SPDX-License-Identifier: MIT
 *
 * Makes the seeds of fuzz-committee, and those of fuzz-model with a committee or eigenvectors, anew: when the
 * format of states changes, the old ones are refused at once and are good for nothing.
 *
 *     cmake --preset fuzz && cmake --build --preset fuzz
 *     make-seeds fuzz/seeds */
#include "../committee.c"

#include "committee/committee.h"
#include "io/model/model.h"

#include <stdio.h>

/* ---- Committees ---- */

typedef struct seed {
    const char *name;
    uint8_t kind; /* as fuzz/committee.c has it */
    int64_t trials;
} seed;

static void save(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    require(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* `rests`: one member, since it is dear and its account is empty. */
static void make_committee(const char *folder, const seed *what, bool rests)
{
    weft_player *committee = NULL;
    weft_committee_settings settings = {0};
    size_t size = 0;
    require(weft_committee_create(members_of(what->kind), count_of(what->kind), &settings, NULL, &committee,
                                  NULL) == WEFT_OK);
    play(committee, 0, what->trials);
    if (rests) {
        weft__member_state *member = &weft__committee_in(committee)->members[1];
        member->paid = weft__account_of(&member->given);
        member->price = 100 * WEFT__DEAR;
        play(committee, what->trials, what->trials + 20);
        require(weft_player_counters(committee).awake == count_of(what->kind) - 1);
    }
    require(weft_player_write(committee, NULL, &size, NULL) == WEFT_OK);
    unsigned char *bytes = malloc(size + 1);
    require(bytes != NULL && weft_player_write(committee, bytes + 1, &size, NULL) == WEFT_OK);
    bytes[0] = what->kind;
    save(folder, what->name, bytes, size + 1);
    printf("%-24s %6zu bytes\n", what->name, size + 1);
    free(bytes);
    weft_player_free(committee);
}

/* The record of an answer. */
static void make_record(const char *folder, const char *name, uint8_t kind)
{
    weft_player *player = player_of(kind);
    size_t size = 0;
    require(weft_player_record(player, 1, 2, 40, NULL, &size, NULL) == WEFT_OK);
    unsigned char *bytes = malloc(size + 1);
    require(bytes != NULL && weft_player_record(player, 1, 2, 40, bytes + 1, &size, NULL) == WEFT_OK);
    bytes[0] = kind;
    save(folder, name, bytes, size + 1);
    printf("%-24s %6zu bytes\n", name, size + 1);
    free(bytes);
    weft_player_free(player);
}

/* ---- Models ---- */

static weft_roster *roster_of(const char *spec)
{
    static const char *const names[] = {"a", "b", "c"};
    weft_file_options files = {.roster = &(weft_roster_options){.keep = true, .views = true}};
    weft_roster *roster = NULL;
    int64_t number = 0;
    require(weft_roster_open(spec, &files, &roster, NULL) == WEFT_OK);
    for (int k = 0; k < 3; k++)
        require(weft_roster_admit(roster, names[k], NULL, &number, NULL) == WEFT_OK);
    require(weft_roster_build(roster, NULL) == WEFT_OK);
    return roster;
}

static void save_model(const char *folder, const char *name, const weft_model *model)
{
    size_t size = weft__model_encode(model, NULL);
    unsigned char *bytes = malloc(size);
    require(bytes != NULL && weft__model_encode(model, bytes) == size);
    save(folder, name, bytes, size);
    printf("%-24s %6zu bytes\n", name, size);
    free(bytes);
}

/* One set of three ids, of which a file, where there is one, says something. */
static void make_model(const char *folder, const char *name, const char *spec)
{
    enum { MOST = 128, TRIALS = 20, SET = 3 };
    weft_model model = {.language = {.labels = WEFT_LABELS_SIGNED}, .embed = true, .rows = roster_of(spec)};
    weft_view list[8];
    weft_member played[MOST];
    int64_t count = MOST;
    weft_views views = {.list = list, .count = weft_roster_view_count(model.rows)};
    require(views.count <= 8);
    for (int64_t k = 0; k < views.count; k++)
        list[k] = weft_roster_view(model.rows, k);
    weft_committee_settings settings = {0};
    require(weft_committee_members(&views, NULL, played, &count, NULL) == WEFT_OK);
    require(weft_committee_create(played, count, &settings, NULL, &model.player, NULL) == WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++)
        require(weft_player_learn(model.player, t % SET, (t + 1) % SET, 1, NULL, NULL) == WEFT_OK);
    save_model(folder, name, &model);
    printf("%-24s %lld members\n", name, (long long)count);
    weft_model_close(&model);
}

/* A learner over the eigenvectors of one set of six ids. */
static void make_mapped(const char *folder, const char *name, const char *spec)
{
    enum { SET = 6, TRIALS = 20 };
    weft_file_options files = {.roster = &(weft_roster_options){.keep = true}};
    weft_model model = {.horizon = TRIALS, .language = {.labels = WEFT_LABELS_SIGNED}, .embed = true};
    weft_settings settings = weft_settings_default(SET, 0, TRIALS);
    settings.engine = WEFT_COMPACT;
    require(weft_roster_open(spec, &files, &model.rows, NULL) == WEFT_OK);
    require(weft_roster_build(model.rows, NULL) == WEFT_OK);
    require(weft_learner_create(weft_roster_side(model.rows), NULL, &settings, NULL, &model.player, NULL) ==
            WEFT_OK);
    for (int64_t t = 0; t < TRIALS; t++)
        require(weft_player_learn(model.player, t % SET, t * 5 % SET, t % 3 == 0 ? 1 : -1, NULL, NULL) ==
                WEFT_OK);
    save_model(folder, name, &model);
    weft_model_close(&model);
}

/* The files of side information are part of the models, and are not left behind. */
static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wbx");
    require(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void make_models(const char *folder)
{
    static const char path[] = "g";
    write_file(path, "a 0\nb 1\nc 0\n");
    make_model(folder, "committee-none", "none");
    make_model(folder, "committee-classes", "classes:g");
    require(remove(path) == 0);
    write_file(path, "a b\nb c\nc d\nd e\ne f\nf a\n");
    make_mapped(folder, "compact-eigen", "graph:g,map=eigen:3");
    make_mapped(folder, "compact-eigen-hash", "graph:g,map=eigen:3+hash:2");
    require(remove(path) == 0);
}

int main(int argc, char **argv)
{
    static const seed seeds[] = {
        {"fresh", 0, 0},   {"fresh-one-set", 1, 0},   {"some", 0, 30}, {"some-one-set", 1, 30},
        {"late", 0, 4500}, {"late-one-set", 1, 4500}, {"few", 2, 30},  {"few-one-set", 3, 30},
    };
    static const seed rests[] = {{"rest", 0, 100}, {"rest-one-set", 1, 100}};
    char folder[4096];
    if (argc != 2 || snprintf(folder, sizeof folder, "%s/committee", argv[1]) >= (int)sizeof folder)
        return 2;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        make_committee(folder, &seeds[k], false);
    for (size_t k = 0; k < sizeof rests / sizeof *rests; k++)
        make_committee(folder, &rests[k], true);
    make_record(folder, "record", RECORD);
    make_record(folder, "record-one-set", RECORD | 1);
    make_record(folder, "record-learner", RECORD | LEARNER);
    make_record(folder, "record-rival", RECORD | RIVAL);
    snprintf(folder, sizeof folder, "%s/model", argv[1]);
    make_models(folder);
    return 0;
}
