/* The last part of clahe on CUDA: what the tables of four neighbours hold lies side by side by value, for u8
 * as a word in shared memory, for u16 and f32 as 8 and 16 bytes in memory, made for some rows of cells at a
 * time, so that a sample takes one look. */
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/whole/clahe/clahe_cuda.cuh"

/* ---- what the tables of four neighbours hold ---- */

template <class T> struct gf_clahe_quad;
template <> struct gf_clahe_quad<uint8_t> {
    using type = uint32_t;
};
template <> struct gf_clahe_quad<uint16_t> {
    using type = uint2;
};
template <> struct gf_clahe_quad<float> {
    using type = uint4;
};

GF_DEVICE_FN uint32_t gf_clahe_pack(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    return a | static_cast<uint32_t>(b) << 8 | static_cast<uint32_t>(c) << 16 |
           static_cast<uint32_t>(d) << 24;
}
GF_DEVICE_FN uint2 gf_clahe_pack(uint16_t a, uint16_t b, uint16_t c, uint16_t d)
{
    return make_uint2(a | static_cast<uint32_t>(b) << 16, c | static_cast<uint32_t>(d) << 16);
}
GF_DEVICE_FN uint4 gf_clahe_pack(float a, float b, float c, float d)
{
    return make_uint4(gf_float_bits(a), gf_float_bits(b), gf_float_bits(c), gf_float_bits(d));
}

/* An integer of at most 16 bits that is the bytes `select` of w, by way of 2^23 + n. */
GF_DEVICE_FN float gf_clahe_float(uint32_t w, uint32_t select)
{
    return gf_bits_float(gf_byte_perm(w, 0x4b000000U, select)) - 8388608.0F;
}

GF_DEVICE_FN void gf_clahe_unpack(uint32_t q, float (&corner)[4])
{
    GF_UNROLL for (uint32_t i = 0; i < 4; i++)
    {
        corner[i] = gf_clahe_float(q, 0x7540U + i);
    }
}
GF_DEVICE_FN void gf_clahe_unpack(uint2 q, float (&corner)[4])
{
    corner[0] = gf_clahe_float(q.x, 0x7510U);
    corner[1] = gf_clahe_float(q.x, 0x7532U);
    corner[2] = gf_clahe_float(q.y, 0x7510U);
    corner[3] = gf_clahe_float(q.y, 0x7532U);
}
GF_DEVICE_FN void gf_clahe_unpack(uint4 q, float (&corner)[4])
{
    corner[0] = gf_bits_float(q.x);
    corner[1] = gf_bits_float(q.y);
    corner[2] = gf_bits_float(q.z);
    corner[3] = gf_bits_float(q.w);
}

/* Entry i of the tables around a cell. */
template <class T>
GF_DEVICE_FN typename gf_clahe_quad<T>::type gf_clahe_corners(const struct gf_clahe_params &p, int32_t across,
                                                              int32_t down, int32_t i)
{
    const T *tables = static_cast<const T *>(p.tables) + i;
    const int64_t left = across > 0 ? across - 1 : 0, above = down > 0 ? down - 1 : 0;
    const int64_t right = across < p.args.across ? across : p.args.across - 1;
    const int64_t below = down < p.args.down ? down : p.args.down - 1;
    return gf_clahe_pack(
        tables[(above * p.args.across + left) * p.bins], tables[(above * p.args.across + right) * p.bins],
        tables[(below * p.args.across + left) * p.bins], tables[(below * p.args.across + right) * p.bins]);
}

/* grid: (bins, cells across, rows of cells). */
template <class T>
static __global__ void __launch_bounds__(GF_CLAHE_THREADS) gf_clahe_quads(const struct gf_clahe_params p)
{
    using quad = typename gf_clahe_quad<T>::type;
    const int32_t i = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    const int32_t across = static_cast<int32_t>(blockIdx.y), down = static_cast<int32_t>(blockIdx.z);
    quad *quads = static_cast<quad *>(p.quads) + (int64_t(down) * (p.args.across + 1) + across) * p.bins;
    quads[i] = gf_clahe_corners<T>(p, across, p.first_down + down, i);
}

/* ---- mixing ---- */

GF_DEVICE_FN uint8_t gf_clahe_store(float v, uint8_t)
{
    return gf_quantise_u8(v);
}
GF_DEVICE_FN uint16_t gf_clahe_store(float v, uint16_t)
{
    return gf_quantise_u16(v);
}
GF_DEVICE_FN float gf_clahe_store(float v, float)
{
    return gf_canonical(v);
}

/* A row of a cell. */
template <class T> struct gf_clahe_row {
    const typename gf_clahe_quad<T>::type *quads;
    int32_t cell;
    float y, scale;
};

template <class T>
GF_DEVICE_FN T gf_clahe_made(const struct gf_clahe_params &p, const struct gf_clahe_row<T> &row, T v, float x)
{
    const int32_t bin = gf_clahe_bin(p, row.scale, v);
    float corner[4];
    if (bin < 0) {
        return static_cast<T>(gf_bits_float(GF_CANONICAL_NAN));
    }
    gf_clahe_unpack(row.quads[bin], corner);
    return gf_clahe_store(gf_clahe_mix(corner, gf_clahe_part(x, p.inverse_x, row.cell), row.y), T());
}

