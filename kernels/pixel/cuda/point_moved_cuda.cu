/* Passes without a window that load through a move: four neighbouring pixels a thread as gf_point_units has
 * them, which change places as they become f32 where rows are mirrored. */
#include "pixel/cuda/point_moved_cuda.h"

#include "pixel/cuda/load_moved_cuda.cuh"
#include "pixel/cuda/unit_cuda.cuh"

enum { GF_MOVED_THREADS = 256, GF_MOVED_BLOCKS = 4096 };

/* Four pixels of CI channels and SIZE bytes a sample from byte `from` of a row on. */
template <int CI, int SIZE>
GF_DEVICE_FN void gf_moved_unit(const char *line, int64_t from, float (&v)[4][GF_UNIT])
{
    uint32_t w[CI * SIZE];
    if (CI * SIZE % 4 == 0 && (reinterpret_cast<uintptr_t>(line) + static_cast<uint64_t>(from)) % 16 == 0) {
        gf_words_take(reinterpret_cast<const unsigned char *>(line) + from, w);
    } else {
        gf_words_take_at(line, from, w);
    }
    gf_unit_of_words<CI, SIZE>(w, v);
}

template <int CI>
GF_DEVICE_FN void gf_moved_unit_any(gf_depth depth, const char *line, int64_t from, float (&v)[4][GF_UNIT])
{
    if (depth == GF_F32) {
        gf_moved_unit<CI, 4>(line, from, v);
    } else if (depth == GF_U16) {
        gf_moved_unit<CI, 2>(line, from, v);
    } else {
        gf_moved_unit<CI, 1>(line, from, v);
    }
}

GF_DEVICE_FN void gf_moved_turn(float (&v)[4][GF_UNIT])
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
#pragma unroll
        for (int i = 0; i < GF_UNIT / 2; i++) {
            const float left = v[c][i];
            v[c][i] = v[c][GF_UNIT - 1 - i];
            v[c][GF_UNIT - 1 - i] = left;
        }
    }
}

/* P pixels one by one; zeros past the width. */
template <int CM, int P>
GF_DEVICE_FN void gf_moved_pixels(const struct gf_move_params &m, const struct gf_surface &s,
                                  const struct gf_place &at, float (&v)[CM][P])
{
    const char *line = gf_move_line(m, at.y);
#pragma unroll
    for (int i = 0; i < P; i++) {
        const int64_t x = at.x + i * at.step;
        const char *pixel =
            gf_moved_pixel(m, line, x < m.width ? x : 0, s.channels * gf_sample_bytes(s.depth));
#pragma unroll
        for (int c = 0; c < CM; c++) {
            v[c][i] = c < s.channels && x < m.width ? gf_sample_load(pixel, s.depth, c) : 0.0F;
        }
    }
}

/* Four pixels at once, where all of them and the words that hold them are inside the input. */
GF_DEVICE_FN void gf_moved_load(const struct gf_move_params &m, bool wide, const struct gf_surface &s,
                                const struct gf_place &at, float (&v)[4][GF_UNIT])
{
    const int64_t size = s.channels * gf_sample_bytes(s.depth), row = m.in_width * size;
    const char *line = gf_move_line(m, at.y);
    const int64_t from = gf_moved_leftmost(m, at.x, GF_UNIT) * size;
    const int64_t end = from + GF_UNIT * size + (from & 3 ? 4 - (from & 3) : 0);
    if (!wide || !line || from < 0 || end > row || at.x + GF_UNIT > m.width) {
        gf_moved_pixels<4, GF_UNIT>(m, s, at, v);
        return;
    }
    if (s.channels == 3) {
        gf_moved_unit_any<3>(s.depth, line, from, v);
    } else if (s.channels == 4) {
        gf_moved_unit_any<4>(s.depth, line, from, v);
    } else if (s.channels == 2) {
        gf_moved_unit_any<2>(s.depth, line, from, v);
    } else {
        gf_moved_unit_any<1>(s.depth, line, from, v);
    }
    if (m.args.step_x < 0 && !GF_FAULT(cuda_moved_unit)) {
        gf_moved_turn(v);
    }
}

template <bool EVERY>
static __global__ void __launch_bounds__(GF_MOVED_THREADS, EVERY ? 2 : 3)
    gf_point_moved_units(const struct gf_pass_args a, const struct gf_move_params m, bool wide_in,
                         bool wide_out)
{
    const int64_t span = int64_t(GF_MOVED_THREADS) * GF_UNIT, pieces = (a.width + span - 1) / span;
    for (int64_t i = blockIdx.x; i < pieces * a.height; i += gridDim.x) {
        const int64_t y = i / pieces;
        const struct gf_place at = {(i - y * pieces) * span + threadIdx.x * GF_UNIT, 1, y};
        unsigned char *to =
            a.out.data + y * a.out.pitch + at.x * a.out.channels * gf_sample_bytes(a.out.depth);
        float v[4][GF_UNIT] = {};
        gf_moved_load(m, wide_in, a.in, at, v);
        gf_programs_run<4, GF_UNIT, EVERY>(a, at, v);
        if (!wide_out || at.x + GF_UNIT > a.width) {
            gf_pixels_store<4, GF_UNIT>(a.out, a.width, at, v);
        } else {
            gf_unit_store_any(a.out, to, v);
        }
    }
}

/* What is moved has at most four channels, and programs without a window make no more of them. */
gf_status gf_point_moved_launch(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    const int64_t each = int64_t(GF_MOVED_THREADS) * GF_UNIT;
    const int64_t pieces = (args->width + each - 1) / each * args->height;
    const struct gf_move_params m = gf_moved_params(run);
    const bool wide_in = gf_is_aligned(&args->in, 4), wide_out = gf_is_in_units(&args->out);
    gf_launch launch = gf_launch_on(
        gf_run_stream(run), gf_blocks(pieces < GF_MOVED_BLOCKS ? pieces : int64_t(GF_MOVED_BLOCKS), 1),
        GF_MOVED_THREADS);
    if (gf_program_is_common(&args->pre) && gf_program_is_common(&args->post)) {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_moved_units<false>, launch, *args, m, wide_in, wide_out));
    } else {
        GF_CUDA_TRY(error, GF_LAUNCH(gf_point_moved_units<true>, launch, *args, m, wide_in, wide_out));
    }
    return GF_OK;
}
