/* SPDX-License-Identifier: MIT
 * The largest eigenpairs by products, against operators whose eigenvalues are known and against all
 * eigenvalues of dense matrices; repeated and equal eigenvalues, known vectors, small spaces, products that
 * are no numbers, and failing allocations. */
#include "unit/test_core_support.h"

#include "base/vector.h"
#include "linalg/eigen.h"
#include "linalg/lanczos.h"
#include "support/alloc.h"
#include "support/dice.h"

enum { MOST = 400, FEW = 6 };

/* A dense symmetric matrix, or for NULL the diagonal one with these eigenvalues. */
typedef struct operator
{
    int64_t n;
    const double *matrix, *diagonal;
    int64_t products;
}
operator;

static void multiply(void *context, const double *x, double *y)
{
    operator* a = context;
    a->products++;
    for (int64_t i = 0; i < a->n; i++) {
        y[i] = a->matrix == NULL ? a->diagonal[i] * x[i] : 0;
        for (int64_t j = 0; j < a->n && a->matrix != NULL; j++)
            y[i] += a->matrix[i * a->n + j] * x[j];
    }
}

typedef struct answer {
    double values[FEW];
    _Alignas(64) double vectors[FEW * (MOST + WEFT__LANES)];
    weft__lanczos_end end;
} answer;

static weft__lanczos ask(operator* a, int64_t wanted, int64_t basis)
{
    return (weft__lanczos){.n = a->n,
                           .wanted = wanted,
                           .basis = basis,
                           .multiply = multiply,
                           .context = a,
                           .tolerance = 1e-10,
                           .restarts = 300};
}

static weft_status find(const weft__lanczos *problem, answer *found, weft_error *error)
{
    weft_memory memory = weft__memory_or_default(NULL);
    *found = (answer){.end = {0}};
    return weft__lanczos_largest(&memory, problem, found->values, found->vectors, &found->end, error);
}

/* Unit vectors with A q = mu q, orthogonal to each other and to the known ones. */
static void assert_eigenpairs(const weft__lanczos *problem, const answer *found)
{
    int64_t length = weft__padded(problem->n);
    static _Alignas(64) double y[MOST + WEFT__LANES];
    assert_int_equal(found->end.found, problem->wanted);
    for (int64_t k = 0; k < problem->wanted; k++) {
        const double *q = found->vectors + k * length;
        multiply(problem->context, q, y);
        for (int64_t i = 0; i < problem->n; i++)
            assert_near(y[i], found->values[k] * q[i], 1e-9 * fabs(found->values[k]));
        for (int64_t l = 0; l <= k; l++)
            assert_near(weft__dot(length, q, found->vectors + l * length), k == l ? 1 : 0, 1e-12);
        for (int64_t l = 0; l < problem->known_count; l++)
            assert_near(weft__dot(length, q, problem->known + l * length), 0, 1e-12);
        assert_true(k == 0 || found->values[k] >= found->values[k - 1]);
    }
}

/* Eigenvalues 1 + 1/1, 1 + 1/2, 1 + 1/3, ... */
static void the_largest_are_found(void **state)
{
    static double diagonal[MOST];
    static answer found;
    for (int64_t i = 0; i < MOST; i++)
        diagonal[(i * 7 + 3) % MOST] = 1 + 1 / (double)(i + 1);
    for (int64_t wanted = 1; wanted <= FEW; wanted++)
        for (int64_t basis = wanted + 1; basis <= 64; basis += 21) {
            operator a = {.n = MOST, .diagonal = diagonal};
            weft__lanczos problem = ask(&a, wanted, basis);
            assert_int_equal(find(&problem, &found, NULL), WEFT_OK);
            assert_eigenpairs(&problem, &found);
            for (int64_t k = 0; k < wanted; k++)
                assert_near(found.values[k], 1 + 1 / (double)(wanted - k), 1e-9);
        }
}

/* All of a small matrix, where the space is whole, and the largest where it is not. */
static void a_dense_matrix_has_the_values_of_the_direct_solver(void **state)
{
    enum { LARGEST = 40 };
    static double matrix[LARGEST * LARGEST], copy[LARGEST * LARGEST], values[LARGEST];
    static answer found;
    weft_memory memory = weft__memory_or_default(NULL);
    dice d = {1};
    for (int64_t n = 1; n <= LARGEST; n++)
        for (int64_t wanted = 1; wanted <= (n < FEW ? n : FEW); wanted++) {
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j <= i; j++)
                    matrix[i * n + j] = matrix[j * n + i] = dice_normal(&d);
            memcpy(copy, matrix, sizeof copy);
            operator a = {.n = n, .matrix = matrix};
            weft__lanczos problem = ask(&a, wanted, n < 24 ? n : 24);
            problem.tolerance = 1e-12;
            problem.seed = (uint64_t)n;
            assert_int_equal(find(&problem, &found, NULL), WEFT_OK);
            assert_int_equal(
                weft__eigen_symmetric(&memory, (weft__symmetric){n, copy, n, NULL}, values, false, NULL),
                WEFT_OK);
            for (int64_t k = 0; k < wanted; k++)
                assert_near(found.values[k], values[n - wanted + k], 1e-10);
        }
}

