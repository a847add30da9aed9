/* SPDX-License-Identifier: MIT
 *
 * A limit holds for every group below the one that has it, and each group tells its own alone.
 * /proc/self/cgroup has a line for every hierarchy, `number:controllers:path`; version 2 names no
 * controllers.  Inside a container the path may be one that only the host knows: then what is mounted is the
 * group of the container, which is where the way up from any path ends. */
#define _POSIX_C_SOURCE 200809L

#include "program/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in a file of the system, or INT64_MAX. */
static int64_t read_number(const char *path)
{
    FILE *file = fopen(path, "r");
    long long number = 0;
    if (file == NULL)
        return INT64_MAX;
    bool found = fscanf(file, "%lld", &number) == 1 && number > 0;
    fclose(file);
    return found ? number : INT64_MAX;
}

/* The least number in the file `name` of the group `path` below `root` and `mount`, and of those above it;
 * `path` is cut on the way. */
static int64_t least_upwards(const char *root, const char *mount, char *path, const char *name)
{
    size_t size = strlen(root) + strlen(mount) + strlen(path) + strlen(name) + 2;
    char *file = malloc(size);
    int64_t least = INT64_MAX;
    for (char *end = path + strlen(path); file != NULL && end != NULL; end = strrchr(path, '/')) {
        *end = 0;
        snprintf(file, size, "%s%s%s/%s", root, mount, path, name);
        int64_t found = read_number(file);
        least = found < least ? found : least;
    }
    free(file);
    return least;
}

/* Whether a list such as "cpu,memory" has the word. */
static bool has_controller(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

/* What one line of /proc/self/cgroup leads to. */
static int64_t follow(const char *root, char *line)
{
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *path = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (path == NULL)
        return INT64_MAX;
    *path++ = 0;
    if (controllers[1] == 0)
        return least_upwards(root, "/sys/fs/cgroup", path, "memory.max");
    if (has_controller(controllers + 1, "memory"))
        return least_upwards(root, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
    return INT64_MAX;
}

int64_t cgroup_memory(const char *root)
{
    static const char list[] = "/proc/self/cgroup";
    char *name = malloc(strlen(root) + sizeof list), *line = NULL;
    size_t capacity = 0;
    int64_t least = INT64_MAX;
    FILE *file = NULL;
    if (name != NULL) {
        snprintf(name, strlen(root) + sizeof list, "%s%s", root, list);
        file = fopen(name, "r");
    }
    while (file != NULL && getline(&line, &capacity, file) > 0) {
        int64_t found = follow(root, line);
        least = found < least ? found : least;
    }
    if (file != NULL)
        fclose(file);
    free(line);
    free(name);
    return least;
}
