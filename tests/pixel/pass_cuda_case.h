/* pass_cuda_case.h: runs a list of ops (op_case.h) as one pass on a CUDA device and as the judge does, and
 * compares every byte, those around the rows included. For one test program, one thread. */
#ifndef PASS_CUDA_CASE_H
#define PASS_CUDA_CASE_H

#include "check.h"
#include "op_case.h"

#include "base/device.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>

static const gf_queue queue = {0, NULL};

static inline bool no_device(void)
{
    int32_t count = 0;
    return !gf_cuda_backend() || gf_cuda_backend()->count(&count, NULL) != GF_OK || count == 0;
}

#define NEEDS_DEVICE()                                                                                       \
    do {                                                                                                     \
        if (no_device()) {                                                                                   \
            SKIP("no CUDA device");                                                                          \
        }                                                                                                    \
    } while (0)

/* ---- from ops to a pass ---- */

static inline int8_t slot_of(struct gf_pass *pass, const struct gf_op *op, int8_t block)
{
    if (block == GF_NONE) {
        return GF_NONE;
    }
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        if (pass->blocks[i] == op->blocks[block]) {
            return (int8_t)i;
        }
    }
    pass->blocks[pass->n_blocks] = op->blocks[block];
    return (int8_t)pass->n_blocks++;
}

static inline int8_t roi_of(struct gf_pass *pass, const struct gf_op *op, int8_t roi)
{
    if (roi == GF_NONE) {
        return GF_NONE;
    }
    for (int32_t i = 0; i < pass->n_rois; i++) {
        if (memcmp(&pass->rois[i], &op->roi, sizeof op->roi) == 0) {
            return (int8_t)i;
        }
    }
    pass->rois[pass->n_rois] = op->roi;
    return (int8_t)pass->n_rois++;
}

static inline void append(struct gf_pass *pass, struct gf_program *program, const struct gf_op *op)
{
    for (int32_t i = 0; i < op->u.point->n; i++) {
        struct gf_insn insn = op->u.point->insn[i];
        insn.block = slot_of(pass, op, insn.block);
        insn.block2 = slot_of(pass, op, insn.block2);
        insn.roi = roi_of(pass, op, insn.roi);
        program->insn[program->n++] = insn;
    }
    op_case_operands(pass, op);
    program->channels_out = op->u.point->channels_out;
    program->depth_out = op->u.point->depth_out;
}

static struct gf_program empty_program(gf_depth depth, int32_t channels)
{
    struct gf_program p = {
        .channels_in = channels, .channels_out = channels, .depth_in = depth, .depth_out = depth};
    return p;
}

static inline bool list_has_window(void)
{
    for (int32_t i = 0; i < op_case.list.n_ops; i++) {
        if (op_case.list.ops[i].kind == GF_OP_WINDOW) {
            return true;
        }
    }
    return false;
}

/* The one pass of a list of POINT*, at most one WINDOW, POINT*, TAP*. */
static inline void fuse(struct gf_pass *pass, bool stored)
{
    const struct gf_value in = op_case.values[op_case.list.input];
    struct gf_program *program = &pass->pre;
    memset(pass, 0, sizeof *pass);
    op_case_operands(pass, NULL);
    pass->in = op_case.list.input;
    pass->out = stored ? op_case.list.output : GF_NONE;
    pass->width = in.width;
    pass->height = in.height;
    pass->pre = empty_program(in.depth, in.channels);
    pass->post = pass->pre;
    for (int32_t i = 0; i < op_case.list.n_ops; i++) {
        const struct gf_op *op = &op_case.list.ops[i];
        if (op->kind == GF_OP_POINT) {
            if (i == 1 && program == &pass->pre && !list_has_window()) {
                pass->post = empty_program(pass->pre.depth_out, pass->pre.channels_out);
                program = &pass->post; /* without a window both programs run in turn */
            }
            append(pass, program, op);
        } else if (op->kind == GF_OP_WINDOW) {
            pass->window = op->u.window;
            pass->window.blocks[0] = slot_of(pass, op, op->u.window.blocks[0]);
            pass->window.blocks[1] = slot_of(pass, op, op->u.window.blocks[1]);
            pass->post = empty_program(op->u.window.depth_out, op->u.window.channels_out);
            program = &pass->post;
        } else {
            struct gf_tap *tap = &pass->taps[pass->n_taps++];
            *tap = op->u.tap;
            tap->range = slot_of(pass, op, op->u.tap.range);
            tap->roi = roi_of(pass, op, op->u.tap.roi);
        }
    }
    if (program == &pass->pre) {
        pass->post = empty_program(pass->pre.depth_out, pass->pre.channels_out);
    }
}

