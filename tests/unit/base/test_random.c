/* SPDX-License-Identifier: MIT
 * The generator against Philox as its authors publish it; whether the draws are
 * uniform is a matter of tests/property. */
#include "unit/test_core_support.h"

#include "base/random.h"

/* Philox 4x64 with ten rounds, written from the paper (Salmon et al., 2011). */
static uint64_t philox(uint64_t counter, uint64_t seed)
{
    uint64_t c[4] = {counter, 0, 0, 0}, key[2] = {seed, 0};
    for (int round = 0; round < 10; round++) {
        unsigned __int128 p = (unsigned __int128)UINT64_C(0xd2e7470ee14c6c93) * c[0];
        unsigned __int128 q = (unsigned __int128)UINT64_C(0xca5a826395121157) * c[2];
        uint64_t next[4] = {(uint64_t)(q >> 64) ^ c[1] ^ key[0], (uint64_t)q,
                            (uint64_t)(p >> 64) ^ c[3] ^ key[1], (uint64_t)p};
        memcpy(c, next, sizeof c);
        key[0] += UINT64_C(0x9e3779b97f4a7c15);
        key[1] += UINT64_C(0xbb67ae8584caa73b);
    }
    return c[0];
}

static double placed(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) / 9007199254740992.0;
}

static void the_published_vector_is_met(void **state)
{
    assert_true(philox(0, 0) == UINT64_C(0x16554d9eca36314c));
    assert_true(weft__uniform(0, 0) == placed(UINT64_C(0x16554d9eca36314c)));
}

static void draws_are_philox(void **state)
{
    uint64_t seed = 1;
    for (uint64_t k = 0; k < 2000; k++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        uint64_t t = k < 1000 ? k : ~k;
        double u = weft__uniform(seed, t);
        assert_true(u == placed(philox(t, seed)));
        assert_true(u > 0 && u < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vector_is_met),
        cmocka_unit_test(draws_are_philox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
