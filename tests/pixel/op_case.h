/* op_case.h: lists of ops written by hand, for tests of what executes ops. One list per program at a
 * time; op_case_begin forgets the last one. Not for use by several threads. */
#ifndef OP_CASE_H
#define OP_CASE_H

#include "pixel/ir/gaussian.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/program.h"
#include "pixel/judge/reference.h"
#include "pixel/window/gradient/gradient.h"

#include <string.h>

enum { OP_CASE_MAX = 16 };

static struct {
    struct gf_value values[OP_CASE_MAX];
    struct gf_op ops[OP_CASE_MAX];
    struct gf_program programs[OP_CASE_MAX];
    struct gf_op_list list;
} op_case;

static inline int32_t op_case_value(struct gf_value value)
{
    op_case.values[op_case.list.n_values] = value;
    return op_case.list.n_values++;
}

/* The picture a stage would read next becomes the list's output. */
static inline int32_t op_case_picture(gf_depth depth, int32_t channels, int64_t width, int64_t height)
{
    op_case.list.output = op_case_value(
        (struct gf_value){.depth = depth, .channels = channels, .width = width, .height = height});
    return op_case.list.output;
}

static inline int32_t op_case_block(gf_depth depth, int32_t rows, int64_t width, const void *constant)
{
    return op_case_value((struct gf_value){.is_block = true,
                                           .depth = depth,
                                           .channels = rows,
                                           .width = width,
                                           .height = 1,
                                           .constant = constant});
}

/* A new list whose input, value 0, is that picture. */
static inline void op_case_begin(gf_depth depth, int32_t channels, int64_t width, int64_t height)
{
    memset(&op_case, 0, sizeof op_case);
    op_case.list.values = op_case.values;
    op_case.list.ops = op_case.ops;
    op_case.list.input = op_case_picture(depth, channels, width, height);
}

static inline struct gf_op *op_case_op(enum gf_op_kind kind, int32_t in, int32_t out)
{
    struct gf_op *op = &op_case.ops[op_case.list.n_ops];
    *op = (struct gf_op){.kind = (uint8_t)kind,
                         .stage = op_case.list.n_ops++,
                         .in = in,
                         .out = out,
                         .operand = {GF_NONE, GF_NONE},
                         .blocks = {GF_NONE, GF_NONE}};
    return op;
}

/* POINT from the current picture to one of that depth and as many channels. */
static inline struct gf_op *op_case_point(gf_depth depth, int32_t channels)
{
    int32_t in = op_case.list.output;
    struct gf_value from = op_case.values[in];
    struct gf_op *op = op_case_op(GF_OP_POINT, in, op_case_picture(depth, channels, from.width, from.height));
    op->u.point = &op_case.programs[op_case.list.n_ops - 1];
    *op->u.point = (struct gf_program){
        .channels_in = from.channels, .channels_out = channels, .depth_in = from.depth, .depth_out = depth};
    return op;
}

static inline struct gf_insn *op_case_insn(struct gf_op *op, enum gf_insn_code code, float k0, float k1)
{
    struct gf_insn *insn = &op->u.point->insn[op->u.point->n++];
    *insn = (struct gf_insn){.code = (uint8_t)code,
                             .mask = 0xff,
                             .depth = (uint8_t)op->u.point->depth_out,
                             .block = GF_NONE,
                             .block2 = GF_NONE,
                             .roi = GF_NONE,
                             .k = {k0, k1}};
    return insn;
}

/* An instruction of the op that reads that operand, a value: the window's input, or the list's. */
static inline struct gf_insn *op_case_reads(struct gf_op *op, enum gf_insn_code code, enum gf_operand operand,
                                            int32_t value, float k0, float k1)
{
    struct gf_insn *insn = op_case_insn(op, code, k0, k1);
    insn->operand = (uint8_t)operand;
    op->operand[operand] = value;
    return insn;
}

/* The op's pixels, of `channels`, and a value of any number of them, put together in one of many ways that
 * `number` draws: by KEEP (0, 1), SHARPEN (2, 3), MASK, BLEND in its modes, OVER. NULL: they do not go
 * together. */
enum { OP_CASE_COMBINES = 64 };
static inline struct gf_insn *op_case_combine(struct gf_op *op, uint32_t number, enum gf_operand operand,
                                              int32_t value, int32_t channels)
{
    const struct gf_value v = op_case.values[value];
    const float white = (float)gf_depth_white(v.depth);
    const bool same = v.channels == channels, even = channels % 2 == 0;
    const uint32_t way = number / 8 % 4;
    if (v.depth == GF_S16 || (number < 4 && !same)) {
        return NULL;
    }
    if (number < 4) {
        return op_case_reads(op, number < 2 ? GF_INSN_KEEP : GF_INSN_SHARPEN, operand, value, 1.5F,
                             number % 2 ? 0 : 0.1F * white);
    }
    enum gf_insn_code code = number < 16                            ? GF_INSN_MASK
                             : number >= 40 && even && channels < 5 ? GF_INSN_OVER
                                                                    : GF_INSN_BLEND;
    struct gf_insn *insn = op_case_reads(op, code, operand, value, way % 2 ? 1.0F : 0.7F, white);
    insn->arg = (uint8_t)(code == GF_INSN_BLEND ? number % 9 : 0);
    insn->arg = (uint8_t)(insn->arg | (same && way < 2 ? 0 : GF_OPERAND_FIRST));
    insn->arg = (uint8_t)(insn->arg | (code != GF_INSN_MASK && way > 1 ? GF_OPERAND_ALPHA : 0));
    return insn;
}

