/* npy: byte orders, Fortran order, shapes. */
#define _DEFAULT_SOURCE
#include "npy_make.h"

static double value(const gf_picture *p, int64_t x, int64_t y, int c)
{
    const char *at = (const char *)p->image.data + y * p->image.pitch +
                     (x * p->image.shape.channels + c) * (int64_t)gf_depth_size(p->image.shape.depth);
    float f;
    double d;
    uint64_t u = 0;
    switch (p->image.shape.depth) {
    case GF_F32:
        memcpy(&f, at, 4);
        return (double)f;
    case GF_F64:
        memcpy(&d, at, 8);
        return d;
    default:
        for (size_t i = gf_depth_size(p->image.shape.depth); i > 0; i--) {
            u = u << 8 | (unsigned char)at[i - 1]; /* the tests' machines are little endian */
        }
        return (double)u;
    }
}

static void check_shape(const gf_picture *p, int64_t width, int64_t height, int channels, gf_depth depth)
{
    CHECK_EQ_INT(p->image.shape.width, width);
    CHECK_EQ_INT(p->image.shape.height, height);
    CHECK_EQ_INT(p->image.shape.channels, channels);
    CHECK_EQ_INT(p->image.shape.depth, depth);
}

static void byte_orders(void)
{
    static const struct {
        const char *type, *bytes;
        size_t size;
        gf_depth depth;
        double first, second;
    } table[] = {
        {"<u2", "\x01\x02\xff\x00", 4, GF_U16, 513, 255},
        {">u2", "\x01\x02\xff\x00", 4, GF_U16, 258, 65280},
        {"=u2", "\x01\x02\xff\x00", 4, GF_U16, 513, 255},
        {"|u1", "\x01\x02", 2, GF_U8, 1, 2},
        {"<u1", "\x01\x02", 2, GF_U8, 1, 2},
        {"|b1", "\x00\x01", 2, GF_U8, 0, 255},
        {"<f4", "\0\0\x80\x3f\0\0\0\xc0", 8, GF_F32, 1, -2},
        {">f4", "\x3f\x80\0\0\xc0\0\0\0", 8, GF_F32, 1, -2},
        {">u4", "\0\x01\0\0\0\0\0\x07", 8, GF_U32, 65536, 7},
        {"<u8", "\0\0\0\0\x01\0\0\0\x09\0\0\0\0\0\0\0", 16, GF_U64, 4294967296.0, 9},
        {">f8", "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", 16, GF_F64, 1, -2},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char dictionary[128];
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }\n",
                 table[i].type);
        gf_picture *p = read_npy(1 + (int)(i % 3), dictionary, table[i].bytes, table[i].size);
        if (p != NULL) {
            check_shape(p, 2, 1, 1, table[i].depth);
            CHECK_NEAR(value(p, 0, 0, 0), table[i].first, 0);
            CHECK_NEAR(value(p, 1, 0, 0), table[i].second, 0);
        }
        gf_picture_destroy(&p);
    }
}

static void fortran_order(void)
{
    /* (2, 3, 2): the first index runs fastest: y, then x, then c. */
    static const unsigned char samples[] = {0, 10, 1, 11, 2, 12, 100, 110, 101, 111, 102, 112};
    gf_picture *p = read_npy(1, "{'descr':'|u1','fortran_order':True,'shape':(2,3,2)}", samples, 12);
    REQUIRE(p != NULL);
    check_shape(p, 3, 2, 2, GF_U8);
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 3; x++) {
            for (int c = 0; c < 2; c++) {
                CHECK_NEAR(value(p, x, y, c), c * 100 + y * 10 + x, 0);
            }
        }
    }
    gf_picture_destroy(&p);
    p = read_npy(2, "{'shape': (3L, ), \"fortran_order\": True, 'descr': '>u2'}", "\0\1\0\2\0\3", 6);
    REQUIRE(p != NULL);
    check_shape(p, 3, 1, 1, GF_U16);
    CHECK_NEAR(value(p, 2, 0, 0), 3, 0);
    gf_picture_destroy(&p);
}

