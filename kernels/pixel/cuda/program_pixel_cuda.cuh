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

/* MAGNITUDE of pixels of 2 * half channels. */
template <int CM, int P> GF_DEVICE_FN void gf_lanes_magnitude(float scale, int32_t half, float (&v)[CM][P])
{
#pragma unroll
    for (int c = 0; c < CM / 2; c++) {
        if (c < half) {
#pragma unroll
            for (int i = 0; i < P; i++) {
                float y = v[c + 1][i];
#pragma unroll
                for (int k = 2; k <= CM / 2; k++) {
                    y = half == k ? v[c + k][i] : y;
                }
                v[c][i] = gf_magnitude(v[c][i], y, scale);
            }
        }
    }
}

/* PREMULTIPLY, UNPREMULTIPLY and FLATTEN, alpha being channel `last`: 1 or 3. */
template <int CM, int P>
GF_DEVICE_FN void gf_lanes_alpha(const struct gf_insn &insn, int32_t last, float (&v)[CM][P])
{
    if constexpr (CM >= 2) {
#pragma unroll
        for (int i = 0; i < P; i++) {
            const float alpha = CM >= 4 && last == 3 ? v[CM >= 4 ? 3 : 1][i] : v[1][i];
            const float share = insn.code == GF_INSN_FLATTEN ? gf_div_call(alpha, insn.k[1]) : 0.0F;
#pragma unroll
            for (int c = 0; c < (CM >= 4 ? 3 : 1); c++) {
                if (c >= last) {
                    continue;
                }
                if (insn.code == GF_INSN_PREMULTIPLY) {
                    v[c][i] = gf_premultiply(&insn, v[c][i], alpha);
                } else if (insn.code == GF_INSN_UNPREMULTIPLY) {
                    v[c][i] = insn.arg       ? gf_unpremultiply(&insn, v[c][i], alpha)
                              : alpha > 0.0F ? gf_div_call(v[c][i], alpha)
                                             : 0.0F;
                } else if ((insn.mask >> c & 1) != 0) {
                    v[c][i] = gf_mix(share, v[c][i], insn.k[0]);
                }
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
        gf_lanes_magnitude<CM, P>(insn.k[0], channels, v);
        return true;
    case GF_INSN_PREMULTIPLY:
    case GF_INSN_UNPREMULTIPLY:
    case GF_INSN_FLATTEN:
        gf_lanes_alpha<CM, P>(insn, channels - 1, v);
        return true;
    case GF_INSN_SPREAD:
    case GF_INSN_ADD_ALPHA:
        gf_lanes_more<CM, P>(insn, channels, v);
        channels += insn.code == GF_INSN_SPREAD ? 2 : 1;
        return true;
    case GF_INSN_DROP_ALPHA: /* the last is out of sight */
        channels -= 1;
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
    const float *const data = static_cast<const float *>(block->data);
    constexpr int MOST = CM < 4 ? CM : 4;
    float made[MOST][P];
#pragma unroll
    for (int r = 0; r < MOST; r++) {
        if (r < rows) {
            const float *const row = data + r * block->width;
            const float first = row[channels];
#pragma unroll
            for (int i = 0; i < P; i++) {
                made[r][i] = first;
            }
#pragma unroll
            for (int c = 0; c < MOST; c++) {
#pragma unroll
                for (int i = 0; i < P; i++) {
                    made[r][i] = c < channels ? gf_fma(row[c], v[c][i], made[r][i]) : made[r][i];
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

/* What an instruction by way of memory reads beside its pixels. */
struct gf_any_reads {
    struct gf_block_view block, block2;
    struct gf_surface operand;
    struct gf_rect roi;
    struct gf_place at;
    int64_t width;
};

/* n pixels by way of memory, in which their channels are counted at run time. REGION has one weight for all
 * channels of a pixel. */
static __device__ __noinline__ __attribute__((unused)) void gf_any_call(struct gf_insn insn,
                                                                        const struct gf_any_reads &r,
                                                                        int32_t channels, int32_t n,
                                                                        float (*pixels)[GF_MAX_CHANNELS])
{
    const bool reads = gf_insn_is(insn.code, GF_INSN_READS_OPERAND), region = insn.code == GF_INSN_REGION;
    const int64_t y = r.at.y;
    const unsigned char *const row = reads ? r.operand.data + y * r.operand.pitch : nullptr;
#pragma unroll 1
    for (int32_t i = 0; i < n && r.at.x + i * r.at.step < r.width; i++) {
        float *const v = pixels[i];
        const int64_t x = r.at.x + i * r.at.step;
        const bool inside = insn.roi < 0 || gf_rect_has(r.roi, x, y);
        float o[GF_MAX_CHANNELS] = {};
        for (int32_t c = 0; reads && c < r.operand.channels; c++) {
            o[c] = gf_sample_load(row, r.operand.depth,
                                  (x - (GF_FAULT(cuda_pixel_operand) && i > 0)) * r.operand.channels + c);
        }
        if (gf_insn_is(insn.code, GF_INSN_BY_PIXEL)) {
            const struct gf_pixel_reads read = {&r.block, o, r.operand.channels};
            gf_insn_pixel(&insn, v, channels, &read);
            continue;
        }
        if (insn.code == GF_INSN_FORMULA_PLACE) {
            gf_formula_run_placed(&r.block, r.roi, x + GF_FAULT(cuda_formula_column), y, v, channels);
            continue;
        }
        const float weight =
            region && inside ? gf_region_weight(&insn, r.roi, x, y + GF_FAULT(cuda_region_place)) : 1.0F;
        for (int32_t c = 0; c < channels; c++) {
            if ((insn.mask >> c & 1) != 0 && (region || inside)) {
                const float other = o[gf_operand_channel(&insn, c)];
                v[c] = region  ? gf_region_mix(weight, v[c], other)
                       : reads ? gf_insn_combine(&insn, v[c], other, o[r.operand.channels - 1])
                               : gf_insn_sample(&insn, v[c], c, &r.block, &r.block2);
            }
        }
    }
}

/* An instruction that is not IN_REGISTERS. */
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
        float pixels[P][GF_MAX_CHANNELS];
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int c = 0; c < CM; c++) {
                pixels[i][c] = v[c][i];
            }
        }
        const struct gf_any_reads reads = {*block,
                                           a.blocks[insn.block2 >= 0 ? insn.block2 : 0],
                                           a.operand[insn.operand],
                                           a.rois[insn.roi >= 0 ? insn.roi : 0],
                                           at,
                                           a.width};
        gf_any_call(insn, reads, channels, P, pixels);
#pragma unroll
        for (int i = 0; i < P; i++) {
#pragma unroll
            for (int c = 0; c < CM; c++) {
                v[c][i] = pixels[i][c];
            }
        }
    }
    channels = gf_insn_channels(&insn, channels);
}

#endif
