/* SPDX-License-Identifier: MIT
 * The weighted forecaster by hand: first trials, sleepers, extreme states, and its bytes.
 * Against a version of its own from the definition: tests/property/test_hedge.c. */
#include "unit/test_core_support.h"

#include "committee/vote/hedge.h"
#include "support/alloc.h"

enum { MOST = 100 };

static weft__hedge make(int64_t count, const double *prior)
{
    weft_error error = {0};
    weft_memory memory = weft__memory_or_default(NULL);
    weft__hedge hedge;
    double equal[MOST];
    for (int64_t i = 0; i < count; i++)
        equal[i] = 1;
    assert_int_equal(weft__hedge_create(&memory, count, prior != NULL ? prior : equal, &hedge, &error),
                     WEFT_OK);
    return hedge;
}

static void drop(weft__hedge *hedge)
{
    weft_memory memory = weft__memory_or_default(NULL);
    weft__hedge_release(hedge, &memory);
}

static void wake(int64_t count, bool *awake)
{
    for (int64_t i = 0; i < count; i++)
        awake[i] = true;
}

static double play(weft__hedge *hedge, const bool *awake, const double *loss)
{
    weft__hedge_weigh(hedge, awake);
    return weft__hedge_learn(hedge, awake, loss);
}

static void first_weights_are_the_priors(void **state)
{
    weft__hedge hedge = make(3, (double[]){1, 2, 5});
    bool awake[] = {true, true, true};
    weft__hedge_weigh(&hedge, awake);
    assert_near(hedge.weight[0], 0.125, 1e-15);
    assert_near(hedge.weight[1], 0.25, 1e-15);
    assert_near(hedge.weight[2], 0.625, 1e-15);
    awake[2] = false;
    weft__hedge_weigh(&hedge, awake);
    assert_near(hedge.weight[0], 1 / 3.0, 1e-15);
    assert_near(hedge.weight[1], 2 / 3.0, 1e-15);
    assert_true(hedge.weight[2] == 0);
    drop(&hedge);
}

/* Three experts, one of them wrong: C = log 3. */
static void two_trials_are_as_worked_out(void **state)
{
    weft__hedge hedge = make(3, NULL);
    bool awake[] = {true, true, true};
    double loss[] = {0, 1, 0}, C = log(3), eta = C * 0x1p20;
    assert_near(play(&hedge, awake, loss), 1 / 3.0, 1e-15);
    /* delta = h + log(2/3 + exp(-eta)/3) / eta */
    double gap = 1 / 3.0 + log(2 / 3.0) / eta;
    assert_near(hedge.gap, gap, 1e-14);
    assert_near(hedge.regret[0], 1 / 3.0, 1e-15);
    assert_near(hedge.regret[1], -2 / 3.0, 1e-15);
    assert_near(weft__hedge_term(&hedge, 1), 2 * gap, 1e-14);
    eta = C / gap;
    double e = exp(-eta), total = 2 + e, h = e / total + 1 / total;
    assert_near(play(&hedge, awake, (double[]){0, 1, 1}), h, 1e-14);
    gap += h + log((1 + (e + 1) * e) / total) / eta;
    assert_near(hedge.gap, gap, 1e-12);
    drop(&hedge);
}

static void a_sleeper_keeps_its_regret(void **state)
{
    weft__hedge hedge = make(3, NULL);
    bool awake[] = {true, true, true};
    play(&hedge, awake, (double[]){0, 1, 0});
    double regret = hedge.regret[1];
    awake[1] = false;
    double h = play(&hedge, awake, (double[]){1, NAN, 0});
    assert_near(h, 0.5, 1e-15);
    assert_true(hedge.regret[1] == regret);
    assert_near(hedge.regret[0], 1 / 3.0 - 0.5, 1e-15);
    drop(&hedge);
}

/* Whoever is alone has all the weight and no regret, and its term stays nothing. */
static void a_single_expert_is_believed(void **state)
{
    weft__hedge hedge = make(1, NULL);
    bool awake[] = {true};
    for (int t = 0; t < 1000; t++)
        assert_true(play(&hedge, awake, (double[]){t % 3 == 0}) == (t % 3 == 0));
    assert_true(hedge.regret[0] == 0);
    assert_true(weft__hedge_term(&hedge, 0) <= 1e-12);
    drop(&hedge);
}

static void check_weights(const weft__hedge *hedge, const bool *awake)
{
    double sum = 0;
    for (int64_t i = 0; i < hedge->count; i++) {
        assert_true(hedge->weight[i] >= 0 && hedge->weight[i] <= 1);
        assert_true(awake[i] || hedge->weight[i] == 0);
        sum += hedge->weight[i];
    }
    assert_near(sum, 1, 1e-13);
}

