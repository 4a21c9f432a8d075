/* pass_cuda_random.h: random pictures, weights, programs, windows and taps for lists of ops (op_case.h). All
 * follows from stream_of_randoms. For one test program, one thread. */
#ifndef PASS_CUDA_RANDOM_H
#define PASS_CUDA_RANDOM_H

#include "floats.h"
#include "pass_cuda_case.h"

static uint64_t stream_of_randoms;
static uint64_t randoms_taken;

static inline uint32_t below(uint32_t n)
{
    return (uint32_t)((random_at(stream_of_randoms, randoms_taken++) >> 32) % n);
}

enum content { NOISE, FLAT, BINARY, SPECIAL, CONTENTS };

static void *random_samples(gf_depth depth, size_t n, enum content content)
{
    uint32_t flat = below(0x10000);
    unsigned char *samples = malloc(n * gf_depth_size(depth));
    for (size_t i = 0; i < n; i++) {
        uint32_t v = content == FLAT ? flat : content == BINARY ? 0xffffU * below(2) : below(0x10000);
        float f = content == SPECIAL ? float_from(random_at(stream_of_randoms + 1, randoms_taken++))
                                     : (float)v / 65535.0F;
        uint16_t u = (uint16_t)v;
        int16_t s = (int16_t)(v % 2041) - 1020;
        if (depth == GF_U8) {
            samples[i] = (unsigned char)(v & 0xff);
        } else {
            memcpy(samples + i * gf_depth_size(depth),
                   depth == GF_U16   ? (void *)&u
                   : depth == GF_S16 ? (void *)&s
                                     : (void *)&f,
                   gf_depth_size(depth));
        }
    }
    return samples;
}

static struct layout random_layout(gf_depth depth)
{
    size_t unit = gf_depth_size(depth);
    struct layout layout = {0, 0};
    switch (below(4)) {
    case 0: /* as the allocator gives it, rows without gaps */
        break;
    case 1:
        layout.gap = 16 * (size_t)below(5);
        break;
    default:
        layout.offset = unit * below((uint32_t)(16 / unit));
        layout.gap = unit * below(19);
    }
    return layout;
}

/* Weights: s16 of sum 2^14, or f32 of sum near 1, some negative. */
static int16_t weights_int[2][600];
static float weights_f32[2][600];

static void random_weights(int32_t axis, int32_t radius)
{
    int32_t n = 2 * radius + 1;
    int32_t rest = 1 << 14;
    for (int32_t i = 0; i < n; i++) {
        int32_t most = 2 * (1 << 14) / n;
        weights_int[axis][i] = (int16_t)((int32_t)below((uint32_t)most + 1) - (below(7) == 0 ? most / 8 : 0));
        rest -= weights_int[axis][i];
        weights_f32[axis][i] = ((float)below(2000) - 200.0F) / (800.0F * (float)n);
    }
    for (int32_t i = 0; rest != 0; i = (i + 1) % n) {
        int32_t step = rest > 400 ? 400 : rest < -400 ? -400 : rest;
        weights_int[axis][i] = (int16_t)(weights_int[axis][i] + step);
        rest -= step;
    }
}

static inline void add_separable(int32_t rx, int32_t ry, gf_border border, float fill)
{
    bool u8 = op_case.values[op_case.list.output].depth == GF_U8;
    random_weights(0, rx);
    random_weights(1, ry);
    op_case_separable(rx, ry, u8 ? (void *)weights_int[0] : (void *)weights_f32[0],
                      u8 ? (void *)weights_int[1] : (void *)weights_f32[1], border, fill);
}

enum window { NO_WINDOW, SEPARABLE, BOX, GRADIENT, WINDOWS };