/* More columns than one block holds: 300 000 rows of u4 are read one column at a time. */
static void fortran_order_in_blocks(void)
{
    static const int64_t shapes[][2] = {{300000, 3}, {1000, 700}};
    for (int s = 0; s < 2; s++) {
        int64_t height = shapes[s][0], width = shapes[s][1];
        char head[128] = "\x93NUMPY\1\0\x76";
        snprintf(head + 10, sizeof head - 10,
                 "{'descr': '<u4', 'fortran_order': True, 'shape': (%lld, %lld)}", (long long)height,
                 (long long)width);
        memset(head + 10 + strlen(head + 10), ' ', 118 - strlen(head + 10));
        FILE *file = fopen(in_folder("f.npy"), "wb");
        REQUIRE(file != NULL);
        fwrite(head, 1, sizeof head, file);
        for (int64_t i = 0; i < width * height; i++) {
            uint32_t v = (uint32_t)i;
            fwrite(&v, 4, 1, file);
        }
        fclose(file);
        gf_error error = GF_ERROR_INIT;
        gf_picture *p = NULL;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        limits.result_depths = 1;
        CHECK_MSG(gf_io_read(in_folder("f.npy"), &limits, &p, &error) == GF_OK, "%s", error.message);
        REQUIRE(p != NULL);
        int wrong = 0;
        for (int64_t i = 0; i < width * height; i++) {
            wrong += value(p, i / height, i % height, 0) != (double)i;
        }
        CHECK_EQ_INT(wrong, 0);
        gf_picture_destroy(&p);
        limits.max_memory = 1000;
        CHECK_EQ_INT(gf_io_read(in_folder("f.npy"), &limits, &p, &error), GF_ERROR_LIMIT);
        CHECK_STR_HAS(error.message, "beyond max_memory, 1000");
    }
}

