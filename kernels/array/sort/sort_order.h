/* sort_order.h: the order of the sort on the bits of keys, and the passes of a radix sort. One source for
 * C11, C++17 and CUDA.
 *
 *   gf_rank_...(bits, flip)  an unsigned number that ascends in the order asked for; flip is gf_sort_flip of
 *                            the type
 *
 * Ranks of integers are one to one: bits = rank ^ flip. NaN share the greatest rank, and no other float has
 * it in either direction: so they come last, and a stable sort keeps their order. */
#pragma once

#include "base/gf_order.h"
#include "gpufilter/types.h"

GF_HD uint8_t gf_rank_8(uint8_t bits, uint8_t flip)
{
    return (uint8_t)(bits ^ flip);
}
GF_HD uint16_t gf_rank_16(uint16_t bits, uint16_t flip)
{
    return (uint16_t)(bits ^ flip);
}
GF_HD uint32_t gf_rank_32(uint32_t bits, uint32_t flip)
{
    return bits ^ flip;
}
GF_HD uint64_t gf_rank_64(uint64_t bits, uint64_t flip)
{
    return bits ^ flip;
}
GF_HD uint32_t gf_rank_f32(uint32_t bits, uint32_t flip)
{
    uint32_t key = gf_key_f32(gf_bits_float(bits));
    return key == 0xffffffffU ? key : key ^ flip;
}
GF_HD uint64_t gf_rank_f64(uint64_t bits, uint64_t flip)
{
    uint64_t key = gf_key_f64(gf_bits_double(bits));
    return key == 0xffffffffffffffffU ? key : key ^ flip;
}

/* Codes: one to one, so that a merge can hold them in place of keys; they compare as gf_code_order_... of
 * them. For integers both are the rank. For floats -inf is 0, numbers ascend, and the NaN follow, which are
 * all equal in the order. To descend (flip is not 0) the sign is turned round first. */
GF_HD uint32_t gf_code_f32(uint32_t bits, uint32_t flip)
{
    bits ^= flip & 0x80000000U;
    return (bits ^ ((0U - (bits >> 31)) | 0x80000000U)) - 0x007fffffU;
}
GF_HD uint32_t gf_uncode_f32(uint32_t code, uint32_t flip)
{
    uint32_t key = code + 0x007fffffU;
    return key ^ (((key >> 31) - 1U) | 0x80000000U) ^ (flip & 0x80000000U);
}
GF_HD uint32_t gf_code_order_f32(uint32_t code)
{
    return code < 0xff000002U ? code : 0xff000002U;
}
GF_HD uint64_t gf_code_f64(uint64_t bits, uint64_t flip)
{
    bits ^= flip & 0x8000000000000000U;
    return (bits ^ ((0U - (bits >> 63)) | 0x8000000000000000U)) - 0x000fffffffffffffU;
}
GF_HD uint64_t gf_uncode_f64(uint64_t code, uint64_t flip)
{
    uint64_t key = code + 0x000fffffffffffffU;
    return key ^ (((key >> 63) - 1U) | 0x8000000000000000U) ^ (flip & 0x8000000000000000U);
}
GF_HD uint64_t gf_code_order_f64(uint64_t code)
{
    return code < 0xffe0000000000002U ? code : 0xffe0000000000002U;
}

/* Returns what turns the bits of an integer, or the key of a float, into its rank: the sign bit of signed
 * integers, and all bits to descend. */
GF_HD uint64_t gf_sort_flip(gf_depth type, int32_t descending)
{
    uint64_t sign = type == GF_S16   ? 0x8000U
                    : type == GF_S32 ? 0x80000000U
                    : type == GF_S64 ? 0x8000000000000000U
                                     : 0U;
    return descending ? ~sign : sign;
}

/* ---- Passes -----------------------------------------------------------------------------------
 * A radix sort by digits of 8 bits moves the elements once a pass, between three buffers: the input, the
 * output, and scratch memory. A pass whose digit is the same everywhere need not run. But where an output is
 * its own input the number of passes must be even, since none may write what it reads; and where one is not,
 * none is too few. Then idle passes run as well: plain copies. */
enum { GF_SORT_IN, GF_SORT_OUT, GF_SORT_SCRATCH };

GF_HD int gf_sort_is_odd(uint32_t run)
{
    int odd = 0;
    for (; run != 0; run &= run - 1) {
        odd = !odd;
    }
    return odd;
}

/* Returns which of the passes run, as a mask. differing: the bits that are not the same in all ranks.
 * in_place: an output (keys or values) is its own input; apart: an output is not. A key of 8 bits has two
 * passes, the second of which never differs. */
GF_HD uint32_t gf_sort_passes(uint64_t differing, int key_bytes, int in_place, int apart)
{
    int passes = key_bytes < 2 ? 2 : key_bytes;
    uint32_t run = 0;
    for (int pass = 0; pass < passes; pass++) {
        run |= (uint32_t)((differing >> (8 * pass) & 255U) != 0) << pass;
    }
    for (int pass = 0; pass < passes; pass++) {
        if ((in_place && gf_sort_is_odd(run)) || (apart && run == 0)) {
            run |= run + 1; /* the lowest idle one */
        }
    }
    return run;
}

/* Return where a pass of `run` writes, and where it reads. */
GF_HD int gf_sort_target(uint32_t run, int pass)
{
    return gf_sort_is_odd(run >> pass >> 1) ? GF_SORT_SCRATCH : GF_SORT_OUT;
}
GF_HD int gf_sort_source(uint32_t run, int pass)
{
    int first = (run & ((1U << pass) - 1)) == 0;
    return first ? GF_SORT_IN : GF_SORT_OUT + GF_SORT_SCRATCH - gf_sort_target(run, pass);
}
