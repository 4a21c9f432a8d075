#include "plan/collapse.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/op_list.h"
#include "pixel/program.h"

#include <string.h>

/* A run [from, to) of instructions that maps integers of one depth to samples of another. */
struct run {
    int32_t from, to;
    gf_depth depth_in, depth_out;
    int32_t channels;
};

static bool is_integer(gf_depth depth)
{
    return depth == GF_U8 || depth == GF_U16;
}

/* Instructions that a table can stand for: one sample in, one out, nothing from the run time. */
static bool is_map(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_insn *insn)
{
    const bool known = insn->block == GF_NONE || list->values[pass->blocks[insn->block]].constant;
    return gf_insn_is(insn->code, GF_INSN_BY_SAMPLE) && known && insn->block2 == GF_NONE;
}

/* The block that an instruction reads, which is known. */
static struct gf_block_view block_of(const struct gf_op_list *list, const struct gf_pass *pass,
                                     const struct gf_insn *insn)
{
    if (insn->block == GF_NONE) {
        return (struct gf_block_view){0};
    }
    const struct gf_value *value = &list->values[pass->blocks[insn->block]];
    return (struct gf_block_view){value->constant, value->width, value->depth};
}

/* The depth whose integers the samples hold after an instruction; GF_F32 when they may be any. */
static gf_depth state_after(const struct gf_insn *insn, gf_depth state)
{
    if (insn->code == GF_INSN_QUANTISE) {
        return (gf_depth)insn->depth;
    }
    return gf_insn_is(insn->code, GF_INSN_KEEPS_INTEGERS) ? state : GF_F32;
}

/* The longest run that starts at `from`: it must end where samples are integers again, or with the
 * program. run->to == from: none that is worth a table. */
static struct run find_run(const struct gf_op_list *list, const struct gf_pass *pass,
                           const struct gf_program *program, int32_t from, gf_depth state, int32_t channels)
{
    struct run run = {.from = from, .to = from, .depth_in = state, .channels = channels};
    bool is_long = false, work = false;
    if (!is_integer(state)) {
        return run;
    }
    gf_depth now = state;
    for (int32_t i = from; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (!is_map(list, pass, insn) || insn->roi != program->insn[from].roi) {
            break;
        }
        is_long = is_long || gf_insn_is(insn->code, GF_INSN_IS_LONG);
        work = work || insn->code != GF_INSN_QUANTISE;
        now = state_after(insn, now);
        if (is_integer(now)) {
            run.to = i + 1;
            run.depth_out = now;
        } else if (i + 1 == program->n && program->depth_out == GF_F32) {
            run.to = i + 1;
            run.depth_out = GF_F32;
        }
    }
    if (!work || (state == GF_U16 && !is_long)) {
        run.to = from;
    }
    return run;
}

static void fill_table(const struct gf_op_list *list, const struct gf_pass *pass,
                       const struct gf_program *program, const struct run *run, void *table, int64_t entries)
{
    for (int32_t c = 0; c < run->channels; c++) {
        for (int64_t i = 0; i < entries; i++) {
            float v = (float)(i + GF_FAULT(table_shift));
            for (int32_t k = run->from; k < run->to; k++) {
                const struct gf_insn *insn = &program->insn[k];
                const struct gf_block_view block = block_of(list, pass, insn);
                v = insn->mask >> c & 1 ? gf_insn_sample(insn, v, c, &block, NULL) : v;
            }
            int64_t at = c * entries + i;
            if (run->depth_out == GF_U8) {
                ((uint8_t *)table)[at] = (uint8_t)v;
            } else if (run->depth_out == GF_U16) {
                ((uint16_t *)table)[at] = (uint16_t)v;
            } else {
                ((float *)table)[at] = v;
            }
        }
    }
}

static gf_status replace(struct gf_op_list *list, struct gf_pass *pass, struct gf_program *program,
                         const struct run *run, gf_error *error)
{
    int64_t entries = run->depth_in == GF_U8 ? 256 : 65536;
    int32_t value;
    void *table = gf_op_list_add_constant(list, run->depth_out, run->channels, entries, &value);
    if (!table) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    fill_table(list, pass, program, run, table, entries);
    pass->blocks[pass->n_blocks] = value;
    program->insn[run->from] = (struct gf_insn){.code = GF_INSN_TABLE,
                                                .mask = (uint8_t)((1u << run->channels) - 1),
                                                .depth = (uint8_t)run->depth_out,
                                                .block = (int8_t)pass->n_blocks++,
                                                .block2 = GF_NONE,
                                                .roi = program->insn[run->from].roi};
    memmove(&program->insn[run->from + 1], &program->insn[run->to],
            (size_t)(program->n - run->to) * sizeof *program->insn);
    program->n -= run->to - run->from - 1;
    return GF_OK;
}

gf_status gf_collapse(struct gf_op_list *list, struct gf_pass *pass, struct gf_program *program,
                      gf_error *error)
{
    gf_depth state = program->depth_in;
    int32_t channels = program->channels_in;
    for (int32_t i = 0; i < program->n; i++) {
        struct run run = find_run(list, pass, program, i, state, channels);
        if (run.to > i && pass->n_blocks < GF_MAX_PASS_BLOCKS) {
            GF_TRY(replace(list, pass, program, &run, error));
            state = run.depth_out;
            continue;
        }
        state = state_after(&program->insn[i], state);
        channels = gf_insn_channels(&program->insn[i], channels);
    }
    return GF_OK;
}
