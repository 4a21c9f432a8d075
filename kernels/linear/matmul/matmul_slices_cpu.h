/* Products with slices on the CPU: matmul_slices.h has the arithmetic. */
#pragma once

#include "linear/matmul/matmul_call.h"
#include "linear/matmul/matmul_slices.h"

/* The definition. */
size_t gf_matmul_slices_sequential_scratch(const struct gf_matmul_call *call);
void gf_matmul_slices_sequential(const struct gf_matmul_call *call);

/* Panels of bytes, vectors, threads. */
size_t gf_matmul_slices_cpu_scratch(const struct gf_matmul_call *call);
gf_status gf_matmul_slices_cpu(const struct gf_matmul_call *call, gf_error *error);
