/* The outside PNG corpora, against the verdicts and hashes that libpng 1.6.39 gave. Needs the
 * variable GPUFILTER_CORPORA; without it every case is skipped. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "gpufilter/io.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define TABLE    "EXPECTED-libpng-1.6.39-and-stb-2.30.tsv"
#define MAX_ROWS 2000

struct row {
    char file[160];
    int width, height, accepted;
    unsigned long long hash8, hash16;
    long long bytes;
};

static struct row rows[MAX_ROWS];
static int row_count;

/* Its EXIF has orientation 6: the stored pixel x, y of the table's values is delivered at width - 1 - y, x.
 */
static const char turned_file[] = "broken-png/image-rs-bugfixes/F-exif-chunk-early.png";

static const char *corpora(void)
{
    return getenv("GPUFILTER_CORPORA");
}

static int under_tool(void)
{
    const char *preload = getenv("LD_PRELOAD");
#if defined(__SANITIZE_ADDRESS__)
    return 1;
#endif
    return preload != NULL && strstr(preload, "vgpreload") != NULL;
}

static int by_size(const void *a, const void *b)
{
    const struct row *p = a, *q = b;
    return (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

static void full_path(char *path, size_t size, const char *file)
{
    snprintf(path, size, "%.3500s/%.200s", corpora(), file);
}

/* Reads the table once; file, size and verdict of every line. */
static int load_table(void)
{
    char path[4096], line[4096];
    if (row_count > 0) {
        return row_count;
    }
    full_path(path, sizeof path, TABLE);
    FILE *table = fopen(path, "r");
    while (table != NULL && row_count < MAX_ROWS && fgets(line, sizeof line, table) != NULL) {
        struct row *row = &rows[row_count];
        char verdict[8] = "";
        if (line[0] == '#' || sscanf(line, "%159[^\t]\t%d\t%d\t%*d\t%*d\t%*d\t%7s\t%llx\t%llx", row->file,
                                     &row->width, &row->height, verdict, &row->hash8, &row->hash16) != 6) {
            continue;
        }
        struct stat st;
        full_path(path, sizeof path, row->file);
        row->accepted = strcmp(verdict, "OK") == 0;
        row->bytes = stat(path, &st) == 0 ? (long long)st.st_size : -1;
        row_count++;
    }
    if (table != NULL) {
        fclose(table);
    }
    qsort(rows, (size_t)row_count, sizeof rows[0], by_size);
    return row_count;
}

static unsigned sample_of(const gf_image *image, int64_t x, int64_t y, int channel)
{
    const char *row = (const char *)image->data + y * image->pitch;
    int64_t at = x * image->shape.channels + channel;
    return image->shape.depth == GF_U16 ? ((const uint16_t *)(const void *)row)[at]
                                        : ((const uint8_t *)row)[at];
}

static void fnv(unsigned long long *hash, unsigned byte)
{
    *hash = (*hash ^ byte) * 0x100000001b3ull;
}

/* FNV-1a-64 over RGBA8 (rounded) and RGBA16 (big endian), as the table has it. */
static void hash_picture(const gf_image *image, int turned, unsigned long long *hash8,
                         unsigned long long *hash16)
{
    int channels = image->shape.channels, grey = channels < 3;
    *hash8 = *hash16 = 1469598103934665603ull; /* the basis its maker used: FNV's lacks the last digit */
    int64_t width = image->shape.width, height = image->shape.height;
    for (int64_t y = 0; y < (turned ? width : height); y++) {
        for (int64_t x = 0; x < (turned ? height : width); x++) {
            for (int c = 0; c < 4; c++) {
                int from = c == 3 ? channels - 1 : grey ? 0 : c;
                int opaque = c == 3 && channels % 2 == 1;
                unsigned v = turned ? sample_of(image, width - 1 - y, x, from) : sample_of(image, x, y, from);
                unsigned wide = image->shape.depth == GF_U16 ? v : v * 257;
                wide = opaque ? 65535 : wide;
                fnv(hash8, (wide * 255 + 32895) >> 16);
                fnv(hash16, wide >> 8);
                fnv(hash16, wide & 255);
            }
        }
    }
}

/* Seconds of the processor, so that other load on the machine does not count. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads one file and judges all of it. */
static void judge(const struct row *row)
{
    char path[4096];
    full_path(path, sizeof path, row->file);
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    double start = seconds();
    gf_status status = gf_io_read(path, NULL, &picture, &error);
    double took = seconds() - start;
    int accepted = status == GF_OK;
    CHECK_MSG(accepted == row->accepted, "%s: %s, expected %s", row->file,
              accepted ? "accepted" : error.message, row->accepted ? "a picture" : "an error");
    double samples = picture != NULL ? (double)picture->image.pitch * (double)picture->image.shape.height : 0;
    /* One second, and 5 ns more for every byte that is really delivered. */
    CHECK_MSG(under_tool() || took < 1 + 5e-9 * samples, "%s: took %.2f s", row->file, took);
    if (accepted) {
        unsigned long long hash8, hash16;
        hash_picture(&picture->image, strcmp(row->file, turned_file) == 0, &hash8, &hash16);
        CHECK_MSG(picture->image.shape.width == row->width && picture->image.shape.height == row->height,
                  "%s: wrong size", row->file);
        CHECK_MSG(hash8 == row->hash8, "%s: RGBA8 %016llx, expected %016llx", row->file, hash8, row->hash8);
        CHECK_MSG(hash16 == row->hash16, "%s: RGBA16 %016llx, expected %016llx", row->file, hash16,
                  row->hash16);
    } else {
        CHECK_MSG(picture == NULL, "%s: a picture beside an error", row->file);
        CHECK_MSG(status == GF_ERROR_INPUT || status == GF_ERROR_LIMIT, "%s: status %d", row->file,
                  (int)status);
        CHECK_MSG(strchr(error.message, '\n') == NULL && strstr(error.message, ": ") != NULL,
                  "%s: message \"%s\"", row->file, error.message);
    }
    gf_picture_destroy(&picture);
}

/* Judges the files of one folder; returns how many. */
static int judge_folder(const char *folder)
{
    int count = 0;
    for (int i = 0; i < row_count; i++) {
        if (strncmp(rows[i].file, folder, strlen(folder)) == 0) {
            judge(&rows[i]);
            count++;
        }
    }
    return count;
}

#define NEED_CORPORA()                                                                                       \
    do {                                                                                                     \
        if (corpora() == NULL) {                                                                             \
            SKIP("GPUFILTER_CORPORA is not set");                                                            \
        }                                                                                                    \
        REQUIRE(load_table() > 0);                                                                           \
    } while (0)

static void pngsuite(void)
{
    NEED_CORPORA();
    int good = 0, corrupt = 0;
    for (int i = 0; i < row_count; i++) {
        if (strncmp(rows[i].file, "pngsuite/", 9) == 0) {
            judge(&rows[i]);
            good += rows[i].accepted;
            corrupt += !rows[i].accepted;
        }
    }
    CHECK_EQ_INT(good, 161);
    CHECK_EQ_INT(corrupt, 14);
}

static void bombs(void)
{
    NEED_CORPORA();
    CHECK_EQ_INT(judge_folder("bombs-generated/"), 29);
}

static void broken(void)
{
    NEED_CORPORA();
    CHECK_EQ_INT(judge_folder("broken-png/"), 624);
}

static void contrib(void)
{
    NEED_CORPORA();
    CHECK_EQ_INT(judge_folder("libpng-contrib/"), 202);
    CHECK_EQ_INT(row_count, 175 + 29 + 624 + 202); /* no row of the table is left out */
}

/* The header alone promises the shape that reading delivers. */
static void probe_agrees(void)
{
    NEED_CORPORA();
    int compared = 0;
    for (int i = 0; i < row_count && rows[i].bytes < 100000; i++) {
        char path[4096];
        full_path(path, sizeof path, rows[i].file);
        gf_file_info info = GF_FILE_INFO_INIT;
        gf_picture *picture = NULL;
        gf_status probed = gf_io_probe(path, NULL, &info, NULL);
        if (gf_io_read(path, NULL, &picture, NULL) == GF_OK) {
            const gf_shape *a = &info.shape, *b = &picture->image.shape;
            CHECK_MSG(probed == GF_OK && a->width == b->width && a->height == b->height &&
                          a->channels == b->channels && a->depth == b->depth,
                      "%s: probe and read differ", rows[i].file);
            compared++;
        }
        gf_picture_destroy(&picture);
    }
    CHECK_MSG(compared > 300, "only %d files compared", compared);
}

/* Two readings of a palette that is too short give the same bytes: none is left over memory. */
static void palette_overrun_is_black(void)
{
    NEED_CORPORA();
    char path[4096];
    full_path(path, sizeof path, "bombs-generated/palette_oob.png");
    gf_picture *picture = NULL;
    REQUIRE(gf_io_read(path, NULL, &picture, NULL) == GF_OK);
    const gf_image *image = &picture->image;
    int black = 0;
    for (int64_t x = 0; x < image->shape.width; x++) {
        black += sample_of(image, x, 0, 0) == 0 && sample_of(image, x, 0, 1) == 0 &&
                 sample_of(image, x, 0, 2) == 0;
    }
    CHECK_MSG(black > 0, "no black pixel");
    gf_picture_destroy(&picture);
}

static const struct check_case cases[] = {
    {"PngSuite: 161 pictures, 14 refused", pngsuite},
    {"generated bombs", bombs},
    {"broken PNG files", broken},
    {"libpng's own test files", contrib},
    {"probe agrees with read", probe_agrees},
    {"an index beyond the palette is black", palette_overrun_is_black},
};

CHECK_MAIN(cases)
