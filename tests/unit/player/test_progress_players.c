/* SPDX-License-Identifier: MIT
 * Long calls of players, of files and of models tell how far they are, and can be stopped wherever they
 * tell. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "support/test.h"

#include "support/dice.h"
#include "support/stopper.h"
#include "weft_files.h"

#include <sys/stat.h>
#include <unistd.h>

enum { IDS = 24, TAUGHT = 120, MANY = 60, MOST = 5 };

typedef enum kind { KRYLOV, COMPACT, BIAS, COMMITTEE } kind;

typedef struct scene {
    kind kind;
    int threads;
    weft_memory memory;
    weft_progress progress;
    weft_side *side;
    weft_player *player, *other;
    weft_player *copy;
    weft_answer answers[MANY];
    weft_ranked ranked[MOST];
    int64_t found;
    weft_explanation explanation;
    weft_influence influences[2 * TAUGHT];
    bool answered;
    char path[64];
} scene;

/* ---- Players over 24 ids with features ---- */

static void teach(weft_player *player, uint64_t seed, int count)
{
    dice d = {seed};
    for (int t = 0; t < count; t++) {
        int64_t i = dice_below(&d, IDS), j = dice_below(&d, IDS);
        assert_int_equal(weft_player_learn(player, i, j, i % 3 == j % 3 ? 1 : -1, NULL, NULL), WEFT_OK);
    }
}

static weft_side *make_side(const weft_memory *memory)
{
    double values[IDS * 3];
    dice d = {5};
    weft_side *side = NULL;
    for (int64_t i = 0; i < IDS; i++)
        for (int64_t k = 0; k < 3; k++)
            values[3 * i + k] = (i % 3 == k) + dice_between(&d, -0.2, 0.2);
    weft_features features = {IDS, 3, values, WEFT_GAUSSIAN, 1};
    weft_side_options options = {.memory = memory, .map = &(weft_map){.fourier = 16}};
    assert_int_equal(weft_side_from_features(&features, &options, &side, NULL), WEFT_OK);
    return side;
}

static weft_player *make_player(const scene *s)
{
    weft_player *player = NULL;
    weft_settings settings = weft_settings_default(IDS, IDS, TAUGHT);
    settings.eta = 0.3;
    settings.engine = s->kind == COMPACT ? WEFT_COMPACT : WEFT_KRYLOV;
    const weft_rival_settings rival = {.kind = WEFT_RIVAL_BIAS};
    const weft_rival_settings sum = {.kind = WEFT_RIVAL_SUM};
    if (s->kind == COMMITTEE) {
        weft_settings balanced = settings;
        balanced.form = WEFT_BALANCED;
        const weft_member members[] = {
            {.name = "paper", .rows = s->side, .columns = s->side, .uses = WEFT_BOTH, .learner = settings},
            {.name = "balanced", .rows = s->side, .columns = s->side, .uses = WEFT_BOTH, .learner = balanced},
            {.name = "bias", .rows = s->side, .columns = s->side, .is_rival = true, .rival = rival},
            {.name = "sum", .rows = s->side, .columns = s->side, .is_rival = true, .rival = sum}};
        assert_int_equal(
            weft_committee_create(members, 4, &(weft_committee_settings){0}, &s->memory, &player, NULL),
            WEFT_OK);
    } else if (s->kind == BIAS) {
        assert_int_equal(weft_rival_create(s->side, s->side, &rival, &s->memory, &player, NULL), WEFT_OK);
    } else {
        assert_int_equal(weft_learner_create(s->side, s->side, &settings, &s->memory, &player, NULL),
                         WEFT_OK);
    }
    return player;
}

static void open_players(void *self, const weft_memory *memory, weft_progress progress)
{
    scene *s = self;
    *s = (scene){.kind = s->kind, .threads = s->threads, .memory = *memory, .progress = progress};
    s->side = make_side(&s->memory);
    s->player = make_player(s);
    s->other = make_player(s);
    teach(s->player, 11, TAUGHT);
    teach(s->other, 12, TAUGHT / 2);
    assert_int_equal(weft_player_set_progress(s->player, &progress, NULL), WEFT_OK);
}

static void close_players(void *self)
{
    scene *s = self;
    weft_player_free(s->copy);
    weft_player_free(s->player);
    weft_player_free(s->other);
    weft_side_free(s->side);
}

