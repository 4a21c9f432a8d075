/* A compaction or a partition to run: what gf_compact or gf_partition checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/compact.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every condition as one test: (k - least <= span) != outside, unsigned at the element's width, where k is
 * the element's bits, or for f32 and f64 their key of gf_order.h. Keys of NaN lie beyond every span. */
struct gf_keep_test {
    uint64_t least, span;
    bool outside;
};

struct gf_compact_call {
    struct gf_array_call array;
    gf_keep keep;
    bool indices;
    uint64_t value; /* bits of the element compared with; 0 for NONZERO */
    struct gf_keep_test test;
    const uint8_t *flags; /* of GF_KEEP_FLAGS, else NULL */
    gf_depth out;         /* of what is written */
    int64_t capacity;     /* of a partition n */
    uint64_t *count;
};

GF_ARRAY_CALL_OF(gf_compact_call)

/* The call of these options, but for the rest of its pointers and the capacity, which gf_compact_run sets;
 * name: who messages say complains. */
gf_status gf_compact_describe(const char *name, gf_queue queue, const gf_compact_options *options, int64_t n,
                              struct gf_compact_call *call, gf_error *error);
gf_status gf_compact_run(const struct gf_array_primitive *primitive, struct gf_compact_call *call,
                         const void *in, void *out, int64_t capacity, uint64_t *count, void *scratch,
                         size_t scratch_bytes, gf_error *error);

/* Tells whether element number i stays, as the definition has it. */
bool gf_compact_is_kept(const struct gf_compact_call *call, int64_t i);

gf_array_run_fn gf_partition_sequential, gf_partition_cpu, gf_partition_cuda;
gf_array_scratch_fn gf_partition_cpu_scratch, gf_partition_cuda_scratch;

gf_array_run_fn gf_compact_sequential, gf_compact_cpu, gf_compact_cpu_loop, gf_compact_cpu_direct,
    gf_compact_cpu_scan, gf_compact_cuda, gf_compact_scatter_naive, gf_compact_scatter_efficient;
gf_array_scratch_fn gf_compact_cpu_scan_scratch, gf_compact_cuda_scratch, gf_compact_scatter_naive_scratch,
    gf_compact_scatter_efficient_scratch;

/* The parts of gf_compact_cuda; n > 0. */
gf_status gf_compact_values_cuda(const struct gf_compact_call *call, gf_error *error);
gf_status gf_compact_bytes_cuda(const struct gf_compact_call *call, gf_error *error);   /* values of u8 */
gf_status gf_compact_flagged_cuda(const struct gf_compact_call *call, gf_error *error); /* values by flags */
gf_status gf_compact_indices_cuda(const struct gf_compact_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
