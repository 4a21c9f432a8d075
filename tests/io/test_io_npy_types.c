/* npy: which depth each of NumPy's types is delivered in, with which values and which note. */
#define _DEFAULT_SOURCE
#include "io_help.h"

#include "gpufilter/io_memory.h"

#include <float.h>
#include <inttypes.h>

enum { HEIGHT = 5, WIDTH = 700, CHANNELS = 3, SAMPLES = HEIGHT * WIDTH * CHANNELS };

/* An npy of these bytes; the caller frees it. */
static unsigned char *make_npy(const char *type, const char *order, const char *shape, const void *samples,
                               size_t size, size_t *total)
{
    unsigned char *bytes = malloc(128 + size);
    memset(bytes, ' ', 128);
    memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
    char text[118];
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", type,
                          order, shape);
    memcpy(bytes + 10, text, (size_t)length);
    memcpy(bytes + 128, samples, size);
    *total = 128 + size;
    return bytes;
}

static void reverse(unsigned char *bytes, size_t count, size_t size)
{
    for (unsigned char *at = bytes; at < bytes + count * size; at += size) {
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = at[i];
            at[i] = at[size - 1 - i];
            at[size - 1 - i] = byte;
        }
    }
}

/* A number as the type stores it, on a little-endian machine; small, so that all but bool and f2 hold it. */
static void store(const char *type, int value, unsigned char *at)
{
    static const uint16_t halves[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500}; /* 1 to 5 */
    float f32 = (float)value;
    double f64 = value;
    int64_t integer = value;
    size_t size = (size_t)(type[1] - '0');
    if (type[0] != 'f') {
        memcpy(at, &integer, size);
    } else if (size == 2) {
        memcpy(at, &halves[value - 1], 2);
    } else {
        memcpy(at, size == 4 ? (void *)&f32 : (void *)&f64, size);
    }
}

static double load(const gf_image *image, int64_t x, int64_t y, int c)
{
    const char *at = (const char *)image->data + y * image->pitch +
                     (x * image->shape.channels + c) * (int64_t)gf_depth_size(image->shape.depth);
    float f32;
    double f64;
    int64_t integer = 0;
    if (image->shape.depth == GF_F32) {
        memcpy(&f32, at, sizeof f32);
        return (double)f32;
    }
    if (image->shape.depth == GF_F64) {
        memcpy(&f64, at, sizeof f64);
        return f64;
    }
    memcpy(&integer, at, gf_depth_size(image->shape.depth)); /* none is negative here */
    return (double)integer;
}

static const struct {
    const char *type, *notes[3]; /* by result_depths; NULL: none */
    gf_depth depths[3];
} types[] = {
    {"b1",
     {"npy: bool is read as u8, 0 and 255", "npy: bool is read as u8, 0 and 255",
      "npy: bool is read as u8, 0 and 1"},
     {GF_U8, GF_U8, GF_U8}},
    {"u1", {NULL, NULL, NULL}, {GF_U8, GF_U8, GF_U8}},
    {"u2", {NULL, NULL, NULL}, {GF_U16, GF_U16, GF_U16}},
    {"u4",
     {"npy: uint32 is read as f32, rounded above 2^24, unscaled: white is 1", NULL, NULL},
     {GF_F32, GF_U32, GF_U32}},
    {"u8",
     {"npy: uint64 is read as f32, rounded above 2^24, unscaled: white is 1", NULL, NULL},
     {GF_F32, GF_U64, GF_U64}},
    {"i1",
     {"npy: int8 is read as f32, unscaled: white is 1", "npy: int8 is read as f32, unscaled: white is 1",
      "npy: int8 is read as i16"},
     {GF_F32, GF_F32, GF_S16}},
    {"i2",
     {"npy: int16 is read as f32, unscaled: white is 1", "npy: int16 is read as f32, unscaled: white is 1",
      NULL},
     {GF_F32, GF_F32, GF_S16}},
    {"i4",
     {"npy: int32 is read as f32, rounded above 2^24, unscaled: white is 1", "npy: int32 is read as f64",
      NULL},
     {GF_F32, GF_F64, GF_S32}},
    {"i8",
     {"npy: int64 is read as f32, rounded above 2^24, unscaled: white is 1", NULL, NULL},
     {GF_F32, GF_S64, GF_S64}},
    {"f2",
     {"npy: float16 is read as f32", "npy: float16 is read as f32", "npy: float16 is read as f32"},
     {GF_F32, GF_F32, GF_F32}},
    {"f4", {NULL, NULL, NULL}, {GF_F32, GF_F32, GF_F32}},
    {"f8", {"npy: float64 is read as f32, rounded", NULL, NULL}, {GF_F32, GF_F64, GF_F64}},
};

