/* SPDX-License-Identifier: MIT
 *
 * Makes the data of scripts/demo: readers and articles that fall into groups, a
 * stream of likes (+1) and dislikes (-1) that depend on the two groups alone, but
 * for labels turned over by chance, and what is known beside it: who follows
 * whom, which article cites which.  The same seed gives the same files.
 *
 *     example-make_demo DIRECTORY [SEED]
 *
 * writes stream.csv, row-graph.txt, column-graph.txt, row-classes.txt and
 * column-classes.txt, and prints how many labels were turned over. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { READERS = 200, ARTICLES = 200, GROUPS = 2, TRIALS = 40000 };
enum { FRIENDS = 10, STRAY_PER_MILLE = 5, TURNED_PER_MILLE = 50 };

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static int below(uint64_t *state, int limit)
{
    return (int)(draw(state) % (uint64_t)limit);
}

static FILE *create(const char *directory, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "w") : NULL;
    if (file == NULL) {
        fprintf(stderr, "make_demo: cannot write %s in %s\n", name, directory);
        exit(1);
    }
    return file;
}

static void finish(FILE *file, const char *name)
{
    bool bad = ferror(file) != 0;
    if (fclose(file) != 0 || bad) {
        fprintf(stderr, "make_demo: %s could not be written whole\n", name);
        exit(1);
    }
}

/* One side: ids PREFIX0, PREFIX1, ..., groups drawn, then the two files. */
typedef struct population {
    const char *prefix;
    const char *classes_file, *graph_file;
    int count;
    int *group;
} population;

static void write_classes(const char *directory, const population *people)
{
    FILE *file = create(directory, people->classes_file);
    for (int i = 0; i < people->count; i++)
        fprintf(file, "%s%d group%d\n", people->prefix, i, people->group[i]);
    finish(file, people->classes_file);
}

/* Someone else of one's own group, or, rarely, of another. */
static int draw_friend(uint64_t *state, const population *people, int i)
{
    bool stray = below(state, 1000) < STRAY_PER_MILLE;
    int j = i;
    while (j == i || (people->group[j] != people->group[i]) != stray)
        j = below(state, people->count);
    return j;
}

static void write_graph(const char *directory, const population *people, uint64_t *state)
{
    FILE *file = create(directory, people->graph_file);
    for (int i = 0; i < people->count; i++)
        for (int k = 0; k < FRIENDS; k++)
            fprintf(file, "%s%d %s%d\n", people->prefix, i, people->prefix, draw_friend(state, people, i));
    finish(file, people->graph_file);
}

/* The first ids fill every group, so that none is empty. */
static void draw_groups(population *people, uint64_t *state)
{
    for (int i = 0; i < people->count; i++)
        people->group[i] = i < 2 * GROUPS ? i % GROUPS : below(state, GROUPS);
}

/* Every pair at most once, in random order: Fisher and Yates, stopped early. */
static int *draw_pairs(int pairs, int wanted, uint64_t *state)
{
    int *order = calloc((size_t)pairs, sizeof *order);
    if (order == NULL) {
        fprintf(stderr, "make_demo: out of memory\n");
        exit(1);
    }
    for (int p = 0; p < pairs; p++)
        order[p] = p;
    for (int p = 0; p < wanted; p++) {
        int other = p + below(state, pairs - p);
        int kept = order[p];
        order[p] = order[other];
        order[other] = kept;
    }
    return order;
}

/* Writes the stream and returns how many labels were turned over. */
static int write_stream(const char *directory, const population *readers, const population *articles,
                        uint64_t *state)
{
    int *order = draw_pairs(READERS * ARTICLES, TRIALS, state);
    FILE *file = create(directory, "stream.csv");
    int turned = 0;
    fprintf(file, "row,column,label\n");
    for (int t = 0; t < TRIALS; t++) {
        int i = order[t] / ARTICLES, j = order[t] % ARTICLES;
        bool turn = below(state, 1000) < TURNED_PER_MILLE;
        bool liked = (readers->group[i] == articles->group[j]) != turn;
        fprintf(file, "%s%d,%s%d,%s\n", readers->prefix, i, articles->prefix, j, liked ? "1" : "-1");
        turned += turn;
    }
    finish(file, "stream.csv");
    free(order);
    return turned;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    uint64_t state = argc == 3 ? strtoull(argv[2], &end, 10) : 1;
    if (argc < 2 || argc > 3 || (end != NULL && (*end != '\0' || end == argv[2]))) {
        fprintf(stderr, "usage: make_demo DIRECTORY [SEED]\n");
        return 2;
    }
    int reader_groups[READERS], article_groups[ARTICLES];
    population readers = {"reader", "row-classes.txt", "row-graph.txt", READERS, reader_groups};
    population articles = {"article", "column-classes.txt", "column-graph.txt", ARTICLES, article_groups};

    draw_groups(&readers, &state);
    draw_groups(&articles, &state);
    write_classes(argv[1], &readers);
    write_classes(argv[1], &articles);
    write_graph(argv[1], &readers, &state);
    write_graph(argv[1], &articles, &state);
    int turned = write_stream(argv[1], &readers, &articles, &state);
    printf("%d readers, %d articles, %d groups each, %d trials, %d labels turned over by chance\n", READERS,
           ARTICLES, GROUPS, TRIALS, turned);
    return 0;
}
