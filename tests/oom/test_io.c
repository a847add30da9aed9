/* SPDX-License-Identifier: MIT
 * Ids, streams, rosters of every kind, and files of true classes. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "oom.h"
#include "weft_files.h"

#include <unistd.h>

typedef struct scene {
    const char *spec;
    const char *text; /* of the file that the spec names as %s */
    bool views;       /* of a committee too */
    char path[64];
    weft_ids *ids;
    weft_stream *stream;
    weft_roster *roster;
    weft_ids *made_ids;
    weft_stream *made_stream;
    weft_roster *made_roster;
    int64_t number;
    int64_t class_of[3], classes;
    int64_t events;
} scene;

static const char STREAM[] = "row,column,label\na,b,1\nb,c,-1\nc,a,1\n";

/* ---- what is seen ---- */

static uint64_t digest_of_ids(const weft_ids *ids)
{
    uint64_t digest = 1;
    for (int64_t k = 0; k < weft_ids_count(ids); k++) {
        const char *name = weft_ids_name(ids, k);
        assert_int_equal(weft_ids_find(ids, name), k);
        digest = oom_digest(digest, name, strlen(name) + 1);
    }
    return digest;
}

static uint64_t digest_of_side(uint64_t digest, const weft_side *side, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        assert_true(weft_side_entry(side, i, i) > 0);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            double entry = weft_side_entry(side, i, j);
            digest = oom_digest(digest, &entry, sizeof entry);
        }
    return digest;
}

/* Of the ids with a name: a failed admission may leave one without, for the next. */
static uint64_t digest_of_roster(const weft_roster *roster)
{
    const weft_ids *ids = weft_roster_ids(roster);
    const weft_side *side = weft_roster_side(roster);
    uint64_t digest = digest_of_ids(ids);
    int64_t count = weft_ids_count(ids);
    if (side != NULL)
        digest = digest_of_side(digest, side, count);
    for (int64_t k = 1; k < weft_roster_view_count(roster); k++)
        digest = digest_of_side(digest, weft_roster_view(roster, k).side, count);
    return digest;
}

static uint64_t look(void *self)
{
    scene *s = self;
    uint64_t digest = s->ids != NULL ? digest_of_ids(s->ids) : 2;
    return s->roster != NULL ? digest ^ digest_of_roster(s->roster) : digest;
}

static uint64_t given(void *self)
{
    scene *s = self;
    if (s->made_ids != NULL)
        return digest_of_ids(s->made_ids);
    if (s->made_roster != NULL)
        return digest_of_roster(s->made_roster);
    if (s->made_stream != NULL)
        return 3;
    if (s->number >= 0)
        return 4 + (uint64_t)s->number;
    if (s->events > 0)
        return 5 + (uint64_t)s->events;
    return s->classes > 0 ? oom_digest(6, s->class_of, sizeof s->class_of) : 0;
}

/* ---- the scene ---- */

