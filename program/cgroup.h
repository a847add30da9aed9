/* SPDX-License-Identifier: MIT
 * The control groups of Linux that this process is in: what they leave to it. */
#ifndef WEFT_PROGRAM_CGROUP_H
#define WEFT_PROGRAM_CGROUP_H

#include <stdint.h>

/* The least limit of memory, in bytes, of the process's own control group and of every one above it, in both
 * versions; INT64_MAX where there is none.  `root` stands before /proc and /sys: "" outside tests. */
int64_t cgroup_memory(const char *root);

#endif
