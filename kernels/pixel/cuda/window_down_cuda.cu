/* The vertical half of a window of any radius: lines of sums to the picture, post program on the way.
 *
 * A thread has P neighbouring columns and does ROWS rows of them at a time, so that a line is read once for
 * several rows. Its results wait in shared memory of its own until the program has run on them row by row.
 *   separable  each line goes into all rows that it belongs to, in the order of the taps
 *   box        running sums of integers: a block marches down a segment of rows
 *   box, f32   a prefix and a suffix of the blocks of docs/exactness.md, added up for each pixel
 *   gradient   slopes smoothed down the column, smoothed rows subtracted */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/cuda/window_column_cuda.cuh"

enum { BLOCKS = 8192 };

/* P elements at once, from an address aligned to their size or to 16 bytes. */
template <class M, int P> GF_DEVICE_FN void gf_middle_take(const M *from, M (&to)[P])
{
    if constexpr (sizeof to == 4) {
        const uint32_t bytes = gf_load4(from);
        memcpy(to, &bytes, sizeof bytes);
    } else if constexpr (sizeof to == 8) {
        const uint2 bytes = gf_load8(from);
        memcpy(to, &bytes, sizeof bytes);
    } else {
#pragma unroll
        for (size_t b = 0; b < sizeof to; b += 16) {
            const uint4 bytes = gf_load16(reinterpret_cast<const unsigned char *>(from) + b);
            memcpy(reinterpret_cast<unsigned char *>(to) + b, &bytes, sizeof bytes);
        }
    }
}

/* A thread's columns of one plane of the middle. */
template <class M> struct gf_columns {
    const M *data; /* line 0 */
    int64_t stride;
};

template <class M>
GF_DEVICE_FN struct gf_columns<M> gf_columns_make(const struct gf_window_params &p, int32_t plane,
                                                  int64_t x) {
    return {gf_middle_line<M>(p, 0, plane) + x, (p.planes * p.line)};
}

/* Those in row y; inside: y is one of the picture. */
template <class M, int P>
GF_DEVICE_FN void gf_columns_take(const struct gf_window_params &p, const struct gf_columns<M> &from,
                                  int64_t y, bool inside, M (&to)[P])
{
    gf_middle_take(from.data + (inside ? y : gf_middle_row(p, y)) * from.stride, to);
}

/* The place where a thread's results wait: channel c, row j, column i. */
template <int P, int ROWS> struct gf_result_slots {
    float *mine;
    __device__ __forceinline__ float &at(int32_t c, int32_t j, int32_t i) const
    {
        return mine[((c * ROWS + j) * P + i) * GF_WINDOW_THREADS];
    }
};

/* ---- separable ------------------------------------------------------------------------------------ */

/* Lines first to first + ROWS - 1 below the first row's first go into ROWS sums a column. now, old: weights
 * from `first` on, and those before; FULL: all of these taps exist. */
template <bool FULL, int ROWS, int P, class M, class T, class A>
GF_DEVICE_FN void gf_down_lines(const struct gf_window_params &p, const struct gf_columns<M> &from,
                                int64_t top, int64_t first, bool inside, const T (&old)[ROWS],
                                const T (&now)[ROWS], A (&sum)[ROWS][P])
{
    const int64_t taps = 2 * p.ry + 1;
    M line[ROWS][P] = {};
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
        if (FULL || first + k < taps + ROWS - 1) {
            gf_columns_take(p, from, top + first + k, inside, line[k]);
        }
    }
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
#pragma unroll
        for (int j = 0; j < ROWS; j++) {
            const int64_t tap = first + k - j;
            if (FULL || (tap >= 0 && tap < taps)) {
#pragma unroll
                for (int i = 0; i < P; i++) {
                    sum[j][i] = gf_window_tap(k >= j ? now[k - j] : old[ROWS + k - j],
                                              static_cast<T>(line[k][i]), sum[j][i]);
                }
            }
        }
    }
}

GF_DEVICE_FN float gf_down_round(const struct gf_window_params &p, uint32_t sum)
{
    const int32_t rounded = static_cast<int32_t>(sum + (1U << (p.shift_y + 6))) >> (p.shift_y + 7);
    return static_cast<float>(gf_clamp_u8(rounded));
}
GF_DEVICE_FN float gf_down_round(const struct gf_window_params &, float sum)
{
    return sum;
}