static uint64_t digest_of_state(uint64_t digest, const weft_player *player)
{
    size_t size = 0;
    assert_int_equal(weft_player_write(player, NULL, &size, NULL), WEFT_OK);
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(weft_player_write(player, bytes, &size, NULL), WEFT_OK);
    digest = stopper_digest(digest, bytes, size);
    free(bytes);
    return digest;
}

/* The states, and an answer, for workspaces must be fit for use. */
static uint64_t look(void *self)
{
    scene *s = self;
    weft_answer answer = {0};
    uint64_t digest = digest_of_state(digest_of_state(1, s->player), s->other);
    assert_int_equal(weft_player_predict(s->player, 2, 5, &answer, NULL), WEFT_OK);
    digest = stopper_digest(digest, &answer.probability, sizeof(double));
    return stopper_digest(digest, &answer.score, sizeof(double));
}

static uint64_t given_nothing(void *self)
{
    (void)self;
    return 0;
}

/* ---- The calls ---- */

static void draw_pairs(int64_t pairs[2 * MANY])
{
    dice d = {21};
    for (int k = 0; k < 2 * MANY; k++)
        pairs[k] = dice_below(&d, IDS);
}

static weft_status predict_many(void *self, weft_error *error)
{
    scene *s = self;
    int64_t pairs[2 * MANY];
    weft_answer answers[MANY];
    draw_pairs(pairs);
    weft_status status = weft_player_predict_many(s->player, MANY, pairs, 0.01, s->threads, answers, error);
    if (status == WEFT_OK)
        memcpy(s->answers, answers, sizeof answers);
    s->answered = status == WEFT_OK;
    return status;
}

static uint64_t given_answers(void *self)
{
    scene *s = self;
    uint64_t digest = s->answered ? 1 : 0;
    for (int k = 0; k < MANY && s->answered; k++) {
        digest = stopper_digest(digest, &s->answers[k].probability, sizeof(double));
        digest = stopper_digest(digest, &s->answers[k].score, sizeof(double));
    }
    return digest;
}

static weft_status rank(void *self, weft_error *error)
{
    scene *s = self;
    return weft_player_rank(s->player, &(weft_query){.id = 3, .most = MOST, .tolerance = 1e-4}, s->ranked,
                            &s->found, error);
}

static uint64_t given_ranks(void *self)
{
    scene *s = self;
    uint64_t digest = s->found > 0 ? 1 : 0;
    for (int64_t k = 0; k < s->found; k++)
        digest = stopper_digest(digest, &s->ranked[k].id, sizeof s->ranked[k].id);
    return digest;
}

static weft_status explain(void *self, weft_error *error)
{
    scene *s = self;
    return weft_player_explain(s->player, 3, 4, 1e-6, &s->explanation, s->influences, error);
}

static uint64_t given_influences(void *self)
{
    scene *s = self;
    if (s->explanation.products == 0)
        return 0;
    int64_t count = weft_player_evidence_count(s->player);
    uint64_t digest = stopper_digest(1, &s->explanation.total, sizeof(double));
    for (int64_t k = 0; k < count; k++)
        digest = stopper_digest(digest, &s->influences[k].derivative, sizeof(double));
    return digest;
}

static weft_status merge(void *self, weft_error *error)
{
    scene *s = self;
    return weft_player_merge(s->player, s->other, error);
}

static weft_status forget(void *self, weft_error *error)
{
    scene *s = self;
    return weft_player_forget(s->player, WEFT_ROWS, 3, error);
}

static weft_status add_evidence(void *self, weft_error *error)
{
    scene *s = self;
    const weft_evidence_entry entries[] = {{1, 2, 3}, {4, 5, -1}};
    return weft_player_add_evidence(s->player, entries, 2, error);
}

static weft_status clone(void *self, weft_error *error)
{
    scene *s = self;
    return weft_player_clone(s->player, &s->copy, error);
}

static uint64_t given_copy(void *self)
{
    scene *s = self;
    return s->copy != NULL ? digest_of_state(1, s->copy) : 0;
}

static weft_status fill_diagonal(void *self, weft_error *error)
{
    scene *s = self;
    return weft_learner_fill_diagonal(s->player, error);
}

static void play(const char *name, kind which, int threads, double every,
                 weft_status (*act)(void *, weft_error *), uint64_t (*given)(void *), int64_t least)
{
    static scene s;
    const stopper_case what = {name, every, open_players, act, look, given, close_players, least};
    s.kind = which;
    s.threads = threads;
    stopper_play(&what, &s);
}

