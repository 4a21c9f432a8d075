/* "resize" of u8 on the GPU, on tensor cores: the weights of sixteen outputs, most of them 0, times samples,
 * 32 a step. Each weight is three digits of a byte, so there are three sums, which are whole numbers and
 * exact. Across, a block holds what its outputs are made of in shared memory, as words of four samples of one
 * channel. Down, a warp turns words of four rows into words of columns on its way. Both take rows that begin
 * at multiples of four bytes; resize_cuda.cu is their twin. */
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/resize_cuda.h"

enum {
    GF_RESIZE_TILE = 16,                        /* outputs of a product, */
    GF_RESIZE_STEP = 32,                        /* and samples */
    GF_RESIZE_GROUP = 8,                        /* rows, or columns, that it is made of at a time */
    GF_RESIZE_SIDE = GF_RESIZE_DIGITS * 32 * 4, /* words of the weights of a step */
    GF_RESIZE_WARPS = 8,
    GF_RESIZE_THREADS = 32 * GF_RESIZE_WARPS,
    GF_RESIZE_MOST_TILES = 4, /* of a block across, side by side, */
    GF_RESIZE_MOST_ROWS = 32, /* and their rows */
    GF_RESIZE_MOST_SHARED = 96 << 10,
    GF_RESIZE_TURNS = 4, /* of a block: across one below the other, down one beside the other */
    GF_RESIZE_U8_BLOCKS = 32768
};

/* The three sums of four outputs. */
struct gf_resize_sums {
    int32_t digit[GF_RESIZE_DIGITS][4];
};

/* The weights of a step: word w of lane l at 4 l + w, a digit after the other. */
GF_DEVICE_FN void gf_resize_add(struct gf_resize_sums &s, const uint32_t (&w)[GF_RESIZE_DIGITS][4],
                                uint32_t b0, uint32_t b1)
{
    GF_UNROLL
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        gf_multiply_bytes_su(s.digit[d], w[d], b0, b1);
    }
}

/* Rounded, not yet clamped. */
GF_DEVICE_FN int32_t gf_resize_whole(const struct gf_resize_sums &s, int e)
{
    const uint32_t high = static_cast<uint32_t>(s.digit[2][e]), middle = static_cast<uint32_t>(s.digit[1][e]);
    const uint32_t sum = (high * 256 + middle) * 256 + static_cast<uint32_t>(s.digit[0][e]);
    return static_cast<int32_t>(sum + (1U << (GF_RESIZE_SHIFT - 1))) >> GF_RESIZE_SHIFT;
}

/* Where the quads of an output begin. */
GF_DEVICE_FN int32_t gf_resize_begin(const struct gf_resize_params &p, int64_t output)
{
    return p.down ? p.begin[output] : p.begin[output] / 4 * 4;
}

/* A digit of an output's weights of the four samples from `sample` on. */
GF_DEVICE_FN uint32_t gf_resize_weights(const struct gf_resize_params &p, int64_t output, int32_t sample,
                                        int digit)
{
    if (output >= p.outputs) {
        return 0;
    }
    const int32_t begin = gf_resize_begin(p, output), off = sample - begin, quad = off >> 2;
    const int32_t lead = p.begin[output] - begin;
    const int32_t quads = (lead + p.many[output] + 3) / 4 - GF_FAULT(cuda_resize_quad);
    const int32_t *digits = p.digits + output * p.quads * GF_RESIZE_DIGITS + digit;
    const int32_t low = quad >= 0 && quad < quads ? digits[quad * GF_RESIZE_DIGITS] : 0;
    const int32_t high = quad >= -1 && quad + 1 < quads ? digits[(quad + 1) * GF_RESIZE_DIGITS] : 0;
    return gf_funnel_right(static_cast<uint32_t>(low), static_cast<uint32_t>(high), 8U * (off & 3));
}

/* Those of the tile of outputs from `first` on, for samples from `base` on; by a block. */
GF_DEVICE_FN void gf_resize_sides(const struct gf_resize_params &p, int64_t first, int32_t base,
                                  int32_t steps, uint32_t *sides)
{
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < steps * GF_RESIZE_SIDE; i += GF_RESIZE_THREADS) {
        const int32_t word = i % 4, lane = i / 4 % 32, digit = i / 128 % GF_RESIZE_DIGITS;
        sides[i] = gf_resize_weights(
            p, first + lane / 4 + word % 2 * 8,
            base + i / GF_RESIZE_SIDE * GF_RESIZE_STEP + lane % 4 * 4 + word / 2 * 16, digit);
    }
}

