/* An output is whole or absent, whatever stands or happens where it is to go. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char *const kinds[] = {"o.png", "o.npy"};

static char seen_temporary[512];
static int seen_calls, seen_existing;

/* Remembers what the writer announces: the file does not exist yet, then it does, and is gone at the NULL. */
static void remember(void *user, const char *path)
{
    CHECK_STR((const char *)user, "user");
    seen_calls++;
    if (path != NULL) {
        snprintf(seen_temporary, sizeof seen_temporary, "%s", path);
    }
    seen_existing += access(seen_temporary, F_OK) == 0;
}

static gf_write_options watched(void)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.on_temporary = remember;
    options.user = (void *)(uintptr_t) "user";
    seen_calls = seen_existing = 0;
    return options;
}

static void new_file(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(9, 8, 3, GF_U8), *in = NULL;
    mode_t mask = umask(027);
    struct stat st;
    for (int i = 0; i < 2; i++) {
        gf_write_options options = watched();
        const char *path = in_folder(kinds[i]);
        CHECK_MSG(gf_io_write(path, &p->image, NULL, &options, &error) == GF_OK, "%s", error.message);
        CHECK_EQ_INT(seen_calls, 3);
        CHECK_EQ_INT(seen_existing, 1);
        CHECK_STR_HAS(seen_temporary, "/.gpufilter-o.");
        REQUIRE(stat(path, &st) == 0);
        CHECK_EQ_INT(st.st_mode & 07777, 0640);
        CHECK_EQ_INT(gf_io_read(path, NULL, &in, &error), GF_OK);
        gf_picture_destroy(&in);
    }
    CHECK_EQ_INT(count_entries(help_folder), 2);
    umask(mask);
    gf_picture_destroy(&p);
}

