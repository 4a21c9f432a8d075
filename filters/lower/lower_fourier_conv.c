/* The builder of correlations of f32 with many weights: Fourier transforms of tiles, whose sides depend on
 * the kernel and, where that is small, on the picture. */
#include "lower/frequency_stage.h"

#include "fourier/fft_plan.h"
#include "pixel/map/fourier_conv/fourier_conv.h"

#include <math.h>
#include <stdlib.h>

/* The side that takes the least time for each place on a CPU, from 15 to 127 weights a side; and so many
 * samples a GPU takes at a time. */
enum { SIDE = 512, BATCH = 1 << 23 };

/* The side of tiles of an axis: with `length` places or less there is one, which needs be no larger. */
static int32_t side_of(int32_t weights, int64_t length)
{
    int32_t side = SIDE, least = 4;
    while (side < 4 * weights) {
        side *= 2;
    }
    while (least < side && least < length + weights - 1) {
        least *= 2;
    }
    return least;
}

bool gf_lowering_fourier_conv_fits(const struct gf_conv_kernel *k)
{
    double sum = 0;
    for (int32_t i = 0; i < k->rows * k->columns; i++) {
        sum += fabs((double)(float)(k->values[i] * k->scale));
    }
    return sum < 0x1p60;
}

/* ---- plans, which the op list owns ---- */

static bool make_plans(gf_lowering *l, const gf_shape *picture, struct gf_fourier_conv_args *args)
{
    const int64_t places_x = args->wide - args->across + 1, places_y = args->high - args->down + 1;
    const int64_t tiles = ((picture->width + places_x - 1) / places_x) *
                          ((picture->height + places_y - 1) / places_y) * picture->channels;
    const int64_t most = BATCH / ((int64_t)args->wide * args->high) > 1 ? BATCH / args->wide / args->high : 1;
    const int64_t batch = tiles < most ? tiles : most, half = args->wide / 2 + 1;
    gf_fft_shape tile = GF_FFT_SHAPE_INIT, rows = GF_FFT_SHAPE_INIT, columns = GF_FFT_SHAPE_INIT;
    tile.dimensions = 2;
    tile.rows = args->high;
    rows.rows = args->high * batch;
    tile.columns = rows.columns = args->wide;
    tile.sample_stride = rows.sample_stride = 2 * half;
    tile.real = rows.real = 1;
    columns.rows = half * batch;
    columns.columns = args->high;
    gf_fft_plan *const own = gf_lowering_fft_plan(l, &rows);
    args->tile = gf_lowering_fft_plan(l, &tile);
    args->columns = gf_lowering_fft_plan(l, &columns);
    args->rows = own;
    if (!own || !args->tile || !args->columns) {
        return false;
    }
    own->scale = args->tile->scale; /* columns, which go there twice, are not scaled */
    return true;
}

/* ---- the weights ---- */

/* Weights, and their spectrum: they lie backwards from the first number on, which makes a correlation of the
 * product. */
static bool make_weights(gf_lowering *l, const struct gf_conv_kernel *k, const struct gf_fourier_conv_args *a,
                         int32_t *weights, int32_t *spectrum)
{
    const int64_t row = 2 * (a->wide / 2 + 1), n = (int64_t)k->rows * k->columns;
    gf_fft_options options = GF_FFT_OPTIONS_INIT;
    gf_error why = GF_ERROR_INIT;
    size_t bytes = 0;
    float *own = gf_lowering_constant(l, GF_F32, 1, n, weights);
    float *numbers = gf_lowering_constant(l, GF_F32, 1, row * a->high, spectrum);
    if (!own || !numbers) {
        return false;
    }
    for (int64_t i = 0; i < n; i++) {
        const int64_t x = (a->wide - i % k->columns) % a->wide, y = (a->high - i / k->columns) % a->high;
        own[i] = (float)(k->values[i] * k->scale);
        numbers[y * row + x] = own[i];
    }
    options.array.threads = 1;
    gf_status status = gf_fft_scratch(GF_DEVICE_CPU, &options, a->tile, &bytes, &why);
    void *scratch = aligned_alloc(256, (bytes + 511) / 256 * 256);
    status = status == GF_OK ? gf_need_memory(scratch != NULL, &why) : status;
    status = status == GF_OK ? gf_fft((gf_queue){GF_DEVICE_CPU, NULL}, &options, a->tile, numbers, numbers,
                                      scratch, bytes, &why)
                             : status;
    free(scratch);
    if (status != GF_OK) {
        gf_lower_fail(l, status, "%s", why.message);
    }
    return status == GF_OK;
}

gf_value_id gf_lowering_fourier_conv(gf_lowering *l, gf_value_id v, const struct gf_conv_kernel *k)
{
    const gf_shape shape = gf_lower_shape(l, v);
    const gf_value_id source = gf_lowering_conv_extended(l, v, k);
    struct gf_fourier_conv_args args = {.across = k->columns,
                                        .down = k->rows,
                                        .wide = side_of(k->columns, shape.width),
                                        .high = side_of(k->rows, shape.height)};
    int32_t weights, spectrum;
    if (!source || !make_plans(l, &shape, &args) || !make_weights(l, k, &args, &weights, &spectrum)) {
        return 0;
    }
    const int32_t out = gf_lowering_picture(l, shape.width, shape.height, shape.channels, GF_F32);
    const struct gf_lowering_operands in = {{source - 1, weights, spectrum}, 3}, to = {{out}, 1};
    return gf_lowering_apply(l, &gf_kernel_fourier_conv, in, to, &args, sizeof args) ? gf_to_id(out) : 0;
}
