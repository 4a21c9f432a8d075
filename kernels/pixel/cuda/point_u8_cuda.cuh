/* Chunks of pixels of bytes through tables, however they are loaded: what point_u8_cuda.cu and
 * point_u8_moved_cuda.cu share. */
#ifndef GF_PIXEL_POINT_U8_CUDA_CUH
#define GF_PIXEL_POINT_U8_CUDA_CUH

#include "pixel/cuda/chunk_cuda.cuh"
#include "pixel/cuda/u8_cuda.cuh"
#include "pixel/cuda/u8_cuda.h"

enum { GF_CHUNK_THREADS = 512 }; /* few blocks: each adds its counts to memory */

struct gf_chunk_params {
    int64_t chunks;   /* of a row, the partial one included */
    uint64_t *counts; /* HIST rows, or NULL */
    int32_t counts_mask;
    bool wide_in, wide_out;
    bool table_in, table_out; /* a table of both programs in turn */
    struct gf_u8_step step;   /* of that table, where nothing is counted: no look-up is needed */
};

/* Pixels and words of a chunk: C channels stored, CI read. */
template <int C, int CI> struct gf_chunk_shape {
    static const int channels = C, channels_in = CI;
    static const int pixels = C == 2 ? 8 : C == 4 ? 4 : 16;
    static const int words_in = pixels * CI / 4, words_out = pixels * C / 4;
    static const bool gray = CI != C;
    static const int together = words_in <= 4 ? 2 : 1; /* chunks that are loaded before the first is used */
};

/* Pixels 4 * I to 4 * I + 3 and on: gray. */
template <int C, int CI, int I, int N, int M>
GF_DEVICE_FN void gf_chunk_gray(const uint32_t (&in)[N], uint32_t (&out)[M])
{
    if constexpr (C == 1 && 3 * I < N) {
        const uint32_t words[] = {in[3 * I], in[3 * I + 1], in[3 * I + 2]};
        out[I] = gf_gray_quad(words);
        gf_chunk_gray<C, CI, I + 1>(in, out);
    } else if constexpr (C > 1 && 4 * I * CI < 4 * N) {
        const uint32_t gray = gf_pack4(
            gf_gray_word(gf_word_at<4 * I * CI>(in)), gf_gray_word(gf_word_at<(4 * I + 1) * CI>(in)),
            gf_gray_word(gf_word_at<(4 * I + 2) * CI>(in)), gf_gray_word(gf_word_at<(4 * I + 3) * CI>(in)));
        const uint32_t alpha = gf_pick<16 * I + 3, 16 * I + 7, 16 * I + 11, 16 * I + 15>(in);
        out[2 * I] = gf_byte_perm(gray, alpha, 0x5140);
        out[2 * I + 1] = gf_byte_perm(gray, alpha, 0x7362);
        gf_chunk_gray<C, CI, I + 1>(in, out);
    }
}

