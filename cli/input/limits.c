/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */

#include "cli/input/limits.h"

#include "cli/command/long_call.h"
#include "program/cgroup.h"
#include "program/fail.h"
#include "program/interrupt.h"
#include "program/output.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LEAST_LINE = 80, LEAST_FIELDS = 3 }; /* of the library */

static const option_row option_rows[] = {
    HEADING("Limits (numbers may end in K, M, G or T, times 1024 each):"),
    {"--max-line", "BYTES", "of a line (16M)", TAKES_SIZE(limit_options, line, LEAST_LINE)},
    {"--max-fields", "N", "of a line, and the largest index of sparse features (1048576)",
     TAKES_SIZE(limit_options, fields, LEAST_FIELDS)},
    {"--max-ids", "N", "of one side (as many as memory takes)", TAKES_SIZE(limit_options, ids, 1)},
    {"--max-bytes", "BYTES", "that gzip may make of one file (16G)", TAKES_SIZE(limit_options, bytes, 1)},
    {"--memory", "BYTES", "for everything (what the machine has)", TAKES_SIZE(limit_options, memory, 1)},
    {0},
};

const option_table limits_table = {option_rows, NULL, .group = 6};

weft_file_options limits_files(const limit_options *limits, int64_t capacity)
{
    bool smaller = capacity > 0 && (limits->ids == 0 || capacity < limits->ids);
    return (weft_file_options){.memory = limits_memory(limits),
                               .line_limit = limits->line,
                               .field_limit = limits->fields,
                               .id_limit = smaller ? capacity : limits->ids,
                               .byte_limit = limits->bytes,
                               .progress = long_call_progress()};
}

weft_roster_options limits_roster(const limit_options *limits)
{
    return (weft_roster_options){.graph_budget = limits->memory,
                                 .kernel_budget = INT64_MAX}; /* the allocator keeps to the limit */
}

/* ---- Memory ---- */

/* Invariant: `used` is the sum of the sizes of all blocks that are out; it may be
 * above `limit` only while a request that will be refused is looked at. */
typedef struct budget {
    _Atomic int64_t used;
    int64_t limit;
    atomic_bool refused;
} budget;

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size)
{
    budget *own = user;
    int64_t more = (int64_t)new_size - (int64_t)old_size;
    if (atomic_fetch_add(&own->used, more) + more > own->limit && more > 0) {
        atomic_fetch_sub(&own->used, more);
        atomic_store(&own->refused, true);
        return NULL;
    }
    if (new_size == 0) {
        free(pointer);
        return NULL;
    }
    void *block = realloc(pointer, new_size);
    if (block == NULL)
        atomic_fetch_sub(&own->used, more);
    return block;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What there is, or as much of it as the control groups leave to this process. */
static int64_t memory_of_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    int64_t physical = pages > 0 && size > 0 ? (int64_t)pages * size : INT64_MAX;
    return smaller(physical, cgroup_memory(""));
}

static budget whole;

int64_t limits_most(const limit_options *limits)
{
    return limits->memory > 0 ? limits->memory : memory_of_machine();
}

int64_t limits_held(void)
{
    return atomic_load(&whole.used);
}

const weft_memory *limits_memory(const limit_options *limits)
{
    static const weft_memory hook = {allocate, &whole};
    if (whole.limit == 0)
        whole.limit = limits_most(limits);
    return &hook;
}

const char *limits_source(const limit_options *limits)
{
    return limits->memory > 0 ? "which is the limit" : "all that the machine has";
}

weft_status limits_refuse(const limit_options *limits, const char *why, weft_error *error)
{
    return fail(error, WEFT_INPUT,
                "these files need more than %lld bytes of memory, %s (%.300s): --memory "
                "gives more",
                (long long)limits_most(limits), limits_source(limits), why);
}

weft_status limits_explain(const limit_options *limits, weft_status status, weft_error *error)
{
    weft_error inner = *error;
    if (status != WEFT_MEMORY || !atomic_load(&whole.refused))
        return status;
    return limits_refuse(limits, inner.message, error);
}

int limits_finish(const limit_options *limits, weft_status status, const char *room, weft_error *error)
{
    status = limits_explain(limits, status, error);
    long_call_clear();
    if (status == WEFT_OK)
        return 0;
    bool interrupted = interrupt_came();
    if (status == WEFT_WRITE && output_unread() && !interrupted)
        return EXIT_UNREAD;
    fprintf(stderr, "weft: %s%s\n", interrupted ? "interrupted" : error->message,
            status == WEFT_CAPACITY && !interrupted ? room : "");
    return interrupted ? EXIT_INTERRUPTED : weft_status_exit(status);
}
