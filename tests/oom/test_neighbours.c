/* SPDX-License-Identifier: MIT
 * Tables of features, and the graph of nearest neighbours. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "oom.h"
#include "weft_files.h"

#include <unistd.h>

typedef struct scene {
    const char *text; /* of the file */
    char path[64];
    weft_neighbours how;
    weft_table *table;
    weft_edges *edges;
} scene;

static const double VALUES[] = {1, 2, 0.5, 1, 2, 2.5, -1, 4, 3, 3, 0.25, -2};

static void open_file(void *self, const weft_memory *memory)
{
    scene *s = self;
    (void)memory;
    strcpy(s->path, "/tmp/weft-oom-XXXXXX");
    int descriptor = mkstemp(s->path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, s->text, strlen(s->text)), (ssize_t)strlen(s->text));
    close(descriptor);
    s->table = NULL;
}

static void open_nothing(void *self, const weft_memory *memory)
{
    (void)memory;
    ((scene *)self)->edges = NULL;
}

static weft_status read_table(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    return weft_table_read(s->path, &(weft_file_options){.memory = memory}, &s->table, error);
}

static weft_status find_neighbours(void *self, const weft_memory *memory, weft_error *error)
{
    scene *s = self;
    weft_features features = {.count = 6, .dimension = 2, .values = VALUES};
    return weft_edges_nearest(&features, &s->how, memory, &s->edges, error);
}

static uint64_t look(void *self)
{
    (void)self;
    return 1;
}

static uint64_t given_table(void *self)
{
    scene *s = self;
    uint64_t digest = 1;
    if (s->table == NULL)
        return 0;
    weft_features features = weft_table_features(s->table);
    for (int64_t i = 0; i < features.count; i++) {
        const char *name = weft_ids_name(weft_table_ids(s->table), i);
        digest = oom_digest(digest, name, strlen(name));
    }
    size_t size = (size_t)(features.count * features.dimension) * sizeof *features.values;
    return oom_digest(digest, features.values, size);
}

static uint64_t given_edges(void *self)
{
    scene *s = self;
    uint64_t digest = 1;
    if (s->edges == NULL)
        return 0;
    for (int64_t k = 0; k < weft_edges_count(s->edges); k++) {
        weft_edge edge = weft_edges_at(s->edges, k);
        digest = oom_digest(digest, &edge, sizeof edge);
    }
    return digest;
}

static void close_all(void *self)
{
    scene *s = self;
    weft_table_free(s->table);
    weft_edges_free(s->edges);
    s->table = NULL;
    s->edges = NULL;
    if (s->path[0] != '\0')
        unlink(s->path);
}

static void tables(void **state)
{
    static const oom_case what = {"weft_table_read", open_file, read_table, look, given_table, close_all, 4};
    scene dense = {.text = "a,1,2\nb,0,1\nc,2,0\n"}, sparse = {.text = "a 1:1\nb 7:2\nc 3:1 4:1\n"};
    oom_play(&what, &dense);
    oom_play(&what, &sparse);
}

static void graphs(void **state)
{
    static const oom_case what = {
        "weft_edges_nearest", open_nothing, find_neighbours, look, given_edges, close_all, 8};
    for (int ways = 0; ways < 8; ways++) {
        scene s = {
            .how = {
                2, (ways & 1) != 0 ? WEFT_COSINE : WEFT_EUCLIDEAN, (ways & 2) != 0, (ways & 4) != 0, {0}}};
        oom_play(&what, &s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
