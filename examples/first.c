/* SPDX-License-Identifier: MIT */
#include "weft.h"
#include <stdio.h>
int main(void)
{
    int64_t found = 0, group[4] = {0, 0, 1, 1}; /* readers 0 and 1 think alike, and so do 2 and 3 */
    weft_roster *readers = NULL, *articles = NULL;
    weft_player *player = NULL, *opened = NULL;
    weft_ranked best;
    weft_query query = {false, 0, 1, NULL, 0, 0}; /* of row 0 the best column */
    weft_error error;
    if (weft_roster_from_classes(4, group, 0.1, NULL, NULL, &readers, &error) != WEFT_OK ||
        weft_roster_from_names(3, NULL, NULL, &articles, &error) != WEFT_OK ||
        weft_player_create(readers, articles, NULL, &player, &error) != WEFT_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    for (int t = 0; t < 12; t++) {
        int i = t % 4, j = t / 4, label = (group[i] + j) % 2 == 0 ? 1 : -1;
        if (weft_player_predict(player, i, j, &best.answer, &error) != WEFT_OK ||
            weft_player_learn(player, i, j, label, NULL, &error) != WEFT_OK)
            return fprintf(stderr, "%s\n", error.message), 1;
        printf("reader %d, article %d: p(+1) %.2f, told %+d\n", i, j, best.answer.probability, label);
    }
    if (weft_player_save(player, "m.weft", &error) || weft_player_open("m.weft", NULL, &opened, &error) ||
        weft_player_rank(opened, &query, &best, &found, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("reader 0 will like article %d: p(+1) %.2f\n", (int)best.id, best.answer.probability);
    weft_player_free(opened);
    weft_player_free(player);
}
