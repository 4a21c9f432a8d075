/* PNG as it is written: filters, segments and their borders, any number of threads, rows in any portions. */
#define _DEFAULT_SOURCE
#include "io/png/png_filter.h"
#include "io/png/png_segments.h"
#include "io_help.h"

#define SEGMENT ((int64_t)GF_PNG_SEGMENT)

/* A picture of noise, slopes, flat parts and rows that come again, in bands of `band` rows. */
static gf_picture *make_mixture(int64_t width, int64_t height, int channels, gf_depth depth, int64_t band)
{
    gf_picture *picture = make_picture(width, height, channels, depth);
    for (int64_t y = 0; picture != NULL && y < height; y++) {
        unsigned char *row = (unsigned char *)picture->image.data + y * picture->image.pitch;
        size_t size = row_bytes(&picture->image);
        int kind = (int)(y / band % 4);
        for (size_t i = 0; i < size && kind < 3 && kind > 0; i++) {
            row[i] = kind == 1 ? (unsigned char)(i / 5 + (size_t)y * 3 + row[i] % 4) : (unsigned char)(y / 7);
        }
        if (kind == 3 && y > 1) {
            memcpy(row, row - 2 * picture->image.pitch, size);
        }
    }
    return picture;
}

/* Writes `portion` rows at a time, all where it is 0. */
static gf_status write_portions(const char *path, const gf_picture *picture, int level, int threads,
                                int64_t portion, gf_error *error)
{
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.png_level = level;
    options.threads = threads;
    const gf_image *image = &picture->image;
    int64_t height = image->shape.height, step = portion > 0 ? portion : height;
    gf_writer *writer;
    gf_status status = gf_writer_open(path, &image->shape, NULL, &options, &writer, error);
    if (status != GF_OK) {
        return status;
    }
    gf_sink sink = gf_writer_sink(writer);
    for (int64_t y = 0; y < height && status == GF_OK; y += step) {
        /* The rows lie in memory of their own: what was delivered before may be gone. */
        int64_t count = height - y < step ? height - y : step;
        size_t size = (size_t)(count * image->pitch);
        unsigned char *rows = (unsigned char *)malloc(size);
        memcpy(rows, (unsigned char *)image->data + y * image->pitch, size);
        status = sink.rows(sink.user, rows, image->pitch, count, error);
        free(rows);
    }
    if (status != GF_OK) {
        gf_writer_abort(&writer);
        return status;
    }
    return gf_writer_commit(&writer, error);
}

static void check_written(const gf_picture *picture, int level, int threads, int64_t portion)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *in = NULL;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    const gf_shape *shape = &picture->image.shape;
    limits.max_width = limits.max_pixels;
    gf_status status = write_portions(in_folder("s.png"), picture, level, threads, portion, &error);
    status = status == GF_OK ? gf_io_read(in_folder("s.png"), &limits, &in, &error) : status;
    CHECK_MSG(status == GF_OK && same_pictures(&picture->image, &in->image),
              "%lld x %lld x %d %s, level %d, %d threads: %s", (long long)shape->width,
              (long long)shape->height, (int)shape->channels, gf_depth_name(shape->depth), level, threads,
              status == GF_OK ? "differs" : error.message);
    gf_picture_destroy(&in);
}

/* Pictures whose filtered bytes end around the end of a segment; rows of one pixel, and longer than a
 * segment, and than all that one thread, or two, hold at a time. */
