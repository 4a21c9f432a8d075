/* What the kernels of clahe share: clahe_cuda.cu counts and makes tables, clahe_mix_cuda.cu mixes. */
#ifndef GF_PIXEL_CLAHE_CUDA_CUH
#define GF_PIXEL_CLAHE_CUDA_CUH

#include "base/device_scope_cuda.h"
#include "base/gf_border.h"
#include "base/planted_fault.h"
#include "pixel/ir/solve.h"
#include "pixel/whole/clahe/clahe.h"

enum {
    GF_CLAHE_THREADS = 256,
    GF_CLAHE_TABLE_THREADS = 1024,
    GF_CLAHE_COUNT_PIXELS = 1 << 15,  /* a block counts about so many of u8 */
    GF_CLAHE_COUNT_MANY = 1 << 18,    /* and of more bins */
    GF_CLAHE_HALF = 1 << 15,          /* of what 16 bits hold: so much leaves shared memory at once */
    GF_CLAHE_QUADS = 96 * 1024 * 1024 /* bytes of quads that are made at a time, or of one row of cells */
};

struct gf_clahe_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch, width, height;
    struct gf_clahe_args args;
    int32_t channels, channel, bins;
    int32_t segment; /* bins that a block counts */
    gf_depth depth;
    const float *range; /* f32: {lo, hi} of this channel */
    uint32_t *counts;   /* [tiles][bins] */
    void *tables;       /* [tiles][bins], samples */
    void *quads;        /* [cells][bins] of four samples */
    int32_t parts;      /* blocks that share a tile's rows */
    int32_t first_down; /* row of cells that quads begin with */
    float inverse_x, inverse_y;
    int64_t first_x[GF_CLAHE_MOST_TILES + 2], first_y[GF_CLAHE_MOST_TILES + 2];
};

/* ---- counts ---- */

/* The bin of a sample; -1: it is NaN. */
GF_DEVICE_FN int32_t gf_clahe_bin(const struct gf_clahe_params &, float, uint8_t v)
{
    return v;
}
GF_DEVICE_FN int32_t gf_clahe_bin(const struct gf_clahe_params &, float, uint16_t v)
{
    return v;
}
GF_DEVICE_FN int32_t gf_clahe_bin(const struct gf_clahe_params &p, float scale, float v)
{
    const int32_t bin = gf_range_bin(v, p.range[0], scale, p.bins);
    return bin == GF_BIN_NAN ? -1 : bin == GF_BIN_BELOW ? 0 : bin == GF_BIN_ABOVE ? p.bins - 1 : bin;
}

template <class T> GF_DEVICE_FN float gf_clahe_scale(const struct gf_clahe_params &p)
{
    return sizeof(T) == 4 ? gf_range_scale(p.range[0], p.range[1], p.bins) : 0.0F;
}

template <class T> GF_DEVICE_FN T gf_clahe_sample(const struct gf_clahe_params &p, int64_t x, int64_t y)
{
    return reinterpret_cast<const T *>(p.in + y * p.in_pitch)[x * p.channels + p.channel];
}

/* ---- 16 bytes of samples ---- */

struct gf_clahe_chunk {
    uint32_t words[4];
};

GF_DEVICE_FN struct gf_clahe_chunk gf_clahe_load(const void *from)
{
    const uint4 v = gf_load16(from);
    return {{v.x, v.y, v.z, v.w}};
}

GF_DEVICE_FN void gf_clahe_get(const struct gf_clahe_chunk &chunk, int i, uint8_t *v)
{
    *v = static_cast<uint8_t>(chunk.words[i / 4] >> (i % 4 * 8));
}
GF_DEVICE_FN void gf_clahe_get(const struct gf_clahe_chunk &chunk, int i, uint16_t *v)
{
    *v = static_cast<uint16_t>(chunk.words[i / 2] >> (i % 2 * 16));
}
GF_DEVICE_FN void gf_clahe_get(const struct gf_clahe_chunk &chunk, int i, float *v)
{
    *v = gf_bits_float(chunk.words[i]);
}

GF_DEVICE_FN uint32_t gf_clahe_bits(uint8_t v, int i)
{
    return static_cast<uint32_t>(v) << (i % 4 * 8);
}
GF_DEVICE_FN uint32_t gf_clahe_bits(uint16_t v, int i)
{
    return static_cast<uint32_t>(v) << (i % 2 * 16);
}
GF_DEVICE_FN uint32_t gf_clahe_bits(float v, int)
{
    return gf_float_bits(v);
}

/* The chunks of N samples that hold pixels [left, right) of a row. */
struct gf_clahe_span {
    int64_t left, right, first;
    uint32_t chunks;
};

template <int N> GF_DEVICE_FN struct gf_clahe_span gf_clahe_span_make(int64_t left, int64_t right)
{
    const int64_t first = left / N;
    return {left, right, first, right > left ? static_cast<uint32_t>((right + N - 1) / N - first) : 0};
}

/* Rows of cells whose quads are made at a time, and bytes of those of one. */
static inline int64_t gf_clahe_row_bytes(const struct gf_clahe_params &p)
{
    return int64_t(p.args.across + 1) * p.bins * 4 * static_cast<int64_t>(gf_depth_size(p.depth));
}
static inline int32_t gf_clahe_rows(const struct gf_clahe_params &p)
{
    const int64_t rows = GF_CLAHE_QUADS / gf_clahe_row_bytes(p), all = p.args.down + 1;
    return static_cast<int32_t>(p.depth == GF_U8 || rows > all ? all : rows < 1 ? 1 : rows);
}

/* Queues what mixes the channel by its tables. wide: the picture has one, and rows begin at multiples of 16
 * bytes. */
gf_status gf_clahe_mix_launch(const struct gf_clahe_params *params, bool wide, cudaStream_t stream,
                              gf_error *error);

#endif
