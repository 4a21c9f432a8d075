/* The pixels that a warp of "warp" has made, each a sample unit a channel, go to a row of the output. */
#ifndef GF_PIXEL_WARP_STORE_CUDA_CUH
#define GF_PIXEL_WARP_STORE_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/gf_num.h"
#include "pixel/cuda/rgb_words_cuda.cuh"

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
 * store words. */
struct gf_warp_lane {
    int32_t left, at; /* at: where the lane stores, in bytes from the first pixel on */
    bool words;
    struct gf_rgb_lane rgb;
};

/* words: rows of bytes begin at multiples of 4. */
template <class T, int C> GF_DEVICE_FN struct gf_warp_lane gf_warp_find(bool words, int64_t pixels)
{
    const int32_t left = pixels < GF_WARP ? static_cast<int32_t>(pixels) : GF_WARP;
    const bool whole = sizeof(T) == 1 && C == 3 && words && left == GF_WARP;
    const int32_t at = static_cast<int32_t>(whole ? 4 * gf_lane() : gf_lane() * sizeof(T) * C);
    return {left, at, whole, gf_rgb_find()};
}

/* The pixels of a warp; `to` is where the lane stores. */
template <class T, int C>
GF_DEVICE_FN void gf_warp_put(const struct gf_warp_lane &l, char *to, const float (&sum)[C])
{
    const uint32_t lane = gf_lane();
    if constexpr (sizeof(T) == 1 && C == 3) {
        if (l.words) {
            const uint32_t own =
                gf_pack_u8(gf_round_s32(sum[0]), gf_round_s32(sum[1]), gf_round_s32(sum[2]), 0);
            const uint32_t word = gf_rgb_word(l.rgb, own);
            if (lane < GF_RGB_WORDS) {
                gf_store4(to, word);
            }
            return;
        }
    }
    if (static_cast<int32_t>(lane) < l.left) {
        T *own = reinterpret_cast<T *>(to);
        GF_UNROLL
        for (int c = 0; c < C; c++) {
            gf_warp_store(own + c, sum[c]);
        }
    }
}

#endif
