/* SPDX-License-Identifier: MIT
 * Matrices with latent blocks and their streams, against what the header says of them. */
#include "unit/test_core_support.h"

#include "lab/problem/problem.h"

enum { MOST = 60, CLASSES = 9 };

static void count_classes(int64_t count, int64_t k, const int64_t *class_of, int64_t size[CLASSES])
{
    memset(size, 0, CLASSES * sizeof *size);
    for (int64_t i = 0; i < count; i++) {
        assert_true(class_of[i] >= 0 && class_of[i] < k);
        size[class_of[i]]++;
    }
}

static bool none_is_empty(int64_t k, const int64_t size[CLASSES])
{
    for (int64_t c = 0; c < k; c++)
        if (size[c] == 0)
            return false;
    return true;
}

/* ---- Classes ---- */

static void seeded_classes_are_not_empty(void **state)
{
    lab_random random = lab_random_begin(1, "classes", 0, 0);
    for (int64_t count = 1; count <= MOST; count++) {
        int64_t size[CLASSES], *class_of = lab_classes(count, CLASSES, LAB_SEEDED, &random);
        count_classes(count, CLASSES, class_of, size);
        for (int64_t c = 0; c < CLASSES && c < count; c++)
            assert_int_equal(class_of[c], c);
        if (count >= CLASSES)
            assert_true(none_is_empty(CLASSES, size));
        free(class_of);
    }
}

/* found[c]: how often id `at` has class c, in `draws` draws. */
static void tally(lab_sizes sizes, int64_t at, int64_t count, double found[CLASSES])
{
    enum { DRAWS = 2000 };
    lab_random random = lab_random_begin(2, "classes", (int64_t)sizes, at);
    memset(found, 0, CLASSES * sizeof *found);
    for (int t = 0; t < DRAWS; t++) {
        int64_t *class_of = lab_classes(count, CLASSES, sizes, &random);
        found[class_of[at]]++;
        free(class_of);
    }
    for (int c = 0; c < CLASSES; c++)
        assert_near(found[c], DRAWS / (double)CLASSES, 4.5 * sqrt(DRAWS * 8 / 81.0));
}

static void every_class_is_as_likely(void **state)
{
    double found[CLASSES];
    tally(LAB_SEEDED, CLASSES, CLASSES + 3, found);
    tally(LAB_SEEDED, CLASSES + 2, CLASSES + 3, found);
    tally(LAB_RESAMPLED, 0, 20, found);
    tally(LAB_RESAMPLED, 19, 20, found);
    tally(LAB_ANY, 0, 5, found);
    tally(LAB_ANY, 4, 5, found);
    tally(LAB_EQUAL, 0, 27, found);
    tally(LAB_EQUAL, 26, 27, found);
}

/* As many ids as classes: a random bijection, all six of them alike. */
static void resampled_classes_are_not_empty(void **state)
{
    enum { DRAWS = 3000 };
    lab_random random = lab_random_begin(3, "classes", 0, 0);
    double found[27] = {0};
    int kinds = 0;
    for (int t = 0; t < DRAWS; t++) {
        int64_t size[CLASSES], *class_of = lab_classes(3, 3, LAB_RESAMPLED, &random);
        count_classes(3, 3, class_of, size);
        assert_true(none_is_empty(3, size));
        found[class_of[0] + 3 * class_of[1] + 9 * class_of[2]]++;
        free(class_of);
    }
    for (int k = 0; k < 27; k++)
        if (found[k] > 0) {
            kinds++;
            assert_near(found[k], DRAWS / 6.0, 4 * sqrt(DRAWS * 5 / 36.0));
        }
    assert_int_equal(kinds, 6);
}

/* Of four ids with any of two classes, two draws in sixteen leave one empty. */
static void any_classes_may_be_empty(void **state)
{
    enum { DRAWS = 4000 };
    lab_random random = lab_random_begin(4, "classes", 0, 0);
    double empty = 0;
    for (int t = 0; t < DRAWS; t++) {
        int64_t size[CLASSES], *class_of = lab_classes(4, 2, LAB_ANY, &random);
        count_classes(4, 2, class_of, size);
        empty += !none_is_empty(2, size);
        free(class_of);
    }
    assert_near(empty, DRAWS / 8.0, 4 * sqrt(DRAWS * 7 / 64.0));
}

