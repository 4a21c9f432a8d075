/* The kernels of a Gaussian of a large sigma that work on coarse samples: down the columns, and the blur.
 * Neighbouring threads have neighbouring elements of a row, whatever their channels. */
#include "pixel/window/blur/multirate_cuda.cuh"

enum {
    DOWN_THREADS = GF_MULTIRATE_THREADS,
    DOWN_OUTPUTS = 4, /* neighbouring coarse rows of a thread */
    ROWS = 8,         /* neighbouring rows that a thread interpolates from the same coarse ones */
    DOWN_BLOCKS = 1 << 20
};

static struct gf_launch gf_multirate_over(int64_t elements, int64_t rows, cudaStream_t stream)
{
    const int64_t blocks = (elements + DOWN_THREADS - 1) / DOWN_THREADS * rows;
    gf_launch launch = gf_launch_on(
        stream, gf_blocks(blocks < DOWN_BLOCKS ? blocks : int64_t(DOWN_BLOCKS), 1), DOWN_THREADS);
    return launch;
}

/* ---- sampled down -------------------------------------------------------------------------------------- */

/* Row y of across, one of the picture, of its border or of fill. */
GF_DEVICE_FN int64_t gf_multirate_row(const struct gf_multirate_params &p, int64_t y)
{
    const int64_t row = gf_border_index(y, p.height, p.border);
    return row < 0 ? p.height : row;
}

/* Works as gf_multirate_decimate, down a column. STEP 0: any, with weights from memory; else a block looks up
 * its rows beforehand. */
template <int STEP>
static __global__ void __launch_bounds__(DOWN_THREADS)
    gf_multirate_columns(const struct gf_multirate_params p, const struct gf_decimation_taps taps)
{
    enum { PARTS = 9 + DOWN_OUTPUTS, KNOWN = STEP == 0 ? 1 : (PARTS - 1) * STEP + 1 };
    GF_SHARED(int64_t, known, KNOWN);
    const int32_t step = STEP == 0 ? p.step : STEP;
    const float *const weights = p.weights + gf_multirate_at_decimation(step);
    const int64_t line = p.line * p.channels, pieces = (line + DOWN_THREADS - 1) / DOWN_THREADS;
    const int64_t groups = (p.grids.rows + DOWN_OUTPUTS - 1) / DOWN_OUTPUTS;
    for (int64_t n = blockIdx.x; n < pieces * groups; n += gridDim.x) {
        const int64_t group = n / pieces, i = (n - group * pieces) * DOWN_THREADS + threadIdx.x;
        const int64_t start = gf_multirate_start(group * DOWN_OUTPUTS, step, p.radius);
        const float *const column = p.across + i;
        float acc[DOWN_OUTPUTS] = {-0.0F, -0.0F, -0.0F, -0.0F};
        __syncthreads(); /* the rows before are done with */
        for (int32_t r = static_cast<int32_t>(threadIdx.x); STEP > 0 && r < KNOWN; r += DOWN_THREADS) {
            known[r] = gf_multirate_row(p, start + r) * line;
        }
        __syncthreads();
        if (i >= line) {
            continue;
        }
#pragma unroll
        for (int b = 0; b < PARTS; b++) {
            const int32_t live = b < PARTS - 1 ? step : 1;
#pragma unroll(STEP == 0 ? 8 : STEP)
            for (int32_t q = 0; q < live; q++) {
                const float x = column[STEP > 0 ? known[b * STEP + q]
                                                : gf_multirate_row(p, start + int64_t(b) * step + q) * line];
#pragma unroll
                for (int m = 0; m < DOWN_OUTPUTS; m++) {
                    const int32_t tap = (b - m) * step + q;
                    if (b >= m && (b - m < 9 || (b - m == 9 && q == 0))) {
                        acc[m] = gf_multirate_tap(STEP == 0 ? weights[tap] : taps.weight[tap], x, acc[m]);
                    }
                }
            }
        }
#pragma unroll
        for (int m = 0; m < DOWN_OUTPUTS; m++) {
            if (group * DOWN_OUTPUTS + m < p.grids.rows) {
                p.coarse[(group * DOWN_OUTPUTS + m) * line + i] = acc[m];
            }
        }
    }
}

template <int STEP>
static gf_status gf_columns_launch(const struct gf_multirate_params &p, const float *host,
                                   cudaStream_t stream, gf_error *error)
{
    const struct gf_launch launch =
        gf_multirate_over(p.line * p.channels, (p.grids.rows + DOWN_OUTPUTS - 1) / DOWN_OUTPUTS, stream);
    struct gf_decimation_taps taps = {};
    if (STEP > 0) {
        memcpy(taps.weight, host + gf_multirate_at_decimation(STEP), sizeof(float) * (9 * STEP + 1));
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_columns<STEP>, launch, p, taps));
    return GF_OK;
}

