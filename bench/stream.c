/* SPDX-License-Identifier: MIT
 *
 * bench-stream [--events N]
 *
 * A long stream over 1,000 rows and 100 columns, so that pairs repeat: written to
 * a file, read as `weft run` reads it, and played with nothing known and with
 * classes on both sides.  Prints the time a trial as the stream goes on, the time
 * of reading against that of learning, and the largest memory so far; one JSON
 * line each.  A (8,6)-biclustered matrix with 10 % label noise. */
#define _GNU_SOURCE

#include "draw.h"
#include "measure.h"
#include "weft_files.h"

#include <unistd.h>

enum { ROWS = 1000, COLUMNS = 100, ROW_CLASSES = 8, COLUMN_CLASSES = 6 };

typedef struct event {
    int64_t row, column;
    int label;
} event;

static void write_stream(const char *path, int64_t count)
{
    uint64_t state = 5;
    int block[ROW_CLASSES][COLUMN_CLASSES];
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "bench: %s cannot be written\n", path);
        exit(1);
    }
    for (int r = 0; r < ROW_CLASSES; r++)
        for (int c = 0; c < COLUMN_CLASSES; c++)
            block[r][c] = below(&state, 2) ? 1 : -1;
    fprintf(file, "row,column,label\n");
    for (int64_t t = 0; t < count; t++) {
        int64_t i = below(&state, ROWS), j = below(&state, COLUMNS);
        int label = block[i % ROW_CLASSES][j % COLUMN_CLASSES];
        fprintf(file, "r%lld,c%lld,%d\n", (long long)i, (long long)j, below(&state, 10) ? label : -label);
    }
    if (fclose(file) != 0)
        exit(1);
}

/* The stream with its ids as numbers; returns the seconds that reading took. */
static double read_stream(const char *path, int64_t count, event *events)
{
    weft_error error = {0};
    weft_stream *stream = NULL;
    weft_roster *rows = NULL, *columns = NULL;
    weft_event line;
    bool more = true;
    double start = processor_seconds();
    require(weft_stream_open(&path, 1, NULL, &stream, &error), &error);
    require(weft_roster_open("none", NULL, &rows, &error), &error);
    require(weft_roster_open("none", NULL, &columns, &error), &error);
    for (int64_t t = 0; t < count; t++) {
        require(weft_stream_next(stream, &line, &more, &error), &error);
        int64_t ids[2];
        require(weft_roster_admit(rows, line.row, &line, &ids[0], &error), &error);
        require(weft_roster_admit(columns, line.column, &line, &ids[1], &error), &error);
        /* The numbers in the names, since the classes go by them. */
        events[t] = (event){atoll(line.row + 1), atoll(line.column + 1), line.label};
    }
    double seconds = processor_seconds() - start;
    weft_roster_free(rows);
    weft_roster_free(columns);
    weft_stream_free(stream);
    return seconds;
}

static weft_side *make_side(bool classes, int64_t count, int64_t kinds)
{
    weft_error error = {0};
    weft_side *side = NULL;
    int64_t *class_of = allocate(count, sizeof *class_of);
    for (int64_t i = 0; i < count; i++)
        class_of[i] = i % kinds;
    if (classes)
        require(weft_side_from_classes(count, class_of, 0.1, NULL, &side, &error), &error);
    else
        require(weft_side_none(count, NULL, &side, &error), &error);
    free(class_of);
    return side;
}

/* Plays all events; a row at 2^k times 1000 of them. */
static double play(weft_player *learner, const event *events, int64_t count)
{
    weft_error error = {0};
    double start = processor_seconds(), last = start;
    int64_t told = 0, due = 1000;
    fprintf(stderr, "%12s %10s %12s %14s\n", "trials", "updates", "us a trial", "products");
    for (int64_t t = 0; t < count; t++) {
        require(weft_player_learn(learner, events[t].row, events[t].column, events[t].label, NULL, &error),
                &error);
        if (t + 1 != due && t + 1 != count)
            continue;
        weft_counters c = weft_player_counters(learner);
        double now = processor_seconds();
        fprintf(stderr, "%12lld %10lld %12.1f %14.2f\n", (long long)c.trials, (long long)c.updates,
                1e6 * (now - last) / (double)(t + 1 - told), (double)c.products / (double)c.trials);
        last = now;
        told = t + 1;
        due *= 2;
    }
    return processor_seconds() - start;
}

static void measure(bool classes, const event *events, int64_t count, double reading)
{
    weft_error error = {0};
    weft_player *learner = NULL;
    weft_side *rows = make_side(classes, ROWS, ROW_CLASSES),
              *columns = make_side(classes, COLUMNS, COLUMN_CLASSES);
    weft_settings settings = weft_settings_default(ROWS, COLUMNS, count);
    const char *kind = weft_side_kind(rows);
    require(weft_learner_create(rows, columns, &settings, NULL, &learner, &error), &error);
    fprintf(stderr, "\n%s on both sides\n", kind);
    double learning = play(learner, events, count);
    fprintf(stderr, "reading %.2f s, learning %.2f s, %.1f MB\n", reading, learning, resident_megabytes());
    printf("{\"bench\":\"stream\",\"kind\":\"%s\",\"events\":%lld,\"learning_over_reading\":%.1f,"
           "\"us_per_trial\":%.1f,\"resident_mb\":%.1f}\n",
           kind, (long long)count, learning / reading, 1e6 * learning / (double)count, resident_megabytes());
    weft_player_free(learner);
    weft_side_free(rows);
    weft_side_free(columns);
}

int main(int argc, char **argv)
{
    char path[] = "/tmp/weft-stream-XXXXXX";
    int64_t count = argc == 3 && strcmp(argv[1], "--events") == 0 ? atoll(argv[2]) : argc == 1 ? 1000000 : 0;
    if (count < 1000) {
        fprintf(stderr, "usage: bench-stream [--events N]     N from 1000; default 1000000\n");
        return 2;
    }
    int file = mkstemp(path);
    if (file < 0 || close(file) != 0)
        return 1;
    event *events = allocate(count, sizeof *events);
    write_stream(path, count);
    double reading = read_stream(path, count, events);
    unlink(path);
    measure(false, events, count, reading);
    measure(true, events, count, reading);
    free(events);
    return 0;
}