static void equal_classes_differ_by_one(void **state)
{
    lab_random random = lab_random_begin(5, "classes", 0, 0);
    double found[16] = {0};
    for (int64_t count = 1; count <= MOST; count++)
        for (int64_t k = 1; k <= CLASSES; k++) {
            int64_t size[CLASSES], *class_of = lab_classes(count, k, LAB_EQUAL, &random);
            count_classes(count, k, class_of, size);
            for (int64_t c = 0; c < k; c++)
                assert_true(size[c] == count / k || size[c] == (count + k - 1) / k);
            free(class_of);
        }
    for (int t = 0; t < 3000; t++) {
        int64_t *class_of = lab_classes(4, 2, LAB_EQUAL, &random);
        found[class_of[0] + 2 * class_of[1] + 4 * class_of[2] + 8 * class_of[3]]++;
        free(class_of);
    }
    const int balanced[] = {3, 5, 6, 9, 10, 12};
    for (int k = 0; k < 6; k++)
        assert_near(found[balanced[k]], 500, 4 * sqrt(3000 * 5 / 36.0));
}

/* ---- Matrices ---- */

static void blocks_are_signs_of_their_classes(void **state)
{
    lab_random random = lab_random_begin(6, "blocks", 0, 0);
    double sum = 0, blocks_drawn = 0;
    for (int t = 0; t < 200; t++) {
        lab_blocks blocks = lab_blocks_draw(13, 17, 3, 5, LAB_ANY, &random);
        assert_true(blocks.rows == 13 && blocks.columns == 17 && blocks.k == 3 && blocks.l == 5);
        for (int64_t b = 0; b < 15; b++) {
            assert_true(blocks.block[b] == 1 || blocks.block[b] == -1);
            sum += blocks.block[b], blocks_drawn++;
        }
        for (int64_t i = 0; i < 13; i++)
            for (int64_t j = 0; j < 17; j++) {
                int64_t r = blocks.row_class[i], c = blocks.column_class[j];
                assert_true(r >= 0 && r < 3 && c >= 0 && c < 5);
                assert_int_equal(lab_blocks_entry(&blocks, i, j), blocks.block[5 * r + c]);
            }
        lab_blocks_free(&blocks);
        assert_null(blocks.block);
    }
    assert_near(sum, 0, 4 * sqrt(blocks_drawn));
}

static void communities_are_equal_classes(void **state)
{
    int64_t class_of[] = {2, 0, 1, 1, 0, 2, 2, 1};
    const int64_t kept[] = {2, 0, 1, 1, 0, 2, 2, 1};
    lab_blocks blocks = lab_blocks_community(8, 4, class_of);
    memset(class_of, 0, sizeof class_of); /* they were copied */
    assert_true(blocks.rows == 8 && blocks.columns == 8 && blocks.k == 4 && blocks.l == 4);
    for (int64_t i = 0; i < 8; i++)
        for (int64_t j = 0; j < 8; j++)
            assert_int_equal(lab_blocks_entry(&blocks, i, j), kept[i] == kept[j] ? 1 : -1);
    lab_blocks_free(&blocks);
}

/* ---- Streams ---- */

/* Labels that are not those of the matrix are counted; returns how many. */
static int64_t check_labels(const lab_blocks *blocks, const lab_stream *stream)
{
    int64_t turned = 0;
    for (int64_t t = 0; t < stream->count; t++) {
        lab_trial trial = stream->trials[t];
        assert_true(trial.row >= 0 && trial.row < blocks->rows);
        assert_true(trial.column >= 0 && trial.column < blocks->columns);
        assert_true(trial.label == 1 || trial.label == -1);
        turned += trial.label != lab_blocks_entry(blocks, trial.row, trial.column);
    }
    assert_int_equal(stream->turned, turned);
    return turned;
}

static void assert_share_turned(int64_t turned, int64_t count, double noise)
{
    assert_near((double)turned, noise * (double)count, 4 * sqrt(noise * (1 - noise) * (double)count));
}

static void a_whole_stream_has_every_entry_once(void **state)
{
    const double noise[] = {0, 0.1, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        bool seen[30][50] = {{false}};
        lab_random random = lab_random_begin(7, "stream", k, 0);
        lab_blocks blocks = lab_blocks_draw(30, 50, 4, 3, LAB_SEEDED, &random);
        lab_stream stream = lab_stream_all(&blocks, noise[k], &random);
        assert_int_equal(stream.count, 30 * 50);
        assert_share_turned(check_labels(&blocks, &stream), stream.count, noise[k]);
        for (int64_t t = 0; t < stream.count; t++) {
            lab_trial trial = stream.trials[t];
            assert_false(seen[trial.row][trial.column]);
            seen[trial.row][trial.column] = true;
        }
        lab_stream_free(&stream);
        assert_null(stream.trials);
        lab_blocks_free(&blocks);
    }
}

