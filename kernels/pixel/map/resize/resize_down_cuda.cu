/* "resize" of u8 along columns on the GPU (resize_tensor_cuda.cuh). A warp makes sixteen rows of the output,
 * 64 samples of each at a time: it copies what they are made of into shared memory while it makes those
 * before, and turns words of four rows into words of columns on the way out. Warps do not wait for each
 * other. */
#include "pixel/cuda/byte_square_cuda.cuh"
#include "pixel/map/resize/resize_tensor_cuda.cuh"

enum {
    GF_RESIZE_WIDE = 64,                /* samples of a row that a warp makes at a time, */
    GF_RESIZE_ROW = GF_RESIZE_WIDE / 4, /* words of them, */
    GF_RESIZE_PART = 32,                /* samples of those that it makes at once, */
    GF_RESIZE_PARTS = GF_RESIZE_WIDE / GF_RESIZE_PART,
    GF_RESIZE_OWN = GF_RESIZE_STEP * GF_RESIZE_ROW, /* words that it takes a step, */
    GF_RESIZE_MADE = GF_RESIZE_ROW + 8, /* and from row to row of what is made, in the same place */
    GF_RESIZE_STAGES = 2                /* pieces in memory: one is on its way */
};

/* Rows lie in another order in the warp's memory, such that the four rows of a word that are 4 apart go to
 * different banks: in each eight those of the later four stand between those of the first, and in every other
 * eight the halves of a row change places. */
GF_DEVICE_FN int gf_resize_place(int row, int w)
{
    return ((row & ~7) + row % 4 * 2 + row / 4 % 2) * GF_RESIZE_ROW + (w ^ (row & 8));
}

/* Copies of samples from x0 on of n rows, the first of them at `in`. */
template <int CHUNK>
GF_DEVICE_FN void gf_resize_fetch(const struct gf_resize_params &p, const char *in, int32_t n, int64_t x0,
                                  uint32_t *own)
{
    constexpr int CHUNKS = GF_RESIZE_WIDE / CHUNK, AT_ONCE = GF_WARP / CHUNKS;
    const int lane = int(gf_lane()), first = lane / CHUNKS, at = lane % CHUNKS * CHUNK;
    const int order = first % 2 * 4 + first / 2; /* so that eight chunks go to different banks */
    if (x0 + at + CHUNK <= p.width) {
        for (int r = AT_ONCE < 8 ? first : order; r < n; r += AT_ONCE) {
            gf_cp_async<CHUNK>(own + gf_resize_place(r, at / 4), in + r * p.in_pitch + x0 + at);
        }
    } else { /* what lies past the end of a row is never stored */
        for (int r = first; r < n; r += AT_ONCE) {
            for (int i = 0; x0 + at + i < p.width; i++) {
                reinterpret_cast<char *>(own + gf_resize_place(r, at / 4))[i] =
                    in[r * p.in_pitch + x0 + at + i];
            }
        }
    }
    gf_cp_async_commit();
}

/* A word of columns for each of four neighbours, out of a word of four rows from `row` on. */
GF_DEVICE_FN void gf_resize_turn(const uint32_t *own, int row, int w, uint32_t (&word)[4])
{
    const uint32_t *from = own + gf_resize_place(row, w);
    gf_turn_bytes(from[0], from[2 * GF_RESIZE_ROW], from[4 * GF_RESIZE_ROW], from[6 * GF_RESIZE_ROW], word);
}

/* Part `part` of the rows: a lane's outputs, two words of two rows. Column c of product j is sample 4 c + j.
 * HALF: there is one step, and its later half has no weights. */