gf_status gf_multirate_sample_down(const struct gf_multirate_params *p, const float *host,
                                   cudaStream_t stream, gf_error *error)
{
    return gf_multirate_by_step(host, p->step, [&](auto step) {
        return gf_columns_launch<decltype(step)::value>(*p, host, stream, error);
    });
}

/* ---- blurred ------------------------------------------------------------------------------------------- */

/* to[row][i] from taps of from[row] that lie `apart` elements from each other, for `used` elements of a row.
 */
struct gf_multirate_rows {
    const float *from;
    float *to;
    int64_t from_line, to_line, used, rows, apart;
};

static __global__ void __launch_bounds__(DOWN_THREADS)
    gf_multirate_chains(const struct gf_multirate_rows r, const float *weights, int32_t taps)
{
    const int64_t pieces = (r.used + DOWN_THREADS - 1) / DOWN_THREADS;
    for (int64_t n = blockIdx.x; n < pieces * r.rows; n += gridDim.x) {
        const int64_t row = n / pieces, i = (n - row * pieces) * DOWN_THREADS + threadIdx.x;
        const float *const from = r.from + row * r.from_line + i;
        float acc = -0.0F;
        if (i >= r.used) {
            continue;
        }
#pragma unroll 8
        for (int32_t k = 0; k < taps; k++) {
            acc = gf_multirate_tap(weights[k], from[k * r.apart], acc);
        }
        r.to[row * r.to_line + i] = acc;
    }
}

gf_status gf_multirate_blur(const struct gf_multirate_params *p, bool down, cudaStream_t stream,
                            gf_error *error)
{
    const int64_t narrow = p->grids.narrow * p->channels;
    const struct gf_multirate_rows across = {
        p->coarse, p->smooth, p->line, p->grids.narrow, p->grids.narrow, p->grids.rows * p->channels, 1};
    const struct gf_multirate_rows columns = {p->smooth, p->smoother,          narrow, narrow,
                                              narrow,    p->grids.narrow_rows, narrow};
    const struct gf_multirate_rows *const r = down ? &columns : &across;
    const struct gf_launch launch = gf_multirate_over(r->used, r->rows, stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_chains, launch, *r, p->weights + gf_multirate_at_blur(p->step),
                                 2 * p->radius + 1));
    return GF_OK;
}

/* ---- sampled up ---------------------------------------------------------------------------------------- */

/* A thread has one column of the rows between two coarse ones; where STEP is 0 at most eight of them, with
 * weights from memory. */
template <int STEP>
static __global__ void __launch_bounds__(DOWN_THREADS)
    gf_multirate_interpolate_columns(const struct gf_multirate_params p,
                                     const struct gf_interpolation_taps<STEP> taps)
{
    const int32_t rows = STEP > 0 ? STEP : p.step < ROWS ? p.step : ROWS;
    const int64_t line = p.grids.narrow * p.channels, pieces = (line + DOWN_THREADS - 1) / DOWN_THREADS;
    const int64_t groups = (p.height + rows - 1) / rows;
    for (int64_t n = blockIdx.x; n < pieces * groups; n += gridDim.x) {
        const int64_t group = n / pieces, i = (n - group * pieces) * DOWN_THREADS + threadIdx.x;
        const int64_t k = STEP > 0 ? group : group * rows / p.step;
        const float *const weights = p.weights + (group * rows - k * p.step);
        float *const to = p.rows + group * rows * line + i;
        float near[GF_MULTIRATE_TAPS];
        if (i >= line) {
            continue;
        }
#pragma unroll
        for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
            near[j] = p.smoother[(k + j) * line + i];
        }
#pragma unroll(STEP > 0 ? STEP : 1)
        for (int32_t r = 0; r < rows; r++) {
            float acc = -0.0F;
#pragma unroll
            for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
                const float weight = STEP > 0 ? taps.weight[j][STEP > 0 ? r : 0] : weights[j * p.step + r];
                acc = gf_multirate_tap(weight, near[j], acc);
            }
            if (group * rows + r < p.height) {
                to[r * line] = acc;
            }
        }
    }
}

template <int STEP>
static gf_status gf_interpolate_columns_launch(const struct gf_multirate_params &p, const float *host,
                                               cudaStream_t stream, gf_error *error)
{
    const int32_t rows = STEP > 0 ? STEP : p.step < ROWS ? p.step : int32_t(ROWS);
    const struct gf_launch launch =
        gf_multirate_over(p.grids.narrow * p.channels, (p.height + rows - 1) / rows, stream);
    gf_interpolation_taps<STEP> taps = {};
    if (STEP > 0) {
        memcpy(taps.weight, host, sizeof taps);
    }
    GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_interpolate_columns<STEP>, launch, p, taps));
    return GF_OK;
}

gf_status gf_multirate_interpolate_down(const struct gf_multirate_params *p, const float *host,
                                        cudaStream_t stream, gf_error *error)
{
    return gf_multirate_by_step(host, p->step, [&](auto step) {
        return gf_interpolate_columns_launch<decltype(step)::value>(*p, host, stream, error);
    });
}
