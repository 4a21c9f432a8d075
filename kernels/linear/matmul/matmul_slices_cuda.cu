/* Products with slices on CUDA, second half: bytes times bytes on tensor cores.
 *
 * A block has a tile of BM x BN elements of C, a warp 32 x 32, and a lane for each of its elements a sum of
 * 32 bits for every i + j of the slices' numbers. STAGES pieces of A and B lie in shared memory, all but one
 * of them on their way. Each byte that a warp reads is used for several products of slices: 32 multiply-adds
 * a byte. Sums stay exact for PART steps; a larger k is added up in parts, in memory. */
#include "array/common/variant.h"
#include "base/device_scope_cuda.h"
#include "base/gf_warpgroup.h"
#include "base/planted_fault.h"
#include "linear/matmul/matmul_slices_cuda.cuh"

constexpr int64_t PART = 480; /* of GF_SLICES_STEPS; 480 * 64 * 4 * 2^14 < 2^31 */

/* 32 steps of the sum. left, right: this lane's address in the piece of A and of B. */
template <class S, int SLICES>
GF_DEVICE_FN void add_steps(const unsigned char *left, const unsigned char *right,
                            int32_t (&sum)[SLICES][2][4][4])
{
    uint32_t a[SLICES][2][4];
    GF_UNROLL
    for (int i = 0; i < SLICES; i++) {
        GF_UNROLL
        for (int t = 0; t < 2; t++) {
            gf_load_matrices(a[i][t], left + (i * S::BM + t * 16) * GF_SLICES_STEPS);
        }
    }
    GF_UNROLL
    for (int pair = 0; pair < 2; pair++) {
        uint32_t b[SLICES][4];
        GF_UNROLL
        for (int j = 0; j < SLICES; j++) {
            gf_load_matrices(b[j], right + (j * S::BN + pair * 16) * GF_SLICES_STEPS);
        }
        GF_UNROLL
        for (int i = 0; i < SLICES; i++) {
            GF_UNROLL
            for (int j = 0; i + j < SLICES; j++) {
                GF_UNROLL
                for (int t = 0; t < 2; t++) {
                    gf_multiply_bytes(sum[i + j][t][2 * pair], a[i][t], b[j][0], b[j][1]);
                    gf_multiply_bytes(sum[i + j][t][2 * pair + 1], a[i][t], b[j][2], b[j][3]);
                }
            }
        }
    }
}

