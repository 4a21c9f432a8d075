/* Bytes of rows by vectors of 16, and as f32. */
#ifndef GF_PIXEL_CHUNK_CUDA_CUH
#define GF_PIXEL_CHUNK_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"

/* Byte i of a word as f32: the lowest bits of 2^23. */
GF_DEVICE_FN float gf_byte_float(uint32_t w, uint32_t i)
{
    return gf_bits_float(gf_byte_perm(w, 0x4b000000U, 0x7540U + i)) - 8388608.0F;
}

/* The first `bytes` of N words, zeros behind them; where `wide`, 16 bytes an access. */
template <int N>
GF_DEVICE_FN void gf_chunk_load(const unsigned char *from, bool wide, int32_t bytes, uint32_t (&w)[N])
{
    if (wide && bytes == 4 * N) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            const uint4 v = gf_load16(from + 4 * i, GF_STREAM);
            w[i] = v.x;
            w[i + 1] = v.y;
            w[i + 2] = v.z;
            w[i + 3] = v.w;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < N; i++) {
        w[i] = 0;
#pragma unroll
        for (int b = 0; b < 4; b++) {
            w[i] |= 4 * i + b < bytes - GF_FAULT(cuda_wide_tail)
                        ? static_cast<uint32_t>(from[4 * i + b]) << (8 * b)
                        : 0U;
        }
    }
}

template <int N>
GF_DEVICE_FN void gf_chunk_store(unsigned char *to, bool wide, int32_t bytes, const uint32_t (&w)[N])
{
    if (wide && bytes == 4 * N) {
#pragma unroll
        for (int i = 0; i < N; i += 4) {
            gf_store16(to + 4 * i, make_uint4(w[i], w[i + 1], w[i + 2], w[i + 3]), GF_STREAM);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < 4 * N; i++) {
        if (i < bytes) {
            to[i] = static_cast<unsigned char>(w[i / 4] >> (8 * (i % 4)));
        }
    }
}

#endif
