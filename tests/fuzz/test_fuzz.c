/* Every fuzz target over its seeds and over the files that once made it fail: tests/fuzz/seeds/TARGET/ and
 * tests/fuzz/regress/TARGET-what.bin. Without libFuzzer, so in every build.
 *
 *   test_fuzz                  TAP
 *   test_fuzz TARGET FILE...   these files, to look into a find */
#define _GNU_SOURCE
#include "check.h"
#include "fuzz.h"

#include <dirent.h>

static const struct {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define GF_FUZZ_TARGET(name) {#name, fuzz_##name},
#include "targets.def"
};

enum { TARGETS = sizeof targets / sizeof targets[0] };

/* Bytes in a block of exactly their size, so that a read beyond it is seen. */
static int run_file(int target, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return check_that(0, __FILE__, __LINE__, "%s: cannot be read", path);
    }
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size > 0 ? size : 1);
    rewind(file);
    int whole = data != NULL && fread(data, 1, size, file) == size;
    fclose(file);
    if (whole) {
        targets[target].run(data, size);
    }
    free(data);
    return check_that(whole, __FILE__, __LINE__, "%s: cannot be read", path);
}

/* Runs the files of a folder whose names begin with `prefix`; returns how many. */
static int run_folder(int target, const char *folder, const char *prefix)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    int count = 0;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[1024];
        snprintf(path, sizeof path, "%.700s/%.255s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            count += run_file(target, path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return count;
}

static void run_target(int target)
{
    char folder[512], prefix[64];
    snprintf(folder, sizeof folder, "%s/seeds/%s", GF_FUZZ_FOLDER, targets[target].name);
    snprintf(prefix, sizeof prefix, "%s-", targets[target].name);
    int seeds = run_folder(target, folder, "");
    CHECK_MSG(seeds >= 5, "%s has %d seeds", folder, seeds);
    run_folder(target, GF_FUZZ_FOLDER "/regress", prefix);
}

static void every_target(void)
{
    for (int i = 0; i < TARGETS; i++) {
        printf("# %s\n", targets[i].name); /* where a target aborts, this is the last line */
        fflush(stdout);
        run_target(i);
    }
}

/* Seeds that a reader refuses as something else would prove nothing either. */
static void seeds_of_flac_are_flac(void)
{
    static const char *const sound[] = {"s16", "s24", "u8", "three", "tagged", "fixed", "streamed"};
    const gf_signal_format *format = NULL;
    gf_error error = GF_ERROR_INIT;
    if (gf_signal_io_format_for("x.flac", NULL, &format, &error) != GF_OK || format->samples == 0) {
        SKIP("this build has no FLAC");
    }
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        char path[1024];
        float frame[8];
        int64_t got = 1, frames = 0;
        gf_signal_reader *reader = NULL;
        snprintf(path, sizeof path, "%s/seeds/flac/%s", GF_FUZZ_FOLDER, sound[i]);
        gf_status status = gf_signal_reader_open(path, NULL, &reader, &error);
        for (; status == GF_OK && got == 1; frames += got) {
            status = gf_signal_reader_read(reader, frame, 1, 1, &got, &error);
        }
        CHECK_MSG(status == GF_OK && frames > 0, "%s", error.message);
        gf_signal_reader_close(&reader);
    }
}

/* A regression file that no target runs would prove nothing. */
static void every_regression_has_a_target(void)
{
    DIR *dir = opendir(GF_FUZZ_FOLDER "/regress");
    struct dirent *entry;
    int found = 0;
    REQUIRE(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        int known = entry->d_name[0] == '.';
        for (int i = 0; i < TARGETS; i++) {
            size_t length = strlen(targets[i].name);
            known |= strncmp(entry->d_name, targets[i].name, length) == 0 && entry->d_name[length] == '-';
        }
        found += entry->d_name[0] != '.';
        CHECK_MSG(known, "regress/%s: its name must begin with a target and '-'", entry->d_name);
    }
    closedir(dir);
    CHECK(found > 0);
}

static const struct check_case cases[] = {
    {"every target over its seeds and finds", every_target},
    {"the seeds of FLAC are FLAC", seeds_of_flac_are_flac},
    {"every find belongs to a target", every_regression_has_a_target},
};

int main(int argc, char **argv)
{
    if (argc == 1) {
        return check_run(cases, sizeof cases / sizeof cases[0], NULL);
    }
    int i = 0, bad = 0;
    while (i < TARGETS && strcmp(argv[1], targets[i].name) != 0) {
        i++;
    }
    for (int file = 2; i < TARGETS && file < argc; file++) {
        bad |= !run_file(i, argv[file]);
    }
    return i == TARGETS || bad;
}