template <int SLICES>
static __global__ void __launch_bounds__(gf_slices_shape<SLICES>::THREADS, 1)
    gf_slices_multiply(const gf_slices_args g)
{
    using S = gf_slices_shape<SLICES>;
    GF_SHARED_DYN(unsigned char, stages);
    const int thread = static_cast<int>(gf_thread()), lane = static_cast<int>(gf_lane());
    const int warp_m = static_cast<int>(gf_warp()) / S::WARPS_N,
              warp_n = static_cast<int>(gf_warp()) % S::WARPS_N;
    int64_t row, column;
    gf_slices_place<S::BM, S::BN>(g, &row, &column);
    const uint8_t *a = g.a + (row * g.depth + g.from) * S::STAGE_A + thread * 16;
    const uint8_t *b = g.b + (column * g.depth + g.from) * S::STAGE_B + thread * 16;
    const int pieces = static_cast<int>(g.pieces);
    const auto request = [&](int piece) {
        if (piece < pieces) {
            unsigned char *const to = stages + piece % S::STAGES * (S::STAGE_A + S::STAGE_B) + thread * 16;
            GF_UNROLL
            for (int e = 0; e < S::STAGE_A; e += S::THREADS * 16) {
                gf_cp_async<16>(to + e, a + e);
            }
            GF_UNROLL
            for (int e = 0; e < S::STAGE_B; e += S::THREADS * 16) {
                gf_cp_async<16>(to + S::STAGE_A + e, b + e);
            }
            a += S::STAGE_A;
            b += S::STAGE_B;
        }
        gf_cp_async_commit();
    };
    static_assert(S::STAGE_A % (S::THREADS * 16) == 0 && S::STAGE_B % (S::THREADS * 16) == 0, "whole rounds");

    /* Where in a piece this lane reads: from A rows 0 to 15 and both groups, from B 16 columns. */
    const int turn = lane % 8 / 2, quarter = lane / 8;
    const int at_a =
        (warp_m * 32 + quarter % 2 * 8 + lane % 8) * GF_SLICES_STEPS + ((quarter / 2) ^ turn) * 16;
    const int at_b = S::STAGE_A + (warp_n * 32 + quarter / 2 * 8 + lane % 8) * GF_SLICES_STEPS +
                     ((quarter % 2) ^ turn) * 16;
    int32_t sum[SLICES][2][4][4] = {};
    for (int piece = 0; piece < S::STAGES - 1; piece++) {
        request(piece);
    }
    for (int piece = 0; piece < pieces; piece++) {
        if (GF_FAULT(cuda_slices_stage)) {
            gf_cp_async_wait<S::STAGES>();
        } else {
            gf_cp_async_wait<S::STAGES - 2>();
        }
        __syncthreads(); /* this piece is there for all, and the one before is done with */
        request(piece + S::STAGES - 1);
        const unsigned char *const here = stages + piece % S::STAGES * (S::STAGE_A + S::STAGE_B);
        add_steps<S, SLICES>(here + at_a, here + at_b, sum);
        add_steps<S, SLICES>(here + (at_a ^ 32), here + (at_b ^ 32), sum);
    }
    gf_cp_async_wait<0>();

    GF_UNROLL
    for (int t = 0; t < 2; t++) {
        GF_UNROLL
        for (int u = 0; u < 4; u++) {
            GF_UNROLL
            for (int e = 0; e < 4; e++) {
                int64_t all = 0;
                GF_UNROLL
                for (int s = 0; s < SLICES; s++) {
                    all = all * 256 + sum[s][t][u][e];
                }
                gf_slices_give<SLICES>(g, row * S::BM + warp_m * 32 + t * 16 + e / 2 * 8 + lane / 4,
                                       column * S::BN + warp_n * 32 + u * 8 + lane % 4 * 2 + e % 2, all);
            }
        }
    }
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

template <int SLICES>
static gf_status multiply_parts(const struct gf_matmul_call *call, const struct gf_slices_cuda *work,
                                gf_error *error)
{
    using S = gf_slices_shape<SLICES>;
    gf_slices_args g = {};
    g.a = work->a.digits;
    g.b = work->b.digits;
    g.rows = work->a.scales;
    g.columns = work->b.scales;
    g.c = static_cast<float *>(call->array.out);
    g.sums = work->sums;
    g.m = call->m;
    g.n = call->n;
    g.ldc = call->ldc;
    g.depth = gf_slices_depth(call->k);
    const int64_t side = work->b.tile;
    gf_launch c =
        gf_launch_on(call->array.queue.stream,
                     gf_blocks(((g.m + S::BM - 1) / S::BM) * ((g.n + side - 1) / side), 1), S::THREADS);
    c.shared = S::SHARED;
    for (g.from = 0; g.from < g.depth; g.from += PART) {
        g.first = g.from == 0 || GF_FAULT(cuda_slices_part);
        g.last = g.depth - g.from <= PART;
        g.pieces = g.last ? g.depth - g.from : PART;
        if (side == S::BN) {
            GF_CUDA_TRY(error, GF_LAUNCH((gf_slices_multiply<SLICES>), c, g));
        } else {
            GF_TRY(gf_slices_group_cuda(c, g, error));
        }
    }
    return GF_OK;
}

gf_status gf_slices_multiply_cuda(const struct gf_matmul_call *call, const struct gf_slices_cuda *work,
                                  gf_error *error)
{
    return call->slices == 3 ? multiply_parts<3>(call, work, error) : multiply_parts<4>(call, work, error);
}

static void lay_out_sides(gf_slices_sides *s, char *memory, size_t *used, size_t sides_used)
{
    s->seen = reinterpret_cast<gf_slices_side *>(memory + sides_used);
    s->scales = static_cast<int32_t *>(
        gf_scratch_take(memory, used, static_cast<size_t>(s->count) * sizeof *s->scales));
    s->digits = static_cast<uint8_t *>(
        gf_scratch_take(memory, used,
                        static_cast<size_t>(gf_slices_padded(*s) * gf_slices_depth(s->k) * GF_SLICES_STEPS) *
                            static_cast<size_t>(s->slices)));
}

/* Columns of a tile of C. */
static int32_t tile_of(const struct gf_matmul_call *call)
{
    if (call->slices != 3) {
        return gf_slices_shape<4>::BN;
    }
    const bool groups = call->array.options.tile != gf_slices_shape<3>::BN;
    return groups && gf_warpgroup_there(call->array.queue.device) ? GF_SLICES_GROUP_SIDE
                                                                  : gf_slices_shape<3>::BN;
}

/* Lays out what is where; returns the size, and does no more where memory is NULL. */
static size_t lay_out(const struct gf_matmul_call *call, gf_slices_cuda *work, void *memory)
{
    const size_t of_side = sizeof(gf_slices_side), seen = 16;
    size_t used = 0;
    *work = gf_slices_cuda();
    work->a.data = static_cast<const float *>(call->a.data);
    work->a.count = call->m;
    work->a.side_stride = call->a.row;
    work->a.step_stride = call->a.column;
    work->a.tile = gf_slices_shape<3>::BM;
    work->b.data = static_cast<const float *>(call->b.data);
    work->b.count = call->n;
    work->b.side_stride = call->b.column;
    work->b.step_stride = call->b.row;
    work->b.tile = tile_of(call);
    work->a.k = work->b.k = call->k;
    work->a.slices = work->b.slices = call->slices;
    work->cleared_bytes = seen + static_cast<size_t>(call->m + call->n) * of_side;
    char *const cleared = static_cast<char *>(gf_scratch_take(memory, &used, work->cleared_bytes));
    work->cleared = cleared;
    work->a.plain = reinterpret_cast<unsigned long long *>(cleared);
    work->b.plain = work->a.plain + 1;
    lay_out_sides(&work->a, static_cast<char *>(memory), &used, seen);
    lay_out_sides(&work->b, static_cast<char *>(memory), &used,
                  seen + static_cast<size_t>(call->m) * of_side);
    if (gf_slices_depth(call->k) > PART) {
        work->sums = static_cast<int64_t *>(
            gf_scratch_take(memory, &used, static_cast<size_t>(call->m * call->n) * sizeof(int64_t)));
    }
    return used;
}

gf_status gf_matmul_cuda_check(const struct gf_array_call *array, gf_error *error)
{
    const int32_t tile = array->options.tile;
    if (gf_matmul_call_of(array)->slices > 0 && tile != 0 && tile != gf_slices_shape<3>::BN &&
        tile != GF_SLICES_GROUP_SIDE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "matmul, accuracy f32x: tile is %d, must be %d or %d", tile,
                       gf_slices_shape<3>::BN, GF_SLICES_GROUP_SIDE);
    }
    return GF_OK;
}

size_t gf_matmul_slices_cuda_scratch(const struct gf_matmul_call *call)
{
    gf_slices_cuda work;
    return lay_out(call, &work, nullptr);
}

gf_status gf_matmul_slices_cuda(const struct gf_matmul_call *call, gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    gf_slices_cuda work;
    lay_out(call, &work, call->array.scratch);
    GF_ON_DEVICE(call->array.queue.device, error)
    if (call->k == 0) {
        if (call->plain) {
            GF_CUDA_TRY(error, cudaMemsetAsync(call->plain, 0, 2 * sizeof *call->plain, stream));
        }
        return gf_matmul_chain_cuda(&call->array, error); /* zeros */
    }
    GF_TRY(gf_slices_cut_cuda(call, &work, error));
    if (call->plain) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(call->plain, work.a.plain, 2 * sizeof *call->plain,
                                           cudaMemcpyDeviceToDevice, stream));
    }
    GF_TRY(gf_slices_multiply_cuda(call, &work, error));
    return gf_matmul_marked_cuda(&call->array, &work, error);
}