static void header_as_numpy_writes_it(void)
{
    static const struct {
        int64_t width, height;
        int channels;
        gf_depth depth;
        const char *text;
    } table[] = {
        {3, 1, 1, GF_U8, "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"},
        {3, 2, 1, GF_F32, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"},
        {3, 1, 2, GF_U64, "{'descr': '<u8', 'fortran_order': False, 'shape': (1, 3, 2), }"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gf_picture *p = make_picture(table[i].width, table[i].height, table[i].channels, table[i].depth);
        size_t size = 0;
        REQUIRE(gf_io_write(in_folder("h.npy"), &p->image, NULL, NULL, NULL) == GF_OK);
        unsigned char *bytes = get_file(in_folder("h.npy"), &size);
        REQUIRE(bytes != NULL && size > 128);
        CHECK_MEM(bytes, "\x93NUMPY\1\0\x76\0", 10);
        CHECK_MEM(bytes + 10, table[i].text, strlen(table[i].text));
        CHECK_EQ_INT(bytes[127], '\n');
        CHECK_EQ_INT(size, 128 + row_bytes(&p->image) * (size_t)table[i].height);
        free(bytes);
        gf_picture_destroy(&p);
    }
}

/* A signal may be longer than a picture may be wide; bytes after the array do not matter. */
static void long_signal(void)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *out = make_picture(1500000, 1, 1, GF_U16), *in = NULL;
    REQUIRE(gf_io_write(in_folder("sig.npy"), &out->image, NULL, NULL, &error) == GF_OK);
    FILE *file = fopen(in_folder("sig.npy"), "ab");
    REQUIRE(file != NULL && fputs("more", file) >= 0 && fclose(file) == 0);
    CHECK_MSG(gf_io_read(in_folder("sig.npy"), NULL, &in, &error) == GF_OK, "%s", error.message);
    CHECK(in != NULL && same_pictures(&out->image, &in->image));
    gf_picture_destroy(&out);
    gf_picture_destroy(&in);
}

/* Arrays of signed integers, for those who ask: either byte order in, the host's out. */
static void signed_arrays(void)
{
    static const struct {
        const char *descr;
        gf_depth depth;
        unsigned char bytes[9], host[9]; /* of one element, -2 */
    } table[] = {
        {"<i2", GF_S16, "\xfe\xff", "\xfe\xff"},
        {">i2", GF_S16, "\xff\xfe", "\xfe\xff"},
        {"<i4", GF_S32, "\xfe\xff\xff\xff", "\xfe\xff\xff\xff"},
        {">i8", GF_S64, "\xff\xff\xff\xff\xff\xff\xff\xfe", "\xfe\xff\xff\xff\xff\xff\xff\xff"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char dictionary[96];
        gf_error error = GF_ERROR_INIT;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        gf_picture *p = NULL, *again = NULL;
        size_t size = gf_depth_size(table[i].depth);
        snprintf(dictionary, sizeof dictionary, D("%s", "False", "(1,)"), table[i].descr);
        const char *path = put_npy(1, dictionary, table[i].bytes, size);
        limits.result_depths = 2;
        CHECK_MSG(gf_io_read(path, &limits, &p, &error) == GF_OK, "%s", error.message);
        REQUIRE(p != NULL);
        check_shape(p, 1, 1, 1, table[i].depth);
        CHECK_MEM(p->image.data, table[i].host, size);
        REQUIRE(gf_io_write(in_folder("i.npy"), &p->image, NULL, NULL, &error) == GF_OK);
        CHECK_MSG(gf_io_read(in_folder("i.npy"), &limits, &again, &error) == GF_OK, "%s", error.message);
        CHECK(again != NULL && same_pictures(&p->image, &again->image));
        gf_picture_destroy(&p);
        gf_picture_destroy(&again);
    }
}

/* Arrays of no elements are read for those who ask for arrays, and written; a picture has samples. */
static void no_elements(void)
{
    for (int depth = GF_U8; depth <= GF_S64; depth++) {
        gf_error error = GF_ERROR_INIT;
        gf_io_limits limits = GF_IO_LIMITS_INIT;
        gf_picture *p = NULL;
        const gf_image none = {sizeof none, {0, 1, 1, (gf_depth)depth}, 0, NULL, GF_DEVICE_CPU};
        CHECK_MSG(gf_io_write(in_folder("none.npy"), &none, NULL, NULL, &error) == GF_OK, "%s",
                  error.message);
        for (limits.result_depths = 0; limits.result_depths < 2; limits.result_depths++) {
            CHECK_EQ_INT(gf_io_read(in_folder("none.npy"), &limits, &p, &error), GF_ERROR_INPUT);
            CHECK_MSG(depth == GF_S64 || strstr(error.message, "an empty array"), "%s", error.message);
        }
        CHECK_MSG(gf_io_read(in_folder("none.npy"), &limits, &p, &error) == GF_OK, "%s", error.message);
        REQUIRE(p != NULL);
        check_shape(p, 0, 1, 1, (gf_depth)depth);
        CHECK(p->image.data != NULL);
        gf_picture_destroy(&p);
        CHECK_EQ_INT(gf_io_write(in_folder("none.png"), &none, NULL, NULL, &error), GF_ERROR_ARGUMENT);
        CHECK_STR_HAS(error.message, "none.png: cannot write 0 x 1 pixels");
        CHECK_EQ_INT(gf_picture_create(&none.shape, &p, &error), GF_ERROR_ARGUMENT);
    }
}

/* Matrices of no elements keep their shape, and with npy_matrix one row is one. */
static void matrices(void)
{
    static const struct {
        const char *header;
        int64_t width, height;
    } table[] = {{D("|u1", "False", "(2, 0)"), 0, 2},
                 {D("|u1", "False", "(0, 3)"), 3, 0},
                 {D("|u1", "True", "(2, 0)"), 0, 2},
                 {D("|u1", "True", "(0, 3)"), 3, 0},
                 {D("|u1", "False", "(1, 0)"), 0, 1}};
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    gf_picture *p = NULL;
    limits.result_depths = 2;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_write_options options = GF_WRITE_OPTIONS_INIT;
        options.npy_matrix = 1;
        const char *path = put_npy(1, table[i].header, "", 0);
        for (int again = 0; again < 2; again++, path = in_folder("m.npy")) {
            CHECK_MSG(gf_io_read(path, &limits, &p, &error) == GF_OK, "%s", error.message);
            REQUIRE(p != NULL);
            check_shape(p, table[i].width, table[i].height, 1, GF_U8);
            CHECK(gf_io_write(in_folder("m.npy"), &p->image, NULL, &options, &error) == GF_OK);
            gf_picture_destroy(&p);
        }
    }
    CHECK_EQ_INT(gf_io_read(put_npy(1, D("|u1", "False", "(2, 0, 1)"), "", 0), &limits, &p, &error),
                 GF_ERROR_INPUT);
    CHECK_EQ_INT(gf_io_read(put_npy(1, D("|u1", "False", "(2, 3, 0)"), "", 0), &limits, &p, &error),
                 GF_ERROR_INPUT);
}

static void cleanup(void)
{
    remove_folder(help_folder);
}

static const struct check_case cases[] = {
    {"byte orders and sample types", byte_orders},
    {"Fortran order", fortran_order},
    {"Fortran order in blocks", fortran_order_in_blocks},
    {"the header as NumPy writes it", header_as_numpy_writes_it},
    {"arrays of signed integers", signed_arrays},
    {"arrays of no elements", no_elements},
    {"matrices of one row, and of none", matrices},
    {"a long signal, and bytes after it", long_signal},
    {"the folder is removed", cleanup},
};

CHECK_MAIN(cases)