/* Reads all rows by portions of `portion`, and checks their note. */
static void check_rows(const unsigned char *bytes, size_t size, const gf_io_limits *limits, int64_t portion,
                       const gf_image *expected, const char *what)
{
    gf_reader *reader = NULL;
    gf_picture *picture = NULL;
    gf_error error = GF_ERROR_INIT;
    REQUIRE(gf_reader_open_memory(bytes, size, NULL, limits, &reader, &error) == GF_OK);
    gf_source source = gf_reader_source(reader);
    REQUIRE(gf_picture_create(&source.shape, &picture, &error) == GF_OK);
    portion = source.whole ? source.shape.height : portion;
    for (int64_t y = 0; y < source.shape.height; y += portion) {
        int64_t left = source.shape.height - y;
        CHECK_EQ_INT(source.rows(source.user, (char *)picture->image.data + y * picture->image.pitch,
                                 picture->image.pitch, left < portion ? left : portion, &error),
                     GF_OK);
    }
    CHECK_MSG(same_pictures(expected, &picture->image), "%s: other samples by rows", what);
    gf_picture_destroy(&picture);
    gf_reader_close(&reader);
}

/* One type, byte order and order of dimensions at one level. */
static void check_type(size_t t, int big, int fortran, uint32_t level)
{
    static unsigned char samples[SAMPLES * 8];
    const size_t size = (size_t)(types[t].type[1] - '0');
    int wrong = 0, boolean = types[t].type[0] == 'b', yes = level >= 2 ? 1 : 255;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < CHANNELS; c++) {
                int at = fortran ? (c * WIDTH + x) * HEIGHT + y : (y * WIDTH + x) * CHANNELS + c;
                store(types[t].type, 1 + (x + 2 * y + c) % 5, samples + (size_t)at * size);
            }
        }
    }
    if (big) {
        reverse(samples, SAMPLES, size);
    }
    char descr[8];
    snprintf(descr, sizeof descr, "%c%s", size == 1 ? '|' : big ? '>' : '<', types[t].type);
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = NULL;
    size_t total = 0;
    unsigned char *bytes =
        make_npy(descr, fortran ? "True" : "False", "(5, 700, 3)", samples, SAMPLES * size, &total);
    limits.result_depths = level;
    gf_status status = gf_io_read_memory(bytes, total, NULL, &limits, &p, &error);
    if (level == 1 && !strcmp(types[t].type, "i8")) {
        CHECK_EQ_INT(status, GF_ERROR_INPUT);
        CHECK_STR(error.message,
                  "memory: samples of type int64 are not read; valid are bool, uint8 to uint64, "
                  "int8 to int32, float16, float32 and float64");
        free(bytes);
        return;
    }
    REQUIRE(status == GF_OK);
    CHECK_EQ_INT(p->image.shape.depth, types[t].depths[level]);
    CHECK_STR(p->note, types[t].notes[level] != NULL ? types[t].notes[level] : "");
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            for (int c = 0; c < CHANNELS; c++) {
                wrong += load(&p->image, x, y, c) != (boolean ? yes : 1 + (x + 2 * y + c) % 5);
            }
        }
    }
    CHECK_MSG(wrong == 0, "%s, Fortran %d, level %u: %d samples are wrong", descr, fortran, level, wrong);
    check_rows(bytes, total, &limits, 2, &p->image, descr);
    gf_picture_destroy(&p);
    CHECK_EQ_INT(gf_io_read_memory(bytes, total - 1, NULL, &limits, &p, &error), GF_ERROR_INPUT);
    free(bytes);
}

static void every_type(void)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (int kind = 0; kind < 12; kind++) {
            check_type(t, kind & 1, kind >> 1 & 1, (uint32_t)kind / 4);
        }
    }
}