static void existing_file(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(9, 8, 3, GF_U8), *in = NULL;
    const char *path = in_folder("e.png"), *other = in_folder("hard");
    struct stat st;
    REQUIRE(put_file(path, "old", 3) && chmod(path, 0604) == 0 && link(path, other) == 0);
    gf_write_options options = watched();
    options.no_clobber = 1;
    CHECK_EQ_INT(gf_io_write(path, &p->image, NULL, &options, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "e.png: exists");
    CHECK_EQ_INT(seen_calls, 0);
    CHECK_EQ_INT(gf_io_write(path, &p->image, NULL, NULL, &error), GF_OK);
    REQUIRE(stat(path, &st) == 0);
    CHECK_EQ_INT(st.st_mode & 07777, 0604);
    CHECK_EQ_INT(gf_io_read(path, NULL, &in, &error), GF_OK);
    CHECK(in != NULL && same_pictures(&p->image, &in->image));
    REQUIRE(stat(other, &st) == 0);
    CHECK_EQ_INT(st.st_size, 3);
    unlink(path);
    CHECK_EQ_INT(gf_io_write(path, &p->image, NULL, &options, &error), GF_OK);
    gf_picture_destroy(&in);
    gf_picture_destroy(&p);
}

/* Appears between the look and the rename. */
static void appear(void *user, const char *path)
{
    if (path != NULL) {
        put_file(user, "late", 4);
    }
}

static void late_file_is_not_clobbered(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(9, 8, 3, GF_U8);
    const char *path = in_folder("late.png");
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    int before = count_entries(help_folder);
    struct stat st;
    options.no_clobber = 1;
    options.on_temporary = appear;
    options.user = (void *)(uintptr_t)path;
    CHECK_EQ_INT(gf_io_write(path, &p->image, NULL, &options, &error), GF_ERROR_OUTPUT);
    REQUIRE(stat(path, &st) == 0);
    CHECK_EQ_INT(st.st_size, 4);
    CHECK_EQ_INT(count_entries(help_folder), before + 1);
    gf_picture_destroy(&p);
}

static void symbolic_links(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(9, 8, 3, GF_U8), *in = NULL;
    struct stat st;
    REQUIRE(mkdir(in_folder("sub"), 0700) == 0);
    REQUIRE(put_file(in_folder("sub/real.png"), "old", 3));
    REQUIRE(symlink("hop", in_folder("link.png")) == 0 && symlink("sub/real.png", in_folder("hop")) == 0);
    REQUIRE(symlink("sub/new.png", in_folder("dangling.png")) == 0 &&
            symlink("loop.png", in_folder("loop.png")) == 0);
    CHECK_EQ_INT(gf_io_write(in_folder("link.png"), &p->image, NULL, NULL, &error), GF_OK);
    CHECK(lstat(in_folder("link.png"), &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(lstat(in_folder("hop"), &st) == 0 && S_ISLNK(st.st_mode));
    CHECK_EQ_INT(gf_io_read(in_folder("sub/real.png"), NULL, &in, &error), GF_OK);
    gf_picture_destroy(&in);
    CHECK_EQ_INT(gf_io_write(in_folder("dangling.png"), &p->image, NULL, NULL, &error), GF_OK);
    CHECK_EQ_INT(gf_io_read(in_folder("sub/new.png"), NULL, &in, &error), GF_OK);
    gf_picture_destroy(&in);
    CHECK_EQ_INT(count_entries(in_folder("sub")), 2);
    CHECK_EQ_INT(gf_io_write(in_folder("loop.png"), &p->image, NULL, NULL, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "cannot follow the link");
    gf_picture_destroy(&p);
}

static void through_devices(void)
{
    gf_picture *p = make_picture(400, 300, 3, GF_U8);
    gf_write_options options = watched();
    for (int i = 0; i < 2; i++) {
        gf_error error = GF_ERROR_INIT;
        options.format = i ? "npy" : "png";
        options.no_clobber = 1;
        CHECK_EQ_INT(gf_io_write("/dev/null", &p->image, NULL, &options, &error), GF_OK);
        CHECK_EQ_INT(gf_io_write("/dev/full", &p->image, NULL, &options, &error), GF_ERROR_OUTPUT);
        CHECK_STR(error.message, "/dev/full: cannot write: No space left on device");
    }
    CHECK_EQ_INT(seen_calls, 0);
    gf_picture_destroy(&p);
}

struct sink {
    const char *path;
    unsigned char *bytes;
    size_t size;
};

static void *drain(void *argument)
{
    struct sink *sink = argument;
    sink->bytes = get_file(sink->path, &sink->size);
    return NULL;
}

static void through_fifo_and_descriptors(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(200, 100, 3, GF_U8);
    size_t size = 0, got = 0;
    REQUIRE(gf_io_write(in_folder("ref.png"), &p->image, NULL, NULL, &error) == GF_OK);
    unsigned char *reference = get_file(in_folder("ref.png"), &size);
    struct sink sink = {in_folder("pipe.png"), NULL, 0};
    pthread_t thread;
    REQUIRE(mkfifo(sink.path, 0600) == 0 && pthread_create(&thread, NULL, drain, &sink) == 0);
    CHECK_EQ_INT(gf_io_write(sink.path, &p->image, NULL, NULL, &error), GF_OK);
    pthread_join(thread, NULL);
    CHECK_EQ_INT(sink.size, size);
    CHECK_MEM(sink.bytes, reference, size);
    free(sink.bytes);

    /* A descriptor is written where it stands: after what is there already. */
    char name[32];
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.format = "png";
    int fd = open(in_folder("append"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    REQUIRE(fd >= 0 && write(fd, "head", 4) == 4);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    CHECK_EQ_INT(gf_io_write(name, &p->image, NULL, &options, &error), GF_OK);
    CHECK(write(fd, "tail", 4) == 4);
    close(fd);
    unsigned char *appended = get_file(in_folder("append"), &got);
    REQUIRE(appended != NULL && got == size + 8);
    CHECK_MEM(appended, "head", 4);
    CHECK_MEM(appended + 4, reference, size);
    CHECK_MEM(appended + 4 + size, "tail", 4);
    free(appended);
    free(reference);
    gf_picture_destroy(&p);
}

/* Bytes go the way of pictures. */
static void any_bytes(void)
{
    gf_error error = GF_ERROR_INIT;
    size_t size = 0;
    const char *path = in_folder("any.txt");
    gf_write_options options = watched();
    CHECK_MSG(gf_io_write_bytes(path, "text", 4, &options, &error) == GF_OK, "%s", error.message);
    CHECK_EQ_INT(seen_calls, 3);
    options.no_clobber = 1;
    CHECK_EQ_INT(gf_io_write_bytes(path, "other", 5, &options, &error), GF_ERROR_OUTPUT);
    unsigned char *bytes = get_file(path, &size);
    REQUIRE(bytes != NULL && size == 4);
    CHECK_MEM(bytes, "text", 4);
    free(bytes);
    CHECK_EQ_INT(gf_io_write_bytes(path, NULL, 0, NULL, &error), GF_OK);
    bytes = get_file(path, &size);
    CHECK_EQ_INT(size, 0);
    free(bytes);
    CHECK_EQ_INT(gf_io_write_bytes("/dev/full", "text", 4, NULL, &error), GF_ERROR_OUTPUT);
    CHECK_STR(error.message, "/dev/full: cannot write: No space left on device");
    CHECK_EQ_INT(gf_io_write_bytes(path, NULL, 1, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_io_write_bytes("", "text", 4, NULL, &error), GF_ERROR_ARGUMENT);
    options.struct_size = 1;
    CHECK_EQ_INT(gf_io_write_bytes(path, "text", 4, &options, &error), GF_ERROR_ARGUMENT);
}

static void folders_that_refuse(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(9, 8, 3, GF_U8);
    CHECK_EQ_INT(gf_io_write(in_folder("none/a.png"), &p->image, NULL, NULL, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "none/a.png: cannot create a file in its folder: No such file");
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.format = "png";
    CHECK_EQ_INT(gf_io_write(in_folder("sub"), &p->image, NULL, &options, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "is a folder");
    options.format = NULL; /* and no suffix tells it */
    CHECK_EQ_INT(gf_io_write(in_folder("sub"), &p->image, NULL, &options, &error), GF_ERROR_OUTPUT);
    CHECK_STR_HAS(error.message, "sub: is a folder, not a file");
    CHECK_EQ_INT(gf_io_write("", &p->image, NULL, &options, &error), GF_ERROR_ARGUMENT);
    gf_picture_destroy(&p);
}

/* Root may write anywhere: in a child that has given up being root. */
static void folders_without_leave(void)
{
    const char *folder = in_folder("closed"), *file = in_folder("closed/a.png"),
               *only = in_folder("readonly.png");
    REQUIRE(mkdir(folder, 0555) == 0 && put_file(only, "old", 3) && chmod(only, 0444) == 0);
    REQUIRE(chmod(help_folder, 0777) == 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        gf_picture *p = make_picture(9, 8, 3, GF_U8);
        gf_error error = GF_ERROR_INIT;
        int drop = getuid() == 0 ? setgid(65534) || setuid(65534) : 0;
        int bad = drop ? 8 : 0;
        bad |= gf_io_write(file, &p->image, NULL, NULL, &error) != GF_ERROR_OUTPUT;
        bad |= strstr(error.message, "Permission denied") == NULL ? 2 : 0;
        bad |= gf_io_write(only, &p->image, NULL, NULL, &error) != GF_ERROR_OUTPUT ? 4 : 0;
        bad |= strstr(error.message, "cannot overwrite: Permission denied") == NULL ? 16 : 0;
        gf_picture_destroy(&p);
        _exit(bad);
    }
    int status = -1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_EQ_INT(WEXITSTATUS(status), 0);
    CHECK_EQ_INT(count_entries(folder), 0);
}

/* The disk is full at every possible byte: a limit on the file's size stands in for it. */
static void fails_at_every_size(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = make_picture(300, 200, 3, GF_U8);
    struct rlimit old, now;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0 && handler != SIG_ERR);
    for (int i = 0; i < 2; i++) {
        const char *path = in_folder(i ? "full.npy" : "full.png");
        REQUIRE(put_file(path, "old", 3));
        int before = count_entries(help_folder), failed = 0;
        for (rlim_t limit = 0; limit < 400000; limit += 29989) {
            now = old;
            now.rlim_cur = limit;
            setrlimit(RLIMIT_FSIZE, &now);
            gf_status status = gf_io_write(path, &p->image, NULL, NULL, &error);
            setrlimit(RLIMIT_FSIZE, &old);
            struct stat st;
            REQUIRE(stat(path, &st) == 0);
            CHECK_MSG(status == GF_OK ? st.st_size > 1000 : st.st_size == 3 && status == GF_ERROR_OUTPUT,
                      "limit %lld: status %d, %lld bytes", (long long)limit, (int)status,
                      (long long)st.st_size);
            CHECK_EQ_INT(count_entries(help_folder), before);
            failed += status != GF_OK;
            put_file(path, "old", 3);
        }
        CHECK(failed >= 3 && failed < 14);
    }
    signal(SIGXFSZ, handler);
    gf_picture_destroy(&p);
}

static char race_path[512];

static void *write_often(void *argument)
{
    gf_picture *p = make_picture(64, 64, (int)(intptr_t)argument, GF_U8);
    intptr_t bad = 0;
    for (int i = 0; i < 20; i++) {
        bad += gf_io_write(race_path, &p->image, NULL, NULL, NULL) != GF_OK;
    }
    gf_picture_destroy(&p);
    return (void *)bad;
}

/* Writers of one name do not mix; the last wins. */
static void writers_do_not_mix(void)
{
    pthread_t threads[4];
    gf_picture *in = NULL;
    snprintf(race_path, sizeof race_path, "%s", in_folder("race.png"));
    for (intptr_t i = 0; i < 4; i++) {
        REQUIRE(pthread_create(&threads[i], NULL, write_often, (void *)(i + 1)) == 0);
    }
    for (int i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        CHECK(bad == NULL);
    }
    CHECK_EQ_INT(gf_io_read(race_path, NULL, &in, NULL), GF_OK);
    gf_picture_destroy(&in);
}

static void no_temporary_is_left(void)
{
    DIR *dir = opendir(help_folder);
    struct dirent *entry;
    REQUIRE(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        CHECK_MSG(strncmp(entry->d_name, ".gpufilter-", 11) != 0, "%s is left", entry->d_name);
    }
    closedir(dir);
    remove_folder(help_folder);
    CHECK(access(help_folder, F_OK) != 0);
}

static const struct check_case cases[] = {
    {"a new file, its mode and its temporary", new_file},
    {"an existing file, its mode and no_clobber", existing_file},
    {"a file that appears late is not clobbered", late_file_is_not_clobbered},
    {"symbolic links stay", symbolic_links},
    {"devices are written through", through_devices},
    {"FIFOs and descriptors are written through", through_fifo_and_descriptors},
    {"bytes of any kind", any_bytes},
    {"folders that are not there", folders_that_refuse},
    {"folders and files without leave", folders_without_leave},
    {"a write that fails leaves the old file", fails_at_every_size},
    {"several writers of one name", writers_do_not_mix},
    {"no temporary is left", no_temporary_is_left},
};

CHECK_MAIN(cases)
