/* The part of a program that runs on integers as they are: tables, gray, and what is kept. */
#include "pixel/cpu/cpu_kept.h"
#include "pixel/cpu/cpu_program.h"

#include <string.h>

static void run_table(const struct gf_cpu_program *p, const struct gf_cpu_table *table, const uint8_t *in,
                      uint8_t *out, int64_t pixels, int32_t channels)
{
    if (table->is_step) {
        p->rows->u8_step(in, out, pixels * channels, table->limit, table->low, table->high);
    } else if (table->is_same) {
        p->rows->u8_table(in, out, pixels * channels, 1, table->rows);
    } else {
        p->rows->u8_table(in, out, pixels, channels, table->rows);
    }
}

void gf_cpu_program_run_native(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const void *in,
                               void *out)
{
    int32_t channels = p->channels_in;
    size_t size = gf_depth_size(p->depth_in);
    const void *now = in; /* becomes out with the first instruction */

    for (int32_t i = 0; i < p->n_native; i++) {
        const struct gf_insn *insn = &p->native_insn[i];
        int64_t from, to;
        gf_cpu_clip(p, insn, span, &from, &to);
        bool whole = from == 0 && to == span->n;
        if (insn->code == GF_INSN_GRAY_INT) {
            p->rows->u8_gray(now, out, span->n, channels);
            channels = gf_insn_channels(insn, channels);
        } else {
            if (now == in && !(insn->code == GF_INSN_TABLE && whole)) {
                memcpy(out, in, (size_t)(span->n * channels) * size);
                now = out;
            }
            if (insn->code == GF_INSN_KEEP) {
                gf_cpu_keep(out, span->operand[insn->operand].data, size, span->n, channels, insn->mask, from,
                            to);
            } else {
                run_table(p, &p->tables[insn->block], (const uint8_t *)now + from * channels,
                          (uint8_t *)out + from * channels, to - from, channels);
            }
        }
        now = out;
    }
}