GF_DEVICE_FN void gf_resize_side(const uint32_t *sides, int32_t step, uint32_t (&w)[GF_RESIZE_DIGITS][4])
{
    GF_UNROLL
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        const uint4 v = gf_load16(sides + step * GF_RESIZE_SIDE + d * 128 + 4 * gf_lane());
        w[d][0] = v.x, w[d][1] = v.y, w[d][2] = v.z, w[d][3] = v.w;
    }
}

/* Steps from `base` to the end of the last of a tile's outputs. */
GF_DEVICE_FN int32_t gf_resize_steps(const struct gf_resize_params &p, int64_t last, int32_t base)
{
    return (p.begin[last] + p.many[last] - base + GF_RESIZE_STEP - 1) / GF_RESIZE_STEP;
}

/* ---- across ---- */

/* What a block has: tiles side by side, rows, words of a row and channel, steps of a tile at most, bytes from
 * row to row of what it makes. Both distances are such that eight rows lie in different banks. */
struct gf_resize_block {
    int32_t tiles, rows, span, steps, made;
};

/* Four pixels of C channels, at `from`, as a word a channel; the row ends `left` bytes on. */
template <int C> GF_DEVICE_FN void gf_resize_words(const char *from, int64_t left, uint32_t (&word)[C])
{
    uint32_t bytes[C];
    GF_UNROLL
    for (int i = 0; i < C; i++) {
        bytes[i] = 0;
        if (4 * i + 4 <= left) {
            bytes[i] = gf_load4(from + 4 * i);
        } else {
            for (int64_t k = 4 * i; k < left; k++) {
                bytes[i] |= static_cast<uint32_t>(static_cast<unsigned char>(from[k])) << (8 * (k - 4 * i));
            }
        }
    }
    if (C == 1) {
        word[0] = bytes[0];
    } else if (C == 2) {
        word[0] = gf_byte_perm(bytes[0], bytes[C - 1], 0x6420);
        word[C - 1] = gf_byte_perm(bytes[0], bytes[C - 1], 0x7531);
    } else if (C == 3) { /* of rgbr gbrg brgb */
        const uint32_t a = bytes[0], b = bytes[1 % C], c = bytes[2 % C];
        word[0] = gf_byte_perm(gf_byte_perm(a, b, 0x0630), c, 0x5210);
        word[1 % C] = gf_byte_perm(gf_byte_perm(a, b, 0x0741), c, 0x6210);
        word[2 % C] = gf_byte_perm(gf_byte_perm(a, b, 0x0052), c, 0x7410);
    } else {
        const uint32_t low0 = gf_byte_perm(bytes[0], bytes[1 % C], 0x5140);
        const uint32_t low1 = gf_byte_perm(bytes[2 % C], bytes[3 % C], 0x5140);
        const uint32_t high0 = gf_byte_perm(bytes[0], bytes[1 % C], 0x7362);
        const uint32_t high1 = gf_byte_perm(bytes[2 % C], bytes[3 % C], 0x7362);
        word[0] = gf_byte_perm(low0, low1, 0x5410);
        word[1 % C] = gf_byte_perm(low0, low1, 0x7632);
        word[2 % C] = gf_byte_perm(high0, high1, 0x5410);
        word[3 % C] = gf_byte_perm(high0, high1, 0x7632);
    }
}

/* Rows from y0 on, n words of each channel from word q0 on. */
template <int C>
GF_DEVICE_FN void gf_resize_fill(const struct gf_resize_params &p, const struct gf_resize_block &b,
                                 int64_t y0, int64_t q0, int32_t n, uint32_t *words)
{
    constexpr int EACH =
        GF_RESIZE_MOST_ROWS / GF_RESIZE_WARPS; /* rows of a warp, which are on their way at once */
    const int64_t last = p.first + p.count - 1;
    for (int32_t q = static_cast<int32_t>(gf_lane()); q < n; q += 32) {
        const int64_t at = (q0 + q) * 4 * C;
        uint32_t word[EACH][C];
        GF_UNROLL
        for (int i = 0; i < EACH; i++) {
            const int r = int(gf_warp()) + i * GF_RESIZE_WARPS;
            const int64_t y = y0 + r;
            if (r < b.rows) {
                gf_resize_words<C>(p.in + ((y < last ? y : last) - p.in_first) * p.in_pitch + at,
                                   p.in_size - at, word[i]);
            }
        }
        GF_UNROLL
        for (int i = 0; i < EACH; i++) {
            const int r = int(gf_warp()) + i * GF_RESIZE_WARPS;
            GF_UNROLL
            for (int c = 0; r < b.rows && c < C; c++) {
                words[(c * b.rows + r) * b.span + q] = word[i][c];
            }
        }
    }
}

