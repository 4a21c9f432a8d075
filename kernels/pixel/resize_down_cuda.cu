/* "resize" of u8 along columns on the GPU (resize_tensor_cuda.cuh): a warp goes along sixteen rows of the
 * output, 32 samples of each at a time, and turns words of four rows of the input into words of columns. */
#include "pixel/resize_tensor_cuda.cuh"

enum {
    GF_RESIZE_WIDE = 32, /* samples of a row that a warp makes at a time, */
    GF_RESIZE_TURNS = 4  /* and how many times, where the picture is wide */
};

/* Samples of a row from `at` on, as one word; `left` of them at most. */
GF_DEVICE_FN uint32_t gf_resize_row_word(const char *at, int64_t left)
{
    uint32_t word = 0;
    for (int64_t i = 0; i < left && i < 4; i++) {
        word |= static_cast<uint32_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    }
    return word;
}

/* Of a lane's step: four samples of rows `row` to row + 3, and of those sixteen rows on; 0 from `end` on. */
GF_DEVICE_FN void gf_resize_rows_of(const struct gf_resize_params &p, int32_t row, int32_t end, int64_t at,
                                    bool inside, uint32_t (&word)[8])
{
    GF_UNROLL
    for (int k = 0; k < 8; k++) {
        const int32_t y = row + k % 4 + k / 4 * 16;
        const char *from = p.in + (y - p.in_first) * p.in_pitch + at;
        word[k] = 0;
        if (inside && y < end) { /* one load, and no branch: the eight are on their way together */
            word[k] = gf_load4(from);
        } else if (!inside && y < end) {
            word[k] = gf_resize_row_word(from, p.width - at);
        }
    }
}

/* Words of four rows become words of columns. */
GF_DEVICE_FN void gf_resize_turn(const uint32_t *row, uint32_t (&word)[4])
{
    const uint32_t low0 = gf_byte_perm(row[0], row[1], 0x5140), low1 = gf_byte_perm(row[2], row[3], 0x5140);
    const uint32_t high0 = gf_byte_perm(row[0], row[1], 0x7362), high1 = gf_byte_perm(row[2], row[3], 0x7362);
    word[0] = gf_byte_perm(low0, low1, 0x5410);
    word[1] = gf_byte_perm(low0, low1, 0x7632);
    word[2] = gf_byte_perm(high0, high1, 0x5410);
    word[3] = gf_byte_perm(high0, high1, 0x7632);
}

/* Four samples of a row, `left` of them at most. */
GF_DEVICE_FN void gf_resize_put(char *to, int64_t left, uint32_t made)
{
    if (left >= 4) {
        gf_store4(to, made);
        return;
    }
    for (int64_t i = 0; i < left; i++) {
        to[i] = static_cast<char>(made >> (8 * i));
    }
}

/* A lane's outputs: column c of product j is sample 4 c + j, so that they are words. */
GF_DEVICE_FN void gf_resize_put_all(const struct gf_resize_params &p, const struct gf_resize_sums (&sums)[4],
                                    int64_t y0, int64_t x0)
{
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        const int64_t y = y0 + group + e / 2 * 8, x = x0 + 8 * pair + e % 2 * 4;
        if (y < p.first + p.count) {
            gf_resize_put(p.out + (y - p.first) * p.out_pitch + x, p.width - x,
                          gf_pack_u8(gf_resize_whole(sums[0], e), gf_resize_whole(sums[1], e),
                                     gf_resize_whole(sums[2], e), gf_resize_whole(sums[3], e)));
        }
    }
}

static __global__ void __launch_bounds__(GF_RESIZE_THREADS, 2)
    gf_resize_down_kernel(const struct gf_resize_params p)
{
    GF_SHARED_DYN(uint32_t, sides);
    const int64_t end = p.first + p.count, y0 = p.first + int64_t(blockIdx.y) * GF_RESIZE_TILE;
    const int64_t last = y0 + GF_RESIZE_TILE < end ? y0 + GF_RESIZE_TILE - 1 : end - 1;
    const int32_t base = p.begin[y0], rows_end = p.begin[last] + p.many[last];
    const int32_t steps = gf_resize_steps(p, last, base);
    const int32_t row = base + 4 * (int(gf_lane()) % 4), column = 4 * (int(gf_lane()) / 4);
    gf_resize_sides<1>(p, y0, base, steps, sides);
    __syncthreads();
    for (int64_t x0 = GF_RESIZE_WIDE * (int64_t(blockIdx.x) * GF_RESIZE_WARPS + gf_warp()); x0 < p.width;
         x0 += GF_RESIZE_WIDE * GF_RESIZE_WARPS * int64_t(gridDim.x)) {
        const bool inside = x0 + GF_RESIZE_WIDE <= p.width;
        struct gf_resize_sums sums[4] = {};
        uint32_t next[8];
        gf_resize_rows_of(p, row, rows_end, x0 + column, inside, next);
        for (int32_t s = 0; s < steps; s++) {
            uint32_t b[2][4];
            gf_resize_weights w;
            gf_resize_turn(next, b[0]);
            gf_resize_turn(next + 4, b[1]);
            if (s + 1 < steps) { /* on their way while these are added */
                gf_resize_rows_of(p, row + (s + 1) * GF_RESIZE_STEP, rows_end, x0 + column, inside, next);
            }
            gf_resize_side(sides, s, w);
            GF_UNROLL
            for (int j = 0; j < 4; j++) {
                gf_resize_add(sums[j], w, b[0][j], b[1][j]);
            }
        }
        gf_resize_put_all(p, sums, y0, x0);
    }
}

bool gf_resize_down_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_rows) / static_cast<double>(p.outputs);
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_RESIZE_THREADS);
    launch.shared =
        sizeof(uint32_t) * GF_RESIZE_SIDE * static_cast<size_t>(gf_resize_most_steps(p, scale, 0));
    launch.grid = dim3(gf_blocks(p.width, int64_t(GF_RESIZE_WIDE) * GF_RESIZE_WARPS * GF_RESIZE_TURNS),
                       gf_blocks(p.count, GF_RESIZE_TILE));
    if (p.taps > GF_RESIZE_MOST_TAPS || launch.shared > GF_RESIZE_MOST_SHARED || launch.grid.y > UINT16_MAX) {
        return false;
    }
    *status = GF_LAUNCH(gf_resize_down_kernel, launch, p);
    return true;
}