/* grid: (pieces of GF_CLAHE_ROWS rows, cells across, rows of cells). Blocks that run at the same time then
 * belong to few cells, whose quads the second cache holds. */
static constexpr int64_t GF_CLAHE_ROWS = 32;

template <class T, bool WIDE>
static __global__ void __launch_bounds__(GF_CLAHE_THREADS) gf_clahe_mix_cells(const struct gf_clahe_params p)
{
    using quad = typename gf_clahe_quad<T>::type;
    constexpr int N = WIDE ? static_cast<int>(16 / sizeof(T)) : 1;
    GF_SHARED(uint32_t, bytes, 256);
    const int32_t across = static_cast<int32_t>(blockIdx.y);
    const int32_t down = p.first_down + static_cast<int32_t>(blockIdx.z);
    const struct gf_clahe_span span = gf_clahe_span_make<N>(p.first_x[across], p.first_x[across + 1]);
    const int64_t top = p.first_y[down], bottom = p.first_y[down + 1];
    struct gf_clahe_row<T> row = {
    };
    row.cell = across;
    row.scale = gf_clahe_scale<T>(p);
    row.quads = static_cast<const quad *>(p.quads) +
                (int64_t(blockIdx.z) * (p.args.across + 1) + across) * (sizeof(T) == 1 ? 0 : p.bins);
    if constexpr (sizeof(T) == 1) {
        bytes[threadIdx.x] = gf_clahe_corners<T>(p, across, down, static_cast<int32_t>(threadIdx.x));
        row.quads = bytes;
    }
    __syncthreads();
    const bool near = p.width <= 1 << 24; /* f32 counts pixels exactly */
    for (int64_t y0 = top + int64_t(blockIdx.x) * GF_CLAHE_ROWS; y0 < bottom;
         y0 += int64_t(gridDim.x) * GF_CLAHE_ROWS) {
        const uint32_t rows =
            static_cast<uint32_t>(bottom - y0 < GF_CLAHE_ROWS ? bottom - y0 : GF_CLAHE_ROWS);
        for (uint32_t i = threadIdx.x; i < rows * span.chunks; i += GF_CLAHE_THREADS) {
            const uint32_t line = i / span.chunks;
            const int64_t y = y0 + line, x = (span.first + (i - line * span.chunks)) * N;
            const float fx = static_cast<float>(x);
            row.y = gf_clahe_part(static_cast<float>(y), p.inverse_y, down);
            if (WIDE && x >= span.left && x + N <= span.right) {
                const struct gf_clahe_chunk in =
                    gf_clahe_load(p.in + y * p.in_pitch + x * static_cast<int64_t>(sizeof(T)));
                uint32_t words[4] = {0, 0, 0, 0};
                GF_UNROLL for (int k = 0; k < N; k++)
                {
                    T v;
                    gf_clahe_get(in, k, &v);
                    const float at = near ? fx + static_cast<float>(k) : static_cast<float>(x + k);
                    words[k * 4 / N] |= gf_clahe_bits(gf_clahe_made<T>(p, row, v, at), k);
                }
                gf_store16(p.out + y * p.out_pitch + x * static_cast<int64_t>(sizeof(T)),
                           make_uint4(words[0], words[1], words[2], words[3]), GF_STREAM);
                continue;
            }
            const int64_t end = x + N < span.right ? x + N : span.right;
            for (int64_t k = x > span.left ? x : span.left; k < end - (WIDE && GF_FAULT(cuda_clahe_cell));
                 k++) {
                reinterpret_cast<T *>(p.out + y * p.out_pitch)[k * p.channels + p.channel] =
                    gf_clahe_made<T>(p, row, gf_clahe_sample<T>(p, k, y), static_cast<float>(k));
            }
        }
    }
}

/* ---- launch ---- */

template <class T, bool WIDE>
static gf_status gf_clahe_mix_as(struct gf_clahe_params p, cudaStream_t stream, gf_error *error)
{
    struct gf_launch launch = {};
    launch.stream = stream;
    const int32_t rows = gf_clahe_rows(p), cells = p.args.down + 1;
    const int64_t pieces = (p.args.tile_h + 1 + GF_CLAHE_ROWS) / GF_CLAHE_ROWS;
    launch.block = dim3(GF_CLAHE_THREADS);
    for (; p.first_down < cells; p.first_down += rows) {
        const int32_t left = cells - p.first_down;
        const unsigned now = static_cast<unsigned>(left < rows ? left : rows);
        const unsigned across = static_cast<unsigned>(p.args.across + 1);
        if (sizeof(T) > 1) {
            launch.grid = dim3(static_cast<unsigned>(p.bins / GF_CLAHE_THREADS), across, now);
            GF_CUDA_TRY(error, GF_LAUNCH(gf_clahe_quads<T>, launch, p));
        }
        launch.grid = dim3(static_cast<unsigned>(pieces < 65535 ? pieces : 65535), across, now);
        GF_CUDA_TRY(error, GF_LAUNCH((gf_clahe_mix_cells<T, WIDE>), launch, p));
    }
    return GF_OK;
}

gf_status gf_clahe_mix_launch(const struct gf_clahe_params *params, bool wide, cudaStream_t stream,
                              gf_error *error)
{
    return gf_dispatch_sample(params->depth, error, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return wide ? gf_clahe_mix_as<T, true>(*params, stream, error)
                    : gf_clahe_mix_as<T, false>(*params, stream, error);
    });
}
