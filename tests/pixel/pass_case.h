/* pass_case.h: fuses the list of op_case.h into one pass, runs it on the CPU executor in one way, and
 * compares picture and taps with the judge's bit for bit. The list must be POINT* [WINDOW] POINT* TAP*. */
#ifndef PASS_CASE_H
#define PASS_CASE_H

#include "base/team.h"
#include "op_case.h"
#include "pixel/cpu/pass_cpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { PASS_CASE_TAP_WORDS = 65538 * 8, PASS_CASE_GUARD = 64 };

struct pass_way {
    struct gf_cpu_options options;
    int32_t threads;
    bool no_store; /* taps only: the picture must stay as it is */
};

static inline size_t pass_case_bytes(const struct gf_value *v)
{
    return (size_t)(v->width * v->height * v->channels) * gf_depth_size(v->depth);
}

/* Slot of a value among the pass's blocks. */
static inline int8_t pass_case_block(struct gf_pass *pass, struct gf_run *run, int32_t value)
{
    int32_t slot = pass->n_blocks++;
    pass->blocks[slot] = value;
    run->block_values[slot] = op_case.values[value];
    run->blocks[slot] = op_case.values[value].constant;
    run->host_blocks[slot] = op_case.values[value].constant;
    return (int8_t)slot;
}

static inline int8_t pass_case_roi(struct gf_pass *pass, int8_t roi, struct gf_rect rect)
{
    if (roi == GF_NONE) {
        return GF_NONE;
    }
    pass->rois[pass->n_rois] = rect;
    return (int8_t)pass->n_rois++;
}

static inline void pass_case_point(struct gf_pass *pass, struct gf_run *run, const struct gf_op *op,
                                   struct gf_program *program)
{
    int8_t slots[2] = {GF_NONE, GF_NONE};
    int8_t roi = op->roi.w > 0 ? pass_case_roi(pass, 0, op->roi) : GF_NONE;
    for (int b = 0; b < 2; b++) {
        if (op->blocks[b] != GF_NONE) {
            slots[b] = pass_case_block(pass, run, op->blocks[b]);
        }
    }
    for (int32_t i = 0; i < op->u.point->n; i++) {
        struct gf_insn insn = op->u.point->insn[i];
        insn.block = insn.block == GF_NONE ? GF_NONE : slots[insn.block];
        insn.block2 = insn.block2 == GF_NONE ? GF_NONE : slots[insn.block2];
        insn.roi = insn.roi == GF_NONE ? GF_NONE : roi;
        program->insn[program->n++] = insn;
    }
    op_case_operands(pass, op);
    program->channels_out = op->u.point->channels_out;
    program->depth_out = op->u.point->depth_out;
}

static inline void pass_case_window(struct gf_pass *pass, struct gf_run *run, const struct gf_op *op)
{
    pass->window = op->u.window;
    for (int b = 0; b < 2; b++) {
        if (op->u.window.blocks[b] != GF_NONE) {
            pass->window.blocks[b] = pass_case_block(pass, run, op->blocks[op->u.window.blocks[b]]);
        }
    }
    pass->post.channels_in = pass->post.channels_out = op->u.window.channels_out;
    pass->post.depth_in = pass->post.depth_out = op->u.window.depth_out;
}

/* The whole list as one pass; taps are written to memory of `taps`, which the caller gives. */
static inline void pass_case_fuse(struct gf_pass *pass, struct gf_run *run)
{
    const struct gf_value *in = &op_case.values[op_case.list.input];
    struct gf_program *program = &pass->pre;

    memset(pass, 0, sizeof *pass);
    memset(run, 0, sizeof *run);
    op_case_operands(pass, NULL);
    run->pass = pass;
    run->queue.device = GF_DEVICE_CPU;
    pass->width = in->width;
    pass->height = in->height;
    pass->out = op_case.list.output;
    pass->pre.channels_in = pass->pre.channels_out = in->channels;
    pass->pre.depth_in = pass->pre.depth_out = in->depth;
    for (int32_t i = 0; i < op_case.list.n_ops; i++) {
        const struct gf_op *op = &op_case.ops[i];
        if (op->kind == GF_OP_WINDOW) {
            pass_case_window(pass, run, op);
            program = &pass->post;
        } else if (op->kind == GF_OP_POINT) {
            pass_case_point(pass, run, op, program);
        } else {
            struct gf_tap *tap = &pass->taps[pass->n_taps++];
            *tap = op->u.tap;
            tap->roi = pass_case_roi(pass, tap->roi, op->roi);
            if (tap->range != GF_NONE) {
                tap->range = pass_case_block(pass, run, op->blocks[tap->range]);
            }
        }
    }
    if (!pass->window.kernel) {
        pass->post.channels_in = pass->post.channels_out = pass->pre.channels_out;
        pass->post.depth_in = pass->post.depth_out = pass->pre.depth_out;
    }
}

/* Packed input, the judge's answers and room for the executor's. */
struct pass_case {
    struct gf_pass pass;
    struct gf_run run;
    const void *in;
    unsigned char *expected, *actual; /* pictures */
    unsigned char *expected_taps[GF_MAX_PASS_TAPS], *actual_taps[GF_MAX_PASS_TAPS];
    size_t tap_bytes[GF_MAX_PASS_TAPS];
    int64_t pitch;
};

