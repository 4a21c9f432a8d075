/* The CPU's solvers against the judge's, bit for bit, and the CPU as a device. */
#include "base/device.h"
#include "check.h"
#include "op_case.h"
#include "pixel/ir/program.h"
#include "pixel/ir/solve.h"

#include <stdlib.h>

enum { MAX_BINS = 65536, MAX_ROWS = 4 };

static uint64_t counts[MAX_ROWS][MAX_BINS + 3];
static float ranges[MAX_ROWS][2] = {{0.0F, 1.0F}, {-3.5F, 1e-3F}, {0.25F, 0.25F}, {-1e38F, 3e38F}};
static uint64_t seed;

static uint32_t draw(uint32_t n)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(seed >> 33) % n;
}

/* kind 0: nothing counted, 1: one bin, 2: two bins alike (all levels between them tie), 3: few, 4: many */
static void draw_counts(int kind, int32_t bins)
{
    memset(counts, 0, sizeof counts);
    for (int c = 0; c < MAX_ROWS; c++) {
        uint64_t *row = (uint64_t *)counts + (int64_t)c * (bins + 3);
        uint32_t n = (uint32_t)bins;
        if (kind == 1) {
            row[draw(n)] = 1 + draw(1000);
        } else if (kind == 2) {
            row[n / 4] = row[n / 2] = 5000;
        }
        for (uint32_t i = 0; kind >= 3 && i < n; i++) {
            row[i] = kind == 4 || draw(50) == 0 ? (uint64_t)draw(1 << 20) * (1 + draw(4000)) : 0;
        }
        row[bins] = draw(9);
        row[bins + 2] = draw(9);
    }
}

static void solve_case(const struct gf_kernel *kernel, gf_depth depth, int32_t bins, int kind)
{
    static unsigned char expected[MAX_ROWS * MAX_BINS * 4], actual[sizeof expected];
    bool otsu = kernel == &gf_kernel_otsu;
    gf_depth out_depth = otsu ? GF_F32 : depth;
    int32_t width = otsu ? 1 : bins;
    unsigned char pixel[MAX_ROWS * 4] = {0};
    gf_error error = GF_ERROR_INIT;

    draw_counts(kind, bins);
    op_case_begin(depth, MAX_ROWS, 1, 1);
    int32_t in = op_case_block(GF_U64, MAX_ROWS, bins + 3, counts);
    int32_t range = depth == GF_F32 ? op_case_block(GF_F32, MAX_ROWS, 2, ranges) : GF_NONE;
    struct gf_op *op = op_case_solve(kernel, in, range, out_depth, width, (float)gf_depth_white(depth));
    op_case_solve_mask(op, kind == 4 ? 0x0b : 0x0f);
    struct gf_apply_run run = op_case_apply_run(op);
    run.in[0].data = counts;
    run.in[1].data = range == GF_NONE ? NULL : ranges;
    run.out[0].data = actual;
    size_t size = (size_t)(MAX_ROWS * width) * gf_depth_size(out_depth);

    memset(actual, 0xa5, sizeof actual);
    REQUIRE(op_case_run(pixel, NULL, op->out, expected, &error) == GF_OK);
    REQUIRE(kernel->apply.cpu(&run, &error) == GF_OK);
    CHECK_MEM(actual, expected, size);
    CHECK(actual[size] == 0xa5);
}

static void solves(const struct gf_kernel *kernel)
{
    seed = 7;
    for (int kind = 0; kind <= 4; kind++) {
        solve_case(kernel, GF_U8, 256, kind);
        solve_case(kernel, GF_U16, 65536, kind);
        solve_case(kernel, GF_F32, 256, kind);
        solve_case(kernel, GF_F32, 1, kind);
    }
}

static void otsu(void)
{
    solves(&gf_kernel_otsu);
}

static void equalize(void)
{
    solves(&gf_kernel_equalize);
}