/* Regrets of -10^7 at the highest rate, the leader asleep: eta regret is 10^13, and a difference of
 * regrets of some 10^-7 still tells. */
static void weights_are_right_far_behind(void **state)
{
    weft__hedge hedge = make(MOST, NULL);
    bool awake[MOST];
    wake(MOST, awake);
    for (int64_t i = 1; i < MOST; i++)
        hedge.regret[i] = -1e7 - (double)i;
    hedge.regret[1] = hedge.regret[2] = -1e7;
    hedge.regret[3] = -1e7 - 0x1p-22;
    double shift = 0x1p-22 * log(MOST) * 0x1p20, total = 2 + exp(-shift);
    weft__hedge_weigh(&hedge, awake);
    check_weights(&hedge, awake);
    assert_true(hedge.weight[0] == 1);
    awake[0] = false;
    weft__hedge_weigh(&hedge, awake);
    check_weights(&hedge, awake);
    assert_near(hedge.weight[1], 1 / total, 1e-12);
    assert_near(hedge.weight[2], 1 / total, 1e-12);
    assert_near(hedge.weight[3], exp(-shift) / total, 1e-12);
    double loss[MOST] = {0, 1};
    assert_near(weft__hedge_learn(&hedge, awake, loss), 1 / total, 1e-12);
    assert_true(hedge.gap >= 0 && hedge.gap < 1e-5);
    drop(&hedge);
}

/* The gap is added up without loss beside a regret of -10^7; its allowance is what such a regret rounds. */
static void a_gap_is_right_beside_large_regrets(void **state)
{
    weft__hedge near = make(4, NULL), far = make(4, NULL);
    bool awake[] = {true, true, true, true};
    near.regret[3] = -1e3;
    far.regret[3] = -1e7;
    for (int t = 0; t < 20000; t++) {
        double loss[] = {t % 2, t % 3 == 0, t % 5 == 0, 1};
        play(&near, awake, loss);
        play(&far, awake, loss);
    }
    assert_true(far.gap >= near.gap);
    assert_near(far.gap, near.gap, 20000 * 1.01e7 * 0x1p-52);
    drop(&near);
    drop(&far);
}

/* One is always right, the others always wrong or as coins say: 16/3 log K + 2 is the theory's. */
static void an_easy_stream_has_a_small_term(void **state)
{
    static const int64_t counts[] = {2, 3, 10, 33, MOST};
    for (int64_t c = 0; c < 10; c++) {
        int64_t count = counts[c / 2];
        weft__hedge hedge = make(count, NULL);
        bool awake[MOST];
        double loss[MOST] = {0}, h = 0;
        uint64_t coin = 1;
        wake(count, awake);
        for (int t = 0; t < 2000; t++) {
            for (int64_t i = 1; i < count; i++) {
                coin = coin * UINT64_C(6364136223846793005) + 1442695040888963407u;
                loss[i] = c % 2 == 0 ? 1 : (double)(coin >> 63);
            }
            h += play(&hedge, awake, loss);
        }
        double term = weft__hedge_term(&hedge, 0), most = 3 * log((double)count);
        if (!(h <= term && term <= fmax(most, 3)))
            fail_msg("K = %d: lost %g, term %g", (int)count, h, term);
        drop(&hedge);
    }
}

/* ---- bytes ---- */

static size_t bytes_of(const weft__hedge *hedge, unsigned char *bytes)
{
    weft__encoder writer = {.at = bytes};
    weft__hedge_write(hedge, &writer);
    return writer.size;
}

static void play_some(weft__hedge *hedge, int from, int to)
{
    for (int t = from; t < to; t++) {
        bool awake[] = {true, t % 7 != 0, t % 3 != 0};
        play(hedge, awake, (double[]){t % 2, t % 5 == 0, (t & t / 4) % 2});
    }
}

static void the_state_comes_back_to_the_bit(void **state)
{
    double prior[] = {0.5, 0.3, 0.2};
    weft__hedge one = make(3, prior), two = make(3, prior);
    unsigned char first[64], second[64];
    play_some(&one, 0, 500);
    size_t size = bytes_of(&one, first);
    assert_int_equal(size, 32);
    weft__decoder reader = {first, size, false};
    assert_true(weft__hedge_read(&two, &reader));
    assert_int_equal(reader.left, 0);
    assert_int_equal(bytes_of(&two, second), size);
    assert_memory_equal(first, second, size);
    play_some(&one, 500, 1000);
    play_some(&two, 500, 1000);
    bytes_of(&one, first);
    bytes_of(&two, second);
    assert_memory_equal(first, second, size);
    drop(&one);
    drop(&two);
}

