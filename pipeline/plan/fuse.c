#include "plan/fuse.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"
#include "plan/collapse.h"
#include "plan/moving.h"

#include <stdlib.h>
#include <string.h>

struct fusion {
    struct gf_op_list *list;
    struct gf_fuse_options options;
    int32_t *readers; /* ops that read each value as their picture, the pipeline's output included */
    struct gf_steps *steps;
    struct gf_pass *open;  /* NULL: none */
    int32_t last;          /* value that the open pass ends with */
    int32_t centre;        /* value that its window read */
    int32_t moved, behind; /* stages of the move that it begins with, and of what comes first behind it;
                            * GF_NONE: it begins with points, or there is nothing behind it */
    gf_error *error;
};

/* ---- the open pass ---- */

static struct gf_step *append_step(struct fusion *f, enum gf_step_form kind, int32_t first, int32_t last)
{
    struct gf_step *step = &f->steps->step[f->steps->n++]; /* never more steps than ops */
    *step = (struct gf_step){.kind = kind, .first_stage = first, .last_stage = last};
    return step;
}

static gf_status open_pass(struct fusion *f, const struct gf_op *op)
{
    const struct gf_value *in = &f->list->values[op->in];
    struct gf_pass *pass = calloc(1, sizeof *pass);
    if (!pass) {
        return gf_fail(f->error, GF_ERROR_MEMORY, "out of memory");
    }
    pass->in = op->in;
    pass->out = GF_NONE;
    pass->operand[GF_OPERAND_CENTRE].value = pass->operand[GF_OPERAND_SECOND].value = GF_NONE;
    pass->width = in->width;
    pass->height = in->height;
    pass->pre.channels_in = pass->pre.channels_out = in->channels;
    pass->pre.depth_in = pass->pre.depth_out = in->depth;
    pass->post = pass->pre;
    pass->first_stage = pass->last_stage = op->stage;
    f->open = pass;
    f->last = op->in;
    f->centre = GF_NONE;
    f->behind = GF_NONE;
    return GF_OK;
}

/* A move that the pass loads through, as a step of its own. */
static void append_move(struct fusion *f, int32_t last_stage)
{
    const struct gf_pass *pass = f->open;
    append_step(f, GF_STEP_APPLY, pass->first_stage, last_stage)->u.apply = pass->map.move;
}

static gf_status close_pass(struct fusion *f)
{
    struct gf_pass *pass = f->open;
    if (!pass) {
        return GF_OK;
    }
    if (pass->map.move.kernel && f->last == pass->map.move.out[0] && pass->pre.n == 0 && !pass->n_taps) {
        append_move(f, pass->last_stage);
        f->open = NULL;
        free(pass);
        return GF_OK;
    }
    f->open = NULL;
    append_step(f, GF_STEP_PASS, pass->first_stage, pass->last_stage)->u.pass = pass;
    if (f->last != pass->in && f->readers[f->last] > pass->n_taps) {
        pass->out = f->last;
    }
    if (!pass->window.kernel) { /* everything is in pre */
        pass->post.channels_in = pass->post.channels_out = pass->pre.channels_out;
        pass->post.depth_in = pass->post.depth_out = pass->pre.depth_out;
    }
    GF_TRY(gf_collapse(f->list, pass, &pass->pre, f->error));
    return gf_collapse(f->list, pass, &pass->post, f->error);
}

/* ---- slots: what programs, window and taps refer to by index ---- */

static int8_t block_slot(struct gf_pass *pass, int32_t value)
{
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        if (pass->blocks[i] == value) {
            return (int8_t)i;
        }
    }
    pass->blocks[pass->n_blocks] = value;
    return (int8_t)pass->n_blocks++;
}

static int8_t roi_slot(struct gf_pass *pass, const struct gf_rect *roi)
{
    for (int32_t i = 0; i < pass->n_rois; i++) {
        if (!memcmp(&pass->rois[i], roi, sizeof *roi)) {
            return (int8_t)i;
        }
    }
    pass->rois[pass->n_rois] = *roi;
    return (int8_t)pass->n_rois++;
}

