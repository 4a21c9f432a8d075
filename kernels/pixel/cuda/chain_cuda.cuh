/* The chains of fma of docs/exactness.md for kernels that march down the rows: weights of a radius known to
 * the compiler, and the two halves. */
#ifndef GF_PIXEL_CHAIN_CUDA_CUH
#define GF_PIXEL_CHAIN_CUDA_CUH

#include "pixel/cuda/pass_cuda.h"

template <int R> struct gf_chain_weights {
    float wx[2 * R + 1], wy[2 * R + 1];
};

/* The weights of the pass's window, whose radii are at most R; zeros beside them. */
template <int R>
static gf_status gf_chain_weights_make(const struct gf_run *run, struct gf_chain_weights<R> *p,
                                       gf_error *error)
{
    const struct gf_window *window = &run->pass->window;
    const float *wx = static_cast<const float *>(run->host_blocks[window->blocks[0]]);
    const float *wy = static_cast<const float *>(run->host_blocks[window->blocks[1]]);
    if (!wx || !wy) {
        return gf_fail(error, GF_ERROR_INTERNAL, "separable: the weights are not a constant block");
    }
    const struct gf_separable_args *s = &window->args.separable;
    *p = gf_chain_weights<R>();
    memcpy(p->wx + R - s->radius_x, wx, (2 * static_cast<size_t>(s->radius_x) + 1) * sizeof *wx);
    memcpy(p->wy + R - s->radius_y, wy, (2 * static_cast<size_t>(s->radius_y) + 1) * sizeof *wy);
    return GF_OK;
}

/* What a lane's P samples keep of the rows above: chains that wait for 2 R rows more, [0] for one. */
template <int P, int R> struct gf_chain_sums {
    float sums[P][2 * R];

    __device__ __forceinline__ void start(float first)
    {
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int j = 0; j < 2 * R; j++) {
                sums[i][j] = first;
            }
        }
    }
};

/* Horizontal chains of P samples of C channels side by side; x: they, with as many on each side. */
template <int R, int C = 1, int N, int P>
GF_DEVICE_FN void gf_chain_across(const struct gf_chain_weights<R> &p, const float (&x)[N],
                                  float (&middle)[P])
{
    constexpr int first = (N - P) / 2 - R * C;
#pragma unroll
    for (int i = 0; i < P; i++) {
        middle[i] = p.wx[0] * x[first + i];
#pragma unroll
        for (int k = 1; k <= 2 * R; k++) {
            middle[i] = gf_fma(p.wx[k], x[first + i + k * C], middle[i]);
        }
    }
}

/* One row into the waiting chains, each by its next fma; the complete one comes out. */
template <int R>
GF_DEVICE_FN float gf_chain_down(const struct gf_chain_weights<R> &p, float (&sum)[2 * R], float middle)
{
    const float out = gf_fma(p.wy[2 * R], middle, sum[0]);
#pragma unroll
    for (int j = 0; j < 2 * R - 1; j++) {
        sum[j] = gf_fma(p.wy[2 * R - 1 - j], middle, sum[j + 1]);
    }
    sum[2 * R - 1] = p.wy[0] * middle;
    return out;
}

#endif
