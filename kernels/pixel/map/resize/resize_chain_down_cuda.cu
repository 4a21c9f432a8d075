/* "resize" along columns on the GPU by chains of f32. A thread makes four neighbouring samples of several
 * rows of the output at once, so that a row of the input that many of them are made of is read once for all.
 * What each row counts in each output lies in shared memory, row by row, and is the same for the whole block.
 */
#include "base/planted_fault.h"
#include "pixel/map/resize/resize_chain_cuda.cuh"

enum {
    GF_CHAIN_DOWN_THREADS = 128,
    GF_CHAIN_UNIT = 4,       /* samples of a row that a thread has */
    GF_CHAIN_AT_ONCE = 4,    /* rows of the input that it loads before it waits for the first */
    GF_CHAIN_TALL = 8,       /* rows of the output, for pictures that keep the GPU busy so, */
    GF_CHAIN_LOW = 2,        /* and of others */
    GF_CHAIN_BUSY = 4,       /* blocks of a processor that do */
    GF_CHAIN_DOWN_MOST = 32, /* blocks of a processor; where there are more, they take more columns */
    GF_CHAIN_DOWN_SHARED = 48 << 10
};

/* Rounds that many rows up to what is loaded at once. */
GF_DEVICE_FN int32_t gf_chain_whole(int32_t rows)
{
    return (rows + GF_CHAIN_AT_ONCE - 1) / GF_CHAIN_AT_ONCE * GF_CHAIN_AT_ONCE;
}

/* The weights of `most` rows of the input from `base` on in `tall` outputs from y0 on, TALL of them a row,
 * and which of them count, a bit an output. */
template <int TALL>
GF_DEVICE_FN void gf_chain_weights(const struct gf_resize_params &p, int64_t y0, int32_t tall, int32_t base,
                                   int32_t most, float *weights, uint32_t *counts)
{
    const float *from = static_cast<const float *>(p.weights) + y0 * p.taps;
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < most * TALL; i += GF_CHAIN_DOWN_THREADS) {
        const int32_t j = i % TALL;
        const int32_t k = j < tall ? base + i / TALL - p.begin[y0 + j] : -1;
        weights[i] = k >= 0 && k < p.many[y0 + j] ? from[j * int64_t(p.taps) + k] : 0;
    }
    for (int32_t r = static_cast<int32_t>(threadIdx.x); r < most; r += GF_CHAIN_DOWN_THREADS) {
        uint32_t bits = 0; /* of rows behind the last one: no output */
        for (int32_t j = 0; j < tall; j++) {
            const int32_t k = base + r - p.begin[y0 + j];
            bits |= static_cast<uint32_t>(k >= 0 && k < p.many[y0 + j] - GF_FAULT(cuda_resize_chain)) << j;
        }
        counts[r] = bits;
    }
}

/* Four samples of each of the rows from `from` on, where `left` lie in a row; behind the last of `rows` rows
 * the last one again. Returns where the next rows begin. */
template <class T>
GF_DEVICE_FN const char *gf_chain_load(const char *from, int64_t pitch, int32_t rows, bool whole,
                                       int64_t left, float (&v)[GF_CHAIN_AT_ONCE][GF_CHAIN_UNIT])
{
    const char *at[GF_CHAIN_AT_ONCE];
    GF_UNROLL
    for (int n = 0; n < GF_CHAIN_AT_ONCE; n++) {
        at[n] = from;
        from += n + 1 < rows ? pitch : 0;
    }
    if (whole) { /* one branch for all: loads behind one each would wait for each other */
        GF_UNROLL
        for (int n = 0; n < GF_CHAIN_AT_ONCE; n++) {
            gf_march_take4(reinterpret_cast<const T *>(at[n]), v[n]);
        }
        return from;
    }
    GF_UNROLL
    for (int n = 0; n < GF_CHAIN_AT_ONCE; n++) {
        GF_UNROLL
        for (int i = 0; i < GF_CHAIN_UNIT; i++) {
            v[n][i] = i < left ? static_cast<float>(reinterpret_cast<const T *>(at[n])[i]) : 0;
        }
    }
    return from;
}

/* Adds a row to those of TALL sums that it counts in, a bit each. */
template <int TALL>
GF_DEVICE_FN void gf_chain_add(uint32_t bits, const float *weights, const float (&v)[GF_CHAIN_UNIT],
                               float (&sum)[TALL][GF_CHAIN_UNIT])
{
    float w[TALL];
    GF_UNROLL
    for (int j = 0; j < TALL; j += 2) {
        const uint2 pair = gf_load8(weights + j);
        memcpy(w + j, &pair, sizeof pair);
    }
    GF_UNROLL
    for (int j = 0; j < TALL; j++) {
        if (bits >> j & 1) {
            GF_UNROLL
            for (int i = 0; i < GF_CHAIN_UNIT; i++) {
                sum[j][i] = gf_fma(w[j], v[i], sum[j][i]);
            }
        }
    }
}