/* Eight rows of a tile: `words` are row 0's, of this lane, `made` its first output. */
template <int C>
GF_DEVICE_FN void gf_resize_tile(const struct gf_resize_block &b, const uint32_t *words,
                                 const uint32_t *sides, int32_t steps, unsigned char *made)
{
    struct gf_resize_sums sums[C] = {};
    for (int32_t s = 0; s < steps; s++) {
        uint32_t w[GF_RESIZE_DIGITS][4];
        gf_resize_side(sides, s, w);
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            const uint32_t *from = words + c * b.rows * b.span + s * (GF_RESIZE_STEP / 4);
            gf_resize_add(sums[c], w, from[0], from[4]);
        }
    }
    GF_UNROLL
    for (int e = 0; e < 4; e++) {
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            made[e % 2 * b.made + e / 2 * 8 * C + c] = gf_clamp_u8(gf_resize_whole(sums[c], e));
        }
    }
}

/* Rows of what was made, `size` bytes each, to where they belong. */
GF_DEVICE_FN void gf_resize_give(const struct gf_resize_params &p, const struct gf_resize_block &b,
                                 int64_t y0, int64_t at, int64_t size, const unsigned char *made)
{
    const int64_t end = p.first + p.count;
    for (int r = int(gf_warp()); r < b.rows && y0 + r < end; r += GF_RESIZE_WARPS) {
        char *to = p.out + (y0 + r - p.first) * p.out_pitch + at;
        const unsigned char *from = made + r * b.made;
        for (int64_t i = 4 * gf_lane(); i < size; i += 4 * 32) {
            if (i + 4 <= size) {
                gf_store4(to + i, *reinterpret_cast<const uint32_t *>(from + i));
            }
            for (int64_t k = i; i + 4 > size && k < size; k++) {
                to[k] = static_cast<char>(from[k]);
            }
        }
    }
}

template <int C>
static __global__ void __launch_bounds__(GF_RESIZE_THREADS, C == 4 ? 2 : 3)
    gf_resize_across_kernel(const struct gf_resize_params p, const struct gf_resize_block b)
{
    GF_SHARED_DYN(uint32_t, shared); /* the tiles' weights, then [channel][row][span], then what is made */
    uint32_t *const words = shared + b.tiles * b.steps * GF_RESIZE_SIDE;
    unsigned char *const made = reinterpret_cast<unsigned char *>(words + C * b.rows * b.span);
    const int64_t x0 = int64_t(blockIdx.x) * b.tiles * GF_RESIZE_TILE, left = p.outputs - x0;
    const int32_t outputs =
        static_cast<int32_t>(left < b.tiles * GF_RESIZE_TILE ? left : b.tiles * GF_RESIZE_TILE);
    const int32_t tiles = (outputs + GF_RESIZE_TILE - 1) / GF_RESIZE_TILE;
    const int32_t q0 = p.begin[x0] / 4;
    int32_t n = 0;
    for (int32_t t = 0; t < tiles; t++) {
        const int64_t first = x0 + t * GF_RESIZE_TILE;
        const int32_t base = p.begin[first] / 4 * 4;
        gf_resize_sides(p, first, base, b.steps, shared + t * b.steps * GF_RESIZE_SIDE);
        n = base / 4 - q0 + b.steps * (GF_RESIZE_STEP / 4);
    }
    const int64_t end = p.first + p.count;
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    for (int64_t y0 = p.first + int64_t(blockIdx.y) * b.rows; y0 < end; y0 += int64_t(gridDim.y) * b.rows) {
        gf_resize_fill<C>(p, b, y0, q0, n, words);
        __syncthreads();
        for (int u = int(gf_warp()); u < b.tiles * (b.rows / GF_RESIZE_GROUP); u += GF_RESIZE_WARPS) {
            const int tile = u % b.tiles, row = u / b.tiles * GF_RESIZE_GROUP;
            if (tile < tiles) {
                const int64_t first = x0 + tile * GF_RESIZE_TILE;
                const int64_t last =
                    first + GF_RESIZE_TILE < p.outputs ? first + GF_RESIZE_TILE - 1 : p.outputs - 1;
                const int32_t base = p.begin[first] / 4 * 4;
                gf_resize_tile<C>(b, words + (row + group) * b.span + base / 4 - q0 + pair,
                                  shared + tile * b.steps * GF_RESIZE_SIDE, gf_resize_steps(p, last, base),
                                  made + (row + 2 * pair) * b.made + (tile * GF_RESIZE_TILE + group) * C);
            }
        }
        __syncthreads();
        gf_resize_give(p, b, y0, x0 * C, int64_t(outputs) * C, made);
    }
}

