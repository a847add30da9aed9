/* SPDX-License-Identifier: MIT
 * weft COMMAND ...: finds the command and lets it work. */
#define _DEFAULT_SOURCE /* on_exit */

#include "cli/command/blas.h"
#include "cli/command/commands.h"
#include "program/output.h"
#include "program/start.h"
#include "weft_advanced.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRONG_USAGE = 2 };

typedef struct command {
    const char *name;
    int (*run)(int count, char **arguments);
    const char *purpose;
} command;

static const command commands[] = {
    {"run", run_command, "play a labelled stream, report as it goes"},
    {"check", check_command, "validate a stream and its side information, learn nothing"},
    {"compare", compare_command, "play a stream with rivals too: does the side information help?"},
    {"predict", predict_command, "predict pairs with a model"},
    {"top", top_command, "rank the columns of a row, or the rows of a column"},
    {"explain", explain_command, "tell what the margin of a pair rests on"},
    {"inspect", inspect_command, "tell what a model is"},
    {"forget", forget_command, "take the evidence of one id out of a model"},
    {"merge", merge_command, "join the evidence of two models"},
    {"evidence", evidence_command, "the evidence of a model as CSV, out and in"},
    {"graph", graph_command, "a graph of nearest neighbours from features"},
    {"generate", generate_command, "data of which everything is known, as files"},
    {"experiment", experiment_command, "what the paper claims, run and reported"},
    {"bound", bound_command, "what the theorems promise, before anything is played"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
    fprintf(out, "Usage: weft COMMAND ...\n"
                 "Predicts the entries of a binary matrix one at a time, learns from each answer, and uses\n"
                 "what is known about the rows and the columns.\n\n");
    for (int k = 0; k < COMMANDS; k++)
        fprintf(out, "  weft %-10s %s\n", commands[k].name, commands[k].purpose);
    fprintf(out, "\n  weft COMMAND --help    what a command takes, with an example\n"
                 "  weft --version         the version, and the BLAS core in use\n");
}

/* Help and the like can fail to be written too: that must not look like success.  A failure before was told
 * by whoever met it, and is the status. */
static void close_output(int status, void *unused)
{
    bool failed = ferror(stdout) != 0 || fflush(stdout) != 0;
    (void)unused;
    bool unread = failed && output_unread();
    if (failed && status == 0 && !unread)
        fprintf(stderr, "weft: standard output: cannot be written: %s\n", strerror(errno));
    if (failed)
        _exit(status != 0 ? status : unread ? EXIT_UNREAD : 1);
}

int main(int count, char **arguments)
{
    static char full_name[32]; /* for messages */
    const char *word = count > 1 ? arguments[1] : "";
    descriptors_reserve();
    if (!stack_ensure(arguments))
        return 1;
    if (!blas_choose(arguments))
        _exit(1);
    on_exit(close_output, NULL);
    for (int k = 0; k < COMMANDS; k++)
        if (strcmp(word, commands[k].name) == 0) {
            snprintf(full_name, sizeof full_name, "weft %s", word);
            arguments[1] = full_name;
            return commands[k].run(count - 1, arguments + 1);
        }
    if (strcmp(word, "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(word, "--version") == 0) {
        printf("weft %s (BLAS core %s)\n", weft_version(), weft_blas_core());
        return 0;
    }
    if (count > 1)
        fprintf(stderr, "weft: found '%s', expected a command\n", weft_show(word).text);
    print_help(stderr);
    return WRONG_USAGE;
}