/* Runs the judge on packed samples; the case must be freed. */
static inline gf_status pass_case_make(struct pass_case *t, const void *in, gf_error *error)
{
    const struct gf_value *out = &op_case.values[op_case.list.output];
    void *blocks[OP_CASE_MAX] = {NULL};
    gf_image from = op_case_image(op_case.list.input, in);

    memset(t, 0, sizeof *t);
    pass_case_fuse(&t->pass, &t->run);
    t->in = in;
    t->pitch = (int64_t)(pass_case_bytes(out) / (size_t)out->height) + 12; /* rows with gaps */
    t->expected = malloc(pass_case_bytes(out));
    t->actual = malloc((size_t)(t->pitch * out->height));
    gf_image to = op_case_image(op_case.list.output, t->expected);
    for (int i = 0; i < t->pass.n_taps; i++) {
        t->tap_bytes[i] = pass_case_bytes(&op_case.values[t->pass.taps[i].out]);
        t->expected_taps[i] = malloc(t->tap_bytes[i]);
        t->actual_taps[i] = malloc(t->tap_bytes[i]);
        blocks[t->pass.taps[i].out] = t->expected_taps[i];
    }
    return gf_reference_run(&op_case.list, &from, &to, blocks, error);
}

static inline void pass_case_free(struct pass_case *t)
{
    free(t->expected);
    free(t->actual);
    for (int i = 0; i < t->pass.n_taps; i++) {
        free(t->expected_taps[i]);
        free(t->actual_taps[i]);
    }
}

/* Compares; false after describing the first difference. */
static inline bool pass_case_same(const struct pass_case *t, bool no_store, char *why, size_t size)
{
    const struct gf_value *out = &op_case.values[op_case.list.output];
    size_t row = pass_case_bytes(out) / (size_t)out->height;
    for (int64_t y = 0; y < out->height; y++) {
        for (size_t i = 0; i < row; i++) {
            unsigned char a = t->actual[y * t->pitch + (int64_t)i];
            unsigned char b = no_store ? 0xa5 : t->expected[(size_t)y * row + i];
            if (a != b) {
                snprintf(why, size, "row %lld byte %zu is %d, expected %d", (long long)y, i, a, b);
                return false;
            }
        }
        for (int64_t i = (int64_t)row; i < t->pitch; i++) {
            if (t->actual[y * t->pitch + i] != 0xa5) {
                snprintf(why, size, "row %lld: written behind its end", (long long)y);
                return false;
            }
        }
    }
    for (int i = 0; i < t->pass.n_taps; i++) {
        for (size_t j = 0; j < t->tap_bytes[i]; j++) {
            if (t->actual_taps[i][j] != t->expected_taps[i][j]) {
                snprintf(why, size, "tap %d (%s) differs in 8-byte word %zu", i, t->pass.taps[i].kernel->name,
                         j / 8);
                return false;
            }
        }
    }
    return true;
}

/* Runs the pass in one way; false after describing what went wrong. */
static inline bool pass_case_check(struct pass_case *t, const struct pass_way *way, char *why, size_t size)
{
    const struct gf_value *in = &op_case.values[op_case.list.input];
    const struct gf_value *out = &op_case.values[op_case.list.output];
    gf_error error = GF_ERROR_INIT;
    size_t scratch = gf_pass_cpu_scratch(&t->pass, way->threads, &way->options);
    unsigned char *memory = aligned_alloc(256, (scratch + PASS_CASE_GUARD + 255) / 256 * 256);

    memset(memory, 0xa5, scratch + PASS_CASE_GUARD);
    memset(t->actual, 0xa5, (size_t)(t->pitch * out->height));
    t->run.in.data = (void *)(uintptr_t)t->in;
    t->run.in.pitch = (int64_t)(pass_case_bytes(in) / (size_t)in->height);
    bool reads_twice = t->pass.operand[GF_OPERAND_SECOND].value != GF_NONE; /* always the list's input */
    t->run.second.data = reads_twice ? t->run.in.data : NULL;
    t->run.second.pitch = t->run.in.pitch;
    t->run.out.data = t->actual;
    t->run.out.pitch = t->pitch;
    t->run.threads = way->threads;
    t->run.team = gf_team_create(way->threads);
    t->pass.out = way->no_store ? GF_NONE : op_case.list.output;
    t->run.scratch = memory;
    for (int i = 0; i < t->pass.n_taps; i++) {
        memset(t->actual_taps[i], 0xa5, t->tap_bytes[i]);
        t->run.taps[i] = t->actual_taps[i];
    }
    bool ok = gf_pass_cpu(&t->run, &way->options, &error) == GF_OK;
    gf_team_destroy(t->run.team);
    if (!ok) {
        snprintf(why, size, "%s", error.message);
    }
    ok = ok && pass_case_same(t, way->no_store, why, size);
    for (size_t i = 0; ok && i < PASS_CASE_GUARD; i++) {
        if (memory[scratch + i] != 0xa5) {
            snprintf(why, size, "scratch is used beyond its %zu bytes", scratch);
            ok = false;
        }
    }
    size_t written = way->no_store ? 0 : pass_case_bytes(out);
    size_t reads = pass_case_bytes(in) * (reads_twice ? 2 : 1);
    if (ok && (t->run.bytes_read != reads || t->run.bytes_written != written)) {
        snprintf(why, size, "%llu bytes read, %llu written", (unsigned long long)t->run.bytes_read,
                 (unsigned long long)t->run.bytes_written);
        ok = false;
    }
    free(memory);
    return ok;
}

#endif
