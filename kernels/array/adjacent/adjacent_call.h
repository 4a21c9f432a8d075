/* Differences to make: what gf_adjacent_difference checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/adjacent.h"

#ifdef __cplusplus
extern "C" {
#endif

gf_array_run_fn gf_adjacent_sequential, gf_adjacent_cpu, gf_adjacent_cuda, gf_adjacent_naive_cuda;

#ifdef __cplusplus
}
#endif
