/* The horizontal half of a window of any radius: samples to lines of sums.
 *
 * A warp takes a piece of a row, 8 neighbouring pixels a lane, channel by channel. What it reads lies in
 * shared memory of its own, borders resolved on the way there, so no block waits for another warp.
 *   separable  128 taps at a time, the samples under them sliding through registers
 *   box        sums of integers: what enters minus what leaves, added up over the warp; a warp walks on to
 *              the next piece with the sum it has, so that the cost does not grow with the radius
 *   box, f32   a prefix and a suffix of the blocks of docs/exactness.md, added up for each pixel
 *   gradient   the slope along the row, and the row smoothed */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/window_cuda.cuh"

enum {
    PIXELS = 8,
    PIECE = GF_WARP * PIXELS,
    TAPS = 128,
    ROOM = PIECE + TAPS + PIXELS, /* samples of a warp */
    WARPS = GF_WINDOW_THREADS / GF_WARP,
    BLOCKS = 4096
};

/* ---- samples ---------------------------------------------------------------------------------- */

/* One channel of a row of the window's input. */
struct gf_row_source {
    const unsigned char *data; /* NULL: the fill everywhere */
    int64_t width;
    int32_t step, border; /* step: channels */
    gf_depth depth;
    uint32_t fill;
};

GF_DEVICE_FN struct gf_row_source gf_row_source_make(const struct gf_window_params &p, int64_t row, int32_t c)
{
    const struct gf_surface &s = p.samples;
    const unsigned char *data = s.data + row * s.pitch + c * gf_sample_bytes(s.depth);
    return {row < p.height ? data : nullptr, p.width, s.channels, p.border, s.depth, p.fill[c]};
}

template <class S, class T> GF_DEVICE_FN T gf_row_at(const struct gf_row_source &row, int64_t x)
{
    const int64_t at = row.data ? gf_border_index(x, row.width, row.border) : -1;
    T v;
    memcpy(&v, &row.fill, sizeof v);
    return at < 0 ? v : static_cast<T>(reinterpret_cast<const S *>(row.data)[at * row.step]);
}

/* room[i] = the sample at first + i, or that much less, for i < n; a lane writes every 32nd. */
template <bool MINUS, class S, class T>
GF_DEVICE_FN void gf_row_copy(const struct gf_row_source &row, int64_t first, int32_t n, T *room)
{
    const bool inside = row.data && first >= 0 && first + n <= row.width;
    if (inside) {
        const S *const from = reinterpret_cast<const S *>(row.data) + first * row.step;
#pragma unroll 4
        for (int32_t i = static_cast<int32_t>(gf_lane()); i < n; i += GF_WARP) {
            const T v = static_cast<T>(from[i * row.step]);
            room[i] = MINUS ? room[i] - v : v;
        }
        return;
    }
    for (int32_t i = static_cast<int32_t>(gf_lane()); i < n; i += GF_WARP) {
        const T v = gf_row_at<S, T>(row, first + i);
        room[i] = MINUS ? room[i] - v : v;
    }
}

template <bool MINUS, class T>
GF_DEVICE_FN void gf_row_stage(const struct gf_row_source &row, int64_t first, int32_t n, T *room)
{
    if (row.depth == GF_U8) {
        gf_row_copy<MINUS, uint8_t>(row, first, n, room);
    } else if (row.depth == GF_U16) {
        gf_row_copy<MINUS, uint16_t>(row, first, n, room);
    } else {
        gf_row_copy<MINUS, float>(row, first, n, room);
    }
}

/* ---- sums --------------------------------------------------------------------------------------- */

/* Adds `count` taps, in ascending order, to the sums of 8 neighbouring pixels. x: from the first pixel's
 * first sample on; behind the taps up to 15 numbers are read, and weights up to 7. */