/* The identity: every Krylov space ends after one product, and drawn vectors go on. */
static void equal_eigenvalues_are_found_from_drawn_vectors(void **state)
{
    static double diagonal[MOST];
    static answer found;
    for (int64_t i = 0; i < MOST; i++)
        diagonal[i] = 3;
    operator a = {.n = MOST, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, FEW, FEW + 4);
    assert_int_equal(find(&problem, &found, NULL), WEFT_OK);
    assert_eigenpairs(&problem, &found);
    assert_int_equal(found.end.restarts, 0);
}

/* Eigenvalue 2 twice and 1 else: with one of the first known, the other is found. */
static void known_vectors_are_not_found_again(void **state)
{
    static double diagonal[MOST];
    static answer first, second;
    for (int64_t i = 0; i < MOST; i++)
        diagonal[i] = i == 5 || i == 250 ? 2 : 1;
    operator a = {.n = MOST, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, 1, 20);
    assert_int_equal(find(&problem, &first, NULL), WEFT_OK);
    assert_eigenpairs(&problem, &first);
    problem.known = first.vectors;
    problem.known_count = 1;
    problem.seed = 1;
    assert_int_equal(find(&problem, &second, NULL), WEFT_OK);
    assert_eigenpairs(&problem, &second);
    assert_near(first.values[0], 2, 1e-9);
    assert_near(second.values[0], 2, 1e-9);
    problem.known = second.vectors;
    assert_int_equal(find(&problem, &first, NULL), WEFT_OK);
    assert_near(first.values[0], 2, 1e-9);
}

/* One known vector of two dimensions leaves one, with a space of one. */
static void a_space_may_be_all_that_is_left(void **state)
{
    static const double diagonal[2] = {5, 4};
    static _Alignas(64) double known[WEFT__LANES] = {1};
    static answer found;
    operator a = {.n = 2, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, 1, 1);
    problem.known = known;
    problem.known_count = 1;
    assert_int_equal(find(&problem, &found, NULL), WEFT_OK);
    assert_eigenpairs(&problem, &found);
    assert_near(found.values[0], 4, 1e-14);
}

static void what_does_not_converge_is_counted(void **state)
{
    static double diagonal[MOST];
    static answer found;
    for (int64_t i = 0; i < MOST; i++)
        diagonal[i] = 1 + 1e-6 * cos((double)i);
    operator a = {.n = MOST, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, 2, 4);
    problem.restarts = 3;
    problem.tolerance = 1e-14;
    assert_int_equal(find(&problem, &found, NULL), WEFT_OK);
    assert_true(found.end.found < 2);
    assert_int_equal(found.end.restarts, 3);
    assert_true(found.values[0] == 0 && found.vectors[0] == 0);
}

static void products_must_be_finite(void **state)
{
    static double diagonal[MOST];
    static answer found;
    weft_error error = {0};
    operator a = {.n = MOST, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, 2, 10);
    diagonal[17] = NAN;
    assert_fails(find(&problem, &found, &error), WEFT_INPUT, "not finite");
    diagonal[17] = INFINITY;
    assert_fails(find(&problem, &found, &error), WEFT_INPUT, "not finite");
}

static void every_allocation_may_fail(void **state)
{
    static const double diagonal[3] = {1, 2, 3};
    static answer found;
    weft_error error = {0};
    test_alloc alloc;
    operator a = {.n = 3, .diagonal = diagonal};
    weft__lanczos problem = ask(&a, 1, 3);
    for (int64_t k = 0;; k++) {
        weft_memory memory = test_alloc_begin(&alloc, k);
        found = (answer){.end = {0}};
        weft_status status =
            weft__lanczos_largest(&memory, &problem, found.values, found.vectors, &found.end, &error);
        assert_int_equal(test_alloc_blocks(&alloc), 0);
        if (!alloc.failed)
            break;
        assert_int_equal(status, WEFT_MEMORY);
        assert_true(found.values[0] == 0);
    }
    assert_near(found.values[0], 3, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_are_found),
        cmocka_unit_test(a_dense_matrix_has_the_values_of_the_direct_solver),
        cmocka_unit_test(equal_eigenvalues_are_found_from_drawn_vectors),
        cmocka_unit_test(known_vectors_are_not_found_again),
        cmocka_unit_test(a_space_may_be_all_that_is_left),
        cmocka_unit_test(what_does_not_converge_is_counted),
        cmocka_unit_test(products_must_be_finite),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
