/* Random passes on the CPU executor against the judge, bit for bit: programs, a window, taps, rectangles and
 * masks; by every SIMD level, and tiles and threads that must not show. */
#include "pass_draw.h"

static uint8_t tables_u8[4][8][256];
static uint16_t table_u16[8][65536];
static float table_f32[8][300];
static float ranges[8][2];
static float levels[8];
static float matrix[20];

static void draw_blocks(void)
{
    for (int c = 0; c < 8; c++) {
        for (int i = 0; i < 65536; i++) {
            table_u16[c][i] = (uint16_t)draw(65536);
        }
        for (int i = 0; i < 300; i++) {
            table_f32[c][i] = (float)draw(1000) / 999.0F;
        }
        for (int i = 0; i < 256; i++) {
            tables_u8[0][c][i] = (uint8_t)draw(256);
            tables_u8[1][c][i] = i > 99 ? 255 : 3;
            tables_u8[2][c][i] = i > 20 * c ? 200 : 0;
            tables_u8[3][c][i] = (uint8_t)(255 - i);
        }
        matrix[2 * c] = (float)draw(200) / 100.0F - 1.0F;
        ranges[c][0] = -0.5F;
        ranges[c][1] = c == 3 ? -0.5F : 0.75F;
        levels[c] = (float)draw(100) / 100.0F;
    }
}

static struct gf_rect draw_roi(const struct gf_value *v)
{
    struct gf_rect r = {draw((uint32_t)v->width), draw((uint32_t)v->height), 0, 0};
    r.w = 1 + draw((uint32_t)(v->width - r.x));
    r.h = 1 + draw((uint32_t)(v->height - r.y));
    return r;
}

static uint8_t draw_mask(void)
{
    return (uint8_t)(draw(2) ? 0xff : draw(256));
}

/* A table for the depth of the program, which maps integers to integers of the same depth. */
static void add_table(struct gf_op *op, gf_depth depth)
{
    struct gf_insn *insn = op_case_insn(op, depth == GF_F32 ? GF_INSN_TABLE_RANGE : GF_INSN_TABLE, 0, 0);
    if (depth == GF_U8) {
        op->blocks[0] = op_case_block(GF_U8, 8, 256, tables_u8[draw(4)]);
    } else if (depth == GF_U16) {
        op->blocks[0] = op_case_block(GF_U16, 8, 65536, table_u16);
    } else {
        op->blocks[0] = op_case_block(GF_F32, 8, 300, table_f32);
        op->blocks[1] = op_case_block(GF_F32, 8, 2, ranges);
        insn->block2 = 1;
    }
    insn->block = 0;
    insn->mask = draw_mask();
    insn->roi = op->roi.w > 0 ? 0 : GF_NONE;
}

/* An instruction that reads the window's input or the pass's; or NULL. */
static struct gf_insn *add_reading(struct gf_op *op, int32_t channels, int32_t centre)
{
    bool second = draw(2) || centre == GF_NONE;
    return op_case_combine(op, draw(OP_CASE_COMBINES), second ? GF_OPERAND_SECOND : GF_OPERAND_CENTRE,
                           second ? op_case.list.input : centre, channels);
}

/* Arithmetic on the samples, ending with values of `depth`. */
static void add_arithmetic(struct gf_op *op, gf_depth depth, int32_t channels)
{
    float white = (float)gf_depth_white(depth);
    for (int n = 1 + (int)draw(4); n > 0; n--) {
        struct gf_insn *insn = NULL;
        switch (draw(10)) {
        case 8:
        case 9:
            insn = add_reading(op, channels, op->operand[GF_OPERAND_CENTRE]);
            break;
        case 0:
            insn = op_case_insn(op, GF_INSN_AFFINE, 1.7F, -0.3F * white);
            break;
        case 1:
            insn = op_case_insn(op, GF_INSN_DIVIDE, white, 0);
            break;
        case 2:
            insn = op_case_insn(op, GF_INSN_POWER, 0.45F, 0);
            break;
        case 3:
            insn = op_case_insn(op, GF_INSN_GREATER, 0.4F * white, white);
            break;
        case 4:
            if (op->blocks[0] == GF_NONE) {
                op->blocks[0] = op_case_block(GF_F32, 8, 1, levels);
                insn = op_case_insn(op, GF_INSN_GREATER_BLOCK, 0, white);
                insn->block = 0;
            }
            break;
        case 5:
            if (channels == 2 || channels == 4) {
                op_case_insn(op, draw(2) ? GF_INSN_PREMULTIPLY : GF_INSN_UNPREMULTIPLY, 0, 0);
            }
            break;
        default:
            insn = op_case_insn(op, GF_INSN_AFFINE, 0.5F, 0.25F * white);
            break;
        }
        if (insn) {
            insn->mask = draw_mask();
            insn->roi = op->roi.w > 0 && draw(2) ? 0 : GF_NONE;
        }
    }
    if (op->roi.w > 0 && op_case.values[op_case.list.input].channels == channels && draw(2)) {
        op_case_region(op, draw(160), GF_OPERAND_SECOND, op_case.list.input);
        op->u.point->insn[op->u.point->n - 1].mask = draw_mask();
    }
    if (depth != GF_F32) {
        op_case_insn(op, GF_INSN_QUANTISE, 0, 0);
    }
}

