/* Passes and solves on a CUDA device against the judge, bit for bit: on a GPU, or, in the build with the
 * emulator, thread by thread on the CPU. GF_PASS_CASES sets the number of random cases of each kind;
 * GPUFILTER_TEST_SLICE takes a share of the slowest ones (check.h). */
#include "pass_cuda_bytes.h"
#include "pass_cuda_measures.h"
#include "pass_cuda_windows.h"

static int64_t random_side(int64_t most)
{
    static const int64_t edges[] = {1,  2,  3,  4,   5,   7,   8,   9,   15,  16,  17,  31,   32,  33,
                                    63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1000, 1030};
    int64_t n = edges[below(sizeof edges / sizeof edges[0])];
    n = below(3) == 0 ? 1 + (int64_t)below((uint32_t)most) : n;
    return n < most ? n : most;
}

static int32_t random_radius(void)
{
    static const int32_t radii[] = {0, 1, 1, 2, 2, 2, 3, 4, 5, 8, 17, 40};
    return radii[below(sizeof radii / sizeof radii[0])];
}

static void random_case(enum window window, gf_depth depth, uint64_t seed)
{
    stream_of_randoms = 1000 + 8 * seed;
    randoms_taken = 0;
    int32_t channels = 1 + (int32_t)below(4);
    int32_t rx = random_radius();
    int32_t ry = below(2) ? rx : random_radius();
    int64_t width = random_side(below(8) == 0 ? 1030 : 140);
    int64_t height = random_side(width > 300 ? 10 : 70);
    enum content content = (enum content)below(depth == GF_F32 ? CONTENTS : SPECIAL);
    bool stored = below(4) != 0;
    op_case_begin(depth, channels, width, height);
    if (below(2)) {
        add_point(true, GF_NONE);
    }
    if (below(4) == 0) {
        add_point(true, GF_NONE);
    }
    int32_t centre = op_case.list.output;
    add_window(window, rx, ry, (gf_border)below(5));
    if (op_case.values[op_case.list.output].depth == GF_S16 ? below(4) != 0 : below(2) != 0) {
        add_point(window == GRADIENT, window == NO_WINDOW ? GF_NONE : centre);
        if (below(2)) {
            add_point(false, window == NO_WINDOW ? GF_NONE : centre);
        }
    }
    gf_depth out = op_case.values[op_case.list.output].depth;
    stored = stored && op_case.list.output != op_case.list.input; /* a plan does not store what it has read */
    if (!stored || below(2)) {
        add_taps();
    }
    struct layout in_layout = random_layout(depth);
    struct layout out_layout = random_layout(out);
    void *samples = random_samples(depth, (size_t)(width * height * channels), content);
    run_case(samples, in_layout, out_layout, stored);
    free(samples);
}

static void make_tables(void)
{
    stream_of_randoms = 1;
    randoms_taken = 0;
    for (int32_t c = 0; c < 4; c++) {
        for (int32_t i = 0; i < 256; i++) {
            table_u8[c][i] = (uint8_t)below(256);
        }
        for (int32_t i = 0; i < 65536; i++) {
            table_u16[c][i] = (uint16_t)below(65536);
        }
        for (int32_t i = 0; i < 40; i++) {
            table_f32[c][i] = (float)below(1000) / 999.0F;
        }
    }
}

static int cases_each(void)
{
    const char *text = getenv("GF_PASS_CASES");
    return text ? atoi(text) : 40;
}

static void random_cases(enum window window, gf_depth depth)
{
    NEEDS_DEVICE();
    make_tables();
    for (int i = 0; i < cases_each() && check_now.failures < 20; i++) {
        random_case(window, depth, (uint64_t)i * 100 + (uint64_t)window * 10 + (uint64_t)depth);
    }
}

#define RANDOM(name, window, depth)                                                                          \
    static void name(void)                                                                                   \
    {                                                                                                        \
        random_cases(window, depth);                                                                         \
    }
RANDOM(point_u8, NO_WINDOW, GF_U8)
RANDOM(point_u16, NO_WINDOW, GF_U16)
RANDOM(point_f32, NO_WINDOW, GF_F32)
RANDOM(separable_u8, SEPARABLE, GF_U8)
RANDOM(separable_u16, SEPARABLE, GF_U16)
RANDOM(separable_f32, SEPARABLE, GF_F32)
RANDOM(box_u8, BOX, GF_U8)
RANDOM(box_u16, BOX, GF_U16)
RANDOM(box_f32, BOX, GF_F32)
RANDOM(gradient_u8, GRADIENT, GF_U8)
RANDOM(gradient_u16, GRADIENT, GF_U16)
RANDOM(gradient_f32, GRADIENT, GF_F32)