template <class T, class A>
GF_DEVICE_FN void gf_across_taps(const T *x, const T *weights, int32_t count, A (&sum)[PIXELS])
{
    T near[2 * PIXELS], w[PIXELS];
    gf_take8(x, near);
    for (int32_t first = 0; first < count; first += PIXELS) {
        gf_take8(x + first + PIXELS, near + PIXELS);
        gf_take8(weights + first, w);
#pragma unroll
        for (int k = 0; k < PIXELS; k++) {
            if (first + k < count) {
#pragma unroll
                for (int i = 0; i < PIXELS; i++) {
                    sum[i] = gf_window_tap(w[k], near[k + i], sum[i]);
                }
            }
        }
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
            near[i] = near[PIXELS + i];
        }
    }
}

/* The rounding of docs/exactness.md: integers keep 7 bits of the weights. */
GF_DEVICE_FN void gf_across_round(const struct gf_window_params &p, uint32_t (&sum)[PIXELS])
{
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const uint32_t half = 1U << (p.shift_x - 8);
        sum[i] = static_cast<uint32_t>(static_cast<int32_t>(sum[i] + half) >> (p.shift_x - 7));
    }
}
GF_DEVICE_FN void gf_across_round(const struct gf_window_params &, float (&)[PIXELS]) {}

template <class T, class A>
GF_DEVICE_FN void gf_across_separable(const struct gf_window_params &p, const struct gf_row_source &row,
                                      int64_t x0, T *room, T *weights, A (&sum)[PIXELS])
{
    using W = typename std::conditional<std::is_same<T, float>::value, float, int16_t>::type;
    const int64_t taps = 2 * p.rx + 1;
    for (int64_t first = 0; first < taps; first += TAPS) {
        const int32_t count = taps - first < TAPS ? static_cast<int32_t>(taps - first) : int32_t(TAPS);
        const int32_t filled = (count + PIXELS - 1) / PIXELS * PIXELS;
        gf_row_stage<false>(row, x0 - p.rx + first, PIECE + filled, room);
        for (int32_t i = static_cast<int32_t>(gf_lane()); i < filled; i += GF_WARP) {
            weights[i] = i < count ? static_cast<T>(static_cast<const W *>(p.wx)[first + i]) : T(0);
        }
        gf_syncwarp();
        gf_across_taps(room + gf_lane() * PIXELS, weights, count, sum);
        gf_syncwarp();
    }
}

/* Integer boxes. *before: the sum around x0, then the one around the next piece. */
template <class A>
GF_DEVICE_FN void gf_across_box(const struct gf_window_params &p, const struct gf_row_source &row, int64_t x0,
                                int32_t *room, A *before, A (&sum)[PIXELS])
{
    int32_t step[PIXELS];
    A own = 0;
    gf_row_stage<false>(row, x0 + p.rx + 1, PIECE, room);
    gf_row_stage<true>(row, x0 - p.rx, PIECE, room);
    gf_syncwarp();
    gf_take8(room + gf_lane() * PIXELS, step);
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        sum[i] = own;
        own += static_cast<A>(static_cast<int64_t>(step[i]));
    }
    A upto = own;
#pragma unroll
    for (unsigned distance = 1; distance < GF_WARP; distance *= 2) {
        const A lower = gf_shfl_up(upto, distance);
        upto += gf_lane() >= distance ? lower : A(0);
    }
    const A lanes = *before + (upto - own);
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        sum[i] += lanes;
    }
    *before += gf_shfl(upto, GF_WARP - 1);
}

GF_DEVICE_FN uint32_t gf_box_sample(const struct gf_row_source &row, int64_t x)
{
    return row.depth == GF_U8 ? gf_row_at<uint8_t, uint32_t>(row, x) : gf_row_at<uint16_t, uint32_t>(row, x);
}

