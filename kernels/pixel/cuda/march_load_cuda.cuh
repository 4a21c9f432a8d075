/* What marches (march_cuda.cuh) share: their shape, and the rows that a warp brings ahead of their turn into
 * lines of its own, with what the border puts beside the picture. */
#ifndef GF_PIXEL_MARCH_LOAD_CUDA_CUH
#define GF_PIXEL_MARCH_LOAD_CUDA_CUH

#include "pixel/cuda/march_grid_cuda.h"
#include "pixel/cuda/store_cuda.cuh"

enum { GF_MARCH_WARPS = 4, GF_MARCH_THREADS = GF_MARCH_WARPS * GF_WARP };

/* Words that P values of a type take. */
template <class T, int P> struct gf_march_words {
    static const int n = P * static_cast<int>(sizeof(T)) / 4;
};

/* Four samples as f32. Whole numbers of up to 16 bits become the last digits of 2^23, which is taken off
 * again. */
template <int SELECT> GF_DEVICE_FN float gf_march_number(uint32_t bits)
{
    return gf_bits_float(gf_byte_perm(bits, 0x4b000000U, SELECT)) - 8388608.0F;
}
GF_DEVICE_FN void gf_march_take4(const uint8_t *from, float *x)
{
    const uint32_t bits = gf_load4(from);
    x[0] = gf_march_number<0x7650>(bits);
    x[1] = gf_march_number<0x7651>(bits);
    x[2] = gf_march_number<0x7652>(bits);
    x[3] = gf_march_number<0x7653>(bits);
}
GF_DEVICE_FN void gf_march_take4(const uint16_t *from, float *x)
{
    const uint2 bits = gf_load8(from);
    x[0] = gf_march_number<0x7610>(bits.x);
    x[1] = gf_march_number<0x7632>(bits.x);
    x[2] = gf_march_number<0x7610>(bits.y);
    x[3] = gf_march_number<0x7632>(bits.y);
}
GF_DEVICE_FN void gf_march_take4(const float *from, float *x)
{
    const uint4 bits = gf_load16(from);
    memcpy(x, &bits, sizeof bits);
}

/* P results as they lie in memory, rounded where T is an integer. */
template <class T, int P>
GF_DEVICE_FN void gf_march_put4(const float (&v)[P], uint32_t (&to)[gf_march_words<T, P>::n])
{
#pragma unroll
    for (int i = 0; i < P; i += 4) {
        if constexpr (sizeof(T) == 4) {
            const uint4 words = gf_f32_words(v + i);
            memcpy(to + i, &words, sizeof words);
        } else if constexpr (sizeof(T) == 2) {
            to[i / 2] = gf_u16_word(v + i);
            to[i / 2 + 1] = gf_u16_word(v + i + 2);
        } else {
            to[i / 4] = gf_u8_word(v + i);
        }
    }
}

struct gf_march_params {
    struct gf_surface in, out;
    int32_t width, height, border; /* in samples, in rows */
    struct gf_segments segments;
    uint32_t fill;          /* a sample's bits */
    bool wide_in, wide_out; /* addresses fit a lane's pixels at once */
    bool patch;             /* what lies beside the picture is made from the line, not loaded */
};

/* How many channels lie side by side in a line: MATH::C, or 1. */
template <class MATH, class = void> struct gf_march_channels {
    static const int n = 1;
};
template <class MATH> struct gf_march_channels<MATH, std::void_t<decltype(MATH::C)>> {
    static const int n = MATH::C;
};

template <class MATH> struct gf_march_shape {
    static const int channels = gf_march_channels<MATH>::n;
    static const int halo = (MATH::R + MATH::P - 1) / MATH::P; /* lanes on each side */
    static const int bytes = sizeof(typename MATH::sample);
    static const int chunk = MATH::P * bytes;
    static const int line = GF_WARP * chunk;
    static const int strip = (GF_WARP - 2 * halo) * MATH::P; /* samples that are stored */
    static const int ahead = chunk >= 16 ? 4 : 6;
    static const int slots = ahead + 1 + MATH::ROWS; /* one may still be read by slower lanes */
    static const int words = gf_march_words<typename MATH::made, MATH::P>::n; /* of a value of all pixels */
};

/* Some bytes, word by word where both addresses are aligned to words. Out of line, as the next two: few lanes
 * do this, or in few rows, and the march stays short. */
static __device__ __noinline__ __attribute__((unused)) void
gf_march_part(unsigned char *to, const unsigned char *from, int32_t bytes, bool words)
{
    const int32_t whole = words ? bytes / 4 * 4 : 0;
    for (int32_t i = 0; i < whole; i += 4) {
        gf_cp_async<4>(to + i, from + i);
    }
    for (int32_t i = whole; i < bytes; i++) {
        to[i] = from[i];
    }
}