template <bool HALF, int LOWEST>
GF_DEVICE_FN void gf_resize_make(const uint32_t *own, const uint32_t *sides, int32_t steps, int part,
                                 uint2 (&made)[2])
{
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    struct gf_resize_sums sums[4];
    GF_UNROLL
    for (int j = 0; j < 4; j++) {
        gf_resize_begin<LOWEST>(sums[j]);
    }
    for (int32_t s = 0; s < (HALF ? 1 : steps); s++) {
        uint32_t b[2][4] = {};
        gf_resize_weights w;
        gf_resize_turn(own, s * GF_RESIZE_STEP + 4 * pair, part * 8 + group, b[0]);
        if (!HALF) {
            gf_resize_turn(own, s * GF_RESIZE_STEP + 4 * pair + 16, part * 8 + group, b[1]);
        }
        gf_resize_side<LOWEST>(sides, s, w);
        GF_UNROLL
        for (int j = 0; j < 4; j++) {
            gf_resize_add<LOWEST>(sums[j], w, b[0][j], b[1][j]);
        }
    }
    uint32_t word[4];
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        word[e] = gf_pack_u8(gf_resize_whole<LOWEST>(sums[0], e), gf_resize_whole<LOWEST>(sums[1], e),
                             gf_resize_whole<LOWEST>(sums[2], e), gf_resize_whole<LOWEST>(sums[3], e));
    }
    made[0] = make_uint2(word[0], word[1]);
    made[1] = make_uint2(word[2], word[3]);
}

/* All parts of what lies in `own`, and in its place then. */
template <bool HALF, int LOWEST>
GF_DEVICE_FN void gf_resize_turn_in(uint32_t *own, const uint32_t *sides, int32_t steps)
{
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    uint2 made[GF_RESIZE_PARTS][2];
    GF_UNROLL
    for (int i = 0; i < GF_RESIZE_PARTS; i++) {
        gf_resize_make<HALF, LOWEST>(own, sides, steps, i, made[i]);
    }
    gf_syncwarp();
    GF_UNROLL
    for (int i = 0; i < GF_RESIZE_PARTS; i++) {
        gf_store8(own + group * GF_RESIZE_MADE + i * 8 + 2 * pair, made[i][0]);
        gf_store8(own + (group + 8) * GF_RESIZE_MADE + i * 8 + 2 * pair, made[i][1]);
    }
    gf_syncwarp();
}

template <int LOWEST>
GF_DEVICE_FN void gf_resize_piece(uint32_t *own, const uint32_t *sides, int32_t steps, int32_t rows)
{
    if (rows <= GF_RESIZE_STEP / 2) {
        gf_resize_turn_in<true, LOWEST>(own, sides, steps);
    } else {
        gf_resize_turn_in<false, LOWEST>(own, sides, steps);
    }
}

/* Rows of what was made, from row y0 of the output on, to where they belong. */
GF_DEVICE_FN void gf_resize_give(const struct gf_resize_params &p, const uint32_t *made, int64_t y0,
                                 int64_t x0)
{
    constexpr int CHUNKS = GF_RESIZE_WIDE / 16;
    const int at = int(gf_lane()) % CHUNKS * 16;
    for (int r = int(gf_lane()) / CHUNKS; r < GF_RESIZE_TILE && y0 + r < p.first + p.count;
         r += GF_WARP / CHUNKS) {
        char *to = p.out + (y0 + r - p.first) * p.out_pitch + x0 + at;
        const uint4 v = gf_load16(made + r * GF_RESIZE_MADE + at / 4);
        const int64_t left = p.width - x0 - at;
        if (left >= 16 && reinterpret_cast<uint64_t>(to) % 16 == 0) {
            gf_store16(to, v);
        } else {
            gf_resize_put(to, left, v.x);
            gf_resize_put(to + 4, left - 4, v.y);
            gf_resize_put(to + 8, left - 8, v.z);
            gf_resize_put(to + 12, left - 12, v.w);
        }
    }
}

