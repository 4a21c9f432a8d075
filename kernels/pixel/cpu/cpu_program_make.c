/* Makes programs ready: instructions that do nothing go, what can stay in bytes becomes tables. */
#include "pixel/cpu/cpu_program.h"
#include "pixel/ir/blend_bytes.h"

#include "base/planted_fault.h"

#include <string.h>

static bool names_all(const struct gf_insn *insn, int32_t channels)
{
    uint32_t all = (1U << channels) - 1U;
    return ((insn->mask & all) == all || GF_FAULT(alpha_mixed)) && insn->roi == GF_NONE;
}

/* ---- tables ---- */

static void find_step(struct gf_cpu_table *table, int32_t channels)
{
    const uint8_t *row = table->rows[0];
    int32_t limit = 0;
    while (limit < 255 && row[limit + 1] == row[0]) {
        limit++;
    }
    table->limit = (uint8_t)limit;
    table->low = row[0];
    table->high = row[255];
    table->is_step = true;
    table->is_same = true;
    for (int32_t c = 0; c < channels; c++) {
        for (int32_t v = 0; v < 256; v++) {
            uint8_t step = v > limit ? table->high : table->low;
            table->is_step = table->is_step && table->rows[c][v] == step;
        }
        table->is_same = table->is_same && memcmp(table->rows[c], row, 256) == 0;
    }
}

static const struct gf_block_view *block_of(const struct gf_cpu_program *p, int8_t slot)
{
    return slot == GF_NONE ? NULL : &p->blocks[slot];
}

static bool changes_nothing(const struct gf_cpu_table *table, int32_t channels)
{
    for (int32_t c = 0; c < channels; c++) {
        for (int32_t v = 0; v < 256; v++) {
            if (table->rows[c][v] != v) {
                return false;
            }
        }
    }
    return true;
}

/* Returns what n instructions on samples make of value v of channel c. */
static float value_after(const struct gf_cpu_program *p, const struct gf_insn *insn, int32_t n, float v,
                         int32_t c)
{
    for (int32_t i = 0; i < n; i++) {
        if (insn[i].mask >> c & 1) {
            v = gf_insn_sample(&insn[i], v, c, block_of(p, insn[i].block), block_of(p, insn[i].block2));
        }
    }
    return v;
}

/* A table of what n instructions do to bytes. False where a byte ends as something else. */
static bool make_table(const struct gf_cpu_program *p, struct gf_cpu_table *table, const struct gf_insn *insn,
                       int32_t n, int32_t channels)
{
    for (int32_t i = 0; i < n; i++) {
        if (insn[i].code == GF_INSN_TABLE && p->blocks[insn[i].block].width < 256) {
            return false;
        }
    }
    for (int32_t c = 0; c < channels; c++) {
        for (int32_t v = 0; v < 256; v++) {
            float result = value_after(p, insn, n, (float)v, c);
            if (!(result >= 0 && result <= 255) || result != (float)(uint8_t)result) {
                return false;
            }
            table->rows[c][v] = (uint8_t)result;
        }
    }
    find_step(table, channels);
    return true;
}

/* Instructions BY_SAMPLE from `first` on, in the same region. */
static int32_t run_length(const struct gf_cpu_program *p, int32_t first)
{
    int32_t n = 0;
    while (first + n < p->n && gf_insn_is(p->insn[first + n].code, GF_INSN_BY_SAMPLE) &&
           p->insn[first + n].roi == p->insn[first].roi) {
        n++;
    }
    return n;
}

/* Gray and whatever is a table of u8, and KEEP of any depth, need no f32: made->native_insn becomes a list of
 * those. The answer is false where something else is in the program. */
static bool make_native(struct gf_cpu_program *made)
{
    struct gf_insn *const list = made->native_insn;
    int32_t n = 0;
    int32_t tables = 0;
    int32_t channels = made->channels_in;
    bool bytes = made->depth_in == GF_U8;

    if (made->depth_in != made->depth_out) {
        return false;
    }
    for (int32_t i = 0, length; i<made->n; i += length> 0 ? length : 1) {
        struct gf_insn insn = made->insn[i];
        length = run_length(made, i);
        if (length > 0) {
            struct gf_cpu_table *table = &made->tables[tables];
            if (!bytes || tables == GF_CPU_TABLES ||
                !make_table(made, table, &made->insn[i], length, channels)) {
                return false;
            }
            if (changes_nothing(table, channels)) {
                continue;
            }
            insn = (struct gf_insn){.code = GF_INSN_TABLE, .block = (int8_t)tables++, .roi = insn.roi};
        } else if (!(insn.code == GF_INSN_KEEP || (insn.code == GF_INSN_GRAY_INT && bytes && i == 0))) {
            return false;
        }
        channels = gf_insn_channels(&insn, channels);
        list[n++] = insn;
    }
    made->n_native = n;
    return true;
}

