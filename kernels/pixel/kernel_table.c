/* The window and solve kernels: the only list. */
#include "pixel/kernel_table.h"

#include "pixel/gaussian.h"
#include "pixel/kernel_functions.h"

static void separable_halo(const union gf_window_args *args, struct gf_halo *halo)
{
    halo->left = halo->right = args->separable.radius_x;
    halo->up = halo->down = args->separable.radius_y;
}

static void box_halo(const union gf_window_args *args, struct gf_halo *halo)
{
    halo->left = halo->right = args->box.radius_x;
    halo->up = halo->down = args->box.radius_y;
}

static void gradient_halo(const union gf_window_args *args, struct gf_halo *halo)
{
    (void)args;
    halo->left = halo->right = halo->up = halo->down = 1;
}

/* What lies between the first pixel that a coarse sample is made from and the pixel that it is made for. */
static void multirate_halo(const union gf_window_args *args, struct gf_halo *halo)
{
    const struct gf_multirate_args *m = &args->multirate;
    int64_t step = m->step, reach = m->radius * step + step * 9 / 2;
    halo->left = reach + GF_MULTIRATE_BEFORE * step + step - 1;
    halo->right = reach + GF_MULTIRATE_AFTER * step;
    halo->up = m->down ? halo->left : 0;
    halo->down = m->down ? halo->right : 0;
}

const struct gf_kernel gf_kernel_point = {
    .name = "point",
    .kind = GF_OP_POINT,
    .cpu_scratch = gf_point_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_point_cuda_scratch),
    .cpu = gf_point_cpu,
    .cuda = GF_CUDA_FN(gf_point_cuda),
};

const struct gf_kernel gf_kernel_separable = {
    .name = "separable",
    .kind = GF_OP_WINDOW,
    .halo = separable_halo,
    .cpu_scratch = gf_separable_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_separable_cuda_scratch),
    .cpu = gf_separable_cpu,
    .cuda = GF_CUDA_FN(gf_separable_cuda),
};

const struct gf_kernel gf_kernel_box = {
    .name = "box",
    .kind = GF_OP_WINDOW,
    .halo = box_halo,
    .cpu_scratch = gf_box_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_box_cuda_scratch),
    .cpu = gf_box_cpu,
    .cuda = GF_CUDA_FN(gf_box_cuda),
};

const struct gf_kernel gf_kernel_gradient = {
    .name = "gradient",
    .kind = GF_OP_WINDOW,
    .halo = gradient_halo,
    .cpu_scratch = gf_gradient_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_gradient_cuda_scratch),
    .cpu = gf_gradient_cpu,
    .cuda = GF_CUDA_FN(gf_gradient_cuda),
};

const struct gf_kernel gf_kernel_multirate = {
    .name = "multirate",
    .kind = GF_OP_WINDOW,
    .halo = multirate_halo,
    .cpu_scratch = gf_multirate_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_multirate_cuda_scratch),
    .cpu = gf_multirate_cpu,
    .cuda = GF_CUDA_FN(gf_multirate_cuda),
};

const struct gf_kernel gf_kernel_otsu = {
    .name = "otsu",
    .kind = GF_OP_SOLVE,
    .solve_cpu = gf_otsu_cpu,
    .solve_cuda = GF_CUDA_FN(gf_otsu_cuda),
};

const struct gf_kernel gf_kernel_equalize = {
    .name = "equalize",
    .kind = GF_OP_SOLVE,
    .solve_cpu = gf_equalize_cpu,
    .solve_cuda = GF_CUDA_FN(gf_equalize_cuda),
};
