/* SPDX-License-Identifier: MIT
 * weft experiment: reads what is asked of the laboratory and lets it work. */
#define _POSIX_C_SOURCE 200809L

#include "experiment.h"

#include "lab/lab.h"
#include "parse.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "usage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_PROTOCOL = 256,
    KEY_DIMENSIONS,
    KEY_NOISE,
    KEY_RUNS,
    KEY_JOBS,
    KEY_SEED,
    KEY_OUT,
    KEY_QUICK,
    KEY_QUIET
};
enum { MOST_JOBS = 256, MOST_RUNS = 100000, LEAST_DIMENSION = 9, MOST_DIMENSION = 2000 };

typedef struct experiment_options {
    lab_request request;
    const lab_experiment *experiment; /* NULL: all of them */
    bool named;
} experiment_options;

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "What to run:", 1},
    {"runs", KEY_RUNS, "N", 0,
     "of every cell, at most 100000 (each experiment has its own number; scaling takes none)", 1},
    {"seed", KEY_SEED, "S", 0, "of everything that is drawn (1)", 1},
    {"quick", KEY_QUICK, NULL, 0, "a small version, in seconds", 1},
    {"protocol", KEY_PROTOCOL, "text|authors", 0,
     "table1: of the paper's text, or of its authors' program; "
     "text,authors for both (text)",
     1},
    {"dimensions", KEY_DIMENSIONS, "N,N,...", 0, "table1, variants: sizes of the matrix (those of the paper)",
     1},
    {"noise", KEY_NOISE, "B,B,...", 0,
     "table1, variants: noise levels beta of the graphs (those of the paper)", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"out", KEY_OUT, "DIR", 0, "where results go, and where an interrupted experiment is found again", 2},
    {"jobs", KEY_JOBS, "N", 0, "runs at a time (one for every core)", 2},
    {"quiet", KEY_QUIET, NULL, 0, "no progress", 2},
    {0},
};

/* ---- Lists ---- */

/* One value of a list: its place, and its text. */
typedef void take_value(struct argp_state *state, int number, const char *text);

/* Hands over the values between commas; returns how many. */
static int take_list(struct argp_state *state, const char *name, const char *text, take_value *take)
{
    int count = 0;
    char *copy = strdup(text), *rest = copy;
    if (copy == NULL)
        argp_failure(state, 1, 0, "out of memory");
    while (rest != NULL) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest != NULL)
            *rest++ = '\0';
        if (count == LAB_MOST_VALUES)
            argp_error(state, "--%s: found more than %d values, expected at most that many", name,
                       LAB_MOST_VALUES);
        take(state, count++, word);
    }
    free(copy);
    return count;
}

static int64_t take_count(struct argp_state *state, const char *name, const char *text, int64_t least,
                          int64_t most)
{
    int64_t count = parse_count(state, name, text, least);
    if (count > most)
        argp_error(state, "--%s: found %s, expected at most %lld", name, text, (long long)most);
    return count;
}

static void take_dimension(struct argp_state *state, int number, const char *text)
{
    experiment_options *options = state->input;
    int64_t n = take_count(state, "dimensions", text, LEAST_DIMENSION, MOST_DIMENSION);
    for (int k = 0; k < number; k++)
        if (options->request.dimensions[k] == n)
            argp_error(state, "--dimensions: found %s twice", text);
    options->request.dimensions[number] = n;
}

static void take_noise(struct argp_state *state, int number, const char *text)
{
    experiment_options *options = state->input;
    double beta = parse_within(state, "noise", text, 0, 1);
    for (int k = 0; k < number; k++)
        if (options->request.noise[k] == beta)
            argp_error(state, "--noise: found %s twice", text);
    options->request.noise[number] = beta;
}

static void take_protocol(struct argp_state *state, int number, const char *text)
{
    static const char *const words[] = {"text", "authors", NULL};
    experiment_options *options = state->input;
    int protocol = 1 << parse_word(state, "protocol", text, words);
    (void)number;
    if ((options->request.protocols & protocol) != 0)
        argp_error(state, "--protocol: found %s twice", text);
    options->request.protocols |= protocol;
}

/* ---- Options ---- */

static void take_name(struct argp_state *state, const char *text)
{
    experiment_options *options = state->input;
    if (options->named)
        argp_error(state, "found '%s', expected one experiment", weft_show(text).text);
    options->named = true;
    options->experiment = lab_experiment_find(text);
    if (options->experiment == NULL && strcmp(text, "all") != 0) {
        char names[400] = "";
        for (int k = 0; lab_experiment_at(k) != NULL; k++) {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s, ", lab_experiment_at(k)->name);
        }
        argp_error(state, "found '%s', expected %sor all", weft_show(text).text, names);
    }
}

