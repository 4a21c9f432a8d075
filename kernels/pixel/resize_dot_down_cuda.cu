/* "resize" of u8 along columns on the GPU where few samples make an output, by four products at a time (dp4a). A
 * thread makes eight samples of a row of the output; a block's rows are neighbours, so that the nearest cache has
 * what they share. resize_down_cuda.cu has the way for many samples. */
#include "base/planted_fault.h"
#include "pixel/byte_square_cuda.cuh"
#include "pixel/resize_cuda.h"

enum {
    GF_DOT_DOWN_ROWS = 8,  /* of a block, */
    GF_DOT_DOWN_WORDS = 2, /* and words of a thread */
    GF_DOT_DOWN_BYTES = 4 * GF_DOT_DOWN_WORDS,
    GF_DOT_DOWN_QUADS = 6, /* of an output, at most */
    GF_DOT_DOWN_MOST_BLOCKS = 32768
};

/* Of a row from `at` on, of which `left` bytes are there. */
GF_DEVICE_FN uint2 gf_dot_down_load(const char *at, int64_t left)
{
    uint64_t both = 0;
#pragma unroll 1
    for (int64_t i = 0; i < left; i++) {
        both |= static_cast<uint64_t>(static_cast<unsigned char>(at[i])) << (8 * i);
    }
    return make_uint2(static_cast<uint32_t>(both), static_cast<uint32_t>(both >> 32));
}

GF_DEVICE_FN void gf_dot_down_store(char *to, int64_t left, uint2 made)
{
    if (left >= GF_DOT_DOWN_BYTES) {
        gf_store8(to, made);
        return;
    }
    const uint64_t both = made.x | static_cast<uint64_t>(made.y) << 32;
    for (int64_t i = 0; i < left; i++) {
        to[i] = static_cast<char>(both >> (8 * i));
    }
}

/* The three sums of an output. */
struct gf_dot_sums {
    int32_t digit[GF_RESIZE_DIGITS];
};

/* Four rows of four samples each, times a quad of weights. */
GF_DEVICE_FN void gf_dot_down_add(uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                                  const uint32_t (&w)[GF_RESIZE_DIGITS], struct gf_dot_sums *sums)
{
    uint32_t column[4];
    gf_turn_bytes(a, b, c, d, column);
    GF_UNROLL
    for (int i = 0; i < 4; i++) {
        GF_UNROLL
        for (int k = 0; k < GF_RESIZE_DIGITS; k++) {
            sums[i].digit[k] = gf_dp4a_us(column[i], w[k], sums[i].digit[k]);
        }
    }
}

GF_DEVICE_FN int32_t gf_dot_down_whole(const struct gf_dot_sums &s)
{
    const uint32_t high = static_cast<uint32_t>(s.digit[2]) * 256 + static_cast<uint32_t>(s.digit[1]);
    return static_cast<int32_t>(high * 256 + static_cast<uint32_t>(s.digit[0])) >> GF_RESIZE_SHIFT;
}

GF_DEVICE_FN uint32_t gf_dot_down_word(const struct gf_dot_sums *s)
{
    return gf_pack_u8(gf_dot_down_whole(s[0]), gf_dot_down_whole(s[1]), gf_dot_down_whole(s[2]),
                      gf_dot_down_whole(s[3]));
}

/* Row y of the output from byte x on. WHOLE: all of its bytes are there; a branch at each load would make them wait
 * for each other. */
template <bool WHOLE> GF_DEVICE_FN uint2 gf_dot_down_row(const struct gf_resize_params &p, int64_t y, int64_t x)
{
    const int32_t many = p.many[y];
    const int32_t *digits = p.digits + y * p.quads * GF_RESIZE_DIGITS;
    const char *at = p.in + (p.begin[y] - p.in_first) * p.in_pitch + x;
    struct gf_dot_sums sums[GF_DOT_DOWN_BYTES] = {};
    GF_UNROLL
    for (int i = 0; i < GF_DOT_DOWN_BYTES; i++) {
        sums[i].digit[0] = 1 << (GF_RESIZE_SHIFT - 1); /* for rounding */
    }
#pragma unroll(WHOLE ? 2 : 1)
    for (int32_t k = 0; k < many - GF_FAULT(cuda_resize_quad); k += 4, digits += GF_RESIZE_DIGITS) {
        uint2 row[4];
        GF_UNROLL
        for (int i = 0; i < 4; i++) {
            row[i] = WHOLE ? gf_load8(at) : gf_dot_down_load(at, p.width - x);
            at += k + i + 1 < many ? p.in_pitch : 0; /* behind the last row weights are 0 */
        }
        const uint32_t w[GF_RESIZE_DIGITS] = {static_cast<uint32_t>(digits[0]), static_cast<uint32_t>(digits[1]),
                                              static_cast<uint32_t>(digits[2])};
        gf_dot_down_add(row[0].x, row[1].x, row[2].x, row[3].x, w, sums);
        gf_dot_down_add(row[0].y, row[1].y, row[2].y, row[3].y, w, sums + 4);
    }
    return make_uint2(gf_dot_down_word(sums), gf_dot_down_word(sums + 4));
}

static __global__ void __launch_bounds__(GF_WARP *GF_DOT_DOWN_ROWS)
    gf_resize_dot_down_kernel(const struct gf_resize_params p)
{
    const int64_t x = (int64_t(blockIdx.x) * GF_WARP + gf_lane()) * GF_DOT_DOWN_BYTES, end = p.first + p.count;
    if (x >= p.width) {
        return;
    }
    for (int64_t y = p.first + int64_t(blockIdx.y) * GF_DOT_DOWN_ROWS + gf_warp(); y < end;
         y += int64_t(gridDim.y) * GF_DOT_DOWN_ROWS) {
        const uint2 made = x + GF_DOT_DOWN_BYTES <= p.width ? gf_dot_down_row<true>(p, y, x)
                                                            : gf_dot_down_row<false>(p, y, x);
        gf_dot_down_store(p.out + (y - p.first) * p.out_pitch + x, p.width - x, made);
    }
}

bool gf_resize_dot_down_launch(const struct gf_resize_params &p, cudaStream_t stream, cudaError_t *status)
{
    const uint64_t places = reinterpret_cast<uint64_t>(p.in) | static_cast<uint64_t>(p.in_pitch) |
                            reinterpret_cast<uint64_t>(p.out) | static_cast<uint64_t>(p.out_pitch);
    if (p.quads > GF_DOT_DOWN_QUADS || places % GF_DOT_DOWN_BYTES != 0) {
        return false;
    }
    struct gf_launch launch = {};
    const unsigned down = gf_blocks(p.count, GF_DOT_DOWN_ROWS);
    launch.stream = stream;
    launch.block = dim3(GF_WARP * GF_DOT_DOWN_ROWS);
    launch.grid = dim3(gf_blocks(p.width, int64_t(GF_WARP) * GF_DOT_DOWN_BYTES),
                       down < GF_DOT_DOWN_MOST_BLOCKS ? down : unsigned(GF_DOT_DOWN_MOST_BLOCKS));
    *status = GF_LAUNCH(gf_resize_dot_down_kernel, launch, p);
    return true;
}
