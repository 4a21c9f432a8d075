/* Launching strip_u8_cuda.cuh: parameters, grid, and the instance that fits. */
#include "pixel/strip_grid_cuda.h"
#include "pixel/strip_u8_cuda.cuh"
#include "pixel/u8_cuda.h"

template <int R>
static gf_status gf_strip_params_make(const struct gf_run *run, const struct gf_u8_plan *plan,
                                      struct gf_strip_params<R> *p, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    *p = gf_strip_params<R>();
    GF_TRY(gf_fixed_weights_make<R>(run, p, error));
    p->border = pass->window.border;
    for (int32_t c = 0; c < plan->channels; c++) {
        p->fill[c] = gf_quantise_u8(pass->window.fill[c]) * 0x01010101U;
    }
    p->table_in = plan->tables[0];
    p->table_out = plan->tables[1];
    p->step = gf_u8_step_make(run, &pass->post, 0);
    if (plan->tap != GF_NONE) {
        p->counts = static_cast<uint64_t *>(run->taps[plan->tap]);
        p->counts_mask = pass->taps[plan->tap].mask;
    }
    return GF_OK;
}

template <int C, int CI, int R>
static gf_status gf_strip_run(const struct gf_pass_args *args, const struct gf_run *run,
                              const struct gf_u8_plan *plan, gf_error *error)
{
    using shape = gf_strip_shape<C, CI, R>;
    gf_strip_params<R> p = {};
    struct gf_launch launch = {};
    GF_TRY(gf_strip_params_make<R>(run, plan, &p, error));
    GF_TRY(
        gf_strip_grid(run, gf_strip_u8<C, CI, R>, args, shape::pixels, &launch, &p.strip, &p.segment, error));
    p.wide_in = gf_is_aligned(&args->in, shape::grain);
    p.wide_out = gf_is_aligned(&args->out, C == 3 ? 4 : shape::pixels * C);
    p.patch = p.wide_in && p.border != GF_BORDER_WRAP && args->width > 2 * R;
    launch.stream = gf_run_stream(run);
    if (gf_only_prepares(run)) {
        return GF_OK;
    }
    GF_CUDA_TRY(error, GF_LAUNCH((gf_strip_u8<C, CI, R>), launch, *args, p));
    return GF_OK;
}

template <int C, int CI>
static gf_status gf_strip_radius(const struct gf_pass_args *args, const struct gf_run *run,
                                 const struct gf_u8_plan *plan, gf_error *error)
{
    const struct gf_separable_args *s = &run->pass->window.args.separable;
    return s->radius_x <= 2 && s->radius_y <= 2
               ? gf_strip_run<C, CI, 2>(args, run, plan, error)
               : gf_strip_run<C, CI, GF_STRIP_RADIUS>(args, run, plan, error);
}

static gf_status gf_strip_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                                    const struct gf_scratch_layout *, gf_error *error)
{
    const struct gf_u8_plan chosen = gf_u8_plan_make(run->pass), *const plan = &chosen;
    switch (plan->channels) {
    case 1:
        return plan->gray ? gf_strip_radius<1, 3>(args, run, plan, error)
                          : gf_strip_radius<1, 1>(args, run, plan, error);
    case 2:
        return plan->gray ? gf_strip_radius<2, 4>(args, run, plan, error)
                          : gf_strip_radius<2, 2>(args, run, plan, error);
    case 3:
        return gf_strip_radius<3, 3>(args, run, plan, error);
    default:
        return gf_strip_radius<4, 4>(args, run, plan, error);
    }
}

const struct gf_cuda_way gf_way_strip_u8 = {gf_strip_u8_launch, nullptr, false, true, true};
