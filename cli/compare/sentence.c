/* SPDX-License-Identifier: MIT
 * The verdicts in one sentence. */
#include "cli/compare/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void compare_append(char sentence[COMPARE_SENTENCE], const char *format, ...)
{
    size_t length = strlen(sentence);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + length, COMPARE_SENTENCE - length, format, arguments);
    va_end(arguments);
}

/* The figure that the sentence is about, as the table shows it. */
static double shown(const compare_state *state, const contestant *who)
{
    const metric_figures *figures = &who->figures;
    return state->options->best == BY_ERROR ? figures->error
           : state->options->best == BY_AUC ? figures->auc
                                            : figures->average_precision;
}

static void append_test(compare_state *state, const paired_test *test)
{
    const double small = 0.001;
    compare_append(state->sentence, "z = %.1f, ", fabs(test->z) < 0.05 ? 0 : test->z);
    if (test->p < small)
        compare_append(state->sentence, "p < %.3f", small);
    else
        compare_append(state->sentence, "p = %.3f", test->p);
}

static void append_verdict(compare_state *state, const verdict *about)
{
    static const char *const words[] = {"hurts", "makes no difference beyond noise", "helps"};
    const comparison *without = &about->without;
    compare_append(state->sentence, "%s (%.4f without it, %.4f with it, %.4f with it shuffled, ",
                   words[without->test.word + 1], shown(state, without->first), shown(state, without->second),
                   shown(state, about->shuffled));
    append_test(state, &without->test);
    compare_append(state->sentence, ")");
}

static void append_subject(compare_state *state, int knows, bool first)
{
    static const char *const sides[] = {"", " of the rows", " of the columns", " of both together"};
    compare_append(state->sentence, "%s%s ", first ? "the side information" : ", that",
                   state->course.one_set ? "" : sides[knows]);
}

rate_text compare_rate(const contestant *who, int rate)
{
    rate_text words = {""};
    if (who->kind == BY_WEFT)
        snprintf(words.text, sizeof words.text, "%g %s", who->rates[rate], who->knob);
    else if (who->knob[0] != 0)
        snprintf(words.text, sizeof words.text, "%s %g", who->knob, who->rates[rate]);
    return words;
}

static void append_name(compare_state *state, const contestant *who)
{
    rate_text rate = compare_rate(who, who->best);
    compare_append(state->sentence, "%s%s%s (%.4f)", who->name, rate.text[0] != 0 ? " at " : "", rate.text,
                   shown(state, who));
}

/* Who is best in hindsight is told by name, also where others were tested. */
static void append_rival(compare_state *state)
{
    static const char *const words[] = {"is worse than", "is not different beyond noise from",
                                        "is better than"};
    const comparison *rival = &state->rival;
    int runs = 0;
    compare_append(state->sentence, "weft (%.4f) %s the rivals (%.4f, ", shown(state, rival->second),
                   words[rival->test.word + 1], shown(state, rival->first));
    append_test(state, &rival->test);
    compare_append(state->sentence, "), the best in hindsight being ");
    append_name(state, compare_best(state, KNOWS_ANYTHING, &runs));
    compare_append(state->sentence, " and ");
    append_name(state, compare_best(state, RIVALS, &runs));
}

/* One set of ids: what the side information says alone, with nothing learnt. */
static void append_distance(compare_state *state)
{
    for (int k = 0; k < state->count; k++)
        if (state->contestants[k].kind == BY_DISTANCE)
            compare_append(state->sentence, "; the kernel distance%s makes %.4f",
                           state->options->best == BY_ERROR ? " at its best threshold" : "",
                           shown(state, &state->contestants[k]));
}

void compare_tell(compare_state *state)
{
    static const char *const measures[] = {"error", "AUC", "average precision"};
    state->sentence[0] = 0;
    compare_append(state->sentence, "By %s: ", measures[state->options->best]);
    if (isnan(shown(state, &state->contestants[0]))) {
        compare_append(state->sentence, "nothing can be said, since only one label occurred.");
        return;
    }
    if (state->verdict_count == 0)
        compare_append(state->sentence, "there is no side information that could help");
    for (int k = 0; k < state->verdict_count; k++) {
        append_subject(state, state->verdicts[k].knows, k == 0);
        append_verdict(state, &state->verdicts[k]);
    }
    compare_append(state->sentence, "; ");
    append_rival(state);
    append_distance(state);
    compare_append(state->sentence, ".");
}
