/* Magnitudes of gradients as marches (march_cuda.cuh): what a sample becomes is made in registers. Samples of
 * one channel or three lie side by side; bytes with programs around them are planes of one channel each.
 *
 * Of bytes two neighbours share a word, as halves of 16 bits: sums of words are sums of both, signed ones
 * too, as long as they are taken apart as a whole. Differences and smoothed samples of a row are added to
 * what waits for them. The square of the length is a whole number of at most 26 bits; its root is rounded
 * correctly. u16 and f32 are the chains of docs/exactness.md. */
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/march_pixels_cuda.cuh"
#include "pixel/cuda/u8_cuda.cuh"
#include "pixel/cuda/u8_cuda.h"
#include "pixel/window/gradient/gradient.h"

struct gf_edge_params {
    float side, middle; /* of u16 and f32 */
    float scale;        /* of the square of the length */
};

template <int SIDE, int MIDDLE, int CHANNELS, int SAMPLES> struct gf_edge_math {
    static const int C = CHANNELS, R = C, RY = 1, P = SAMPLES, ROWS = 1, OUT = 1, PAIRS = P / 2;
    static_assert(C <= 4, "neighbours are in the words beside a lane's");
    using sample = uint8_t;
    using made = uint8_t;
    using params = gf_edge_params;
    using lines = gf_march_lines<gf_edge_math>;
    struct state {
        uint32_t slope[2][PAIRS];  /* sums that wait for one row, and for two */
        uint32_t smooth[2][PAIRS]; /* of the row before, and of the one before that */
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
#pragma unroll
        for (int i = 0; i < PAIRS; i++) {
            s.slope[0][i] = s.slope[1][i] = s.smooth[0][i] = s.smooth[1][i] = 0;
        }
    }

    /* Pairs of the row, from 4 samples to the left on, and the pair that begins BESIDE samples behind one. */
    using row_pairs = uint32_t[PAIRS + 4];
    template <int BESIDE> static __device__ __forceinline__ uint32_t pair(const row_pairs &even, int j)
    {
        constexpr int WHOLE = (BESIDE - (BESIDE & 1)) / 2;
        return BESIDE % 2 == 0 ? even[j + WHOLE] : gf_byte_perm(even[j + WHOLE], even[j + WHOLE + 1], 0x5432);
    }

    static __device__ __forceinline__ void take(const uint8_t *from, row_pairs &even)
    {
        uint32_t words[P / 4 + 2];
        words[0] = gf_load4(from - 4);
        words[P / 4 + 1] = gf_load4(from + P);
        if constexpr (P == 16) {
            const uint4 bytes = gf_load16(from);
            memcpy(words + 1, &bytes, sizeof bytes);
        } else {
            words[1] = gf_load4(from);
        }
#pragma unroll
        for (int i = 0; i < P / 4 + 2; i++) {
            even[2 * i] = gf_byte_perm(words[i], 0, 0x4140);
            even[2 * i + 1] = gf_byte_perm(words[i], 0, 0x4342);
        }
    }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[P / 4])
    {
        uint32_t even[PAIRS + 4], length[P]; /* even[2 + j]: samples 2 j and 2 j + 1 */
        take(rows.at(0), even);
#pragma unroll
        for (int j = 0; j < PAIRS; j++) {
            const uint32_t left = pair<-C>(even, j + 2), right = pair<C>(even, j + 2);
            const uint32_t difference = right - left;
            const uint32_t smooth = SIDE * (left + right) + MIDDLE * even[j + 2];
            const uint32_t x = s.slope[0][j] + SIDE * difference + BIAS;
            const uint32_t y = smooth - s.smooth[1][j] + BIAS;
            s.slope[0][j] = s.slope[1][j] + MIDDLE * difference;
            s.slope[1][j] = SIDE * difference;
            s.smooth[1][j] = s.smooth[0][j];
            s.smooth[0][j] = smooth;
            length[2 * j] = edge(p, half<0x7610>(x), half<0x7610>(y));
            length[2 * j + 1] = edge(p, half<0x7632>(x), half<0x7632>(y));
        }
#pragma unroll
        for (int i = 0; i < P; i += 4) {
            to[i / 4] = gf_pack4(length[i], length[i + 1], length[i + 2], length[i + 3]);
        }
    }

    /* Added to both halves, none is below 0. */
    static const uint32_t BIAS = 0x80008000U;

    /* A half as a number: below 2^23 + 2^16 a float's last bits are its units. */
    template <int SELECT> static __device__ __forceinline__ float half(uint32_t both)
    {
        return gf_bits_float(gf_byte_perm(both, 0x4b000000U, SELECT)) - 8421376.0F;
    }

    /* The byte below what is returned. Where both slopes are 0 the root of next to nothing is rounded to 0.
     */
    static __device__ __forceinline__ uint32_t edge(const params &p, float x, float y)
    {
        const float square = gf_fma(x, x, gf_fma(y, y, 0x1p-40F)) * p.scale;
        return gf_float_bits(gf_root_in_range(square) + 12582912.0F);
    }
};