/* steps: that a warp has room for. */
template <int CHUNK>
static __global__ void __launch_bounds__(GF_WARP *GF_RESIZE_MOST_WARPS, 2)
    gf_resize_down_kernel(const struct gf_resize_params p, int32_t most)
{
    GF_SHARED_DYN(uint32_t, sides); /* and behind them what the warps own */
    const int32_t each = most * GF_RESIZE_OWN;
    uint32_t *const own = sides + most * GF_RESIZE_SIDE + int(gf_warp()) * GF_RESIZE_STAGES * each;
    const int64_t end = p.first + p.count, y0 = p.first + int64_t(blockIdx.y) * GF_RESIZE_TILE;
    const int64_t last = y0 + GF_RESIZE_TILE < end ? y0 + GF_RESIZE_TILE - 1 : end - 1;
    const int32_t base = p.begin[y0], rows = p.begin[last] + p.many[last] - base;
    const int32_t steps = gf_resize_steps(p, last, base);
    const int64_t warps = blockDim.x / GF_WARP, stride = GF_RESIZE_WIDE * warps * gridDim.x;
    const int64_t first = GF_RESIZE_WIDE * (blockIdx.x * warps + gf_warp());
    const char *const in = p.in + (base - p.in_first) * p.in_pitch;
    const int lowest = gf_resize_sides<1>(p, y0, base, steps, sides) + GF_FAULT(cuda_resize_digit);
    gf_pdl_wait(); /* weights are constants; the rows may be what the kernel in front makes */
    gf_resize_fetch<CHUNK>(p, in, rows, first, own);
    int32_t now = 0;
    for (int64_t x0 = first; x0 < p.width; x0 += stride, now = each - now) {
        gf_resize_fetch<CHUNK>(p, in, rows, x0 + stride, own + (each - now));
        gf_cp_async_wait<GF_RESIZE_STAGES - 1>();
        gf_syncwarp();
        if (lowest == 0) {
            gf_resize_piece<0>(own + now, sides, steps, rows);
        } else if (lowest == 1) {
            gf_resize_piece<1>(own + now, sides, steps, rows);
        } else {
            gf_resize_piece<2>(own + now, sides, steps, rows);
        }
        gf_resize_give(p, own + now, y0, x0);
        gf_syncwarp();
    }
}

/* How many blocks a row shall have for `across` pieces of work, with `rows` rows of blocks: as many as end
 * soonest, where `room` blocks work at a time, and making weights takes as long as a piece. */
static unsigned gf_resize_columns(unsigned across, unsigned rows, unsigned room)
{
    unsigned best = 1;
    uint64_t least = UINT64_MAX;
    for (unsigned columns = 1; columns <= across; columns++) {
        const uint64_t waves = (uint64_t(rows) * columns + room - 1) / room;
        const uint64_t time = waves * (gf_blocks(across, columns) + 1);
        best = time < least ? columns : best;
        least = time < least ? time : least;
    }
    return best;
}

bool gf_resize_down_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_rows) / static_cast<double>(p.outputs);
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | static_cast<uint64_t>(p.in_pitch);
    if (p.taps > GF_RESIZE_MOST_TAPS) {
        return false;
    }
    const int32_t most = gf_resize_most_steps(p, scale, 0);
    const size_t each = static_cast<size_t>(most) * GF_RESIZE_OWN * GF_RESIZE_STAGES,
                 sides = static_cast<size_t>(most) * GF_RESIZE_SIDE;
    const unsigned warps = gf_resize_warps(each, sides);
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_WARP * warps);
    launch.shared = sizeof(uint32_t) * (warps * each + sides);
    launch.programmatic = true;
    launch.grid.y = gf_blocks(p.count, GF_RESIZE_TILE);
    if (warps == 0 || launch.grid.y > UINT16_MAX) {
        return false;
    }
    const unsigned across = gf_blocks(p.width, int64_t(GF_RESIZE_WIDE) * warps);
    launch.grid.x = gf_resize_columns(across, launch.grid.y, 2 * static_cast<unsigned>(p.processors));
    *status = places % 16 == 0 ? GF_LAUNCH(gf_resize_down_kernel<16>, launch, p, most)
                               : GF_LAUNCH(gf_resize_down_kernel<4>, launch, p, most);
    return true;
}
