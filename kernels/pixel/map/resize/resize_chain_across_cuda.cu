/* "resize" along rows on the GPU by chains of f32. A block has neighbouring outputs of a few rows at a time,
 * the next of which copies bring to shared memory meanwhile. A thread has an output, or the same one of four
 * rows, and reads four pixels of it at a time, the first of them a multiple of four; those in front of an
 * output's first sample and behind its last are left out.
 *
 * Where outputs lie close, lanes are neighbouring outputs. Where they lie far apart, that many of them would
 * meet in the same banks, and too much of a row would lie between them: then eight lanes are rows. */
#include "base/planted_fault.h"
#include "pixel/map/resize/resize_chain_cuda.cuh"
#include "pixel/map/resize/resize_copies_cuda.cuh"

enum {
    GF_CHAIN_WARPS = 4,              /* of a block, at most */
    GF_CHAIN_CHUNK = 16,             /* bytes that are copied at once */
    GF_CHAIN_QUAD = 4,               /* pixels that a thread reads at once */
    GF_CHAIN_ROWS = 4,               /* of a thread, where lanes are neighbours */
    GF_CHAIN_TALL = 8,               /* lanes that are rows, where they are not */
    GF_CHAIN_STAGES = 2,             /* of rows in shared memory */
    GF_CHAIN_FAR = 6,                /* pixels from output to output, where they lie far apart */
    GF_CHAIN_BLOCKS = 8,             /* of a processor */
    GF_CHAIN_SHARED = 110 << 10,     /* bytes of a block, */
    GF_CHAIN_ALL_SHARED = 228 << 10, /* and of the blocks of a processor */
    GF_CHAIN_GROUP = 7,              /* 2^7 bytes are all banks of shared memory */
    GF_CHAIN_NEVER = 31
};

/* A block's shared memory: `made` bytes for what is made, then weights of so many quads an output, then rows,
 * `span` bytes from each to the next. Behind each 2^shift bytes of a row a chunk is left out, so that outputs
 * that lie so far apart do not meet in the same banks. */
struct gf_chain_room {
    int32_t span, made, quads, shift;
};

/* Returns where byte k of a row lies. */
GF_DEVICE_FN int32_t gf_chain_place(const struct gf_chain_room &room, int32_t k)
{
    return k + (k >> room.shift) * GF_CHAIN_CHUNK;
}

/* n rows of at most N, whose first is at `from`, to `rows`. */
template <int N>
GF_DEVICE_FN void gf_chain_fetch(const struct gf_resize_copies &c, const struct gf_chain_room &room,
                                 const char *from, int64_t pitch, int64_t n, char *rows)
{
    const int32_t step = GF_CHAIN_CHUNK * static_cast<int32_t>(blockDim.x);
    GF_UNROLL
    for (int r = 0; r < N; r++, from += pitch, rows += room.span) {
        if (r < n) {
#pragma unroll 1
            for (int32_t k = c.offset; k < c.bytes; k += step) {
                gf_cp_async<GF_CHAIN_CHUNK>(rows + gf_chain_place(room, k), from + k);
            }
            if (c.odd > 0 && c.offset < GF_CHAIN_CHUNK * c.odd) {
                const int32_t k = c.bytes + c.offset / GF_CHAIN_CHUNK;
                rows[gf_chain_place(room, k)] = from[k];
            }
        }
    }
    gf_cp_async_commit();
}

/* An output's samples: they are [lead, end) of the pixels from a multiple of four on. A warp has `quads` of
 * these at most; the first, and those from `full` on, may count only in part. */
struct gf_chain_own {
    int32_t lead, end, quads, full;
};

GF_DEVICE_FN struct gf_chain_own gf_chain_find(const struct gf_resize_params &p, int64_t output)
{
    struct gf_chain_own own;
    own.lead = p.begin[output] % GF_CHAIN_QUAD;
    own.end = own.lead + p.many[output];
    own.quads = (own.end + GF_CHAIN_QUAD - 1) / GF_CHAIN_QUAD;
    own.full = own.end / GF_CHAIN_QUAD;
    for (unsigned apart = GF_WARP / 2; apart > 0; apart /= 2) {
        const int32_t quads = static_cast<int32_t>(gf_shfl_xor(own.quads, apart)),
                      full = static_cast<int32_t>(gf_shfl_xor(own.full, apart));
        own.quads = quads > own.quads ? quads : own.quads;
        own.full = full < own.full ? full : own.full;
    }
    return own;
}

/* The weights of an output's quads to `weights`, `apart` floats from quad to quad: those from `first` on,
 * every `step`-th. */
