/* SPDX-License-Identifier: MIT
 * Readers 0 and 1 think alike, and so do 2 and 3; of the three articles nothing is known. */
#include "weft.h"
#include <stdio.h>

int main(void)
{
    const int64_t group[4] = {0, 0, 1, 1};
    const int opinion[2][3] = {{1, -1, 1}, {-1, 1, -1}}; /* of a group about an article */
    weft_side *readers = NULL, *articles = NULL;
    weft_player *player = NULL;
    weft_answer guess = {0};
    weft_error error = {0};
    weft_settings settings = weft_settings_default(4, 3, 12);
    if (weft_side_from_classes(4, group, 0.1, NULL, &readers, &error) != WEFT_OK ||
        weft_side_none(3, NULL, &articles, &error) != WEFT_OK ||
        weft_learner_create(readers, articles, &settings, NULL, &player, &error) != WEFT_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    for (int t = 0; t < 12; t++) {
        int reader = t % 4, article = t / 4, label = opinion[group[reader]][article];
        if (weft_player_predict(player, reader, article, &guess, &error) != WEFT_OK ||
            weft_player_learn(player, reader, article, label, NULL, &error) != WEFT_OK)
            return fprintf(stderr, "%s\n", error.message), 1;
        printf("reader %d, article %d: p(+1) %.2f, told %+d\n", reader, article, guess.probability, label);
    }
    weft_player_free(player);
    weft_side_free(articles);
    weft_side_free(readers);
}
