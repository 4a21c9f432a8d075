/* "resize" of u8 on the GPU, four products at a time. Across, a block makes `columns` outputs of 16 rows:
 * what they are made of lies in shared memory as words of four samples of one channel, and so do the digits
 * of their weights. Down, a thread owns four samples of a row and goes down a few rows; where the next of
 * them is made of the same four rows, as it is where a picture grows, their words stay. Both take rows that
 * begin at multiples of four bytes; resize_cuda.cu is their twin. */
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/resize_cuda.h"

enum {
    GF_RESIZE_TILE_ROWS = 16, /* of a block across, */
    GF_RESIZE_EACH = 4,       /* of one of its threads */
    GF_RESIZE_LANES_Y = GF_RESIZE_TILE_ROWS / GF_RESIZE_EACH,
    GF_RESIZE_MOST_COLUMNS = 64,
    GF_RESIZE_MOST_SHARED = 96 << 10,
    GF_RESIZE_TILES = 4, /* that a block across makes, one below the other */
    GF_RESIZE_DOWN_X = 32,
    GF_RESIZE_DOWN_Y = 8,
    GF_RESIZE_DOWN_ROWS = 8, /* of a thread, where a picture grows */
    GF_RESIZE_U8_BLOCKS = 32768
};

/* The three sums of an output. */
struct gf_resize_sums {
    int32_t digit[GF_RESIZE_DIGITS];
};

GF_DEVICE_FN void gf_resize_add(struct gf_resize_sums &s, uint32_t samples,
                                const uint32_t (&w)[GF_RESIZE_DIGITS])
{
    GF_UNROLL
    for (int d = 0; d < GF_RESIZE_DIGITS; d++) {
        s.digit[d] = gf_dp4a_us(samples, w[d], s.digit[d]);
    }
}

/* Rounded, not yet clamped. */
GF_DEVICE_FN int32_t gf_resize_whole(const struct gf_resize_sums &s)
{
    const int32_t sum = (s.digit[2] * 256 + s.digit[1]) * 256 + s.digit[0];
    return (sum + (1 << (GF_RESIZE_SHIFT - 1))) >> GF_RESIZE_SHIFT;
}

/* ---- across ---- */

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

/* span: words of a row and channel that a block has room for. */
template <int C>
static __global__ void __launch_bounds__(GF_RESIZE_MOST_COLUMNS *GF_RESIZE_LANES_Y)
    gf_resize_across_kernel(const struct gf_resize_params p, int32_t span)
{
    GF_SHARED_DYN(uint32_t, words); /* [row][channel][span], then the digits, [quad][digit][column] */
    uint32_t *const digits = words + GF_RESIZE_TILE_ROWS * C * span;
    const int columns = static_cast<int>(blockDim.x), column = static_cast<int>(threadIdx.x);
    const int64_t x0 = int64_t(blockIdx.x) * columns, x = x0 + column;
    const int64_t last = x0 + columns < p.outputs ? x0 + columns - 1 : p.outputs - 1;
    const int64_t q0 = p.begin[x0] / 4;
    const int32_t n = static_cast<int32_t>((p.begin[last] + p.many[last] + 3) / 4 - q0);
    const bool mine = x < p.outputs;
    const int32_t from = mine ? static_cast<int32_t>(p.begin[x] / 4 - q0) : 0;
    const int32_t quads = mine ? (p.begin[x] % 4 + p.many[x] + 3) / 4 - GF_FAULT(cuda_resize_quad) : 0;
    for (int32_t i = static_cast<int32_t>(threadIdx.y); mine && i < p.quads * GF_RESIZE_DIGITS;
         i += GF_RESIZE_LANES_Y) {
        digits[i * columns + column] = static_cast<uint32_t>(p.digits[x * p.quads * GF_RESIZE_DIGITS + i]);
    }
    const int64_t end = p.first + p.count;
    for (int64_t y0 = p.first + int64_t(blockIdx.y) * GF_RESIZE_TILE_ROWS; y0 < end;
         y0 += int64_t(gridDim.y) * GF_RESIZE_TILE_ROWS) {
        for (int r = static_cast<int>(threadIdx.y); r < GF_RESIZE_TILE_ROWS; r += GF_RESIZE_LANES_Y) {
            const char *row = p.in + (y0 + r - p.in_first) * p.in_pitch;
            for (int32_t q = column; q < n && y0 + r < end; q += columns) {
                uint32_t word[C];
                const int64_t at = (q0 + q) * 4 * C;
                gf_resize_words<C>(row + at, p.in_size - at, word);
                GF_UNROLL
                for (int c = 0; c < C; c++) {
                    words[(r * C + c) * span + q] = word[c];
                }
            }
        }
        __syncthreads();
        struct gf_resize_sums sums[GF_RESIZE_EACH][C] = {};
        const uint32_t *mine_at = words + int(threadIdx.y) * GF_RESIZE_EACH * C * span + from;
        for (int32_t q = 0; q < quads; q++) {
            const uint32_t w[GF_RESIZE_DIGITS] = {digits[(3 * q) * columns + column],
                                                  digits[(3 * q + 1) * columns + column],
                                                  digits[(3 * q + 2) * columns + column]};
            GF_UNROLL
            for (int r = 0; r < GF_RESIZE_EACH; r++) {
                GF_UNROLL
                for (int c = 0; c < C; c++) {
                    gf_resize_add(sums[r][c], mine_at[(r * C + c) * span + q], w);
                }
            }
        }
        GF_UNROLL
        for (int r = 0; r < GF_RESIZE_EACH; r++) {
            const int64_t y = y0 + int64_t(threadIdx.y) * GF_RESIZE_EACH + r;
            if (mine && y < end) {
                uint8_t *to = reinterpret_cast<uint8_t *>(p.out + (y - p.first) * p.out_pitch) + x * C;
                GF_UNROLL
                for (int c = 0; c < C; c++) {
                    to[c] = gf_clamp_u8(gf_resize_whole(sums[r][c]));
                }
            }
        }
        __syncthreads();
    }
}