GF_DEVICE_FN void gf_chain_weights(const struct gf_resize_params &p, int64_t output,
                                   const struct gf_chain_own &own, int first, int step, int32_t apart,
                                   float *weights)
{
    const float *from = static_cast<const float *>(p.weights) + output * p.taps - own.lead;
    for (int32_t q = first; q * GF_CHAIN_QUAD < own.end; q += step) {
        GF_UNROLL
        for (int t = 0; t < GF_CHAIN_QUAD; t++) {
            const int32_t k = q * GF_CHAIN_QUAD + t;
            weights[q * apart + t] = k >= own.lead && k < own.end ? from[k] : 0;
        }
    }
}

/* Adds a quad of each of N rows, `apart` bytes from each other. count: which of its pixels do, unless all. */
template <class T, int C, bool WEIGHED, bool ALL, int N>
GF_DEVICE_FN void gf_chain_add(const char *at, int32_t apart, const float *weights,
                               const bool (&count)[GF_CHAIN_QUAD], float (&sum)[N][C])
{
    const uint4 words = gf_load16(weights);
    float w[GF_CHAIN_QUAD];
    memcpy(w, &words, sizeof w);
    GF_UNROLL
    for (int n = 0; n < N; n++, at += apart) {
        float v[GF_CHAIN_QUAD * C];
        GF_UNROLL
        for (int i = 0; i < C; i++) {
            gf_march_take4(reinterpret_cast<const T *>(at) + 4 * i, v + 4 * i);
        }
        GF_UNROLL
        for (int t = 0; t < GF_CHAIN_QUAD; t++) {
            if (ALL || count[t]) {
                GF_UNROLL
                for (int c = 0; c < C; c++) {
                    const float own = v[t * C + c];
                    const float sample = WEIGHED && c + 1 < C ? own * v[t * C + C - 1] : own;
                    sum[n][c] = gf_fma(w[t], sample, sum[n][c]);
                }
            }
        }
    }
}

/* An output of N rows; `at`: its first quad in the first of them, as byte k of the row at `row`. */
template <class T, int C, bool WEIGHED, int N>
GF_DEVICE_FN void gf_chain_make(const char *row, int32_t k, int32_t apart, const struct gf_chain_room &room,
                                const struct gf_chain_own &own, const float *weights, int32_t step,
                                float (&sum)[N][C])
{
    GF_UNROLL
    for (int n = 0; n < N; n++) {
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            sum[n][c] = GF_CHAIN_BEGIN;
        }
    }
#pragma unroll 1
    for (int32_t q = 0; q < own.quads; q++, k += GF_CHAIN_QUAD * C * static_cast<int32_t>(sizeof(T))) {
        const char *at = row + (GF_FAULT(cuda_resize_room) ? k : gf_chain_place(room, k));
        bool count[GF_CHAIN_QUAD];
        GF_UNROLL
        for (int t = 0; t < GF_CHAIN_QUAD; t++) {
            const int32_t tap = q * GF_CHAIN_QUAD + t;
            count[t] =
                tap >= own.lead * !GF_FAULT(cuda_resize_lead) && tap < own.end - GF_FAULT(cuda_resize_chain);
        }
        if (q > 0 && q < own.full - GF_FAULT(cuda_resize_chain)) {
            gf_chain_add<T, C, WEIGHED, true>(at, apart, weights + q * step, count, sum);
        } else {
            gf_chain_add<T, C, WEIGHED, false>(at, apart, weights + q * step, count, sum);
        }
    }
}

/* A pixel to its place. */
template <class U, int C> GF_DEVICE_FN void gf_chain_put(char *to, const float (&sum)[C])
{
    if constexpr (C == 4) {
        gf_chain_store4<U>(to, sum);
    } else {
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            reinterpret_cast<U *>(to)[c] = gf_chain_sample(sum[c], U());
        }
    }
}

/* The same of three channels for a whole warp, whose first `outputs` lanes have one, of n rows of N from `to`
 * on: by way of `made`, so that neighbouring lanes write neighbouring samples. */
template <class U, int N>
GF_DEVICE_FN void gf_chain_put_rgb(char *to, int64_t pitch, int64_t n, int64_t outputs,
                                   const float (&sum)[N][3], U *made)
{
    const int lane = static_cast<int>(gf_lane());
    const int rows = n < N ? static_cast<int>(n) : N;
    const int samples = outputs < GF_WARP ? static_cast<int>(3 * outputs) : 3 * GF_WARP;
    GF_UNROLL
    for (int r = 0; r < N; r++) {
        GF_UNROLL
        for (int c = 0; c < 3; c++) {
            made[(r * GF_WARP + lane) * 3 + c] = gf_chain_sample(sum[r][c], U());
        }
    }
    gf_syncwarp();
    GF_UNROLL
    for (int r = 0; r < N; r++, to += pitch) {
        GF_UNROLL
        for (int i = 0; i < 3; i++) {
            const int at = i * GF_WARP + lane;
            if (r < rows && at < samples - GF_FAULT(cuda_resize_rgb)) {
                reinterpret_cast<U *>(to)[at] = made[r * GF_WARP * 3 + at];
            }
        }
    }
}

