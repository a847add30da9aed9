/* SPDX-License-Identifier: MIT
 * What a rival will take, before it is made. */
#ifndef WEFT_RIVAL_ESTIMATE_H
#define WEFT_RIVAL_ESTIMATE_H

#include "learner/estimate.h"

/* Bytes, as weft__learner_estimate, and multiplications of a trial, as weft__learner_work. */
weft__amount weft__rival_estimate(const weft__outline *rows, const weft__outline *columns,
                                  const weft_rival_settings *settings, const weft__stream_outline *stream);
weft__amount weft__rival_work(const weft__outline *rows, const weft__outline *columns,
                              const weft_rival_settings *settings, const weft__stream_outline *stream);

#endif