/* ---- directed cases ---- */

/* The chain that the design measures: gray, gaussian, table, store and histogram. */
static void chain_case(int64_t width, int64_t height, int32_t channels, int32_t radius, bool stored,
                       struct layout in, struct layout out)
{
    op_case_begin(GF_U8, channels, width, height);
    if (channels >= 3) {
        struct gf_op *op = op_case_point(GF_U8, channels - 2);
        op_case_insn(op, GF_INSN_GRAY_INT, 0, 0);
    }
    add_separable(radius, radius, (gf_border)below(5), 9.0F);
    struct gf_op *op = op_case_point(GF_U8, op_case.values[op_case.list.output].channels);
    op->blocks[0] = op_case_block(GF_U8, 4, 256, table_u8);
    op_case_insn(op, GF_INSN_TABLE, 0, 0)->block = 0;
    op_case_tap(&gf_kernel_hist, 256, 0, 0);
    void *samples = random_samples(GF_U8, (size_t)(width * height * channels), (enum content)below(SPECIAL));
    run_case(samples, in, out, stored);
    free(samples);
}

static void chain_sizes(void)
{
    static const int64_t widths[] = {1, 7, 8, 9, 16, 255, 1007, 1008, 1009, 1024, 1025, 2040};
    static const int64_t heights[] = {1, 2, 5, 33, 70};
    NEEDS_DEVICE();
    make_tables();
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            if (widths[w] * heights[h] < 30000) {
                struct layout wide = {16 * below(2), (8 - (size_t)widths[w] % 8) % 8};
                chain_case(widths[w], heights[h], 3, 1 + (int32_t)below(4), true, wide, wide);
                chain_case(widths[w], heights[h], 1, 1 + (int32_t)below(4), below(2) == 0, wide, wide);
            }
        }
    }
}

static void misaligned(void)
{
    NEEDS_DEVICE();
    make_tables();
    for (size_t offset = 0; offset < 16; offset++) {
        chain_case(260, 9, 3, 2, true, (struct layout){offset, 3}, (struct layout){15 - offset, 5});
        chain_case(260, 9, 1, 2, true, (struct layout){offset, 4}, (struct layout){0, 4});
        chain_case(260, 9, 1, 2, true, (struct layout){0, 4}, (struct layout){offset, 4});
    }
}

static void tall_and_wide(void)
{
    static const int64_t sides[][2] = {{1, 66000}, {66000, 1}, {3, 65537}};
    NEEDS_DEVICE();
    make_tables();
    for (size_t i = 0; i < 3; i++) {
        for (enum window window = NO_WINDOW; window < WINDOWS; window++) {
            if (!check_slice((long)i * WINDOWS + (long)window, 3 * WINDOWS)) {
                continue;
            }
            stream_of_randoms = 77 + i;
            op_case_begin(GF_U8, 1, sides[i][0], sides[i][1]);
            add_window(window, 2, 2, GF_BORDER_REFLECT101);
            if (window != GRADIENT) {
                op_case_tap(&gf_kernel_hist, 256, 0, 0);
                op_case_tap(&gf_kernel_stats, 0, 0, 0);
            }
            void *samples = random_samples(GF_U8, (size_t)(sides[i][0] * sides[i][1]), NOISE);
            run_case(samples, plain, plain, true);
            free(samples);
        }
    }
}

/* No window, nothing before the taps but a second program. */
static void only_post(void)
{
    NEEDS_DEVICE();
    for (int i = 0; i < 6; i++) {
        gf_depth depth = (gf_depth)(i % 3);
        stream_of_randoms = 90 + (uint64_t)i;
        op_case_begin(depth, 2, 37, 21);
        op_case_point(depth, 2); /* no instruction */
        op_case_insn(op_case_point(depth, 2), GF_INSN_GREATER, depth == GF_F32 ? 0.5F : 99.0F, 1.0F);
        op_case_tap(&gf_kernel_stats, 0, 0, 0);
        void *samples = random_samples(depth, 37 * 21 * 2, NOISE);
        run_case(samples, plain, plain, i < 3);
        free(samples);
    }
}

