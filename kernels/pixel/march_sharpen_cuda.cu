/* unsharp of u8 pictures of one channel as a march (march_cuda.cuh): bytes go in, the chains of fma of
 * docs/exactness.md run in a lane's registers, the centre is a row of the ring, and bytes come out. A radius
 * is rounded up to 2, 4, 6 or 8: a weight of 0 leaves a chain of bytes as it is but for the sign of 0, and a
 * difference of bytes has none. */
#include "pixel/chain_cuda.cuh"
#include "pixel/march_cuda.cuh"
#include "pixel/march_cuda.h"
#include "pixel/store_cuda.cuh"
#include "pixel/u8_cuda.h"

template <int R> struct gf_sharpen_params {
    struct gf_chain_weights<R> weights;
    float amount, threshold;
};

template <int RADIUS> struct gf_sharpen_math {
    static const int R = RADIUS, RY = R, P = RADIUS <= 2 ? 16 : RADIUS <= 4 ? 8 : 4, ROWS = RY + 1, OUT = 1;
    using sample = uint8_t;
    using made = uint8_t;
    static const int beside = (R + 3) / 4 * 4, near = P + 2 * beside;
    using params = gf_sharpen_params<R>;
    using lines = gf_march_lines<gf_sharpen_math>;
    struct state {
        float sums[P][2 * R]; /* that wait */
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int j = 0; j < 2 * R; j++) {
                s.sums[i][j] = 0.0F;
            }
        }
    }

    /* N samples as f32: a byte becomes the last digits of 2^23, which is taken off again. */
    template <int N> static __device__ __forceinline__ void take(const uint8_t *from, float (&x)[N])
    {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint32_t word = gf_load4(from + i);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                x[i + k] =
                    gf_bits_float(gf_byte_perm(word, 0x4b000000U, 0x7650U + static_cast<uint32_t>(k))) -
                    8388608.0F;
            }
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
        gf_chain_across<R>(p.weights, x, v);
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = centre[i] - gf_chain_down<R>(p.weights, s.sums[i], v[i]); /* what is lost */
        }
        sharpen(p, centre, v);
#pragma unroll
        for (int i = 0; i < P; i += 4) {
            to[i / 4] = gf_u8_word(v + i);
        }
    }
};

bool gf_march_sharpens(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    const struct gf_program *post = &pass->post;
    const struct gf_separable_args *s = &window->args.separable;
    const struct gf_insn *sharpen = &post->insn[0], *quantise = &post->insn[1];
    return window->channels_in == 1 && pass->pre.n == 0 && pass->pre.depth_in == GF_U8 &&
           window->depth_in == GF_F32 && window->depth_out == GF_F32 && post->depth_out == GF_U8 &&
           s->radius_x <= GF_MARCH_RADIUS && s->radius_y <= GF_MARCH_RADIUS && post->n == 2 &&
           sharpen->code == GF_INSN_SHARPEN && sharpen->operand == GF_OPERAND_CENTRE &&
           (sharpen->mask & 1) != 0 && sharpen->roi == GF_NONE && quantise->code == GF_INSN_QUANTISE &&
           quantise->depth == GF_U8 && (quantise->mask & 1) != 0 && quantise->roi == GF_NONE &&
           (window->border != GF_BORDER_CONSTANT ||
            window->fill[0] == static_cast<float>(gf_quantise_u8(window->fill[0]))) &&
           pass->width <= GF_STRIP_SIDE && pass->height <= GF_STRIP_SIDE;
}

template <int R>
static gf_status gf_march_sharpen_run(const struct gf_pass_args *args, const struct gf_run *run,
                                      gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    gf_sharpen_params<R> p = {};
    GF_TRY(gf_chain_weights_make(run, &p.weights, error));
    p.amount = pass->post.insn[0].k[0];
    p.threshold = pass->post.insn[0].k[1];
    return gf_march_queue<gf_sharpen_math<R>>(args, run, p, gf_quantise_u8(pass->window.fill[0]), error);
}

static gf_status gf_march_sharpen_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                         const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_separable_args *s = &run->pass->window.args.separable;
    const int32_t radius = s->radius_x > s->radius_y ? s->radius_x : s->radius_y;
    return radius <= 2   ? gf_march_sharpen_run<2>(args, run, error)
           : radius <= 4 ? gf_march_sharpen_run<4>(args, run, error)
           : radius <= 6 ? gf_march_sharpen_run<6>(args, run, error)
                         : gf_march_sharpen_run<GF_MARCH_RADIUS>(args, run, error);
}

const struct gf_cuda_way gf_way_march_sharpen = {gf_march_sharpen_launch, nullptr, true, false, true};
