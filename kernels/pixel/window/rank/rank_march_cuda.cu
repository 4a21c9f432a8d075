/* Marches (march_cuda.cuh) of the median of 3 x 3. A lane's columns are the words of rank_sample_cuda.cuh:
 * for u8 and u16 pixels i and i + P / 2 side by side, so that the neighbours of a word are words. The samples
 * of the two rows above wait in registers. u8 lie in both bytes of their halves, which changes no order and
 * takes one permutation. */
#include "pixel/cuda/march_cuda.cuh"
#include "pixel/cuda/march_cuda.h"
#include "pixel/window/rank/rank_cuda.h"
#include "pixel/window/rank/rank_network.h"
#include "pixel/window/rank/rank_sample_cuda.cuh"

/* A lane's line of P samples: its words, the one before them, and the one behind. */
template <int WORDS> GF_DEVICE_FN void gf_rank_march_take(const void *from, uint32_t (&words)[WORDS + 2])
{
    const unsigned char *const bytes = static_cast<const unsigned char *>(from);
    const uint4 own = gf_load16(bytes);
    static_assert(WORDS == 4, "a lane has 16 bytes");
    words[0] = gf_load4(bytes - 4);
    memcpy(words + 1, &own, sizeof own);
    words[5] = gf_load4(bytes + 16);
}

/* What differs between the depths. COLUMNS: words from column -1 on. */
struct gf_rank_march_u8 {
    using sample = uint8_t;
    using ops = gf_rank_two;
    static const int P = 16, COLUMNS = P / 2 + 2;
    static __device__ __forceinline__ void split(const uint32_t (&words)[6], uint32_t (&columns)[COLUMNS])
    {
#pragma unroll
        for (int i = 0; i < COLUMNS; i++) {
            const uint32_t byte = (i + 3) % 4;
            columns[i] = gf_byte_perm(words[(i + 3) / 4], words[(i + 11) / 4], byte * 0x1111U + 0x4400U);
        }
    }
    static __device__ __forceinline__ void join(const uint32_t (&made)[COLUMNS - 2], uint32_t (&to)[4])
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t a = gf_byte_perm(made[4 * i], made[4 * i + 1], 0x6240U);
            const uint32_t b = gf_byte_perm(made[4 * i + 2], made[4 * i + 3], 0x6240U);
            to[i] = gf_byte_perm(a, b, 0x5410U);
            to[i + 2] = gf_byte_perm(a, b, 0x7632U);
        }
    }
};

struct gf_rank_march_u16 {
    using sample = uint16_t;
    using ops = gf_rank_two;
    static const int P = 8, COLUMNS = P / 2 + 2;
    static __device__ __forceinline__ void split(const uint32_t (&words)[6], uint32_t (&columns)[COLUMNS])
    {
#pragma unroll
        for (int i = 0; i < COLUMNS; i++) {
            columns[i] = gf_byte_perm(words[(i + 1) / 2], words[(i + 5) / 2], i % 2 == 0 ? 0x7632U : 0x5410U);
        }
    }
    static __device__ __forceinline__ void join(const uint32_t (&made)[COLUMNS - 2], uint32_t (&to)[4])
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            to[i] = gf_byte_perm(made[2 * i], made[2 * i + 1], 0x5410U);
            to[i + 2] = gf_byte_perm(made[2 * i], made[2 * i + 1], 0x7632U);
        }
    }
};

struct gf_rank_march_f32 {
    using sample = float;
    using ops = gf_rank_one;
    static const int P = 4, COLUMNS = P + 2;
    static __device__ __forceinline__ void split(const uint32_t (&words)[6], uint32_t (&columns)[COLUMNS])
    {
#pragma unroll
        for (int i = 0; i < COLUMNS; i++) {
            columns[i] = gf_float_key(gf_bits_float(words[i]));
        }
    }
    static __device__ __forceinline__ void join(const uint32_t (&made)[COLUMNS - 2], uint32_t (&to)[4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            to[i] = gf_float_bits(gf_key_float(made[i]));
        }
    }
};

template <class D> struct gf_rank_math {
    static const int R = 1, RY = 1, P = D::P, ROWS = 1, OUT = 1;
    using sample = typename D::sample;
    using made = sample;
    using lines = gf_march_lines<gf_rank_math>;
    struct params {
    };
    struct state {
        uint32_t above[2][D::COLUMNS]; /* rows, the older first */
    };
    struct columns {
        uint32_t v[D::COLUMNS][3];
        __device__ __forceinline__ uint32_t at(int c, int i) const { return v[c][i]; }
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
#pragma unroll
        for (int i = 0; i < D::COLUMNS; i++) {
            s.above[0][i] = s.above[1][i] = 0;
        }
    }

    static __device__ __forceinline__ void row(const params &, const lines &rows, state &s, uint32_t (&to)[4])
    {
        uint32_t words[6], newest[D::COLUMNS], medians[D::COLUMNS - 2];
        struct columns sorted;
        gf_rank_march_take<4>(rows.at(0), words);
        D::split(words, newest);
#pragma unroll
        for (int i = 0; i < D::COLUMNS; i++) {
            const uint32_t column[3] = {s.above[0][i], s.above[1][i], newest[i]};
            gf_sort<typename D::ops, 0, 3>(column, sorted.v[i]);
            s.above[0][i] = s.above[1][i];
            s.above[1][i] = newest[i];
        }
        medians_of(sorted, medians, std::make_index_sequence<(D::COLUMNS - 2) / 2>());
        D::join(medians, to);
    }

    template <size_t... I>
    static __device__ __forceinline__ void
    medians_of(const columns &sorted, uint32_t (&medians)[D::COLUMNS - 2], std::index_sequence<I...>)
    {
        (gf_median_3x3<typename D::ops, 2 * I>(sorted, medians[2 * I], medians[2 * I + 1]), ...);
    }
};

gf_status gf_rank_march_launch(const struct gf_pass_args *args, const struct gf_run *run,
                               const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const float fill = gf_quantise_to(window->fill[0], window->depth_in);
    switch (window->depth_in) {
    case GF_U8:
        return gf_march_queue<gf_rank_math<gf_rank_march_u8>>(args, run, {}, gf_quantise_u8(fill), error);
    case GF_U16:
        return gf_march_queue<gf_rank_math<gf_rank_march_u16>>(args, run, {}, gf_quantise_u16(fill), error);
    default:
        return gf_march_queue<gf_rank_math<gf_rank_march_f32>>(args, run, {}, gf_float_bits(fill), error);
    }
}
