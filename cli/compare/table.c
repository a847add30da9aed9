/* SPDX-License-Identifier: MIT
 * The result for people, on standard output. */
#include "cli/compare/compare.h"
#include "program/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 33, RATE_WIDTH = 12, INDENT = 18 };

static void tell_number(double value, int width)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.4f", width, value);
}

static void tell_heading(const compare_state *state)
{
    printf("%-*s %-*s %6s %6s %6s %9s %7s %9s", NAME_WIDTH, "", RATE_WIDTH, "", "", "last", "", "average", "",
           "");
    if (state->course.one_set)
        printf(" %6s", "cold");
    else
        printf(" %6s %7s", "cold", "cold");
    printf("%s\n", state->options->no_times ? "" : "       us");
    printf("%-*s %-*s %6s %6s %6s %9s %7s %9s", NAME_WIDTH, "", RATE_WIDTH, "best at", "error", "half", "AUC",
           "precision", "nDCG@10", "recall@10");
    if (state->course.one_set)
        printf(" %6s", "ids");
    else
        printf(" %6s %7s", "rows", "columns");
    printf("%s\n", state->options->no_times ? "" : "  a trial");
}

static void tell_contestant(const compare_state *state, const contestant *who)
{
    const metric_figures *figures = &who->figures;
    bool timed = who->kind <= BY_COMMITTEE;
    printf("%-*s %-*s", NAME_WIDTH, who == state->committee ? "committee (what weft run plays)" : who->name,
           RATE_WIDTH, compare_rate(who, who->best).text);
    tell_number(figures->error, 6);
    tell_number(figures->late_error, 6);
    tell_number(figures->auc, 6);
    tell_number(figures->average_precision, 9);
    tell_number(figures->ndcg, 7);
    tell_number(figures->recall, 9);
    tell_number(figures->cold_rows, 6);
    if (!state->course.one_set)
        tell_number(figures->cold_columns, 7);
    if (!state->options->no_times && timed)
        printf(" %8.2f", 1e6 * who->seconds / (double)state->course.count);
    printf("\n");
}

/* Words between blanks, as many on a line as go. */
static void tell_wrapped(const char *text)
{
    enum { WIDTH = 110 };
    size_t used = 0;
    while (*text != 0) {
        size_t length = strcspn(text, " ");
        if (used > 0 && used + 1 + length > WIDTH) {
            putchar('\n');
            used = 0;
        }
        printf("%s%.*s", used > 0 ? " " : "", (int)length, text);
        used += length + (used > 0);
        text += length;
        text += *text == ' ';
    }
    putchar('\n');
}

weft_status compare_table(const compare_state *state, weft_error *error)
{
    tell_heading(state);
    for (int k = 0; k < state->count; k++) {
        const contestant *who = &state->contestants[k];
        if (who->kind == BY_FOLLOWING && state->contestants[k - 1].kind != BY_FOLLOWING) {
            if (state->no_committee != NULL)
                printf("%-*s %s\n", NAME_WIDTH, "committee", state->no_committee);
            printf("\nat every trial as the run with the fewest mistakes so far:\n");
        }
        /* Of what is shuffled the followers say enough. */
        if (!who->shuffled)
            tell_contestant(state, who);
    }
    putchar('\n');
    tell_wrapped(state->sentence);
    if (state->committee != NULL) {
        putchar('\n');
        tell_wrapped(state->committee_sentence);
        if (state->given != 0)
            printf("\nWhat leaving out takes from the committee, by second runs:\n");
        committee_tell_worth(&state->worth, INDENT, stdout);
    }
    return output_finish(error);
}