/* Gaps after which rows begin at multiples of 16 bytes. */
static struct layout in_lines(int64_t width, int32_t channels, gf_depth depth)
{
    const size_t row = (size_t)width * (size_t)channels * gf_depth_size(depth);
    return (struct layout){0, (16 - row % 16) % 16};
}

/* A matrix alone, and with an instruction behind it: from two to four channels to one to four, of every
 * depth; rows that end within four pixels and that do not, of several blocks too, at addresses that allow
 * words, and at any. */
static void mixed_channels(void)
{
    static const int64_t widths[] = {3, 61, 64, 2501};
    static const float rows[4 * 5] = {.3F, .6F, .1F,  -.2F,  5,   1, 0,    0, 0, 0,
                                      -1,  .5F, .25F, .125F, 200, 0, 1.5F, 0, 0, .5F};
    NEEDS_DEVICE();
    for (int32_t i = 0; i < 4 * 3 * 4 * 3; i++) {
        const int64_t width = widths[i % 4];
        const int32_t channels = 2 + i / 4 % 3, made = 1 + i / 12 % 4;
        const gf_depth depth = (gf_depth)(i / 48), to = i % 5 ? depth : (gf_depth)((i / 48 + 1) % 3);
        stream_of_randoms = 900 + (uint64_t)i;
        op_case_begin(depth, channels, width, 5);
        struct gf_op *op = op_case_point(to, made);
        op->blocks[0] = op_case_block(GF_F32, made, channels + 1, rows);
        struct gf_insn *insn = op_case_insn(op, GF_INSN_MATRIX, 0, 0);
        insn->block = 0;
        insn->arg = (uint8_t)made;
        if (i / 4 % 2) {
            op_case_insn(op, GF_INSN_AFFINE, 0.75F, 1);
        }
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        void *samples = random_samples(depth, (size_t)(width * 5 * channels), NOISE);
        run_case(samples, in_lines(width, channels, depth), in_lines(width, made, to), true);
        if (i % 3 == 0) {
            run_case(samples, plain, plain, true);
        }
        free(samples);
    }
}

static void weighed_by_alpha(void)
{
    static const int64_t widths[] = {1, 61, 256, 2501};
    NEEDS_DEVICE();
    for (int32_t i = 0; i < 4 * 2 * 3 * 3; i++) {
        const int64_t width = widths[i % 4];
        const gf_depth depth = (gf_depth)(i / 8 % 3), to = (gf_depth)(i / 24);
        stream_of_randoms = 1300 + (uint64_t)i;
        op_case_begin(depth, 4, width, 5);
        struct gf_op *op = op_case_point(to, 4);
        op_case_insn(op, i / 4 % 2 ? GF_INSN_UNPREMULTIPLY : GF_INSN_PREMULTIPLY, 0, 0);
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        void *samples = random_samples(depth, (size_t)(width * 5 * 4), NOISE);
        run_case(samples, in_lines(width, 4, depth), in_lines(width, 4, to), true);
        run_case(samples, plain, plain, true);
        free(samples);
    }
}

/* Gray to colour, alpha added and dropped, of bytes: rows that end within a vector, a lane's and a warp's
 * pixels, and of several blocks. */
static void channels_come_and_go(void)
{
    static const int64_t widths[] = {1, 15, 61, 512, 531, 9001};
    static const struct {
        enum gf_insn_code code;
        int32_t in, out;
    } ways[] = {{GF_INSN_SPREAD, 1, 3},    {GF_INSN_SPREAD, 2, 4},     {GF_INSN_ADD_ALPHA, 1, 2},
                {GF_INSN_ADD_ALPHA, 3, 4}, {GF_INSN_DROP_ALPHA, 2, 1}, {GF_INSN_DROP_ALPHA, 4, 3}};
    NEEDS_DEVICE();
    for (int32_t i = 0; i < 6 * 6; i++) {
        const int64_t width = widths[i % 6];
        const int32_t in = ways[i / 6].in, out = ways[i / 6].out;
        stream_of_randoms = 1700 + (uint64_t)i;
        op_case_begin(GF_U8, in, width, 5);
        struct gf_op *op = op_case_point(GF_U8, out);
        op_case_insn(op, ways[i / 6].code, i % 2 ? 254.5F : 77, 0);
        if (i % 2) {
            op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        }
        void *samples = random_samples(GF_U8, (size_t)(width * 5 * in), NOISE);
        run_case(samples, in_lines(width, in, GF_U8), in_lines(width, out, GF_U8), true);
        run_case(samples, plain, plain, true);
        free(samples);
    }
}

