/* One chain of stages over pictures of one shape on one device: checked, then timed. */
#pragma once

#include "bench/bench_runner.h"

struct bench_chain {
    gf_context *context;
    struct prim_device *device;
    const struct prim_how *how;
    const char *stages;
    gf_shape shape;
    bool no_fuse;
};

/* Checks the chain against gf_verify's judge, on a picture of at most 256 x 144. Then, unless the device is
 * emulated, times it on four sets of pictures in the device's memory, in turn, each run right behind a copy
 * of memory, or, when the chain only measures, behind a sum that reads memory: neither finds the other's data
 * in a cache. Times are those of the device's work (gf_run_stats.kernels_ms). GB/s count the picture that
 * enters once, and the one that leaves once. Fills the row from `verdict` on; failures stand in `error`
 * unsaid. */
gf_status bench_chain_measure(const struct bench_chain *chain, struct bench_row *row, gf_error *error);