/* n words or more, of which eight rows, or four pairs of rows, have different banks. */
static int32_t gf_resize_apart(int64_t n, int32_t rows)
{
    const int64_t apart = rows == 1 ? 8 : 16;
    return static_cast<int32_t>((n + apart - 5) / apart * apart + 4);
}

/* Bytes of shared memory that a block of so many tiles and rows takes. */
static size_t gf_resize_shared(const struct gf_resize_params &p, struct gf_resize_block *b)
{
    const double scale = static_cast<double>(p.in_size / p.channels) / static_cast<double>(p.outputs);
    const int32_t tile = static_cast<int32_t>((GF_RESIZE_TILE - 1) * scale) + p.taps + 5;
    b->steps = (tile + GF_RESIZE_STEP - 1) / GF_RESIZE_STEP;
    b->span = gf_resize_apart(static_cast<int64_t>((b->tiles - 1) * GF_RESIZE_TILE * scale) / 4 + 2 +
                                  b->steps * (GF_RESIZE_STEP / 4),
                              1);
    b->made = 4 * gf_resize_apart(int64_t(b->tiles) * GF_RESIZE_TILE * p.channels / 4, 2);
    return sizeof(uint32_t) *
               (static_cast<size_t>(b->tiles) * static_cast<size_t>(b->steps) * GF_RESIZE_SIDE +
                static_cast<size_t>(b->rows) * static_cast<size_t>(p.channels) *
                    static_cast<size_t>(b->span)) +
           static_cast<size_t>(b->rows) * static_cast<size_t>(b->made);
}

static bool gf_resize_across(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    struct gf_resize_block b = {GF_RESIZE_MOST_TILES, GF_RESIZE_MOST_ROWS, 0, 0, 0};
    if (p.taps > 4096) {
        return false;
    }
    while (b.tiles > 1 && gf_resize_shared(p, &b) > GF_RESIZE_MOST_SHARED) {
        b.tiles /= 2;
    }
    while (b.rows > GF_RESIZE_GROUP && gf_resize_shared(p, &b) > GF_RESIZE_MOST_SHARED) {
        b.rows /= 2;
    }
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_RESIZE_THREADS);
    launch.shared = gf_resize_shared(p, &b);
    if (launch.shared > GF_RESIZE_MOST_SHARED) {
        return false;
    }
    const unsigned turns = gf_blocks(p.count, int64_t(b.rows) * GF_RESIZE_TURNS);
    launch.grid = dim3(gf_blocks(p.outputs, int64_t(b.tiles) * GF_RESIZE_TILE),
                       turns < GF_RESIZE_U8_BLOCKS ? turns : unsigned(GF_RESIZE_U8_BLOCKS));
    *status = p.channels == 1   ? GF_LAUNCH(gf_resize_across_kernel<1>, launch, p, b)
              : p.channels == 2 ? GF_LAUNCH(gf_resize_across_kernel<2>, launch, p, b)
              : p.channels == 3 ? GF_LAUNCH(gf_resize_across_kernel<3>, launch, p, b)
                                : GF_LAUNCH(gf_resize_across_kernel<4>, launch, p, b);
    return true;
}

/* ---- down ---- */

/* Samples of a row, `left` of them at most, as one word. */
GF_DEVICE_FN uint32_t gf_resize_row_word(const char *from, int64_t left)
{
    if (left >= 4) {
        return gf_load4(from);
    }
    uint32_t word = 0;
    for (int64_t i = 0; i < left; i++) {
        word |= static_cast<uint32_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    }
    return word;
}

/* Four words of rows become words of columns; the rows end at `count`, whose last is read again. */
GF_DEVICE_FN void gf_resize_columns(const char *from, int64_t pitch, int32_t count, int64_t left,
                                    uint32_t (&word)[4])
{
    uint32_t row[4];
    GF_UNROLL
    for (int k = 0; k < 4; k++) {
        row[k] = gf_resize_row_word(from + (k < count ? k : count - 1) * pitch, left);
    }
    const uint32_t low0 = gf_byte_perm(row[0], row[1], 0x5140), low1 = gf_byte_perm(row[2], row[3], 0x5140);
    const uint32_t high0 = gf_byte_perm(row[0], row[1], 0x7362), high1 = gf_byte_perm(row[2], row[3], 0x7362);
    word[0] = gf_byte_perm(low0, low1, 0x5410);
    word[1] = gf_byte_perm(low0, low1, 0x7632);
    word[2] = gf_byte_perm(high0, high1, 0x5410);
    word[3] = gf_byte_perm(high0, high1, 0x7632);
}

