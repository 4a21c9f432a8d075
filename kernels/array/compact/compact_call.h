/* A compaction or a partition to run: what gf_compact or gf_partition checked and hands to a variant. */
#ifndef GF_ARRAY_COMPACT_CALL_H
#define GF_ARRAY_COMPACT_CALL_H

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

static inline const struct gf_compact_call *gf_compact_call_of(const struct gf_array_call *call)
{
    return (const struct gf_compact_call *)(const void *)call; /* its first member */
}

/* The call of these options, but for pointers and the capacity; name: who messages say complains. */
gf_status gf_compact_describe(const char *name, gf_queue queue, const gf_compact_options *options, int64_t n,
                              struct gf_compact_call *call, gf_error *error);

/* Whether element number i stays, as the definition has it. */
bool gf_compact_is_kept(const struct gf_compact_call *call, int64_t i);

gf_status gf_compact_sequential(const struct gf_array_call *call, gf_error *error);
gf_status gf_compact_cpu(const struct gf_array_call *call, gf_error *error);
gf_status gf_compact_cpu_loop(const struct gf_array_call *call, gf_error *error);
gf_status gf_compact_cpu_direct(const struct gf_array_call *call, gf_error *error);
gf_status gf_compact_cpu_scan(const struct gf_array_call *call, gf_error *error);
size_t gf_compact_cpu_scan_scratch(const struct gf_array_call *call);

gf_status gf_partition_sequential(const struct gf_array_call *call, gf_error *error);
gf_status gf_partition_cpu(const struct gf_array_call *call, gf_error *error);
size_t gf_partition_cpu_scratch(const struct gf_array_call *call);

size_t gf_partition_cuda_scratch(const struct gf_array_call *call);
gf_status gf_partition_cuda(const struct gf_array_call *call, gf_error *error);
size_t gf_compact_cuda_scratch(const struct gf_array_call *call);
gf_status gf_compact_cuda(const struct gf_array_call *call, gf_error *error);
/* Its parts; n > 0. */
gf_status gf_compact_values_cuda(const struct gf_compact_call *call, gf_error *error);
gf_status gf_compact_bytes_cuda(const struct gf_compact_call *call, gf_error *error);   /* values of u8 */
gf_status gf_compact_flagged_cuda(const struct gf_compact_call *call, gf_error *error); /* values by flags */
gf_status gf_compact_indices_cuda(const struct gf_compact_call *call, gf_error *error);

size_t gf_compact_scatter_naive_scratch(const struct gf_array_call *call);
gf_status gf_compact_scatter_naive(const struct gf_array_call *call, gf_error *error);
size_t gf_compact_scatter_efficient_scratch(const struct gf_array_call *call);
gf_status gf_compact_scatter_efficient(const struct gf_array_call *call, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
