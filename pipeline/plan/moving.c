#include "plan/moving.h"

#include "base/planted_fault.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/move.h"
#include "pixel/ir/program.h"

static struct gf_move_args args_of(const struct gf_apply *apply)
{
    struct gf_move_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    return args;
}

static bool is_inside(const struct gf_op_list *list, const struct gf_apply *apply)
{
    const struct gf_value *in = &list->values[apply->in[0]], *out = &list->values[apply->out[0]];
    const struct gf_move_args args = args_of(apply);
    return gf_move_is_inside(&args, in->width, in->height, out->width, out->height);
}

bool gf_moving_loads(const struct gf_op_list *list, const struct gf_apply *apply)
{
    const struct gf_value *in = &list->values[apply->in[0]];
    return apply->kernel->map.moves && !args_of(apply).swapped &&
           (in->depth == GF_U8 || in->depth == GF_U16 || in->depth == GF_F32);
}

/* A move is first, then the other one. */
static struct gf_move_args together(struct gf_move_args first, struct gf_move_args then)
{
    then.x0 = first.x0 + first.step_x * then.x0;
    then.y0 = first.y0 + first.step_y * then.y0 * !GF_FAULT(moves_together);
    then.step_x *= first.step_x;
    then.step_y *= first.step_y;
    return then;
}

/* Kernels of the GPU that do one thing as fast as memory is, but load straight: mixing channels, and bytes
 * with those of a second picture. Any other kernel would take longer for it than they and a move together. */
static bool has_fast_kernel(const struct gf_program *program, bool reads_second)
{
    const bool rounds = program->n == 2 && program->insn[1].code == GF_INSN_QUANTISE;
    return ((program->n == 1 || rounds) && program->insn[0].code == GF_INSN_MATRIX) ||
           (reads_second && program->depth_in == GF_U8 && program->depth_out == GF_U8);
}

/* A view of the picture that is aligned as the picture is: every kernel of the GPU can load it. */
static bool is_aligned_view(const struct gf_value *in, const struct gf_move_args *args, bool inside)
{
    const int64_t pixel = in->channels * (int64_t)gf_depth_size(in->depth);
    return inside && args->step_x > 0 && args->x0 * pixel % GF_MOVED_ALIGN == 0;
}

static bool is_by_sample_or_gray(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if (!gf_insn_is(insn->code, GF_INSN_BY_SAMPLE) && insn->code != GF_INSN_GRAY_INT) {
            return false;
        }
    }
    return true;
}

/* Tells whether a GPU loads the picture through a move that is no aligned view faster than it makes the move
 * by itself and loads that: so it was measured for RGB of bytes, sample by sample or to gray, and for f32 of
 * three and four channels (docs/benchmarks.md). For all others, kernels that load straight are faster. NULL:
 * no program. */
static bool gpu_turns_fast(const struct gf_value *in, const struct gf_program *program)
{
    return (in->depth == GF_U8 && in->channels == 3 && (!program || is_by_sample_or_gray(program))) ||
           (in->depth == GF_F32 && in->channels >= 3);
}

static bool looks_at_the_pixel_alone(const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        const struct gf_insn *insn = &program->insn[i];
        if ((insn->roi != GF_NONE && !GF_FAULT(move_before_roi)) ||
            gf_insn_is(insn->code, GF_INSN_READS_OPERAND)) {
            return false;
        }
    }
    return true;
}

/* Turning pixels of three bytes costs the CPU more than it saves to turn them before they become one. */
static bool turns_larger(const struct gf_program *program, const struct gf_move_args *args)
{
    return args->step_x < 0 && program->channels_out * gf_depth_size(program->depth_out) <
                                   program->channels_in * gf_depth_size(program->depth_in);
}

bool gf_moving_passes(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_apply *apply,
                      const struct gf_fuse_options *options)
{
    const struct gf_value *in = &list->values[pass->in];
    const struct gf_move_args args = args_of(apply);
    if (pass->window.kernel || pass->n_taps || !looks_at_the_pixel_alone(&pass->pre) ||
        !gf_moving_loads(list, apply) || !is_inside(list, apply) ||
        (pass->map.move.kernel && !is_inside(list, &pass->map.move))) {
        return false;
    }
    if (options->cpu && turns_larger(&pass->pre, &args)) {
        return false;
    }
    return !options->gpu || is_aligned_view(in, &args, true) ||
           (gpu_turns_fast(in, &pass->pre) && !has_fast_kernel(&pass->pre, false));
}

void gf_moving_set(const struct gf_op_list *list, struct gf_pass *pass, const struct gf_apply *apply)
{
    const struct gf_value *in = &list->values[pass->in], *out = &list->values[apply->out[0]];
    struct gf_move_args args = args_of(apply);
    if (pass->map.move.kernel) {
        args = together(args_of(&pass->map.move), args);
    }
    pass->map = (struct gf_pass_map){*apply, in->width, in->height};
    pass->map.move.in[0] = pass->in;
    pass->map.move.args = gf_args_of(&args, sizeof args);
    pass->width = out->width;
    pass->height = out->height;
}

bool gf_moving_joins(const struct gf_op_list *list, const struct gf_pass *pass, const struct gf_op *op,
                     const struct gf_fuse_options *options)
{
    const struct gf_value *in = &list->values[pass->in];
    const struct gf_move_args args = args_of(&pass->map.move);
    const bool straight =
        !options->gpu || is_aligned_view(in, &args, is_inside(list, &pass->map.move)); /* as fast as any */
    if (op->kind == GF_OP_WINDOW) {
        return false;
    }
    if (op->kind == GF_OP_TAP) { /* a pass that stores without a program has one NaN, a move has any */
        return (pass->pre.n > 0 || in->depth == GF_U8) && (straight || gpu_turns_fast(in, NULL));
    }
    const bool reads_second = op->operand[GF_OPERAND_SECOND] != GF_NONE;
    return straight || (gpu_turns_fast(in, op->u.point) &&
                        (pass->pre.n > 0 || !has_fast_kernel(op->u.point, reads_second)));
}
