/* SPDX-License-Identifier: MIT
 * weft experiment: reads what is asked of the laboratory and lets it work. */
#define _POSIX_C_SOURCE 200809L

#include "cli/command/command.h"
#include "cli/command/commands.h"
#include "cli/command/parse.h"
#include "lab/lab.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/output.h"
#include "weft_advanced.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 256, MOST_RUNS = 100000, LEAST_DIMENSION = 9, MOST_DIMENSION = 2000 };

typedef struct experiment_options {
    lab_request request;
    const lab_experiment *experiment; /* NULL: all of them */
} experiment_options;

/* ---- Lists ---- */

/* One value of a list: its place, and its text. */
typedef void take_value(struct argp_state *state, const char *name, int number, const char *text,
                        lab_request *request);

/* Hands over the values between commas; returns how many. */
static int take_list(struct argp_state *state, const char *name, const char *text, take_value *take,
                     void *options)
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
            argp_error(state, "%s: found more than %d values, expected at most that many", name,
                       LAB_MOST_VALUES);
        take(state, name, count++, word, &((experiment_options *)options)->request);
    }
    free(copy);
    return count;
}

static void take_dimension(struct argp_state *state, const char *name, int number, const char *text,
                           lab_request *request)
{
    int64_t n = parse_count(state, name, text, LEAST_DIMENSION, MOST_DIMENSION);
    for (int k = 0; k < number; k++)
        if (request->dimensions[k] == n)
            argp_error(state, "%s: found %s twice", name, text);
    request->dimensions[number] = n;
}

static void take_noise(struct argp_state *state, const char *name, int number, const char *text,
                       lab_request *request)
{
    double beta = parse_within(state, name, text, 0, 1);
    for (int k = 0; k < number; k++)
        if (request->noise[k] == beta)
            argp_error(state, "%s: found %s twice", name, text);
    request->noise[number] = beta;
}

static void take_protocol(struct argp_state *state, const char *name, int number, const char *text,
                          lab_request *request)
{
    int protocol = 1 << parse_word(state, name, text, lab_protocol_words, 0);
    request->protocols = number == 0 ? 0 : request->protocols;
    if ((request->protocols & protocol) != 0)
        argp_error(state, "%s: found %s twice", name, text);
    request->protocols |= protocol;
}

static void set_dimensions(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    int count = take_list(state, row->name, text, take_dimension, options);
    ((experiment_options *)options)->request.dimension_count = count;
}

static void set_noise(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    ((experiment_options *)options)->request.noise_count =
        take_list(state, row->name, text, take_noise, options);
}

static void set_protocols(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    take_list(state, row->name, text, take_protocol, options);
}

/* ---- Options ---- */

static void set_name(struct argp_state *state, const option_row *row, const char *text, void *options)
{
    const lab_experiment *found = lab_experiment_find(text);
    char names[400] = "";
    (void)row;
    for (int k = 0; lab_experiment_at(k) != NULL; k++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s, ", lab_experiment_at(k)->name);
    }
    if (found == NULL && strcmp(text, "all") != 0)
        argp_error(state, "found '%s', expected %sor all", weft_show(text).text, names);
    ((experiment_options *)options)->experiment = found;
}

static const option_row option_rows[] = {
    HEADING("What to run:"),
    {"NAME", NULL, NULL, TAKES_OTHER(set_name)},
    {"--runs", "N", "of every cell, at most 100000 (each experiment has its own number; scaling takes none)",
     TAKES_COUNT(experiment_options, request.runs, 1), .most = MOST_RUNS},
    {"--seed", "S", "of everything that is drawn (1)", TAKES_COUNT(experiment_options, request.seed, 0)},
    {"--quick", NULL, "a small version, in seconds", TAKES_FLAG(experiment_options, request.quick)},
    {"--protocol", NULL,
     "table1: of the paper's text, or of its authors' program; text,authors for both (text)",
     TAKES_OTHER(set_protocols), .words = lab_protocol_words},
    {"--dimensions", "N,N,...", "table1, variants: sizes of the matrix (those of the paper)",
     TAKES_OTHER(set_dimensions)},
    {"--noise", "B,B,...", "table1, variants: noise levels beta of the graphs (those of the paper)",
     TAKES_OTHER(set_noise)},
    HEADING("How:"),
    {"--out", "DIR", "where results go, and where an interrupted experiment is found again",
     TAKES_FILE(experiment_options, request.out, FILE_FOLDER)},
    {"--jobs", "N", "runs at a time (one for every core)", TAKES_COUNT(experiment_options, request.jobs, 1),
     .most = MOST_JOBS},
    {"--quiet", NULL, "no progress", TAKES_FLAG(experiment_options, request.quiet)},
    {0},
};

static const option_rule rules[] = {
    NEEDED("NAME", "the name of an experiment is needed"),
    NEEDED("--out", "--out DIR is needed: where results go"),
    {0},
};

static const option_table table = {option_rows, rules, .group = 1};

/* What belongs together does. */
static void check(struct argp_state *state, void *options)
{
    const lab_experiment *chosen = ((experiment_options *)options)->experiment;
    if ((command_given(state, "--dimensions") || command_given(state, "--noise")) &&
        (chosen == NULL || !chosen->gridded))
        argp_error(state, "--dimensions and --noise are for table1 and variants");
    if (command_given(state, "--protocol") && (chosen == NULL || !chosen->protocols))
        argp_error(state, "--protocol is for table1");
    if (command_given(state, "--runs") && chosen != NULL && chosen->timed)
        argp_error(state, "--runs: %s measures times, once, and takes no number of runs", chosen->name);
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
    "nothing else, and says what it found on standard output; progress goes to standard error.\n\n"
    "Every run that is done is remembered in DIR/NAME.journal.  Called again with the same DIR an experiment "
    "goes on where it was, however it ended, and repeats no run; more runs or sizes only add to the journal, "
    "while the other files show what was asked last.  The numbers depend on the seed alone, not on the "
    "number of jobs nor on interruptions; only times differ (the last column of table1.csv).\n\n"
    "Examples:\n"
    "  weft experiment table1 --protocol text --dimensions 20,40 --noise 0,0.5 --runs 3 --out table1\n"
    "  weft experiment bounds --quick --out bounds\n\n"
    "Exit status: 0 done, 2 wrong usage, 4 the journal is damaged or of another version, 130 interrupted "
    "(call it again to go on), 1 anything else.";

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
    static const command_line line = {.table = &table,
                                      .arguments = "NAME --out DIR",
                                      .documentation = documentation,
                                      .expected = "one experiment",
                                      .check = check,
                                      .filter_help = insert_list};
    experiment_options options = {.request = {.seed = 1, .jobs = count_cores()}};
    weft_error error = {0};
    command_parse(&line, count, arguments, &options);
    interrupt_watch();
    weft_status status = work(&options, &error);
    if (status == WEFT_OK)
        return 0;
    if (interrupt_came()) {
        fprintf(stderr, "weft: interrupted; the same command goes on where this one was\n");
        return EXIT_INTERRUPTED;
    }
    if (status == WEFT_WRITE && output_unread())
        return EXIT_UNREAD;
    fprintf(stderr, "weft: %s\n", error.message);
    return weft_status_exit(status);
}
