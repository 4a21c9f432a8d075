/* Four by four bytes turned: rows become columns. */
#ifndef GF_PIXEL_BYTE_SQUARE_CUDA_CUH
#define GF_PIXEL_BYTE_SQUARE_CUDA_CUH

#include "base/gf_cuda.h"

/* Word j of `out` is byte j of a, b, c and d. */
GF_DEVICE_FN void gf_turn_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t (&out)[4])
{
    const uint32_t low0 = gf_byte_perm(a, b, 0x5140), low1 = gf_byte_perm(c, d, 0x5140);
    const uint32_t high0 = gf_byte_perm(a, b, 0x7362), high1 = gf_byte_perm(c, d, 0x7362);
    out[0] = gf_byte_perm(low0, low1, 0x5410);
    out[1] = gf_byte_perm(low0, low1, 0x7632);
    out[2] = gf_byte_perm(high0, high1, 0x5410);
    out[3] = gf_byte_perm(high0, high1, 0x7632);
}

#endif
