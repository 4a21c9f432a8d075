/* Programs on rows: what pass_cpu.c runs between loading, window and storing. */
#pragma once

#include "pixel/cpu/cpu_rows.h"
#include "pixel/ir/program.h"

enum {
    GF_CPU_CHUNK = 256, /* pixels that the interpreter holds as f32 at a time */
    GF_CPU_TABLES = 2,  /* byte tables of a native program */
    GF_CPU_WORK = (4 + GF_OPERANDS) * GF_CPU_CHUNK * GF_MAX_CHANNELS /* floats of scratch a thread */
};

/* A byte table for each channel, the identity where no instruction's mask names it. */
struct gf_cpu_table {
    uint8_t rows[GF_MAX_CHANNELS][256];
    bool is_step; /* all rows are v > limit ? high : low */
    bool is_same; /* all rows are equal */
    uint8_t limit, low, high;
};

/* A program made ready for one run: instructions that do nothing are gone. One of gray, KEEP and instructions
 * that make bytes of bytes is native: it works on the samples as they are, by tables. Read only afterwards.
 */
struct gf_cpu_program {
    const struct gf_cpu_rows *rows;
    const struct gf_rect *rois;
    struct gf_block_view blocks[GF_MAX_PASS_BLOCKS];
    gf_depth depth_in, depth_out;
    int32_t channels_in, channels_out;
    int32_t n;
    struct gf_insn insn[GF_MAX_PROGRAM];
    bool native; /* also without the way over f32: by another list, in which a TABLE's block is an index of
                    `tables` */
    int32_t n_native;
    struct gf_insn native_insn[GF_MAX_PROGRAM];
    int32_t blend; /* of bytes, all that it is (blend_bytes.h); GF_NONE: it is not */
    int32_t lab;   /* of bytes, all that it is: LAB or FROM_LAB; GF_NONE: it is not */
    struct gf_lab_tables lab_tables;
    bool mixes;              /* RGB of bytes to RGB of bytes by a matrix, and no more */
    bool reads[GF_OPERANDS]; /* which operands */
    int32_t operand_channels[GF_OPERANDS];
    struct gf_cpu_table tables[GF_CPU_TABLES];
};

/* Pixels [x, x + n) of row y. */
struct gf_cpu_span {
    int64_t x, y, n;
    struct {
        const void *data; /* of these pixels; NULL where the program reads none */
        gf_depth depth;
    } operand[GF_OPERANDS];
    float *work;  /* GF_CPU_WORK floats */
    bool streams; /* by way of f32: the result goes past the caches; the caller fences */
};

/* run gives blocks and rois; it must live as long as the program. */
void gf_cpu_program_make(struct gf_cpu_program *made, const struct gf_program *program,
                         const struct gf_run *run, const struct gf_cpu_rows *rows);

/* Does the program hand on its samples as they are? */
static inline bool gf_cpu_program_is_copy(const struct gf_cpu_program *p)
{
    return (p->native ? p->n_native : p->n) == 0 && p->depth_in == p->depth_out;
}

/* Does every sample end as one of two values of u8, in one channel? After a threshold. */
bool gf_cpu_program_ends_in_step(const struct gf_cpu_program *p, uint8_t values[2]);

/* cpu_program_native.c: the native instructions of a program, of which there is one, in place of all. */
void gf_cpu_program_run_native(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const void *in,
                               void *out);

/* Runs over a span. `depth` is depth_out, or f32 for integers that the caller wants converted. f32 results
 * are canonical. in and out do not overlap. */
void gf_cpu_program_run(const struct gf_cpu_program *p, const struct gf_cpu_span *span, const void *in,
                        void *out, gf_depth depth);