/* The op's samples in its roi, which has one of many forms that `number` draws, over those of a value of as
 * many channels. */
static inline void op_case_region(struct gf_op *op, uint32_t number, enum gf_operand operand, int32_t value)
{
    const float feathers[] = {0, 0.4F, 1, 3.5F, 90};
    struct gf_insn *insn = op_case_reads(op, GF_INSN_REGION, operand, value, feathers[number % 5], 0);
    insn->arg = (uint8_t)(number / 5 % 32); /* an ellipse has an edge along some axis */
    insn->arg |= insn->arg & (GF_REGION_LEFT | GF_REGION_TOP) ? 0 : GF_REGION_LEFT;
    insn->roi = 0;
}

/* Sets what the ops of a pass read beside its picture; op NULL: nothing. */
static inline void op_case_operands(struct gf_pass *pass, const struct gf_op *op)
{
    for (int i = 0; i < GF_OPERANDS; i++) {
        if (!op) {
            pass->operand[i].value = GF_NONE;
        } else if (op->operand[i] != GF_NONE) {
            const struct gf_value *v = &op_case.values[op->operand[i]];
            pass->operand[i] = (struct gf_pass_operand){op->operand[i], v->channels, v->depth};
        }
    }
}

/* POINT from the current picture to one of that depth, by the instruction of that number that changes how
 * many channels a pixel has, where it has room for it; matrix: 4 rows of 5 for MATRIX. NULL: it has none. */
enum { OP_CASE_CHANNELS = 5 };
static inline struct gf_op *op_case_channels(uint32_t number, gf_depth depth, int32_t rows,
                                             const float *matrix)
{
    static const enum gf_insn_code codes[OP_CASE_CHANNELS] = {
        GF_INSN_SPREAD, GF_INSN_ADD_ALPHA, GF_INSN_DROP_ALPHA, GF_INSN_FLATTEN, GF_INSN_MATRIX};
    const struct gf_value from = op_case.values[op_case.list.output];
    const enum gf_insn_code code = codes[number % OP_CASE_CHANNELS];
    struct gf_insn insn = {.code = (uint8_t)code, .arg = (uint8_t)rows};
    int32_t channels = gf_insn_channels(&insn, from.channels);
    bool even = from.channels % 2 == 0;
    if (from.channels > 4 || from.depth == GF_S16 || channels > 4 || channels < 1 ||
        (code == GF_INSN_ADD_ALPHA ? even
                                   : (code == GF_INSN_DROP_ALPHA || code == GF_INSN_FLATTEN) && !even)) {
        return NULL;
    }
    float white = (float)gf_depth_white(from.depth);
    struct gf_op *op = op_case_point(depth, channels);
    struct gf_insn *pushed = op_case_insn(op, code, 0.25F * white, white);
    pushed->arg = (uint8_t)rows;
    if (code == GF_INSN_MATRIX) {
        op->blocks[0] = op_case_block(GF_F32, rows, from.channels + 1, matrix);
        pushed->block = 0;
    }
    op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
    return op;
}

/* WINDOW over the current picture; the caller sets args and blocks. */
static inline struct gf_op *op_case_window(const struct gf_kernel *kernel, gf_border border, float fill)
{
    int32_t in = op_case.list.output;
    struct gf_value from = op_case.values[in];
    bool gradient = kernel == &gf_kernel_gradient;
    gf_depth depth = !gradient ? from.depth : from.depth == GF_U8 ? GF_S16 : GF_F32;
    int32_t channels = gradient ? 2 * from.channels : from.channels;
    struct gf_op *op =
        op_case_op(GF_OP_WINDOW, in, op_case_picture(depth, channels, from.width, from.height));
    op->u.window = (struct gf_window){.kernel = kernel,
                                      .border = border,
                                      .blocks = {GF_NONE, GF_NONE},
                                      .depth_in = from.depth,
                                      .depth_out = depth,
                                      .channels_in = from.channels,
                                      .channels_out = channels};
    if (gradient) {
        const struct gf_gradient_args args = gf_gradient_make(GF_GRADIENT_SOBEL);
        op->u.window.args.own = gf_args_of(&args, sizeof args);
    }
    for (int32_t c = 0; c < GF_MAX_CHANNELS; c++) {
        op->u.window.fill[c] = fill;
    }
    return op;
}

static inline struct gf_op *op_case_box(int32_t rx, int32_t ry, gf_border border, float fill)
{
    struct gf_op *op = op_case_window(&gf_kernel_box, border, fill);
    op->u.window.args.box = (struct gf_box_args){.radius_x = rx, .radius_y = ry};
    return op;
}

