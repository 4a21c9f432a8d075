/* See u8_cuda.h. */
#include "pixel/cuda/u8_cuda.h"

/* Instructions that act on samples one by one, the same everywhere. */
static bool gf_is_samplewise(const struct gf_program *program, int32_t first)
{
    for (int32_t i = first; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (!gf_insn_is(insn->code, GF_INSN_BY_SAMPLE) || insn->roi != GF_NONE) {
            return false;
        }
    }
    return true;
}

/* A gradient of u8 is the only window that makes s16. */
int32_t gf_gradient_makes_bytes(const struct gf_pass *pass)
{
    const struct gf_window *window = &pass->window;
    const struct gf_insn *insn = pass->post.insn;
    const int32_t all = (1 << window->channels_in) - 1;
    return window->kernel && window->depth_in == GF_U8 && window->depth_out == GF_S16 && pass->post.n >= 2 &&
                   insn[0].code == GF_INSN_MAGNITUDE && insn[1].code == GF_INSN_QUANTISE &&
                   insn[1].depth == GF_U8 && insn[1].roi == GF_NONE && (insn[1].mask & all) == all
               ? 2
               : 0;
}

struct gf_u8_plan gf_u8_plan_make(const struct gf_pass *pass)
{
    struct gf_u8_plan plan = {false, false, {false, false}, 0, GF_NONE, 0};
    plan.gray = pass->pre.n > 0 && pass->pre.insn[0].code == GF_INSN_GRAY_INT;
    plan.behind = gf_gradient_makes_bytes(pass);
    plan.tables[0] = pass->pre.n > plan.gray;
    plan.tables[1] = pass->post.n > plan.behind;
    plan.channels = pass->pre.channels_out;
    plan.takes = gf_is_samplewise(&pass->pre, plan.gray) && gf_is_samplewise(&pass->post, plan.behind) &&
                 pass->pre.depth_in == GF_U8 && pass->pre.depth_out == GF_U8 &&
                 pass->post.depth_out == GF_U8 && plan.channels <= 4;
    if (plan.behind == 0) {
        plan.takes = plan.takes && pass->post.depth_in == GF_U8;
    }
    if (pass->window.kernel) {
        plan.takes = plan.takes && pass->window.depth_in == GF_U8 &&
                     (plan.behind > 0 || pass->window.depth_out == GF_U8);
    }
    if (!pass->window.kernel && pass->out == GF_NONE && pass->pre.n == 0 && pass->post.n == 0) {
        plan.takes = false; /* only taps, which have kernels of their own */
    }
    plan.tap = plan.takes ? gf_tap_counts(pass, 0) : GF_NONE;
    return plan;
}

static struct gf_u8_step gf_u8_step_find(const struct gf_run *run, const struct gf_program *program,
                                         int32_t first)
{
    const struct gf_insn *insn = &program->insn[first];
    const uint8_t *table = nullptr;
    if (program->n == first + 1 && insn->code == GF_INSN_TABLE &&
        insn->mask == (1 << program->channels_out) - 1) {
        table = static_cast<const uint8_t *>(run->host_blocks[insn->block]);
    }
    if (!table || run->block_values[insn->block].width != 256) {
        return {false, 0, 0, 0, 0};
    }
    int32_t limit = 0;
    while (limit < 255 && table[limit + 1] == table[0]) {
        limit++;
    }
    for (int32_t i = 0; i < 256 * program->channels_out; i++) {
        if (table[i] != (i % 256 > limit ? table[255] : table[0])) {
            return {false, 0, 0, 0, 0};
        }
    }
    return {true, static_cast<uint32_t>(127 - limit % 128) * 0x01010101U, limit < 128 ? ~0U : 0U,
            table[0] * 0x01010101U, table[255] - table[0]};
}

bool gf_u8_takes(const struct gf_pass *pass)
{
    return gf_u8_plan_make(pass).takes;
}

struct gf_u8_step gf_u8_step_make(const struct gf_run *run, const struct gf_program *program, int32_t first)
{
    struct gf_cuda_prepared *prepared = gf_prepared_of(run);
    if (!prepared) {
        return gf_u8_step_find(run, program, first);
    }
    if (!prepared->known) {
        prepared->step = gf_u8_step_find(run, program, first);
    }
    return prepared->step;
}