/* Words of a row that the outputs of a block need at most. */
static int32_t gf_resize_span(const struct gf_resize_params &p, int columns)
{
    const double scale = static_cast<double>(p.in_size / p.channels) / static_cast<double>(p.outputs);
    return static_cast<int32_t>((columns * scale + p.taps) / 4) + 3;
}

static size_t gf_resize_shared(const struct gf_resize_params &p, int columns)
{
    return sizeof(uint32_t) * (static_cast<size_t>(GF_RESIZE_TILE_ROWS) * static_cast<size_t>(p.channels) *
                                   static_cast<size_t>(gf_resize_span(p, columns)) +
                               static_cast<size_t>(GF_RESIZE_DIGITS) * static_cast<size_t>(p.quads) *
                                   static_cast<size_t>(columns));
}

static bool gf_resize_across(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    int columns = GF_RESIZE_MOST_COLUMNS;
    if (p.taps > 4096) {
        return false;
    }
    while (columns > 8 && gf_resize_shared(p, columns) > GF_RESIZE_MOST_SHARED / 2) {
        columns /= 2;
    }
    if (gf_resize_shared(p, columns) > GF_RESIZE_MOST_SHARED) {
        return false;
    }
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(unsigned(columns), GF_RESIZE_LANES_Y);
    launch.shared = gf_resize_shared(p, columns);
    const unsigned tiles = gf_blocks(p.count, GF_RESIZE_TILE_ROWS * GF_RESIZE_TILES);
    launch.grid = dim3(gf_blocks(p.outputs, columns),
                       tiles < GF_RESIZE_U8_BLOCKS ? tiles : unsigned(GF_RESIZE_U8_BLOCKS));
    const int32_t span = gf_resize_span(p, columns);
    *status = p.channels == 1   ? GF_LAUNCH(gf_resize_across_kernel<1>, launch, p, span)
              : p.channels == 2 ? GF_LAUNCH(gf_resize_across_kernel<2>, launch, p, span)
              : p.channels == 3 ? GF_LAUNCH(gf_resize_across_kernel<3>, launch, p, span)
                                : GF_LAUNCH(gf_resize_across_kernel<4>, launch, p, span);
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

/* rows: that a thread makes, one below the other. */
static __global__ void __launch_bounds__(GF_RESIZE_DOWN_X *GF_RESIZE_DOWN_Y)
    gf_resize_down_kernel(const struct gf_resize_params p, int32_t rows)
{
    const int64_t at = 4 * (int64_t(blockIdx.x) * GF_RESIZE_DOWN_X + threadIdx.x);
    const int64_t end = p.first + p.count, left = p.width - at,
                  step = int64_t(gridDim.y) * GF_RESIZE_DOWN_Y * rows;
    if (left <= 0) {
        return;
    }
    for (int64_t y0 = p.first + (int64_t(blockIdx.y) * GF_RESIZE_DOWN_Y + threadIdx.y) * rows; y0 < end;
         y0 += step) {
        int32_t kept = -1; /* the first of the rows that `word` is of */
        uint32_t word[4] = {0, 0, 0, 0};
        for (int64_t y = y0; y < y0 + rows && y < end; y++) {
            struct gf_resize_sums sums[4] = {};
            const int32_t begin = p.begin[y], many = p.many[y] - GF_FAULT(cuda_resize_quad);
            const int32_t *digits = p.digits + y * p.quads * GF_RESIZE_DIGITS;
            const char *from = p.in + (begin - p.in_first) * p.in_pitch + at;
            for (int32_t k = 0; k < many; k += 4, digits += GF_RESIZE_DIGITS) {
                if (begin + k != kept || many - k < 4) {
                    gf_resize_columns(from + k * p.in_pitch, p.in_pitch, many - k, left, word);
                    kept = many - k < 4 ? -1 : begin + k;
                }
                const uint32_t w[GF_RESIZE_DIGITS] = {static_cast<uint32_t>(digits[0]),
                                                      static_cast<uint32_t>(digits[1]),
                                                      static_cast<uint32_t>(digits[2])};
                GF_UNROLL
                for (int i = 0; i < 4; i++) {
                    gf_resize_add(sums[i], word[i], w);
                }
            }
            const uint32_t made = gf_pack_u8(gf_resize_whole(sums[0]), gf_resize_whole(sums[1]),
                                             gf_resize_whole(sums[2]), gf_resize_whole(sums[3]));
            char *to = p.out + (y - p.first) * p.out_pitch + at;
            if (left >= 4) {
                gf_store4(to, made);
            } else {
                for (int64_t i = 0; i < left; i++) {
                    to[i] = static_cast<char>(made >> (8 * i));
                }
            }
        }
    }
}

static bool gf_resize_down(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const int32_t rows = p.taps <= 8 ? int32_t(GF_RESIZE_DOWN_ROWS) : 1;
    struct gf_launch launch = {};
    launch.stream = stream;
    launch.block = dim3(GF_RESIZE_DOWN_X, GF_RESIZE_DOWN_Y);
    const unsigned blocks = gf_blocks(p.count, int64_t(GF_RESIZE_DOWN_Y) * rows);
    launch.grid = dim3(gf_blocks(p.width, int64_t(4) * GF_RESIZE_DOWN_X),
                       blocks < GF_RESIZE_U8_BLOCKS ? blocks : unsigned(GF_RESIZE_U8_BLOCKS));
    *status = GF_LAUNCH(gf_resize_down_kernel, launch, p, rows);
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