/* One sample, read as f32 with the default limits. */
static float as_f32(const char *descr, const void *sample, size_t size)
{
    size_t total = 0;
    float value = -1;
    gf_error error = GF_ERROR_INIT;
    gf_picture *p = NULL;
    unsigned char *bytes = make_npy(descr, "False", "(1,)", sample, size, &total);
    gf_status status = gf_io_read_memory(bytes, total, NULL, NULL, &p, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    if (status == GF_OK) {
        memcpy(&value, p->image.data, sizeof value);
    }
    gf_picture_destroy(&p);
    free(bytes);
    return value;
}

static void integers(void)
{
    static const int64_t numbers[] = {0,         -1,
                                      -128,      127,
                                      -32768,    32767,
                                      16777216,  16777217,
                                      -16777219, INT32_MIN,
                                      INT32_MAX, INT64_MIN,
                                      INT64_MAX, (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1};
    static const float nearest[] = {
        0,        -1,        -128,           127,           -32768,   32767,   16777216,
        16777216, -16777220, -2147483648.0f, 2147483648.0f, -0x1p63f, 0x1p63f, 0x1p60f + 0x1p37f};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (size_t size = 1; size <= 8; size *= 2) {
            char descr[8];
            int64_t most = size == 8 ? INT64_MAX : (INT64_C(1) << (8 * size - 1)) - 1;
            if (numbers[i] > most || numbers[i] < -most - 1) {
                continue;
            }
            snprintf(descr, sizeof descr, "%ci%zu", size == 1 ? '|' : '<', size);
            float value = as_f32(descr, &numbers[i], size);
            CHECK_MSG(memcmp(&value, &nearest[i], 4) == 0, "%s of %" PRId64 " is %.9g", descr, numbers[i],
                      (double)value);
        }
    }
    const uint32_t u32 = UINT32_MAX;
    const uint64_t u64 = UINT64_MAX, odd = (UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1;
    CHECK(as_f32("<u4", &u32, 4) == 0x1p32f);
    CHECK(as_f32("<u8", &u64, 8) == 0x1p64f);
    CHECK(as_f32("<u8", &odd, 8) == 0x1p63f + 0x1p40f); /* through a double it would be 2^63 */
}

static void doubles(void)
{
    static const double numbers[] = {0.0,
                                     -0.0,
                                     1.0,
                                     0.1,
                                     -1e30,
                                     1 + 0x1p-24,
                                     1 + 0x1p-24 + 0x1p-50,
                                     1e300,
                                     -1e300,
                                     (double)FLT_MAX,
                                     0x1.ffffffp127,
                                     1e-45,
                                     1e-60,
                                     (double)INFINITY,
                                     (double)-INFINITY};
    static const float nearest[] = {0.0f,     -0.0f,        1.0f,     0.1f,      -1e30f,
                                    1.0f,     1 + 0x1p-23f, INFINITY, -INFINITY, FLT_MAX,
                                    INFINITY, 0x1p-149f,    0.0f,     INFINITY,  -INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        float value = as_f32("<f8", &numbers[i], 8);
        CHECK_MSG(memcmp(&value, &nearest[i], 4) == 0, "%.17g is %.9g", numbers[i], (double)value);
    }
    const double nan = (double)NAN;
    CHECK(isnan(as_f32("<f8", &nan, 8)));
}

/* Every half, by its definition. */
static void halves(void)
{
    static uint16_t all[65536];
    size_t total = 0;
    gf_picture *p = NULL;
    int wrong = 0;
    for (int i = 0; i < 65536; i++) {
        all[i] = (uint16_t)i;
    }
    unsigned char *bytes = make_npy("<f2", "False", "(65536,)", all, sizeof all, &total);
    REQUIRE(gf_io_read_memory(bytes, total, NULL, NULL, &p, NULL) == GF_OK);
    for (int i = 0; i < 65536; i++) {
        const int exponent = i >> 10 & 31, rest = i & 1023;
        const float value = ((const float *)p->image.data)[i];
        double magnitude = exponent == 31  ? (rest != 0 ? (double)NAN : (double)INFINITY)
                           : exponent == 0 ? ldexp(rest, -24)
                                           : ldexp(1024 + rest, exponent - 25);
        wrong += isnan(magnitude) ? !isnan(value) : fabs((double)value) != magnitude;
        wrong += !isnan(magnitude) && (signbit(value) != 0) != (i >> 15 != 0);
    }
    CHECK_EQ_INT(wrong, 0);
    gf_picture_destroy(&p);
    free(bytes);
}

/* A row of f64 needs no memory for all of its stored samples, nor a column for more than a block. */
static void little_memory(void)
{
    const size_t size = (size_t)8 << 20;
    double *samples = calloc(size / 8, 8);
    size_t total = 0;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_picture *p = NULL;
    gf_error error = GF_ERROR_INIT;
    limits.max_memory = 1 << 18;
    unsigned char *bytes = make_npy("<f8", "False", "(1048576,)", samples, size, &total);
    CHECK_MSG(gf_io_read_memory(bytes, total, NULL, &limits, &p, &error) == GF_OK, "%s", error.message);
    gf_picture_destroy(&p);
    free(bytes);
    bytes = make_npy("<f8", "True", "(1024, 1024)", samples, size, &total);
    CHECK_MSG(gf_io_read_memory(bytes, total, NULL, &limits, &p, &error) == GF_OK, "%s", error.message);
    gf_picture_destroy(&p);
    free(bytes);
    free(samples);
}

static const struct check_case cases[] = {
    {"every type, in both orders of bytes and of dimensions", every_type},
    {"integers become the nearest f32", integers},
    {"f64 becomes the nearest f32; infinities and NaN stay", doubles},
    {"every f16", halves},
    {"large rows and columns in little memory", little_memory},
};

CHECK_MAIN(cases)