/* Which entry comes first, and which last, is any of them. */
static void the_order_is_random(void **state)
{
    enum { DRAWS = 2400 };
    lab_random random = lab_random_begin(8, "stream", 0, 0);
    lab_blocks blocks = lab_blocks_draw(2, 3, 2, 3, LAB_SEEDED, &random);
    double first[6] = {0}, last[6] = {0}, turned[6] = {0};
    for (int t = 0; t < DRAWS; t++) {
        lab_stream stream = lab_stream_all(&blocks, 0.25, &random);
        lab_trial a = stream.trials[0], b = stream.trials[5];
        first[3 * a.row + a.column]++;
        last[3 * b.row + b.column]++;
        for (int64_t s = 0; s < 6; s++)
            turned[s] += stream.trials[s].label !=
                         lab_blocks_entry(&blocks, stream.trials[s].row, stream.trials[s].column);
        lab_stream_free(&stream);
    }
    for (int k = 0; k < 6; k++) {
        assert_near(first[k], DRAWS / 6.0, 4 * sqrt(DRAWS * 5 / 36.0));
        assert_near(last[k], DRAWS / 6.0, 4 * sqrt(DRAWS * 5 / 36.0));
        assert_share_turned((int64_t)turned[k], DRAWS, 0.25);
    }
    lab_blocks_free(&blocks);
}

static void drawn_pairs_are_alike(void **state)
{
    enum { COUNT = 8000 };
    for (int distinct = 0; distinct < 2; distinct++) {
        lab_random random = lab_random_begin(9, "stream", distinct, 0);
        lab_blocks blocks = lab_blocks_draw(4, 5, 2, 2, LAB_SEEDED, &random);
        lab_stream stream = lab_stream_drawn(&blocks, COUNT, 0.1, distinct == 1, &random);
        double found[4][5] = {{0}}, share = distinct ? 1 / 16.0 : 1 / 20.0;
        assert_int_equal(stream.count, COUNT);
        assert_share_turned(check_labels(&blocks, &stream), COUNT, 0.1);
        for (int64_t t = 0; t < COUNT; t++)
            found[stream.trials[t].row][stream.trials[t].column]++;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++) {
                double p = distinct && i == j ? 0 : share;
                assert_near(found[i][j], p * COUNT, 4.5 * sqrt(p * (1 - p) * COUNT));
            }
        lab_stream_free(&stream);
        lab_blocks_free(&blocks);
    }
}

static void a_seed_is_a_problem(void **state)
{
    lab_random a = lab_random_begin(10, "stream", 0, 0), b = lab_random_begin(10, "stream", 0, 0);
    lab_blocks p = lab_blocks_draw(9, 7, 3, 2, LAB_RESAMPLED, &a),
               q = lab_blocks_draw(9, 7, 3, 2, LAB_RESAMPLED, &b);
    lab_stream s = lab_stream_all(&p, 0.1, &a), t = lab_stream_all(&q, 0.1, &b);
    assert_memory_equal(p.block, q.block, 6);
    for (int64_t k = 0; k < s.count; k++)
        assert_true(s.trials[k].row == t.trials[k].row && s.trials[k].column == t.trials[k].column &&
                    s.trials[k].label == t.trials[k].label);
    lab_stream_free(&s);
    lab_stream_free(&t);
    lab_blocks_free(&p);
    lab_blocks_free(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeded_classes_are_not_empty),
        cmocka_unit_test(every_class_is_as_likely),
        cmocka_unit_test(resampled_classes_are_not_empty),
        cmocka_unit_test(any_classes_may_be_empty),
        cmocka_unit_test(equal_classes_differ_by_one),
        cmocka_unit_test(blocks_are_signs_of_their_classes),
        cmocka_unit_test(communities_are_equal_classes),
        cmocka_unit_test(a_whole_stream_has_every_entry_once),
        cmocka_unit_test(the_order_is_random),
        cmocka_unit_test(drawn_pairs_are_alike),
        cmocka_unit_test(a_seed_is_a_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
