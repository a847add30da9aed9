/* SPDX-License-Identifier: MIT
 * Standard input, output and error, which whoever starts a program may have closed. */
#ifndef WEFT_PROGRAM_DESCRIPTORS_H
#define WEFT_PROGRAM_DESCRIPTORS_H

/* Before anything else is opened: a descriptor of these three that is closed is taken, or the next file
 * would get its number and with it what is written there.  Reading the one and writing the other then
 * fails as on any closed descriptor; what goes to standard error vanishes.  Where that is not possible the
 * program ends with status 1. */
void descriptors_reserve(void);

#endif