/* Some pixels of a size one by one from where the border finds their columns. */
static __device__ __noinline__ __attribute__((unused)) void
gf_march_gather(unsigned char *to, const unsigned char *row, const int32_t *columns, int32_t pixels,
                int32_t size, uint32_t fill)
{
    for (int32_t i = 0; i < pixels * size; i++) {
        const int32_t column = columns[i / size];
        to[i] = column >= 0 ? row[int64_t(column) * size + i % size]
                            : static_cast<unsigned char>(fill >> (i % size * 8));
    }
}

template <class MATH> static __device__ __noinline__ void gf_march_fill(unsigned char *to, uint32_t fill)
{
    for (int32_t i = 0; i < MATH::P; i++) {
        memcpy(to + i * gf_march_shape<MATH>::bytes, &fill, gf_march_shape<MATH>::bytes);
    }
}

/* What a warp does: samples from first_x on, the halo's included; rows y0 to y1 - 1, for which it takes those
 * from `first` to `last`. */
struct gf_march_strip {
    int32_t first_x, y0, y1, first, last;
};

template <class MATH> GF_DEVICE_FN struct gf_march_strip gf_march_strip_make(const struct gf_march_params &p)
{
    using shape = gf_march_shape<MATH>;
    const int64_t x =
        (int64_t(blockIdx.x) * GF_MARCH_WARPS + gf_warp()) * shape::strip - shape::halo * MATH::P;
    struct gf_march_strip at;
    at.first_x =
        x + shape::halo * MATH::P < p.width ? static_cast<int32_t>(x) : INT32_MAX; /* nothing is left */
    const int32_t segment = static_cast<int32_t>(blockIdx.y);
    at.y0 = gf_segment_first(p.segments, segment);
    at.y1 = gf_segment_end(p.segments, segment, at.y0, p.height);
    at.first = at.y0 - MATH::RY + (GF_FAULT(cuda_segment_seam) && at.y0 > 0);
    at.last = at.y1 - 1 + MATH::RY;
    return at;
}

/* How many of P samples from x on lie inside. */
template <class MATH> GF_DEVICE_FN int32_t gf_march_inside(const struct gf_march_params &p, int32_t x)
{
    return x < 0 || x >= p.width ? 0 : p.width - x < MATH::P ? p.width - x : int32_t(MATH::P);
}

/* A lane's chunk, row after row. Addresses move along with the march: worked out anew for each row they would
 * cost more than the window. */
template <class MATH> struct gf_march_chunk {
    const unsigned char *from; /* in the next row, where that is one of the picture's */
    unsigned char *to;
    const int32_t *columns; /* of all its pixels, where the line is not patched */
    int32_t x, pixels;      /* pixels of it that lie inside */

    __device__ __forceinline__ gf_march_chunk(const struct gf_march_params &p, unsigned char *line,
                                              const int32_t *line_columns, int32_t first_x, int32_t y)
        : to(line + gf_lane() * gf_march_shape<MATH>::chunk), columns(line_columns + gf_lane() * MATH::P),
          x(first_x + static_cast<int32_t>(gf_lane()) * MATH::P), pixels(gf_march_inside<MATH>(p, x))
    {
        from = p.in.data + int64_t(y) * p.in.pitch + int64_t(x) * gf_march_shape<MATH>::bytes;
    }

    /* Brings it on its way from row y. */
    __device__ __forceinline__ void bring(const struct gf_march_params &p, int32_t y) const
    {
        const unsigned char *source = from;
        if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(p.height)) {
            y = gf_strip_row(y, p.height, p.border);
            if (y < 0) {
                gf_march_fill<MATH>(to, p.fill);
                return;
            }
            source = p.in.data + int64_t(y) * p.in.pitch + int64_t(x) * gf_march_shape<MATH>::bytes;
        }
        if (p.wide_in && pixels == MATH::P) {
            constexpr int CHUNK = gf_march_shape<MATH>::chunk, AT_ONCE = CHUNK < 16 ? CHUNK : 16;
#pragma unroll
            for (int b = 0; b < CHUNK; b += AT_ONCE) {
                gf_cp_async<AT_ONCE>(to + b, source + b);
            }
        } else if (p.patch) {
            gf_march_part(to, source, pixels * gf_march_shape<MATH>::bytes, true);
        } else {
            gf_march_gather(to, source - int64_t(x) * gf_march_shape<MATH>::bytes, columns, MATH::P,
                            gf_march_shape<MATH>::bytes, p.fill);
        }
    }

    __device__ __forceinline__ void step(int64_t pitch, int32_t line)
    {
        from += pitch;
        to += line;
    }
};