static void segment_borders(void)
{
    static const int levels[] = {-1, 0, 1, 6};
    int n = 0;
    for (int depth = GF_U8; depth <= GF_U16; depth++) {
        for (int channels = 1; channels <= 4; channels++) {
            int64_t pixel = channels * (int64_t)gf_depth_size((gf_depth)depth);
            int64_t line = (SEGMENT - 1) / pixel, tall = SEGMENT / (pixel + 1);
            const int64_t sizes[][2] = {
                {1, 1},        {line - 1, 1},     {line, 1},          {line + 1, 1},    {line / 2, 4},
                {1, tall},     {1, tall + 1},     {line / 7 + 1, 15}, {line * 2, 1},    {line * 2 + 1, 2},
                {line * 5, 2}, {line / 300, 601}, {line * 4 + 3, 1},  {line / 100, 99},
            };
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++, n++) {
                if (!check_slice(n, 8 * 14)) {
                    continue;
                }
                gf_picture *picture =
                    make_mixture(sizes[i][0], sizes[i][1], channels, (gf_depth)depth, 1 + sizes[i][1] / 5);
                REQUIRE(picture != NULL);
                check_written(picture, levels[n % 4], 1 + n % 3, 0);
                check_written(picture, -1, 2 - n % 2, sizes[i][1] > 1000 ? 97 : 1);
                gf_picture_destroy(&picture);
            }
        }
    }
}

static void same_bytes(const gf_picture *picture, int level)
{
    static const int threads[] = {1, 2, 3, 7, 0};
    static const int64_t portions[] = {0, 1, 3, 100};
    gf_error error = GF_ERROR_INIT;
    size_t size = 0, other = 0;
    REQUIRE(write_portions(in_folder("1.png"), picture, level, 1, 0, &error) == GF_OK);
    unsigned char *bytes = get_file(in_folder("1.png"), &size);
    for (int i = 1; i < 5 * 4; i++) {
        int64_t portion = portions[i % 4];
        REQUIRE(write_portions(in_folder("n.png"), picture, level, threads[i / 4], portion, &error) == GF_OK);
        unsigned char *again = get_file(in_folder("n.png"), &other);
        CHECK_MSG(other == size && memcmp(again, bytes, size) == 0,
                  "level %d: %d threads, %lld rows at a time: other bytes", level, threads[i / 4],
                  (long long)portion);
        free(again);
    }
    free(bytes);
    check_written(picture, level, 0, 0);
}

static void threads_and_portions(void)
{
    static const int levels[] = {-1, 0, 5};
    for (int i = 0; i < 3; i++) {
        gf_picture *narrow = make_mixture(301, 901, 3, GF_U8, 111);
        gf_picture *wide = make_mixture(70001, 6, 1, GF_U16, 2);
        REQUIRE(narrow != NULL && wide != NULL);
        same_bytes(narrow, levels[i]);
        same_bytes(wide, levels[i]);
        gf_picture_destroy(&narrow);
        gf_picture_destroy(&wide);
    }
}

/* Two rows of noise that come again and again cost little more than once, in whichever segment they are. */
static void segments_look_back(void)
{
    gf_picture *picture = make_picture(3000, 100, 3, GF_U8);
    REQUIRE(picture != NULL);
    for (int64_t y = 2; y < 100; y++) {
        unsigned char *row = (unsigned char *)picture->image.data + y * picture->image.pitch;
        memcpy(row, row - 2 * picture->image.pitch, 9000);
    }
    size_t size = 0;
    check_written(picture, 6, 2, 0);
    unsigned char *bytes = get_file(in_folder("s.png"), &size);
    CHECK_MSG(size > 18000 && size < 34000, "%zu bytes", size); /* the first row is filtered otherwise */
    free(bytes);
    gf_picture_destroy(&picture);
}

/* The default level makes little of what repeats, and no more of noise than blocks that are stored. */
static void default_level_sizes(void)
{
    enum { WIDTH = 1000, HEIGHT = 800, RAW = (3 * WIDTH + 1) * HEIGHT };
    size_t noisy = 0, flat = 0;
    gf_picture *picture = make_picture(WIDTH, HEIGHT, 3, GF_U8);
    REQUIRE(picture != NULL);
    check_written(picture, -1, 2, 0);
    free(get_file(in_folder("s.png"), &noisy));
    CHECK_MSG(noisy < RAW + RAW / 500, "%zu bytes of %d of noise", noisy, (int)RAW);
    for (int64_t y = 0; y < HEIGHT; y++) {
        memset((unsigned char *)picture->image.data + y * picture->image.pitch, y < 300 ? 17 : 200,
               (size_t)3 * WIDTH);
    }
    check_written(picture, -1, 2, 0);
    free(get_file(in_folder("s.png"), &flat));
    CHECK_MSG(flat < RAW / 200, "%zu bytes of %d of two shades", flat, (int)RAW);
    gf_picture_destroy(&picture);
}

