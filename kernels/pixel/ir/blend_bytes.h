/* Blends in full of two pictures of bytes: what they make is exact in integers, so that they need no f32. */
#pragma once

#include "pixel/ir/op.h"

/* The gf_blend that the program is, from each sample and the one at its place in the operand; GF_NONE: it is
 * no such program. Fractions of white differ by 1 / 255 or more, so that their sums, differences, least and
 * greatest are, times 255, within 1 / 1000 of the integers that the bytes themselves have. */
static inline int32_t gf_blend_of_bytes(const struct gf_program *program,
                                        const struct gf_pass_operand *operand)
{
    const struct gf_insn *insn = program->insn;
    const int32_t all = (1 << program->channels_in) - 1, white = 255;
    if (program->n < 3 || program->n > 4 || program->depth_in != GF_U8 || program->depth_out != GF_U8 ||
        operand->depth != GF_U8 || operand->channels != program->channels_in ||
        (program->n == 4 && (insn[3].code != GF_INSN_QUANTISE || insn[3].depth != GF_U8))) {
        return GF_NONE;
    }
    for (int32_t i = 0; i < program->n; i++) {
        if (insn[i].roi != GF_NONE || (insn[i].mask & all) != all) {
            return GF_NONE;
        }
    }
    const bool blends = insn[0].code == GF_INSN_DIVIDE && insn[0].k[0] == (float)white &&
                        insn[1].code == GF_INSN_BLEND && insn[1].operand == GF_OPERAND_SECOND &&
                        insn[1].k[0] == 1.0F && insn[1].k[1] == (float)white &&
                        insn[2].code == GF_INSN_AFFINE && insn[2].k[0] == (float)white && insn[2].k[1] == 0;
    const int32_t mode = insn[1].arg; /* flags of an operand with alpha or of one channel make it another */
    const bool exact = mode == GF_BLEND_ADD || mode == GF_BLEND_SUBTRACT || mode == GF_BLEND_DIFFERENCE ||
                       mode == GF_BLEND_MIN || mode == GF_BLEND_MAX;
    return blends && exact ? mode : GF_NONE;
}
