/* SPDX-License-Identifier: MIT
 * Limits of memory in made-up trees of control groups. */
#define _POSIX_C_SOURCE 200809L
#include "unit/test_core_support.h"

#include "program/cgroup.h"

#include <sys/stat.h>

static char root[] = "/tmp/weft-cgroup-XXXXXX";

/* Writes `text` to a file below the root, and makes the folders on the way. */
static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = strchr(whole + sizeof root, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(whole, 0777);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int begin(void **state)
{
    strcpy(root + sizeof root - 7, "XXXXXX");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int end(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void without_groups_there_is_no_limit(void **state)
{
    assert_int_equal(cgroup_memory(root), INT64_MAX);
    put("/proc/self/cgroup", "0::/a/b\nnonsense\n\n7:\n");
    assert_int_equal(cgroup_memory(root), INT64_MAX);
}

static void the_least_limit_on_the_way_up_holds(void **state)
{
    put("/proc/self/cgroup", "0::/user.slice/job/inner\n");
    put("/sys/fs/cgroup/user.slice/memory.max", "5000\n");
    put("/sys/fs/cgroup/user.slice/job/memory.max", "3000\n");
    put("/sys/fs/cgroup/user.slice/job/inner/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/other/memory.max", "10\n");
    assert_int_equal(cgroup_memory(root), 3000);
    put("/sys/fs/cgroup/user.slice/job/inner/memory.max", "2000\n");
    assert_int_equal(cgroup_memory(root), 2000);
    put("/sys/fs/cgroup/memory.max", "1000\n");
    assert_int_equal(cgroup_memory(root), 1000);
}

static void a_container_has_its_limit_at_the_root(void **state)
{
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "4000\n");
    assert_int_equal(cgroup_memory(root), 4000);
    put("/proc/self/cgroup", "0::/known/to/the/host/alone\n");
    assert_int_equal(cgroup_memory(root), 4000);
}

static void version_one_has_its_own_hierarchy(void **state)
{
    put("/proc/self/cgroup", "12:cpu,cpuacct:/slow\n5:hugetlb,memory:/job/in\n4:memory_pressure:/x\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "7000\n");
    put("/sys/fs/cgroup/memory/job/in/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/slow/memory.limit_in_bytes", "1\n");
    put("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1\n");
    assert_int_equal(cgroup_memory(root), 7000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_groups_there_is_no_limit, begin, end),
        cmocka_unit_test_setup_teardown(the_least_limit_on_the_way_up_holds, begin, end),
        cmocka_unit_test_setup_teardown(a_container_has_its_limit_at_the_root, begin, end),
        cmocka_unit_test_setup_teardown(version_one_has_its_own_hierarchy, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