/* A chunk for each segment, in order, and zlib's header names the level. */
static void chunks(void)
{
    static const unsigned char tried[] = {0x01, 0x01, 0x01, 0x5e, 0x5e, 0x5e, 0x5e, 0x9c, 0xda, 0xda, 0xda};
    gf_picture *picture = make_picture(100, 3000, 3, GF_U8); /* 903 000 filtered bytes */
    REQUIRE(picture != NULL);
    for (int level = -1; level <= 9; level += 1 + level / 4) {
        size_t size = 0, at = 8;
        int count = 0;
        check_written(picture, level, 2, 0);
        unsigned char *bytes = get_file(in_folder("s.png"), &size);
        while (at + 12 <= size) {
            size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                            (size_t)bytes[at + 2] << 8 | bytes[at + 3];
            const char *name = count == 0 ? "IHDR" : count <= 4 ? "IDAT" : "IEND";
            CHECK_MEM(bytes + at + 4, name, 4);
            CHECK(count != 1 || (bytes[at + 8] == 0x78 && bytes[at + 9] == tried[level + 1]));
            CHECK(count == 0 || (bytes[at + 8] << 8 | bytes[at + 9]) % 31 == 0 || count > 1);
            at += 12 + length;
            count++;
        }
        CHECK_EQ_INT(at, size);
        CHECK_EQ_INT(count, 6);
        free(bytes);
    }
    gf_picture_destroy(&picture);
}

/* ---- filters ---- */

