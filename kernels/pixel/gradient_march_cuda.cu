/* Magnitudes of gradients of u8 pictures as marches (march_cuda.cuh): what a sample becomes is made in
 * registers.
 *
 * Two neighbours share a word, as halves of 16 bits: sums of words are sums of both, signed ones too, as long
 * as they are taken apart as a whole. Differences and smoothed samples of a row are added to what waits for
 * them. The square of the length is a whole number of at most 26 bits; its root is rounded correctly. */
#include "pixel/gradient.h"
#include "pixel/march_cuda.cuh"
#include "pixel/march_cuda.h"
#include "pixel/u8_cuda.cuh"
#include "pixel/u8_cuda.h"

struct gf_edge_params {
    float scale; /* of the square of the length */
};

template <int SIDE, int MIDDLE> struct gf_edge_math {
    static const int R = 1, RY = 1, P = 16, ROWS = 1, OUT = 1, PAIRS = P / 2;
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

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[P / 4])
    {
        const uint8_t *const from = rows.at(0);
        const uint4 bytes = gf_load16(from);
        const uint32_t w[4] = {bytes.x, bytes.y, bytes.z, bytes.w};
        uint32_t even[PAIRS + 2], length[P]; /* even[1 + j]: pixels 2 j and 2 j + 1 */
        even[0] = gf_byte_perm(gf_load4(from - 4), 0, 0x4342);
        even[PAIRS + 1] = gf_byte_perm(gf_load4(from + P), 0, 0x4140);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            even[1 + 2 * i] = gf_byte_perm(w[i], 0, 0x4140);
            even[2 + 2 * i] = gf_byte_perm(w[i], 0, 0x4342);
        }
        uint32_t left = gf_byte_perm(even[0], even[1], 0x5432);
#pragma unroll
        for (int j = 0; j < PAIRS; j++) {
            const uint32_t right = gf_byte_perm(even[j + 1], even[j + 2], 0x5432);
            const uint32_t difference = right - left;
            const uint32_t smooth = SIDE * (left + right) + MIDDLE * even[j + 1];
            const uint32_t x = s.slope[0][j] + SIDE * difference + BIAS;
            const uint32_t y = smooth - s.smooth[1][j] + BIAS;
            s.slope[0][j] = s.slope[1][j] + MIDDLE * difference;
            s.slope[1][j] = SIDE * difference;
            s.smooth[1][j] = s.smooth[0][j];
            s.smooth[0][j] = smooth;
            left = right;
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

bool gf_edges_takes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    const struct gf_program *post = &pass->post;
    const struct gf_insn *insn = post->insn;
    return window->channels_in == 1 && window->depth_in == GF_U8 && pass->pre.n == 0 &&
           pass->pre.depth_in == GF_U8 && pass->out != GF_NONE && post->n == 2 &&
           insn[0].code == GF_INSN_MAGNITUDE && insn[1].code == GF_INSN_QUANTISE && insn[1].depth == GF_U8 &&
           insn[1].roi == GF_NONE && (insn[1].mask & 1) && pass->width <= GF_STRIP_SIDE &&
           pass->height <= GF_STRIP_SIDE;
}

template <int SIDE, int MIDDLE>
static gf_status gf_edges_run(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    const struct gf_edge_params params = {args->post.insn[0].k[0]};
    return gf_march_queue<gf_edge_math<SIDE, MIDDLE>>(args, run, params,
                                                      gf_quantise_u8(run->pass->window.fill[0]), error);
}

static gf_status gf_edges_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_gradient_args gradient = gf_gradient_args_of(&run->pass->window);
    return gradient.middle == 2   ? gf_edges_run<1, 2>(args, run, error)
           : gradient.middle == 1 ? gf_edges_run<1, 1>(args, run, error)
                                  : gf_edges_run<3, 10>(args, run, error);
}

const struct gf_cuda_way gf_way_march_edges = {gf_edges_launch, nullptr, false, false, true};
