#include "lower/lowering_private.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/ir/op_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Fails at the value of row `row` of the stage's parameters, or at the whole stage where the text lacks it.
 */
static void fail(gf_lowering *l, int32_t row, gf_status code, const char *format, va_list arguments)
{
    if (l->status != GF_OK) {
        return;
    }
    char reason[400] = "";
    if (format) {
        vsnprintf(reason, sizeof reason, format, arguments);
    }
    code = code < GF_OK ? code : GF_ERROR_ARGUMENT; /* that it fails is certain */
    if (!l->node) {                                 /* the pipeline's input, before any stage */
        l->status = gf_fail(l->error, code, "%s", reason);
        return;
    }
    l->status = gf_fail(l->error, code, "stage %d '%s': %s", l->stage + 1, l->node->type->name, reason);
    bool has_place = row >= 0 && l->node->places[row].length > 0;
    gf_error_place(l->error, l->stage, has_place ? l->node->places[row].offset : l->node->text_offset,
                   has_place ? l->node->places[row].length : l->node->text_length);
}

void gf_lowering_fail_at(gf_lowering *l, int32_t row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(l, row, GF_ERROR_ARGUMENT, format, arguments);
    va_end(arguments);
}

void gf_lowering_fail_as(gf_lowering *l, int32_t row, gf_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(l, row, code, format, arguments);
    va_end(arguments);
}

void gf_lower_fail(gf_lowering *l, gf_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(l, -1, code, format, arguments);
    va_end(arguments);
}

void gf_lowering_note(gf_lowering *l, const char *format, ...)
{
    va_list arguments;
    char *note = l->out->note;
    va_start(arguments, format);
    if (l->status == GF_OK && !*note) {
        const int n =
            snprintf(note, sizeof l->out->note, "stage %d '%s': ", l->stage + 1, l->node->type->name);
        vsnprintf(note + n, sizeof l->out->note - (size_t)n, format, arguments);
    }
    va_end(arguments);
}

/* ---- values and ops ---- */

static void out_of_memory(gf_lowering *l)
{
    gf_lower_fail(l, GF_ERROR_MEMORY, "out of memory");
}

static int32_t add_value(gf_lowering *l, struct gf_value value)
{
    if (l->status != GF_OK) {
        return GF_NONE;
    }
    int32_t index = gf_op_list_add_value(&l->out->list, value);
    if (index == GF_NONE) {
        out_of_memory(l);
    }
    return index;
}

int32_t gf_lowering_picture(gf_lowering *l, int64_t width, int64_t height, int32_t channels, gf_depth depth)
{
    return add_value(
        l, (struct gf_value){.depth = depth, .channels = channels, .width = width, .height = height});
}

int32_t gf_lowering_block(gf_lowering *l, gf_depth depth, int32_t channels, int64_t width)
{
    return add_value(
        l, (struct gf_value){
               .is_block = true, .depth = depth, .channels = channels, .width = width, .height = 1});
}

int32_t gf_lowering_rows(gf_lowering *l, gf_depth depth, int64_t row, int64_t most, int32_t counted_by)
{
    return add_value(l, (struct gf_value){.is_block = true,
                                          .depth = depth,
                                          .channels = 1,
                                          .width = row * most,
                                          .height = 1,
                                          .row = row,
                                          .counted_by = counted_by});
}

void *gf_lowering_constant(gf_lowering *l, gf_depth depth, int32_t channels, int64_t width, int32_t *value)
{
    *value = GF_NONE;
    void *content =
        l->status == GF_OK ? gf_op_list_add_constant(&l->out->list, depth, channels, width, value) : NULL;
    if (!content) {
        out_of_memory(l);
    }
    return content;
}

const struct gf_value *gf_lowering_value(gf_lowering *l, gf_value_id id, bool block)
{
    const struct gf_op_list *list = &l->out->list;
    if (l->status != GF_OK) {
        return NULL;
    }
    if (id < 1 || id > list->n_values || list->values[id - 1].is_block != block) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "a builder was given %d, which is no %s of this plan", (int)id,
                      block ? "block" : "picture");
        return NULL;
    }
    return &list->values[id - 1];
}

const struct gf_value *gf_lowering_samples(gf_lowering *l, gf_value_id id)
{
    const struct gf_value *value = gf_lowering_value(l, id, false);
    if (value && !(gf_depth_white(value->depth) > 0) && value->depth != GF_S16) {
        gf_lower_fail(
            l, GF_ERROR_UNSUPPORTED,
            "it works on u8, u16 and f32, and gets %s, numbers that another stage has found: put it "
            "before that one",
            gf_depth_name(value->depth));
        return NULL;
    }
    return value;
}

const struct gf_value *gf_lowering_gray(gf_lowering *l, gf_value_id id)
{
    const struct gf_value *value = gf_lowering_samples(l, id);
    if (value && value->channels > 2) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED, "it takes a gray picture, not %d channels: put gray before it",
                      value->channels);
        return NULL;
    }
    return value;
}

struct gf_op *gf_lowering_op(gf_lowering *l, enum gf_op_kind kind, int32_t in, int32_t out)
{
    if (l->status != GF_OK) {
        return NULL;
    }
    struct gf_op *op = gf_op_list_add_op(&l->out->list, (struct gf_op){.kind = (uint8_t)kind,
                                                                       .stage = l->stage,
                                                                       .in = in,
                                                                       .out = out,
                                                                       .operand = {GF_NONE, GF_NONE},
                                                                       .blocks = {GF_NONE, GF_NONE},
                                                                       .roi = l->node->common.roi.rect});
    if (!op) {
        out_of_memory(l);
    }
    return op;
}

