/* Marches (march_cuda.cuh) over f32 and u16: the chains of fma of docs/exactness.md, in their order. */
#include "pixel/cuda/chain_cuda.cuh"
#include "pixel/cuda/dispatch_pixel_cuda.cuh"
#include "pixel/cuda/march_pixels_cuda.cuh"

template <int RADIUS, class T, int CHANNELS = 1> struct gf_chain_math {
    static const int C = CHANNELS, R = RADIUS * C, RY = RADIUS, ROWS = 1, OUT = 1;
    static const int P = RADIUS <= 4 && sizeof(T) == 2 ? 8 : 4;
    using sample = T;
    using made = T;
    static const int beside = (R + P - 1) / P * P, near = P + 2 * beside;
    using params = gf_chain_weights<RADIUS>;
    using lines = gf_march_lines<gf_chain_math>;
    using state = gf_chain_sums<P, RY>;

    static __device__ __forceinline__ void start(const params &, state &s) { s.start(0.0F); }

    static __device__ __forceinline__ void row(const params &w, const lines &rows, state &s,
                                               uint32_t (&to)[gf_march_words<T, P>::n])
    {
        const T *const from = rows.at(0) - beside;
        float x[near], v[P];
#pragma unroll
        for (int i = 0; i < near; i += 4) {
            gf_march_take4(from + i, x + i);
        }
        gf_chain_across<RADIUS, C>(w, x, v);
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[i] = gf_chain_down<RADIUS>(w, s.sums[i], v[i]);
        }
        gf_march_put4<T, P>(v, to);
    }
};

/* Queues the march without programs. */
template <int R, int C>
static gf_status gf_march_f32_queue(const struct gf_pass_args *args, const struct gf_run *run,
                                    const gf_chain_weights<R> &weights, gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    if (window->depth_in == GF_F32) {
        const uint32_t fill = gf_float_bits(window->fill[0]);
        return gf_march_queue<gf_chain_math<R, float, C>>(args, run, weights, fill, error);
    }
    return gf_march_queue<gf_chain_math<R, uint16_t, C>>(args, run, weights, gf_quantise_u16(window->fill[0]),
                                                         error);
}

template <int R>
static gf_status gf_march_f32_run(const struct gf_pass_args *args, const struct gf_run *run, gf_error *error)
{
    gf_chain_weights<R> weights = {};
    GF_TRY(gf_chain_weights_make(run, &weights, error));
    if (gf_march_takes(run->pass)) {
        return gf_march_f32_queue<R, 1>(args, run, weights, error);
    }
    if constexpr (R <= GF_MARCH_PIXELS_RADIUS) {
        if (gf_march_takes_samples(run->pass) && run->pass->window.channels_in == 3) {
            return gf_march_f32_queue<R, 3>(args, run, weights, error);
        }
        return gf_march_pixels_queue<gf_chain_math<R, float>, 1, (R <= GF_MARCH_PIXELS_RADIUS / 2 ? 4 : 1),
                                     false>(args, run, weights, error);
    }
    return gf_fail(error, GF_ERROR_INTERNAL, "separable: no march of this radius takes programs");
}

gf_status gf_march_f32_launch(const struct gf_pass_args *args, const struct gf_run *run,
                              const struct gf_scratch_layout *, gf_error *error)
{
    return gf_dispatch_number<1, GF_MARCH_RADIUS>(
        run->pass->window.args.separable.radius_x,
        [&](auto radius) { return gf_march_f32_run<decltype(radius)::value>(args, run, error); });
}
