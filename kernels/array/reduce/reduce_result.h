/* The last step of a reduction: from what is known of the whole array to what gf_reduce writes. For the CPU
 * and CUDA. */
#pragma once

#include "array/reduce/reduce_part.h"

/* The least or greatest element: where there is none (n = 0) the other end of the type, where all are NaN
 * that. */
GF_HD void gf_reduce_write_extreme(gf_depth type, int greatest, const struct gf_reduce_part *part, void *out)
{
    uint64_t rank = part->rank;
    switch (type) {
    case GF_U8:
        *(uint8_t *)out = gf_unrank_u8((uint8_t)rank, greatest);
        break;
    case GF_U16:
        *(uint16_t *)out = gf_unrank_u16((uint16_t)rank, greatest);
        break;
    case GF_U32:
        *(uint32_t *)out = gf_unrank_u32((uint32_t)rank, greatest);
        break;
    case GF_U64:
        *(uint64_t *)out = gf_unrank_u64(rank, greatest);
        break;
    case GF_S16:
        *(int16_t *)out = gf_unrank_s16((uint16_t)rank, greatest);
        break;
    case GF_S32:
        *(int32_t *)out = gf_unrank_s32((uint32_t)rank, greatest);
        break;
    case GF_S64:
        *(int64_t *)out = gf_unrank_s64(rank, greatest);
        break;
    case GF_F32:
        *(float *)out = part->n > 0 ? gf_unrank_f32((uint32_t)rank, greatest)
                                    : gf_bits_float(greatest ? 0xff800000U : 0x7f800000U);
        break;
    case GF_F64:
        *(double *)out = part->n > 0 ? gf_unrank_f64(rank, greatest)
                                     : gf_bits_double(greatest ? 0xfff0000000000000U : 0x7ff0000000000000U);
        break;
    }
}

GF_HD void gf_reduce_write_bits(gf_depth type, uint64_t bits, void *out)
{
    switch (type) {
    case GF_U8:
        *(uint8_t *)out = (uint8_t)bits;
        break;
    case GF_U16:
    case GF_S16:
        *(uint16_t *)out = (uint16_t)bits;
        break;
    case GF_U32:
    case GF_S32:
        *(uint32_t *)out = (uint32_t)bits;
        break;
    default:
        *(uint64_t *)out = bits;
        break;
    }
}

GF_HD void gf_reduce_write_moments(gf_reduce_op op, gf_depth type, const struct gf_reduce_part *part,
                                   double *out)
{
    double n = (double)part->n;
    double nan = gf_bits_double(0x7ff8000000000000U);
    if (op == GF_REDUCE_MEAN || !gf_reduce_is_ordered(op, type)) {
        out[0] =
            part->n == 0 ? nan : (gf_reduce_is_float(type) ? part->number : gf_round_int128(part->sum)) / n;
        if (op == GF_REDUCE_VAR) {
            out[1] = part->n == 0 ? nan : gf_exact_variance(part->n, part->sum, part->squares);
        }
    } else {
        out[0] = part->n == 0 ? nan : part->moments.mean;
        out[1] = part->n == 0 ? nan : part->moments.m2 / n;
        out[1] = gf_canonical_double(out[1]);
    }
    out[0] = gf_canonical_double(out[0]);
}

GF_HD void gf_reduce_write(gf_reduce_op op, gf_depth type, const struct gf_reduce_part *part, void *out)
{
    switch (op) {
    case GF_REDUCE_SUM:
    case GF_REDUCE_PRODUCT:
        if (gf_reduce_is_float(type)) {
            *(double *)out = gf_canonical_double(part->number);
        } else {
            *(uint64_t *)out = part->bits;
        }
        break;
    case GF_REDUCE_MIN:
    case GF_REDUCE_MAX:
        gf_reduce_write_extreme(type, op == GF_REDUCE_MAX, part, out);
        break;
    case GF_REDUCE_ARGMIN:
    case GF_REDUCE_ARGMAX:
        *(int64_t *)out = part->index;
        break;
    case GF_REDUCE_AND:
    case GF_REDUCE_OR:
    case GF_REDUCE_XOR:
        gf_reduce_write_bits(type, part->bits, out);
        break;
    case GF_REDUCE_ANY:
    case GF_REDUCE_ALL:
        *(uint8_t *)out = (uint8_t)part->bits;
        break;
    case GF_REDUCE_MEAN:
    case GF_REDUCE_VAR:
        gf_reduce_write_moments(op, type, part, (double *)out);
        break;
    }
}
