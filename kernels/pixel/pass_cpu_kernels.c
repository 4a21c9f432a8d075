/* The entries of kernel_table.c: each kernel's window, run by the one executor. */
#include "pixel/kernel_functions.h"
#include "pixel/pass_cpu.h"

static gf_status run_pass(struct gf_run *run, gf_cpu_describe_fn describe, gf_error *error)
{
    const struct gf_cpu_options options = {.band_height = run->band_rows};
    return gf_upright_takes(run->pass) ? gf_upright_run(run, describe, error)
                                       : gf_pass_cpu(run, describe, &options, error);
}

static size_t pass_scratch(const struct gf_pass *pass, gf_cpu_describe_fn describe, int32_t threads)
{
    return gf_upright_takes(pass) ? gf_upright_scratch(pass, describe, threads)
                                  : gf_pass_cpu_scratch(pass, describe, threads, NULL);
}

gf_status gf_point_cpu(struct gf_run *run, gf_error *error)
{
    return run_pass(run, NULL, error);
}

size_t gf_point_cpu_scratch(const struct gf_pass *pass, int32_t threads)
{
    return pass_scratch(pass, NULL, threads);
}

gf_status gf_separable_cpu(struct gf_run *run, gf_error *error)
{
    return run_pass(run, gf_separable_describe, error);
}

size_t gf_separable_cpu_scratch(const struct gf_pass *pass, int32_t threads)
{
    return pass_scratch(pass, gf_separable_describe, threads);
}

gf_status gf_box_cpu(struct gf_run *run, gf_error *error)
{
    return run_pass(run, gf_box_describe, error);
}

size_t gf_box_cpu_scratch(const struct gf_pass *pass, int32_t threads)
{
    return pass_scratch(pass, gf_box_describe, threads);
}

gf_status gf_multirate_cpu(struct gf_run *run, gf_error *error)
{
    return run_pass(run, gf_multirate_describe, error);
}

size_t gf_multirate_cpu_scratch(const struct gf_pass *pass, int32_t threads)
{
    return pass_scratch(pass, gf_multirate_describe, threads);
}

gf_status gf_gradient_cpu(struct gf_run *run, gf_error *error)
{
    return run_pass(run, gf_gradient_describe, error);
}

size_t gf_gradient_cpu_scratch(const struct gf_pass *pass, int32_t threads)
{
    return pass_scratch(pass, gf_gradient_describe, threads);
}