/* Table and histogram on interleaved samples, the first `bytes` of which are the picture's. */
template <int C, int N>
GF_DEVICE_FN void gf_chunk_finish(const struct gf_chunk_params &p, const uint8_t *table, uint32_t *counts,
                                  int32_t bytes, uint32_t (&w)[N])
{
    const bool tables = p.table_in || p.table_out;
    if (p.step.is) {
#pragma unroll
        for (int k = 0; k < N; k++) {
            w[k] = gf_step_word(p.step, gf_step_bits(p.step, w[k]));
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        uint32_t v[4];
#pragma unroll
        for (int b = 0; b < 4; b++) {
            const int c = (4 * k + b) % C;
            v[b] = w[k] >> (8 * b) & 0xff;
            v[b] = tables ? table[c * 256 + static_cast<int32_t>(v[b])] : v[b];
            if (p.counts && 4 * k + b < bytes + GF_FAULT(cuda_tap_padding)) {
                gf_atomic_add(&counts[c * 256 + static_cast<int32_t>(v[b])], 1u);
            }
        }
        w[k] = tables ? gf_pack4(v[0], v[1], v[2], v[3]) : w[k];
    }
}

/* A block's chunks, which load(y, pixel, live pixels, words) brings. Tables and counts: C * 256 of shared
 * memory. */
template <int C, int CI, class LOAD>
GF_DEVICE_FN void gf_chunks_run(const struct gf_pass_args &a, const struct gf_chunk_params &p, uint8_t *table,
                                uint32_t *counts, LOAD &&load)
{
    using shape = gf_chunk_shape<C, CI>;
    const bool tables = p.table_in || p.table_out;
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < C * 256 && !p.step.is; i += GF_CHUNK_THREADS) {
        if (tables) {
            const float v = gf_sample_run(a, a.pre, shape::gray, i / 256, static_cast<float>(i % 256));
            table[i] = gf_quantise_u8(gf_sample_run(a, a.post, 0, i / 256, v));
        }
        counts[i] = 0;
    }
    __syncthreads();
    for (int64_t y = blockIdx.y; y < a.height; y += gridDim.y) {
        const int64_t step = int64_t(gridDim.x) * GF_CHUNK_THREADS;
        for (int64_t i = int64_t(blockIdx.x) * GF_CHUNK_THREADS + threadIdx.x; i < p.chunks;
             i += shape::together * step) {
            uint32_t in[shape::together][shape::words_in];
            int32_t live[shape::together];
#pragma unroll
            for (int k = 0; k < shape::together; k++) {
                const int64_t at = (i + k * step) * shape::pixels, left = a.width - at;
                live[k] = left <= 0 ? 0 : left < shape::pixels ? static_cast<int32_t>(left) : shape::pixels;
                load(y, at, live[k], in[k]);
            }
#pragma unroll
            for (int k = 0; k < shape::together; k++) {
                uint32_t out[shape::words_out];
                if constexpr (shape::gray) {
                    gf_chunk_gray<C, CI, 0>(in[k], out);
                } else {
#pragma unroll
                    for (int n = 0; n < shape::words_out; n++) {
                        out[n] = in[k][n];
                    }
                }
                gf_chunk_finish<C>(p, table, counts, live[k] * C, out);
                if (a.out.data) {
                    gf_chunk_store(a.out.data + y * a.out.pitch + (i + k * step) * shape::pixels * C,
                                   p.wide_out, live[k] * C, out);
                }
            }
        }
    }
    if (p.counts) {
        __syncthreads();
        gf_count_flush(counts, C, p.counts_mask, p.counts);
    }
}

/* Takes as many blocks as the device holds of the kernel, or as there are chunks for. */
template <class K>
static gf_status gf_chunks_grid(const struct gf_pass_args &a, const struct gf_chunk_params &p,
                                const struct gf_run *run, K kernel, struct gf_launch *launch, gf_error *error)
{
    int64_t resident = 0;
    GF_TRY(gf_resident_blocks(run, kernel, GF_CHUNK_THREADS, 0, &resident, error));
    const int64_t across = (p.chunks + GF_CHUNK_THREADS - 1) / GF_CHUNK_THREADS;
    const int64_t wide = across < resident ? across : resident;
    const int64_t tall = resident / wide < a.height ? resident / wide : a.height;
    launch->block = dim3(GF_CHUNK_THREADS);
    launch->grid = dim3(gf_blocks(wide, 1), gf_blocks(tall < 65535 ? tall : 65535, 1));
    launch->stream = gf_run_stream(run);
    return GF_OK;
}

/* f of the shape of the pass's chunks. */
template <class F> static gf_status gf_chunks_by_shape(const struct gf_u8_plan *plan, F &&f)
{
    switch (plan->channels) {
    case 1:
        return plan->gray ? f(gf_chunk_shape<1, 3>()) : f(gf_chunk_shape<1, 1>());
    case 2:
        return plan->gray ? f(gf_chunk_shape<2, 4>()) : f(gf_chunk_shape<2, 2>());
    case 3:
        return f(gf_chunk_shape<3, 3>());
    default:
        return f(gf_chunk_shape<4, 4>());
    }
}

#endif