static void players_can_be_stopped(void **state)
{
    play("learner, predict many", KRYLOV, 1, 3e4, predict_many, given_answers, 6);
    play("learner, predict many, threads", KRYLOV, 3, 1e4, predict_many, given_answers, 5);
    play("compact, predict many", COMPACT, 1, 1e4, predict_many, given_answers, 5);
    play("rival, predict many", BIAS, 1, 5e3, predict_many, given_answers, 6);
    play("committee, predict many", COMMITTEE, 1, 2e5, predict_many, given_answers, 6);
    play("committee, predict many, threads", COMMITTEE, 2, 2e5, predict_many, given_answers, 5);
    play("learner, rank", KRYLOV, 1, 1e4, rank, given_ranks, 8);
    play("compact, rank", COMPACT, 1, 1e4, rank, given_ranks, 5);
    play("committee, rank", COMMITTEE, 1, 5e4, rank, given_ranks, 5);
    play("learner, explain", KRYLOV, 1, 2e3, explain, given_influences, 5);
    play("learner, merge", KRYLOV, 1, 5e3, merge, given_nothing, 6);
    play("committee, merge", COMMITTEE, 1, 3e4, merge, given_nothing, 6);
    play("learner, forget", KRYLOV, 1, 5e3, forget, given_nothing, 5);
    play("committee, forget", COMMITTEE, 1, 3e4, forget, given_nothing, 5);
    play("learner, add evidence", KRYLOV, 1, 5e3, add_evidence, given_nothing, 5);
    play("learner, clone", KRYLOV, 1, 5e3, clone, given_copy, 5);
    play("committee, clone", COMMITTEE, 1, 2e4, clone, given_copy, 4);
    play("learner, diagonal", KRYLOV, 1, 2e4, fill_diagonal, given_nothing, 8);
}

/* Stopped in the middle, those that were learnt are learnt, and the rest can follow. */
static void learning_goes_on_where_it_was_stopped(void **state)
{
    static scene s, whole;
    int64_t pairs[2 * MANY], learnt = 0;
    int labels[MANY];
    stopper stop;
    draw_pairs(pairs);
    for (int k = 0; k < MANY; k++)
        labels[k] = k % 3 == 0 ? -1 : 1;
    weft_memory memory = {0};
    for (int which = KRYLOV; which <= COMMITTEE; which++) {
        s.kind = whole.kind = (kind)which;
        open_players(&whole, &memory, (weft_progress){0});
        assert_int_equal(weft_player_learn_many(whole.player, MANY, pairs, labels, NULL, &learnt, NULL),
                         WEFT_OK);
        for (int64_t k = 0; k < MANY - 1; k += 7) {
            stopper_arm(&stop, STOPPER_NEVER);
            open_players(&s, &memory, (weft_progress){stopper_tell, &stop, 1});
            stopper_arm(&stop, k);
            weft_answer answers[MANY];
            assert_int_equal(weft_player_learn_many(s.player, MANY, pairs, labels, answers, &learnt, NULL),
                             WEFT_INTERRUPTED);
            assert_int_equal(learnt, k + 1);
            stopper_arm(&stop, STOPPER_NEVER);
            assert_int_equal(weft_player_learn_many(s.player, MANY - learnt, pairs + 2 * learnt,
                                                    labels + learnt, answers + learnt, NULL, NULL),
                             WEFT_OK);
            assert_true(look(&s) == look(&whole));
            close_players(&s);
        }
        close_players(&whole);
    }
}

/* ---- Files and models ---- */

typedef struct file_scene {
    const char *spec;
    weft_memory memory;
    weft_progress progress;
    char path[64], model[64], text[160];
    weft_roster *roster, *made;
    weft_player *player;
    weft_table *table;
} file_scene;

