/* The kernels of a Gaussian of a large sigma that work on coarse samples: down the columns, and the blur.
 * Neighbouring threads have neighbouring elements of a row, whatever their channels. */
#include "pixel/multirate_cuda.cuh"

enum {
    THREADS = GF_MULTIRATE_THREADS,
    OUTPUTS = 4, /* neighbouring coarse rows of a thread */
    ROWS = 8,    /* neighbouring rows that a thread interpolates from the same coarse ones */
    BLOCKS = 1 << 20
};

static struct gf_launch gf_multirate_over(int64_t elements, int64_t rows, cudaStream_t stream)
{
    const int64_t blocks = (elements + THREADS - 1) / THREADS * rows;
    struct gf_launch launch = {};
    launch.block = dim3(THREADS);
    launch.grid = dim3(gf_blocks(blocks < BLOCKS ? blocks : int64_t(BLOCKS), 1));
    launch.stream = stream;
    return launch;
}

/* ---- sampled down ---------------------------------------------------------------------------------------
 */

/* As gf_multirate_decimate, down a column. */
static __global__ void __launch_bounds__(THREADS) gf_multirate_columns(const struct gf_multirate_params p)
{
    const float *const weights = p.weights + gf_multirate_at_decimation(p.step);
    const int64_t line = p.line * p.channels, pieces = (line + THREADS - 1) / THREADS;
    const int64_t groups = (p.grids.rows + OUTPUTS - 1) / OUTPUTS;
    for (int64_t n = blockIdx.x; n < pieces * groups; n += gridDim.x) {
        const int64_t group = n / pieces, i = (n - group * pieces) * THREADS + threadIdx.x;
        const int64_t start = gf_multirate_start(group * OUTPUTS, p.step, p.radius);
        float acc[OUTPUTS] = {-0.0F, -0.0F, -0.0F, -0.0F};
        if (i >= line) {
            continue;
        }
        for (int b = 0; b < 9 + OUTPUTS; b++) {
            const int32_t live = b < 8 + OUTPUTS ? p.step : 1;
#pragma unroll 8
            for (int32_t q = 0; q < live; q++) {
                const int64_t y = gf_border_index(start + int64_t(b) * p.step + q, p.height, p.border);
                const float x = p.across[(y < 0 ? p.height : y) * line + i];
#pragma unroll
                for (int m = 0; m < OUTPUTS; m++) {
                    const int32_t tap = (b - m) * p.step + q;
                    if (tap >= 0 && tap <= 9 * p.step) {
                        acc[m] = gf_multirate_tap(weights[tap], x, acc[m]);
                    }
                }
            }
        }
#pragma unroll
        for (int m = 0; m < OUTPUTS; m++) {
            if (group * OUTPUTS + m < p.grids.rows) {
                p.coarse[(group * OUTPUTS + m) * line + i] = acc[m];
            }
        }
    }
}

gf_status gf_multirate_sample_down(const struct gf_multirate_params *p, cudaStream_t stream, gf_error *error)
{
    const struct gf_launch launch =
        gf_multirate_over(p->line * p->channels, (p->grids.rows + OUTPUTS - 1) / OUTPUTS, stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_columns, launch, *p));
    return GF_OK;
}

/* ---- blurred ------------------------------------------------------------------------------------------- */

/* to[row][i] from taps of from[row] that lie `apart` elements from each other, for `used` elements of a row.
 */
struct gf_multirate_rows {
    const float *from;
    float *to;
    int64_t from_line, to_line, used, rows, apart;
};

static __global__ void __launch_bounds__(THREADS)
    gf_multirate_chains(const struct gf_multirate_rows r, const float *weights, int32_t taps)
{
    const int64_t pieces = (r.used + THREADS - 1) / THREADS;
    for (int64_t n = blockIdx.x; n < pieces * r.rows; n += gridDim.x) {
        const int64_t row = n / pieces, i = (n - row * pieces) * THREADS + threadIdx.x;
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

static __global__ void __launch_bounds__(THREADS)
    gf_multirate_interpolate_columns(const struct gf_multirate_params p)
{
    const int32_t rows = p.step < ROWS ? p.step : ROWS;
    const int64_t line = p.grids.narrow * p.channels, pieces = (line + THREADS - 1) / THREADS;
    const int64_t groups = (p.height + rows - 1) / rows;
    for (int64_t n = blockIdx.x; n < pieces * groups; n += gridDim.x) {
        const int64_t group = n / pieces, i = (n - group * pieces) * THREADS + threadIdx.x;
        const int64_t k = group * rows / p.step;
        const int32_t place = static_cast<int32_t>(group * rows - k * p.step);
        float near[GF_MULTIRATE_TAPS];
        if (i >= line) {
            continue;
        }
#pragma unroll
        for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
            near[j] = p.smoother[(k + j) * line + i];
        }
        for (int32_t r = 0; r < rows && group * rows + r < p.height; r++) {
            float acc = -0.0F;
#pragma unroll
            for (int j = 0; j < GF_MULTIRATE_TAPS; j++) {
                acc = gf_multirate_tap(p.weights[int64_t(j) * p.step + place + r], near[j], acc);
            }
            p.rows[(group * rows + r) * line + i] = acc;
        }
    }
}

gf_status gf_multirate_interpolate_down(const struct gf_multirate_params *p, cudaStream_t stream,
                                        gf_error *error)
{
    const int32_t rows = p->step < ROWS ? p->step : int32_t(ROWS);
    const struct gf_launch launch =
        gf_multirate_over(p->grids.narrow * p->channels, (p->height + rows - 1) / rows, stream);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_multirate_interpolate_columns, launch, *p));
    return GF_OK;
}
