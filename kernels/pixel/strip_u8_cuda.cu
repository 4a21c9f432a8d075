/* Launching strip_u8_cuda.cuh: parameters, grid, and the instance that fits. */
#include "pixel/strip_grid_cuda.h"
#include "pixel/strip_u8_cuda.cuh"
#include "pixel/u8_cuda.h"

/* Weights of one axis, centred in 2 R + 1, zeros beside them; false: one is below zero. */
template <int R>
static bool gf_strip_weights(const int16_t *weights, int32_t radius, int32_t (&to)[2 * R + 1])
{
    bool positive = true;
    for (int32_t i = 0; i <= 2 * R; i++) {
        const int32_t from = i - R + radius;
        to[i] = from >= 0 && from <= 2 * radius ? weights[from] : 0;
        positive = positive && to[i] >= 0;
    }
    return positive;
}

/* Is the post program one constant table, the same step in every channel? Fills the step. */
template <int R> static bool gf_strip_step(const struct gf_run *run, struct gf_strip_params<R> *p)
{
    const struct gf_program *post = &run->pass->post;
    const struct gf_insn *insn = &post->insn[0];
    const uint8_t *table = nullptr;
    if (post->n == 1 && insn->code == GF_INSN_TABLE && insn->mask == (1 << post->channels_out) - 1) {
        table = static_cast<const uint8_t *>(run->host_blocks[insn->block]);
    }
    if (!table || run->block_values[insn->block].width != 256) {
        return false;
    }
    int32_t limit = 0;
    while (limit < 255 && table[limit + 1] == table[0]) {
        limit++;
    }
    for (int32_t i = 0; i < 256 * post->channels_out; i++) {
        if (table[i] != (i % 256 > limit ? table[255] : table[0])) {
            return false;
        }
    }
    p->step_carry = static_cast<uint32_t>(255 - limit) * 0x00010001U;
    p->step_low = table[0] * 0x01010101U;
    p->step_rise = table[255] - table[0];
    return true;
}

template <int R>
static gf_status gf_strip_params_make(const struct gf_run *run, const struct gf_u8_plan *plan,
                                      struct gf_strip_params<R> *p, gf_error *error)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_separable_args *s = &pass->window.args.separable;
    const int16_t *wx = static_cast<const int16_t *>(run->host_blocks[pass->window.blocks[0]]);
    const int16_t *wy = static_cast<const int16_t *>(run->host_blocks[pass->window.blocks[1]]);
    int32_t across[2 * R + 1];
    if (!wx || !wy) {
        return gf_fail(error, GF_ERROR_INTERNAL, "separable: the weights are not a constant block");
    }
    *p = gf_strip_params<R>();
    p->clamp = !gf_strip_weights<R>(wx, s->radius_x, across);
    p->clamp = !gf_strip_weights<R>(wy, s->radius_y, p->wy) || p->clamp;
    for (int32_t i = 0; i <= R; i++) {
        const uint32_t second = 2 * i + 1 <= 2 * R ? static_cast<uint32_t>(across[2 * i + 1]) : 0U;
        p->wx[i] = (static_cast<uint32_t>(across[2 * i]) & 0xffffU) | second << 16;
    }
    p->shift_x = s->shift_x - 7;
    p->half_x = 1 << (s->shift_x - 8);
    p->shift_y = s->shift_y + 7;
    p->half_y = 1 << (s->shift_y + 6 + GF_FAULT(cuda_rounding_up));
    p->border = pass->window.border;
    for (int32_t c = 0; c < plan->channels; c++) {
        p->fill[c] = gf_quantise_u8(pass->window.fill[c]) * 0x01010101U;
    }
    p->table_in = plan->tables[0];
    p->table_out = plan->tables[1];
    p->step = p->table_out && gf_strip_step<R>(run, p);
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
    struct gf_strip_params<R> p = {
    };
    struct gf_launch launch = {};
    GF_TRY(gf_strip_params_make<R>(run, plan, &p, error));
    GF_TRY(gf_strip_grid(gf_strip_u8<C, CI, R>, args, shape::pixels, &launch, &p.strip, &p.segment, error));
    p.wide_in = gf_is_aligned(&args->in, shape::grain);
    p.wide_out = gf_is_aligned(&args->out, C == 3 ? 4 : shape::pixels * C);
    p.patch = p.wide_in && p.border != GF_BORDER_WRAP && args->width > 2 * R;
    launch.stream = gf_run_stream(run);
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

gf_status gf_strip_u8_launch(const struct gf_pass_args *args, const struct gf_run *run,
                             const struct gf_u8_plan *plan, gf_error *error)
{
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