/* A step's samples of this lane: four rows, and those sixteen rows on, of the picture's rows before `end`. */
GF_DEVICE_FN void gf_resize_step_columns(const struct gf_resize_params &p, int32_t row, int32_t end,
                                         int64_t at, uint32_t (&b)[2][4])
{
    GF_UNROLL
    for (int half = 0; half < 2; half++) {
        const int32_t first = row + 16 * half;
        b[half][0] = b[half][1] = b[half][2] = b[half][3] = 0;
        if (first < end && at < p.width) {
            gf_resize_columns(p.in + (first - p.in_first) * p.in_pitch + at, p.in_pitch, end - first,
                              p.width - at, b[half]);
        }
    }
}

/* Four samples of a row. */
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

/* A warp makes 32 samples of a tile's rows at a time. Column c of product j is sample 4 c + j, so that a
 * lane's outputs are words. */
static __global__ void __launch_bounds__(GF_RESIZE_THREADS, 2)
    gf_resize_down_kernel(const struct gf_resize_params p)
{
    GF_SHARED_DYN(uint32_t, sides);
    const int64_t end = p.first + p.count, y0 = p.first + int64_t(blockIdx.y) * GF_RESIZE_TILE;
    const int64_t last = y0 + GF_RESIZE_TILE < end ? y0 + GF_RESIZE_TILE - 1 : end - 1;
    const int32_t base = p.begin[y0], rows_end = p.begin[last] + p.many[last];
    const int32_t steps = gf_resize_steps(p, last, base);
    const int group = int(gf_lane()) / 4, pair = int(gf_lane()) % 4;
    gf_resize_sides(p, y0, base, steps, sides);
    __syncthreads();
    for (int64_t x0 = 32 * (int64_t(blockIdx.x) * GF_RESIZE_WARPS + gf_warp()); x0 < p.width;
         x0 += 32 * GF_RESIZE_WARPS * int64_t(gridDim.x)) {
        struct gf_resize_sums sums[4] = {};
        for (int32_t s = 0; s < steps; s++) {
            uint32_t b[2][4], w[GF_RESIZE_DIGITS][4];
            gf_resize_step_columns(p, base + s * GF_RESIZE_STEP + 4 * pair, rows_end, x0 + 4 * group, b);
            gf_resize_side(sides, s, w);
            GF_UNROLL
            for (int j = 0; j < 4; j++) {
                gf_resize_add(sums[j], w, b[0][j], b[1][j]);
            }
        }
        GF_UNROLL
        for (int e = 0; e < 4; e++) {
            const int64_t y = y0 + group + e / 2 * 8, x = x0 + 8 * pair + e % 2 * 4;
            if (y < end) {
                gf_resize_put(p.out + (y - p.first) * p.out_pitch + x, p.width - x,
                              gf_pack_u8(gf_resize_whole(sums[0], e), gf_resize_whole(sums[1], e),
                                         gf_resize_whole(sums[2], e), gf_resize_whole(sums[3], e)));
            }
        }
    }
}

static bool gf_resize_down(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const double scale = static_cast<double>(p.in_rows) / static_cast<double>(p.outputs);
    const int64_t tile = static_cast<int64_t>((GF_RESIZE_TILE - 1) * scale) + p.taps + 2;
    const int64_t steps = (tile + GF_RESIZE_STEP - 1) / GF_RESIZE_STEP;
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_RESIZE_THREADS);
    launch.shared = static_cast<size_t>(steps) * GF_RESIZE_SIDE * sizeof(uint32_t);
    launch.grid = dim3(gf_blocks(p.width, int64_t(32) * GF_RESIZE_WARPS * GF_RESIZE_TURNS),
                       gf_blocks(p.count, GF_RESIZE_TILE));
    if (launch.shared > GF_RESIZE_MOST_SHARED || launch.grid.y > GF_RESIZE_U8_BLOCKS) {
        return false;
    }
    *status = GF_LAUNCH(gf_resize_down_kernel, launch, p);
    return true;
}

bool gf_resize_u8_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | reinterpret_cast<uint64_t>(p.out) |
                            static_cast<uint64_t>(p.in_pitch) | static_cast<uint64_t>(p.out_pitch);
    if (places % 4 != 0) {
        return false;
    }
    return p.down ? gf_resize_down(p, stream, status) : gf_resize_across(p, stream, status);
}