/* The same of u16 and f32. */
template <class T, int CHANNELS> struct gf_slope_math {
    static const int C = CHANNELS, R = C, RY = 1, P = 16 / static_cast<int>(sizeof(T)), ROWS = 1, OUT = 1;
    using sample = T;
    using made = T;
    using params = gf_edge_params;
    using lines = gf_march_lines<gf_slope_math>;
    struct state {
        float slope[2][P], smooth[2][P]; /* as above */
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
#pragma unroll
        for (int i = 0; i < P; i++) {
            s.slope[0][i] = s.slope[1][i] = s.smooth[0][i] = s.smooth[1][i] = 0.0F;
        }
    }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[gf_march_words<T, P>::n])
    {
        float near[P + 8], length[P]; /* from 4 samples to the left on */
#pragma unroll
        for (int i = 0; i < P + 8; i += 4) {
            gf_march_take4(rows.at(0) - 4 + i, near + i);
        }
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float left = near[4 + i - C], here = near[4 + i], right = near[4 + i + C];
            const float difference = right - left;
            const float smooth = gf_fma(p.side, right, gf_fma(p.middle, here, p.side * left));
            const float x = gf_fma(p.side, difference, s.slope[0][i]), y = smooth - s.smooth[1][i];
            s.slope[0][i] = gf_fma(p.middle, difference, s.slope[1][i]);
            s.slope[1][i] = p.side * difference;
            s.smooth[1][i] = s.smooth[0][i];
            s.smooth[0][i] = smooth;
            length[i] = gf_magnitude(x, y, p.scale);
        }
        gf_march_put4<T, P>(length, to);
    }
};

/* How many instructions of the program behind the window make a byte of it: a magnitude, rounded. */
int32_t gf_gradient_makes_bytes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    const struct gf_insn *insn = pass->post.insn;
    const int32_t all = (1 << window->channels_in) - 1;
    return window->kernel && window->kernel->cuda() == gf_paths_cuda_gradient && window->depth_in == GF_U8 &&
                   pass->post.n >= 2 && insn[0].code == GF_INSN_MAGNITUDE &&
                   insn[1].code == GF_INSN_QUANTISE && insn[1].depth == GF_U8 && insn[1].roi == GF_NONE &&
                   (insn[1].mask & all) == all
               ? 2
               : 0;
}

/* Is the program behind the window of u16 or f32 a magnitude and no more? */
static bool gf_slopes_alone(const struct gf_pass *pass)
{
    const struct gf_program *post = &pass->post;
    const struct gf_insn *insn = post->insn;
    const int32_t all = (1 << pass->window.channels_in) - 1;
    const bool rounded = post->n == 2 && insn[1].code == GF_INSN_QUANTISE && insn[1].depth == GF_U16 &&
                         insn[1].roi == GF_NONE && (insn[1].mask & all) == all;
    return post->n > 0 && insn[0].code == GF_INSN_MAGNITUDE &&
           ((pass->window.depth_in == GF_F32 && post->n == 1 && post->depth_out == GF_F32) ||
            (pass->window.depth_in == GF_U16 && rounded && post->depth_out == GF_U16));
}

/* Do samples of one channel or three march as they lie in memory? */
static bool gf_edges_take_samples(const struct gf_pass *pass)
{
    const int32_t channels = pass->window.channels_in;
    const bool bytes =
        gf_gradient_makes_bytes(pass) == pass->post.n && pass->post.n > 0 && pass->post.depth_out == GF_U8;
    return (channels == 1 || channels == 3) && gf_march_loads_samples(pass) && pass->out != GF_NONE &&
           gf_u8_plan_make(pass).tap == GF_NONE && (bytes || gf_slopes_alone(pass));
}

bool gf_edges_takes(const struct gf_pass *pass)
{
    const int32_t channels = pass->window.channels_in;
    return gf_edges_take_samples(pass) || (gf_gradient_makes_bytes(pass) > 0 &&
                                           (channels == 1 || channels == 3) && gf_march_takes_bytes(pass));
}

template <int SIDE, int MIDDLE>
static gf_status gf_edges_bytes(const struct gf_pass_args *args, const struct gf_run *run,
                                const struct gf_edge_params &params, gf_error *error)
{
    const uint32_t fill = gf_quantise_u8(run->pass->window.fill[0]);
    const bool one = run->pass->window.channels_in == 1;
    if (gf_edges_take_samples(run->pass)) {
        return one ? gf_march_queue<gf_edge_math<SIDE, MIDDLE, 1, 16>>(args, run, params, fill, error)
                   : gf_march_queue<gf_edge_math<SIDE, MIDDLE, 3, 16>>(args, run, params, fill, error);
    }
    return one ? gf_march_pixels_queue<gf_edge_math<SIDE, MIDDLE, 1, 16>, 1, 1, true>(args, run, params,
                                                                                      error)
               : gf_march_pixels_queue<gf_edge_math<SIDE, MIDDLE, 1, 4>, 3, 3, true>(args, run, params,
                                                                                     error);
}

template <class T>
static gf_status gf_edges_floats(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_edge_params &params, uint32_t fill, gf_error *error)
{
    return run->pass->window.channels_in == 1
               ? gf_march_queue<gf_slope_math<T, 1>>(args, run, params, fill, error)
               : gf_march_queue<gf_slope_math<T, 3>>(args, run, params, fill, error);
}

static gf_status gf_edges_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_gradient_args gradient = gf_gradient_args_of(window);
    const struct gf_edge_params params = {gradient.float_side, gradient.float_middle,
                                          args->post.insn[0].k[0]};
    if (window->depth_in == GF_F32) {
        return gf_edges_floats<float>(args, run, params, gf_float_bits(window->fill[0]), error);
    }
    if (window->depth_in == GF_U16) {
        return gf_edges_floats<uint16_t>(args, run, params, gf_quantise_u16(window->fill[0]), error);
    }
    return gradient.middle == 2   ? gf_edges_bytes<1, 2>(args, run, params, error)
           : gradient.middle == 1 ? gf_edges_bytes<1, 1>(args, run, params, error)
                                  : gf_edges_bytes<3, 10>(args, run, params, error);
}

const struct gf_cuda_way gf_way_march_edges = {gf_edges_launch, nullptr, false, true, true};
