/* A tile of C in the registers of a block. A block has BM x BN elements of C, a warp 4 x 8 lanes, a lane TM x
 * TN elements, in groups of as many as 16 bytes hold, so that lanes next to each other read 16 bytes next to
 * each other. Tiles of A and B of BK steps lie in shared memory step after step, wherever their elements come
 * from: transposing costs nothing. Each element of C is summed by one lane, in the order of the definition.
 */
#ifndef GF_LINEAR_MATMUL_TILE_CUDA_CUH
#define GF_LINEAR_MATMUL_TILE_CUDA_CUH

#include "base/planted_fault.h"
#include "linear/matmul/matmul_cuda.cuh"
#include "linear/matmul/matmul_slices.h"

template <class T, int TILE_M, int TILE_N, int STEPS, int LANE_M, int LANE_N, int AHEAD>
struct gf_matmul_shape {
    using element = gf_matmul_element<T>;
    using wide = typename element::wide;
    using sum = typename element::sum;
    static const int BM = TILE_M, BN = TILE_N, BK = STEPS, TM = LANE_M, TN = LANE_N;
    static const int STAGES = AHEAD;                              /* tiles in shared memory, 1: none ahead */
    static const int GROUP = 16 / static_cast<int>(sizeof(wide)); /* elements of 16 bytes */
    static const int LEFT = BM + GROUP; /* from a step of A to the next; spreads banks */
    static const int WARP_M = 4 * TM, WARP_N = 8 * TN;
    static const int THREADS = BM / WARP_M * (BN / WARP_N) * GF_WARP;
};

/* Says where this thread takes its elements of a tile of SIDE rows (of A; columns of B) by BK steps: COUNT of
 * them, one every `jump`, beginning with (side, step). Threads go along what lies together: sides, one after
 * the other or 16 bytes of them each, or steps. PITCH: from a step to the next in shared memory. */
template <class S, class T, int SIDE, int PITCH> struct gf_matmul_loader {
    static const int COUNT = SIDE * S::BK / S::THREADS, GROUP = 16 / static_cast<int>(sizeof(T));
    static const bool CAN_GROUP = sizeof(T) >= 4 && COUNT == GROUP;
    enum way { SIDES, GROUPS, STEPS };

    const T *from;      /* its first element in the tile to be loaded */
    int64_t jump, next; /* elements from one of its elements to the next, and from a tile to the next */
    int offset;         /* where its first element goes */
    int sides;          /* that are there, from this thread's first on */
    way along;
    int32_t is_signed;

    __device__ __forceinline__ int side() const
    {
        const int thread = static_cast<int>(gf_thread());
        return along == STEPS    ? thread / S::BK
               : along == GROUPS ? thread % (SIDE / GROUP) * GROUP
                                 : thread % SIDE;
    }
    __device__ __forceinline__ int step() const
    {
        const int thread = static_cast<int>(gf_thread());
        return along == STEPS ? thread % S::BK : along == GROUPS ? thread / (SIDE / GROUP) : thread / SIDE;
    }
    /* From one of its elements to the next. */
    __device__ __forceinline__ int side_jump() const
    {
        return along == STEPS ? S::THREADS / S::BK : along == GROUPS ? 1 : 0;
    }
    __device__ __forceinline__ int step_jump() const { return along == SIDES ? S::THREADS / SIDE : 0; }

    /* side_stride, step_stride: elements of memory. */
    __device__ __forceinline__ void begin(const void *data, int64_t first, int64_t there, int64_t side_stride,
                                          int64_t step_stride, int32_t with_sign)
    {
        from = static_cast<const T *>(data) + first * side_stride;
        along = step_stride == 1 && side_stride != 1 ? STEPS : SIDES;
        if (CAN_GROUP && side_stride == 1 && step_stride % GROUP == 0 &&
            reinterpret_cast<uintptr_t>(from) % 16 == 0) {
            along = GROUPS;
        }
        from += side() * side_stride + step() * step_stride;
        jump = side_jump() * side_stride + step_jump() * step_stride;
        next = S::BK * step_stride;
        offset = step() * PITCH + side();
        const int64_t left = there - first - side();
        sides = static_cast<int>(left < SIDE ? left : SIDE);
        is_signed = with_sign;
    }

    /* Elements of a tile that lies at the edge, or as it may. */
    __device__ __forceinline__ void load_some(typename S::wide *to, int steps) const
    {
        /* One after the other, for the registers of the path that most tiles take; bytes have no other,
         * and wait for each other less in twos. */
        [[maybe_unused]] constexpr int AT_ONCE = sizeof(T) < 4 ? 2 : 1;
        const T *at = from;
#pragma unroll AT_ONCE
        for (int e = 0; e < COUNT; e++, at += jump) {
            typename S::wide *const place = to + e * (step_jump() * PITCH + side_jump());
            if (e * side_jump() < sides - GF_FAULT(cuda_matmul_edge) && step() + e * step_jump() < steps) {
                if constexpr (sizeof(T) >= 4) {
                    gf_cp_async<sizeof(T)>(place, at);
                } else {
                    *place = S::element::widen(*at, is_signed);
                }
            } else {
                *place = 0;
            }
        }
    }

    /* Loads the tile of `steps` steps, and goes on to the next one. */
    __device__ __forceinline__ void load(typename S::wide *to, int steps)
    {
        const int step_between = S::THREADS / S::BK;
        to += offset;
        if (CAN_GROUP && along == GROUPS && steps == S::BK && sides >= GROUP) {
            if constexpr (CAN_GROUP) {
                gf_cp_async<16>(to, from);
            }
        } else if (sizeof(T) >= 4 && along == STEPS && steps == S::BK && sides > (COUNT - 1) * step_between) {
            if constexpr (sizeof(T) >= 4) {
                const T *at = from;
                GF_UNROLL
                for (int e = 0; e < COUNT; e++, at += jump) {
                    gf_cp_async<sizeof(T)>(to + e * step_between, at);
                }
            }
        } else {
            load_some(to, steps);
        }
        from += next;
    }
};