static void write_file(scene *s, const char *text)
{
    strcpy(s->path, "/tmp/weft-oom-XXXXXX");
    int descriptor = mkstemp(s->path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
}

static void open_nothing(void *self, const weft_memory *memory)
{
    scene *s = self;
    (void)memory;
    *s = (scene){.spec = s->spec, .text = s->text, .views = s->views, .number = -1};
}

static void open_ids(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_nothing(self, memory);
    assert_int_equal(weft_ids_create(memory, &s->ids, NULL), WEFT_OK);
    int64_t number = 0;
    for (const char *name = "abcdefgh"; *name != '\0'; name++) {
        char text[2] = {*name, '\0'};
        assert_int_equal(weft_ids_add(s->ids, text, &number, NULL), WEFT_OK);
    }
}

static void open_file(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_nothing(self, memory);
    write_file(s, s->text);
}

static void open_stream_file(void *self, const weft_memory *memory)
{
    scene *s = self;
    weft_file_options options = {.memory = memory};
    open_nothing(self, memory);
    write_file(s, STREAM);
    const char *path = s->path;
    assert_int_equal(weft_stream_open(&path, 1, &options, &s->stream, NULL), WEFT_OK);
}

static void open_true_classes(void *self, const weft_memory *memory)
{
    scene *s = self;
    int64_t number = 0;
    open_nothing(self, memory);
    write_file(s, "a x\nb y\nc x\nd z\n");
    assert_int_equal(weft_ids_create(memory, &s->ids, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(s->ids, "c", &number, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(s->ids, "b", &number, NULL), WEFT_OK);
    assert_int_equal(weft_ids_add(s->ids, "a", &number, NULL), WEFT_OK);
}

static weft_status open_roster_at(scene *s, const weft_memory *memory, weft_roster **roster,
                                  weft_error *error)
{
    char spec[200];
    weft_file_options options = {.memory = memory, .roster = &(weft_roster_options){.views = s->views}};
    snprintf(spec, sizeof spec, "%s%s%s", s->spec, s->text != NULL ? s->path : "",
             strchr(s->spec, ':') != NULL ? ",missing=alone" : "");
    if (strncmp(s->spec, "features:", 9) == 0)
        snprintf(spec, sizeof spec, "features:%s,%s,missing=alone", s->path, s->spec + 9);
    return weft_roster_open(spec, &options, roster, error);
}

static void open_roster_file(void *self, const weft_memory *memory)
{
    scene *s = self;
    if (s->text != NULL)
        open_file(self, memory);
    else
        open_nothing(self, memory);
    assert_int_equal(open_roster_at(s, memory, &s->roster, NULL), WEFT_OK);
}

static void open_built(void *self, const weft_memory *memory)
{
    scene *s = self;
    open_roster_file(self, memory);
    assert_int_equal(weft_roster_build(s->roster, NULL), WEFT_OK);
}

static void close_all(void *self)
{
    scene *s = self;
    weft_ids_free(s->ids);
    weft_ids_free(s->made_ids);
    weft_stream_free(s->stream);
    weft_stream_free(s->made_stream);
    weft_roster_free(s->roster);
    weft_roster_free(s->made_roster);
    if (s->path[0] != '\0')
        unlink(s->path);
}

/* ---- the calls ---- */

static weft_status create_ids(void *self, const weft_memory *memory, weft_error *error)
{
    return weft_ids_create(memory, &((scene *)self)->made_ids, error);
}

static weft_status add_id(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_ids_add(s->ids, "another one, longer than the others", &s->number, error);
}

static weft_status open_stream(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    const char *path = s->path;
    weft_file_options options = {.memory = memory};
    return weft_stream_open(&path, 1, &options, &s->made_stream, error);
}

/* A stream that failed in the middle is read again from its start. */
static weft_status read_stream(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    bool more = true;
    int64_t events = 0;
    (void)memory;
    weft_status status = weft_stream_rewind(s->stream, error);
    while (status == WEFT_OK && more) {
        weft_event event;
        status = weft_stream_next(s->stream, &event, &more, error);
        events += status == WEFT_OK && more;
    }
    if (status == WEFT_OK)
        s->events = events;
    return status;
}

static weft_status open_roster(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return open_roster_at(s, memory, &s->made_roster, error);
}

static weft_status admit(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    (void)memory;
    return weft_roster_admit(s->roster, "a newcomer", NULL, &s->number, error);
}

static weft_status build(void *self, const weft_memory *memory, weft_error *error)
{
    (void)memory;
    return weft_roster_build(((scene *)self)->roster, error);
}

static weft_status read_classes(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_file_options options = {.memory = memory};
    return weft_classes_read(s->path, s->ids, &options, s->class_of, &s->classes, error);
}

static void ids_and_streams(void **state)
{
    static const oom_case cases[] = {
        {"weft_ids_create", open_nothing, create_ids, look, given, close_all, 1},
        {"weft_ids_add", open_ids, add_id, look, given, close_all, 0},
        {"weft_stream_open", open_file, open_stream, look, given, close_all, 2},
        {"weft_stream_next", open_stream_file, read_stream, look, given, close_all, 0},
        {"weft_classes_read", open_true_classes, read_classes, look, given, close_all, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        scene s = {.text = STREAM};
        oom_play(&cases[k], &s);
    }
}

static void rosters_of_every_kind(void **state)
{
    static const char *const files[][2] = {
        {"none", NULL},
        {"classes:", "a x\nb y\nc x\n"},
        {"graph:", "a b\nb c 2\nd e\n"},
        {"kernel:", ",a,b,c\na,2,1,0\nb,1,2,0\nc,0,0,1\n"},
        {"matrix:", ",a,b,c\na,2,1,0\nb,1,2,0\nc,0,0,1\n"},
        {"features:kernel=linear,epsilon=0.5", "a,1,2\nb,0,1\nc,2,0\n"},
        {"features:kernel=gaussian,width=2", "a,1,2\nb,0,1\nc,2,0\n"},
        {"features:kernel=min,range=2", "a,1,2\nb,0,1\nc,2,0\n"},
    };
    static const oom_case cases[] = {
        {"weft_roster_open", open_file, open_roster, look, given, close_all, 2},
        {"weft_roster_admit", open_roster_file, admit, look, given, close_all, 0},
        {"weft_roster_build", open_roster_file, build, look, given, close_all, 1},
        {"weft_roster_admit, built", open_built, admit, look, given, close_all, 0},
    };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            scene s = {.spec = files[f][0], .text = files[f][1]};
            if (s.text == NULL && cases[k].open == open_file)
                continue;
            oom_play(&cases[k], &s);
            s.views = true;
            oom_play(&cases[k], &s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_and_streams),
        cmocka_unit_test(rosters_of_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