/* Ties go to the lowest bin, and a white sample is above the level. */
static void otsu_by_hand(void)
{
    uint64_t row[259] = {0};
    float level[1] = {-1.0F};
    op_case_begin(GF_U8, 1, 1, 1);
    struct gf_op *op =
        op_case_solve(&gf_kernel_otsu, op_case_block(GF_U64, 1, 259, row), GF_NONE, GF_F32, 1, 255);
    struct gf_apply_run run = op_case_apply_run(op);
    run.in[0].data = row;
    run.out[0].data = level;
    row[10] = row[200] = 3;
    CHECK_EQ_INT(gf_kernel_otsu.apply.cpu(&run, NULL), GF_OK);
    CHECK(level[0] == 10.0F);
    const struct gf_solve_args wide = {300, 255.0F, 1};
    op->u.apply.args = gf_args_of(&wide, sizeof wide);
    CHECK_EQ_INT(gf_kernel_otsu.apply.cpu(&run, NULL), GF_ERROR_INTERNAL);
}

static void bins_of_strange_ranges(void)
{
    CHECK(gf_range_scale(0.0F, 1.0F, 256) == 256.0F);
    CHECK(gf_range_scale(1.0F, 1.0F, 256) == 0.0F);
    CHECK(gf_range_scale(1.0F, 0.0F, 256) == 0.0F);
    CHECK(gf_range_scale(-3e38F, 3e38F, 256) == -256.0F / 3e38F);
    CHECK(gf_range_scale(0.0F, 1e-40F, 256) < -8.0F);
    for (int i = 0; i < 2;
         i++) { /* the least, the greatest and the middle have the first, the last and a middle bin */
        const float hi = i ? 3e38F : 1e-40F, lo = -hi, scale = gf_range_scale(lo, hi, 256);
        CHECK(gf_range_bin(lo, lo, scale, 256) == 0 && gf_range_bin(hi, lo, scale, 256) == 255);
        CHECK(gf_range_bin(0.0F, lo, scale, 256) == 128 &&
              gf_range_bin(1.0F, lo, scale, 256) == (i ? 128 : GF_BIN_ABOVE));
    }
    CHECK(gf_range_scale(gf_bits_float(GF_CANONICAL_NAN), 1.0F, 256) == 0.0F);
}

static void device(void)
{
    const struct gf_backend *cpu = gf_backend_for(GF_DEVICE_CPU);
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    struct gf_device_info info;
    gf_error error = GF_ERROR_INIT;
    void *memory = NULL;
    void *marks[2] = {NULL, NULL};
    double milliseconds = -1.0;
    int32_t count = 0;

    REQUIRE(cpu != NULL);
    CHECK(gf_backend_for(GF_DEVICE_REFERENCE) == NULL);
    CHECK(cpu->count(&count, &error) == GF_OK && count == 1);
    CHECK(cpu->info(0, &info, &error) == GF_OK && info.multiprocessors >= 1 && info.memory > 0);
    REQUIRE(cpu->allocate(GF_DEVICE_CPU, 300, &memory, &error) == GF_OK);
    CHECK((uintptr_t)memory % 256 == 0);
    CHECK(cpu->copy(queue, GF_COPY_UPLOAD, memory, 10, "abcdefgh", 4, 3, 2, &error) == GF_OK);
    CHECK(memcmp(memory, "abc", 3) == 0 && memcmp((char *)memory + 10, "efg", 3) == 0);
    cpu->release(GF_DEVICE_CPU, memory);
    cpu->release(GF_DEVICE_CPU, NULL);
    CHECK(cpu->allocate(GF_DEVICE_CPU, SIZE_MAX - 3, &memory, &error) == GF_ERROR_MEMORY && memory == NULL);
    CHECK(cpu->mark_create(GF_DEVICE_CPU, false, &marks[0], &error) == GF_OK);
    CHECK(cpu->mark_create(GF_DEVICE_CPU, false, &marks[1], &error) == GF_OK);
    CHECK(cpu->mark_record(queue, marks[0], &error) == GF_OK);
    CHECK(cpu->mark_record(queue, marks[1], &error) == GF_OK);
    CHECK(cpu->wait(queue, &error) == GF_OK);
    CHECK(cpu->mark_elapsed(marks[0], marks[1], &milliseconds, &error) == GF_OK && milliseconds >= 0.0);
    cpu->mark_destroy(GF_DEVICE_CPU, marks[0]);
    cpu->mark_destroy(GF_DEVICE_CPU, marks[1]);
}

static const struct check_case cases[] = {{"otsu", otsu},
                                          {"otsu_by_hand", otsu_by_hand},
                                          {"equalize", equalize},
                                          {"bins_of_strange_ranges", bins_of_strange_ranges},
                                          {"device", device}};

CHECK_MAIN(cases)