/* 16 bytes of shared memory. */
template <class S> GF_DEVICE_FN void gf_matmul_group(typename S::wide *to, const typename S::wide *from)
{
    const uint4 raw = gf_load16(from);
    memcpy(to, &raw, sizeof raw);
}

/* Adds one step: a column of the tile of A and a row of that of B. */
template <class S>
GF_DEVICE_FN void gf_matmul_step(const typename S::wide *left, const typename S::wide *right,
                                 typename S::sum (&sum)[S::TM][S::TN])
{
    typename S::wide x[S::TM], y[S::TN];
    GF_UNROLL
    for (int i = 0; i < S::TM; i += S::GROUP) {
        gf_matmul_group<S>(x + i, left + i * 4);
    }
    GF_UNROLL
    for (int j = 0; j < S::TN; j += S::GROUP) {
        gf_matmul_group<S>(y + j, right + j * 8);
    }
    GF_UNROLL
    for (int i = 0; i < S::TM; i++) {
        GF_UNROLL
        for (int j = 0; j < S::TN; j++) {
            sum[i][j] = gf_matmul_add(x[i], y[j], sum[i][j]);
        }
    }
}

/* The block's product, and its tile of C. Blocks that run together have tiles near each other: 16 rows of
 * tiles at a time. */
template <class S, bool MANY>
GF_DEVICE_FN int64_t gf_matmul_place(const gf_matmul_args &g, unsigned block, int64_t *row, int64_t *column)
{
    const int64_t ROWS = 16;
    const int64_t down = (g.m - 1) / S::BM + 1, across = (g.n - 1) / S::BN + 1;
    const int64_t product = MANY ? block / (down * across) : 0;
    const int64_t tile = block - product * (down * across);
    const int64_t band = tile / (ROWS * across), in_band = tile % (ROWS * across);
    const int64_t rows = down - band * ROWS < ROWS ? down - band * ROWS : ROWS;
    *row = (band * ROWS + in_band % rows) * S::BM;
    *column = in_band / rows * S::BN;
    return product;
}

/* Which elements a kernel writes: all; or those in a row or a column that slices cannot hold. */
struct gf_matmul_all {
    GF_DEVICE_FN bool wants(int64_t, int64_t) { return true; }
};
struct gf_matmul_marked {
    const int32_t *rows, *columns; /* scales */
    const unsigned long long *counts;
    __device__ __forceinline__ bool wants(int64_t row, int64_t column) const
    {
        return rows[row] == GF_SLICES_PLAIN || columns[column] == GF_SLICES_PLAIN;
    }
};

/* Writes the lane's elements; (row, column) is its first. */
template <class S, class Mark>
GF_DEVICE_FN void gf_matmul_store(const gf_matmul_args &g, const Mark &mark, int64_t product, int64_t row,
                                  int64_t column, const typename S::sum (&sum)[S::TM][S::TN])
{
    typename S::sum *const c = static_cast<typename S::sum *>(g.c) + product * g.step_c;
    GF_UNROLL
    for (int i = 0; i < S::TM; i++) {
        const int64_t to = row + i / S::GROUP * S::GROUP * 4 + i % S::GROUP;
        GF_UNROLL
        for (int j = 0; j < S::TN; j++) {
            const int64_t at = column + j / S::GROUP * S::GROUP * 8 + j % S::GROUP;
            if (to < g.m && at < g.n && mark.wants(to, at)) {
                c[to * g.ldc + at] = gf_matmul_finish(sum[i][j]);
            }
        }
    }
}