/* wx, wy: 2 r + 1 weights, s16 of sum 2^14 for u8, else f32. */
static inline struct gf_op *op_case_separable(int32_t rx, int32_t ry, const void *wx, const void *wy,
                                              gf_border border, float fill)
{
    struct gf_op *op = op_case_window(&gf_kernel_separable, border, fill);
    bool fixed = op->u.window.depth_in == GF_U8;
    int32_t shift = fixed ? 14 : 0;
    op->u.window.args.separable = (struct gf_separable_args){rx, ry, shift, shift};
    op->blocks[0] = op_case_block(fixed ? GF_S16 : GF_F32, 1, 2 * rx + 1, wx);
    op->blocks[1] = op_case_block(fixed ? GF_S16 : GF_F32, 1, 2 * ry + 1, wy);
    op->u.window.blocks[0] = 0;
    op->u.window.blocks[1] = 1;
    return op;
}

/* weights: gf_multirate_size of them; the picture is f32. */
static inline struct gf_op *op_case_multirate(const struct gf_multirate *m, const float *weights,
                                              gf_border border, float fill)
{
    struct gf_op *op = op_case_window(&gf_kernel_multirate, border, fill);
    bool down = op_case.values[op_case.list.input].height > 1;
    op->u.window.args.multirate = (struct gf_multirate_args){m->step, m->radius, down};
    op->blocks[0] = op_case_block(GF_F32, 1, gf_multirate_size(m), weights);
    op->u.window.blocks[0] = 0;
    return op;
}

/* TAP on the current picture, every channel, whole picture. */
static inline struct gf_op *op_case_tap(const struct gf_kernel *kernel, int32_t bins, float lo, float hi)
{
    int32_t in = op_case.list.output;
    int32_t out = op_case_block(kernel->tap.block_depth, op_case.values[in].channels,
                                bins + kernel->tap.block_row, NULL);
    struct gf_op *op = op_case_op(GF_OP_TAP, in, out);
    op->u.tap = (struct gf_tap){.kernel = kernel,
                                .mask = 0xff,
                                .range = GF_NONE,
                                .roi = GF_NONE,
                                .bins = bins,
                                .lo = lo,
                                .hi = hi,
                                .out = out};
    return op;
}

/* SOLVE of counts (and range, or GF_NONE) to a new block of that depth and width. */
static inline struct gf_op *op_case_solve(const struct gf_kernel *kernel, int32_t counts, int32_t range,
                                          gf_depth depth, int64_t width, float white)
{
    struct gf_value from = op_case.values[counts];
    int32_t out = op_case_block(depth, from.channels, width, NULL);
    const struct gf_solve_args args = {(int32_t)from.width - 3, white, 0xff};
    struct gf_op *op = op_case_op(GF_OP_APPLY, GF_NONE, out);
    op->u.apply = (struct gf_apply){.kernel = kernel,
                                    .in = {counts, range, GF_NONE, GF_NONE},
                                    .out = {out, GF_NONE, GF_NONE, GF_NONE},
                                    .args = gf_args_of(&args, sizeof args)};
    return op;
}

/* Solves only the channels of the mask. */
static inline void op_case_solve_mask(struct gf_op *op, uint32_t mask)
{
    struct gf_solve_args args;
    gf_args_get(&op->u.apply.args, &args, sizeof args);
    args.mask = mask;
    op->u.apply.args = gf_args_of(&args, sizeof args);
}

/* A run of an APPLY over whole pictures; where its operands lie is still to be said. */
static inline struct gf_apply_run op_case_apply_run(const struct gf_op *op)
{
    const struct gf_apply *apply = &op->u.apply;
    struct gf_apply_run run = {.apply = apply, .threads = 1, .queue.device = GF_DEVICE_CPU};
    for (int32_t i = 0; i < gf_operand_count(apply->in); i++) {
        run.in_values[i] = op_case.values[apply->in[i]];
        run.in[i].rows.count = run.in_values[i].height;
    }
    for (int32_t i = 0; i < gf_operand_count(apply->out); i++) {
        run.out_values[i] = op_case.values[apply->out[i]];
        run.out[i].rows.count = run.out_values[i].height;
    }
    return run;
}

/* A view of packed samples with the shape of a value of the list. */
static inline gf_image op_case_image(int32_t value, const void *data)
{
    const struct gf_value *v = &op_case.values[value];
    return (gf_image){.struct_size = sizeof(gf_image),
                      .shape = {v->width, v->height, v->channels, v->depth},
                      .pitch = v->width * v->channels * (int64_t)gf_depth_size(v->depth),
                      .data = (void *)(uintptr_t)data,
                      .device = GF_DEVICE_CPU};
}

/* Runs the reference on packed pictures; `block`, if not NULL, receives the value `value`. */
static inline gf_status op_case_run(const void *in, void *out, int32_t value, void *block, gf_error *error)
{
    gf_image from = op_case_image(op_case.list.input, in);
    gf_image to = op_case_image(op_case.list.output, out);
    void *blocks[OP_CASE_MAX] = {NULL};
    if (block) {
        blocks[value] = block;
    }
    return gf_reference_run(&op_case.list, &from, out ? &to : NULL, blocks, error);
}

#endif