/* TALL: lanes that are rows. */
template <class T, class U, int C, bool WEIGHED, int TALL>
static __global__ void __launch_bounds__(GF_CHAIN_WARPS *GF_WARP)
    gf_resize_chain_across_kernel(const struct gf_resize_params p, const struct gf_chain_room room)
{
    constexpr int N = TALL == 1 ? GF_CHAIN_ROWS : 1, WIDE = GF_WARP / TALL, ROWS = N * TALL;
    constexpr int32_t PIXEL = C * static_cast<int32_t>(sizeof(T)), MADE = N * GF_WARP * 3;
    GF_SHARED_DYN(char, memory);
    const int32_t outputs = static_cast<int32_t>(blockDim.x) / TALL, step = outputs * GF_CHAIN_QUAD;
    const int32_t number = static_cast<int32_t>(gf_warp()) * WIDE + static_cast<int32_t>(gf_lane()) / TALL;
    const int lane_row = static_cast<int>(gf_lane()) % TALL;
    const int64_t x0 = int64_t(blockIdx.x) * outputs, x = x0 + number, last = p.outputs - 1;
    const int64_t own_x = x < last ? x : last, last_x = x0 + outputs - 1 < last ? x0 + outputs - 1 : last;
    const int64_t from =
        int64_t(p.begin[x0]) / GF_CHAIN_QUAD * GF_CHAIN_QUAD * PIXEL / GF_CHAIN_CHUNK * GF_CHAIN_CHUNK;
    const int64_t to = (int64_t(p.begin[last_x]) + p.many[last_x]) * PIXEL;
    const struct gf_resize_copies copies =
        gf_resize_find(p, GF_CHAIN_CHUNK, static_cast<int32_t>(threadIdx.x), from, to);
    const struct gf_chain_own own = gf_chain_find(p, own_x);
    const int32_t k = static_cast<int32_t>(int64_t(p.begin[own_x] - own.lead) * PIXEL - from);
    U *const made = reinterpret_cast<U *>(memory) + gf_warp() * MADE;
    float *const weights = reinterpret_cast<float *>(memory + room.made) + number * GF_CHAIN_QUAD;
    char *const rows = memory + room.made + room.quads * step * static_cast<int32_t>(sizeof(float));
    const int64_t first = int64_t(ROWS) * blockIdx.y, stride = int64_t(ROWS) * gridDim.y;
    const int64_t warp_x = x0 + gf_warp() * WIDE;
    const char *in = p.in + (p.first + first - p.in_first) * p.in_pitch + from;
    char *out = p.out + first * p.out_pitch;
    gf_chain_weights(p, own_x, own, lane_row, TALL, step, weights);
    gf_chain_fetch<ROWS>(copies, room, in, p.in_pitch, p.count - first, rows);
    int32_t stage = 0;
    for (int64_t left = p.count - first; left > 0; left -= stride, out += stride * p.out_pitch) {
        float sum[N][C];
        const int32_t next = ROWS * room.span - stage;
        in += stride * p.in_pitch;
        gf_cp_async_wait<0>();
        __syncthreads();
        gf_chain_fetch<ROWS>(copies, room, in, p.in_pitch, left - stride, rows + next);
        gf_chain_make<T, C, WEIGHED>(rows + stage + lane_row * room.span, k, room.span, room, own, weights,
                                     step, sum);
        if constexpr (C == 3 && TALL == 1) {
            gf_chain_put_rgb(out + warp_x * int64_t(C * sizeof(U)), p.out_pitch, left, p.outputs - warp_x,
                             sum, made);
        } else {
            char *to_row = out + lane_row * p.out_pitch + x * int64_t(C * sizeof(U));
            GF_UNROLL
            for (int n = 0; n < N; n++, to_row += p.out_pitch) {
                if (x <= last && lane_row + n < left) {
                    gf_chain_put<U>(to_row, sum[n]);
                }
            }
        }
        stage = next;
    }
}

/* Bytes that a block of so many warps takes, TALL lanes of which are rows; `room` says of what. scale: pixels
 * from output to output. */
