#include "plan/collapse.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/op_list.h"
#include "pixel/ir/program.h"

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

/* For each channel the depth whose integers its samples hold; GF_F32 where they may be any. */
struct state {
    gf_depth channel[GF_MAX_CHANNELS];
};

/* The depth whose integers all channels hold, or GF_F32. */
static gf_depth common(const struct state *state, int32_t channels)
{
    for (int32_t c = 1; c < channels; c++) {
        if (state->channel[c] != state->channel[0]) {
            return GF_F32;
        }
    }
    return is_integer(state->channel[0]) ? state->channel[0] : GF_F32;
}

/* Returns what an instruction BY_SAMPLE makes of samples that hold integers of `before`. */
static gf_depth depth_after(const struct gf_op_list *list, const struct gf_pass *pass,
                            const struct gf_insn *insn, gf_depth before)
{
    if (insn->code == GF_INSN_QUANTISE) {
        return (gf_depth)insn->depth;
    }
    if (insn->code == GF_INSN_TABLE) {
        return list->values[pass->blocks[insn->block]].depth;
    }
    return gf_insn_is(insn->code, GF_INSN_KEEPS_INTEGERS) ? before : GF_F32;
}

/* Channels outside the mask keep what they hold. So do pixels outside the roi, where the program goes on with
 * those as well: `inside` says that nobody asks for them. */
static void step_state(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_insn *insn,
                       int32_t channels, bool inside, struct state *state)
{
    const bool by_pixel = gf_insn_is(insn->code, GF_INSN_BY_PIXEL);
    const gf_depth before = common(state, channels);
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        gf_depth *depth = &state->channel[c];
        if (by_pixel) {
            *depth = depth_after(list, pass, insn, before);
        } else if (insn->mask >> c & 1 || GF_FAULT(mask_forgotten)) {
            const gf_depth after = depth_after(list, pass, insn, *depth);
            *depth = inside || insn->roi == GF_NONE || after == *depth ? after : GF_F32;
        }
    }
}

/* The longest run that starts at `from`: it must end where samples are integers again, or with the
 * program. run->to == from: none that is worth a table. */
static struct run find_run(const struct gf_op_list *list, const struct gf_pass *pass,
                           const struct gf_program *program, int32_t from, struct state state,
                           int32_t channels)
{
    struct run run = {.from = from, .to = from, .depth_in = common(&state, channels), .channels = channels};
    bool is_long = false, work = false;
    if (!is_integer(run.depth_in)) {
        return run;
    }
    for (int32_t i = from; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (!is_map(list, pass, insn) || insn->roi != program->insn[from].roi) {
            break;
        }
        is_long = is_long || gf_insn_is(insn->code, GF_INSN_IS_LONG);
        work = work || insn->code != GF_INSN_QUANTISE;
        step_state(list, pass, insn, channels, true, &state);
        const gf_depth now = common(&state, channels);
        if (is_integer(now)) {
            run.to = i + 1;
            run.depth_out = now;
        } else if (i + 1 == program->n && program->depth_out == GF_F32) {
            run.to = i + 1;
            run.depth_out = GF_F32;
        }
    }
    if (!work || (run.depth_in == GF_U16 && !is_long)) {
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
    GF_TRY(gf_need_memory(table != NULL, error));
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
    struct state state;
    int32_t channels = program->channels_in;
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        state.channel[c] = program->depth_in;
    }
    for (int32_t i = 0; i < program->n; i++) {
        struct run run = find_run(list, pass, program, i, state, channels);
        if (run.to > i && pass->n_blocks < GF_MAX_PASS_BLOCKS) {
            GF_TRY(replace(list, pass, program, &run, error));
        }
        step_state(list, pass, &program->insn[i], channels, false, &state);
        channels = gf_insn_channels(&program->insn[i], channels);
    }
    return GF_OK;
}
