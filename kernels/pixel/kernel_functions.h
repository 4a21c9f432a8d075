/* The functions behind kernel_table.c, by backend. Contracts: struct gf_kernel in kernel_table.h. */
#ifndef GF_PIXEL_KERNEL_FUNCTIONS_H
#define GF_PIXEL_KERNEL_FUNCTIONS_H

#include "pixel/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One executor runs every pass: gf_pass_cpu in pass_cpu.h. */
gf_status gf_point_cpu(struct gf_run *run, gf_error *error);
gf_status gf_separable_cpu(struct gf_run *run, gf_error *error);
gf_status gf_box_cpu(struct gf_run *run, gf_error *error);
gf_status gf_gradient_cpu(struct gf_run *run, gf_error *error);
gf_status gf_multirate_cpu(struct gf_run *run, gf_error *error);

size_t gf_point_cpu_scratch(const struct gf_pass *pass, int32_t threads);
size_t gf_separable_cpu_scratch(const struct gf_pass *pass, int32_t threads);
size_t gf_box_cpu_scratch(const struct gf_pass *pass, int32_t threads);
size_t gf_gradient_cpu_scratch(const struct gf_pass *pass, int32_t threads);
size_t gf_multirate_cpu_scratch(const struct gf_pass *pass, int32_t threads);

gf_status gf_otsu_cpu(const struct gf_apply_run *run, gf_error *error);
gf_status gf_equalize_cpu(const struct gf_apply_run *run, gf_error *error);
gf_status gf_judge_otsu(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);
gf_status gf_judge_equalize(const struct gf_judge *judge, const struct gf_op *op, gf_error *error);

#if GF_HAVE_CUDA
gf_status gf_point_cuda(struct gf_run *run, gf_error *error);
gf_status gf_separable_cuda(struct gf_run *run, gf_error *error);
gf_status gf_box_cuda(struct gf_run *run, gf_error *error);
gf_status gf_gradient_cuda(struct gf_run *run, gf_error *error);
gf_status gf_multirate_cuda(struct gf_run *run, gf_error *error);

size_t gf_point_cuda_scratch(const struct gf_pass *pass);
size_t gf_separable_cuda_scratch(const struct gf_pass *pass);
size_t gf_box_cuda_scratch(const struct gf_pass *pass);
size_t gf_gradient_cuda_scratch(const struct gf_pass *pass);
size_t gf_multirate_cuda_scratch(const struct gf_pass *pass);

gf_status gf_otsu_cuda(const struct gf_apply_run *run, gf_error *error);
gf_status gf_equalize_cuda(const struct gf_apply_run *run, gf_error *error);
#endif

#ifdef __cplusplus
}
#endif
#endif
