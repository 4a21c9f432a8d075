/* The work of the published scans, worked out from how they are built: launches of kernels, and additions.
 * The emulated device counts the same, which a test compares. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct bench_counts {
    int64_t launches;
    int64_t additions; /* of the scan that is published */
    int64_t carries;   /* what is added so that a scan of one block becomes one of the whole array */
};

/* False where nothing is worked out: another variant, or no elements. block: threads of a CUDA block, 0: 128.
 */
bool bench_count(const char *primitive, const char *algo, int64_t n, int32_t block,
                 struct bench_counts *counts);
