/* Passes without a window over u8 pictures: 16 bytes an access, programs as tables, one HIST counted on the
 * way. A thread has a chunk of pixels; the last chunk of a row, and rows at other addresses, go byte by byte.
 */
#include "pixel/chunk_cuda.cuh"
#include "pixel/u8_cuda.cuh"
#include "pixel/u8_cuda.h"

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

template <int C, int CI>
static __global__ void __launch_bounds__(GF_CHUNK_THREADS)
    gf_point_u8(const struct gf_pass_args a, const struct gf_chunk_params p)
{
    using shape = gf_chunk_shape<C, CI>;
    GF_SHARED(uint8_t, table, C * 256);
    GF_SHARED(uint32_t, counts, C * 256);
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
        const unsigned char *from = a.in.data + y * a.in.pitch;
        const int64_t step = int64_t(gridDim.x) * GF_CHUNK_THREADS;
        for (int64_t i = int64_t(blockIdx.x) * GF_CHUNK_THREADS + threadIdx.x; i < p.chunks;
             i += shape::together * step) {
            uint32_t in[shape::together][shape::words_in];
            int32_t live[shape::together];
#pragma unroll
            for (int k = 0; k < shape::together; k++) {
                const int64_t at = (i + k * step) * shape::pixels, left = a.width - at;
                live[k] = left <= 0 ? 0 : left < shape::pixels ? static_cast<int32_t>(left) : shape::pixels;
                gf_chunk_load(from + at * CI, p.wide_in, live[k] * CI, in[k]);
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

static bool gf_is_packed(const struct gf_surface *s, int64_t width)
{
    return !s->data || s->pitch == width * s->channels;
}

template <int C, int CI>
static gf_status gf_chunks_run(const struct gf_pass_args *args, struct gf_chunk_params p,
                               const struct gf_run *run, gf_error *error)
{
    using shape = gf_chunk_shape<C, CI>;
    struct gf_pass_args a = *args;
    struct gf_launch launch = {};
    int64_t resident = 0;
    if (gf_is_packed(&a.in, a.width) && gf_is_packed(&a.out, a.width)) {
        a.width = a.width * a.height; /* one long row */
        a.height = 1;
        a.in.pitch = a.out.pitch = 0;
    }
    p.chunks = (a.width + shape::pixels - 1) / shape::pixels;
    p.wide_in = gf_is_aligned(&a.in, 16);
    p.wide_out = gf_is_aligned(&a.out, 16);
    GF_TRY(gf_resident_blocks(run, gf_point_u8<C, CI>, GF_CHUNK_THREADS, 0, &resident, error));
    const int64_t across = (p.chunks + GF_CHUNK_THREADS - 1) / GF_CHUNK_THREADS;
    const int64_t wide = across < resident ? across : resident;
    const int64_t tall = resident / wide < a.height ? resident / wide : a.height;
    launch.block = dim3(GF_CHUNK_THREADS);
    launch.grid = dim3(gf_blocks(wide, 1), gf_blocks(tall < 65535 ? tall : 65535, 1));
    launch.stream = gf_run_stream(run);
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_u8<C, CI>), launch, a, p));
    return GF_OK;
}

static gf_status gf_point_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                    const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_u8_plan chosen = gf_u8_plan_make(run->pass), *const plan = &chosen;
    struct gf_chunk_params p = {};
    p.table_in = plan->tables[0];
    p.table_out = plan->tables[1];
    if (plan->tap == GF_NONE && plan->tables[0] != plan->tables[1]) {
        const struct gf_pass *pass = run->pass;
        p.step = plan->tables[0] ? gf_u8_step_make(run, &pass->pre, plan->gray)
                                 : gf_u8_step_make(run, &pass->post, 0);
    }
    if (plan->tap != GF_NONE) {
        p.counts = static_cast<uint64_t *>(run->taps[plan->tap]);
        p.counts_mask = run->pass->taps[plan->tap].mask;
    }
    switch (plan->channels) {
    case 1:
        return plan->gray ? gf_chunks_run<1, 3>(args, p, run, error)
                          : gf_chunks_run<1, 1>(args, p, run, error);
    case 2:
        return plan->gray ? gf_chunks_run<2, 4>(args, p, run, error)
                          : gf_chunks_run<2, 2>(args, p, run, error);
    case 3:
        return gf_chunks_run<3, 3>(args, p, run, error);
    default:
        return gf_chunks_run<4, 4>(args, p, run, error);
    }
}

const struct gf_cuda_way gf_way_point_u8 = {gf_point_u8_launch, nullptr, false, true, true};
