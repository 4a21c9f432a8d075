/* The cases of test_fft that run on CUDA: against the definition, byte by byte. */
#ifndef TESTS_ARRAY_FFT_CUDA_CASE_H
#define TESTS_ARRAY_FFT_CUDA_CASE_H

#include "fft_case.h"

#ifdef GF_EMU
#include "emu_control.h"
#endif

/* Of samples or a spectrum, `given` or drawn, in every place where they can be; tile: numbers a block holds,
 * 0: as many as it can. */
static void compare_cuda(struct fft_ask ask, int32_t tile, const float *given, const char *what)
{
    static size_t turn;
    const int64_t reads = fft_floats(&ask, ask.inverse), writes = fft_floats(&ask, !ask.inverse);
    const size_t bytes = (size_t)(writes > reads ? writes : reads) * sizeof(float);
    const int64_t apart = ask.real ? 2 * ask.spectrum_stride : ask.spectrum_stride;
    const bool same = ask.sample_stride == apart && (apart > 0 || !ask.real);
    float *in = fft_memory(bytes), *expected = fft_memory(bytes), *found = fft_memory(bytes);
    gf_fft_plan *plan = fft_plan(&ask);
    if (given) {
        memcpy(in, given, (size_t)reads * sizeof(float));
    } else {
        fft_fill(in, reads);
    }
    ask.threads = 1;
    for (int in_place = 0; in_place <= same; in_place++) {
        memcpy(expected, in, bytes);
        memcpy(found, in, bytes);
        fft_run(&ask, plan, "sequential", NULL, in_place ? expected : in, expected);
        fft_run_cuda(&ask, plan, "auto", tile, turn++ % 4, in_place ? found : in, found);
        CHECK_MSG(memcmp(expected, found, (size_t)writes * sizeof(float)) == 0,
                  "%s: %d x %d, strides %d and %d, dimensions %d, real %d, inverse %d, tile %d, in place %d: "
                  "other bits",
                  what, (int)ask.rows, (int)ask.columns, (int)ask.sample_stride, (int)ask.spectrum_stride,
                  ask.dimensions, ask.real, ask.inverse, tile, in_place);
    }
    gf_fft_plan_destroy(plan);
    free(in);
    free(expected);
    free(found);
}

static void cuda_every_length(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    const int64_t step = array_is_emulated() ? 17 : 1; /* beyond the first 130 */
    for (int64_t n = 1; n <= 4096; n += n < 130 ? 1 : step) {
        if (array_in_slice()) {
            const int turn = (int)(n * 2654435761U >> 8 & 3);
            compare_cuda((struct fft_ask){0, 1, turn & 1, 1, 1, n, 0, 0}, 0, NULL, "every length");
            compare_cuda((struct fft_ask){1, 1, turn >> 1, 1, 2, n, 0, 0}, 0, NULL, "every length");
            compare_cuda((struct fft_ask){0, 2, turn >> 1, 1, n, 3, 0, 0}, 0, NULL, "every length, columns");
        }
    }
}

/* Where a block holds few numbers, short lines go through memory as long ones do. */
static void cuda_random_shapes(void)
{
    static const int32_t tiles[] = {0, 128, 200, 1000};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int i = 0; i < 1000; i++) {
        const struct fft_ask ask = fft_random_ask(i % 10 ? 60 : 300);
        if (array_in_slice() && (i % 6 == 0 || !array_is_emulated())) {
            compare_cuda(ask, tiles[i / 6 % 4], NULL, "random shapes");
        }
    }
}

/* Lines of several passes, each way, and of several chunks. */
static void cuda_long_lines(void)
{
    static const int64_t lengths[] = {4096, 4320, 2187, 3125, 2401, 1009, 8192};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int i = 0; i < 7 * 4; i++) {
        if (array_in_slice()) {
            const int way = i % 4;
            const int64_t n = lengths[i / 4];
            compare_cuda((struct fft_ask){way % 2, 1, way / 2, 1, 3, n, 0, 0}, 1 << (7 + i % 5), NULL,
                         "long rows");
            compare_cuda((struct fft_ask){way % 2, 2, way / 2, 1, n, 9, 0, 0}, 1 << (8 + i % 4), NULL,
                         "long columns");
        }
    }
    compare_cuda((struct fft_ask){0, 1, 0, 1, 17, 4096, 0, 0}, 128, NULL, "rows in chunks");
    compare_cuda((struct fft_ask){1, 2, 1, 1, 2048, 70, 0, 0}, 128, NULL, "columns in chunks");
    compare_cuda((struct fft_ask){0, 1, 0, 1, 1, 1 << 15, 0, 0}, 0, NULL, "more than a block holds");
    compare_cuda((struct fft_ask){1, 1, 1, 1, 2, 66000, 0, 0}, 0, NULL, "more than a block holds");
    compare_cuda((struct fft_ask){1, 2, 0, 1, 10000, 9, 0, 0}, 0, NULL, "more than a block holds");
}