/* ---- who may join ---- */

static bool made_in_open_pass(const struct fusion *f, int32_t value)
{
    for (int32_t i = 0; i < f->open->n_taps; i++) {
        if (f->open->taps[i].out == value) {
            return true;
        }
    }
    return false;
}

static bool has_roi(const struct gf_pass *pass, const struct gf_rect *roi)
{
    for (int32_t i = 0; i < pass->n_rois; i++) {
        if (!memcmp(&pass->rois[i], roi, sizeof *roi)) {
            return true;
        }
    }
    return false;
}

static bool has_room(const struct fusion *f, const struct gf_op *op)
{
    const struct gf_pass *pass = f->open;
    /* two slots stay free: collapsing each program may add a table */
    int32_t blocks = pass->n_blocks + GF_MAX_OP_BLOCKS + GF_COLLAPSE_BLOCKS;
    bool room = pass->n_rois < GF_MAX_PASS_ROIS;
    if (op->kind == GF_OP_WINDOW) { /* so that what reads its centre joins, too */
        return room && blocks + GF_MAX_OP_BLOCKS <= GF_MAX_PASS_BLOCKS;
    }
    return blocks <= GF_MAX_PASS_BLOCKS && (!op->roi.w || room || has_roi(pass, &op->roi));
}

/* Can the open pass read what the op does: the centre of its window, and a picture that is stored by then? */
static bool has_operands(const struct fusion *f, const struct gf_op *op)
{
    const struct gf_pass *pass = f->open;
    int32_t centre = op->operand[GF_OPERAND_CENTRE], second = op->operand[GF_OPERAND_SECOND];
    int32_t taken = pass->operand[GF_OPERAND_SECOND].value;
    bool stored = second != f->last || f->last == pass->in;
    return (centre == GF_NONE || centre == f->centre) &&
           (second == GF_NONE || (stored && (taken == GF_NONE || taken == second)));
}

static bool joins(const struct fusion *f, const struct gf_op *op)
{
    const struct gf_pass *pass = f->open;
    if (!pass || op->in != f->last || (f->options.no_fuse && op->stage != pass->last_stage) ||
        !has_room(f, op)) {
        return false;
    }
    for (int32_t i = 0; i < GF_MAX_OP_BLOCKS; i++) {
        if (op->blocks[i] != GF_NONE && made_in_open_pass(f, op->blocks[i])) {
            return false;
        }
    }
    if (pass->map.move.kernel && !gf_moving_joins(f->list, pass, op, &f->options)) {
        return false;
    }
    if (op->kind == GF_OP_TAP) {
        return pass->n_taps < GF_MAX_PASS_TAPS;
    }
    if ((pass->n_taps && !GF_FAULT(fusion_across_taps)) || (f->last != pass->in && f->readers[f->last] > 1)) {
        return false;
    }
    if (op->kind == GF_OP_WINDOW) {
        return !pass->window.kernel;
    }
    const struct gf_program *program = pass->window.kernel ? &pass->post : &pass->pre;
    return program->n + op->u.point->n <= GF_MAX_PROGRAM && has_operands(f, op);
}

/* ---- joining ---- */

static void join_point(struct fusion *f, const struct gf_op *op)
{
    struct gf_pass *pass = f->open;
    struct gf_program *program = pass->window.kernel ? &pass->post : &pass->pre;
    for (int32_t i = 0; i < op->u.point->n; i++) {
        struct gf_insn insn = op->u.point->insn[i];
        insn.block = insn.block == GF_NONE ? GF_NONE : block_slot(pass, op->blocks[insn.block]);
        insn.block2 = insn.block2 == GF_NONE ? GF_NONE : block_slot(pass, op->blocks[insn.block2]);
        insn.roi = insn.roi == GF_NONE ? GF_NONE : roi_slot(pass, &op->roi);
        program->insn[program->n++] = insn;
    }
    for (int32_t i = 0; i < GF_OPERANDS; i++) {
        if (op->operand[i] != GF_NONE) {
            const struct gf_value *v = &f->list->values[op->operand[i]];
            pass->operand[i] = (struct gf_pass_operand){op->operand[i], v->channels, v->depth};
        }
    }
    program->channels_out = op->u.point->channels_out;
    program->depth_out = op->u.point->depth_out;
}