static int near(int left, int up, int corner) /* the Paeth predictor, as the specification has it */
{
    int p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* Undone by the plain definition, a filtered row is the row; whatever part of it is asked for is the same. */
static void filters_are_undone(void)
{
    enum { LARGEST = 700 };
    unsigned char row[LARGEST], above[LARGEST], out[LARGEST], part[LARGEST];
    uint32_t state = 1;
    for (int n = 0; n < 4000; n++) {
        size_t pixel = (size_t)(1 + n % 8), size = pixel * (1 + (size_t)n * 7 % (LARGEST / pixel));
        enum gf_png_filter filter = (enum gf_png_filter)(n % GF_PNG_FILTERS);
        for (size_t i = 0; i < size; i++) {
            state = state * 1664525u + 1013904223u;
            row[i] = (unsigned char)(n % 3 ? state >> 24 : (state >> 31) * 255);
            above[i] = (unsigned char)(n % 2 ? state >> 16 : row[i]);
        }
        gf_png_filter_apply(filter, row, above, 0, size, pixel, out);
        size_t from = (state >> 8) % size, to = from + (state >> 4) % (size - from + 1);
        gf_png_filter_apply(filter, row, above, from, to, pixel, part);
        CHECK_MEM(part, out + from, to - from);
        for (size_t i = 0; i < size; i++) {
            int left = i < pixel ? 0 : row[i - pixel], corner = i < pixel ? 0 : above[i - pixel];
            const int taken[] = {0, left, above[i], (left + above[i]) / 2, near(left, above[i], corner)};
            CHECK_EQ_INT((out[i] + taken[filter]) & 255, row[i]);
        }
    }
}

/* Rows taken back at once are the rows that were filtered, each under any filter, and nothing else is
 * written. A filter that is none ends them. */
static void rows_are_taken_back(void)
{
    enum { LARGEST = 400, ROWS = GF_PNG_UNFILTER_ROWS, PAD = 3, PITCH = LARGEST + PAD };
    unsigned char rows[ROWS + 1][LARGEST], made[ROWS * PITCH], in[ROWS * (LARGEST + 1)];
    uint32_t state = 1;
    int whole = 0, broken = 0;
    for (int n = 0; n < 6000; n++) {
        const size_t pixel = (size_t)(1 + n % 6), size = pixel * (1 + (size_t)n * 7 % (LARGEST / pixel));
        const int count = n % 5 ? ROWS : 1 + n / 5 % ROWS, bad = n % 7 ? ROWS : n / 7 % ROWS;
        for (size_t y = 0; y <= ROWS; y++) {
            for (size_t i = 0; i < size; i++) {
                state = state * 1664525u + 1013904223u;
                rows[y][i] = (unsigned char)(n % 3 ? state >> 24 : n % 2 ? (state >> 31) * 255 : state >> 30);
            }
        }
        for (size_t y = 0; y < ROWS; y++) {
            const unsigned filter =
                n % 4 ? (state >> (8 + 3 * y)) % GF_PNG_FILTERS : (unsigned)n / 4 % GF_PNG_FILTERS;
            unsigned char *to = in + y * (size + 1);
            to[0] = (unsigned char)filter;
            gf_png_filter_apply((enum gf_png_filter)filter, rows[y + 1], rows[y], 0, size, pixel, to + 1);
            to[0] = (int)y == bad ? (unsigned char)(GF_PNG_FILTERS + (state >> 28)) : to[0];
        }
        memset(made, 0xee, sizeof made);
        const int want = bad < count ? bad : count;
        CHECK_EQ_INT(gf_png_filter_undo(in, rows[0], made, PITCH, count, size, pixel), want);
        for (int y = 0; y < ROWS; y++) {
            CHECK_MSG(y >= want || !memcmp(made + y * PITCH, rows[y + 1], size), "case %d, row %d", n, y);
            for (size_t i = y < want ? size : 0; i < PITCH; i++) {
                CHECK_EQ_INT(made[(size_t)y * PITCH + i], 0xee);
            }
        }
        whole += want == ROWS;
        broken += want < count;
    }
    CHECK(whole > 3000 && broken > 500);
}

static void least_sum_is_chosen(void)
{
    enum { LARGEST = 2000 };
    unsigned char row[LARGEST], above[LARGEST], out[LARGEST];
    int chosen[GF_PNG_FILTERS] = {0};
    uint32_t state = 1;
    for (int n = 0; n < 3000; n++) {
        size_t pixel = (size_t)(1 + n % 8), size = pixel * (1 + (size_t)n * 7 % (LARGEST / pixel));
        long sums[GF_PNG_FILTERS] = {0};
        for (size_t i = 0; i < size; i++) {
            state = state * 1664525u + 1013904223u;
            int noise = (int)(state >> 24) % (2 + n % 5), slope = (int)(i / pixel) * (n % 7 / 2);
            above[i] = (unsigned char)(slope + (n % 4 ? noise : (int)(state >> 16)));
            row[i] = (unsigned char)(n % 11 == 0 ? noise : above[i] + (n % 3) * 9 + noise * (n % 2));
            if (n % 13 == 0 && i >= pixel) {
                row[i] = (unsigned char)((row[i - pixel] + above[i]) / 2 + noise % 2);
            }
        }
        enum gf_png_filter best = gf_png_filter_choose(row, above, size, pixel, 1);
        for (int filter = 0; filter < GF_PNG_FILTERS; filter++) {
            gf_png_filter_apply((enum gf_png_filter)filter, row, above, 0, size, pixel, out);
            for (size_t i = 0; i < size; i++) {
                sums[filter] += out[i] < 128 ? out[i] : 256 - out[i];
            }
        }
        for (int filter = 0; filter < GF_PNG_FILTERS; filter++) {
            CHECK(sums[best] < sums[filter] || (sums[best] == sums[filter] && (int)best <= filter));
        }
        chosen[best]++;
    }
    for (int filter = 0; filter < GF_PNG_FILTERS; filter++) {
        CHECK_MSG(chosen[filter] > 0, "filter %d was never best", filter);
    }
}

/* ---- errors and judges from outside ---- */

static void refusals(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = make_picture(1200, 1000, 3, GF_U8);
    REQUIRE(picture != NULL);
    CHECK_EQ_INT(write_portions(in_folder("t.png"), picture, -1, -1, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "threads -1 is outside 0 to 1024");
    CHECK_EQ_INT(write_portions(in_folder("t.png"), picture, -1, 1025, 0, &error), GF_ERROR_ARGUMENT);
    CHECK(access(in_folder("t.png"), F_OK) != 0);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK_EQ_INT(write_portions("/dev/full", picture, 0, threads, 100, &error), GF_ERROR_UNSUPPORTED);
        REQUIRE(symlink("/dev/full", in_folder("full.png")) == 0);
        CHECK_EQ_INT(write_portions(in_folder("full.png"), picture, 0, threads, 100, &error),
                     GF_ERROR_OUTPUT);
        CHECK_STR_HAS(error.message, "No space left");
        unlink(in_folder("full.png"));
    }
    gf_picture_destroy(&picture);
}

/* Chooses the metadata that picture n carries. */
static void some_metadata(gf_metadata *metadata, int n, unsigned char icc[3001], unsigned char exif[77])
{
    fill_metadata(metadata, icc, exif);
    memcpy(icc + 16, "RGB ", 4);
    metadata->fields &= (uint32_t)n & ~(uint32_t)GF_META_CICP; /* younger than pngcheck 3 */
    metadata->icc = n % 3 == 0 ? metadata->icc : NULL;
    metadata->exif = n % 2 == 0 ? metadata->exif : NULL;
    if (n % 6 == 0) {
        metadata->icc_name[0] = '\0';
    }
}

/* Every depth, number of channels and level at every size, with all kinds of metadata. */
static void passes_pngcheck(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 30}, {30, 1}, {17, 13}, {200, 151}, {3, 2000}};
    static unsigned char icc[3001], exif[77];
    if (system("command -v pngcheck >/dev/null") != 0) {
        SKIP("pngcheck is not installed");
    }
    char command[1200], name[32];
    int n = 0;
    REQUIRE(mkdir(in_folder("pngcheck"), 0700) == 0);
    for (int size = 0; size < 6; size++) {
        for (int kind = 0; kind < 8 * 11; kind++, n++) {
            gf_metadata metadata;
            gf_write_options options = GF_WRITE_OPTIONS_INIT;
            options.png_level = kind / 8 - 1;
            some_metadata(&metadata, n * 7, icc, exif);
            if (!check_slice(n, 6 * 8 * 11)) {
                continue;
            }
            gf_picture *picture =
                make_mixture(sizes[size][0], sizes[size][1], 1 + kind % 4, kind / 4 % 2 ? GF_U16 : GF_U8, 50);
            snprintf(name, sizeof name, "pngcheck/%03d.png", n);
            REQUIRE(picture != NULL);
            REQUIRE(gf_io_write(in_folder(name), &picture->image, &metadata, &options, NULL) == GF_OK);
            gf_picture_destroy(&picture);
        }
    }
    snprintf(command, sizeof command, "cd %s && pngcheck -q *.png >log 2>&1", in_folder("pngcheck"));
    CHECK_MSG(system(command) == 0, "pngcheck refuses a picture");
    snprintf(command, sizeof command, "sed 's/^/# /' %s | head -n 20", in_folder("pngcheck/log"));
    CHECK(system(command) == 0);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"sizes around the borders of segments", segment_borders},
    {"the same bytes on any threads, by any portions", threads_and_portions},
    {"segments look back into the one before", segments_look_back},
    {"the default level: noise and flat areas", default_level_sizes},
    {"chunks of a file", chunks},
    {"filters are undone by their definition", filters_are_undone},
    {"filters of several rows are taken back at once", rows_are_taken_back},
    {"the filter of the least sum is chosen", least_sum_is_chosen},
    {"refusals and a full device", refusals},
    {"pngcheck", passes_pngcheck},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