/* ---- running one case ---- */

/* Where a picture lies: bytes from an aligned address, and gaps between rows. */
struct layout {
    size_t offset, gap;
};
static const struct layout plain = {0, 0};

static int64_t row_bytes(const struct gf_value *v)
{
    return v->width * v->channels * (int64_t)gf_depth_size(v->depth);
}

static inline void *device_memory(size_t bytes)
{
    void *memory = NULL;
    CHECK_EQ_INT(gf_cuda_backend()->allocate(queue.device, bytes > 0 ? bytes : 1, &memory, NULL), GF_OK);
    return memory;
}

static inline void *to_device(const void *data, size_t bytes)
{
    void *memory = device_memory(bytes);
    CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_UPLOAD, memory, (int64_t)bytes, data, (int64_t)bytes,
                                         bytes, 1, NULL),
                 GF_OK);
    return memory;
}

/* Exactly the bytes that a picture with that layout needs, so that a sanitizer sees one more. */
static size_t picture_size(const struct gf_value *v, struct layout layout)
{
    return layout.offset + (size_t)(v->height - 1) * ((size_t)row_bytes(v) + layout.gap) +
           (size_t)row_bytes(v);
}

static unsigned char *picture_to_device(const struct gf_value *v, const void *packed, struct layout layout)
{
    unsigned char *memory = device_memory(picture_size(v, layout));
    CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_UPLOAD, memory + layout.offset,
                                         row_bytes(v) + (int64_t)layout.gap, packed, row_bytes(v),
                                         (size_t)row_bytes(v), v->height, NULL),
                 GF_OK);
    return memory;
}

/* Compares the stored picture, and that nothing around its rows was written. */
static inline void check_picture(const struct gf_value *v, const void *expected, const unsigned char *memory,
                                 struct layout layout, const char *what)
{
    size_t size = picture_size(v, layout);
    size_t row = (size_t)row_bytes(v);
    unsigned char *got = malloc(size);
    CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_DOWNLOAD, got, (int64_t)size, memory, (int64_t)size,
                                         size, 1, NULL),
                 GF_OK);
    CHECK_EQ_INT(gf_cuda_backend()->wait(queue, NULL), GF_OK);
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++) {
        size_t at = i - layout.offset;
        bool inside = i >= layout.offset && at % (row + layout.gap) < row;
        int want =
            inside
                ? ((const unsigned char *)expected)[at / (row + layout.gap) * row + at % (row + layout.gap)]
                : 0xa5;
        if (got[i] != want && wrong++ == 0) {
            CHECK_MSG(0, "%s: byte %zu of row %zu (%s) is %d, expected %d", what, at % (row + layout.gap),
                      at / (row + layout.gap), inside ? "inside" : "gap", got[i], want);
        }
    }
    CHECK_MSG(wrong == 0, "%s: %zu bytes differ", what, wrong);
    free(got);
}

static inline void describe(char *text, size_t size, const struct gf_pass *pass, struct layout in,
                            struct layout out)
{
    const struct gf_window *w = &pass->window;
    snprintf(text, size,
             "%dx%d %s c%d, pre %d, %s%s r %dx%d, post %d -> %s c%d, in +%zu gap %zu, out +%zu gap %zu",
             (int)pass->width, (int)pass->height, gf_depth_name(pass->pre.depth_in), pass->pre.channels_in,
             pass->pre.n, w->kernel ? w->kernel->name : "no window ",
             w->kernel ? gf_border_name(w->border) : "", w->kernel ? w->args.box.radius_x : 0,
             w->kernel ? w->args.box.radius_y : 0, pass->post.n, gf_depth_name(pass->post.depth_out),
             pass->post.channels_out, in.offset, in.gap, out.offset, out.gap);
}