/* A sample of the line beside the picture, and the one that the border puts there: their places in bytes. */
struct gf_march_patch {
    int32_t to, from; /* to -1: none; from -1: the fill */
};

/* The sample that the border puts at a place of a row of so many channels; -1: the fill. */
GF_DEVICE_FN int32_t gf_march_source(const struct gf_march_params &p, int64_t sample, int32_t channels)
{
    const int64_t c = gf_modulo(sample, channels);
    const int64_t column = gf_border_index((sample - c) / channels, p.width / channels, p.border);
    return column < 0 ? -1 : static_cast<int32_t>(column * channels + c);
}

/* The n-th of the `reach` samples to the left of the picture, then of those to its right. */
template <class MATH>
GF_DEVICE_FN struct gf_march_patch gf_march_patch_make(const struct gf_march_params &p, int32_t first_x,
                                                       int32_t n, int32_t reach,
                                                       int32_t channels = gf_march_shape<MATH>::channels)
{
    const int64_t sample = n < reach ? int64_t(-1) - n : int64_t(p.width) + n - reach;
    if (!p.patch || n >= 2 * reach - GF_FAULT(cuda_halo_short) || sample < first_x ||
        sample >= int64_t(first_x) + GF_WARP * MATH::P) {
        return {-1, -1};
    }
    const int32_t source = gf_march_source(p, sample, channels);
    return {static_cast<int32_t>(sample - first_x) * gf_march_shape<MATH>::bytes,
            source < 0 ? -1 : (source - first_x) * gf_march_shape<MATH>::bytes};
}

template <class MATH>
GF_DEVICE_FN void gf_march_patch_put(const struct gf_march_patch &patch, unsigned char *line, uint32_t fill)
{
    if (patch.to >= 0) {
        if (patch.from >= 0) {
            memcpy(line + patch.to, line + patch.from, gf_march_shape<MATH>::bytes);
        } else {
            memcpy(line + patch.to, &fill, gf_march_shape<MATH>::bytes);
        }
    }
}

/* A lane's part of the samples beside the picture, `reach` on each side: N of them. */
template <class MATH, int N> struct gf_march_patches {
    struct gf_march_patch each[N];
    bool any; /* of the warp */

    __device__ __forceinline__ gf_march_patches(const struct gf_march_params &p, int32_t first_x,
                                                int32_t reach,
                                                int32_t channels = gf_march_shape<MATH>::channels)
        : any(false)
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            each[i] = gf_march_patch_make<MATH>(p, first_x, static_cast<int32_t>(gf_lane()) + i * GF_WARP,
                                                reach, channels);
            any = any || each[i].to >= 0;
        }
        any = gf_any(any);
    }

    __device__ __forceinline__ void put(unsigned char *line, uint32_t fill) const
    {
#pragma unroll
        for (int i = 0; i < N; i++) {
            gf_march_patch_put<MATH>(each[i], line, fill);
        }
    }
};

/* Finds where the border has the samples of a line, for lines that are not patched. */
template <class MATH>
GF_DEVICE_FN void gf_march_columns(const struct gf_march_params &p, int32_t first_x, int32_t *columns,
                                   int32_t channels = gf_march_shape<MATH>::channels)
{
    for (int32_t i = static_cast<int32_t>(gf_lane()); i < GF_WARP * MATH::P && !p.patch; i += GF_WARP) {
        columns[i] = gf_march_source(p, int64_t(first_x) + i, channels);
    }
    gf_syncwarp();
}

/* ---- parameters ---------------------------------------------------------------------------------------- */

template <class MATH>
static void gf_march_params_make(const struct gf_pass_args *args, const struct gf_run *run, uint32_t fill,
                                 struct gf_march_params *p)
{
    *p = gf_march_params();
    p->in = args->in;
    p->out = args->out;
    p->width = static_cast<int32_t>(args->width) * gf_march_shape<MATH>::channels;
    p->height = static_cast<int32_t>(args->height);
    p->border = run->pass->window.border;
    p->fill = fill;
    const int64_t chunk = gf_march_shape<MATH>::chunk < 16 ? gf_march_shape<MATH>::chunk : 16;
    p->wide_in = gf_is_aligned(&args->in, chunk);
    p->wide_out = gf_is_aligned(&args->out, chunk);
    p->patch = p->wide_in && p->border != GF_BORDER_WRAP;
}

#endif
