/* Slopes and directions of gradients as marches (march_pixels_cuda.cuh), a channel after the other: the
 * window makes what the first instruction behind it would pick out of both slopes, and the rest of the
 * program follows. In f32, which holds the integers of u8 exactly. */
#include "base/gf_math.h"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/march_cuda.h"
#include "pixel/cuda/march_pixels_cuda.cuh"
#include "pixel/window/gradient/gradient.h"

struct gf_slopes_params {
    float side, middle;
    float turn; /* of a direction: what a whole turn is */
    int32_t y;  /* of a slope: along y */
    bool angle; /* what is wanted is a direction */
};

template <class T> struct gf_slopes_math {
    static const int R = 1, RY = 1, P = 4, ROWS = 1, OUT = 1;
    using sample = T;
    using made = float;
    using params = gf_slopes_params;
    using lines = gf_march_lines<gf_slopes_math>;
    struct state {
        float slope[2][P];  /* sums that wait for one row, and for two */
        float smooth[2][P]; /* of the row before, and of the one before that */
    };

    static __device__ __forceinline__ void start(const params &, state &s)
    {
#pragma unroll
        for (int i = 0; i < P; i++) {
            s.slope[0][i] = s.slope[1][i] = s.smooth[0][i] = s.smooth[1][i] = 0.0F;
        }
    }

    static __device__ __forceinline__ void row(const params &p, const lines &rows, state &s,
                                               uint32_t (&to)[P])
    {
        float near[P + 8]; /* from 4 samples to the left on */
        float along_x[P], along_y[P];
#pragma unroll
        for (int i = 0; i < P + 8; i += 4) {
            gf_march_take4(rows.at(0) - 4 + i, near + i);
        }
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float left = near[3 + i], here = near[4 + i], right = near[5 + i];
            const float difference = right - left;
            const float smooth = gf_fma(p.side, right, gf_fma(p.middle, here, p.side * left));
            along_x[i] = gf_fma(p.side, difference, s.slope[0][i]);
            along_y[i] = smooth - s.smooth[1][i];
            s.slope[0][i] = gf_fma(p.middle, difference, s.slope[1][i]);
            s.slope[1][i] = p.side * difference;
            s.smooth[1][i] = s.smooth[0][i];
            s.smooth[0][i] = smooth;
        }
        if (p.angle) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                to[i] = gf_float_bits(gf_turns(along_y[i], along_x[i]) * p.turn);
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < P; i++) {
            to[i] = gf_float_bits(p.y != int32_t(GF_FAULT(cuda_slope_axis)) ? along_y[i] : along_x[i]);
        }
    }
};

/* The pass with the window as it is here, with one value a channel, and the program without what picks it. */
static bool gf_slopes_pass(const struct gf_pass *pass, struct gf_pass *of_slopes)
{
    const struct gf_insn *first = &pass->post.insn[0];
    const bool picks = pass->post.n > 0 && first->roi == GF_NONE &&
                       (first->code == GF_INSN_SLOPE || first->code == GF_INSN_ANGLE);
    if (!picks) {
        return false;
    }
    *of_slopes = *pass;
    struct gf_program *const post = &of_slopes->post;
    post->n--;
    memmove(post->insn, post->insn + 1, static_cast<size_t>(post->n) * sizeof post->insn[0]);
    post->channels_in = of_slopes->window.channels_out = pass->window.channels_in;
    post->depth_in = of_slopes->window.depth_out = GF_F32;
    return true;
}

bool gf_slopes_takes(const struct gf_pass *pass)
{
    struct gf_pass of_slopes;
    return gf_slopes_pass(pass, &of_slopes) && gf_march_takes_any(&of_slopes, 4);
}

gf_status gf_slopes_launch(const struct gf_pass_args *args, const struct gf_run *run,
                           const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const struct gf_insn *first = &run->pass->post.insn[0];
    const struct gf_gradient_args gradient = gf_gradient_args_of(window);
    const bool bytes = window->depth_in == GF_U8, angle = first->code == GF_INSN_ANGLE;
    const struct gf_slopes_params params = {
        bytes ? static_cast<float>(gradient.side) : gradient.float_side,
        bytes ? static_cast<float>(gradient.middle) : gradient.float_middle, first->k[0], first->arg, angle};
    struct gf_pass of_slopes;
    struct gf_run run_slopes = *run;
    struct gf_pass_args args_slopes = *args;
    if (!gf_slopes_pass(run->pass, &of_slopes)) {
        return gf_fail(error, GF_ERROR_INTERNAL, "gradient: nothing picks a slope");
    }
    run_slopes.pass = &of_slopes;
    args_slopes.post = of_slopes.post;
    return gf_dispatch_sample(window->depth_in, error, [&](auto tag) {
        using math = gf_slopes_math<typename decltype(tag)::type>;
        return gf_march_pixels_queue<math, 1, 4, false>(&args_slopes, &run_slopes, params, error);
    });
}