/* The sum around x0, by a warp, and what the turns of the border add to it and to all that follow. */
template <class A>
GF_DEVICE_FN A gf_box_first(const struct gf_window_params &p, const struct gf_row_source &row, int64_t x0)
{
    A sum = 0;
    if (p.turns_x > 0) {
        const int64_t step = gf_border_turn_step(p.width, p.border);
        for (int64_t i = gf_lane() * step; i < p.width; i += GF_WARP * step) {
            sum += static_cast<A>(gf_border_turn(i, p.width, p.border)) * gf_box_sample(row, i);
        }
        if (p.border == GF_BORDER_CONSTANT && gf_lane() == 0) {
            sum = 2 * static_cast<A>(gf_box_sample(row, -1));
        }
        sum *= static_cast<A>(p.turns_x - GF_FAULT(cuda_box_turn));
    }
    for (int64_t i = -p.rx + gf_lane(); i <= p.rx; i += GF_WARP) {
        sum += gf_box_sample(row, x0 + i);
    }
#pragma unroll
    for (unsigned distance = GF_WARP / 2; distance > 0; distance /= 2) {
        sum += gf_shfl_xor(sum, distance);
    }
    return sum;
}

/* w samples from `first`: blocks of w anchored at multiples of w; the end of one block from right to left,
 * then the beginning of the next from left to right (M. van Herk, "A fast algorithm for local minimum and
 * maximum filters on rectangular and octagonal kernels", 1992, with sums). */
static __device__ __noinline__ float gf_row_blocks(const struct gf_row_source &row, int64_t first, int64_t w)
{
    const int64_t phase = gf_modulo(first, w);
    const int64_t head = phase == 0 ? 0 : w - phase;
    float prefix = gf_row_at<float, float>(row, first + head);
    for (int64_t i = head + 1; i < w; i++) {
        prefix = prefix + gf_row_at<float, float>(row, first + i);
    }
    if (head == 0) {
        return prefix;
    }
    float suffix = gf_row_at<float, float>(row, first + head - 1);
    for (int64_t i = head - 2; i >= 0; i--) {
        suffix = gf_row_at<float, float>(row, first + i) + suffix;
    }
    return suffix + prefix;
}

/* Returns what a turn of the border adds along a row: in ascending order, by each lane. */
static __device__ __noinline__ float gf_row_turn(const struct gf_row_source &row)
{
    if (row.border == GF_BORDER_CONSTANT) {
        return 2.0F * gf_row_at<float, float>(row, -1);
    }
    const int64_t step = gf_border_turn_step(row.width, row.border);
    float sum =
        static_cast<float>(gf_border_turn(0, row.width, row.border)) * gf_row_at<float, float>(row, 0);
    for (int64_t i = step; i < row.width; i += step) {
        sum = sum +
              static_cast<float>(gf_border_turn(i, row.width, row.border)) * gf_row_at<float, float>(row, i);
    }
    return sum;
}

/* ---- the kernel ---------------------------------------------------------------------------------- */

/* Pixels of a line from x on; the line has room for whole eights. */
template <class M, class A>
GF_DEVICE_FN void gf_across_store(const struct gf_window_params &p, M *line, int64_t x,
                                  const A (&sum)[PIXELS])
{
    if (x < p.line) {
        M v[PIXELS];
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
            v[i] = static_cast<M>(sum[i]);
        }
#pragma unroll
        for (size_t b = 0; b < sizeof v; b += 16) {
            uint4 bytes;
            memcpy(&bytes, reinterpret_cast<const unsigned char *>(v) + b, sizeof bytes);
            gf_store16(reinterpret_cast<unsigned char *>(line + x) + b, bytes);
        }
    }
}

/* The slope along the row into plane c, the smoothed row into plane C + c. */
template <class M, class T>
GF_DEVICE_FN void gf_across_gradient(const struct gf_window_params &p, int64_t y, int32_t c, int64_t x,
                                     const T *room)
{
    T near[2 * PIXELS], slope[PIXELS], smooth[PIXELS];
    gf_take8(room + gf_lane() * PIXELS, near);
    gf_take8(room + gf_lane() * PIXELS + PIXELS, near + PIXELS);
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        slope[i] = near[i + 2] - near[i];
        smooth[i] = gf_smooth(p.gradient, near[i], near[i + 1], near[i + 2]);
    }
    gf_across_store(p, gf_middle_line<M>(p, y, c), x, slope);
    gf_across_store(p, gf_middle_line<M>(p, y, p.samples.channels + c), x, smooth);
}