static void join_window(struct fusion *f, const struct gf_op *op)
{
    struct gf_pass *pass = f->open;
    pass->window = op->u.window;
    for (int32_t i = 0; i < GF_MAX_OP_BLOCKS; i++) {
        int8_t block = op->u.window.blocks[i];
        pass->window.blocks[i] = block == GF_NONE ? GF_NONE : block_slot(pass, op->blocks[block]);
    }
    pass->post.channels_in = pass->post.channels_out = pass->window.channels_out;
    pass->post.depth_in = pass->post.depth_out = pass->window.depth_out;
    f->centre = op->in;
}

static void join_tap(struct fusion *f, const struct gf_op *op)
{
    struct gf_pass *pass = f->open;
    struct gf_tap *tap = &pass->taps[pass->n_taps++];
    *tap = op->u.tap;
    tap->range = tap->range == GF_NONE ? GF_NONE : block_slot(pass, op->blocks[tap->range]);
    tap->roi = tap->roi == GF_NONE ? GF_NONE : roi_slot(pass, &op->roi);
}

/* ---- moves ---- */

/* The open pass loads through the move, or a new one does. */
static gf_status add_move(struct fusion *f, const struct gf_op *op)
{
    const struct gf_apply *move = &op->u.apply;
    const bool alone = f->open && f->last == move->in[0] && f->readers[f->last] == 1;
    if (!alone || !gf_moving_passes(f->list, f->open, move, &f->options)) {
        struct gf_op load = *op;
        load.in = move->in[0];
        GF_TRY(close_pass(f));
        GF_TRY(open_pass(f, &load));
    }
    gf_moving_set(f->list, f->open, move);
    f->open->last_stage = op->stage;
    f->last = move->out[0];
    f->behind = GF_NONE;
    return GF_OK;
}

/* A window is about to read what a pass has made of moved pixels. Where the pass has made them larger, the
 * move is better a step of its own, and the points go into the pass of the window. */
static void set_apart(struct fusion *f, const struct gf_op *op)
{
    struct gf_pass *pass = f->open;
    const struct gf_program *pre = &pass->pre;
    const bool grows =
        pre->channels_out * gf_depth_size(pre->depth_out) > pre->channels_in * gf_depth_size(pre->depth_in);
    if (op->kind == GF_OP_WINDOW && op->in == f->last && f->behind != GF_NONE && !pass->n_taps && grows &&
        f->readers[f->last] == 1) {
        append_move(f, f->moved);
        pass->in = pass->map.move.out[0];
        pass->map = (struct gf_pass_map){0};
        pass->first_stage = f->behind;
        f->behind = GF_NONE;
    }
}

static gf_status add_op(struct fusion *f, const struct gf_op *op)
{
    if (f->open) {
        set_apart(f, op);
    }
    if (op->kind == GF_OP_APPLY && !f->options.no_fuse && gf_moving_loads(f->list, &op->u.apply)) {
        return add_move(f, op);
    }
    if (op->kind == GF_OP_APPLY) {
        GF_TRY(close_pass(f));
        append_step(f, GF_STEP_APPLY, op->stage, op->stage)->u.apply = op->u.apply;
        return GF_OK;
    }
    if (op->kind == GF_OP_CALL) {
        GF_TRY(close_pass(f));
        append_step(f, GF_STEP_CALL, op->stage, op->stage)->u.call = op->u.call;
        return GF_OK;
    }
    if (!joins(f, op)) {
        GF_TRY(close_pass(f));
        GF_TRY(open_pass(f, op));
        if (!has_operands(f, op)) {
            return gf_fail(f->error, GF_ERROR_INTERNAL,
                           "stage %d reads the centre of a window that another pass has", op->stage + 1);
        }
    }
    if (f->open->map.move.kernel && f->last == f->open->map.move.out[0] && f->open->pre.n == 0) {
        f->moved = f->open->last_stage;
        f->behind = op->stage;
    }
    f->open->last_stage = op->stage;
    if (op->kind == GF_OP_TAP) {
        join_tap(f, op);
        return GF_OK;
    }
    if (op->kind == GF_OP_WINDOW) {
        join_window(f, op);
    } else {
        join_point(f, op);
    }
    f->last = op->out;
    return GF_OK;
}

