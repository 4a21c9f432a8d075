/* How interleaved pixels come to a march with programs (march_pixels_cuda.cuh): its parameters, its shape,
 * and a warp's copies ahead of time. */
#ifndef GF_PIXEL_MARCH_RAW_CUDA_CUH
#define GF_PIXEL_MARCH_RAW_CUDA_CUH

#include "pixel/cuda/march_cuda.cuh"
#include "pixel/cuda/march_ends_cuda.cuh"

struct gf_march_pixels_params {
    struct gf_march_params march;
    struct gf_march_tables tables;
    float fill[4];      /* of a channel that the window sees */
    gf_depth depth_out; /* of the window */
    int32_t pixel;      /* bytes of one in memory */
    int32_t grain;      /* ... that are copied at once */
    int32_t slots;      /* rows of a channel that are kept */
};

/* Do bytes go in and bytes come out? */
template <class MATH> struct gf_march_is_bytes {
    static const bool is = std::is_same<typename MATH::sample, uint8_t>::value &&
                           std::is_same<typename MATH::made, uint8_t>::value && MATH::OUT == 1;
};

/* BYTES: programs are tables; else they are interpreted. */
template <class MATH, int C, bool BYTES> struct gf_march_pixels_shape : gf_march_shape<MATH> {
    using line_shape = gf_march_shape<MATH>;
    using sample = typename MATH::sample;
    using made = typename MATH::made;
    static const int ahead = 4, raw_slots = ahead + 1;
    static const int pixels = GF_WARP * MATH::P; /* of a line */
    static const int results = pixels * static_cast<int>(sizeof(made));
    static const int values = C * MATH::OUT; /* channels behind the window */
    static const int sums = C * static_cast<int>(sizeof(typename MATH::state)) / 4;
    /* Blocks that a processor shall hold: as many as the registers of the states leave room for. */
    static const int blocks = !BYTES ? 1 : sums <= 32 ? 5 : sums <= 64 ? 4 : 2;
    static_assert(!BYTES || gf_march_is_bytes<MATH>::is, "tables are of bytes");

    /* Bytes of a warp: rows on their way, lines, results that wait, and columns where they are not patched.
     */
    static __host__ __device__ int32_t room(const struct gf_march_pixels_params &p)
    {
        return raw_slots * pixels * p.pixel + C * p.slots * line_shape::line +
               (BYTES ? 0 : values * results) + (p.march.patch ? 0 : pixels * 4);
    }
};

/* ---- loading ---------------------------------------------------------------------------------------------- */

/* A warp's line of a row, as it lies in memory: brought to `to` from the pixels from first_x on of `row`. */
template <class MATH, int C, bool BYTES> struct gf_march_raw {
    using shape = gf_march_pixels_shape<MATH, C, BYTES>;
    const int32_t *columns;
    int32_t lane, first_x, pixels; /* pixels of this lane's chunk that lie inside */
    bool whole;                    /* the line lies inside, and addresses allow grains */

    template <int GRAIN>
    static __device__ __forceinline__ void copy(unsigned char *to, const unsigned char *from, int32_t bytes,
                                                int32_t lane)
    {
        for (int32_t i = lane * GRAIN; i < bytes; i += GF_WARP * GRAIN) {
            gf_cp_async<GRAIN>(to + i, from + i);
        }
    }

    /* The same of pixels of so many bytes, unrolled. */
    template <int PIXEL>
    static __device__ __forceinline__ void copy_line(unsigned char *to, const unsigned char *from,
                                                     int32_t lane)
    {
        constexpr int BYTES_OF_LANE = MATH::P * PIXEL;
        constexpr int GRAIN = BYTES_OF_LANE % 16 == 0 ? 16 : BYTES_OF_LANE % 8 == 0 ? 8 : 4;
        const int32_t first = lane * GRAIN;
#pragma unroll
        for (int i = 0; i < BYTES_OF_LANE / GRAIN; i++) {
            gf_cp_async<GRAIN>(to + first + i * GF_WARP * GRAIN, from + first + i * GF_WARP * GRAIN);
        }
    }

    __device__ __forceinline__ void bring(const struct gf_march_pixels_params &p, unsigned char *to,
                                          int32_t y) const
    {
        const struct gf_march_params &m = p.march;
        if (static_cast<uint32_t>(y) >= static_cast<uint32_t>(m.height)) {
            y = gf_strip_row(y, m.height, m.border);
            if (y < 0) {
                return; /* of fill */
            }
        }
        const unsigned char *const row = m.in.data + int64_t(y) * m.in.pitch;
        const int32_t at = lane * MATH::P;
        if (whole) {
            const unsigned char *const from = row + int64_t(first_x) * p.pixel;
            const int32_t bytes = shape::pixels * p.pixel;
            if (BYTES && p.pixel == C) {
                copy_line<C>(to, from, lane);
            } else if (BYTES) {
                copy_line<C + 2>(to, from, lane); /* gray of it */
            } else if (p.grain == 16) {
                copy<16>(to, from, bytes, lane);
            } else if (p.grain == 8) {
                copy<8>(to, from, bytes, lane);
            } else {
                copy<4>(to, from, bytes, lane);
            }
        } else if (m.patch || pixels == MATH::P) {
            gf_march_part(to + at * p.pixel, row + int64_t(first_x + at) * p.pixel, pixels * p.pixel,
                          m.wide_in);
        } else {
            gf_march_gather(to + at * p.pixel, row, columns + at, MATH::P, p.pixel, 0);
        }
    }
};

#endif
