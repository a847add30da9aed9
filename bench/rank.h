/* SPDX-License-Identifier: MIT
 * The time of a ranking. */
#ifndef WEFT_BENCH_RANK_H
#define WEFT_BENCH_RANK_H

#include "measure.h"
#include "weft_advanced.h"

static inline double time_rank(weft_player *player, const weft_query *query, weft_ranked *ranked)
{
    weft_error error;
    int64_t found = 0;
    double start = processor_seconds();
    require(weft_player_rank(player, query, ranked, &found, &error), &error);
    return processor_seconds() - start;
}

/* The median over so many rows: first, first + 7, ... */
static inline double time_repeated(weft_player *player, weft_query query, int64_t first, int repetitions,
                                   weft_ranked *ranked)
{
    sample times = {0};
    for (int64_t k = 0; k < repetitions; k++) {
        query.id = first + 7 * k;
        record(&times, time_rank(player, &query, ranked));
    }
    double seconds = median(&times);
    free(times.seconds);
    return seconds;
}

#endif
