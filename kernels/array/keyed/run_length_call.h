/* Runs to find: what gf_run_length checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/keyed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What lies before a tile of GF_RUNS_TILE keys. */
struct gf_runs_before {
    uint64_t runs;
    int64_t last; /* where the last of them begins */
};
enum { GF_RUNS_TILE = 4096 };

struct gf_run_length_call {
    struct gf_array_call array; /* in: keys; out: the first of each run, or NULL */
    int64_t *counts, *starts;   /* or NULL */
    int64_t capacity;
    uint64_t *runs;

    /* For those who go on with the runs, on CUDA: bit i % 32 of word i / 32 is 1 where key i begins a run, in
     * whole tiles; `before` is what lies before each tile. Else NULL. */
    uint32_t *heads;
    struct gf_runs_before *before;
    size_t behind; /* bytes behind its scratch that are cleared with it: a multiple of 16 */
};

GF_ARRAY_CALL_OF(gf_run_length_call)

gf_array_run_fn gf_run_length_sequential, gf_run_length_cpu, gf_run_length_cuda;
gf_array_scratch_fn gf_run_length_cuda_scratch;

#ifdef __cplusplus
}
#endif
