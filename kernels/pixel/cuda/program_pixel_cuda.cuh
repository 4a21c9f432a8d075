/* POINT programs on the GPU: the instructions that look at whole pixels, on v[channel][pixel] as in
 * program_cuda.cuh. */
#ifndef GF_PIXEL_PROGRAM_PIXEL_CUDA_CUH
#define GF_PIXEL_PROGRAM_PIXEL_CUDA_CUH

#include "pixel/cuda/sample_cuda.cuh"
#include "pixel/ir/program.h"

/* The long instructions, out of line: inlining them for every channel and pixel buys nothing. */
static __device__ __noinline__ __attribute__((unused)) float gf_div_call(float a, float b)
{
    return gf_div(a, b);
}

static __device__ __noinline__ __attribute__((unused)) float gf_unpremultiply_call(float colour, float alpha)
{
    return gf_unpremultiply(colour, alpha);
}

/* MAGNITUDE where the pixel has 2 * HALF channels. */
template <int HALF, int CM, int P> GF_DEVICE_FN void gf_lanes_magnitude(float scale, float (&v)[CM][P])
{
    if constexpr (2 * HALF <= CM) {
#pragma unroll
        for (int c = 0; c < HALF; c++) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                v[c][i] = gf_magnitude(v[c][i], v[HALF + c][i], scale);
            }
        }
    }
}

template <int LAST, int CM, int P> GF_DEVICE_FN void gf_lanes_alpha(bool divide, float (&v)[CM][P])
{
    if constexpr (LAST < CM) {
#pragma unroll
        for (int c = 0; c < LAST; c++) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                const float alpha = v[LAST][i];
                v[c][i] = divide ? gf_unpremultiply_call(v[c][i], alpha) : v[c][i] * alpha;
            }
        }
    }
}

template <int CM, int P> GF_DEVICE_FN void gf_lanes_gray(bool integer, float (&v)[CM][P])
{
    if constexpr (CM >= 3) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float r = v[0][i], g = v[1][i], b = v[2][i];
            v[0][i] = integer
                          ? static_cast<float>(gf_gray_u(static_cast<uint32_t>(r), static_cast<uint32_t>(g),
                                                         static_cast<uint32_t>(b)))
                          : gf_gray_f32(r, g, b);
            v[1][i] = v[CM >= 4 ? 3 : 2][i]; /* alpha, where there is one */
        }
    }
}

/* SPREAD, and ADD_ALPHA: the channel behind the last. With it the pixel has at most CM. */
template <int CM, int P>
GF_DEVICE_FN void gf_lanes_more(const struct gf_insn &insn, int32_t channels, float (&v)[CM][P])
{
    if constexpr (CM >= 2) {
        const bool spread = insn.code == GF_INSN_SPREAD, one = channels == 1;
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float gray = v[0][i], last = spread ? v[1][i] : insn.k[0];
            v[1][i] = spread ? gray : one && !(GF_FAULT(cuda_alpha_narrow) && CM < 4) ? last : v[1][i];
            if constexpr (CM >= 3) {
                v[2][i] = spread ? gray : v[2][i];
            }
            if constexpr (CM >= 4) {
                v[3][i] = last;
            }
        }
    }
}

/* FLATTEN, alpha being channel LAST. */
template <int LAST, int CM, int P>
GF_DEVICE_FN void gf_lanes_flatten(const struct gf_insn &insn, float (&v)[CM][P])
{
    if constexpr (LAST < CM) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float share = gf_div_call(v[LAST][i], insn.k[1]);
#pragma unroll
            for (int c = 0; c < LAST; c++) {
                v[c][i] = (insn.mask >> c & 1) != 0 ? gf_mix(share, v[c][i], insn.k[0]) : v[c][i];
            }
        }
    }
}

/* The instructions that look at whole pixels; false: insn is none of them. */
template <int CM, int P>
GF_DEVICE_FN bool gf_lanes_pixel(const struct gf_insn &insn, int32_t &channels, float (&v)[CM][P])
{
    switch (insn.code) {
    case GF_INSN_GRAY_INT:
    case GF_INSN_GRAY_F32:
        gf_lanes_gray<CM, P>(insn.code == GF_INSN_GRAY_INT, v);
        channels -= 2;
        return true;
    case GF_INSN_MAGNITUDE:
        channels /= 2;
        if (channels == 1) {
            gf_lanes_magnitude<1, CM, P>(insn.k[0], v);
        } else if (channels == 2) {
            gf_lanes_magnitude<2, CM, P>(insn.k[0], v);
        } else if (channels == 3) {
            gf_lanes_magnitude<3, CM, P>(insn.k[0], v);
        } else {
            gf_lanes_magnitude<4, CM, P>(insn.k[0], v);
        }
        return true;
    case GF_INSN_PREMULTIPLY:
    case GF_INSN_UNPREMULTIPLY:
        if (channels == 2) {
            gf_lanes_alpha<1, CM, P>(insn.code == GF_INSN_UNPREMULTIPLY, v);
        } else {
            gf_lanes_alpha<3, CM, P>(insn.code == GF_INSN_UNPREMULTIPLY, v);
        }
        return true;
    case GF_INSN_SPREAD:
    case GF_INSN_ADD_ALPHA:
        gf_lanes_more<CM, P>(insn, channels, v);
        channels += insn.code == GF_INSN_SPREAD ? 2 : 1;
        return true;
    case GF_INSN_DROP_ALPHA: /* the last is out of sight */
        channels -= 1;
        return true;
    case GF_INSN_FLATTEN:
        if (channels == 2) {
            gf_lanes_flatten<1, CM, P>(insn, v);
        } else {
            gf_lanes_flatten<3, CM, P>(insn, v);
        }
        return true;
    default:
        return false;
    }
}

