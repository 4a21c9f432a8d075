/* The window and solve kernels: the only list. */
#include "pixel/kernel_table.h"

#include "pixel/gaussian.h"
#include "pixel/kernel_functions.h"

static void separable_halo(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_separable_args *args = &window->args.separable;
    halo->left = halo->right = args->radius_x;
    halo->up = halo->down = args->radius_y;
    halo->align = 1;
}

/* f32 is added in blocks of the window's height, anchored at row 0; integer sums are exact. */
static void box_halo(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_box_args *args = &window->args.box;
    halo->left = halo->right = args->radius_x;
    halo->up = halo->down = args->radius_y;
    halo->align = window->depth_in == GF_F32 ? 2 * (int64_t)args->radius_y + 1 : 1;
}

static void gradient_halo(const struct gf_window *window, struct gf_halo *halo)
{
    (void)window;
    halo->left = halo->right = halo->up = halo->down = halo->align = 1;
}

/* What lies between the first pixel that a coarse sample is made from and the pixel that it is made for. */
static void multirate_halo(const struct gf_window *window, struct gf_halo *halo)
{
    const struct gf_multirate_args *m = &window->args.multirate;
    int64_t step = m->step, reach = m->radius * step + step * 9 / 2;
    halo->left = reach + GF_MULTIRATE_BEFORE * step + step - 1;
    halo->right = reach + GF_MULTIRATE_AFTER * step;
    halo->up = m->down ? halo->left : 0;
    halo->down = m->down ? halo->right : 0;
    halo->align = m->down ? step : 1;
}

const struct gf_kernel gf_kernel_point = {
    .name = "point",
    .kind = GF_KERNEL_POINT,
    .cpu_scratch = gf_point_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_point_cuda_scratch),
    .cpu = gf_point_cpu,
    .cuda = GF_CUDA_FN(gf_point_cuda),
};

const struct gf_kernel gf_kernel_separable = {
    .name = "separable",
    .kind = GF_KERNEL_WINDOW,
    .halo = separable_halo,
    .cpu_scratch = gf_separable_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_separable_cuda_scratch),
    .cpu = gf_separable_cpu,
    .cuda = GF_CUDA_FN(gf_separable_cuda),
};

const struct gf_kernel gf_kernel_box = {
    .name = "box",
    .kind = GF_KERNEL_WINDOW,
    .halo = box_halo,
    .cpu_scratch = gf_box_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_box_cuda_scratch),
    .cpu = gf_box_cpu,
    .cuda = GF_CUDA_FN(gf_box_cuda),
};

const struct gf_kernel gf_kernel_gradient = {
    .name = "gradient",
    .kind = GF_KERNEL_WINDOW,
    .halo = gradient_halo,
    .cpu_scratch = gf_gradient_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_gradient_cuda_scratch),
    .cpu = gf_gradient_cpu,
    .cuda = GF_CUDA_FN(gf_gradient_cuda),
};

const struct gf_kernel gf_kernel_multirate = {
    .name = "multirate",
    .kind = GF_KERNEL_WINDOW,
    .halo = multirate_halo,
    .cpu_scratch = gf_multirate_cpu_scratch,
    .cuda_scratch = GF_CUDA_FN(gf_multirate_cuda_scratch),
    .cpu = gf_multirate_cpu,
    .cuda = GF_CUDA_FN(gf_multirate_cuda),
};

const struct gf_kernel gf_kernel_otsu = {
    .name = "otsu",
    .kind = GF_KERNEL_SOLVE,
    .apply_cpu = gf_otsu_cpu,
    .apply_cuda = GF_CUDA_FN(gf_otsu_cuda),
    .judge = gf_judge_otsu,
    .words = "block to block, on the device",
};

const struct gf_kernel gf_kernel_equalize = {
    .name = "equalize",
    .kind = GF_KERNEL_SOLVE,
    .apply_cpu = gf_equalize_cpu,
    .apply_cuda = GF_CUDA_FN(gf_equalize_cuda),
    .judge = gf_judge_equalize,
    .words = "block to block, on the device",
};
