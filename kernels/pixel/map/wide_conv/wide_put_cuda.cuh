/* What a sum becomes in the output of wide_conv. */
#ifndef GF_PIXEL_WIDE_PUT_CUDA_CUH
#define GF_PIXEL_WIDE_PUT_CUDA_CUH

#include "base/gf_cuda.h"
#include "pixel/map/wide_conv/wide_conv.h"

GF_DEVICE_FN void gf_wide_conv_put(char *row, int64_t sample, int depth, double sum, double unit)
{
    if (depth == GF_U8) {
        reinterpret_cast<uint8_t *>(row)[sample] = static_cast<uint8_t>(gf_wide_conv_level(sum, unit, 255));
    } else if (depth == GF_U16) {
        reinterpret_cast<uint16_t *>(row)[sample] =
            static_cast<uint16_t>(gf_wide_conv_level(sum, unit, 65535));
    } else {
        reinterpret_cast<float *>(row)[sample] = static_cast<float>(sum * unit);
    }
}

#endif
