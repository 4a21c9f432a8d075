/* pass_cuda_bytes.h: passes over bytes that CUDA runs by vectors of 16: RGB mixed to RGB, and blends of two
 * pictures in full. Part of test_pass_cuda.c. */
#ifndef PASS_CUDA_BYTES_H
#define PASS_CUDA_BYTES_H

#include "pass_cuda_random.h"

static const int64_t byte_widths[] = {1, 5, 16, 170, 171, 176, 513, 2500};
enum { BYTES_HEIGHT = 3 };

/* Rows that begin at multiples of 16 bytes, with gaps or, where they end there, without. */
static struct layout in_vectors(int64_t row, bool gap)
{
    return (struct layout){0, (size_t)((16 - row % 16) % 16 + (gap ? 16 : 0))};
}

static void run_bytes(struct gf_op *op, int64_t width, int32_t channels)
{
    const int64_t row = width * channels;
    void *samples = random_samples(GF_U8, (size_t)(row * BYTES_HEIGHT), NOISE);
    op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
    run_case(samples, in_vectors(row, false), in_vectors(row, false), true);
    run_case(samples, in_vectors(row, true), in_vectors(row, false), true);
    run_case(samples, (struct layout){1, 0}, (struct layout){0, 0}, true);
    free(samples);
}

static void matrices_of_bytes(void)
{
    static const float rows[3 * 4] = {.3F, .6F, .1F, -.2F, -1, .5F, 1.25F, 20, .125F, 0, 1, .5F};
    NEEDS_DEVICE();
    for (size_t i = 0; i < sizeof byte_widths / sizeof *byte_widths; i++) {
        stream_of_randoms = 70 + i;
        op_case_begin(GF_U8, 3, byte_widths[i], BYTES_HEIGHT);
        struct gf_op *op = op_case_point(GF_U8, 3);
        op->blocks[0] = op_case_block(GF_F32, 3, 4, rows);
        struct gf_insn *insn = op_case_insn(op, GF_INSN_MATRIX, 0, 0);
        insn->block = 0;
        insn->arg = 3;
        run_bytes(op, byte_widths[i], 3);
    }
}

/* Every mode, those that are no sums of bytes too. The operand is the picture itself: tests of stages have
 * two. */
static void blends_of_bytes(void)
{
    NEEDS_DEVICE();
    for (int32_t i = 0; i < 8 * 4 * 8; i++) {
        const int64_t width = byte_widths[i % 8];
        const int32_t channels = 1 + i / 8 % 4;
        stream_of_randoms = 300 + (uint64_t)i;
        op_case_begin(GF_U8, channels, width, BYTES_HEIGHT);
        struct gf_op *op = op_case_point(GF_U8, channels);
        op_case_insn(op, GF_INSN_DIVIDE, 255, 0);
        op_case_reads(op, GF_INSN_BLEND, GF_OPERAND_SECOND, op_case.list.input, 1, 255)->arg =
            (uint8_t)(i / 32);
        op_case_insn(op, GF_INSN_AFFINE, 255, 0);
        run_bytes(op, width, channels);
    }
}

/* Blends in part, over pixels with alpha, and masks, of some of the channels too. */
static void blends_in_part(void)
{
    NEEDS_DEVICE();
    for (int32_t i = 0; i < 3 * 2 * 4 * 8; i++) {
        static const uint8_t codes[] = {GF_INSN_BLEND, GF_INSN_MASK, GF_INSN_OVER};
        const int64_t width = byte_widths[i % 8];
        const uint8_t code = codes[i / 64];
        const int32_t channels = code == GF_INSN_OVER ? 4 : 1 + i / 8 % 4;
        const bool some = i / 32 % 2 && channels > 1 && code != GF_INSN_OVER;
        stream_of_randoms = 700 + (uint64_t)i;
        op_case_begin(GF_U8, channels, width, BYTES_HEIGHT);
        struct gf_op *op = op_case_point(GF_U8, channels);
        const int32_t first = op->u.point->n;
        if (code != GF_INSN_MASK) {
            op_case_insn(op, GF_INSN_DIVIDE, 255, 0);
        }
        struct gf_insn *insn = op_case_reads(op, code, GF_OPERAND_SECOND, op_case.list.input,
                                             code == GF_INSN_MASK ? 40 : 0.37F, 255);
        insn->arg = code == GF_INSN_MASK ? 0 : channels == 4 && (some || i % 8 < 4) ? GF_OPERAND_ALPHA : 0;
        if (code != GF_INSN_MASK) {
            op_case_insn(op, GF_INSN_AFFINE, 255, 0);
        }
        for (int32_t n = first; some && n < op->u.point->n; n++) {
            op->u.point->insn[n].mask &= (uint8_t) ~(1U << (channels - 1));
        }
        run_bytes(op, width, channels);
    }
}

#endif
