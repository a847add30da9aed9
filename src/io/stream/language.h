/* SPDX-License-Identifier: MIT
 * The language of labels: what streams and models say of it. */
#ifndef WEFT_IO_STREAM_LANGUAGE_H
#define WEFT_IO_STREAM_LANGUAGE_H

#include "weft_files.h"

/* WEFT_ARGUMENT for a language that is none, see weft_player_set_language. */
weft_status weft__language_check(const weft_language *language, weft_error *error);
/* The same of what a stream is asked to understand. */
weft_status weft__language_check_options(const weft_stream_options *how, weft_error *error);

#endif
