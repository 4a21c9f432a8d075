/* How many processors there are for a process: its affinity, and quotas of control groups in folders made
 * here that look like those of the kernel. */
#define _GNU_SOURCE /* sched_setaffinity, mkdtemp */
#include "base/processors.h"
#include "check.h"

#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- affinity ---- */

/* Says what gf_processors says in a process of its own, which may run on `wanted` of the processors. */
static int count_with(int wanted)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t all, some;
        CPU_ZERO(&some);
        sched_getaffinity(0, sizeof all, &all);
        for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < wanted; i++) {
            if (CPU_ISSET(i, &all)) {
                CPU_SET(i, &some);
            }
        }
        bool set = sched_setaffinity(0, sizeof some, &some) == 0;
        int32_t first = gf_processors();
        sched_setaffinity(0, sizeof all, &all);
        _exit(set && gf_processors() == first ? first : 255); /* the same ever after */
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void affinity_counts(void)
{
    int32_t quota = gf_processors_quota("");
    CHECK_EQ_INT(count_with(1), 1);
    if (gf_processors_affinity() < 2) {
        SKIP("there is one processor");
    }
    CHECK_EQ_INT(count_with(2), quota < 2 ? quota : 2);
}

/* ---- quotas ---- */

static char root[64];

/* Makes ROOT/folder/name with a text, and the folders on the way. */
static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    size_t begin = strlen(root);
    snprintf(path, sizeof path, "%s/%s/", root, folder);
    for (char *slash = path + begin; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void begin_root(const char *groups)
{
    strcpy(root, "/tmp/processors-XXXXXX");
    REQUIRE(mkdtemp(root) != NULL);
    if (groups) {
        put("proc/self", "cgroup", groups);
    }
}

/* Returns what is found in the root, which it then removes. */
static int32_t end_root(void)
{
    char command[96];
    int32_t quota = gf_processors_quota(root);
    snprintf(command, sizeof command, "rm -r %s", root);
    CHECK(system(command) == 0);
    return quota;
}

static int32_t quota_of_file(const char *folder, const char *name, const char *text, const char *groups)
{
    begin_root(groups);
    put(folder, name, text);
    return end_root();
}

static void version_2_counts(void)
{
    static const char groups[] = "0::/\n";
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "200000 100000\n", groups), 2);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "150000 100000\n", groups), 2);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "20000 100000\n", groups), 1);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "max 100000\n", groups), INT32_MAX);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "", groups), INT32_MAX);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "9223372036854775807 1\n", groups), INT32_MAX);
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup/a/b", "cpu.max", "300000 100000\n", "0::/a/b\n"), 3);
}

/* The least of a group and those above it. */
static void groups_above_count(void)
{
    begin_root("0::/a/b/c\n");
    put("sys/fs/cgroup/a/b/c", "cpu.max", "max 100000\n");
    put("sys/fs/cgroup/a/b", "cpu.max", "700000 100000\n");
    put("sys/fs/cgroup/a", "cpu.max", "500000 100000\n");
    put("sys/fs/cgroup", "cpu.max", "900000 100000\n");
    CHECK_EQ_INT(end_root(), 5);
}

/* A container without a name space of groups: the path is the host's, the mount the container's own. */
static void path_of_the_host_counts(void)
{
    CHECK_EQ_INT(quota_of_file("sys/fs/cgroup", "cpu.max", "400000 100000\n", "0::/docker/0123abcd\n"), 4);
}

static void version_1_counts(void)
{
    begin_root("12:pids:/x\n5:cpuset:/y\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/z\n");
    put("sys/fs/cgroup/cpu/docker/abc", "cpu.cfs_quota_us", "250000\n");
    put("sys/fs/cgroup/cpu/docker/abc", "cpu.cfs_period_us", "100000\n");
    put("sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu", "cpu.cfs_period_us", "100000\n");
    CHECK_EQ_INT(end_root(), 3);
    begin_root("4:cpuset:/\n"); /* no group of processors' time */
    put("sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "100000\n");
    put("sys/fs/cgroup/cpu", "cpu.cfs_period_us", "100000\n");
    CHECK_EQ_INT(end_root(), INT32_MAX);
    begin_root("3:cpuacct,cpu:/\n");
    put("sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu", "cpu.cfs_period_us", "100000\n");
    CHECK_EQ_INT(end_root(), INT32_MAX);
}

static void no_groups_are_no_limit(void)
{
    begin_root(NULL);
    CHECK_EQ_INT(end_root(), INT32_MAX);
    begin_root("no colon\n0:\n");
    CHECK_EQ_INT(end_root(), INT32_MAX);
}

static const struct check_case cases[] = {
    {"the affinity of the process counts, once for all", affinity_counts},
    {"quotas of version 2, rounded up", version_2_counts},
    {"the least of all groups above", groups_above_count},
    {"the container's own mount where the path is the host's", path_of_the_host_counts},
    {"quotas of version 1", version_1_counts},
    {"no groups, no limit", no_groups_are_no_limit},
};

CHECK_MAIN(cases)
