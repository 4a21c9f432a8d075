/* Every file of the outside test data, whatever it is: a picture, or one line that says why not. */
#define _DEFAULT_SOURCE
#include "every_byte.h"
#include "io_help.h"

#include <time.h>

static int pictures, refused;
static double slowest;
static char slowest_path[512];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* It holds also under memcheck and sanitizers. */
static void check_time(const char *path, double taken)
{
    CHECK_MSG(taken < 1, "%s: took %.2f s", path, taken);
    if (taken > slowest) {
        slowest = taken;
        snprintf(slowest_path, sizeof slowest_path, "%.500s", path);
    }
}

static void read_one(const char *path)
{
    gf_error error = GF_ERROR_INIT;
    gf_file_info info = GF_FILE_INFO_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_picture *picture = NULL;
    limits.max_pixels = 1 << 24;
    double start = seconds();
    gf_status read = gf_io_read(path, &limits, &picture, &error);
    check_time(path, seconds() - start);
    CHECK_MSG((read == GF_OK) == (picture != NULL), "%s: %d", path, (int)read);
    if (read == GF_OK) {
        pictures++;
        look_at_every_byte(&picture->image);
        const gf_shape *shape = &picture->image.shape;
        CHECK_MSG(gf_io_probe(path, &limits, &info, &error) == GF_OK && info.shape.width == shape->width &&
                      info.shape.height == shape->height && info.shape.channels == shape->channels &&
                      info.shape.depth == shape->depth,
                  "%s: its header promised something else", path);
    } else {
        refused++;
        CHECK_MSG((read == GF_ERROR_INPUT || read == GF_ERROR_LIMIT) && strstr(error.message, ": ") != NULL &&
                      strchr(error.message, '\n') == NULL,
                  "%s: %d, %s", path, (int)read, error.message);
    }
    gf_picture_destroy(&picture);
}

/* Every regular file of a folder, and of those in it; nftw is not for MemorySanitizer. */
static void read_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    CHECK_MSG(dir != NULL, "%s: cannot be opened", folder);
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%.3800s/%.255s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || lstat(path, &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            read_folder(path);
        } else if (S_ISREG(status.st_mode)) {
            read_one(path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
}

static void every_file(void)
{
    const char *corpora = getenv("GPUFILTER_CORPORA");
    if (corpora == NULL) {
        SKIP("GPUFILTER_CORPORA is not set");
    }
    read_folder(corpora);
    printf("# %d pictures, %d refused, at most %.2f s: %s\n", pictures, refused, slowest, slowest_path);
    CHECK_MSG(pictures > 300 && refused > 300, "%d pictures, %d refused", pictures, refused);
}

static void photographs(void)
{
    static const struct {
        const char *path;
        int64_t width, height;
        const char *says;
    } table[] = {{"photos/skimage/retina.jpg", 1411, 1411, NULL},
                 {"photos/skimage/rocket.jpg", 640, 427, NULL},
                 {"broken-other/libvips/truncated.jpg", 0, 0, "the file ends early (in the JPEG data)"}};
    const gf_format *format;
    const char *corpora = getenv("GPUFILTER_CORPORA");
    if (corpora == NULL || gf_io_format_for("a.jpg", NULL, &format, NULL) != GF_OK) {
        SKIP("%s", corpora == NULL ? "GPUFILTER_CORPORA is not set" : "this build has no JPEG");
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char path[4096];
        gf_error error = GF_ERROR_INIT;
        gf_picture *in = NULL;
        snprintf(path, sizeof path, "%.3500s/%s", corpora, table[i].path);
        gf_status status = gf_io_read(path, NULL, &in, &error);
        if (table[i].says == NULL) {
            CHECK_MSG(status == GF_OK && in->image.shape.width == table[i].width &&
                          in->image.shape.height == table[i].height && in->image.shape.channels == 3,
                      "%s: %s", path, error.message);
        } else {
            CHECK_EQ_INT(status, GF_ERROR_INPUT);
            CHECK_STR_HAS(error.message, table[i].says);
        }
        gf_picture_destroy(&in);
    }
}

static const struct check_case cases[] = {
    {"every file is a picture or refused in one line", every_file},
    {"photographs, whole and cut", photographs},
};

CHECK_MAIN(cases)
