/* What the files of the scan of segments on CUDA share. */
#pragma once

#include "array/segmented/segmented_scan_call.h"

/* Bit i % 32 of word i / 32 is 1 where element i begins a segment. Behind the look-back's state. */
struct gf_segmented_heads {
    uint32_t *words;
    int64_t count;
    size_t cleared; /* bytes of them that the look-back clears with its state: all for segments by offsets */
};

/* Bytes of scratch. */
size_t gf_segmented_layout(const struct gf_segmented_scan_call *call, struct gf_segmented_heads *heads);

/* Queues the kernel that makes them, behind the clearing. programmatic: something was cleared. */
gf_status gf_segmented_heads_cuda(const struct gf_segmented_scan_call *call,
                                  const struct gf_segmented_heads *heads, bool programmatic, gf_error *error);

/* The halves of the pass. */
gf_status gf_segmented_scan_sum_cuda(const struct gf_segmented_scan_call *call, gf_error *error);
gf_status gf_segmented_scan_least_cuda(const struct gf_segmented_scan_call *call, gf_error *error);