template <int KIND, int P, int ROWS>
GF_DEVICE_FN void gf_down_separable(const struct gf_window_params &p, int32_t c, int64_t x, int64_t y0,
                                    const struct gf_result_slots<P, ROWS> &results)
{
    using traits = gf_window_traits<KIND>;
    using T = typename traits::sample;
    using W = typename std::conditional<traits::integer, int16_t, float>::type;
    const auto from = gf_columns_make<typename traits::middle>(p, c, x);
    const W *weights = static_cast<const W *>(p.wy);
    const int64_t taps = 2 * p.ry + 1, top = y0 - p.ry;
    const bool inside = top >= 0 && top + taps + ROWS - 1 <= p.height;
    typename traits::sum sum[ROWS][P];
    T old[ROWS] = {}, now[ROWS];
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            sum[j][i] = traits::start();
        }
    }
    for (int64_t first = 0; first < taps + ROWS - 1; first += ROWS) {
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            now[k] = first + k < taps ? static_cast<T>(weights[first + k]) : T(0);
        }
        if (traits::integer ? first + ROWS <= taps : first + 1 >= ROWS && first + ROWS <= taps) {
            gf_down_lines<true, ROWS>(p, from, top, first, inside, old, now,
                                      sum); /* integers: 0 adds nothing */
        } else {
            gf_down_lines<false, ROWS>(p, from, top, first, inside, old, now, sum);
        }
#pragma unroll
        for (int k = 0; k < ROWS; k++) {
            old[k] = now[k];
        }
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            results.at(c, j, i) = gf_down_round(p, sum[j][i]);
        }
    }
}

/* ---- boxes ------------------------------------------------------------------------------------------ */

/* Adds up the lines around row y - 1, which is where a march begins, and turns of the border, which stay.
 * Running sums lie in shared memory, one a thread, so that channels need no code of their own. */
template <class M, int P, class A>
GF_DEVICE_FN void gf_box_begin(const struct gf_window_params &p, int32_t c, int64_t x, int64_t y, A *sums)
{
    A sum[P] = {};
    const auto from = gf_columns_make<M>(p, c, x);
    const A turns = static_cast<A>(p.turns_y - (p.turns_y > 0 && GF_FAULT(cuda_box_turn)));
    const bool fills = p.border == GF_BORDER_CONSTANT; /* a turn is then two rows of fill */
    const int64_t end = p.turns_y == 0 ? 0 : fills ? 1 : p.height;
    for (int64_t k = 0; k < end; k += gf_border_turn_step(p.height, p.border)) {
        const A times = turns * static_cast<A>(fills ? 2 : gf_border_turn(k, p.height, p.border));
        M line[P];
        gf_columns_take(p, from, fills ? p.height : k, true, line);
#pragma unroll
        for (int i = 0; i < P; i++) {
            sum[i] += times * static_cast<A>(line[i]);
        }
    }
#pragma unroll 4
    for (int64_t k = -p.ry; k <= p.ry; k++) {
        M line[P];
        gf_columns_take(p, from, y - 1 + k, false, line);
#pragma unroll
        for (int i = 0; i < P; i++) {
            sum[i] += line[i];
        }
    }
#pragma unroll
    for (int i = 0; i < P; i++) {
        sums[i * GF_WINDOW_THREADS] = sum[i];
    }
}

template <int P, int ROWS, class M, class A>
GF_DEVICE_FN void gf_down_box(const struct gf_window_params &p, const struct gf_columns<M> &from, int32_t c,
                              int64_t y0, A *sums, const struct gf_result_slots<P, ROWS> &results)
{
    const bool inside = y0 - p.ry > 0 && y0 + ROWS + p.ry <= p.height;
    M enter[ROWS][P], leave[ROWS][P];
    A sum[P];
#pragma unroll
    for (int i = 0; i < P; i++) {
        sum[i] = sums[i * GF_WINDOW_THREADS];
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
        gf_columns_take(p, from, y0 + j + p.ry, inside, enter[j]);
        gf_columns_take(p, from, y0 + j - p.ry - 1, inside, leave[j]);
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            sum[i] += static_cast<A>(enter[j][i]) - static_cast<A>(leave[j][i]);
            results.at(c, j, i) =
                static_cast<float>(p.divider32.multiplier != 0
                                       ? gf_divide_round_half_up32(static_cast<uint32_t>(sum[i]), p.divider32)
                                       : static_cast<uint32_t>(gf_divide_round_half_up(sum[i], p.divider)));
        }
    }