/* walk: pieces that a warp takes in turn. */
template <int KIND>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS)
    gf_window_across(const struct gf_window_params p, int32_t walk)
{
    using traits = gf_window_traits<KIND>;
    using T = typename traits::sample;
    using A = typename traits::sum;
    using M = typename traits::middle;
    GF_SHARED(T, rooms, WARPS * ROOM);
    GF_SHARED(T, weights, WARPS * TAPS);
    T *const room = rooms + gf_warp() * ROOM;
    const int64_t walks = (p.width + int64_t(walk) * PIECE - 1) / (int64_t(walk) * PIECE);
    const int64_t rows = p.height + (p.border == GF_BORDER_CONSTANT);
    for (int64_t n = int64_t(blockIdx.x) * WARPS + gf_warp(); n < rows * walks;
         n += int64_t(gridDim.x) * WARPS) {
        const int64_t y = n / walks, begin = (n - y * walks) * walk * PIECE;
        const int64_t end = begin + int64_t(walk) * PIECE < p.width ? begin + int64_t(walk) * PIECE : p.width;
        for (int32_t c = 0; c < p.samples.channels; c++) {
            const struct gf_row_source row = gf_row_source_make(p, y, c);
            A before = 0;
            float turn = 0.0F;
            if constexpr (KIND == GF_BOX_F32) {
                turn = p.turns_x > 0 ? gf_row_turn(row) : 0.0F;
            }
            if constexpr (traits::box_int) {
                before = gf_box_first<A>(p, row, begin);
            }
            for (int64_t x0 = begin; x0 < end; x0 += PIECE) {
                const int64_t x = x0 + gf_lane() * PIXELS;
                A sum[PIXELS];
#pragma unroll
                for (int i = 0; i < PIXELS; i++) {
                    sum[i] = traits::start();
                }
                if constexpr (traits::gradient) {
                    gf_row_stage<false>(row, x0 - 1, PIECE + PIXELS, room);
                    gf_syncwarp();
                    gf_across_gradient<M>(p, y, c, x, room);
                } else if constexpr (traits::separable) {
                    gf_across_separable(p, row, x0, room, weights + gf_warp() * TAPS, sum);
                    gf_across_round(p, sum);
                } else if constexpr (traits::box_int) {
                    gf_across_box(p, row, x0, room, &before, sum);
                } else {
#pragma unroll
                    for (int i = 0; i < PIXELS; i++) {
                        sum[i] = gf_row_blocks(row, x + i - p.rx, 2 * p.rx + 1);
                        sum[i] = p.turns_x > 0 ? gf_add_turns(sum[i], p.turns_x, turn) : sum[i];
                    }
                }
                if constexpr (!traits::gradient) {
                    gf_across_store(p, gf_middle_line<M>(p, y, c), x, sum);
                }
                gf_syncwarp(); /* the room is used again */
            }
        }
    }
}

/* ---- launch --------------------------------------------------------------------------------------- */

template <int KIND>
static gf_status gf_across_run(const struct gf_window_params &p, cudaStream_t stream, gf_error *error)
{
    const int64_t pieces = (p.width + PIECE - 1) / PIECE, wanted = (2 * p.rx + PIECE) / PIECE;
    const int64_t walk = !gf_window_traits<KIND>::box_int ? 1 : wanted < pieces ? wanted : pieces;
    const int64_t walks = (pieces + walk - 1) / walk * (p.height + 1);
    gf_launch launch = gf_launch_on(
        stream, gf_blocks(walks < int64_t(BLOCKS) * WARPS ? walks : int64_t(BLOCKS) * WARPS, WARPS),
        GF_WINDOW_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_window_across<KIND>, launch, p, static_cast<int32_t>(walk)));
    return GF_OK;
}

gf_status gf_window_across_launch(enum gf_window_kind kind, const struct gf_window_params *p,
                                  cudaStream_t stream, gf_error *error)
{
    return gf_dispatch_number<GF_SEPARABLE_S16, GF_GRADIENT_F32>(
        kind, [&](auto number) { return gf_across_run<decltype(number)::value>(*p, stream, error); });
}
