/* The pixels that a warp of "warp" has made, each a sample unit a channel, go to a row of the output. */
#ifndef GF_PIXEL_WARP_STORE_CUDA_CUH
#define GF_PIXEL_WARP_STORE_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/gf_num.h"

GF_DEVICE_FN void gf_warp_store(uint8_t *to, float v)
{
    *to = gf_quantise_u8(v);
}
GF_DEVICE_FN void gf_warp_store(uint16_t *to, float v)
{
    *to = gf_quantise_u16(v);
}
GF_DEVICE_FN void gf_warp_store(float *to, float v)
{
    *to = gf_canonical(v);
}

/* How the pixels of a warp are stored; `left` of them, if not all, are the row's. Whole warps of RGB bytes
 * store words, of which 24 lanes have one each: some bytes of the pixel that lane `first` has, and some of
 * the next one. */
struct gf_warp_lane {
    int32_t left;
    bool words;
    uint32_t first, bytes;
};

/* words: rows of bytes begin at multiples of 4. */
template <class T, int C> GF_DEVICE_FN struct gf_warp_lane gf_warp_find(bool words, int64_t pixels)
{
    const int32_t left = pixels < GF_WARP ? static_cast<int32_t>(pixels) : GF_WARP;
    const uint32_t lane = gf_lane(), first = 4 * lane / 3, begin = 4 * lane - 3 * first;
    return {left, sizeof(T) == 1 && C == 3 && words && left == GF_WARP, first % GF_WARP,
            begin == 0   ? 0x4210U
            : begin == 1 ? 0x5421U
                         : 0x6542U};
}

/* A number whose lowest byte is what gf_quantise_u8 makes of v. MIXED: v is a mean of bytes, which needs no
 * limits. */
template <bool MIXED> GF_DEVICE_FN uint32_t gf_warp_byte(float v)
{
    if constexpr (MIXED) {
        return gf_float_bits(v + 12582912.0F); /* 1.5 * 2^23 */
    } else {
        return gf_quantise_u8(v);
    }
}

/* The pixels of a warp, side by side from `to` on. MIXED: those of bytes are means of some. */
template <class T, int C, bool MIXED>
GF_DEVICE_FN void gf_warp_put(const struct gf_warp_lane &l, char *to, const float (&sum)[C])
{
    const uint32_t lane = gf_lane();
    if constexpr (sizeof(T) == 1 && C == 3) {
        if (l.words) {
            const uint32_t red = gf_warp_byte<MIXED>(sum[0]), green = gf_warp_byte<MIXED>(sum[1]),
                           blue = gf_warp_byte<MIXED>(sum[2]);
            const uint32_t own = gf_byte_perm(gf_byte_perm(red, green, 0x1140), blue, 0x5410);
            const uint32_t a = gf_shfl(own, l.first), b = gf_shfl(own, (l.first + 1) % GF_WARP);
            if (lane < GF_WARP * C / 4) {
                gf_store4(to + 4 * lane, gf_byte_perm(a, b, l.bytes));
            }
            return;
        }
    }
    if (static_cast<int32_t>(lane) < l.left) {
        T *own = reinterpret_cast<T *>(to) + lane * C;
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            gf_warp_store(own + c, sum[c]);
        }
    }
}

#endif