/* Does what a block does; MANY: for one of a batch's products. lefts, rights: shared memory for the tiles of
 * A and of B. */
template <class S, class T, bool MANY, class Mark>
GF_DEVICE_FN void gf_matmul_block(const gf_matmul_args &g, const Mark &mark, typename S::wide *lefts,
                                  typename S::wide *rights)
{
    using wide = typename S::wide;
    const int warp = gf_warp(), lane = gf_lane();
    const int i = warp / (S::BN / S::WARP_N) * S::WARP_M + lane / 8 * S::GROUP;
    const int j = warp % (S::BN / S::WARP_N) * S::WARP_N + lane % 8 * S::GROUP;
    gf_matmul_loader<S, T, S::BM, S::LEFT> a;
    gf_matmul_loader<S, T, S::BN, S::BN> b;
    typename S::sum sum[S::TM][S::TN] = {};
    int64_t row, column;
    const int64_t product = gf_matmul_place<S, MANY>(g, blockIdx.x, &row, &column);
    a.begin(static_cast<const T *>(g.a) + product * g.step_a, row, g.m, g.a_row, g.a_column, g.signed_a);
    b.begin(static_cast<const T *>(g.b) + product * g.step_b, column, g.n, g.b_column, g.b_row, g.signed_b);

    /* Asks for the tile before whose end `left` steps of the sum are, into that stage. */
    const auto request = [&](int64_t left, int stage) {
        if (left > 0) {
            const int steps = static_cast<int>(left < S::BK ? left : S::BK);
            a.load(lefts + stage * S::BK * S::LEFT, steps);
            b.load(rights + stage * S::BK * S::BN, steps);
        }
        gf_cp_async_commit();
    };
    for (int tile = 0; tile < S::STAGES - 1; tile++) {
        request(g.k - tile * S::BK, tile);
    }
    int stage = 0;
    for (int64_t steps = g.k; steps > 0; steps -= S::BK) {
        if (S::STAGES == 1) {
            __syncthreads(); /* the tile before is done with */
            request(steps, 0);
        }
        if (GF_FAULT(cuda_matmul_stage)) {
            gf_cp_async_wait<S::STAGES>();
        } else {
            gf_cp_async_wait<(S::STAGES > 1 ? S::STAGES - 2 : 0)>();
        }
        __syncthreads(); /* this tile is there for all, and the one before is done with */
        if (S::STAGES > 1) {
            request(steps - (S::STAGES - 1) * S::BK, stage > 0 ? stage - 1 : S::STAGES - 1);
        }
        const wide *left = lefts + stage * S::BK * S::LEFT + i, *right = rights + stage * S::BK * S::BN + j;
        if (steps >= S::BK) {
            GF_UNROLL
            for (int l = 0; l < S::BK; l++) {
                gf_matmul_step<S>(left + l * S::LEFT, right + l * S::BN, sum);
            }
        } else { /* no more: 0 x 0 would make a +0 of -0 */
            for (int l = 0; l < static_cast<int>(steps); l++) {
                gf_matmul_step<S>(left + l * S::LEFT, right + l * S::BN, sum);
            }
        }
        stage = stage + 1 < S::STAGES ? stage + 1 : 0;
    }
    /* Again, as nobody kept registers for it. */
    const int64_t to = gf_matmul_place<S, MANY>(g, gf_forget(blockIdx.x), &row, &column);
    gf_matmul_store<S>(g, mark, to, row + i, column + j, sum);
}

/* Sums of 8 bytes take twice the registers: half of a tile. */
template <class T>
using gf_matmul_large = gf_matmul_shape<T, 128, sizeof(T) == 8 ? 64 : 128, 8, 8, sizeof(T) == 8 ? 4 : 8, 3>;
template <class T> using gf_matmul_small = gf_matmul_shape<T, 64, 64, 16, 4, 4, 1>;

/* ---- Launches ------------------------------------------------------------------------------------------ */

template <class S>
static gf_launch gf_matmul_launch(const struct gf_array_call *array, const gf_matmul_args &g)
{
    gf_launch c = gf_launch_on(
        array->queue.stream,
        gf_blocks(((g.m + S::BM - 1) / S::BM) * ((g.n + S::BN - 1) / S::BN) * g.batch, 1), S::THREADS);
    return c;
}

#endif
