#include "pixel/ir/kernel_table.h"

const struct gf_kernel *const gf_kernels[] = {
#define GF_KERNEL(name) &gf_kernel_##name,
#include "pixel/kernels.def"
#undef GF_KERNEL
    NULL};

const struct gf_path *gf_pass_path(const struct gf_pass *pass, gf_device device)
{
    const struct gf_kernel *kernel = gf_pass_kernel(pass);
    const struct gf_path *path = device < 0           ? kernel->paths.cpu
                                 : kernel->paths.cuda ? kernel->paths.cuda()
                                                      : NULL;
    while (path && path->name && path->takes && !path->takes(pass)) {
        path++;
    }
    return path && path->name ? path : NULL;
}
