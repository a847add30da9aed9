/* SPDX-License-Identifier: MIT
 *
 * getopt, which works for argp, repeats an option that it does not know byte by byte.  So it goes through the
 * arguments twice: first without a message, and where it complains then again over what weft_show makes of
 * them, to say it. */
#define _GNU_SOURCE /* getopt_long */

#include "cli/command/usage.h"

#include "weft_advanced.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WRONG_USAGE = 2, MOST_OPTIONS = 128, UNKNOWN = '?', END = -1 };

/* What getopt calls the options of a list, none like another: else it would not see what is ambiguous. */
enum { HELP = 256, USAGE };

typedef struct option_list {
    struct option names[MOST_OPTIONS + 1]; /* the last is all zero */
    char letters[2 * MOST_OPTIONS + 1];    /* as getopt wants them */
    int count;
} option_list;

static void add_option(option_list *list, const struct argp_option *option)
{
    bool valued = option->arg != NULL, has_letter = option->key > ' ' && option->key <= '~';
    char *end = list->letters + strlen(list->letters);
    if (option->name == NULL || list->count == MOST_OPTIONS)
        return;
    list->names[list->count] =
        (struct option){option->name, valued ? required_argument : no_argument, NULL, HELP + list->count};
    list->count++;
    if (has_letter) {
        end[0] = (char)option->key;
        end[1] = valued ? ':' : 0;
    }
}

/* Whether getopt will complain; changes the order of the arguments. */
static bool has_unknown(const struct argp *parser, int count, char **arguments)
{
    static const struct argp_option help = {.name = "help"}, usage = {.name = "usage"};
    option_list list = {.count = 0};
    int found = 0;
    add_option(&list, &help);
    add_option(&list, &usage);
    for (const struct argp_option *o = parser->options; o->name != NULL || o->doc != NULL; o++)
        add_option(&list, o);
    opterr = 0;
    optind = 0; /* begins anew */
    do
        found = getopt_long(count, arguments, list.letters, list.names, NULL);
    while (found != END && found != UNKNOWN && found != HELP && found != USAGE);
    return found == UNKNOWN;
}

/* Where the command line is wrong, nothing but messages is made of it: the shown arguments, to be freed,
 * which then stand in place of the others.  NULL: it is not wrong. */
static weft_shown *show_unknown(const struct argp *parser, int count, char **arguments)
{
    char **copy = calloc((size_t)count + 1, sizeof *copy);
    weft_shown *shown = NULL;
    if (copy == NULL)
        exit(1);
    memcpy(copy, arguments, (size_t)count * sizeof *copy);
    bool unknown = has_unknown(parser, count, copy);
    free(copy);
    if (unknown && (shown = calloc((size_t)count, sizeof *shown)) == NULL)
        exit(1);
    for (int k = 1; k < count && unknown; k++) {
        shown[k] = weft_show(arguments[k]);
        arguments[k] = shown[k].text;
    }
    return shown;
}

void usage_parse(const struct argp *parser, int count, char **arguments, void *input)
{
    weft_shown *shown = show_unknown(parser, count, arguments);
    argp_err_exit_status = WRONG_USAGE;
    argp_parse(parser, count, arguments, 0, NULL, input);
    free(shown); /* where it is not NULL argp has ended the program */
}
