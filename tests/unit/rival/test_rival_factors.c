/* SPDX-License-Identifier: MIT
 * Matrix factorisation against its definition. */
#include "test_rival_support.h"

enum { K = 4 };

/* Every number with its sum of squares. */
typedef struct learnt {
    double value, squares;
} learnt;

typedef struct factoriser {
    double rate;
    uint64_t seed;
    learnt a, b[2][STAGE_ROWS], p[2][STAGE_ROWS][K];
} factoriser;

static uint64_t h(uint64_t x)
{
    uint64_t z = x + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void begin(factoriser *f, double rate, uint64_t seed)
{
    *f = (factoriser){.rate = rate, .seed = seed};
    for (int side = 0; side < 2; side++)
        for (uint64_t i = 0; i < STAGE_ROWS; i++)
            for (uint64_t t = 0; t < K; t++) {
                uint64_t z = h(h(h(h(seed) ^ (uint64_t)(5 + side)) ^ i) ^ t);
                double v = ((double)(z >> 11) + 0.5) / 9007199254740992.0;
                f->p[side][i][t].value = 0.1 * (2 * v - 1);
            }
}

static double score(void *judge, const stage *s, int64_t i, int64_t j)
{
    const factoriser *f = judge;
    int side = s->columns != NULL;
    double sum = f->a.value + f->b[0][i].value + f->b[side][j].value;
    for (int t = 0; t < K; t++)
        sum += f->p[0][i][t].value * f->p[side][j][t].value;
    return sum;
}

static void step(learnt *x, double d, double rate)
{
    x->squares += d * d;
    if (x->squares > 0)
        x->value += rate * d / sqrt(x->squares);
}

static void learn(void *judge, const stage *s, int64_t i, int64_t j, int y)
{
    factoriser *f = judge;
    int side = s->columns != NULL;
    double g = y / (1 + exp(y * score(judge, s, i, j))), p[K], q[K];
    for (int t = 0; t < K; t++) {
        p[t] = f->p[0][i][t].value;
        q[t] = f->p[side][j][t].value;
    }
    step(&f->a, g, f->rate);
    step(&f->b[0][i], g, f->rate);
    for (int t = 0; t < K; t++)
        step(&f->p[0][i][t], g * q[t] - 0.02 * p[t], f->rate);
    step(&f->b[side][j], g, f->rate);
    for (int t = 0; t < K; t++)
        step(&f->p[side][j][t], g * p[t] - 0.02 * q[t], f->rate);
}

static void scores_are_those_of_the_definition(void **state)
{
    static const judge_kind kind = {score, learn};
    for (int one_set = 0; one_set < 2; one_set++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            factoriser f;
            stage s;
            weft_rival_settings settings = {
                .kind = WEFT_RIVAL_FACTORS, .rate = 0.3, .factors = K, .seed = seed};
            begin(&f, 0.3, seed);
            stage_open(seed, KNOWN_NONE, KNOWN_GRAPH, one_set, &s);
            assert_agrees(&s, &settings, &kind, &f);
            stage_close(&s);
        }
}

/* The judge of one set has no columns of its own, so that it must not be asked for a
 * pair in the wrong order: every number is shared, hence nothing to order. */
static void another_seed_is_another_start(void **state)
{
    stage s;
    stage_open(2, KNOWN_NONE, KNOWN_NONE, false, &s);
    weft_player *a = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_FACTORS, .seed = 1});
    weft_player *b = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_FACTORS, .seed = 2});
    weft_player *c = rival_of(&s, &(weft_rival_settings){.kind = WEFT_RIVAL_FACTORS});
    assert_true(ask(a, 1, 1).score != ask(b, 1, 1).score);
    assert_true(ask(a, 1, 1).score == ask(c, 1, 1).score);
    assert_true(ask(a, 1, 2).score != ask(a, 2, 1).score);
    weft_player_free(a);
    weft_player_free(b);
    weft_player_free(c);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_those_of_the_definition),
        cmocka_unit_test(another_seed_is_another_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
