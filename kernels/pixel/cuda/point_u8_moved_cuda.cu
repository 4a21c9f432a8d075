/* Passes over u8 pictures as in point_u8_cuda.cu that load through a move: a chunk of the output is as many
 * bytes of the input wherever they begin, its pixels turned where rows are mirrored. Chunks some of whose
 * pixels lie beside the input, or that end where memory may, go pixel by pixel. */
#include "pixel/cuda/point_u8_moved_cuda.h"

#include "pixel/cuda/load_moved_cuda.cuh"

/* The first n pixels of S bytes from x on, to words of memory. */
template <int S>
GF_DEVICE_FN void gf_chunk_gather(const struct gf_move_params &m, const char *line, int64_t x, int32_t n,
                                  unsigned char *to)
{
#pragma unroll 1
    for (int32_t i = 0; i < n; i++) {
        const char *pixel = gf_moved_pixel(m, line, x + i, S);
#pragma unroll
        for (int c = 0; c < S; c++) {
            to[i * S + c] = static_cast<unsigned char>(pixel[c]);
        }
    }
}

/* Chunks of pixels of S bytes, N words each. */
template <int S, int N>
GF_DEVICE_FN void gf_chunk_load_moved(const struct gf_move_params &m, bool wide, int64_t y, int64_t x,
                                      int32_t live, uint32_t (&w)[N])
{
    const int pixels = 4 * N / S;
    const char *line = gf_move_line(m, y);
    const int64_t from = gf_moved_leftmost(m, x, pixels) * S,
                  end = from + 4 * N + (from & 15 ? 16 - (from & 15) : 0);
    if (wide && line && live == pixels && from >= 0 && end <= m.in_width * S) {
        gf_vectors_take(line, from, w);
        if (m.args.step_x < 0) {
            uint32_t turned[N];
            gf_words_turn<S, 0>(w, turned);
#pragma unroll
            for (int i = 0; i < N; i++) {
                w[i] = turned[i ^ GF_FAULT(cuda_moved_turn)];
            }
        }
        return;
    }
    uint32_t gathered[N] = {};
    gf_chunk_gather<S>(m, line, x, live, reinterpret_cast<unsigned char *>(gathered));
#pragma unroll
    for (int i = 0; i < N; i++) {
        w[i] = gathered[i];
    }
}

template <int C, int CI>
static __global__ void __launch_bounds__(GF_CHUNK_THREADS)
    gf_point_u8_moved(const struct gf_pass_args a, const struct gf_chunk_params p,
                      const struct gf_move_params m)
{
    GF_SHARED(uint8_t, table, C * 256);
    GF_SHARED(uint32_t, counts, C * 256);
    gf_chunks_run<C, CI>(
        a, p, table, counts,
        [&](int64_t y, int64_t at, int32_t live, uint32_t(&w)[gf_chunk_shape<C, CI>::words_in]) {
            gf_chunk_load_moved<CI>(m, p.wide_in, y, at, live, w);
        });
}

template <int C, int CI>
static gf_status gf_moved_launch(const struct gf_pass_args *args, struct gf_chunk_params p,
                                 const struct gf_run *run, gf_error *error)
{
    struct gf_launch launch = {};
    p.chunks = (args->width + gf_chunk_shape<C, CI>::pixels - 1) / gf_chunk_shape<C, CI>::pixels;
    p.wide_in = gf_is_aligned(&args->in, 16);
    p.wide_out = gf_is_aligned(&args->out, 16);
    GF_TRY(gf_chunks_grid(*args, p, run, gf_point_u8_moved<C, CI>, &launch, error));
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_point_u8_moved<C, CI>), launch, *args, p, gf_moved_params(run)));
    return GF_OK;
}

gf_status gf_point_u8_moved_launch(const struct gf_pass_args *args, const struct gf_chunk_params &p,
                                   const struct gf_u8_plan *plan, const struct gf_run *run, gf_error *error)
{
    return gf_chunks_by_shape(plan, [&](auto shape) {
        return gf_moved_launch<decltype(shape)::channels, decltype(shape)::channels_in>(args, p, run, error);
    });
}