/* Runs op_case on `samples` (packed) by the judge and by CUDA. */
static inline void run_case(const void *samples, struct layout in, struct layout out, bool stored)
{
    const struct gf_value *from = &op_case.values[op_case.list.input];
    const struct gf_value *to = &op_case.values[op_case.list.output];
    struct gf_pass pass;
    struct gf_run run;
    gf_error error = GF_ERROR_INIT;
    char what[400];
    void *expected = malloc((size_t)(row_bytes(to) * to->height));
    void *blocks[OP_CASE_MAX] = {NULL};
    fuse(&pass, stored);
    describe(what, sizeof what, &pass, in, out);
    for (int32_t i = 0; i < pass.n_taps; i++) {
        const struct gf_value *v = &op_case.values[pass.taps[i].out];
        blocks[pass.taps[i].out] = malloc((size_t)row_bytes(v));
    }
    gf_image image_in = op_case_image(op_case.list.input, samples);
    gf_image image_out = op_case_image(op_case.list.output, expected);
    CHECK_MSG(gf_reference_run(&op_case.list, &image_in, &image_out, blocks, &error) == GF_OK,
              "%s: judge: %s", what, error.message);

    memset(&run, 0, sizeof run);
    run.pass = &pass;
    run.queue = queue;
    unsigned char *memory_in = picture_to_device(from, samples, in);
    size_t out_size = picture_size(to, out);
    void *marks = malloc(out_size);
    memset(marks, 0xa5, out_size);
    unsigned char *memory_out = to_device(marks, out_size);
    run.in.data = memory_in + in.offset;
    run.in.pitch = row_bytes(from) + (int64_t)in.gap;
    const bool reads_twice = pass.operand[GF_OPERAND_SECOND].value != GF_NONE; /* always the list's input */
    run.second.data = reads_twice ? run.in.data : NULL;
    run.second.pitch = run.in.pitch;
    run.out.data = stored ? memory_out + out.offset : NULL;
    run.out.pitch = stored ? row_bytes(to) + (int64_t)out.gap : 0;
    for (int32_t i = 0; i < pass.n_blocks; i++) {
        const struct gf_value *v = &op_case.values[pass.blocks[i]];
        run.block_values[i] = *v;
        run.host_blocks[i] = v->constant;
        run.blocks[i] = to_device(v->constant, (size_t)row_bytes(v));
    }
    for (int32_t i = 0; i < pass.n_taps; i++) {
        run.taps[i] = device_memory((size_t)row_bytes(&op_case.values[pass.taps[i].out]));
    }
    const struct gf_path *path = gf_pass_path(&pass, 0);
    size_t scratch = path->scratch(path, &pass, 1);
    run.scratch = scratch > 0 ? device_memory(scratch) : NULL;
    CHECK_MSG(path->run(path, &run, &error) == GF_OK, "%s: %s", what, error.message);
    CHECK_EQ_INT(gf_cuda_backend()->wait(queue, NULL), GF_OK);
    if (stored) {
        check_picture(to, expected, memory_out, out, what);
        CHECK_EQ_INT(run.bytes_written, row_bytes(to) * to->height);
    }
    CHECK_EQ_INT(run.bytes_read, row_bytes(from) * from->height * (reads_twice ? 2 : 1));
    for (int32_t i = 0; i < pass.n_taps; i++) {
        const struct gf_value *v = &op_case.values[pass.taps[i].out];
        size_t bytes = (size_t)row_bytes(v);
        unsigned char *got = malloc(bytes);
        CHECK_EQ_INT(gf_cuda_backend()->copy(queue, GF_COPY_DOWNLOAD, got, (int64_t)bytes, run.taps[i],
                                             (int64_t)bytes, bytes, 1, NULL),
                     GF_OK);
        CHECK_EQ_INT(gf_cuda_backend()->wait(queue, NULL), GF_OK);
        CHECK_MSG(memcmp(got, blocks[pass.taps[i].out], bytes) == 0, "%s: tap %d, %s, differs", what, i,
                  pass.taps[i].kernel->name);
        free(got);
        free(blocks[pass.taps[i].out]);
        gf_cuda_backend()->release(queue.device, run.taps[i]);
    }
    for (int32_t i = 0; i < pass.n_blocks; i++) {
        gf_cuda_backend()->release(queue.device, (void *)(uintptr_t)run.blocks[i]);
    }
    gf_cuda_backend()->release(queue.device, run.scratch);
    gf_cuda_backend()->release(queue.device, memory_in);
    gf_cuda_backend()->release(queue.device, memory_out);
    free(marks);
    free(expected);
}

#endif
