/* Correlation with small kernels as marches (march_cuda.cuh). Raster order is the order of the march: a row's
 * products go to the sums that wait for it, each chain from its first row to its last. Kernels are widened to
 * a square with weights of 0, which integers do not notice. */
#include "pixel/cuda/chain_cuda.cuh"
#include "pixel/cuda/march_cuda.cuh"
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/store_cuda.cuh"
#include "pixel/window/conv/conv.h"
#include "pixel/window/conv/conv_cuda.h"

template <int RADIUS> struct gf_conv_weights {
    float w[(2 * RADIUS + 1) * (2 * RADIUS + 1)];
};

template <int RADIUS, class T> struct gf_conv_math {
    static const int R = RADIUS, RY = R, P = R == 3 || sizeof(T) == 4 ? 4 : 8, ROWS = 1, OUT = 1,
                     SIDE = 2 * R + 1;
    using sample = T;
    using made = T;
    using params = gf_conv_weights<R>;
    using lines = gf_march_lines<gf_conv_math>;
    using state = gf_chain_sums<P, R>;

    static __device__ __forceinline__ void start(const params &, state &s) { s.start(-0.0F); }

    static __device__ __forceinline__ void row(const params &w, const lines &rows, state &s,
                                               uint32_t (&to)[gf_march_words<T, P>::n])
    {
        float x[P + 8], v[P]; /* from 4 pixels to the left on */
#pragma unroll
        for (int i = 0; i < P + 8; i += 4) {
            gf_march_take4(rows.at(0) - 4 + i, x + i);
        }
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = along(w, 2 * R, x + 4 + i, s.sums[i][0]);
#pragma unroll
            for (int j = 0; j < 2 * R - 1; j++) {
                s.sums[i][j] =
                    along(w, 2 * R - 1 - j + GF_FAULT(cuda_conv_wait), x + 4 + i, s.sums[i][j + 1]);
            }
            s.sums[i][2 * R - 1] = along(w, 0, x + 4 + i, -0.0F);
        }
        gf_march_put4<T, P>(v, to);
    }

    /* The chain of a row of the kernel, around *x. */
    static __device__ __forceinline__ float along(const params &w, int row, const float *x, float sum)
    {
#pragma unroll
        for (int k = 0; k < SIDE; k++) {
            sum = gf_fma(w.w[row * SIDE + k], x[k - R], sum);
        }
        return sum;
    }
};

/* ---- with what a second picture has at the same place ---- */

template <int RADIUS> struct gf_conv_beside {
    gf_conv_weights<RADIUS> conv;
    struct gf_insn insn; /* QUOTIENT or BLEND */
    struct gf_surface second;
    bool wide; /* its addresses fit a lane's pixels at once */
};

template <int RADIUS> struct gf_conv_beside_state : gf_chain_sums<4, RADIUS> {
    int32_t x, y, live; /* the lane's pixels of the row that comes out next */
};

template <int RADIUS>
GF_DEVICE_FN void gf_march_place(gf_conv_beside_state<RADIUS> &s, const struct gf_march_params &p, int32_t x,
                                 int32_t first)
{
    s.x = x;
    s.y = first - RADIUS;
    s.live = p.width - x < 4 ? p.width - x : 4;
}

template <int CODE> GF_DEVICE_FN void gf_conv_combine(struct gf_insn insn, const float (&o)[4], float (&v)[4])
{
    insn.code = CODE; /* known to the compiler */
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = gf_insn_combine(&insn, v[i], o[i], o[i]);
    }
}

template <int RADIUS> struct gf_conv_beside_math : gf_conv_math<RADIUS, float> {
    using alone = gf_conv_math<RADIUS, float>;
    using params = gf_conv_beside<RADIUS>;
    using lines = gf_march_lines<gf_conv_beside_math>;
    using state = gf_conv_beside_state<RADIUS>;

    static __device__ __forceinline__ void start(const params &, state &s) { s.start(-0.0F); }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[4])
    {
        const int32_t y = s.y++ - GF_FAULT(cuda_conv_beside);
        float o[4] = {}, v[4];
        if (y >= 0) { /* in the first rows of a segment nothing comes out yet */
            const unsigned char *const from = p.second.data + y * p.second.pitch + int64_t(s.x) * 4;
            if (p.wide && s.live == 4) {
                gf_march_take4(reinterpret_cast<const float *>(from), o);
            } else {
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    o[i] = i < s.live ? gf_sample_load(from, GF_F32, i) : 0.0F;
                }
            }
        }
        alone::row(p.conv, {rows.newest, rows.slot, rows.slots}, s, to);
        memcpy(v, to, sizeof v);
        if (p.insn.code == GF_INSN_QUOTIENT) {
            gf_conv_combine<GF_INSN_QUOTIENT>(p.insn, o, v);
        } else {
            gf_conv_combine<GF_INSN_BLEND>(p.insn, o, v);
        }
        gf_march_put4<float, 4>(v, to);
    }
};

