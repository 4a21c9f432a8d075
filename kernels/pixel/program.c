#include "pixel/program.h"

void gf_program_eval_pixel(const struct gf_program *program, const struct gf_program_place *place, float *v)
{
    int32_t channels = program->channels_in;

    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (gf_insn_is(insn->code, GF_INSN_BY_PIXEL)) {
            channels = gf_insn_pixel(insn, v, channels);
            continue;
        }
        int inside = insn->roi == GF_NONE || gf_rect_has(place->rois[insn->roi], place->x, place->y);
        const struct gf_block_view *block = insn->block == GF_NONE ? NULL : &place->blocks[insn->block];
        const struct gf_block_view *block2 = insn->block2 == GF_NONE ? NULL : &place->blocks[insn->block2];
        for (int32_t c = 0; c < channels; c++) {
            int named = inside && (insn->mask >> c & 1);
            if (insn->code == GF_INSN_KEEP) {
                v[c] = named ? v[c] : place->centre[c];
            } else if (named) {
                v[c] = gf_insn_sample(insn, v[c], c, block, block2);
            }
        }
    }
}