static inline void add_window(enum window window, int32_t rx, int32_t ry, gf_border border)
{
    gf_depth depth = op_case.values[op_case.list.output].depth;
    float fill = depth == GF_F32 ? 0.37F : depth == GF_U8 ? 77.0F : 1234.0F;
    if (window == SEPARABLE) {
        add_separable(rx, ry, border, fill);
    } else if (window == BOX) {
        op_case_box(rx, ry, border, fill)->u.window.args.box.floors = depth != GF_F32 && (rx + ry) % 3 == 0;
    } else if (window == GRADIENT) {
        const struct gf_gradient_args args =
            gf_gradient_make((enum gf_gradient_operator)(op_case.values[op_case.list.output].width % 3));
        op_case_window(&gf_kernel_gradient, border, fill)->u.window.args.own = gf_args_of(&args, sizeof args);
    }
}

static uint8_t table_u8[4][256];
static uint16_t table_u16[4][65536];
static float table_f32[4][40];
static const float ranges[8][2] = {{0.1F, 0.9F}, {-1.0F, 2.0F}, {0.5F, 0.5F}, {0.0F, 1.0F},
                                   {0.1F, 0.8F}, {0.2F, 0.7F},  {0.3F, 0.6F}, {0.0F, 2.0F}};
static const float levels[8] = {0.5F, 100.0F, 30000.0F, 0.25F, 3.0F, 60.0F, 0.0F, 1.0F};

static struct gf_rect random_rect(void)
{
    const struct gf_value *v = &op_case.values[op_case.list.input];
    struct gf_rect r;
    r.x = below((uint32_t)v->width);
    r.y = below((uint32_t)v->height);
    r.w = 1 + below((uint32_t)(v->width - r.x));
    r.h = 1 + below((uint32_t)(v->height - r.y));
    return r;
}

/* One random POINT op on the current picture; pixels: gray and the like may occur. `centre`: the input of
 * the window in front, for KEEP, or GF_NONE. */
