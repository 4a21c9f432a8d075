/* "denoise" on the GPU. A block of threads marches down a strip, a thread a column of blocks: what its last
 * rows are across stays in registers, so a step transforms one row across, all columns down and back, and all
 * rows back. Samples then go through shared memory to the thread whose pixel they are of, which adds them in
 * order. */
#include "base/device_scope_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/whole/dct/denoise.h"

enum { GF_DENOISE_THREADS = 128, GF_DENOISE_MOST_ROWS = 128, GF_DENOISE_LEAST_ROWS = 32 };

struct gf_denoise_params {
    const char *in; /* row in_first of the input */
    char *out;      /* row `first` of the output; rows up to `end` are wanted */
    int64_t in_pitch, out_pitch, in_first, first, end, width;
    int32_t channels, rows; /* rows: of a segment */
    float threshold[GF_MAX_CHANNELS];
    float matrix[GF_DENOISE_MOST * GF_DENOISE_MOST];
};

/* A row of the input, from the strip's first column on; 0 beyond its end. */
template <int N>
GF_DEVICE_FN void gf_denoise_read(const struct gf_denoise_params &p, int64_t x, int64_t y, int c, float *line)
{
    const float *row = reinterpret_cast<const float *>(p.in + (y - p.in_first) * p.in_pitch);
    const int64_t width = p.width + 2 * (N - 1);
    for (int i = static_cast<int>(threadIdx.x); i < GF_DENOISE_THREADS + N - 1; i += GF_DENOISE_THREADS) {
        line[i] = x + i < width ? row[(x + i) * p.channels + c] : 0.0F;
    }
}

template <int N>
GF_DEVICE_FN void gf_denoise_across(const struct gf_denoise_params &p, const float *line, float waves[N])
{
    float v[N];
    GF_UNROLL
    for (int i = 0; i < N; i++) {
        v[i] = line[threadIdx.x + unsigned(i)];
    }
    GF_UNROLL
    for (int k = 0; k < N; k++) {
        waves[k] = 0;
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            waves[k] = gf_fma(p.matrix[k * N + i], v[i], waves[k]);
        }
    }
}

/* Column k of frequencies: down, the small ones left out, and back up. */
template <int N, int M>
GF_DEVICE_FN void gf_denoise_column(const struct gf_denoise_params &p, const float waves[M][N], int k,
                                    float threshold, float kept[M])
{
    GF_UNROLL
    for (int j = 0; j < M; j++) {
        kept[j] = 0;
    }
    GF_UNROLL
    for (int l = 0; l < M; l++) {
        float sum = 0;
        GF_UNROLL
        for (int j = 0; j < M; j++) {
            sum = gf_fma(M == 1 ? 1.0F : p.matrix[l * N + j], waves[j][k], sum);
        }
        sum = k + l > 0 && sum < threshold && sum > -threshold ? 0.0F : sum;
        GF_UNROLL
        for (int j = 0; j < M; j++) {
            kept[j] = gf_fma(M == 1 ? 1.0F : p.matrix[l * N + j], sum, kept[j]);
        }
    }
}

/* Makes what the thread's block of N x M has left, for those whose pixels they are: row j, column i at
 * made[(j * N + i) * GF_DENOISE_THREADS]. */
template <int N, int M>
GF_DEVICE_FN void gf_denoise_block(const struct gf_denoise_params &p, const float waves[M][N],
                                   float threshold, float *made)
{
    float kept[N][M];
    GF_UNROLL
    for (int k = 0; k < N; k++) {
        gf_denoise_column<N, M>(p, waves, k, threshold, kept[k]);
    }
    GF_UNROLL
    for (int j = 0; j < M; j++) {
        GF_UNROLL
        for (int i = 0; i < N; i++) {
            float sum = 0;
            GF_UNROLL
            for (int k = 0; k < N; k++) {
                sum = gf_fma(p.matrix[k * N + i], kept[k][j], sum);
            }
            made[(j * N + i) * GF_DENOISE_THREADS + int(threadIdx.x)] = sum;
        }
    }
}

/* Rows y to `end` of the output, as they are. */
template <int N, int M>
GF_DEVICE_FN void gf_denoise_copy(const struct gf_denoise_params &p, int64_t x, int64_t y, int64_t end, int c)
{
    for (; y < end; y++) {
        const char *row = p.in + (y + M - 1 - p.in_first) * p.in_pitch;
        char *to = p.out + (y - p.first) * p.out_pitch;
        reinterpret_cast<float *>(to)[x * p.channels + c] =
            reinterpret_cast<const float *>(row)[(x + N - 1) * p.channels + c];
    }
}

