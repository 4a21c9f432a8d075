/* What the CPU's scans have in common: elements made ready for the loops of scan_rows.h, and what lies before
 * a tile of sums of floats. */
#pragma once

#include "array/scan/scan_rows.h"

enum { GF_SCAN_BLOCK_BYTES = 8192 }; /* of results: a step of the inner loops, inside the first cache */

struct gf_scan_parts {
    const struct gf_scan_call *call;
    const struct gf_scan_rows *rows;
    int width;          /* log2 of an output element's bytes */
    uint64_t none;      /* what an integer scan begins with: 0, or the last key */
    uint64_t flip, nan; /* of minima and maxima: see scan_rows.h */
};

struct gf_scan_parts gf_scan_parts_of(const struct gf_scan_call *call);

static inline char *gf_scan_output_at(const struct gf_scan_parts *parts, int64_t i)
{
    return (char *)parts->call->array.out + (i << parts->width);
}

static inline const char *gf_scan_input_at(const struct gf_scan_parts *parts, int64_t i)
{
    const struct gf_array_call *a = &parts->call->array;
    return (const char *)a->in + (size_t)i * gf_depth_size(a->options.type);
}

/* ---- Integers and keys ------------------------------------------------------------------------------------- */

/* Elements [first, first + n) at the output's width: where they are, or made in `block`, of
 * GF_SCAN_BLOCK_BYTES. */
const void *gf_scan_prepared(const struct gf_scan_parts *parts, int64_t first, int64_t n, void *block);

/* The total of elements [first, end), of which there may be none. */
uint64_t gf_scan_total(const struct gf_scan_parts *parts, int64_t first, int64_t end);

static inline uint64_t gf_scan_combined(const struct gf_scan_parts *parts, uint64_t a, uint64_t b)
{
    return parts->call->op == GF_SCAN_SUM ? a + b : (int64_t)b < (int64_t)a ? b : a;
}

/* ---- Sums of floats ---------------------------------------------------------------------------------------- */

/* What lies before a tile. */
struct gf_scan_chain {
    double before_group; /* supergroups, and groups of this one */
    double supergroups, groups[GF_SCAN_FAN], tiles[GF_SCAN_FAN];
    int64_t tile;
};

/* Takes the next tile's total; returns what lies before that tile. begins: a segment begins in the tile, so
 * that `total` has what lies behind the last beginning, and all before that counts as 0 from there on. */
double gf_scan_chain_next(struct gf_scan_chain *chain, double total, bool begins, gf_depth out);
