/* The RGB pixels of a warp, a lane each, as words of four bytes of a row: 24 lanes have one each. */
#ifndef GF_PIXEL_RGB_WORDS_CUDA_CUH
#define GF_PIXEL_RGB_WORDS_CUDA_CUH

#include "base/gf_cuda.h"

enum { GF_RGB_WORDS = GF_WARP * 3 / 4 };

/* The lane's word: some bytes of the pixel that lane `first` has, and some of the next one. */
struct gf_rgb_lane {
    uint32_t first, bytes;
};

GF_DEVICE_FN struct gf_rgb_lane gf_rgb_find()
{
    const uint32_t first = 4 * gf_lane() / 3, begin = 4 * gf_lane() - 3 * first;
    return {first % GF_WARP, begin == 0 ? 0x4210U : begin == 1 ? 0x5421U : 0x6542U};
}

/* The word of the lane, of the first GF_RGB_WORDS. `own`: the lane's pixel, red in the lowest byte; the
 * highest does not matter. All lanes. */
GF_DEVICE_FN uint32_t gf_rgb_word(const struct gf_rgb_lane &l, uint32_t own)
{
    const uint32_t a = gf_shfl(own, l.first), b = gf_shfl(own, (l.first + 1) % GF_WARP);
    return gf_byte_perm(a, b, l.bytes);
}

#endif