template <class T, class U, int C, int TALL>
static int64_t gf_chain_fit(const struct gf_resize_params &p, double scale, unsigned warps,
                            struct gf_chain_room *room)
{
    const int64_t outputs = int64_t(warps) * GF_WARP / TALL, rows = TALL == 1 ? GF_CHAIN_ROWS : TALL;
    const bool meets = TALL == 1 && C != 3 && scale * C >= 8; /* each second four samples, or fewer */
    const double pixels = static_cast<double>(outputs) * scale + GF_CHAIN_QUAD * (p.taps / 4 + 2.0) + 8;
    const double bytes = (pixels * C * sizeof(T) + 2 * GF_CHAIN_CHUNK) * (meets ? 1.125 : 1);
    if (bytes > GF_CHAIN_SHARED) {
        return INT32_MAX;
    }
    room->quads = gf_resize_quads(p.taps, 0);
    room->made =
        C == 3 && TALL == 1 ? static_cast<int32_t>(warps * GF_CHAIN_ROWS * GF_WARP * C * sizeof(U)) : 0;
    room->shift = meets ? GF_CHAIN_GROUP : GF_CHAIN_NEVER;
    room->span = static_cast<int32_t>((static_cast<int64_t>(bytes) / GF_CHAIN_CHUNK + 1) | 1) *
                 GF_CHAIN_CHUNK; /* odd: eight rows do not meet */
    return room->made + room->quads * outputs * int64_t(GF_CHAIN_QUAD * sizeof(float)) +
           rows * GF_CHAIN_STAGES * room->span;
}

template <class T, class U, int C, bool WEIGHED, int TALL>
static bool gf_chain_start(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_size) /
                         (static_cast<double>(C * sizeof(T)) * static_cast<double>(p.outputs));
    struct gf_chain_room room = {};
    unsigned warps = GF_CHAIN_WARPS;
    if (TALL == 1 && scale > GF_CHAIN_FAR) {
        return false;
    }
    int64_t bytes = gf_chain_fit<T, U, C, TALL>(p, scale, warps, &room);
    while (TALL != 1 && warps > 1 && bytes > GF_CHAIN_SHARED) {
        warps /= 2;
        bytes = gf_chain_fit<T, U, C, TALL>(p, scale, warps, &room);
    }
    if (bytes > GF_CHAIN_SHARED) {
        return false;
    }
    const unsigned across = gf_blocks(p.outputs, int64_t(warps) * GF_WARP / TALL),
                   down = gf_blocks(p.count, TALL == 1 ? GF_CHAIN_ROWS : TALL);
    const int64_t fit = GF_CHAIN_ALL_SHARED / (bytes + (1 << 10)),
                  blocks = (fit < GF_CHAIN_BLOCKS ? fit : int64_t(GF_CHAIN_BLOCKS)) * p.processors / across;
    gf_launch launch = gf_launch_on(stream,
                                    dim3(across, blocks < 1      ? 1
                                                 : down < blocks ? down
                                                                 : static_cast<unsigned>(blocks)),
                                    warps * GF_WARP);
    launch.shared = static_cast<size_t>(bytes);
    *status = GF_LAUNCH((gf_resize_chain_across_kernel<T, U, C, WEIGHED, TALL>), launch, p, room);
    return true;
}

template <class T, class U, int C, bool WEIGHED>
static bool gf_chain_near_or_far(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    return gf_chain_start<T, U, C, WEIGHED, 1>(p, stream, status) ||
           gf_chain_start<T, U, C, WEIGHED, GF_CHAIN_TALL>(p, stream, status);
}

template <class T, class U>
static bool gf_chain_by_channels(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    return p.channels == 1   ? gf_chain_near_or_far<T, U, 1, false>(p, stream, status)
           : p.channels == 2 ? gf_chain_near_or_far<T, U, 2, false>(p, stream, status)
           : p.channels == 3 ? gf_chain_near_or_far<T, U, 3, false>(p, stream, status)
                             : gf_chain_near_or_far<T, U, 4, false>(p, stream, status);
}

template <class T>
static bool gf_chain_weighed(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    return p.channels == 2 ? gf_chain_near_or_far<T, float, 2, true>(p, stream, status)
                           : gf_chain_near_or_far<T, float, 4, true>(p, stream, status);
}

bool gf_resize_chain_across_launch(const struct gf_resize_params &p, gf_depth from, gf_depth to, bool weighed,
                                   cudaStream_t stream, cudaError_t *status)
{
    if (weighed) {
        return from == GF_U16 ? gf_chain_weighed<uint16_t>(p, stream, status)
                              : gf_chain_weighed<float>(p, stream, status);
    }
    if (from == GF_U16) {
        return to == GF_U16 ? gf_chain_by_channels<uint16_t, uint16_t>(p, stream, status)
                            : gf_chain_by_channels<uint16_t, float>(p, stream, status);
    }
    return to == GF_U16 ? gf_chain_by_channels<float, uint16_t>(p, stream, status)
                        : gf_chain_by_channels<float, float>(p, stream, status);
}
