/* Products with three slices on sm_90, by groups of four warps: each of the two groups of a block has 64 x
 * 128 elements of C, whose three sums are in registers, and multiplies from shared memory, where copies bring
 * piece after piece while it does. matmul_slices_cuda.cu has the same for other processors. */
#include "base/cuda_status.h"
#include "base/gf_warpgroup.h"
#include "linear/matmul/matmul_slices_cuda.cuh"

constexpr int SIDE = GF_SLICES_GROUP_SIDE, STAGES = 4, THREADS = 256;
constexpr int OF_SLICE = SIDE * GF_SLICES_STEPS; /* bytes of a slice of a side's piece */
constexpr int PIECE = 3 * OF_SLICE, STAGE = 2 * PIECE;
constexpr int ALIGNED = 1024;
constexpr int SHARED = STAGES * STAGE + ALIGNED;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/* 64 rows of A by 128 columns of B, one piece: all pairs of slices that count. */
GF_DEVICE_FN void add_piece(uint32_t a, uint32_t b, int32_t (&sum)[3][64])
{
    GF_UNROLL
    for (int at = 0; at < GF_SLICES_STEPS; at += 32) {
        GF_UNROLL
        for (int i = 0; i < 3; i++) {
            GF_UNROLL
            for (int j = 0; i + j < 3; j++) {
                gf_multiply_rows(sum[i + j], gf_rows_of_64(a + i * OF_SLICE + at),
                                 gf_rows_of_64(b + j * OF_SLICE + at));
            }
        }
    }
}

static __device__ __forceinline__ void multiply(const gf_slices_args &g, unsigned char *stages,
                                                uint64_t *full, uint64_t *empty)
{
    const int thread = static_cast<int>(gf_thread()), group = thread / 128, lane = thread % 32;
    const int pieces = static_cast<int>(g.pieces);
    int64_t row, column;
    gf_slices_place<SIDE, SIDE>(g, &row, &column);
    const uint8_t *const a = g.a + (row * g.depth + g.from) * PIECE;
    const uint8_t *const b = g.b + (column * g.depth + g.from) * PIECE;
    const auto request = [&](int piece) {
        unsigned char *const to = stages + piece % STAGES * STAGE;
        gf_barrier_expect(&full[piece % STAGES], STAGE);
        gf_copy_piece(to, a + int64_t(piece) * PIECE, PIECE, &full[piece % STAGES]);
        gf_copy_piece(to + PIECE, b + int64_t(piece) * PIECE, PIECE, &full[piece % STAGES]);
    };
    if (thread == 0) {
        for (int s = 0; s < STAGES; s++) {
            gf_barrier_begin(&full[s], 1);
            gf_barrier_begin(&empty[s], 2);
        }
        gf_barrier_begun();
        for (int piece = 0; piece < STAGES && piece < pieces; piece++) {
            request(piece);
        }
    }
    __syncthreads();

    const uint32_t here = gf_shared_address(stages);
    int32_t sum[3][64] = {};
    for (int piece = 0; piece < pieces; piece++) {
        const int stage = piece % STAGES;
        gf_barrier_wait(&full[stage], static_cast<unsigned>(piece / STAGES) & 1u);
        __syncwarp();
        gf_products_begin();
        add_piece(here + stage * STAGE + group * (64 * GF_SLICES_STEPS), here + stage * STAGE + PIECE, sum);
        gf_products_commit();
        gf_products_wait<0>(); /* meanwhile the other group's are at work */
        if (thread % 128 == 0) {
            gf_barrier_arrive(&empty[stage]);
        }
        /* Into the stage of the piece before, which the other group has left, or soon will. */
        const int next = piece - 1 + STAGES;
        if (thread == 0 && piece >= 1 && next < pieces) {
            gf_barrier_wait(&empty[next % STAGES], static_cast<unsigned>(next / STAGES - 1) & 1u);
            request(next);
        }
        __syncwarp();
    }

    GF_UNROLL
    for (int e = 0; e < 64; e++) {
        const int64_t all = (int64_t(sum[0][e]) * 256 + sum[1][e]) * 256 + sum[2][e];
        gf_slices_give<3>(g, row * SIDE + group * 64 + thread % 128 / 32 * 16 + lane / 4 + e % 4 / 2 * 8,
                          column * SIDE + e / 4 * 8 + lane % 4 * 2 + e % 2, all);
    }
}

#endif

/* Empty where the instructions are not there: the host does not launch it there. */
static __global__ void __launch_bounds__(THREADS, 1) gf_slices_multiply_groups(const gf_slices_args g)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    GF_SHARED_DYN(unsigned char, memory);
    GF_SHARED(uint64_t, barriers, 2 * STAGES);
    unsigned char *const stages = memory + (-gf_shared_address(memory) & (ALIGNED - 1u));
    multiply(g, stages, barriers, barriers + STAGES);
#else
    (void)g;
#endif
}

gf_status gf_slices_group_cuda(gf_launch c, const gf_slices_args &g, gf_error *error)
{
    c.block = dim3(THREADS);
    c.shared = SHARED;
    GF_CUDA_TRY(error, GF_LAUNCH(gf_slices_multiply_groups, c, g));
    return GF_OK;
}