#pragma unroll
    for (int i = 0; i < P; i++) {
        sums[i * GF_WINDOW_THREADS] = sum[i];
    }
}

template <int P, int ROWS>
GF_DEVICE_FN void gf_down_box_f32(const struct gf_window_params &p, int32_t c, int64_t x, int64_t y0,
                                  const struct gf_result_slots<P, ROWS> &results)
{
    for (int32_t i = 0; i < P; i++) {
        const float *column = gf_middle_line<float>(p, 0, c) + x + i;
        const float turn = p.turns_y > 0 ? gf_column_turn(p, column) : 0.0F;
        for (int32_t j = 0; j < ROWS; j++) {
            const float sum = gf_column_blocks(p, column, y0 + j - p.ry, 2 * p.ry + 1);
            results.at(c, j, i) = gf_div(p.turns_y > 0 ? gf_add_turns(sum, p.turns_y, turn) : sum, p.area);
        }
    }
}

/* ---- gradients --------------------------------------------------------------------------------------- */

/* The slope of channel c along x, and, in channel C + c, along y. */
template <int KIND, int P, int ROWS>
GF_DEVICE_FN void gf_down_gradient(const struct gf_window_params &p, int32_t c, int64_t x, int64_t y0,
                                   const struct gf_result_slots<P, ROWS> &results)
{
    using T = typename gf_window_traits<KIND>::sample;
    using M = typename gf_window_traits<KIND>::middle;
    const int32_t channels = p.samples.channels;
    const auto slopes = gf_columns_make<M>(p, c, x), smooth = gf_columns_make<M>(p, channels + c, x);
    const bool inside = y0 > 0 && y0 + ROWS < p.height;
    M slope[ROWS + 2][P], row[ROWS + 2][P];
#pragma unroll
    for (int j = 0; j < ROWS + 2; j++) {
        gf_columns_take(p, slopes, y0 + j - 1, inside, slope[j]);
        gf_columns_take(p, smooth, y0 + j - 1, inside, row[j]);
    }
#pragma unroll
    for (int j = 0; j < ROWS; j++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            results.at(c, j, i) = static_cast<float>(gf_smooth(p.gradient, static_cast<T>(slope[j][i]),
                                                               static_cast<T>(slope[j + 1][i]),
                                                               static_cast<T>(slope[j + 2][i])));
            results.at(channels + c, j, i) =
                static_cast<float>(static_cast<T>(row[j + 2][i]) - static_cast<T>(row[j][i]));
        }
    }
}

/* ---- the kernel ---------------------------------------------------------------------------------------- */

template <int CM, int P, int ROWS, bool EVERY>
GF_DEVICE_FN void gf_down_finish(const struct gf_pass_args &a, const struct gf_window_params &p, int64_t x,
                                 int64_t y0, const struct gf_result_slots<P, ROWS> &results)
{
    const int32_t rows = a.height - y0 < ROWS ? static_cast<int32_t>(a.height - y0) : ROWS;
    for (int32_t j = 0; j < rows; j++) {
        const struct gf_place at = {x, 1, y0 + j};
        float v[CM][P];
#pragma unroll
        for (int c = 0; c < CM; c++) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                v[c][i] = c < p.planes ? gf_quantise_to(results.at(c, j, i), p.depth_out) : 0.0F;
            }
        }
        gf_program_run<CM, P, EVERY>(a, a.post, at, v);
        if (a.out.data) {
            gf_pixels_store_wide<CM, P>(a, p.wide_out, at, v);
        }
    }
}