/* What belongs together does. */
static void check(struct argp_state *state)
{
    const experiment_options *options = state->input;
    const lab_request *request = &options->request;
    const lab_experiment *chosen = options->experiment;
    if (!options->named)
        argp_error(state, "the name of an experiment is needed");
    if (request->out == NULL)
        argp_error(state, "--out DIR is needed: where results go");
    else if (request->out[0] == '\0')
        argp_error(state, "--out: found '', expected a directory");
    if ((request->dimension_count > 0 || request->noise_count > 0) && (chosen == NULL || !chosen->gridded))
        argp_error(state, "--dimensions and --noise are for table1 and variants");
    if (request->protocols != 0 && (chosen == NULL || !chosen->protocols))
        argp_error(state, "--protocol is for table1");
    if (request->runs > 0 && chosen != NULL && chosen->timed)
        argp_error(state, "--runs: %s measures times, once, and takes no number of runs", chosen->name);
}

static error_t take(int key, char *text, struct argp_state *state)
{
    experiment_options *options = state->input;
    lab_request *request = &options->request;
    switch (key) {
    case KEY_RUNS:
        request->runs = take_count(state, "runs", text, 1, MOST_RUNS);
        return 0;
    case KEY_SEED:
        request->seed = (uint64_t)parse_count(state, "seed", text, 0);
        return 0;
    case KEY_QUICK:
        request->quick = true;
        return 0;
    case KEY_PROTOCOL:
        request->protocols = 0;
        take_list(state, "protocol", text, take_protocol);
        return 0;
    case KEY_DIMENSIONS:
        request->dimension_count = take_list(state, "dimensions", text, take_dimension);
        return 0;
    case KEY_NOISE:
        request->noise_count = take_list(state, "noise", text, take_noise);
        return 0;
    case KEY_OUT:
        request->out = text;
        return 0;
    case KEY_JOBS:
        request->jobs = (int)take_count(state, "jobs", text, 1, MOST_JOBS);
        return 0;
    case KEY_QUIET:
        request->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        take_name(state, text);
        return 0;
    case ARGP_KEY_END:
        check(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The list of experiments is put where the text has a form feed. */
static char *insert_list(int key, const char *text, void *input)
{
    (void)input;
    const char *mark = text == NULL ? NULL : strchr(text, '\f');
    if (key != ARGP_KEY_HELP_POST_DOC || mark == NULL)
        return (char *)text;
    size_t room = strlen(text) + 2000, length;
    char *whole = calloc(room, 1);
    if (whole == NULL)
        return (char *)text;
    snprintf(whole, room, "%.*s", (int)(mark - text), text);
    for (int k = 0; lab_experiment_at(k) != NULL; k++) {
        length = strlen(whole);
        snprintf(whole + length, room - length, "  %-12s %s\n", lab_experiment_at(k)->name,
                 lab_experiment_at(k)->purpose);
    }
    length = strlen(whole);
    snprintf(whole + length, room - length, "  %-12s %s\n%s", "all", "every one of them", mark + 1);
    return whole;
}

static const char documentation[] =
    "Shows what the paper claims, by running it.\v"
    "The experiments:\n\n\f\n"
    "Each writes DIR/NAME.csv, figures DIR/NAME*.svg and .png, and DIR/NAME.html, a report that needs "
    "nothing "
    "else, and says what it found on standard output; progress goes to standard error.\n\n"
    "Every run that is done is remembered in DIR/NAME.journal.  Called again with the same DIR an experiment "
    "goes "
    "on where it was, however it ended, and repeats no run; more runs or sizes only add to the journal, "
    "while "
    "the "
    "other files show what was asked last.  The "
    "numbers depend on the seed alone, not on the number of jobs nor on interruptions; only times differ "
    "(the last "
    "column of table1.csv).\n\n"
    "Examples:\n"
    "  weft experiment table1 --protocol text --dimensions 20,40 --noise 0,0.5 --runs 3 --out table1\n"
    "  weft experiment bounds --quick --out bounds\n\n"
    "Exit status: 0 done, 2 wrong usage, 4 the journal is damaged or of another version, 130 interrupted "
    "(call it "
    "again to go on), 1 anything else.";

static int count_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MOST_JOBS ? MOST_JOBS : (int)cores;
}

static weft_status work(const experiment_options *options, weft_error *error)
{
    weft_status status = WEFT_OK;
    if (options->experiment != NULL)
        return options->experiment->run(&options->request, error);
    for (int k = 0; lab_experiment_at(k) != NULL; k++) {
        printf("%s: %s\n", lab_experiment_at(k)->name, lab_experiment_at(k)->purpose);
        TRY(lab_experiment_at(k)->run(&options->request, error));
    }
done:
    return status;
}

int experiment_command(int count, char **arguments)
{
    static const struct argp parser = {.options = table,
                                       .parser = take,
                                       .args_doc = "NAME --out DIR",
                                       .doc = documentation,
                                       .help_filter = insert_list};
    experiment_options options = {.request = {.seed = 1, .jobs = count_cores()}};
    weft_error error = {0};
    usage_parse(&parser, count, arguments, &options);
    interrupt_watch();
    weft_status status = work(&options, &error);
    if (status == WEFT_OK)
        return 0;
    if (interrupt_came()) {
        fprintf(stderr, "weft: interrupted; the same command goes on where this one was\n");
        return EXIT_INTERRUPTED;
    }
    fprintf(stderr, "weft: %s\n", error.message);
    return weft_status_exit(status);
}