static void add_point(bool pixels, int32_t centre)
{
    struct gf_value v = op_case.values[op_case.list.output];
    float white = v.depth == GF_U8 ? 255.0F : v.depth == GF_U16 ? 65535.0F : 1.0F;
    uint8_t mask = (uint8_t)(below(3) == 0 ? 1 + below(15) : 0xff);
    struct gf_op *op;
    struct gf_insn *insn = NULL;
    static const float matrix[20] = {0.5F, -0.25F, 0.0F, 0.75F, 0.1F, 0.3F, 1.0F};
    if (pixels && below(4) == 0 &&
        op_case_channels(below(OP_CASE_CHANNELS), v.depth, 1 + (int32_t)below(4), matrix)) {
        return;
    }
    bool gray = pixels && v.channels >= 3 && v.channels <= 4 && v.depth != GF_S16 && below(2) == 0;
    bool magnitude = v.depth == GF_S16 || (pixels && v.channels > 4);
    if (magnitude) {
        op = op_case_point(v.depth == GF_S16 ? GF_U8 : v.depth, v.channels / 2);
        op_case_insn(op, GF_INSN_MAGNITUDE, 0.03125F, 0);
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        return;
    }
    if (gray) {
        op = op_case_point(v.depth, v.channels - 2);
        op_case_insn(op, v.depth == GF_F32 ? GF_INSN_GRAY_F32 : GF_INSN_GRAY_INT, 0, 0);
        return;
    }
    uint32_t kind = below(10);
    gf_depth depth = v.depth;
    if (kind == 7) { /* another depth */
        depth = (gf_depth)below(3);
        op = op_case_point(depth, v.channels);
        op_case_insn(op, GF_INSN_AFFINE,
                     depth == GF_F32  ? 1.0F / white
                     : depth == GF_U8 ? 255.0F / white
                                      : 65535.0F / white,
                     0);
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
        return;
    }
    op = op_case_point(depth, v.channels);
    op->roi = random_rect();
    if (kind == 0) {
        insn = op_case_insn(op, GF_INSN_AFFINE, 1.5F, -0.25F * white);
    } else if (kind == 1) {
        insn = op_case_insn(op, GF_INSN_GREATER, 0.5F * white, white);
    } else if (kind == 2) {
        insn = op_case_insn(op, GF_INSN_DIVIDE, white, 0);
        insn->mask = mask;
        insn = op_case_insn(op, GF_INSN_POWER, 0.45F, 0);
        insn->mask = mask;
        insn = op_case_insn(op, GF_INSN_AFFINE, white, 0);
    } else if (kind == 3 && v.channels <= 4) {
        op->blocks[0] = depth == GF_U8    ? op_case_block(GF_U8, 4, 256, table_u8)
                        : depth == GF_U16 ? op_case_block(GF_U16, 4, 65536, table_u16)
                                          : op_case_block(GF_F32, 4, 40, table_f32);
        if (depth == GF_F32) {
            op->blocks[1] = op_case_block(GF_F32, 4, 2, ranges);
        }
        insn = op_case_insn(op, depth == GF_F32 ? GF_INSN_TABLE_RANGE : GF_INSN_TABLE, 0, 0);
        insn->block = 0;
        insn->block2 = depth == GF_F32 ? 1 : GF_NONE;
    } else if (kind == 4) {
        op->blocks[0] = op_case_block(GF_F32, 8, 1, levels);
        insn = op_case_insn(op, GF_INSN_GREATER_BLOCK, 0, white);
        insn->block = 0;
    } else if (kind == 5 && pixels && v.channels % 2 == 0 && v.channels <= 4 && depth == GF_F32) {
        insn = op_case_insn(op, below(2) ? GF_INSN_PREMULTIPLY : GF_INSN_UNPREMULTIPLY, 0, 0);
    } else if (kind > 7 && v.depth != GF_S16) {
        bool second = centre == GF_NONE || below(2);
        insn = op_case_combine(op, below(OP_CASE_COMBINES), second ? GF_OPERAND_SECOND : GF_OPERAND_CENTRE,
                               second ? op_case.list.input : centre, v.channels);
        insn = insn ? insn : op_case_insn(op, GF_INSN_AFFINE, 0.5F, 0.0F);
    } else if (centre != GF_NONE && op_case.values[centre].channels == v.channels &&
               op_case.values[centre].depth == depth) {
        insn = op_case_insn(op, GF_INSN_KEEP, 0, 0);
        op->operand[GF_OPERAND_CENTRE] = centre;
    } else {
        insn = op_case_insn(op, GF_INSN_AFFINE, -1.0F, white);
    }
    insn->mask = mask;
    insn->roi = (int8_t)(below(3) == 0 && op_case.list.n_ops < 4 ? 0 : GF_NONE);
    if (insn->roi == 0 && op_case.values[op_case.list.input].channels == v.channels && below(2)) {
        op_case_region(op, below(160), GF_OPERAND_SECOND, op_case.list.input);
        op->u.point->insn[op->u.point->n - 1].mask = mask;
    }
    op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
}

static inline void add_taps(void)
{
    struct gf_value v = op_case.values[op_case.list.output];
    int32_t bins = v.depth == GF_U8    ? 256
                   : v.depth == GF_U16 ? 65536
                   : below(4) == 0     ? 9000
                                       : 1 + (int32_t)below(300);
    if (v.depth == GF_S16) {
        return;
    }
    struct gf_op *op = op_case_tap(&gf_kernel_hist, bins, 0.2F, 0.8F);
    if (v.depth == GF_F32 && below(2)) {
        op->blocks[0] = op_case_block(GF_F32, 8, 2, ranges);
        op->u.tap.range = 0;
    }
    op->u.tap.mask = (uint8_t)(below(2) ? 0xff : 1 + below(15));
    if (below(3) == 0) {
        op->u.tap.roi = 0;
        op->roi = random_rect();
    }
    op = op_case_tap(&gf_kernel_stats, 0, 0, 0);
    op->u.tap.mask = (uint8_t)(below(2) ? 0xff : 1 + below(15));
    if (below(3) == 0) {
        op->u.tap.roi = 0;
        op->roi = random_rect();
    }
    if (v.depth == GF_F32) {
        op_case_tap(&gf_kernel_range, 0, 0, 0);
    }
}

#endif