/* ---- programs ---- */

/* The rounding behind the matrix is what storing does. */
static bool is_mix(const struct gf_program *program)
{
    const struct gf_insn *insn = program->insn;
    const bool rounds = program->n == 2 && insn[1].code == GF_INSN_QUANTISE && insn[1].roi == GF_NONE &&
                        insn[1].depth == GF_U8 && (insn[1].mask & 7) == 7;
    return (program->n == 1 || rounds) && insn->code == GF_INSN_MATRIX && insn->roi == GF_NONE &&
           insn->arg == 3 && program->channels_in == 3 && program->channels_out == 3 &&
           program->depth_in == GF_U8 && program->depth_out == GF_U8;
}

/* Of bytes LAB or FROM_LAB stays, as `lab` says, and the rounding behind it. */
static void find_lab(struct gf_cpu_program *made, const struct gf_program *program)
{
    static const uint32_t thresholds[256] = GF_LAB_LIGHT_OF_BYTE;
    struct gf_lab_tables *t = &made->lab_tables;
    made->lab = GF_NONE;
    if (!gf_is_lab_of_bytes(program)) {
        return;
    }
    made->lab = program->insn[1].code;
    made->insn[0] = program->insn[1];
    made->insn[1] = program->insn[3];
    made->n = program->n - 2;
    for (int32_t i = 0; i < 256; i++) {
        for (int c = 0; c < 3; c++) {
            t->of_byte[c][i] = made->lab == GF_INSN_FROM_LAB ? gf_lab_byte_root(c, i)
                                                             : gf_srgb_to_light(gf_div((float)i, 255.0F));
        }
        t->thresholds[i] = gf_bits_float(thresholds[i]);
    }
    t->thresholds[256] = gf_bits_float(0x7f800000U);
    for (int32_t place = 0; place < GF_LIGHT_PLACES; place++) {
        t->first[place] = gf_light_first(t->thresholds, place);
    }
}

void gf_cpu_program_make(struct gf_cpu_program *made, const struct gf_program *program,
                         const struct gf_run *run, const struct gf_cpu_rows *rows)
{
    const struct gf_pass *pass = run->pass;
    int32_t channels = program->channels_in;

    memset(made, 0, sizeof *made);
    made->rows = rows;
    made->rois = pass->rois;
    made->depth_in = program->depth_in;
    made->depth_out = program->depth_out;
    made->channels_in = program->channels_in;
    made->channels_out = program->channels_out;
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        const void *data = run->blocks[i] ? run->blocks[i] : run->host_blocks[i];
        made->blocks[i] =
            (struct gf_block_view){data, run->block_values[i].width, run->block_values[i].depth};
    }
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        channels = gf_insn_channels(insn, channels);
        if (insn->code == GF_INSN_KEEP && names_all(insn, channels)) {
            continue;
        }
        if (gf_insn_is(insn->code, GF_INSN_READS_OPERAND)) {
            made->reads[insn->operand] = true;
            made->operand_channels[insn->operand] = pass->operand[insn->operand].channels;
        }
        made->insn[made->n++] = *insn;
    }
    find_lab(made, program);
    made->native = make_native(made);
    made->mixes = rows->u8_mix && is_mix(program);
    made->blend = gf_blend_of_bytes(program, &pass->operand[GF_OPERAND_SECOND]);
}

bool gf_cpu_program_ends_in_step(const struct gf_cpu_program *p, uint8_t values[2])
{
    const struct gf_insn *last = &p->native_insn[p->n_native > 0 ? p->n_native - 1 : 0];
    if (!p->native || p->n_native == 0 || last->code != GF_INSN_TABLE || last->roi != GF_NONE ||
        p->channels_out != 1) {
        return false;
    }
    const struct gf_cpu_table *table = &p->tables[last->block];
    values[0] = table->low;
    values[1] = table->high;
    return table->is_step;
}
