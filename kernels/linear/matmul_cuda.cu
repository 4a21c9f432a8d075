/* matmul with a tile of C in the registers of a block: "auto", whose tiles of A and B arrive while it
 * multiplies those before, and "register-tiled", which waits for each.
 *
 * A block has a tile of BM x BN elements of C, a warp 4 x 8 lanes, a lane TM x TN elements, in groups of as
 * many as 16 bytes hold, so that lanes next to each other read 16 bytes next to each other. Tiles of A and B
 * of BK steps lie in shared memory step after step, wherever their elements come from: transposing costs
 * nothing. Each element of C is summed by one lane, in the order of the definition. */
#include "base/planted_fault.h"
#include "linear/matmul_cuda.cuh"

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

/* Where this thread takes its elements of a tile of SIDE rows (of A; columns of B) by BK steps: COUNT of
 * them, one every `jump`, beginning with (side, step). */
template <class S, class T, int SIDE, int COUNT> struct gf_matmul_loader {
    const T *from;      /* its first element in the tile to be loaded */
    int64_t jump, next; /* elements from one of its elements to the next, and from a tile to the next */
    int side, step, side_jump, step_jump;
    int sides; /* that are there, from this thread's first on */
    int32_t is_signed;

    /* side_stride, step_stride: elements of memory. Threads go along what lies together. */
    __device__ __forceinline__ void begin(const void *data, int64_t first, int64_t there, int64_t side_stride,
                                          int64_t step_stride, int32_t with_sign)
    {
        const int thread = gf_thread();
        const bool along_steps = step_stride == 1 && side_stride != 1;
        side = along_steps ? thread / S::BK : thread % SIDE;
        step = along_steps ? thread % S::BK : thread / SIDE;
        side_jump = along_steps ? S::THREADS / S::BK : 0;
        step_jump = along_steps ? 0 : S::THREADS / SIDE;
        from = static_cast<const T *>(data) + (first + side) * side_stride + step * step_stride;
        jump = side_jump * side_stride + step_jump * step_stride;
        next = S::BK * step_stride;
        const int64_t left = there - first - side;
        sides = static_cast<int>(left < SIDE ? left : SIDE);
        is_signed = with_sign;
    }

    /* Loads the tile of `steps` steps, and goes on to the next one. PITCH: from a step to the next in `to`.
     */
    template <int PITCH> __device__ __forceinline__ void load(typename S::wide *to, int steps)
    {
        const T *at = from;
        GF_UNROLL
        for (int e = 0; e < COUNT; e++, at += jump) {
            const int s = side + e * side_jump, l = step + e * step_jump;
            typename S::wide *const place = to + l * PITCH + s;
            if (e * side_jump < sides - GF_FAULT(cuda_matmul_edge) && l < steps) {
                if constexpr (sizeof(T) >= 4) {
                    gf_cp_async<sizeof(T)>(place, at);
                } else {
                    *place = S::element::widen(*at, is_signed);
                }
            } else {
                *place = 0;
            }
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

/* The block's tile of C. Blocks that run together have tiles near each other: 16 rows of tiles at a time. */
template <class S> GF_DEVICE_FN void gf_matmul_place(const gf_matmul_args &g, int64_t *row, int64_t *column)
{
    const int64_t ROWS = 16;
    const int64_t down = (g.m - 1) / S::BM + 1, across = (g.n - 1) / S::BN + 1;
    const int64_t band = blockIdx.x / (ROWS * across), in_band = blockIdx.x % (ROWS * across);
    const int64_t rows = down - band * ROWS < ROWS ? down - band * ROWS : ROWS;
    *row = (band * ROWS + in_band % rows) * S::BM;
    *column = in_band / rows * S::BN;
}

/* Writes the lane's elements; (row, column) is its first. */
template <class S>
GF_DEVICE_FN void gf_matmul_store(const gf_matmul_args &g, int64_t row, int64_t column,
                                  const typename S::sum (&sum)[S::TM][S::TN])
{
    typename S::sum *const c = static_cast<typename S::sum *>(g.c);
    GF_UNROLL
    for (int i = 0; i < S::TM; i++) {
        const int64_t to = row + i / S::GROUP * S::GROUP * 4 + i % S::GROUP;
        GF_UNROLL
        for (int j = 0; j < S::TN; j++) {
            const int64_t at = column + j / S::GROUP * S::GROUP * 8 + j % S::GROUP;
            if (to < g.m && at < g.n) {
                c[to * g.ldc + at] = gf_matmul_finish(sum[i][j]);
            }
        }
    }
}

/* What a block does. lefts, rights: shared memory for the tiles of A and of B. */
template <class S, class T>
GF_DEVICE_FN void gf_matmul_block(const gf_matmul_args &g, typename S::wide *lefts, typename S::wide *rights)
{
    using wide = typename S::wide;
    const int warp = gf_warp(), lane = gf_lane();
    const int i = warp / (S::BN / S::WARP_N) * S::WARP_M + lane / 8 * S::GROUP;
    const int j = warp % (S::BN / S::WARP_N) * S::WARP_N + lane % 8 * S::GROUP;
    gf_matmul_loader<S, T, S::BM, S::BM * S::BK / S::THREADS> a;
    gf_matmul_loader<S, T, S::BN, S::BN * S::BK / S::THREADS> b;
    typename S::sum sum[S::TM][S::TN] = {};
    int64_t row, column;
    gf_matmul_place<S>(g, &row, &column);
    a.begin(g.a, row, g.m, g.a_row, g.a_column, g.signed_a);
    b.begin(g.b, column, g.n, g.b_column, g.b_row, g.signed_b);

    const int64_t tiles = (g.k + S::BK - 1) / S::BK;
    const auto request = [&](int64_t tile) {
        if (tile < tiles) {
            const int64_t left = g.k - tile * S::BK;
            const int steps = static_cast<int>(left < S::BK ? left : S::BK),
                      stage = static_cast<int>(tile % S::STAGES);
            a.template load<S::LEFT>(lefts + stage * S::BK * S::LEFT, steps);
            b.template load<S::BN>(rights + stage * S::BK * S::BN, steps);
        }
        gf_cp_async_commit();
    };
    for (int tile = 0; tile < S::STAGES - 1; tile++) {
        request(tile);
    }
    for (int64_t tile = 0; tile < tiles; tile++) {
        if (S::STAGES == 1) {
            __syncthreads(); /* the tile before is done with */
            request(tile);
        }
        if (GF_FAULT(cuda_matmul_stage)) {
            gf_cp_async_wait<S::STAGES>();
        } else {
            gf_cp_async_wait<(S::STAGES > 1 ? S::STAGES - 2 : 0)>();
        }
        __syncthreads(); /* this tile is there for all, and the one before is done with */
        if (S::STAGES > 1) {
            request(tile + S::STAGES - 1);
        }
        const int stage = static_cast<int>(tile % S::STAGES);
        const wide *left = lefts + stage * S::BK * S::LEFT + i, *right = rights + stage * S::BK * S::BN + j;
        if (g.k - tile * S::BK >= S::BK) {
            GF_UNROLL
            for (int l = 0; l < S::BK; l++) {
                gf_matmul_step<S>(left + l * S::LEFT, right + l * S::BN, sum);
            }
        } else {
            const int steps = static_cast<int>(g.k - tile * S::BK); /* no more: 0 x 0 would make a +0 of -0 */
            for (int l = 0; l < steps; l++) {
                gf_matmul_step<S>(left + l * S::LEFT, right + l * S::BN, sum);
            }
        }
    }
    gf_matmul_store<S>(g, row + i, column + j, sum);
}

/* Sums of 8 bytes take twice the registers: half of a tile. */
template <class T>
using gf_matmul_large = gf_matmul_shape<T, 128, sizeof(T) == 8 ? 64 : 128, 8, 8, sizeof(T) == 8 ? 4 : 8, 3>;
template <class T> using gf_matmul_small = gf_matmul_shape<T, 64, 64, 16, 4, 4, 1>;

template <class T>
static __global__ void __launch_bounds__(gf_matmul_large<T>::THREADS, 2)
    gf_matmul_ahead(const gf_matmul_args g)
{
    using S = gf_matmul_large<T>;
    GF_SHARED(typename S::wide, lefts, S::STAGES * S::BK * S::LEFT);
    GF_SHARED(typename S::wide, rights, S::STAGES * S::BK * S::BN);
    gf_matmul_block<S, T>(g, lefts, rights);
}

template <class T>
static __global__ void __launch_bounds__(gf_matmul_small<T>::THREADS, 2)
    gf_matmul_waiting(const gf_matmul_args g)
{
    using S = gf_matmul_small<T>;
    GF_SHARED(typename S::wide, lefts, S::STAGES * S::BK * S::LEFT);
    GF_SHARED(typename S::wide, rights, S::STAGES * S::BK * S::BN);
    gf_matmul_block<S, T>(g, lefts, rights);
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

template <class S> static gf_launch launch_of(const struct gf_array_call *array, const gf_matmul_args &g)
{
    gf_launch c = {};
    c.grid = dim3(gf_blocks(((g.m + S::BM - 1) / S::BM) * ((g.n + S::BN - 1) / S::BN), 1));
    c.block = dim3(S::THREADS);
    c.stream = static_cast<cudaStream_t>(array->queue.stream);
    return c;
}

gf_status gf_matmul_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const gf_launch c = launch_of<gf_matmul_large<T>>(array, g);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_ahead<T>), c, g));
        return GF_OK;
    });
}

gf_status gf_matmul_registers_cuda(const struct gf_array_call *array, gf_error *error)
{
    const gf_matmul_args g = gf_matmul_args_of(gf_matmul_call_of(array));
    GF_ON_DEVICE(array->queue.device, error)
    return gf_dispatch_type<GF_MATMUL_TYPES>(array->options.type, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const gf_launch c = launch_of<gf_matmul_small<T>>(array, g);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_matmul_waiting<T>), c, g));
        return GF_OK;
    });
}