/* MATRIX, with its coefficients in registers one after the other: at most four rows of as many channels. */
template <int CM, int P>
GF_DEVICE_FN void gf_lanes_matrix(const struct gf_block_view *block, int32_t rows, int32_t channels,
                                  float (&v)[CM][P])
{
    constexpr int MOST = CM < 4 ? CM : 4;
    float made[MOST][P];
#pragma unroll
    for (int r = 0; r < MOST; r++) {
        if (r < rows) {
            const float first = gf_block_element(block, r, channels);
#pragma unroll
            for (int i = 0; i < P; i++) {
                made[r][i] = first;
            }
#pragma unroll
            for (int c = 0; c < MOST; c++) {
                const float k = c < channels ? gf_block_element(block, r, c) : 0.0F;
#pragma unroll
                for (int i = 0; i < P; i++) {
                    made[r][i] = c < channels ? gf_fma(k, v[c][i], made[r][i]) : made[r][i];
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < MOST; r++) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            v[r][i] = r < rows ? made[r][i] : v[r][i];
        }
    }
}

/* A pixel by way of memory, in which its channels are counted at run time. */
static __device__ __noinline__ __attribute__((unused)) void
gf_pixel_call(struct gf_insn insn, float *v, int32_t channels, struct gf_block_view block,
              const float *operand, int32_t operand_channels)
{
    const struct gf_pixel_reads reads = {&block, operand, operand_channels};
    gf_insn_pixel(&insn, v, channels, &reads);
}

/* LAB, FROM_LAB and CUBE, whose three channels stay in registers. */
struct gf_colour {
    float v[3];
};
static __device__ __noinline__ __attribute__((unused)) struct gf_colour
gf_colour_call(int32_t code, const float *cube, int32_t side, struct gf_colour colour)
{
    if (code == GF_INSN_CUBE) {
        gf_cube_sample(cube, side, colour.v);
    } else if (code == GF_INSN_LAB) {
        gf_lab_of(colour.v);
    } else {
        gf_lab_from(colour.v);
    }
    return colour;
}

template <int CM, int P>
GF_DEVICE_FN void gf_lanes_colour(const struct gf_insn &insn, const struct gf_block_view *block,
                                  float (&v)[CM][P])
{
    if constexpr (CM >= 3) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const struct gf_colour made = gf_colour_call(insn.code, static_cast<const float *>(block->data),
                                                         insn.arg + 1, {{v[0][i], v[1][i], v[2][i]}});
#pragma unroll
            for (int c = 0; c < 3; c++) {
                v[c][i] = made.v[c];
            }
        }
    }
}

/* REGION, in the same way as others: it has one weight for all channels of pixel (x, y). */
static __device__ __noinline__ __attribute__((unused)) void
gf_region_call(struct gf_insn insn, struct gf_rect roi, int64_t x, int64_t y, float *v, int32_t channels,
               const float *operand)
{
    const float weight =
        gf_rect_has(roi, x, y) ? gf_region_weight(&insn, roi, x, y + GF_FAULT(cuda_region_place)) : 1.0F;
    for (int32_t c = 0; c < channels; c++) {
        v[c] = (insn.mask >> c & 1) != 0 ? gf_region_mix(weight, v[c], operand[c]) : v[c];
    }
}

/* REGION, and an instruction BY_PIXEL that is not IN_REGISTERS. */
template <int CM, int P>
GF_DEVICE_FN void gf_lanes_any(const struct gf_pass_args &a, const struct gf_insn &insn,
                               const struct gf_place &at, int32_t &channels, float (&v)[CM][P])
{
    const struct gf_block_view *block = insn.block >= 0 ? &a.blocks[insn.block] : a.blocks;
    if (insn.code == GF_INSN_MATRIX) {
        gf_lanes_matrix<CM, P>(block, insn.arg, channels, v);
    } else if (insn.code == GF_INSN_CUBE || insn.code == GF_INSN_LAB || insn.code == GF_INSN_FROM_LAB) {
        gf_lanes_colour<CM, P>(insn, block, v);
    } else {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const struct gf_surface &operand = a.operand[insn.operand];
            const bool reads = gf_insn_is(insn.code, GF_INSN_READS_OPERAND);
            const int64_t x = at.x + i * at.step;
            float pixel[GF_MAX_CHANNELS], o[GF_MAX_CHANNELS] = {};
#pragma unroll
            for (int c = 0; c < CM; c++) {
                pixel[c] = v[c][i];
            }
            for (int c = 0; reads && x < a.width && c < operand.channels; c++) {
                o[c] = gf_sample_load(operand.data + at.y * operand.pitch, operand.depth,
                                      (x - (GF_FAULT(cuda_pixel_operand) && i > 0)) * operand.channels + c);
            }
            if (insn.code == GF_INSN_REGION) {
                gf_region_call(insn, a.rois[insn.roi], x, at.y, pixel, channels, o);
            } else {
                gf_pixel_call(insn, pixel, channels, *block, o, operand.channels);
            }
#pragma unroll
            for (int c = 0; c < CM; c++) {
                v[c][i] = pixel[c];
            }
        }
    }
    channels = gf_insn_channels(&insn, channels);
}

#endif
