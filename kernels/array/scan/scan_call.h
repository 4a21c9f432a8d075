/* A scan to run: what gf_scan checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/scan.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gf_scan_call {
    struct gf_array_call array; /* in may be out */
    gf_scan_op op;
    bool inclusive;
    gf_depth out; /* of the output's elements; a pair that gf_scan allows */
};

/* Sums of floats have an order that is part of the contract (docs/exactness.md): a lane is 16 bytes of the
 * output's type, a row 32 lanes, a tile 64 rows, a group 32 tiles, a supergroup 32 groups. */
enum {
    GF_SCAN_LANE_BYTES = 16,
    GF_SCAN_LANES = 32,
    GF_SCAN_ROWS = 64,
    GF_SCAN_FAN = 32, /* tiles of a group, groups of a supergroup */
    GF_SCAN_TILE_BYTES = GF_SCAN_ROWS * GF_SCAN_LANES * GF_SCAN_LANE_BYTES
};

GF_ARRAY_CALL_OF(gf_scan_call)

/* Minima and maxima of every type as minima of unsigned keys ^ this; for floats the keys of gf_order.h. */
static inline uint64_t gf_scan_flip(const struct gf_scan_call *call)
{
    bool is_signed = call->out == GF_S16 || call->out == GF_S32 || call->out == GF_S64;
    uint64_t sign = is_signed ? UINT64_C(1) << (8 * gf_depth_size(call->out) - 1) : 0;
    return call->op == GF_SCAN_MIN ? sign : ~sign;
}

static inline bool gf_scan_is_float_sum(const struct gf_scan_call *call)
{
    return call->op == GF_SCAN_SUM && (call->out == GF_F32 || call->out == GF_F64);
}

/* They check what all scans check of their options, and set where the arrays lie. `name`: the primitive's. */
gf_status gf_scan_make_call(const char *name, gf_queue queue, const gf_scan_options *options, int64_t n,
                            struct gf_scan_call *call, gf_error *error);
gf_status gf_scan_place(const char *name, struct gf_scan_call *call, const void *in, void *out,
                        gf_error *error);

/* The definition of [first, end) as if nothing lay before it: what does counts as 0 for sums of floats, whose
 * order follows from places in the whole array. */
void gf_scan_sequential_part(const struct gf_scan_call *call, int64_t first, int64_t end);
gf_array_run_fn gf_scan_sequential, gf_scan_cpu, gf_scan_cpu_loop, gf_scan_cuda;
gf_array_scratch_fn gf_scan_cuda_scratch;
/* The halves of gf_scan_cuda. */
gf_status gf_scan_sum_cuda(const struct gf_scan_call *call, gf_error *error);
gf_status gf_scan_least_cuda(const struct gf_scan_call *call, gf_error *error);

/* The published ones: results of the elements' type; sums of floats in the variant's own order. */
gf_array_run_fn gf_scan_quadratic_cuda, gf_scan_naive_cuda, gf_scan_efficient_cuda,
    gf_scan_hillis_steele_cuda, gf_scan_blelloch_cuda;
gf_array_scratch_fn gf_scan_quadratic_scratch, gf_scan_naive_scratch, gf_scan_efficient_scratch,
    gf_scan_hillis_steele_scratch, gf_scan_blelloch_scratch;

#ifdef __cplusplus
}
#endif
