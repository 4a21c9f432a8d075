/* Samples as the rank window compares them: keys whose unsigned order is theirs. Words of the networks hold
 * two keys of u8 or u16 side by side, or one of f32. */
#ifndef GF_PIXEL_RANK_SAMPLE_CUDA_CUH
#define GF_PIXEL_RANK_SAMPLE_CUDA_CUH

#include "base/gf_cuda.h"
#include "base/gf_num.h"

struct gf_rank_two { /* u8 and u16 */
    static const int SIDES = 2;
    using word = uint32_t;
    static __device__ __forceinline__ uint32_t load(const unsigned char *row, int64_t i, bool bytes)
    {
        return bytes ? row[i] : reinterpret_cast<const uint16_t *>(row)[i];
    }
    static __device__ __forceinline__ void store(unsigned char *row, int64_t i, bool bytes, uint32_t key)
    {
        if (bytes) {
            row[i] = static_cast<uint8_t>(key);
        } else {
            reinterpret_cast<uint16_t *>(row)[i] = static_cast<uint16_t>(key);
        }
    }
    static __device__ __forceinline__ uint32_t least(uint32_t a, uint32_t b) { return gf_min2(a, b); }
    static __device__ __forceinline__ uint32_t most(uint32_t a, uint32_t b) { return gf_max2(a, b); }
};

struct gf_rank_one { /* f32 */
    static const int SIDES = 1;
    using word = uint32_t;
    static __device__ __forceinline__ uint32_t load(const unsigned char *row, int64_t i, bool)
    {
        return gf_float_key(reinterpret_cast<const float *>(row)[i]);
    }
    static __device__ __forceinline__ void store(unsigned char *row, int64_t i, bool, uint32_t key)
    {
        reinterpret_cast<float *>(row)[i] = gf_key_float(key);
    }
    static __device__ __forceinline__ uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
    static __device__ __forceinline__ uint32_t most(uint32_t a, uint32_t b) { return a < b ? b : a; }
};

/* The same of a depth that is known when the kernel runs. */
GF_DEVICE_FN uint32_t gf_rank_key(const unsigned char *row, int64_t i, gf_depth depth)
{
    return depth == GF_F32 ? gf_rank_one::load(row, i, false) : gf_rank_two::load(row, i, depth == GF_U8);
}

GF_DEVICE_FN void gf_rank_put(unsigned char *row, int64_t i, gf_depth depth, uint32_t key)
{
    if (depth == GF_F32) {
        gf_rank_one::store(row, i, false, key);
    } else {
        gf_rank_two::store(row, i, depth == GF_U8, key);
    }
}

#endif
