/* Fault scenarios of the program: its own main, called with words, in a folder of its own. */
#define _GNU_SOURCE
#include "fault_command.h"

#include "base/message.h"
#include "io_help.h"

#include <sys/mman.h>

int fault_program_main(int argc, char **argv); /* of pipeline/cli/base/main.c */

enum { MOST_FILES = 24, MOST_BYTES = 1 << 20 };

/* ---- files ---- */

static unsigned char bytes[MOST_BYTES];

/* The whole of an open file, ended by a zero. */
static size_t read_whole(int fd)
{
    size_t size = 0;
    ssize_t got;
    lseek(fd, 0, SEEK_SET);
    while (size < MOST_BYTES - 1 && (got = read(fd, bytes + size, MOST_BYTES - 1 - size)) > 0) {
        size += (size_t)got;
    }
    bytes[size] = '\0';
    return size;
}

/* Hash of `bytes`; for a report without the times, and without what tells where it was computed. */
static uint64_t hash_bytes(uint64_t hash, size_t size)
{
    char *plan = memmem(bytes, size, "\"plan\":", 7), *results = plan ? strstr(plan, "\"results\":") : NULL;
    if (!results) {
        return fault_hash(hash, bytes, size);
    }
    hash = fault_hash(hash, bytes, (size_t)(plan - (char *)bytes));
    return fault_hash(hash, results, size - (size_t)(results - (char *)bytes));
}

struct folder {
    int n;
    struct entry {
        char name[80];
        uint64_t hash;
    } files[MOST_FILES];
};

static void look(struct folder *folder)
{
    DIR *dir = opendir(".");
    folder->n = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir)) && folder->n < MOST_FILES;) {
        int fd =
            entry->d_name[0] == '.' && strchr("./", entry->d_name[1]) ? -1 : open(entry->d_name, O_RDONLY);
        if (fd >= 0) {
            struct entry *file = &folder->files[folder->n++];
            snprintf(file->name, sizeof file->name, "%.79s", entry->d_name);
            file->hash = hash_bytes(0, read_whole(fd));
            close(fd);
        }
    }
    if (dir) {
        closedir(dir);
    }
}

static const struct entry *find(const struct folder *folder, const char *name)
{
    for (int i = 0; i < folder->n; i++) {
        if (!strcmp(folder->files[i].name, name)) {
            return &folder->files[i];
        }
    }
    return NULL;
}

static bool is_made(const struct command *command, const char *name)
{
    for (int i = 0; i < 3 && command->made[i]; i++) {
        if (!strcmp(command->made[i], name)) {
            return true;
        }
    }
    return false;
}

/* Whatever a run may change is as it was, or, after success, there. */
static void compare(const struct command *command, const struct folder *before, const struct folder *after,
                    bool success, struct fault_run *run)
{
    for (int i = 0; i < after->n; i++) {
        const struct entry *now = &after->files[i], *old = find(before, now->name);
        bool is_journal = command->journal && !strcmp(command->journal, now->name);
        if ((!old || old->hash != now->hash) && !is_journal && !(success && is_made(command, now->name))) {
            snprintf(run->trouble, sizeof run->trouble, "%s %s", now->name, old ? "changed" : "was left");
        }
    }
    for (int i = 0; i < before->n; i++) {
        if (!find(after, before->files[i].name)) {
            snprintf(run->trouble, sizeof run->trouble, "%s is gone", before->files[i].name);
        }
    }
    for (int i = 0; success && i < 3 && command->made[i]; i++) {
        const struct entry *made = find(after, command->made[i]);
        run->hash = fault_hash(run->hash, made ? &made->hash : NULL, made ? sizeof made->hash : 0);
        if (!made || (command->over && find(before, command->made[i])->hash == made->hash)) {
            snprintf(run->trouble, sizeof run->trouble, "%s was not made", command->made[i]);
        }
    }
}

/* ---- a run ---- */

static unsigned char rgb_png[1 << 14]; /* the input of most commands, and old content of what they replace */
static size_t rgb_png_size;

static int captured[3] = {-1, -1, -1}; /* what the program has as its first three descriptors */

static int call_program(const struct command *command)
{
    char copies[MOST_WORDS][256], *words[MOST_WORDS + 2] = {(char[]){"gpufilter"}};
    int count = 1, saved[3];
    for (; command->words[count - 1]; count++) {
        snprintf(copies[count - 1], sizeof copies[0], "%s", command->words[count - 1]);
        words[count] = copies[count - 1];
    }
    captured[0] = open(command->in ? command->in : "/dev/null", O_RDONLY | O_CLOEXEC);
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) {
        if (fd > 0) {
            lseek(captured[fd], ftruncate(captured[fd], 0), SEEK_SET);
        }
        saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
        dup2(captured[fd], fd);
    }
    cli_set_verbosity(CLI_NORMAL);
    int code = fault_program_main(count, words);
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) {
        dup2(saved[fd], fd);
        close(saved[fd]);
    }
    close(captured[0]);
    return code;
}

/* Is its answer on standard output JSON, and for `compare` also that of a failure? */
static bool is_json(const struct command *command)
{
    bool json = false;
    for (int i = 0; command->words[i]; i++) {
        json = json || !strcmp(command->words[i], "--json");
    }
    return json;
}

