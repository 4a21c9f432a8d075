/* Temporaries that a killed process left are removed; whatever else has such a name, or is in use, is not.
 * Linked with -Wl,--wrap=flock. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include <signal.h>
#include <sys/wait.h>

static char announced[512]; /* the last temporary that was made */
static char removed[512];   /* the last stale one */
static int removals;

static void on_temporary(void *user, const char *path)
{
    (void)user;
    if (path != NULL) {
        snprintf(announced, sizeof announced, "%s", path);
    }
}

static void on_stale(void *user, const char *path)
{
    (void)user;
    snprintf(removed, sizeof removed, "%s", path);
    removals++;
}

static gf_status put(const char *path, gf_error *error)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.on_temporary = on_temporary;
    options.on_stale = on_stale;
    removals = 0;
    return gf_io_write_bytes(path, "new", 3, &options, error);
}

static void check_put(const char *path, int stale)
{
    gf_error error = GF_ERROR_INIT;
    size_t size = 0;
    CHECK_MSG(put(path, &error) == GF_OK, "%s", error.message);
    CHECK_EQ_INT(removals, stale);
    unsigned char *bytes = get_file(path, &size);
    CHECK(bytes != NULL && size == 3 && memcmp(bytes, "new", 3) == 0);
    free(bytes);
}

/* ---- writers that stop half-way ---- */

static int stop_signal;

/* Stops at the second call with one path: then the file is there, and the writer's own. It has a byte in it,
 * as if some of the picture were written. */
static void stop(void *user, const char *path)
{
    static int calls;
    (void)user;
    calls = path != NULL ? calls + 1 : 0;
    if (calls == 2) {
        int fd = open(path, O_WRONLY);
        if (fd < 0 || pwrite(fd, "?", 1, 0) != 1 || close(fd) != 0) {
            _exit(2);
        }
        kill(getpid(), stop_signal);
    }
}

/* A child that writes the path and gets the signal when its temporary exists. */
static pid_t start_writer(const char *path, int number)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        options.on_temporary = stop;
        stop_signal = number;
        _exit(gf_io_write_bytes(path, "late", 4, &options, NULL) == GF_OK ? 0 : 1);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, WUNTRACED) == child);
    CHECK(number == SIGKILL ? WIFSIGNALED(status) : WIFSTOPPED(status));
    return child;
}

static void killed_writers(void)
{
    const char *path = in_folder("killed.png");
    put_file(path, "old", 3);
    for (int times = 0; times < 2; times++) {
        start_writer(path, SIGKILL); /* the second removes what the first left */
        CHECK_EQ_INT(count_entries(help_folder), 2);
    }
    check_put(path, 1);
    CHECK_STR_HAS(removed, "/.gpufilter-killed.png.");
    CHECK_EQ_INT(count_entries(help_folder), 1);
    check_put(path, 0);
}

static void writers_at_work(void)
{
    const char *path = in_folder("work.png");
    size_t size = 0;
    pid_t first = start_writer(path, SIGSTOP), second = start_writer(path, SIGSTOP);
    int before = count_entries(help_folder);
    check_put(path, 0); /* beside both */
    CHECK_EQ_INT(count_entries(help_folder), before + 1);
    kill(first, SIGKILL);
    waitpid(first, NULL, 0);
    check_put(path, 1); /* the first one's, not the second's */
    int status = -1;
    kill(second, SIGCONT);
    CHECK(waitpid(second, &status, 0) == second && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unsigned char *bytes = get_file(path, &size);
    CHECK(bytes != NULL && size == 4 && memcmp(bytes, "late", 4) == 0);
    free(bytes);
    CHECK_EQ_INT(count_entries(help_folder), before - 1);
}

/* Killed after the file was made and before it was locked: no process has it, so it is removed. It is empty,
 * and a writer at work may look so: nobody is told. */
static void never_locked(void)
{
    const char *path = in_folder("bare.png");
    check_put(path, 0);
    int before = count_entries(help_folder);
    REQUIRE(put_file(announced, "", 0));
    check_put(path, 0);
    CHECK_EQ_INT(count_entries(help_folder), before);
}

int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);

static int stops_before_lock;

int __wrap_flock(int fd, int operation)
{
    if (stops_before_lock) {
        stops_before_lock = 0;
        kill(getpid(), SIGSTOP);
    }
    return __real_flock(fd, operation);
}

/* A writer that has made its file and not locked it yet was not killed: the other one says nothing, and both
 * write. */
static void not_yet_locked(void)
{
    const char *path = in_folder("young.png");
    size_t size = 0;
    int status = -1, before = count_entries(help_folder);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        stops_before_lock = 1;
        _exit(gf_io_write_bytes(path, "late", 4, NULL, NULL) == GF_OK ? 0 : 1);
    }
    REQUIRE(child > 0 && waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK_EQ_INT(count_entries(help_folder), before + 1);
    check_put(path, 0);
    kill(child, SIGCONT);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unsigned char *bytes = get_file(path, &size);
    CHECK(bytes != NULL && size == 4 && memcmp(bytes, "late", 4) == 0);
    free(bytes);
    CHECK_EQ_INT(count_entries(help_folder), before + 1);
}

/* ---- what is not ours ---- */

