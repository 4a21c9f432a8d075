/* The outer passes of a filter by frequency: rows of pairs, read from a picture, which is extended on the
 * way, and written to one, which is rounded and cropped. Their threads have room for steps of 32 numbers. */
#ifndef GF_FOURIER_FFT_PICTURE_CUDA_CUH
#define GF_FOURIER_FFT_PICTURE_CUDA_CUH

#include "fourier/fft_pass_cuda.cuh"

constexpr unsigned GF_FFT_LARGE_THREADS = 512; /* of a processor, with 128 registers each */
constexpr unsigned GF_FFT_ROW_THREADS = 128, GF_FFT_ROW_BLOCKS = 5; /* with 96 each */

/* A picture as a part of what is transformed. */
struct gf_fft_frame {
    char *memory;
    int64_t pitch;
    int32_t depth, step, width, height;
    int32_t left, top;                 /* where it lies */
    int32_t slope, low, right, bottom; /* a v outside becomes slope v + low, and slope v + right or bottom */
    gf_fft_shown shown;
};

/* The column of the picture, or the row, that stands for v; `high`: right or bottom. */
GF_DEVICE_FN int32_t gf_fft_folded(const gf_fft_frame &f, int32_t v, int32_t high)
{
    const int32_t low = f.slope * v + f.low, first = v > low ? v : low, last = f.slope * first + high;
    return first < last || GF_FAULT(cuda_frequency_fold) ? first : last;
}

GF_DEVICE_FN void gf_fft_give(uint8_t *to, float v)
{
    *to = static_cast<uint8_t>(gf_float_bits(fminf(fmaxf(v, 0.0F), 255.0F) + 12582912.0F));
}
GF_DEVICE_FN void gf_fft_give(uint16_t *to, float v)
{
    *to = static_cast<uint16_t>(gf_float_bits(fminf(fmaxf(v, 0.0F), 65535.0F) + 12582912.0F));
}
GF_DEVICE_FN void gf_fft_give(float *to, float v)
{
    *to = gf_canonical(v);
}

/* Pairs j, j + each and so on of a row. */
template <class T, int R>
GF_DEVICE_FN void gf_fft_read_row(const gf_fft_frame &f, int64_t row, uint32_t j, uint32_t each,
                                  gf_fft_complex (&u)[R])
{
    const int32_t y = gf_fft_folded(f, static_cast<int32_t>(row) - f.top, f.bottom);
    const T *const from = reinterpret_cast<const T *>(f.memory + y * f.pitch);
    const int32_t x = static_cast<int32_t>(2 * j) - f.left, apart = static_cast<int32_t>(2 * each);
    GF_UNROLL
    for (int t = 0; t < R; t++) {
        const int32_t a = gf_fft_folded(f, x + t * apart, f.right);
        const int32_t b = gf_fft_folded(f, x + t * apart + 1, f.right);
        u[t] = {static_cast<float>(from[a * f.step]), static_cast<float>(from[b * f.step])};
    }
}

/* Of row `row` of the picture. */
template <class T, int R1, int R2, int R3>
GF_DEVICE_FN void gf_fft_write_row(const gf_fft_frame &f, int64_t row, uint32_t k, uint32_t span,
                                   const gf_fft_complex (&u)[R1 * R2 * R3])
{
    T *const to = reinterpret_cast<T *>(f.memory + row * f.pitch);
    const int32_t x = static_cast<int32_t>(2 * k) - f.left, apart = static_cast<int32_t>(2 * span);
    const uint32_t width = static_cast<uint32_t>(f.width);
    GF_UNROLL
    for (int t = 0; t < R1 * R2 * R3; t++) {
        const gf_fft_complex v = u[gf_fft_result_of<R1, R2, R3>(t)]; /* whose parts have changed places */
        const int32_t at = x + t * apart;
        T *const own = to + at * f.step;
        if (static_cast<uint32_t>(at) < width) {
            gf_fft_give(own, v.im);
        }
        if (static_cast<uint32_t>(at + 1) < width - GF_FAULT(cuda_frequency_crop)) {
            gf_fft_give(own + f.step, v.re);
        }
    }
}

struct gf_fft_from_frame {
    gf_fft_frame frame;
    template <int R>
    __device__ __forceinline__ void read(const gf_fft_pass_args &, const gf_fft_lane &l, uint32_t j,
                                         uint32_t each, gf_fft_complex (&u)[R]) const
    {
        if (frame.depth == GF_U8) {
            gf_fft_read_row<uint8_t>(frame, l.number, j, each, u);
        } else if (frame.depth == GF_U16) {
            gf_fft_read_row<uint16_t>(frame, l.number, j, each, u);
        } else {
            gf_fft_read_row<float>(frame, l.number, j, each, u);
        }
    }
    template <int R1, int R2, int R3>
    __device__ __forceinline__ void write(const gf_fft_pass_args &, const gf_fft_lane &, uint32_t, uint32_t,
                                          const gf_fft_complex (&)[R1 * R2 * R3]) const
    {
    }
};

struct gf_fft_to_frame {
    gf_fft_frame frame;
    template <int R>
    __device__ __forceinline__ void read(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t j,
                                         uint32_t each, gf_fft_complex (&u)[R]) const
    {
        gf_fft_read_pairs<R>(g, l, j, each, u);
    }
    template <int R1, int R2, int R3>
    __device__ __forceinline__ void write(const gf_fft_pass_args &g, const gf_fft_lane &l, uint32_t k,
                                          uint32_t span, gf_fft_complex (&u)[R1 * R2 * R3]) const
    {
        constexpr int R = R1 * R2 * R3;
        GF_UNROLL
        for (int t = 0; t < R; t++) {
            u[t] = {u[t].re * g.out.scale, u[t].im * g.out.scale};
        }
        if (frame.shown.gain != 0.0F || frame.shown.absolute) {
            GF_UNROLL
            for (int t = 0; t < R; t++) {
                u[t] = {gf_fft_show(frame.shown, u[t].re), gf_fft_show(frame.shown, u[t].im)};
            }
        }
        if (frame.depth == GF_U8) {
            gf_fft_write_row<uint8_t, R1, R2, R3>(frame, l.number, k, span, u);
        } else if (frame.depth == GF_U16) {
            gf_fft_write_row<uint16_t, R1, R2, R3>(frame, l.number, k, span, u);
        } else {
            gf_fft_write_row<float, R1, R2, R3>(frame, l.number, k, span, u);
        }
    }
};

static __global__ void __launch_bounds__(GF_FFT_ROW_THREADS, GF_FFT_ROW_BLOCKS)
    gf_fft_picture_there(const gf_fft_pass_args g, const gf_fft_from_frame from)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const gf_fft_block b = gf_fft_block_of(g);
    for (int now = 0; now < g.steps; now++) {
        GF_FFT_LARGE_STEP(g.step[now], gf_fft_run_step, from, g, b, z, now, now == 0, false)
        __syncthreads();
    }
    gf_fft_store_pairs<true, false>(g, b, z);
}

static __global__ void __launch_bounds__(GF_FFT_ROW_THREADS, GF_FFT_ROW_BLOCKS)
    gf_fft_picture_back(const gf_fft_pass_args g, const gf_fft_to_frame to)
{
    GF_SHARED_DYN(gf_fft_complex, z);
    const gf_fft_block b = gf_fft_block_of(g);
    for (int now = 0; now < g.steps; now++) {
        GF_FFT_LARGE_STEP(g.step[now], gf_fft_run_step, to, g, b, z, now, now == 0, now == g.steps - 1)
        __syncthreads();
    }
}

#endif
