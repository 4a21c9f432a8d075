/* Marches (march_cuda.cuh) over u8: the integers of docs/exactness.md. A radius is rounded up to 2, 4, 6 or 8
 * with weights of zero, which change nothing. */
#include "pixel/cuda/march_pixels_cuda.cuh"
#include "pixel/window/blur/fixed_weights_cuda.cuh"

/* Samples of a lane: as many as its registers have sums for. Neighbours that are several samples away ask for
 * more of them, or many lanes would be halo. */
constexpr int gf_fixed_samples(int radius, int channels)
{
    return radius <= 2 ? 16 : radius <= 4 || channels > 1 ? 8 : 4;
}

template <int RADIUS, int CHANNELS = 1, int SAMPLES = gf_fixed_samples(RADIUS, CHANNELS)>
struct gf_fixed_math {
    static const int C = CHANNELS, R = RADIUS * C, RY = RADIUS, P = SAMPLES, ROWS = 1, OUT = 1;
    using sample = uint8_t;
    using made = uint8_t;
    static const int beside = (R + P - 1) / P * P, words = (P + 2 * beside) / 4;
    using params = gf_fixed_weights<RADIUS>;
    using lines = gf_march_lines<gf_fixed_math>;
    struct state {
        uint32_t sums[P][2 * RY]; /* that wait */
    };

    static __device__ __forceinline__ void start(const params &w, state &s)
    {
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int j = 0; j < 2 * RY; j++) {
                s.sums[i][j] = w.half_y;
            }
        }
    }

    static __device__ __forceinline__ void row(const params &w, const lines &rows, state &s,
                                               uint32_t (&to)[P / 4])
    {
        const uint8_t *const from = rows.at(0) - beside;
        uint32_t q[words];
        int32_t v[P];
#pragma unroll
        for (int i = 0; i < words; i += P / 4) {
            take(from + 4 * i, q + i);
        }
        if constexpr (C == 1) {
            gf_fixed_across<RADIUS, 0, P>(w, q, v);
        } else {
            uint32_t planes[C][(words + C - 1) / C];
            gf_fixed_part<C, 0>(q, planes);
            gf_fixed_across_parts<RADIUS, C, 0, beside>(w, planes, v);
        }
        uint32_t done[P];
#pragma unroll
        for (int i = 0; i < P; i++) {
            done[i] = gf_fixed_down<RADIUS>(w, s.sums[i], v[i]);
        }
        gf_fixed_pack<RADIUS>(w, done, to);
    }

    /* The words of P samples. */
    static __device__ __forceinline__ void take(const uint8_t *from, uint32_t *q)
    {
        if constexpr (P == 16) {
            const uint4 bytes = gf_load16(from);
            memcpy(q, &bytes, sizeof bytes);
        } else if constexpr (P == 8) {
            const uint2 bytes = gf_load8(from);
            memcpy(q, &bytes, sizeof bytes);
        } else {
            *q = gf_load4(from);
        }
    }
};

template <int R>
static gf_status gf_march_u8_run(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    const int32_t channels = run->pass->window.channels_in;
    const uint32_t fill = gf_quantise_u8(run->pass->window.fill[0]);
    gf_fixed_weights<R> weights = {};
    GF_TRY(gf_fixed_weights_make<R>(run, &weights, error));
    if (gf_march_takes_samples(run->pass) && gf_u8_plan_make(run->pass).tap == GF_NONE) {
        return channels == 1   ? gf_march_queue<gf_fixed_math<R>>(args, run, weights, fill, error)
               : channels == 2 ? gf_march_queue<gf_fixed_math<R, 2>>(args, run, weights, fill, error)
               : channels == 3 ? gf_march_queue<gf_fixed_math<R, 3>>(args, run, weights, fill, error)
                               : gf_march_queue<gf_fixed_math<R, 4>>(args, run, weights, fill, error);
    }
    if constexpr (R <= GF_MARCH_PIXELS_RADIUS) {
        return channels == 1
                   ? gf_march_pixels_queue<gf_fixed_math<R>, 1, 1, true>(args, run, weights, error)
                   : gf_march_pixels_queue<gf_fixed_math<R, 1, 4>, 2, 4, true>(args, run, weights, error);
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "separable: no march of this radius takes programs");
}

gf_status gf_march_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                             const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_separable_args *s = &run->pass->window.args.separable;
    const int32_t radius = s->radius_x > s->radius_y ? s->radius_x : s->radius_y;
    return radius <= 2   ? gf_march_u8_run<2>(args, run, error)
           : radius <= 4 ? gf_march_u8_run<4>(args, run, error)
           : radius <= 6 ? gf_march_u8_run<6>(args, run, error)
                         : gf_march_u8_run<GF_MARCH_RADIUS>(args, run, error);
}