static void other_things(void)
{
    const char *path = in_folder("other.png"), *precious = in_folder("precious");
    struct stat st;
    char names[3][512];
    REQUIRE(put_file(precious, "precious", 8));
    for (int kind = 0; kind < 3; kind++) {
        check_put(path, 0);
        snprintf(names[kind], sizeof names[kind], "%s", announced); /* where the next one would come */
        REQUIRE((kind == 0   ? symlink("precious", names[kind])
                 : kind == 1 ? mkfifo(names[kind], 0600)
                             : mkdir(names[kind], 0700)) == 0);
    }
    check_put(path, 0);
    for (int kind = 0; kind < 3; kind++) {
        CHECK(lstat(names[kind], &st) == 0 && strcmp(names[kind], announced) != 0);
    }
    CHECK(stat(precious, &st) == 0 && st.st_size == 8);
    if (geteuid() == 0) {
        REQUIRE(put_file(announced, "another user's", 14) && chown(announced, 65534, 65534) == 0);
        snprintf(names[0], sizeof names[0], "%s", announced);
        check_put(path, 0);
        CHECK(lstat(names[0], &st) == 0 && st.st_size == 14);
        unlink(names[0]);
    }
}

/* Names near to one of ours, but not the next ones: for another target, and for no target. */
static void other_names(void)
{
    const char *path = in_folder("near.png");
    const char *const names[] = {".gpufilter-near.png.00000000.tmp", ".gpufilter-near.png.tmp",
                                 ".gpufilter-far.png.11111111.tmp", "near.png.tmp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        REQUIRE(put_file(in_folder(names[i]), "kept", 4));
    }
    check_put(path, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CHECK_MSG(unlink(in_folder(names[i])) == 0, "%s is gone", names[i]);
    }
}

/* More than the slots hold: names are drawn, and those are nobody's to remove. */
static void no_slot_is_free(void)
{
    const char *path = in_folder("full.png");
    char last[512] = "";
    for (int i = 0; i < 12; i++) {
        check_put(path, 0);
        CHECK(strcmp(last, announced) != 0);
        snprintf(last, sizeof last, "%s", announced);
        REQUIRE(mkdir(announced, 0700) == 0);
    }
    check_put(path, 0);
}

/* Names so long that a temporary holds only their beginning share no temporary. */
static void long_names(void)
{
    char name[256], first[512];
    memset(name, 'x', 255);
    name[255] = '\0';
    for (int i = 0; i < 3; i++) {
        name[254] = (char)('a' + i);
        check_put(in_folder(name), 0);
        CHECK(i == 0 || strcmp(first, announced) != 0);
        snprintf(first, sizeof first, "%s", announced);
    }
    gf_error error = GF_ERROR_INIT;
    char deep[6000]; /* where no link is */
    memset(deep, 'x', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    CHECK_EQ_INT(put(deep, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "xxx: cannot write: File name too long");
}

/* ---- all at once ---- */

static void write_for_ever(const char *path, unsigned seed)
{
    gf_picture *picture = make_picture(40 + seed % 3, 40, 3, GF_U8);
    for (gf_error error = GF_ERROR_INIT;;) {
        if (gf_io_write(path, &picture->image, NULL, NULL, &error) != GF_OK) {
            printf("# %s\n", error.message);
            fflush(stdout);
            _exit(1);
        }
    }
}

static pid_t start_for_ever(const char *path, unsigned seed)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        write_for_ever(path, seed);
    }
    return child;
}

/* Writers of one name, killed and replaced again and again: none fails, the file is whole at any time. */
static void writers_and_kills(void)
{
    enum { WRITERS = 4, KILLS = 120 };
    const char *path = in_folder("crowd.png");
    pid_t writers[WRITERS];
    uint32_t state = 1;
    check_put(path, 0);
    for (unsigned i = 0; i < WRITERS; i++) {
        writers[i] = start_for_ever(path, i);
    }
    for (unsigned i = 0; i < KILLS; i++) {
        state = state * 1664525u + 1013904223u;
        usleep(state >> 20);
        int status = 0;
        pid_t *writer = &writers[i % WRITERS];
        CHECK(kill(*writer, SIGKILL) == 0 && waitpid(*writer, &status, 0) == *writer);
        CHECK_MSG(WIFSIGNALED(status), "a writer failed");
        *writer = start_for_ever(path, i);
        gf_error error = GF_ERROR_INIT;
        gf_picture *picture = NULL;
        CHECK_MSG(i < 20 || gf_io_read(path, NULL, &picture, &error) == GF_OK, "%s", error.message);
        gf_picture_destroy(&picture);
    }
    for (unsigned i = 0; i < WRITERS; i++) {
        kill(writers[i], SIGKILL);
        waitpid(writers[i], NULL, 0);
    }
    put(path, NULL);
    DIR *dir = opendir(help_folder);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        CHECK_MSG(strstr(entry->d_name, "-crowd.png.") == NULL, "%s is left", entry->d_name);
    }
    closedir(dir);
}

static void cleanup(void)
{
    remove_folder(help_folder);
    CHECK(access(help_folder, F_OK) != 0);
}

static const struct check_case cases[] = {
    {"what a killed writer left", killed_writers},
    {"a writer at work is left alone", writers_at_work},
    {"killed before the lock", never_locked},
    {"a writer that is about to lock", not_yet_locked},
    {"links, FIFOs, folders and files of others stay", other_things},
    {"files of other names stay", other_names},
    {"no slot is free", no_slot_is_free},
    {"long names", long_names},
    {"writers that are killed again and again", writers_and_kills},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