static void count_readers(struct fusion *f)
{
    for (int32_t i = 0; i < f->list->n_ops; i++) {
        const struct gf_op *op = &f->list->ops[i];
        if (op->in != GF_NONE) {
            f->readers[op->in]++;
        }
        if (op->operand[GF_OPERAND_SECOND] != GF_NONE) { /* a centre is no reader: its window's pass has it */
            f->readers[op->operand[GF_OPERAND_SECOND]]++;
        }
        for (int32_t k = 0; op->kind == GF_OP_APPLY && k < gf_operand_count(op->u.apply.in); k++) {
            f->readers[op->u.apply.in[k]]++;
        }
    }
    f->readers[f->list->output]++;
}

gf_status gf_fuse(struct gf_op_list *list, const struct gf_fuse_options *options, struct gf_steps *steps,
                  gf_error *error)
{
    struct fusion f = {.list = list, .options = *options, .steps = steps, .error = error};
    *steps = (struct gf_steps){0};
    f.readers = calloc((size_t)list->n_values, sizeof *f.readers);
    steps->step = calloc((size_t)list->n_ops + 1, sizeof *steps->step);
    gf_status status = GF_OK;
    if (!f.readers || !steps->step) {
        status = gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    } else {
        count_readers(&f);
    }
    for (int32_t i = 0; i < list->n_ops && status == GF_OK; i++) {
        status = add_op(&f, &list->ops[i]);
    }
    if (status == GF_OK) {
        status = close_pass(&f);
    }
    free(f.open);
    free(f.readers);
    if (status != GF_OK) {
        gf_steps_free(steps);
    }
    return status;
}

bool gf_step_solves(const struct gf_step *step)
{
    return step->kind == GF_STEP_APPLY && step->u.apply.kernel->kind == GF_KERNEL_SOLVE;
}

bool gf_step_maps(const struct gf_step *step)
{
    return step->kind == GF_STEP_APPLY && step->u.apply.kernel->kind == GF_KERNEL_MAP;
}

const struct gf_apply *gf_step_map(const struct gf_step *step)
{
    const bool loads = step->kind == GF_STEP_PASS && step->u.pass->map.move.kernel;
    return gf_step_maps(step) ? &step->u.apply : loads ? &step->u.pass->map.move : NULL;
}

bool gf_step_gathers(const struct gf_step *step)
{
    return step->kind == GF_STEP_APPLY && step->u.apply.kernel->apply.by_bands;
}

gf_status gf_step_copy(const struct gf_step *from, struct gf_step *copy, gf_error *error)
{
    *copy = *from;
    if (from->kind == GF_STEP_PASS) {
        copy->u.pass = malloc(sizeof *copy->u.pass);
        GF_TRY(gf_need_memory(copy->u.pass != NULL, error));
        *copy->u.pass = *from->u.pass;
    }
    return GF_OK;
}

void gf_steps_free(struct gf_steps *steps)
{
    for (int32_t i = 0; i < steps->n; i++) {
        if (steps->step[i].kind == GF_STEP_PASS) {
            free(steps->step[i].u.pass);
        }
    }
    free(steps->step);
    *steps = (struct gf_steps){0};
}
