/* What a small file may cost: every file under 1 KiB, of the outside corpora and of our own making, through
 * the program, whose peak memory and processor time wait4 tells. Needs GPUFILTER_BIN, a release build. */
#define _GNU_SOURCE
#include "io_help.h"
#include "png_make.h"

#include <ftw.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SMALL = 1024, MOST_KIB = 16 * 1024, MOST_MS = 50, TRIES = 3 };

struct cost {
    int status;
    long kib; /* peak resident memory */
    double ms;
};

static const char *program(void)
{
    return getenv("GPUFILTER_BIN");
}

/* Runs the program on the words, its words unheard. */
static struct cost run(const char *const words[])
{
    struct rusage usage;
    struct cost cost = {-1, 0, 0};
    fflush(stdout);
    pid_t child = vfork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null >= 0 && dup2(null, 1) >= 0 && dup2(null, 2) >= 0) {
            execv(program(), (char *const *)(uintptr_t)words);
        }
        _exit(127);
    }
    if (child > 0 && wait4(child, &cost.status, 0, &usage) == child) {
        cost.kib = usage.ru_maxrss;
        cost.ms = 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                  1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    return cost;
}

static long base_kib; /* of a program that does nothing */
static int judged;
static struct cost largest;

/* Decodes and encodes; `picture_kib` is what the picture itself weighs. */
static void judge(const char *path, long picture_kib)
{
    double most_ms = MOST_MS + 0.005 * (double)picture_kib; /* 5 ns a byte */
    const char *const words[] = {program(), path, "/dev/null", "--format", "npy", NULL};
    struct cost cost = run(words);
    for (int i = 1; i < TRIES && cost.ms > most_ms; i++) {
        cost = run(words); /* another process may have been in the way */
    }
    int code = WIFEXITED(cost.status) ? WEXITSTATUS(cost.status) : -1;
    CHECK_MSG(code == 0 || code == 2 || code == 3 || code == 4, "%s: exit %d", path, code);
    CHECK_MSG(cost.kib - base_kib <= MOST_KIB + picture_kib, "%s: %ld KiB above %ld", path,
              cost.kib - base_kib, base_kib);
    CHECK_MSG(cost.ms <= most_ms, "%s: %.1f ms", path, cost.ms);
    largest.kib = cost.kib - base_kib > largest.kib ? cost.kib - base_kib : largest.kib;
    largest.ms = cost.ms > largest.ms ? cost.ms : largest.ms;
    judged++;
}

static void say(void)
{
    printf("# %d files: at most %ld KiB above %ld, %.1f ms\n", judged, largest.kib, base_kib, largest.ms);
}

static int take(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)walk;
    if (kind == FTW_F && st->st_size < SMALL) {
        judge(path, 0);
    }
    return 0;
}

static void begin(void)
{
    const char *const words[] = {program(), "version", NULL};
    base_kib = run(words).kib;
    judged = 0;
    largest = (struct cost){0, 0, 0};
}

#define NEED_PROGRAM()                                                                                       \
    do {                                                                                                     \
        if (program() == NULL) {                                                                             \
            SKIP("GPUFILTER_BIN is not set");                                                                \
        }                                                                                                    \
        begin();                                                                                             \
        REQUIRE(base_kib > 0);                                                                               \
    } while (0)

static void corpora(void)
{
    const char *folder = getenv("GPUFILTER_CORPORA");
    NEED_PROGRAM();
    if (folder == NULL) {
        SKIP("GPUFILTER_CORPORA is not set");
    }
    nftw(folder, take, 16, FTW_PHYS);
    say();
    CHECK_MSG(judged >= 800, "only %d files", judged);
}

static void judge_recipe(const struct png_recipe *recipe, long picture_kib)
{
    struct png_file file;
    size_t size = 0;
    png_make(&file, recipe);
    uint8_t *bytes = png_make_bytes(&file, &size);
    const char *path = in_folder("small.png");
    if (size < SMALL && put_file(path, bytes, size)) {
        judge(path, picture_kib);
    }
    free(bytes);
    png_make_free(&file);
}

static void generated(void)
{
    static const int kinds[][2] = {{0, 1}, {0, 16}, {2, 8}, {3, 2}, {3, 8}, {4, 16}, {6, 8}};
    NEED_PROGRAM();
    for (int n = 0; n < 56; n++) {
        struct png_recipe recipe = {.width = 1 + n,
                                    .height = 1 + n / 4,
                                    .type = kinds[n % 7][0],
                                    .depth = kinds[n % 7][1],
                                    .adam7 = n / 7 % 2,
                                    .filter = n % 6,
                                    .level = n % 10};
        judge_recipe(&recipe, 0);
    }
    say();
    CHECK(judged >= 30);
}

/* The most that 1 KiB can hold: deflate makes a thousand bytes of one, and a bit becomes four bytes. Nothing
 * may come on top of the picture. */
static void dense(void)
{
    NEED_PROGRAM();
    for (int trns = 0; trns < 2; trns++) {
        struct png_recipe recipe = {.width = 2600,
                                    .height = 2600,
                                    .type = trns ? 3 : 0,
                                    .depth = 1,
                                    .level = 9,
                                    .trns = trns,
                                    .flat = 1};
        judge_recipe(&recipe, (long)recipe.width * recipe.height * (trns ? 4 : 1) / 1024);
    }
    say();
    CHECK_EQ_INT(judged, 2);
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"files under 1 KiB of the corpora", corpora},
    {"files under 1 KiB of our own making", generated},
    {"a picture of 26 MiB in 1 KiB", dense},
};

CHECK_MAIN(cases)