/* Resumes without faults, and on the CPU, which nothing has broken. */
static void resume(const struct command *command, struct fault_run *run)
{
    static const char *const more[] = {"--device", "cpu", "--retry-failed"};
    struct command again = *command;
    int count = 0;
    while (again.words[count]) {
        count++;
    }
    memcpy(again.words + count, more, sizeof more);
    int code = call_program(&again);
    for (int i = 0; i < 3 && command->made[i]; i++) {
        if (code != 0 || access(command->made[i], F_OK) != 0) {
            snprintf(run->trouble, sizeof run->trouble, "--retry-failed ends with %d and does not finish it",
                     code);
        }
    }
}

void run_command(const void *how, struct fault_run *run)
{
    static struct folder before, after;
    const struct command *command = how;
    for (int i = 0; i < 3 && command->made[i]; i++) {
        unlink(command->made[i]);
        if (command->over) {
            put_file(command->made[i], rgb_png, rgb_png_size);
        }
    }
    if (command->journal) {
        unlink(command->journal);
    }
    look(&before);
    run->is_program = true;
    fault_begin();
    run->code = call_program(command);
    fault_end();
    look(&after);
    run->hash = hash_bytes(0, read_whole(captured[1]));
    bool printed = bytes[0] != '\0', to_stdout = command->words[1] && !strcmp(command->words[1], "-");
    run->hash = command->varies ? 0 : run->hash;
    read_whole(captured[2]);
    snprintf(run->message, sizeof run->message, "%.2000s", (char *)bytes);
    bool success = !strstr(run->message, "gpufilter: error: ");
    bool says_errors = command->words[0] && !strcmp(command->words[0], "compare") && is_json(command);
    if (printed && !success && !to_stdout && !says_errors) {
        snprintf(run->trouble, sizeof run->trouble, "printed on standard output, and failed");
    }
    compare(command, &before, &after, success, run);
    if (command->journal && !*run->trouble) {
        resume(command, run);
    }
}

/* ---- the inputs ---- */

static bool write_picture(const char *name, gf_shape shape, bool with_metadata)
{
    gf_picture *picture = make_picture(shape.width, shape.height, shape.channels, shape.depth);
    static unsigned char icc[3001], exif[77];
    gf_metadata metadata = GF_METADATA_INIT;
    if (with_metadata) {
        fill_metadata(&metadata, icc, exif);
    } else if (picture) {
        ((unsigned char *)picture->image.data)[0] ^= 8;
    }
    bool good = picture && gf_io_write(name, &picture->image, &metadata, NULL, NULL) == GF_OK;
    gf_picture_destroy(&picture);
    return good;
}

/* A seed of the fuzz targets; where this build cannot read it, a picture that it can. */
static bool copy_seed(const char *seed, const char *name)
{
    char path[1024];
    gf_picture *picture = NULL;
    snprintf(path, sizeof path, "%s/%s", GF_FUZZ_SEEDS, seed);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const size_t size = fd < 0 ? 0 : read_whole(fd);
    close(fd);
    put_file(name, bytes, size);
    const bool reads = gf_io_read(name, NULL, &picture, NULL) == GF_OK;
    gf_picture_destroy(&picture);
    return size > 0 && (reads || put_file(name, rgb_png, rgb_png_size));
}

static pid_t parent;

static void remove_inputs(void)
{
    if (getpid() == parent) {
        remove_folder(help_folder);
    }
}

bool fault_program_prepare(void)
{
    if (!getenv("TMPDIR") && access("/dev/shm", W_OK) == 0) {
        setenv("TMPDIR", "/dev/shm", 1); /* thousands of files are synced */
    }
    unsetenv("GPUFILTER_DEVICE");
    setenv("GPUFILTER_THREADS", "1", 1);
    unsetenv("GPUFILTER_MEMORY");
    parent = getpid();
    captured[1] = memfd_create("stdout", MFD_CLOEXEC);
    captured[2] = memfd_create("stderr", MFD_CLOEXEC);
    bool good = captured[1] >= 0 && captured[2] >= 0 && chdir(in_folder("")) == 0 &&
                atexit(remove_inputs) == 0 && write_picture("rgb.png", (gf_shape){37, 11, 3, GF_U8}, true) &&
                write_picture("rgba16.png", (gf_shape){19, 7, 4, GF_U16}, false) &&
                write_picture("signal.npy", (gf_shape){200, 1, 1, GF_F32}, false) &&
                write_picture("frame.y4m", (gf_shape){9, 5, 3, GF_U8}, false) &&
                write_picture("other.png", (gf_shape){37, 11, 3, GF_U8}, false) &&
                put_file("chain.txt", "gray, # a comment\nblur:1.5\n", 26);
    int fd = good ? open("rgb.png", O_RDONLY) : -1;
    rgb_png_size = read_whole(fd);
    close(fd);
    good = good && rgb_png_size <= sizeof rgb_png;
    memcpy(rgb_png, bytes, good ? rgb_png_size : 0);
    return good && copy_seed("gif/plain", "in.gif") && copy_seed("heif/rgb_av1", "in.avif");
}

void fault_program_log(void)
{
    bool ran = captured[2] >= 0 && read_whole(captured[2]) > 0;
    for (char *line = !ran ? NULL : strtok((char *)bytes, "\n"); line; line = strtok(NULL, "\n")) {
        printf("#   %s\n", line);
    }
}

/* ---- the commands ---- */
