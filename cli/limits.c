/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */

#include "limits.h"

#include "parse.h"
#include "program/cgroup.h"
#include "program/fail.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { KEY_LINE = 0x10000, KEY_FIELDS, KEY_IDS, KEY_BYTES, KEY_MEMORY };

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "Limits (numbers may end in K, M, G or T, times 1024 each):", 5},
    {"max-line", KEY_LINE, "BYTES", 0, "of a line (16M)", 5},
    {"max-fields", KEY_FIELDS, "N", 0, "of a line, and the largest index of sparse features (1048576)", 5},
    {"max-ids", KEY_IDS, "N", 0, "of one side (10000000)", 5},
    {"max-bytes", KEY_BYTES, "BYTES", 0, "that gzip may make of one file (16G)", 5},
    {"memory", KEY_MEMORY, "BYTES", 0, "for everything (what the machine has)", 5},
    {0},
};

static error_t take(int key, char *text, struct argp_state *state)
{
    enum { LEAST_LINE = 80, LEAST_FIELDS = 3 }; /* of the library */
    limit_options *limits = state->input;
    switch (key) {
    case KEY_LINE:
        limits->line = parse_size(state, "max-line", text, LEAST_LINE);
        return 0;
    case KEY_FIELDS:
        limits->fields = parse_size(state, "max-fields", text, LEAST_FIELDS);
        return 0;
    case KEY_IDS:
        limits->ids = parse_size(state, "max-ids", text, 1);
        return 0;
    case KEY_BYTES:
        limits->bytes = parse_size(state, "max-bytes", text, 1);
        return 0;
    case KEY_MEMORY:
        limits->memory = parse_size(state, "memory", text, 1);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp limits_parser = {.options = table, .parser = take};

weft_file_options limits_files(const limit_options *limits, int64_t capacity)
{
    bool smaller = capacity > 0 && (limits->ids == 0 || capacity < limits->ids);
    return (weft_file_options){.memory = limits_memory(limits),
                               .line_limit = limits->line,
                               .field_limit = limits->fields,
                               .id_limit = smaller ? capacity : limits->ids,
                               .byte_limit = limits->bytes,
                               .graph_budget = limits->memory,
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
