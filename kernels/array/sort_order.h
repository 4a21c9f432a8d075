/* sort_order.h: the order of the sort on the bits of keys, and the passes of a radix sort. One source for
 * C11, C++17 and CUDA.
 *
 *   gf_rank_...(bits, flip)  an unsigned number that ascends in the order asked for. flip is gf_sort_flip of
 * the type. Ranks of integers are one to one (bits = rank ^ flip); NaN share the greatest rank, and no other
 *                            float has it in either direction: so they come last, and a stable sort keeps
 * their order. */
#ifndef GF_ARRAY_SORT_ORDER_H
#define GF_ARRAY_SORT_ORDER_H

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

/* What turns the bits of an integer, or the key of a float, into its rank: the sign bit of signed integers,
 * and all bits to descend. */
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

/* Which of the passes run, as a mask. differing: the bits that are not the same in all ranks. in_place: an
 * output (keys or values) is its own input; apart: an output is not. A key of 8 bits has two passes, of which
 * the second never differs. */
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

/* Where a pass of `run` writes, and where it reads. */
GF_HD int gf_sort_target(uint32_t run, int pass)
{
    return gf_sort_is_odd(run >> pass >> 1) ? GF_SORT_SCRATCH : GF_SORT_OUT;
}
GF_HD int gf_sort_source(uint32_t run, int pass)
{
    int first = (run & ((1U << pass) - 1)) == 0;
    return first ? GF_SORT_IN : GF_SORT_OUT + GF_SORT_SCRATCH - gf_sort_target(run, pass);
}

#endif
