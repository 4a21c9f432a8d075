/* What the CPU's compaction and partition share: a test of blocks of elements, and a stage through which what
 * is packed goes to the output. */
#pragma once

#include "array/compact/compact_rows.h"

enum {
    GF_COMPACT_CHUNK = 64 * GF_COMPACT_BLOCK, /* elements; with flags and results inside a core's cache */
    GF_COMPACT_STAGE_BYTES = 8192             /* of results that are written at once */
};

struct gf_compact_work {
    const struct gf_compact_call *call;
    const struct gf_compact_rows *rows;
    void (*stream)(void *out, const void *in, size_t bytes); /* NULL: write through the caches */
    int width;                                               /* log2 of an element's bytes */
    size_t result_size;                                      /* bytes */
};

struct gf_compact_work gf_compact_work_of(const struct gf_compact_call *call);

/* The bits of GF_COMPACT_BLOCK elements, 0 behind the first n; returns how many are 1. */
int32_t gf_compact_test_block(const struct gf_compact_work *work, int64_t first, int32_t n, uint8_t *bits);

/* Results on their way to the output: small pieces are gathered, so that whole lines of the caches are
 * written. */
struct gf_compact_stage {
    char *out;          /* where its first byte goes */
    size_t bytes, room; /* of it; left in the output, with it */
    _Alignas(
        64) char results[GF_COMPACT_STAGE_BYTES + (GF_COMPACT_BLOCK + GF_COMPACT_STEP) * sizeof(uint64_t)];
};

/* Packs those of a block whose bits are 1 behind what the stage holds. */
void gf_compact_pack_block(const struct gf_compact_work *work, int64_t first, int32_t n, const uint8_t *bits,
                           struct gf_compact_stage *stage);

/* Writes the first bytes; what is left moves to the front. */
void gf_compact_flush(const struct gf_compact_work *work, struct gf_compact_stage *stage, size_t bytes);
