/* unsharp of u8 pictures of one channel or three as a march (march_cuda.cuh): bytes go in, the chains of fma
 * of docs/exactness.md run in a lane's registers, the centre is a row of the ring, and bytes come out. A
 * radius is rounded up to 2, 4, 6 or 8: a weight of 0 leaves a chain of bytes as it is but for the sign of 0,
 * and a difference of bytes has none. */
#include "pixel/cuda/chain_cuda.cuh"
#include "pixel/cuda/march_cuda.cuh"
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/cuda/u8_cuda.h"

template <int R> struct gf_sharpen_params {
    struct gf_chain_weights<R> weights;
    float amount, threshold;
};

template <int RADIUS, int CHANNELS> struct gf_sharpen_math {
    static const int C = CHANNELS, R = RADIUS * C, RY = RADIUS, ROWS = RY + 1, OUT = 1;
    static const int P = C == 1 && RADIUS <= 2 ? 16 : C > 1 || RADIUS <= 4 ? 8 : 4;
    using sample = uint8_t;
    using made = uint8_t;
    static const int beside = (R + 3) / 4 * 4, near = P + 2 * beside;
    using params = gf_sharpen_params<RADIUS>;
    using lines = gf_march_lines<gf_sharpen_math>;
    using state = gf_chain_sums<P, RY>;

    static __device__ __forceinline__ void start(const params &, state &s) { s.start(0.0F); }

    template <int N> static __device__ __forceinline__ void take(const uint8_t *from, float (&x)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            gf_march_take4(from + i, x + i);
        }
    }

    /* gf_sharpen, where most thresholds are 0. */
    static __device__ __forceinline__ void sharpen(const params &p, const float (&centre)[P],
                                                   float (&lost)[P])
    {
        if (p.threshold > 0.0F) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                lost[i] = lost[i] < p.threshold && lost[i] > -p.threshold ? 0.0F : lost[i];
            }
        }
#pragma unroll
        for (int i = 0; i < P; i++) {
            lost[i] = gf_fma(p.amount, lost[i], centre[i]);
        }
    }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[P / 4])
    {
        float x[near], centre[P], v[P];
        take(rows.at(0) - beside, x);
        take(rows.at(RY), centre);
        gf_chain_across<RADIUS, C>(p.weights, x, v);
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = centre[i] - gf_chain_down<RADIUS>(p.weights, s.sums[i], v[i]); /* what is lost */
        }
        sharpen(p, centre, v);
        gf_march_put4<uint8_t, P>(v, to);
    }
};

static int32_t gf_sharpen_radius(const struct gf_pass *pass)
{
    const struct gf_separable_args *s = &pass->window.args.separable;
    return s->radius_x > s->radius_y ? s->radius_x : s->radius_y;
}

/* Is it that instruction, on all samples? */
static bool gf_sharpen_is(const struct gf_insn *insn, enum gf_insn_code code, int32_t channels)
{
    const int all = (1 << channels) - 1;
    return insn->code == code && (insn->mask & all) == all && insn->roi == GF_NONE;
}

/* Is the border's constant a byte, the same in all channels? */
static bool gf_sharpen_fills(const struct gf_window *window)
{
    bool fills = true;
    for (int32_t c = 0; c < window->channels_in && window->border == GF_BORDER_CONSTANT; c++) {
        const float byte = static_cast<float>(gf_quantise_u8(window->fill[0]));
        fills = fills && window->fill[c] <= byte && window->fill[c] >= byte;
    }
    return fills;
}

bool gf_march_sharpens(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    const struct gf_program *post = &pass->post;
    const int32_t channels = window->channels_in, radius = gf_sharpen_radius(pass);
    return (channels == 1 ? radius <= GF_MARCH_RADIUS : channels == 3 && radius <= GF_MARCH_PIXELS_RADIUS) &&
           pass->pre.n == 0 && pass->pre.depth_in == GF_U8 && pass->pre.channels_in == channels &&
           window->depth_in == GF_F32 && window->depth_out == GF_F32 && post->depth_out == GF_U8 &&
           post->n == 2 && gf_sharpen_is(&post->insn[0], GF_INSN_SHARPEN, channels) &&
           post->insn[0].operand == GF_OPERAND_CENTRE &&
           gf_sharpen_is(&post->insn[1], GF_INSN_QUANTISE, channels) && post->insn[1].depth == GF_U8 &&
           gf_sharpen_fills(window) && pass->width <= GF_STRIP_SIDE / channels &&
           pass->height <= GF_STRIP_SIDE;
}

template <int R, int C>
static gf_status gf_march_sharpen_run(const struct gf_pass_args *args, const struct gf_run *run,
                                      gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    gf_sharpen_params<R> p = {};
    GF_TRY(gf_chain_weights_make(run, &p.weights, error));
    p.amount = pass->post.insn[0].k[0];
    p.threshold = pass->post.insn[0].k[1];
    return gf_march_queue<gf_sharpen_math<R, C>>(args, run, p, gf_quantise_u8(pass->window.fill[0]), error);
}

gf_status gf_march_sharpen_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                  const struct gf_scratch_layout *, gf_error *error)
{
    const int32_t radius = gf_sharpen_radius(run->pass);
    if (run->pass->window.channels_in == 3) {
        return radius <= 2 ? gf_march_sharpen_run<2, 3>(args, run, error)
                           : gf_march_sharpen_run<GF_MARCH_PIXELS_RADIUS, 3>(args, run, error);
    }
    return radius <= 2   ? gf_march_sharpen_run<2, 1>(args, run, error)
           : radius <= 4 ? gf_march_sharpen_run<4, 1>(args, run, error)
           : radius <= 6 ? gf_march_sharpen_run<6, 1>(args, run, error)
                         : gf_march_sharpen_run<GF_MARCH_RADIUS, 1>(args, run, error);
}
