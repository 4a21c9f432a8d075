/* One SIMD level of "fourier_conv": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. */
#include "pixel/map/fourier_conv/fourier_conv.h"

#include "base/cpu_level.h"
#include "fourier/fft_vector.h"

#include <string.h>

enum { CHAINS = 4 * W };

INLINE bool take_by(const float *from, int64_t step, int64_t n, float *to)
{
    uint32_t wild = 0;
    for (int64_t x = 0; x < n; x++) {
        const float v = from[x * step];
        wild |= !(v < GF_FOURIER_CONV_TAME) | !(v > -GF_FOURIER_CONV_TAME); /* NaN is neither */
        to[x] = v;
    }
    return wild == 0;
}

static bool take(const float *from, int64_t step, int64_t n, int64_t wide, float *to)
{
    memset(to + n, 0, (size_t)(wide - n) * sizeof *to);
    return step == 1 ? take_by(from, 1, n, to) : take_by(from, step, n, to);
}

static void product(float *numbers, const float *by, int64_t n)
{
    int64_t k = 0;
    for (; k + W <= n; k += W) {
        float *at = numbers + 2 * k;
        const vec a = load(at), b = load(at + W), c = load(by + 2 * k), d = load(by + 2 * k + W);
        const vec xr = SHUFFLE(a, b, EVEN, 0), xi = SHUFFLE(a, b, ODD, 0);
        const vec wr = SHUFFLE(c, d, EVEN, 0), wi = SHUFFLE(c, d, ODD, 0);
        const vec re = fused_minus(xr, wr, xi * wi), im = fused(xr, wi, xi * wr);
        store(at, SHUFFLE(re, im, ZIP_LOW, 0));
        store(at + W, SHUFFLE(re, im, ZIP_HIGH, 0));
    }
    for (; k < n; k++) {
        const float re = numbers[2 * k], im = numbers[2 * k + 1];
        numbers[2 * k] = gf_fma(re, by[2 * k], -(im * by[2 * k + 1]));
        numbers[2 * k + 1] = gf_fma(re, by[2 * k + 1], im * by[2 * k]);
    }
}

INLINE void chains(const float *from, int64_t pitch, int64_t step, const float *weights,
                   const struct gf_fourier_conv_args *args, int64_t n, float *out)
{
    float sum[CHAINS];
    for (int64_t x = 0; x < n; x++) {
        sum[x] = -0.0F; /* which the first product does not notice */
    }
    for (int64_t j = 0; j < args->down; j++) {
        for (int64_t i = 0; i < args->across; i++) {
            const float weight = weights[j * args->across + i], *row = from + j * pitch + i * step;
            for (int64_t x = 0; x < n; x++) {
                sum[x] = gf_fma(weight, row[x * step], sum[x]);
            }
        }
    }
    for (int64_t x = 0; x < n; x++) {
        out[x * step] = gf_canonical(sum[x]);
    }
}

static void chain(const float *from, int64_t pitch, int64_t step, const float *weights,
                  const struct gf_fourier_conv_args *args, int64_t n, float *out)
{
    for (int64_t x = 0; x < n; x += CHAINS) {
        const int64_t left = n - x < CHAINS ? n - x : CHAINS;
        if (step == 1 && left == CHAINS) {
            chains(from + x, pitch, 1, weights, args, CHAINS, out + x);
        } else {
            chains(from + x * step, pitch, step, weights, args, left, out + x * step);
        }
    }
}

const struct gf_fourier_conv_rows GF_LEVEL_NAME(gf_fourier_conv_rows) = {take, product, chain};