struct gf_op *gf_lowering_point(gf_lowering *l, gf_value_id v, gf_depth depth, int32_t channels, int32_t *out)
{
    const struct gf_value *in = gf_lowering_samples(l, v);
    if (!in) {
        return NULL;
    }
    struct gf_value from = *in;
    *out = gf_lowering_picture(l, from.width, from.height, channels, depth);
    struct gf_op *op = *out == GF_NONE ? NULL : gf_lowering_op(l, GF_OP_POINT, v - 1, *out);
    if (!op) {
        return NULL;
    }
    op->u.point = calloc(1, sizeof *op->u.point);
    if (!op->u.point) {
        out_of_memory(l);
        return NULL;
    }
    op->u.point->channels_in = from.channels;
    op->u.point->channels_out = channels;
    op->u.point->depth_in = from.depth;
    op->u.point->depth_out = depth;
    return op;
}

struct gf_op *gf_lowering_point_all(gf_lowering *l, gf_value_id v, gf_depth depth, int32_t channels,
                                    int32_t *out)
{
    struct gf_op *op = gf_lowering_point(l, v, depth, channels, out);
    if (op) {
        op->roi = (gf_rect){0};
    }
    return op;
}

bool gf_lowering_apply(gf_lowering *l, const struct gf_kernel *kernel, struct gf_lowering_operands in,
                       struct gf_lowering_operands out, const void *args, size_t size)
{
    for (int32_t i = 0; i < in.n + out.n; i++) {
        if ((i < in.n ? in.values[i] : out.values[i - in.n]) == GF_NONE) {
            return false; /* what should have made it has said why */
        }
    }
    struct gf_op *op = gf_lowering_op(l, GF_OP_APPLY, GF_NONE, out.values[0]);
    if (!op) {
        return false;
    }
    op->roi = (struct gf_rect){0};
    op->u.apply.kernel = kernel;
    l->moved = l->moved || kernel->kind == GF_KERNEL_MAP;
    op->u.apply.args = gf_args_of(args, size);
    for (int32_t i = 0; i < GF_MAX_OPERANDS; i++) {
        op->u.apply.in[i] = i < in.n ? in.values[i] : GF_NONE;
        op->u.apply.out[i] = i < out.n ? out.values[i] : GF_NONE;
    }
    return true;
}

struct gf_insn *gf_point_push(struct gf_op *op, enum gf_insn_code code, uint8_t mask, float k0, float k1)
{
    struct gf_program *program = op->u.point;
    struct gf_insn *insn =
        &program->insn[program->n++]; /* builders push a handful, GF_MAX_PROGRAM is ample */
    *insn = (struct gf_insn){.code = (uint8_t)code,
                             .mask = mask,
                             .depth = (uint8_t)program->depth_out,
                             .block = GF_NONE,
                             .block2 = GF_NONE,
                             .roi = op->roi.w ? 0 : GF_NONE,
                             .k = {k0, k1}};
    return insn;
}

/* ---- what a stage acts on ---- */

static bool has_alpha(const gf_lowering *l, int32_t channels)
{
    return l->alpha != GF_ALPHA_NONE && (channels == 2 || channels == 4);
}

bool gf_lowering_weighs(const gf_lowering *l, int32_t channels)
{
    return l->alpha == GF_ALPHA_PREMUL && has_alpha(l, channels) && !l->node->common.channels;
}

double gf_lowering_outside_alpha(const gf_lowering *l, double value, double alpha)
{
    const bool seen = value > 0 || l->alpha != GF_ALPHA_PREMUL;
    return alpha >= 0 ? alpha : seen ? 1 : 0;
}

uint8_t gf_lowering_mask(gf_lowering *l, int32_t channels)
{
    uint32_t all = (1u << channels) - 1;
    uint32_t wanted = (uint32_t)l->node->common.channels;
    if (!wanted) {
        return (uint8_t)(has_alpha(l, channels) && !GF_FAULT(alpha_is_colour) ? all >> 1 : all);
    }
    if (wanted & GF_CHANNELS_LUMA) { /* of a gray picture, or what lower_stage made of colours */
        return (uint8_t)(channels > 2 ? all >> (has_alpha(l, channels) ? 1 : 0) : 1);
    }
    if (wanted & GF_CHANNELS_ALL) {
        return (uint8_t)all;
    }
    if (wanted & GF_CHANNELS_ALPHA) {
        if (channels != 2 && channels != 4) {
            gf_lower_fail(l, GF_ERROR_ARGUMENT, "channels=a, but a picture of %d channel%s has no alpha",
                          channels, channels == 1 ? "" : "s");
            return 0;
        }
        wanted = (wanted & ~(uint32_t)GF_CHANNELS_ALPHA) | 1u << (channels - 1);
    }
    if (wanted & ~all) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "channels= names channel %d, but the picture has %d (0 to %d)",
                      31 - __builtin_clz(wanted & ~all), channels, channels - 1);
        return 0;
    }
    return (uint8_t)wanted;
}

gf_value_id gf_lower_input(gf_lowering *l)
{
    return gf_to_id(l->input);
}

void gf_lower_output(gf_lowering *l, gf_value_id picture)
{
    if (gf_lowering_value(l, picture, false)) {
        l->output = picture - 1;
    }
}

gf_shape gf_lower_shape(const gf_lowering *l, gf_value_id picture)
{
    const struct gf_op_list *list = &l->out->list;
    if (picture < 1 || picture > list->n_values) {
        return (gf_shape){0};
    }
    const struct gf_value *v = &list->values[picture - 1];
    return (gf_shape){v->width, v->height, v->channels, v->depth};
}

double gf_lower_white(const gf_lowering *l, gf_value_id picture)
{
    return gf_depth_white(gf_lower_shape(l, picture).depth);
}