/* Is all that follows a quotient or a blend with a second picture of one channel of f32? */
static bool gf_conv_combines(const struct gf_pass *pass)
{
    const struct gf_insn *insn = pass->post.insn;
    const struct gf_pass_operand *second = &pass->operand[GF_OPERAND_SECOND];
    return pass->post.n == 1 && (insn->code == GF_INSN_QUOTIENT || insn->code == GF_INSN_BLEND) &&
           insn->operand == GF_OPERAND_SECOND && (insn->mask & 1) != 0 && insn->arg < GF_OPERAND_FIRST &&
           insn->roi == GF_NONE && pass->window.depth_in == GF_F32 && second->channels == 1 &&
           second->depth == GF_F32;
}

/* ---- which passes, and their launch ---- */

static int32_t gf_conv_radius(const struct gf_conv_args &args)
{
    int32_t radius = args.left > args.right ? args.left : args.right;
    radius = args.up > radius ? args.up : radius;
    return args.down > radius ? args.down : radius;
}

bool gf_conv_march_takes(const struct gf_pass *pass)
{
    const struct gf_conv_args args = gf_conv_args_of(&pass->window);
    const int32_t radius = gf_conv_radius(args);
    const bool full = args.left == radius && args.right == radius && args.up == radius && args.down == radius;
    return (gf_march_takes(pass) || (gf_conv_combines(pass) && gf_march_fits(pass))) && radius > 0 &&
           radius <= GF_CONV_MARCH_RADIUS && (full || pass->window.depth_in != GF_F32) &&
           pass->out != GF_NONE;
}

template <int R, class T>
static gf_status gf_conv_march_run(const struct gf_pass_args *args, const struct gf_run *run, uint32_t fill,
                                   gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_conv_args conv = gf_conv_args_of(window);
    const float *from = static_cast<const float *>(run->host_blocks[window->blocks[0]]);
    gf_conv_weights<R> weights = {};
    for (int32_t v = -conv.up; v <= conv.down; v++) {
        for (int32_t u = -conv.left; u <= conv.right; u++) {
            weights.w[(v + R) * (2 * R + 1) + u + R] = *from++;
        }
    }
    if constexpr (sizeof(T) == 4) {
        if (run->pass->post.n > 0) {
            const struct gf_surface &second = args->operand[GF_OPERAND_SECOND];
            return gf_march_queue<gf_conv_beside_math<R>>(
                args, run, {weights, args->post.insn[0], second, gf_is_aligned(&second, 16)}, fill, error);
        }
    }
    return gf_march_queue<gf_conv_math<R, T>>(args, run, weights, fill, error);
}

template <int R>
static gf_status gf_conv_march_depth(const struct gf_pass_args *args, const struct gf_run *run,
                                     gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const float fill = window->fill[0];
    switch (window->depth_in) {
    case GF_U8:
        return gf_conv_march_run<R, uint8_t>(args, run, gf_quantise_u8(fill), error);
    case GF_U16:
        return gf_conv_march_run<R, uint16_t>(args, run, gf_quantise_u16(fill), error);
    default:
        return gf_conv_march_run<R, float>(args, run, gf_float_bits(fill), error);
    }
}

gf_status gf_conv_march_launch(const struct gf_pass_args *args, const struct gf_run *run,
                               const struct gf_scratch_layout *, gf_error *error)
{
    const int32_t radius = gf_conv_radius(gf_conv_args_of(&run->pass->window));
    return radius == 1   ? gf_conv_march_depth<1>(args, run, error)
           : radius == 2 ? gf_conv_march_depth<2>(args, run, error)
                         : gf_conv_march_depth<GF_CONV_MARCH_RADIUS>(args, run, error);
}
