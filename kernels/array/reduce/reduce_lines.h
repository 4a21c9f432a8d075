/* Inner loops of reduction on the CPU, once a SIMD level: reduce_lines.c is compiled several times, as
 * pixel/cpu/cpu_rows.c is, and makes one constant table each. All levels give the same bits. Functions are
 * pure. A function is NULL where the operation does not exist for the type. */
#pragma once

#include "array/reduce/reduce_part.h"

/* Loops over elements of one type; n is at most GF_REDUCE_LEAF. */
struct gf_reduce_lines {
    uint64_t (*sum)(const void *in, int64_t n); /* of integers, modulo 2^64 */
    uint64_t (*product)(const void *in, int64_t n);
    uint64_t (*all)(const void *in, int64_t n);  /* and */
    uint64_t (*any)(const void *in, int64_t n);  /* or */
    uint64_t (*odd)(const void *in, int64_t n);  /* xor */
    int64_t (*zeros)(const void *in, int64_t n); /* how many elements are 0, as C compares */
    /* Sum of squares of integers of up to 32 bits, less than 2^76: low and high word. */
    void (*squares)(const void *in, int64_t n, uint64_t words[2]);
    /* Least rank (gf_rank_...), and the first place of a rank that is there. */
    uint64_t (*rank)(const void *in, int64_t n, int greatest);
    int64_t (*find)(const void *in, int64_t n, uint64_t rank, int greatest);
    /* A leaf of floats, or of 64-bit integers taken as f64: sum, product, squared distances from a mean. */
    double (*number)(const void *in, int64_t n);
    double (*number_product)(const void *in, int64_t n);
    double (*distance)(const void *in, int64_t n, double mean);
};

/* Indexed by depth. */
extern const struct gf_reduce_lines gf_reduce_lines_baseline[GF_S64 + 1];
extern const struct gf_reduce_lines gf_reduce_lines_avx2[GF_S64 + 1];
extern const struct gf_reduce_lines gf_reduce_lines_avx512[GF_S64 + 1];
