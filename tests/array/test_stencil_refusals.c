/* What a stencil refuses, and what the messages name. */
#include "check.h"
#include "gpufilter/stencil.h"

#include <math.h>

static gf_stencil_window window_of(int32_t rows, int32_t columns, const double *weights)
{
    return (gf_stencil_window){sizeof(gf_stencil_window), rows, columns, weights};
}

static void refuse(const gf_stencil_options *o, gf_stencil_window window, int64_t rows, int64_t columns,
                   gf_status expected, const char *text)
{
    static float in[64], out[64], scratch[64] __attribute__((aligned(256)));
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_error error = GF_ERROR_INIT;
    CHECK_EQ_INT(gf_stencil(queue, o, &window, in, rows, columns, out, scratch, sizeof scratch, &error),
                 expected);
    CHECK_STR_HAS(error.message, text);
}

static void refusals(void)
{
    static double many[32 * 32];
    static const double one[] = {1}, none[9], nan[] = {NAN}, huge[] = {1e300};
    gf_stencil_options o = GF_STENCIL_OPTIONS_INIT;
    for (int i = 0; i < 32 * 32; i++) {
        many[i] = 1;
    }
    refuse(&o, window_of(1, 1, one), 4, 4, GF_OK, "");
    refuse(&o, window_of(16, 16, many), 4, 4, GF_OK, "");
    refuse(&o, window_of(17, 16, many), 4, 4, GF_ERROR_UNSUPPORTED, "more than 256 weights are not 0");
    refuse(&o, window_of(33, 1, many), 4, 4, GF_ERROR_ARGUMENT, "a window of 33 x 1, must be 1 to 32 each");
    refuse(&o, window_of(0, 1, many), 4, 4, GF_ERROR_ARGUMENT, "a window of 0 x 1");
    refuse(&o, window_of(3, 3, none), 4, 4, GF_ERROR_ARGUMENT, "all weights are 0");
    refuse(&o, window_of(1, 1, nan), 4, 4, GF_ERROR_ARGUMENT, "must be finite, and in f32 too");
    refuse(&o, window_of(1, 1, huge), 4, 4, GF_ERROR_ARGUMENT, "a weight is 1e+300");
    refuse(&o, window_of(1, 1, NULL), 4, 4, GF_ERROR_ARGUMENT, "weights are NULL");
    refuse(&o, window_of(1, 1, one), -1, 4, GF_ERROR_ARGUMENT, "a matrix of -1 x 4");
    refuse(&o, window_of(1, 1, one), INT64_MAX, 4, GF_ERROR_ARGUMENT, "must have 0 to 2^48 elements");
    o.steps = -1;
    refuse(&o, window_of(1, 1, one), 4, 4, GF_ERROR_ARGUMENT, "-1 steps, must be at least 0");
    o.steps = 2;
    o.array.algo = "sequential";
    refuse(&o, window_of(1, 1, one), 9, 9, GF_ERROR_ARGUMENT, "needs 324 bytes of scratch, not 256");
    o.border = (gf_border)5;
    refuse(&o, window_of(1, 1, one), 4, 4, GF_ERROR_ARGUMENT, "the border is 5");
    o.border = GF_BORDER_WRAP;
    o.array.type = GF_U8;
    refuse(&o, window_of(1, 1, one), 4, 4, GF_ERROR_UNSUPPORTED, "takes no u8; it takes: f32, f64");
}

static const struct check_case cases[] = {{"refusals", refusals}};
CHECK_MAIN(cases)