static bool reads(double gap, double first, double second, size_t size)
{
    weft__hedge hedge = make(2, NULL);
    unsigned char bytes[24];
    weft__encoder writer = {.at = bytes};
    weft__put_double(&writer, gap);
    weft__put_double(&writer, first);
    weft__put_double(&writer, second);
    weft__decoder reader = {bytes, size, false};
    bool good = weft__hedge_read(&hedge, &reader);
    drop(&hedge);
    return good;
}

/* The regrets of two streams, then an adversary that makes the best of both wrong: never above the term. */
static void regrets_of_two_add(void **state)
{
    enum { COUNT = 3 };
    for (int quiet = 0; quiet < 2; quiet++) {
        weft__hedge a = make(COUNT, (double[]){1, 2, 5}), b = make(COUNT, (double[]){1, 2, 5});
        double sum[COUNT];
        bool awake[COUNT];
        wake(COUNT, awake);
        if (!quiet)
            play_some(&a, 0, 200);
        play_some(&b, 7, 90);
        for (int i = 0; i < COUNT; i++)
            sum[i] = a.regret[i] + b.regret[i];
        double gaps = a.gap + b.gap;
        weft__hedge_add(&a, &b);
        assert_true(a.gap >= gaps && a.gap <= gaps + 1e-5);
        for (int t = 0; t < 300; t++) {
            double loss[COUNT];
            int best = 0;
            for (int i = 0; i < COUNT; i++) {
                if (t == 0)
                    assert_near(a.regret[i], sum[i], 1e-12);
                assert_true(a.regret[i] <= weft__hedge_term(&a, i));
                best = a.regret[i] > a.regret[best] ? i : best;
            }
            for (int i = 0; i < COUNT; i++)
                loss[i] = i == best || (t * 7 + i) % 3 == 0;
            play(&a, awake, loss);
        }
        drop(&a);
        drop(&b);
    }
}

static void those_that_begin_anew_weigh_little(void **state)
{
    enum { COUNT = 5 };
    weft__hedge hedge = make(COUNT, NULL);
    bool awake[COUNT], anew[COUNT] = {true, false, true, false, false};
    double before[COUNT];
    wake(COUNT, awake);
    for (int t = 0; t < 40; t++)
        play(&hedge, awake, (double[]){0, t % 2, 1, t % 3 == 0, 1});
    awake[3] = false;
    memcpy(before, hedge.regret, sizeof before);
    weft__hedge_restart(&hedge, awake, 4, anew);
    weft__hedge_weigh(&hedge, awake);
    assert_true(anew[0] && !anew[1] && !anew[3]);
    assert_true(hedge.regret[0] < before[0] && hedge.weight[0] + hedge.weight[2] <= 0.01);
    assert_true(anew[2] ? hedge.regret[2] < before[2] : hedge.regret[2] == before[2]);
    assert_true(hedge.regret[1] == before[1] && hedge.regret[3] == before[3] && hedge.regret[4] == before[4]);
    drop(&hedge);
}

static void damaged_bytes_are_refused(void **state)
{
    assert_true(reads(1, 0.5, -100, 24));
    assert_false(reads(1, 0.5, -100, 23));
    assert_false(reads(1, 0.5, -100, 0));
    assert_false(reads(-1, 0, 0, 24));
    assert_false(reads(NAN, 0, 0, 24));
    assert_false(reads(INFINITY, 0, 0, 24));
    assert_false(reads(1e300, 0, 0, 24));
    assert_false(reads(1, NAN, 0, 24));
    assert_false(reads(1, 0, -INFINITY, 24));
    assert_false(reads(1, 0, -1e300, 24));
    /* No regret is above the term: 1 + log 2. */
    assert_true(reads(1, 1.69, 0, 24));
    assert_false(reads(1, 1.7, 0, 24));
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    for (int64_t k = 0;; k++) {
        test_alloc alloc;
        weft_error error = {0};
        weft_memory memory = test_alloc_begin(&alloc, k);
        weft__hedge hedge = {.count = -7};
        weft_status status = weft__hedge_create(&memory, 2, (double[]){1, 1}, &hedge, &error);
        assert_int_equal(status, alloc.failed ? WEFT_MEMORY : WEFT_OK);
        if (!alloc.failed)
            weft__hedge_release(&hedge, &memory);
        else
            assert_int_equal(hedge.count, -7);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_weights_are_the_priors),
        cmocka_unit_test(two_trials_are_as_worked_out),
        cmocka_unit_test(a_sleeper_keeps_its_regret),
        cmocka_unit_test(a_single_expert_is_believed),
        cmocka_unit_test(weights_are_right_far_behind),
        cmocka_unit_test(a_gap_is_right_beside_large_regrets),
        cmocka_unit_test(an_easy_stream_has_a_small_term),
        cmocka_unit_test(the_state_comes_back_to_the_bit),
        cmocka_unit_test(regrets_of_two_add),
        cmocka_unit_test(those_that_begin_anew_weigh_little),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