template <int N, int M>
static __global__ void __launch_bounds__(GF_DENOISE_THREADS)
    gf_denoise_march(const struct gf_denoise_params p)
{
    const int PIXELS = GF_DENOISE_THREADS - (N - 1);
    GF_SHARED(float, line, GF_DENOISE_THREADS + N - 1);
    GF_SHARED(float, made, M *N *GF_DENOISE_THREADS);
    const int own = static_cast<int>(threadIdx.x), c = static_cast<int>(blockIdx.z);
    const int64_t x = int64_t(blockIdx.x) * PIXELS, first = p.first + int64_t(blockIdx.y) * p.rows;
    const int64_t end = first + p.rows < p.end ? first + p.rows : p.end;
    const bool has_pixel = own < PIXELS && x + own < p.width;
    const float threshold = p.threshold[c], scale = float(1.0 / (N * M));
    if (threshold < 0) {
        gf_denoise_copy<N, M>(p, x + own, has_pixel ? first : end, end, c);
        return;
    }
    float waves[M][N], sums[M] = {};
    for (int64_t y = first - (M - 1); y < end + M - 1; y++) { /* the first row of blocks */
        gf_denoise_read<N>(p, x, y + M - 1, c, line);
        __syncthreads();
        GF_UNROLL
        for (int j = 0; j + 1 < M; j++) {
            GF_UNROLL
            for (int k = 0; k < N; k++) {
                waves[j][k] = waves[j + 1][k];
            }
        }
        gf_denoise_across<N>(p, line, waves[M - 1]);
        const bool whole = y >= first; /* all rows of the block are there */
        if (whole) {
            gf_denoise_block<N, M>(p, waves, threshold, made);
        }
        __syncthreads();
        if (whole && has_pixel) {
            GF_UNROLL
            for (int j = 0; j < M; j++) {
                GF_UNROLL
                for (int i = N - 1; i >= 0; i--) { /* of blocks from left to right */
                    sums[j] += made[(j * N + i) * GF_DENOISE_THREADS + own + N - 1 - i];
                }
            }
            if (y - (M - 1) >= first) {
                char *row = p.out + (y - (M - 1) - p.first) * p.out_pitch;
                reinterpret_cast<float *>(row)[(x + own) * p.channels + c] = gf_canonical(sums[0] * scale);
            }
            GF_UNROLL
            for (int j = 0; j + 1 < M; j++) {
                sums[j] = sums[j + 1];
            }
            sums[M - 1] = GF_FAULT(cuda_denoise_sum) && M > 1 ? sums[0] : 0.0F;
        }
    }
}

template <int N, int M> static cudaError_t gf_denoise_launch(struct gf_denoise_params p, cudaStream_t stream)
{
    const int64_t count = p.end - p.first;
    const unsigned strips = gf_blocks(p.width, GF_DENOISE_THREADS - (N - 1));
    p.rows = GF_DENOISE_MOST_ROWS;
    while (p.rows > GF_DENOISE_LEAST_ROWS && int64_t(strips) * p.channels * gf_blocks(count, p.rows) < 2048) {
        p.rows /= 2; /* so that all processors have enough to do */
    }
    while (gf_blocks(count, p.rows) > 65535) {
        p.rows *= 2;
    }
    gf_launch launch = gf_launch_on(stream, dim3(strips, gf_blocks(count, p.rows), unsigned(p.channels)),
                                    GF_DENOISE_THREADS);
    return GF_LAUNCH((gf_denoise_march<N, M>), launch, p);
}

static cudaError_t gf_denoise_blocks(const struct gf_denoise_params &p, const struct gf_denoise_args &args,
                                     cudaStream_t stream)
{
    const bool signal = args.upright == 1;
    if (args.block == 8) {
        return signal ? gf_denoise_launch<8, 1>(p, stream) : gf_denoise_launch<8, 8>(p, stream);
    }
    return signal ? gf_denoise_launch<4, 1>(p, stream) : gf_denoise_launch<4, 4>(p, stream);
}

gf_status gf_denoise_cuda(const struct gf_apply_run *run, gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(run->queue.stream);
    struct gf_denoise_args args;
    struct gf_denoise_params p = {};
    GF_ON_DEVICE(run->queue.device, error)
    gf_args_get(&run->apply->args, &args, sizeof args);
    p.in = static_cast<const char *>(run->in[0].data);
    p.out = static_cast<char *>(run->out[0].data);
    p.in_pitch = run->in[0].pitch;
    p.out_pitch = run->out[0].pitch;
    p.in_first = run->in[0].rows.first;
    p.first = run->out[0].rows.first;
    p.end = p.first + run->out[0].rows.count;
    p.width = run->out_values[0].width;
    p.channels = run->out_values[0].channels;
    memcpy(p.threshold, args.threshold, sizeof p.threshold);
    memcpy(p.matrix, run->host_in[1], sizeof(float) * size_t(args.block) * size_t(args.block));
    GF_CUDA_TRY(error, gf_denoise_blocks(p, args, stream));
    return GF_OK;
}
