/* Decides which passes march_cuda.cuh takes, beside what its windows have to be. */
#include "pixel/cuda/march_cuda.h"

#include "pixel/cuda/program_cuda.cuh"
#include "pixel/cuda/u8_cuda.h"

/* Do all its instructions run on a few neighbouring pixels of at most `channels`, the centre beside them?
 * placed: and do some of them look at their place? */
static bool gf_march_runs(const struct gf_program *program, int32_t channels, bool *placed)
{
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        const bool reads = gf_insn_is(insn->code, GF_INSN_READS_OPERAND);
        *placed = *placed || reads || insn->roi != GF_NONE;
    }
    return gf_program_most(program) <= channels;
}

bool gf_march_takes_any(const struct gf_pass *pass, int32_t channels)
{
    const struct gf_window *window = &pass->window;
    bool before = false, behind = false;
    return window->channels_in <= channels && pass->pre.depth_in != GF_S16 &&
           gf_program_is_common(&pass->pre) && gf_program_is_common(&pass->post) &&
           gf_march_runs(&pass->pre, 4, &before) &&
           gf_march_runs(&pass->post, window->channels_out, &behind) &&
           !(before && window->border == GF_BORDER_WRAP) && pass->width <= GF_STRIP_SIDE &&
           pass->height <= GF_STRIP_SIDE;
}

bool gf_march_takes_bytes(const struct gf_pass *pass)
{
    return gf_u8_plan_make(pass).takes && pass->width <= GF_STRIP_SIDE && pass->height <= GF_STRIP_SIDE;
}

bool gf_march_loads_samples(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    bool fills_alike = true; /* a chunk is filled with one sample */
    for (int32_t c = 1; c < window->channels_in; c++) {
        fills_alike = fills_alike && memcmp(&window->fill[c], &window->fill[0], sizeof(float)) == 0;
    }
    return window->channels_in <= 4 && pass->pre.n == 0 && pass->pre.depth_in == window->depth_in &&
           pass->width <= GF_STRIP_SIDE / window->channels_in && pass->height <= GF_STRIP_SIDE &&
           (fills_alike || window->border != GF_BORDER_CONSTANT);
}

bool gf_march_takes_samples(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    return pass->post.n == 0 && window->depth_out == window->depth_in &&
           pass->post.depth_out == window->depth_out && gf_march_loads_samples(pass);
}

bool gf_march_takes(const struct gf_pass *pass)
{
    return pass->post.n == 0 && gf_march_fits(pass);
}

bool gf_march_fits(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    return window->channels_in == 1 && pass->pre.n == 0 && pass->pre.depth_in == window->depth_in &&
           window->depth_out == window->depth_in && pass->post.depth_out == window->depth_out &&
           pass->width <= GF_STRIP_SIDE && pass->height <= GF_STRIP_SIDE;
}

void gf_march_tables_make(const struct gf_run *run, struct gf_march_tables *tables)
{
    const struct gf_pass *pass = run->pass;
    const struct gf_u8_plan plan = gf_u8_plan_make(pass);
    *tables = gf_march_tables();
    tables->gray = plan.gray;
    tables->in = plan.tables[0];
    tables->out = plan.tables[1];
    tables->behind = plan.behind;
    tables->step = gf_u8_step_make(run, &pass->post, plan.behind);
    if (plan.tap != GF_NONE) {
        tables->counts = static_cast<uint64_t *>(run->taps[plan.tap]);
        tables->counts_mask = pass->taps[plan.tap].mask;
    }
}