static void name_file(char path[64])
{
    strcpy(path, "/tmp/weft-progress-XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
}

/* A ring of 40 vertices, or as many vectors: enough lines for some buffers. */
static void open_file(void *self, const weft_memory *memory, weft_progress progress)
{
    file_scene *s = self;
    *s = (file_scene){.spec = s->spec, .memory = *memory, .progress = progress};
    name_file(s->path);
    name_file(s->model);
    FILE *file = fopen(s->path, "w");
    assert_non_null(file);
    bool square = strncmp(s->spec, "kernel", 6) == 0, edges = strncmp(s->spec, "graph", 5) == 0;
    dice d = {31};
    for (int j = 0; square && j < 40; j++)
        fprintf(file, "%sv%d", j == 0 ? "id," : ",", j);
    for (int i = 0; i < 40; i++) {
        if (edges)
            fprintf(file, "v%d,v%d\nv%d,v%d\n", i, (i + 1) % 40, i,
                    (7 * i + 3) % 40 == i ? i + 1 : (7 * i + 3) % 40);
        else
            fprintf(file, "%sv%d", square ? "\n" : i == 0 ? "" : "\n", i);
        for (int j = 0; !edges && j < (square ? 40 : 30); j++)
            fprintf(file, ",%.17g", square ? (i == j ? 1 : 0.2 * (i < j)) : dice_between(&d, -1, 1));
    }
    for (int i = 0; edges && i < 20000; i++)
        fprintf(file, "# a comment that fills the buffer\n");
    fclose(file);
    snprintf(s->text, sizeof s->text, s->spec, s->path);
}

static weft_file_options files_of(file_scene *s)
{
    return (weft_file_options){.memory = &s->memory, .progress = s->progress};
}

static weft_status open_roster(void *self, weft_error *error)
{
    file_scene *s = self;
    weft_file_options files = files_of(s);
    return weft_roster_open(s->text, &files, &s->made, error);
}

static weft_status read_table(void *self, weft_error *error)
{
    file_scene *s = self;
    weft_file_options files = files_of(s);
    return weft_table_read(s->path, &files, &s->table, error);
}

static uint64_t look_at_nothing(void *self)
{
    (void)self;
    return 1;
}

static uint64_t digest_of_roster(const weft_roster *roster)
{
    const weft_ids *ids = weft_roster_ids(roster);
    const weft_side *side = weft_roster_side(roster);
    weft_roster_facts facts = weft_roster_report(roster);
    uint64_t digest = stopper_digest(1, &facts.asymmetry, sizeof(double));
    for (int64_t k = 0; k < weft_ids_count(ids); k++)
        digest = stopper_digest(digest, weft_ids_name(ids, k), strlen(weft_ids_name(ids, k)));
    for (int64_t k = 0; k < weft_side_count(side); k++) {
        double entry = weft_side_entry(side, 0, k);
        digest = stopper_digest(digest, &entry, sizeof entry);
    }
    digest = stopper_digest(digest, &(int64_t){weft_roster_view_count(roster)}, sizeof(int64_t));
    return digest;
}

static uint64_t given_roster(void *self)
{
    file_scene *s = self;
    return s->made != NULL ? digest_of_roster(s->made) : 0;
}

static uint64_t given_table(void *self)
{
    file_scene *s = self;
    weft_features features = weft_table_features(s->table);
    return s->table != NULL ? stopper_digest(1, features.values, (size_t)features.count * sizeof(double)) : 0;
}

static void close_file(void *self)
{
    file_scene *s = self;
    weft_player_free(s->player);
    weft_roster_free(s->made);
    weft_roster_free(s->roster);
    weft_table_free(s->table);
    unlink(s->path);
    unlink(s->model);
}

static void open_built(void *self, const weft_memory *memory, weft_progress progress)
{
    file_scene *s = self;
    open_file(self, memory, progress);
    weft_file_options files = files_of(s);
    files.roster = &(weft_roster_options){.views = true, .keep = true};
    assert_int_equal(weft_roster_open(s->text, &files, &s->roster, NULL), WEFT_OK);
}

static weft_status build(void *self, weft_error *error)
{
    return weft_roster_build(((file_scene *)self)->roster, error);
}

static uint64_t look_at_roster(void *self)
{
    return digest_of_roster(((file_scene *)self)->roster);
}

static uint64_t given_no_side(void *self)
{
    (void)self;
    return 0;
}

static weft_status least_eigenvalue(void *self, weft_error *error)
{
    double value = 0;
    return weft_roster_least_eigenvalue(((file_scene *)self)->roster, &value, error);
}

static void open_least(void *self, const weft_memory *memory, weft_progress progress)
{
    open_built(self, memory, progress);
    assert_int_equal(build(self, NULL), WEFT_OK);
}

static void play_file(const char *name, const char *spec, const stopper_case *how)
{
    static file_scene s;
    stopper_case what = *how;
    what.name = name;
    s.spec = spec;
    stopper_play(&what, &s);
}

static void files_can_be_stopped(void **state)
{
    static const stopper_case reading = {NULL,         1e6,        open_file, open_roster, look_at_nothing,
                                         given_roster, close_file, 2};
    static const stopper_case table = {NULL,        1e4,        open_file, read_table, look_at_nothing,
                                       given_table, close_file, 1};
    static const stopper_case building = {NULL,           2e4,           open_built, build,
                                          look_at_roster, given_no_side, close_file, 5};
    static const stopper_case least = {NULL,           5e3,           open_least, least_eigenvalue,
                                       look_at_roster, given_no_side, close_file, 5};
    play_file("reading a graph", "graph:%s", &reading);
    play_file("reading features", "%s", &table);
    play_file("making a graph and its views", "graph:%s", &building);
    play_file("repairing a kernel", "kernel:%s,repair=clip", &building);
    play_file("the least eigenvalue", "features:%s,kernel=gaussian,width=1", &least);
}

/* A committee over a graph of a file. */
static void open_player(void *self, const weft_memory *memory, weft_progress progress)
{
    file_scene *s = self;
    open_built(self, memory, progress);
    assert_int_equal(weft_player_create(s->roster, NULL, NULL, &s->player, NULL), WEFT_OK);
    s->roster = NULL;
    dice d = {41};
    for (int t = 0; t < 40; t++) {
        int64_t i = dice_below(&d, 40), j = dice_below(&d, 40);
        assert_int_equal(weft_player_learn(s->player, i, j, (i < 20) == (j < 20) ? 1 : -1, NULL, NULL),
                         WEFT_OK);
    }
    unlink(s->model);
}

static uint64_t look_at_player(void *self)
{
    file_scene *s = self;
    uint64_t digest[2] = {0, 0};
    assert_int_equal(weft_player_digest(s->player, digest, NULL), WEFT_OK);
    return digest[0] ^ digest[1];
}

static weft_status save(void *self, weft_error *error)
{
    file_scene *s = self;
    return weft_player_save(s->player, s->model, error);
}

/* Whole or not at all. */
static uint64_t given_model(void *self)
{
    file_scene *s = self;
    struct stat facts = {0};
    return stat(s->model, &facts) == 0 ? (uint64_t)facts.st_size : 0;
}

static void open_saved(void *self, const weft_memory *memory, weft_progress progress)
{
    file_scene *s = self;
    open_player(self, memory, progress);
    assert_int_equal(save(self, NULL), WEFT_OK);
    weft_player_free(s->player);
    s->player = NULL;
}

static weft_status open_again(void *self, weft_error *error)
{
    file_scene *s = self;
    weft_model_options options = {.files = files_of(s)};
    return weft_player_open(s->model, &options, &s->player, error);
}

static uint64_t given_player(void *self)
{
    return ((file_scene *)self)->player != NULL ? look_at_player(self) : 0;
}

static void models_can_be_stopped(void **state)
{
    static const stopper_case saving = {NULL,           1e4,         open_player, save,
                                        look_at_player, given_model, close_file,  2};
    static const stopper_case opening = {NULL,         5e5,        open_saved, open_again, look_at_nothing,
                                         given_player, close_file, 5};
    play_file("saving a player", "graph:%s", &saving);
    play_file("opening a player", "graph:%s", &opening);
}

/* A stream that was stopped goes on with the event that it would have given. */
static void no_event_of_a_stream_is_lost(void **state)
{
    enum { EVENTS = 20000 };
    char path[64];
    stopper stop;
    weft_stream *stream = NULL;
    weft_event event = {0};
    int64_t seen = 0, stops = 0;
    bool more = true;
    name_file(path);
    FILE *file = fopen(path, "w");
    for (int k = 0; k < EVENTS; k++)
        fprintf(file, "\"r\n%d\",c%d,1\n", k, k % 7);
    fclose(file);
    weft_file_options options = {.progress = {stopper_tell, &stop, 1}};
    stopper_arm(&stop, 0);
    assert_int_equal(weft_stream_open(&(const char *){path}, 1, &options, &stream, NULL), WEFT_OK);
    while (more) {
        weft_status status = weft_stream_next(stream, &event, &more, NULL);
        if (status == WEFT_INTERRUPTED) {
            stops++;
            stopper_arm(&stop, stops % 2);
            continue;
        }
        assert_int_equal(status, WEFT_OK);
        if (!more)
            break;
        char expected[32];
        snprintf(expected, sizeof expected, "r\n%lld", (long long)seen++);
        assert_string_equal(event.row, expected);
    }
    assert_int_equal(seen, EVENTS);
    assert_true(stops >= 2);
    weft_stream_free(stream);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_can_be_stopped),
        cmocka_unit_test(learning_goes_on_where_it_was_stopped),
        cmocka_unit_test(files_can_be_stopped),
        cmocka_unit_test(models_can_be_stopped),
        cmocka_unit_test(no_event_of_a_stream_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