template <int KIND, int CM, int P, int ROWS>
static __global__ void __launch_bounds__(GF_WINDOW_THREADS,
                                         CM > 2 || gf_window_traits<KIND>::separable || KIND == GF_BOX_U32 ? 4
                                         : KIND == GF_BOX_U64                                              ? 3
                                                              : 5)
    gf_window_down(const struct gf_pass_args a, const struct gf_window_params p)
{
    using traits = gf_window_traits<KIND>;
    using M = typename traits::middle;
    using sum_type = typename traits::sum;
    GF_SHARED(float, slots, CM *ROWS *P *GF_WINDOW_THREADS);
    GF_SHARED(sum_type, sums, traits::box_int ? CM * P * GF_WINDOW_THREADS : 1); /* running, of a march */
    [[maybe_unused]] sum_type *const own_sums = sums + threadIdx.x;
    const struct gf_result_slots<P, ROWS> results = {
        slots + threadIdx.x
    };
    const int64_t span = GF_WINDOW_THREADS * P, pieces = (a.width + span - 1) / span;
    const int64_t segments = (a.height + p.segment - 1) / p.segment;
    for (int64_t n = blockIdx.x; n < pieces * segments; n += gridDim.x) {
        const int64_t segment = n / pieces, x = (n - segment * pieces) * span + int64_t(threadIdx.x) * P;
        const int64_t begin = segment * p.segment;
        const int64_t end = begin + p.segment < a.height ? begin + p.segment : a.height;
        if (x >= a.width) {
            continue;
        }
        if constexpr (traits::box_int) {
#pragma unroll 1
            for (int32_t c = 0; c < CM && c < p.planes; c++) {
                gf_box_begin<M, P>(p, c, x, begin, own_sums + c * P * GF_WINDOW_THREADS);
            }
        }
        for (int64_t y0 = begin; y0 < end; y0 += ROWS) {
#pragma unroll 1
            for (int32_t c = 0; c < CM && c < p.samples.channels; c++) {
                if constexpr (traits::separable) {
                    gf_down_separable<KIND>(p, c, x, y0, results);
                } else if constexpr (traits::box_int) {
                    gf_down_box<P, ROWS>(p, gf_columns_make<M>(p, c, x), c, y0,
                                         own_sums + c * P * GF_WINDOW_THREADS, results);
                } else if constexpr (traits::gradient) {
                    gf_down_gradient<KIND>(p, c, x, y0, results);
                } else {
                    gf_down_box_f32(p, c, x, y0, results);
                }
            }
            gf_down_finish<CM, P, ROWS, (CM >= 4)>(a, p, x, y0, results);
        }
    }
}

/* ---- launch -------------------------------------------------------------------------------------------- */

/* Rows that a block marches: long against the radius, short enough that there is work for all. */
template <int ROWS> static int32_t gf_box_segment(const struct gf_window_params &p, int64_t pieces)
{
    const int64_t wanted = 4 * p.ry < 32 ? 32 : 4 * p.ry, most = p.height * pieces / 1024;
    const int64_t rows = wanted < most ? wanted : most < 4 * ROWS ? int64_t(4) * ROWS : most;
    return static_cast<int32_t>((rows + ROWS - 1) / ROWS * ROWS);
}

template <int KIND, int CM, int P, int ROWS>
static gf_status gf_down_run(const struct gf_pass_args &a, struct gf_window_params p, cudaStream_t stream,
                             gf_error *error)
{
    const int64_t span = GF_WINDOW_THREADS * P, pieces = (a.width + span - 1) / span;
    p.segment = gf_window_traits<KIND>::box_int ? gf_box_segment<ROWS>(p, pieces) : int32_t(ROWS);
    p.wide_out = gf_allows_wide_stores(&a.out, P);
    const int64_t blocks = pieces * ((a.height + p.segment - 1) / p.segment);
    gf_launch launch =
        gf_launch_on(stream, gf_blocks(blocks < BLOCKS ? blocks : int64_t(BLOCKS), 1), GF_WINDOW_THREADS);
    GF_CUDA_TRY(error, GF_LAUNCH((gf_window_down<KIND, CM, P, ROWS>), launch, a, p));
    return GF_OK;
}

template <int KIND>
static gf_status gf_down_channels(const struct gf_pass_args &a, const struct gf_window_params &p,
                                  cudaStream_t stream, gf_error *error)
{
    const int32_t most = gf_program_most(&a.post), planes = p.planes > most ? p.planes : most;
    const int32_t channels = gf_program_is_common(&a.post) ? planes : 8; /* other instructions: there only */
    if constexpr (gf_window_traits<KIND>::gradient) {
        return channels == 2 ? gf_down_run<KIND, 2, 4, 4>(a, p, stream, error)
                             : gf_down_run<KIND, 8, 2, 4>(a, p, stream, error);
    } else {
        return channels == 1 ? gf_down_run<KIND, 1, 4, 8>(a, p, stream, error)
                             : gf_down_run<KIND, 4, 2, 8>(a, p, stream, error);
    }
}

gf_status gf_window_down_launch(enum gf_window_kind kind, const struct gf_pass_args *a,
                                const struct gf_window_params *p, cudaStream_t stream, gf_error *error)
{
    return gf_dispatch_number<GF_SEPARABLE_S16, GF_GRADIENT_F32>(
        kind, [&](auto number) { return gf_down_channels<decltype(number)::value>(*a, *p, stream, error); });
}
