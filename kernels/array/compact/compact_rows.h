/* Inner loops of the CPU's compaction, once per SIMD level, as scan_rows.h. */
#pragma once

#include "array/compact/compact_call.h"

enum {
    GF_COMPACT_BLOCK = 1024, /* elements of a call, at most */
    GF_COMPACT_STEP = 64     /* elements that are read and written at once, at most */
};

struct gf_compact_rows {
    /* flags[i] = 1 where element i stays, else 0; returns how many stay. For KEEP_FLAGS `in` is the caller's
     * flags. */
    int32_t (*flag)(const void *in, gf_depth type, int32_t n, struct gf_keep_test test, uint8_t *flags);
    int32_t (*flag_flags)(const uint8_t *in, int32_t n, uint8_t *flags);

    /* GF_COMPACT_BLOCK flags as bits, the lowest bit of a byte first. */
    void (*bits)(const uint8_t *flags, uint8_t *bits);

    /* Packs elements of 1, 2, 4, 8 bytes (by log2), or indices from `first`, whose bit is 1, to the front of
     * out; returns their number. n is a multiple of GF_COMPACT_STEP, and `out` has room for as many. */
    int32_t (*pack[4])(const void *in, const uint8_t *bits, int32_t n, void *out);
    int32_t (*pack_u32)(uint32_t first, const uint8_t *bits, int32_t n, uint32_t *out);
    int32_t (*pack_u64)(uint64_t first, const uint8_t *bits, int32_t n, uint64_t *out);
};

extern const struct gf_compact_rows gf_compact_rows_baseline, gf_compact_rows_avx2, gf_compact_rows_avx512;
extern const struct gf_compact_rows gf_compact_rows_vbmi2; /* and this: avx512 with AVX512-VBMI2 */

/* The fastest level that runs here. */
const struct gf_compact_rows *gf_compact_rows_best(void);
