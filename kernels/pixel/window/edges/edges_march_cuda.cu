/* Edges of u8 in one channel as a march (march_cuda.cuh): a lane has the gradients of its pixels and of one
 * more on each side. Two neighbouring pixels share a word, the left one in its lower half: sums of words are
 * sums of both, and what the lower half borrows from the upper is given back when they part. */
#include "pixel/cuda/march_cuda.cuh"
#include "pixel/window/edges/edges.h"
#include "pixel/window/edges/edges_cuda.h"

struct gf_edges_math {
    static const int R = 2, RY = 2, P = 8, ROWS = 1, OUT = 1;
    static const int PAIRS = P / 2 + 1, WIDE = P + 2; /* of the pixels -1 to P */
    using sample = uint8_t;
    using made = uint8_t;
    using lines = gf_march_lines<gf_edges_math>;
    struct params {
        int32_t low, high;
    };
    struct state {
        int32_t difference[2][PAIRS], smooth[2][PAIRS]; /* of the last two rows, the older one first */
        int32_t square[2][WIDE];                        /* of the last two rows of gradients */
        int32_t x[PAIRS], y[PAIRS];                     /* of the last one */
        int32_t row, height;                            /* the next row of gradients */
        uint32_t inside;                                /* bit i: pixel i - 1 lies in the picture */
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
        GF_UNROLL
        for (int i = 0; i < PAIRS; i++) {
            s.difference[0][i] = s.difference[1][i] = s.smooth[0][i] = s.smooth[1][i] = s.x[i] = s.y[i] = 0;
        }
        GF_UNROLL
        for (int i = 0; i < WIDE; i++) {
            s.square[0][i] = s.square[1][i] = 0;
        }
        s.row = s.height = 0;
        s.inside = 0;
    }

    /* Samples B - 4 and B - 3 of the lane. */
    template <int B> static __device__ __forceinline__ int32_t pair(const uint32_t (&q)[4])
    {
        constexpr uint32_t K = B % 4;
        if constexpr (K == 3) {
            return static_cast<int32_t>(gf_byte_perm(q[B / 4], q[B / 4 + 1], 0x0403) & 0x00ff00ffu);
        } else {
            return static_cast<int32_t>(gf_byte_perm(q[B / 4], 0, 0x4040 | K | (K + 1) << 8));
        }
    }

    template <int I> static __device__ __forceinline__ int32_t half(const int32_t (&pairs)[PAIRS])
    {
        const int32_t v = pairs[I / 2];
        return I % 2 ? (v + 0x8000) >> 16 : static_cast<int16_t>(v);
    }

    /* The gradients of the pair J. */
    template <int J>
    static __device__ __forceinline__ void slope(const uint32_t (&q)[4], state &s, int32_t (&x)[PAIRS],
                                                 int32_t (&y)[PAIRS])
    {
        const int32_t left = pair<2 * J + 2>(q), middle = pair<2 * J + 3>(q), right = pair<2 * J + 4>(q);
        const int32_t difference = right - left, smooth = left + right + 2 * middle;
        x[J] = s.difference[0][J] + 2 * s.difference[1][J] + difference;
        y[J] = smooth - s.smooth[0][J];
        s.difference[0][J] = s.difference[1][J];
        s.difference[1][J] = difference;
        s.smooth[0][J] = s.smooth[1][J];
        s.smooth[1][J] = smooth;
        if constexpr (J + 1 < PAIRS) {
            slope<J + 1>(q, s, x, y);
        }
    }

    template <int I>
    static __device__ __forceinline__ void squares(const int32_t (&x)[PAIRS], const int32_t (&y)[PAIRS],
                                                   int32_t (&square)[WIDE])
    {
        const int32_t gx = half<I>(x), gy = half<I>(y);
        square[I] = gx * gx + gy * gy;
        if constexpr (I + 1 < WIDE) {
            squares<I + 1>(x, y, square);
        }
    }

    /* Pixel I - 1 of the row before the newest, whose squares are `down`: enum gf_edge. */
    template <int I>
    static __device__ __forceinline__ uint32_t edge(const params &p, const state &s,
                                                    const int32_t (&down)[WIDE])
    {
        const int32_t(&up)[WIDE] = s.square[0], (&at)[WIDE] = s.square[1];
        const int32_t gx = half<I>(s.x), gy = half<I>(s.y), m = at[I];
        const int32_t ax = gx < 0 ? -gx : gx, ay = gy < 0 ? -gy : gy;
        const int32_t tangent = ax * GF_EDGES_TANGENT >> 15; /* where it is whole, ax is 0 */
        const bool across = ay <= tangent, upright = ay > 2 * ax + tangent, rising = (gx ^ gy) < 0;
        const int32_t before = across ? at[I - 1] : upright ? up[I] : rising ? up[I + 1] : up[I - 1];
        const int32_t after = across ? at[I + 1] : upright ? down[I] : rising ? down[I - 1] : down[I + 1];
        const int32_t more = (across || upright) && !GF_FAULT(cuda_edges_tie) ? 0 : 1;
        const bool is = m > p.low && m > before && m >= after + more;
        return is ? m > p.high ? GF_EDGE_STRONG : GF_EDGE_WEAK : GF_EDGE_NONE;
    }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[P / 4])
    {
        const uint8_t *const from = rows.at(0);
        const uint2 own = gf_load8(from);
        const uint32_t q[4] = {gf_load4(from - 4), own.x, own.y, gf_load4(from + P)};
        int32_t x[PAIRS], y[PAIRS], down[WIDE];
        slope<0>(q, s, x, y);
        squares<0>(x, y, down);
        const bool is_row = static_cast<uint32_t>(s.row) < static_cast<uint32_t>(s.height);
        const uint32_t inside = is_row ? s.inside : 0;
        if (inside != (1u << WIDE) - 1) {
            GF_UNROLL
            for (int i = 0; i < WIDE; i++) {
                down[i] = inside >> i & 1 ? down[i] : 0;
            }
        }
        to[0] = edge<1>(p, s, down) | edge<2>(p, s, down) << 8 | edge<3>(p, s, down) << 16 |
                edge<4>(p, s, down) << 24;
        to[1] = edge<5>(p, s, down) | edge<6>(p, s, down) << 8 | edge<7>(p, s, down) << 16 |
                edge<8>(p, s, down) << 24;
        GF_UNROLL
        for (int i = 0; i < WIDE; i++) {
            s.square[0][i] = s.square[1][i];
            s.square[1][i] = down[i];
        }
        GF_UNROLL
        for (int i = 0; i < PAIRS; i++) {
            s.x[i] = x[i];
            s.y[i] = y[i];
        }
        s.row++;
    }
};

/* The lane's first pixel, and the row that is taken first. */
GF_DEVICE_FN void gf_march_place(gf_edges_math::state &s, const struct gf_march_params &p, int32_t x,
                                 int32_t y)
{
    s.row = y - 1;
    s.height = p.height;
    GF_UNROLL
    for (int i = 0; i < gf_edges_math::WIDE; i++) {
        s.inside |= (x + i - 1 >= 0 && x + i - 1 < p.width + GF_FAULT(cuda_edges_outside) ? 1u : 0u) << i;
    }
}

gf_status gf_edges_march(const struct gf_pass_args *args, const struct gf_run *run,
                         const struct gf_edges_args *edges, gf_error *error)
{
    const gf_edges_math::params math = {static_cast<int32_t>(edges->low), static_cast<int32_t>(edges->high)};
    return gf_march_queue<gf_edges_math>(args, run, math, gf_quantise_u8(run->pass->window.fill[0]), error);
}