template <class U> GF_DEVICE_FN void gf_chain_store(char *to, bool whole, int64_t left, const float (&sum)[4])
{
    if (whole) {
        gf_chain_store4<U>(to, sum);
        return;
    }
    GF_UNROLL
    for (int i = 0; i < GF_CHAIN_UNIT; i++) {
        if (i < left) {
            reinterpret_cast<U *>(to)[i] = gf_chain_sample(sum[i], U());
        }
    }
}

/* most: rows of the input that there is room for. */
template <class T, class U, int TALL>
static __global__ void __launch_bounds__(GF_CHAIN_DOWN_THREADS)
    gf_resize_chain_down_kernel(const struct gf_resize_params p, int32_t most)
{
    GF_SHARED_DYN(float, weights); /* and behind them which of them count */
    uint32_t *const counts = reinterpret_cast<uint32_t *>(weights + most * TALL);
    const int64_t y0 = p.first + int64_t(blockIdx.y) * TALL, below = p.first + p.count - y0;
    const int32_t tall = below < TALL ? static_cast<int32_t>(below) : TALL;
    const int32_t base = p.begin[y0], rows = p.begin[y0 + tall - 1] + p.many[y0 + tall - 1] - base;
    gf_chain_weights<TALL>(p, y0, tall, base, gf_chain_whole(rows), weights, counts);
    __syncthreads();
    const char *const in = p.in + (base - p.in_first) * p.in_pitch;
    char *const out = p.out + (y0 - p.first) * p.out_pitch;
    for (int64_t x = GF_CHAIN_UNIT * (int64_t(blockIdx.x) * GF_CHAIN_DOWN_THREADS + threadIdx.x); x < p.width;
         x += int64_t(GF_CHAIN_UNIT) * GF_CHAIN_DOWN_THREADS * gridDim.x) {
        const bool whole = x + GF_CHAIN_UNIT <= p.width;
        const char *from = in + x * int64_t(sizeof(T));
        float sum[TALL][GF_CHAIN_UNIT];
        GF_UNROLL
        for (int j = 0; j < TALL; j++) {
            GF_UNROLL
            for (int i = 0; i < GF_CHAIN_UNIT; i++) {
                sum[j][i] = GF_CHAIN_BEGIN;
            }
        }
#pragma unroll 1
        for (int32_t r = 0; r < rows; r += GF_CHAIN_AT_ONCE) {
            float v[GF_CHAIN_AT_ONCE][GF_CHAIN_UNIT];
            from = gf_chain_load<T>(from, p.in_pitch, rows - r, whole, p.width - x, v);
            GF_UNROLL
            for (int n = 0; n < GF_CHAIN_AT_ONCE; n++) {
                gf_chain_add<TALL>(counts[r + n], weights + (r + n) * TALL, v[n], sum);
            }
        }
        GF_UNROLL
        for (int j = 0; j < TALL; j++) {
            if (j < tall) {
                gf_chain_store<U>(out + j * p.out_pitch + x * int64_t(sizeof(U)), whole, p.width - x, sum[j]);
            }
        }
    }
}

template <int TALL>
static bool gf_chain_down_start(const struct gf_resize_params &p, gf_depth from, gf_depth to,
                                cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_rows) / static_cast<double>(p.outputs);
    const double rows = (TALL - 1) * scale + p.taps + 2 + GF_CHAIN_AT_ONCE;
    const unsigned across = gf_blocks(p.width, GF_CHAIN_UNIT * GF_CHAIN_DOWN_THREADS),
                   down = gf_blocks(p.count, TALL), processors = static_cast<unsigned>(p.processors);
    const bool busy = uint64_t(across) * down >= uint64_t(GF_CHAIN_BUSY) * processors;
    if (rows * (TALL + 1) * sizeof(float) > GF_CHAIN_DOWN_SHARED || down > UINT16_MAX ||
        (TALL != GF_CHAIN_LOW && !busy)) {
        return false;
    }
    const int32_t most = static_cast<int32_t>(rows) / 4 * 4;
    const unsigned room = (GF_CHAIN_DOWN_MOST * processors + down - 1) / down;
    gf_launch launch = gf_launch_on(stream, dim3(across < room ? across : room, down), GF_CHAIN_DOWN_THREADS);
    launch.shared = sizeof(float) * static_cast<size_t>(most) * (TALL + 1);
    if (from == GF_U16) {
        *status = to == GF_U16
                      ? GF_LAUNCH((gf_resize_chain_down_kernel<uint16_t, uint16_t, TALL>), launch, p, most)
                      : GF_LAUNCH((gf_resize_chain_down_kernel<uint16_t, float, TALL>), launch, p, most);
    } else {
        *status = to == GF_U16
                      ? GF_LAUNCH((gf_resize_chain_down_kernel<float, uint16_t, TALL>), launch, p, most)
                      : GF_LAUNCH((gf_resize_chain_down_kernel<float, float, TALL>), launch, p, most);
    }
    return true;
}

bool gf_resize_chain_down_launch(const struct gf_resize_params &p, gf_depth from, gf_depth to,
                                 cudaStream_t stream, cudaError_t *status)
{
    return gf_chain_down_start<GF_CHAIN_TALL>(p, from, to, stream, status) ||
           gf_chain_down_start<GF_CHAIN_LOW>(p, from, to, stream, status);
}
