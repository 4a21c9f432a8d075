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
    return gf_march_takes(pass) && radius > 0 && radius <= GF_CONV_MARCH_RADIUS &&
           (full || pass->window.depth_in != GF_F32) && pass->out != GF_NONE;
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
