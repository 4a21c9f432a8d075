/* What the drivers of scans share: scan, segmented_scan, scan_by_key. */
#pragma once

#include "prim/prim.h"

#define PRIM_TAKES_SCAN                                                                                      \
    (PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_OP) | PRIM_TAKES(PRIM_KIND) | PRIM_TAKES(PRIM_OUT_TYPE))

/* Parts of a prim_driver. */
gf_status prim_scan_prepare(struct prim_job *job);
void prim_scan_result(const struct prim_job *job, const void *const out[PRIM_BLOCKS], struct buffer *text,
                      bool json);

/* Tells whether a sum of floats that ends with element i is as near to the expected as rounding in another
 * order lets one expect; `scale` is its sum of magnitudes, of `terms` terms. *worst grows to the largest
 * difference. */
bool prim_scan_is_near(const struct prim_job *job, const void *expected, const void *found, int64_t i,
                       double scale, double terms, double *worst);
