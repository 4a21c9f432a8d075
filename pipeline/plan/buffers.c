#include "plan/buffers.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>

/* A value is alive from the step that makes it to the last one that reads it. */
struct life {
    int32_t from, to;
};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + GF_ARENA_ALIGN - 1) / GF_ARENA_ALIGN * GF_ARENA_ALIGN;
}

/* Rows that are shorter than the alignment keep less of it: a picture may be a pixel wide, and very high. */
int64_t gf_buffers_pitch(const struct gf_value *picture)
{
    uint64_t row = (uint64_t)picture->width * (uint64_t)picture->channels * gf_depth_size(picture->depth);
    return (int64_t)(row < GF_ARENA_ALIGN ? (row + GF_ROW_ALIGN - 1) / GF_ROW_ALIGN * GF_ROW_ALIGN
                                          : aligned(row));
}

uint64_t gf_block_size(const struct gf_value *block)
{
    return (uint64_t)block->channels * (uint64_t)block->width * gf_depth_size(block->depth);
}

uint64_t gf_picture_bytes(const struct gf_value *picture)
{
    return (uint64_t)picture->width * (uint64_t)picture->height * (uint64_t)picture->channels *
           gf_depth_size(picture->depth);
}

static uint64_t picture_size(const struct gf_view *view, int32_t value)
{
    return aligned((uint64_t)gf_buffers_pitch(&view->list->values[value]) *
                   (uint64_t)gf_view_rows(view, value).count);
}

static void use(struct life *lives, int32_t value, int32_t step)
{
    if (value == GF_NONE) {
        return;
    }
    lives[value].from = lives[value].from < step ? lives[value].from : step;
    lives[value].to = lives[value].to > step ? lives[value].to : step;
}

static bool is_read(const struct gf_steps *steps, int32_t value)
{
    for (int32_t s = 0; s < steps->n; s++) {
        const struct gf_step *step = &steps->step[s];
        if ((step->kind == GF_STEP_PASS &&
             (step->u.pass->in == value || step->u.pass->operand[GF_OPERAND_SECOND].value == value)) ||
            (step->kind == GF_STEP_CALL && step->u.call.in == value)) {
            return true;
        }
        for (int32_t i = 0; step->kind == GF_STEP_APPLY && i < GF_MAX_OPERANDS; i++) {
            bool beside = step->u.apply.out[0] == value && step->u.apply.out[1] != GF_NONE;
            if (step->u.apply.in[i] == value || beside) { /* a kernel that makes more makes all */
                return true;
            }
        }
    }
    return false;
}

static void find_lives(const struct gf_view *view, struct life *lives)
{
    const struct gf_op_list *list = view->list;
    const struct gf_steps *steps = view->steps;
    for (int32_t v = 0; v < list->n_values; v++) {
        lives[v] = (struct life){INT32_MAX, -1};
    }
    for (int32_t s = 0; s < steps->n; s++) {
        const struct gf_step *step = &steps->step[s];
        if (step->kind == GF_STEP_APPLY) {
            for (int32_t i = 0; i < GF_MAX_OPERANDS; i++) {
                use(lives, step->u.apply.in[i], s);
                use(lives, step->u.apply.out[i], s);
            }
        } else if (step->kind == GF_STEP_CALL) {
            use(lives, step->u.call.in, s);
            use(lives, step->u.call.out, s);
        } else {
            const struct gf_pass *pass = step->u.pass;
            use(lives, pass->in, s);
            use(lives, pass->operand[GF_OPERAND_SECOND].value, s);
            use(lives, pass->out, s);
            for (int32_t i = 0; i < pass->n_blocks; i++) {
                use(lives, pass->blocks[i], s);
            }
            for (int32_t i = 0; i < pass->n_taps; i++) {
                use(lives, pass->taps[i].out, s);
            }
        }
    }
    use(lives, list->output, steps->n);
    if (view->keeps) {
        use(lives, view->kept, 0);
        use(lives, view->kept, steps->n);
    }
    for (int32_t i = 0; i <= list->n_others; i++) { /* they are there from the first step on */
        int32_t v = gf_input_value(list, i);
        use(lives, i == 0 || lives[v].to >= 0 ? v : GF_NONE, 0);
    }
}

/* First fit: the lowest place that no picture alive at the same time occupies. Pictures are few. */
static uint64_t first_fit(const struct gf_view *view, const struct life *lives, const uint64_t *offset,
                          int32_t v)
{
    const struct gf_op_list *list = view->list;
    uint64_t size = picture_size(view, v);
    uint64_t place = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t other = 0; other < list->n_values; other++) {
            if (other == v || offset[other] == GF_NO_BUFFER || list->values[other].is_block ||
                lives[other].from > lives[v].to ||
                lives[other].to < lives[v].from + GF_FAULT(buffer_overlap)) {
                continue;
            }
            uint64_t end = offset[other] + picture_size(view, other);
            if (offset[other] < place + size && place < end) {
                place = end;
                moved = true;
            }
        }
    }
    return place;
}

