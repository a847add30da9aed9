/* SPDX-License-Identifier: MIT
 *
 * A program that knows only the installed package: 6 rows in two classes, 4
 * columns of which nothing is known, the label says whether the class and the
 * parity of the column agree.  In its last pass it must predict them all. */
#include <weft_advanced.h>

#include <stdio.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 4, PASSES = 4 };

static const int64_t class_of[ROWS] = {0, 1, 0, 1, 1, 0};

static int truth(int64_t row, int64_t column)
{
    return class_of[row] == column % 2 ? 1 : -1;
}

static weft_status play(weft_player *learner, int *wrong, weft_error *error)
{
    weft_status status = WEFT_OK;
    *wrong = 0;
    for (int64_t row = 0; row < ROWS; row++) {
        for (int64_t column = 0; column < COLUMNS; column++) {
            weft_answer prediction;
            status = weft_player_predict(learner, row, column, &prediction, error);
            if (status != WEFT_OK)
                return status;
            *wrong += prediction.label != truth(row, column);
            status = weft_player_learn(learner, row, column, truth(row, column), NULL, error);
            if (status != WEFT_OK)
                return status;
        }
    }
    return status;
}

int main(void)
{
    weft_error error = {WEFT_OK, {-1, -1}, ""};
    weft_side *rows = NULL, *columns = NULL;
    weft_player *learner = NULL;
    weft_settings settings = weft_settings_default(ROWS, COLUMNS, PASSES * ROWS * COLUMNS);
    settings.deterministic = true;
    int wrong = -1;

    weft_status status = weft_side_from_classes(ROWS, class_of, 0.1, NULL, &rows, &error);
    if (status == WEFT_OK)
        status = weft_side_none(COLUMNS, NULL, &columns, &error);
    if (status == WEFT_OK)
        status = weft_learner_create(rows, columns, &settings, NULL, &learner, &error);
    for (int pass = 0; status == WEFT_OK && pass < PASSES; pass++)
        status = play(learner, &wrong, &error);

    weft_player_free(learner);
    weft_side_free(columns);
    weft_side_free(rows);
    if (status != WEFT_OK) {
        fprintf(stderr, "%s: %s\n", weft_status_name(status), error.message);
        return weft_status_exit(status);
    }
    printf("weft %s: %d of %d wrong in the last pass\n", weft_version(), wrong, ROWS * COLUMNS);
    return wrong == 0 && strcmp(weft_version(), EXPECTED_VERSION) == 0 ? 0 : 1;
}
