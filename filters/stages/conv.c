/* conv: a weighted sum of the neighbourhood. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"
#include "signal/signal_lowering.h"

#include <math.h>

struct conv {
    double scale, offset;
    int32_t normalize;
    gf_list kernel;
};

static void lower(gf_lowering *l, const void *params)
{
    const struct conv *p = params;
    const gf_value_id v = gf_lower_input(l);
    const double *values = p->kernel.more ? p->kernel.more : p->kernel.values;
    const int32_t n = p->kernel.rows * p->kernel.columns;
    double sum = 0, most = 0;
    if (n == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "kernel= is not given, must be a list as [0 -1 0; -1 5 -1; 0 -1 0], or @FILE");
        return;
    }
    if (p->kernel.rows > GF_CONV_SIDE || p->kernel.columns > GF_CONV_SIDE || n > GF_CONV_NUMBERS) {
        gf_lower_fail(
            l, GF_ERROR_LIMIT,
            "kernel= has %d rows of %d numbers, must have sides of at most %d, and at most %d in all",
            (int)p->kernel.rows, (int)p->kernel.columns, GF_CONV_SIDE, GF_CONV_NUMBERS);
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        sum += values[i];
        most = fmax(most, fabs(values[i]));
    }
    if (p->normalize && (sum == 0 || !isfinite(sum))) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "normalize=on divides by the sum of the kernel, which is %g: leave it out", sum);
        return;
    }
    const struct gf_conv_kernel kernel = {p->kernel.rows, p->kernel.columns, values,
                                          p->normalize ? p->scale / sum : p->scale};
    if (!(most * fabs(kernel.scale) < 1e30)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "kernel= becomes %g where it is largest, must be below 1e30",
                      most * fabs(kernel.scale));
        return;
    }
    const struct gf_conv_end end = {p->offset * gf_lower_white(l, v), GF_NEGATIVE_KEEP, true};
    gf_lower_output(l, gf_lowering_conv(l, v, &kernel, &end));
}

/* Along time: a row of weights, which are not mirrored, as of a picture. */
static void signal(gf_signal_lowering *l, const void *params)
{
    const struct conv *p = params;
    const double *values = p->kernel.more ? p->kernel.more : p->kernel.values;
    const int32_t n = p->kernel.columns;
    double sum = 0;
    if (p->kernel.rows != 1 || p->offset != 0) {
        gf_signal_lower_fail(l, p->kernel.rows != 1 ? "kernel" : "offset",
                             "of a signal the kernel is one row, as [1 2 1], and offset= is not for it");
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        sum += values[i];
    }
    if (p->normalize && (sum == 0 || !isfinite(sum))) {
        gf_signal_lower_fail(l, "normalize", "normalize=on divides by the sum of the kernel, which is %g",
                             sum);
        return;
    }
    float *tap = gf_signal_lower_fir(l, n, n - 1 - (n - 1) / 2, gf_signal_lower_border(l));
    for (int32_t i = 0; tap && i < n; i++) {
        tap[n - 1 - i] = (float)(values[i] * (p->normalize ? p->scale / sum : p->scale));
    }
}

static const gf_param params[] = {
    {GF_ROW(LIST, conv, kernel, ""), .choices = "*x*",
     .help = "weights row by row, of any width and height; a file may have up to 262144", .positional = 1},
    {GF_ROW_IN(NUMBER, conv, scale, "1", -1e9, 1e9), .help = "what all weights are multiplied by, as 1/16"},
    {GF_ROW(BOOL, conv, normalize, "off"),
     .help = "divides all weights by their sum, so that areas keep their brightness"},
    {GF_ROW_IN(INTENSITY, conv, offset, "0", -100, 100),
     .help = "added to the sums; 0.5 shows sums below 0 of a kernel whose numbers add up to 0"},
    {0},
};

static const gf_example examples[] = {
    {"conv:[1 2 1; 2 4 2; 1 2 1]:normalize=on", "a slight blur, computed as [1 2 1] across and down"},
    {"conv:[0 -1 0; -1 5 -1; 0 -1 0]", "sharpens"},
    {"gray,conv:[-2 -1 0; -1 0 1; 0 1 2]:scale=1/4:offset=0.5", "relief, lit from the upper left"},
    {"conv:[1 1; 1 1]:scale=1/4", "the mean of each pixel and those to the right, below and in between"},
    {0},
};

const gf_stage_type gf_stage_conv = {
    .struct_size = sizeof(gf_stage_type),
    .name = "conv",
    .aliases = "convolve|filter2d",
    .group = "window",
    .summary = "weighted sum of the neighbourhood, with a kernel of your own",
    .use = "For any linear filter that has no stage of its own: relief, motion blur, and from a file, as in\n"
           "conv:@disc.png:normalize=on, what a lens does, with up to 2048 numbers a side. For "
           "Gaussians\n"
           "and means blur and box are faster.",
    .source =
        "Correlation as in OpenCV's filter2D and SciPy's ndimage.correlate: the kernel is not mirrored.",
    .formula =
        "The sum of kernel[j][i] v(x + i - floor((columns - 1) / 2), y + j - floor((rows - 1) / 2)): where "
        "a\n"
        "side is even the pixel lies left of and above the middle. One chain of fma in f32, in raster order\n"
        "of the kernel, plus offset; rounded half to even. A kernel with odd sides whose numbers are, in\n"
        "doubles, exactly products of a column and a row is computed as its two factors, across and then\n"
        "down: faster, and in f32 perhaps different in the last bits. Weights are rounded to f32 once.\n"
        "Without factors, u8, and u16 without alpha, have exact sums from 225 numbers on, with the numbers\n"
        "on a fine grid, rounded once, in a time that hardly depends on the size. Integers that add up to\n"
        "less than 2^26 are not rounded at all. f32, and u16 with alpha, of so many numbers go by Fourier\n"
        "transforms in f32 of tiles; where a tile has a NaN, an infinity or a number from 2^40 on, it has "
        "the\n"
        "chain, which takes long.\n"
        "Of a file of signals, a kernel of one row along time, with border=replicate or zeros.",
    .params = params,
    .params_size = sizeof(struct conv),
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .signal = signal,
    .examples = examples,
};