void gf_apply_run_values(const struct gf_view *view, const struct gf_apply *apply, struct gf_apply_run *run)
{
    run->apply = apply;
    for (int32_t i = 0; i < gf_operand_count(apply->in); i++) {
        run->in_values[i] = view->list->values[apply->in[i]];
        run->in[i].rows = gf_view_rows(view, apply->in[i]);
        run->host_in[i] = run->in_values[i].constant;
    }
    for (int32_t i = 0; i < gf_operand_count(apply->out); i++) {
        run->out_values[i] = view->list->values[apply->out[i]];
        run->out[i].rows = gf_view_made(view, apply->out[i]);
    }
}

static uint64_t picture_bytes(const struct gf_view *view, int32_t value, bool made)
{
    if (value == GF_NONE || view->list->values[value].is_block) {
        return 0;
    }
    struct gf_value picture = view->list->values[value];
    picture.height = (made ? gf_view_made : gf_view_rows)(view, value).count;
    return gf_picture_bytes(&picture);
}

void gf_apply_bytes(const struct gf_view *view, const struct gf_apply *apply, uint64_t *bytes_read,
                    uint64_t *bytes_written)
{
    *bytes_read = *bytes_written = 0;
    for (int32_t i = 0; i < GF_MAX_OPERANDS; i++) {
        *bytes_read += picture_bytes(view, apply->in[i], false);
        *bytes_written += picture_bytes(view, apply->out[i], true);
    }
}

static uint64_t pass_scratch(const struct gf_pass *pass, gf_device device, int32_t threads)
{
    const struct gf_path *path = gf_pass_path(pass, device);
    return path ? path->scratch(path, pass, threads) : 0;
}

static uint64_t apply_scratch(const struct gf_view *view, const struct gf_apply *apply, gf_device device)
{
    struct gf_apply_run run = {.queue.device = device, .threads = view->threads};
    gf_apply_run_values(view, apply, &run);
    return apply->kernel->apply.scratch ? apply->kernel->apply.scratch(&run) : 0;
}

uint64_t gf_buffers_scratch(const struct gf_view *view, gf_device device)
{
    uint64_t most = 0;
    for (int32_t s = 0; s < view->steps->n; s++) {
        const struct gf_step *step = &view->steps->step[s];
        uint64_t bytes = gf_view_skips(view, s)        ? 0
                         : step->kind == GF_STEP_PASS  ? pass_scratch(step->u.pass, device, view->threads)
                         : step->kind == GF_STEP_APPLY ? apply_scratch(view, &step->u.apply, device)
                                                       : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Tells whether taps of the pass that makes the picture would need scratch for it, were it not stored. */
static bool is_tapped(const struct gf_steps *steps, int32_t value, gf_device device, int32_t threads)
{
    for (int32_t s = 0; s < steps->n; s++) {
        if (steps->step[s].kind == GF_STEP_PASS && steps->step[s].u.pass->out == value) {
            const struct gf_pass *pass = steps->step[s].u.pass;
            struct gf_pass unstored = *pass;
            unstored.out = GF_NONE;
            return pass_scratch(&unstored, device, threads) > pass_scratch(pass, device, threads);
        }
    }
    return false;
}

/* Tells whether a run that wants results only needs the output, too. A band's has memory anyway. */
static bool reads_output(const struct gf_view *view, gf_device device)
{
    int32_t output = view->list->output;
    return gf_input_index(view->list, output) == GF_NONE &&
           (view->rows || is_read(view->steps, output) ||
            is_tapped(view->steps, output, device, view->threads));
}

gf_status gf_buffers_make(const struct gf_view *view, gf_device device, uint64_t scratch,
                          struct gf_buffers *buffers, gf_error *error)
{
    const struct gf_op_list *list = view->list;
    *buffers = (struct gf_buffers){0};
    struct life *lives = calloc((size_t)list->n_values, sizeof *lives);
    buffers->offset = malloc((size_t)list->n_values * sizeof *buffers->offset);
    if (!lives || !buffers->offset) {
        free(lives);
        gf_buffers_free(buffers);
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
    }
    for (int32_t v = 0; v < list->n_values; v++) {
        buffers->offset[v] = GF_NO_BUFFER;
    }
    find_lives(view, lives);
    bool in_place = device == GF_DEVICE_CPU; /* the caller's pictures are used where they are */
    buffers->output_is_read = reads_output(view, device);
    bool stores = in_place && (view->rows || !buffers->output_is_read);
    for (int32_t v = 0; v < list->n_values; v++) {
        if (list->values[v].is_block || lives[v].to < 0 || (in_place && gf_input_index(list, v) != GF_NONE) ||
            (stores && v == list->output)) {
            continue;
        }
        buffers->offset[v] = first_fit(view, lives, buffers->offset, v);
        uint64_t end = buffers->offset[v] + picture_size(view, v);
        buffers->total = end > buffers->total ? end : buffers->total;
    }
    for (int32_t v = 0; v < list->n_values; v++) {
        const struct gf_value *value = &list->values[v];
        if (!value->is_block || lives[v].to < 0 || (in_place && value->constant)) {
            continue;
        }
        buffers->offset[v] = buffers->total;
        buffers->total += aligned(gf_block_size(value));
    }
    buffers->scratch = buffers->total;
    buffers->total += aligned(scratch);
    free(lives);
    return GF_OK;
}

void gf_buffers_free(struct gf_buffers *buffers)
{
    free(buffers->offset);
    *buffers = (struct gf_buffers){0};
}