static void radius_past_the_picture(void)
{
    NEEDS_DEVICE();
    make_tables();
    for (uint32_t i = 0; i < 30; i++) {
        stream_of_randoms = 500 + i;
        op_case_begin((gf_depth)(i % 3), 1 + (int32_t)below(2), 1 + below(9), 1 + below(9));
        add_window(i % 2 ? SEPARABLE : BOX, (int32_t)below(120), (int32_t)below(120), (gf_border)(i % 5));
        const struct gf_value *v = &op_case.values[op_case.list.input];
        void *samples = random_samples(v->depth, (size_t)(v->width * v->height * v->channels), NOISE);
        run_case(samples, plain, plain, true);
        free(samples);
    }
}

/* ---- the device itself ---- */

static void device_entries(void)
{
    struct gf_device_info info;
    void *stream = NULL, *marks[2] = {NULL, NULL};
    double elapsed = -1;
    unsigned char sent[64], back[64];
    NEEDS_DEVICE();
    CHECK_EQ_INT(gf_cuda_backend()->info(0, &info, NULL), GF_OK);
    CHECK(info.multiprocessors > 0 && info.memory >= info.memory_free && info.name[0] != '\0');
    REQUIRE(gf_cuda_backend()->stream_create(0, &stream, NULL) == GF_OK);
    REQUIRE(gf_cuda_backend()->mark_create(0, false, &marks[0], NULL) == GF_OK &&
            gf_cuda_backend()->mark_create(0, false, &marks[1], NULL) == GF_OK);
    const gf_queue own = {0, stream};
    for (int i = 0; i < 64; i++) {
        sent[i] = (unsigned char)(i * 3);
        back[i] = 0xa5;
    }
    void *memory = device_memory(64);
    CHECK_EQ_INT(gf_cuda_backend()->mark_record(own, marks[0], NULL), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->copy(own, GF_COPY_UPLOAD, memory, 7, sent, 16, 5, 4, NULL), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->copy(own, GF_COPY_DOWNLOAD, back, 9, memory, 7, 5, 4, NULL), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->mark_record(own, marks[1], NULL), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->wait(own, NULL), GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->mark_elapsed(marks[0], marks[1], &elapsed, NULL), GF_OK);
    CHECK(elapsed >= 0);
    for (int i = 0; i < 32; i++) {
        CHECK_EQ_INT(back[i], i % 9 < 5 ? sent[i / 9 * 16 + i % 9] : 0xa5);
    }
    gf_cuda_backend()->release(0, memory);
    gf_cuda_backend()->release(0, NULL);
    gf_cuda_backend()->mark_destroy(0, marks[0]);
    gf_cuda_backend()->mark_destroy(0, marks[1]);
    gf_cuda_backend()->stream_destroy(0, stream);
}

static const struct check_case cases[] = {
    {"device: memory, copies, marks", device_entries},
    {"point u8", point_u8},
    {"point u16", point_u16},
    {"point f32", point_f32},
    {"separable u8", separable_u8},
    {"separable u16", separable_u16},
    {"separable f32", separable_f32},
    {"box u8", box_u8},
    {"box u16", box_u16},
    {"box f32", box_f32},
    {"gradient u8", gradient_u8},
    {"gradient u16", gradient_u16},
    {"gradient f32", gradient_f32},
    {"chain: sizes around strips and words", chain_sizes},
    {"chain: every misalignment", misaligned},
    {"more than 65535 rows or columns", tall_and_wide},
    {"point: only the second program", only_post},
    {"mixed channels", mixed_channels},
    {"weighed by alpha", weighed_by_alpha},
    {"channels come and go", channels_come_and_go},
    {"matrices of RGB in bytes", matrices_of_bytes},
    {"blends of bytes", blends_of_bytes},
    {"blends of bytes in part", blends_in_part},
    {"stats: cells and their tree", sums_of_cells},
    {"stats: bytes", stats_of_bytes},
    {"radius past the picture", radius_past_the_picture},
    {"wide windows", wide_windows},
    {"marches", marches},
    {"sharpened", sharpened},
    {"marches between programs", marches_between_programs},
    {"magnitudes", magnitudes},
    {"large sigmas", large_sigmas},
    {"otsu and equalize", solves},
};

CHECK_MAIN(cases)