static void cuda_special_values(void)
{
    static const int64_t lengths[] = {1, 2, 3, 7, 12, 16, 30, 97, 100, 210};
    static const float planted[] = {NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 3e38F, 1e-44F, -1e-38F};
    float x[2 * 2 * 256];
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    for (int i = 0; i < 10 * 8 * 8; i++) {
        const int way = i / 8 % 8, k = i % 8;
        const struct fft_ask ask = {way % 2, 1 + way / 4, way / 2 % 2, 1, 2, lengths[i / 64], 0, 0};
        fft_fill(x, 2 * 2 * 256);
        x[fft_below(fft_floats(&ask, ask.inverse))] = planted[k];
        for (int64_t j = 0; k > 2 && j < 2 * 2 * 256; j++) {
            x[j] = k < 5 && fft_draw() < 0 ? -0.0F : k < 5 ? planted[k] : x[j] * planted[k];
        }
        if (array_in_slice()) {
            compare_cuda(ask, i % 3 ? 0 : 128, x, "special values");
        }
    }
}

/* Those of textbooks are near, on the CPU or on CUDA: of rows of 64 numbers, and by the sum of `length`. */
static void fft_textbooks(bool cuda, int64_t length, double near)
{
    static const char *const names[] = {"naive", "stockham"};
    for (int i = 0; i < 2 * 8; i++) {
        const struct fft_ask ask = {i / 2 % 2, 1 + i / 4 % 2, i / 8, 1, 16, i % 2 ? 64 : length, 0, 0};
        const int64_t reads = fft_floats(&ask, ask.inverse), writes = fft_floats(&ask, !ask.inverse);
        float *in = fft_memory((size_t)reads * 4), *a = fft_memory((size_t)writes * 4),
              *b = fft_memory((size_t)writes * 4);
        gf_fft_plan *plan = fft_plan(&ask);
        fft_fill(in, reads);
        fft_run(&ask, plan, "sequential", NULL, in, a);
        if (cuda) {
            fft_run_cuda(&ask, plan, names[i % 2], 0, 0, in, b);
        } else {
            fft_run(&ask, plan, names[i % 2], NULL, in, b);
        }
        for (int64_t k = 0; k < writes; k++) {
            CHECK_NEAR((double)a[k], (double)b[k], near * (ask.inverse ? 0.05 : 1));
        }
        gf_fft_plan_destroy(plan);
        free(in);
        free(a);
        free(b);
    }
}

static void cuda_textbooks(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    fft_textbooks(true, 61, 5e-5);
}

/* Any number of calls may use a plan, on any device: its factors come there once. */
static void cuda_prepare(void)
{
    const struct fft_ask ask = {0, 1, 0, 1, 2, 60, 0, 0};
    gf_error error = GF_ERROR_INIT;
    gf_fft_plan *plan = fft_plan(&ask);
    float in[240], out[2][240] = {{0}};
    CHECK_EQ_INT(gf_fft_prepare(GF_DEVICE_CPU, plan, &error), GF_OK);
    CHECK_EQ_INT(gf_fft_prepare(GF_DEVICE_CPU, NULL, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "the plan is NULL");
    if (!array_has_cuda()) {
        gf_fft_plan_destroy(plan);
        SKIP("no CUDA device");
    }
    if (array_is_emulated()) { /* compute-sanitizer takes a device that is not there for an error of the
                                  program */
        CHECK_EQ_INT(gf_fft_prepare(999, plan, &error), GF_ERROR_DEVICE);
    }
    long calls[3] = {0};
    uint64_t held[3] = {0};
    for (int i = 0; i < 3; i++) {
#ifdef GF_EMU
        calls[i] = gf_emu_calls();
        held[i] = gf_emu_leaked();
#endif
        if (i < 2) {
            CHECK_EQ_INT(gf_fft_prepare(0, plan, &error), GF_OK);
        }
    }
    CHECK(!array_is_emulated() || (calls[1] > calls[0] && held[1] > held[0])); /* there is a copy, */
    CHECK(calls[2] == calls[1] && held[2] == held[1]);                         /* and not another */
    fft_fill(in, 240);
    for (int i = 0; i < 2; i++) {
        fft_run_cuda(&ask, plan, NULL, 0, 0, in, out[i]);
#ifdef GF_EMU
        CHECK(gf_emu_leaked() == held[2]); /* runs keep none either */
#endif
    }
    CHECK_MEM(out[1], out[0], sizeof out[0]);
    gf_fft_options o = GF_FFT_OPTIONS_INIT;
    size_t bytes;
    o.array.tile = 100;
    CHECK_EQ_INT(gf_fft_scratch(0, &o, plan, &bytes, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "tile is 100, must be 0 or at least 128");
    gf_fft_plan_destroy(plan);
}

#endif