/* POINT on the current picture. depth: what it ends with. */
static void add_point(gf_depth depth, int32_t centre)
{
    const struct gf_value from = op_case.values[op_case.list.output];
    if (centre == GF_NONE && draw(3) == 0 &&
        op_case_channels(draw(OP_CASE_CHANNELS), depth, 1 + (int32_t)draw(4), matrix)) {
        return;
    }
    bool gray =
        centre == GF_NONE && from.channels > 2 && from.channels < 5 && from.depth != GF_S16 && draw(3) == 0;
    int32_t channels = from.depth == GF_S16 ? from.channels / 2 : from.channels - 2 * gray;
    bool magnitude = from.channels > channels && !gray;
    struct gf_op *op = op_case_point(depth, channels);

    if (draw(2) && (gray || magnitude || from.depth != depth || draw(2))) {
        op->roi = draw_roi(&from);
    }
    op->operand[GF_OPERAND_CENTRE] = centre;
    if (magnitude) {
        op_case_insn(op, GF_INSN_MAGNITUDE, 0.03125F, 0);
    }
    if (gray) {
        op_case_insn(op, from.depth == GF_F32 ? GF_INSN_GRAY_F32 : GF_INSN_GRAY_INT, 0, 0);
    }
    bool keep_first = centre != GF_NONE && from.depth == depth && draw(2);
    if (keep_first) {
        struct gf_insn *insn = op_case_insn(op, GF_INSN_KEEP, 0, 0);
        insn->mask = draw_mask();
        insn->roi = op->roi.w > 0 ? 0 : GF_NONE;
    }
    if (from.depth == depth && (depth == GF_U8 || draw(2)) && draw(4)) {
        add_table(op, depth);
    } else if (from.depth != depth || draw(3)) {
        add_arithmetic(op, depth, channels);
    }
    if (centre != GF_NONE && !keep_first) {
        struct gf_insn *insn = op_case_insn(op, GF_INSN_KEEP, 0, 0);
        insn->mask = draw_mask();
        insn->roi = op->roi.w > 0 ? 0 : GF_NONE;
    }
}

static int32_t regions(void)
{
    int32_t n = 0;
    for (int32_t i = 0; i < op_case.list.n_ops; i++) {
        n += op_case.ops[i].roi.w > 0;
    }
    return n;
}

static void add_tap(void)
{
    const struct gf_value v = op_case.values[op_case.list.output];
    struct gf_op *op;
    switch (draw(v.depth == GF_F32 ? 3 : 2)) {
    case 0:
        op = op_case_tap(&gf_kernel_hist,
                         v.depth == GF_U8    ? 256
                         : v.depth == GF_U16 ? 65536
                                             : 1 + (int32_t)draw(1500),
                         -0.25F, 0.5F);
        if (v.depth == GF_F32 && draw(2)) {
            op->blocks[0] = op_case_block(GF_F32, 8, 2, ranges);
            op->u.tap.range = 0;
        }
        break;
    case 1:
        op = op_case_tap(&gf_kernel_stats, 0, 0, 0);
        break;
    default:
        op = op_case_tap(&gf_kernel_range, 0, 0, 0);
        break;
    }
    op->u.tap.mask = draw_mask();
    if (draw(3) == 0 && regions() < GF_MAX_PASS_ROIS) {
        op->roi = draw_roi(&v);
        op->u.tap.roi = 0;
    }
}

/* KEEP takes the window's input: of as many channels as the window's output, or half for a gradient. */
static int32_t add_window(void)
{
    static char weights_x[4 * 64], weights_y[4 * 64];
    int32_t in = op_case.list.output;
    const struct gf_value from = op_case.values[in];
    gf_border border = (gf_border)draw(5);
    int32_t rx = (int32_t)draw(5), ry = (int32_t)draw(5);

    switch (draw(3)) {
    case 0:
        draw_weights(weights_x, rx, from.depth == GF_U8, 14);
        draw_weights(weights_y, ry, from.depth == GF_U8, 14);
        op_case_separable(rx, ry, weights_x, weights_y, border, 0.5F);
        break;
    case 1:
        op_case_box(rx, ry, border, 0.5F);
        break;
    default:
        op_case_window(&gf_kernel_gradient, border, 0.5F);
        if (from.depth != GF_U8) { /* f32 with 2 c channels: keep it simple, no POINT halves them */
            return GF_NONE;
        }
        break;
    }
    return in;
}

static void random_pass(int number)
{
    char name[64];
    int64_t width = 1 + draw(300), height = 1 + draw(80);
    if (draw(4) == 0) {
        width = 1 + draw(8);
    }
    gf_depth depth = (gf_depth)draw(3);
    gf_depth middle = draw(3) ? depth : (gf_depth)draw(3);

    op_case_begin(depth, 1 + (int32_t)draw(4), width, height);
    void *in = draw_picture(&op_case.values[0], draw(2) == 0);
    if (depth != middle || draw(2)) {
        add_point(middle, GF_NONE);
    }
    int32_t centre = GF_NONE;
    if (draw(4)) {
        centre = add_window();
    }
    gf_depth now = op_case.values[op_case.list.output].depth;
    if (now == GF_S16 || draw(2)) {
        gf_depth end = now == GF_S16 ? GF_U8 : draw(3) ? now : (gf_depth)draw(3);
        bool keeps = centre != GF_NONE && (end == middle || end == GF_F32) && draw(2);
        add_point(end, keeps ? centre : GF_NONE);
    }
    if (op_case.list.n_ops == 0) { /* a pass stores something that it made */
        op_case_point(middle, op_case.values[0].channels);
    }
    for (int n = (int)draw(4); n > 0 && op_case.list.n_values < OP_CASE_MAX - 2; n--) {
        add_tap();
    }
    snprintf(name, sizeof name, "random pass %d", number);
    check_ways(in, 6, name);
    free(in);
}

static void random_passes(void)
{
    pass_draw_seed = 3;
    draw_blocks();
    for (int i = 0; i < 600; i++) {
        random_pass(i);
    }
}

static const struct check_case cases[] = {{"random_passes", random_passes}};

CHECK_MAIN(cases)
