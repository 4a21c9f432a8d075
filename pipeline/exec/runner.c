#include "exec/runner.h"

#include "base/status.h"
#include "base/team.h"
#include "pixel/ir/kernel_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

/* Memory of the runner: the context's on the CPU, the backend's on CUDA. */
static gf_status allocate_arena(struct gf_runner *runner, gf_error *error)
{
    if (!runner->bytes) {
        return GF_OK;
    }
    if (runner->own.device < 0) {
        runner->arena = gf_context_allocate(runner->plan->context, runner->bytes);
        return runner->arena
                   ? GF_OK
                   : gf_fail(error, GF_ERROR_MEMORY, "out of memory: the plan needs %llu bytes of buffers",
                             (unsigned long long)runner->bytes);
    }
    void *memory = NULL;
    GF_TRY(runner->backend->allocate(runner->own.device, runner->bytes, &memory, error));
    runner->arena = memory;
    return GF_OK;
}

static gf_status make_marks(struct gf_runner *runner, gf_error *error)
{
    const int32_t n = runner->plan->steps.n + GF_MARK_FIRST_STEP + 2;
    runner->marks = calloc((size_t)n, sizeof *runner->marks);
    runner->prepared = calloc((size_t)runner->plan->steps.n + 1, sizeof *runner->prepared);
    runner->came_down = calloc((size_t)runner->plan->lowered.list.n_values, sizeof *runner->came_down);
    GF_TRY(gf_need_memory(runner->marks && runner->prepared && runner->came_down, error));
    for (; runner->n_marks < n; runner->n_marks++) {
        GF_TRY(runner->backend->mark_create(runner->own.device, runner->plan->sleeps,
                                            &runner->marks[runner->n_marks], error));
    }
    return GF_OK;
}

gf_status gf_runner_create(const gf_plan *plan, uint64_t bytes, struct gf_runner *runner, gf_error *error)
{
    *runner = (struct gf_runner){.plan = plan, .own.device = plan->device, .bytes = bytes};
    if (plan->device == GF_DEVICE_CPU) {
        runner->team = gf_team_create(plan->threads);
    }
    runner->backend = gf_backend_for(plan->device);
    gf_staging_begin(plan, &runner->staging);
    GF_TRY(gf_context_need_device(plan->context, plan->device, error));
    GF_TRY(runner->backend->stream_create(plan->device, &runner->own.stream, error));
    GF_TRY(make_marks(runner, error));
    return allocate_arena(runner, error);
}

void gf_runner_destroy(struct gf_runner *runner)
{
    for (int32_t i = 0; i < runner->n_marks; i++) {
        runner->backend->mark_destroy(runner->own.device, runner->marks[i]);
    }
    if (runner->backend && runner->own.device >= 0) {
        runner->backend->release(runner->own.device, runner->arena);
    } else if (runner->plan) {
        gf_context_release(runner->plan->context, runner->arena);
    }
    if (runner->backend && runner->own.stream) {
        runner->backend->stream_destroy(runner->own.device, runner->own.stream);
    }
    if (runner->plan && runner->plan->device == GF_DEVICE_CPU) {
        gf_team_destroy(runner->team);
    }
    gf_staging_end(&runner->staging);
    free(runner->came_down);
    free(runner->marks);
    free(runner->prepared);
    *runner = (struct gf_runner){0};
}

gf_status gf_runner_load(struct gf_runner *runner, const struct gf_view *view,
                         const struct gf_buffers *buffers, gf_error *error)
{
    const struct gf_op_list *list = view->list;
    for (int32_t v = 0; v < list->n_values; v++) {
        uint64_t offset = buffers->offset[v];
        if (list->values[v].constant && offset != GF_NO_BUFFER) {
            GF_TRY(runner->backend->copy(runner->own, GF_COPY_UPLOAD, runner->arena + offset, 0,
                                         list->values[v].constant, 0, gf_block_size(&list->values[v]), 1,
                                         error));
        }
    }
    GF_TRY(gf_run_prepare(runner, view, buffers, error));
    return runner->backend->wait(runner->own, error);
}

void gf_runner_wait_unless_lost(const struct gf_runner *runner, gf_queue queue)
{
    gf_context *context = runner->plan->context;
    if (!gf_context_is_lost(context,
                            runner->own.device)) { /* a lost device writes nothing, and is not asked */
        gf_context_settle(context, runner->own.device, runner->backend->wait(queue, NULL));
    }
}

/* ---- copies ---- */

static struct gf_place arena_place(const struct gf_runner *runner, const struct gf_errand *errand,
                                   int32_t value)
{
    uint64_t offset = errand->buffers->offset[value];
    if (offset == GF_NO_BUFFER) {
        return (struct gf_place){0};
    }
    return (struct gf_place){runner->arena + offset, gf_buffers_pitch(&errand->view->list->values[value])};
}

static gf_status copy_picture(struct gf_runner *runner, const struct gf_errand *errand,
                              enum gf_copy_kind kind, struct gf_place to, struct gf_place from, int32_t value,
                              gf_error *error)
{
    const struct gf_value *v = &errand->view->list->values[value];
    const bool up = kind == GF_COPY_UPLOAD, down = kind == GF_COPY_DOWNLOAD;
    const struct gf_transfer t = {.host = up ? from : to,
                                  .device = up ? to : from,
                                  .row = v->width * v->channels * (int64_t)gf_depth_size(v->depth),
                                  .rows = gf_view_rows(errand->view, value).count};
    bool staged = false;
    if (t.rows == 0) {
        return GF_OK;
    }
    GF_TRY(up || down ? gf_staging_wants(&runner->staging, &t, &staged, error) : GF_OK);
    if (!staged) {
        return runner->backend->copy(errand->queue, kind, to.data, to.pitch, from.data, from.pitch,
                                     (size_t)t.row, t.rows, error);
    }
    return up ? gf_staging_upload(&runner->staging, errand->queue, &t, error)
              : gf_staging_download(&runner->staging, errand->queue, &t, error);
}

static gf_status upload_block(struct gf_runner *runner, const struct gf_errand *errand, int32_t value,
                              gf_error *error)
{
    const struct gf_value *v = &errand->view->list->values[value];
    return !v->is_block || v->constant
               ? GF_OK
               : runner->backend->copy(errand->queue, GF_COPY_UPLOAD,
                                       runner->arena + errand->buffers->offset[value], 0,
                                       errand->given[value], 0, gf_block_size(v), 1, error);
}

/* Blocks that were measured before; where blocks are given, there are only passes and maps. */
static gf_status upload_given(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error)
{
    for (int32_t s = 0; s < errand->view->steps->n && errand->given; s++) {
        const struct gf_step *step = &errand->view->steps->step[s];
        bool is_pass = step->kind == GF_STEP_PASS;
        const int32_t *blocks = is_pass ? step->u.pass->blocks : step->u.apply.in;
        int32_t n = is_pass ? step->u.pass->n_blocks : gf_operand_count(blocks);
        for (int32_t i = 0; i < n; i++) {
            GF_TRY(upload_block(runner, errand, blocks[i], error));
        }
    }
    return GF_OK;
}

/* Is it a tap's block that the band does not measure? Then nobody has written it. */
static bool is_left_out(const struct gf_view *view, int32_t block)
{
    for (int32_t s = 0; s < view->steps->n; s++) {
        const struct gf_step *step = &view->steps->step[s];
        for (int32_t i = 0; step->kind == GF_STEP_PASS && i < step->u.pass->n_taps; i++) {
            if (step->u.pass->taps[i].out == block) {
                return gf_view_skips(view, s) || !gf_pass_measures(step->u.pass);
            }
        }
    }
    return false;
}

/* Blocks that are needed on the host, but those that are as long as a run counts. */
static gf_status download_blocks(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error)
{
    const struct gf_op_list *list = errand->view->list;
    for (int32_t v = 0; v < list->n_values; v++) {
        if (errand->measured[v] && !list->values[v].row && errand->buffers->offset[v] != GF_NO_BUFFER &&
            !is_left_out(errand->view, v)) {
            const size_t bytes = gf_block_size(&list->values[v]);
            GF_TRY(gf_staging_block(&runner->staging, bytes, &runner->came_down[v], error));
            void *to = runner->came_down[v] ? runner->came_down[v] : errand->measured[v];
            GF_TRY(runner->backend->copy(errand->queue, GF_COPY_DOWNLOAD, to, 0,
                                         runner->arena + errand->buffers->offset[v], 0, bytes, 1, error));
        }
    }
    return GF_OK;
}

/* Once they have come. */
static void place_blocks(struct gf_runner *runner, const struct gf_errand *errand)
{
    const struct gf_op_list *list = errand->view->list;
    for (int32_t v = 0; v < list->n_values; v++) {
        if (runner->came_down[v]) {
            memcpy(errand->measured[v], runner->came_down[v], gf_block_size(&list->values[v]));
            runner->came_down[v] = NULL;
        }
    }
}

/* ---- running ---- */

static gf_status record(struct gf_runner *runner, const struct gf_errand *errand, int32_t mark,
                        gf_error *error)
{
    return errand->times ? runner->backend->mark_record(errand->queue, runner->marks[mark], error) : GF_OK;
}

/* One behind the last step. */
static int32_t last_mark(const struct gf_errand *errand)
{
    return GF_MARK_FIRST_STEP + errand->view->steps->n;
}

/* Queues uploads of what is to be in the device's memory and is not, and says where all inputs are. */
static gf_status place_inputs(struct gf_runner *runner, const struct gf_errand *errand,
                              struct gf_place *places, gf_error *error)
{
    const struct gf_op_list *list = errand->view->list;
    for (int32_t i = 0; i <= list->n_others; i++) {
        const gf_image *image = &errand->inputs[i];
        int32_t v = gf_input_value(list, i);
        struct gf_place given = {image->data, image->pitch}, room = arena_place(runner, errand, v);
        bool upload = runner->own.device >= 0 && image->device < 0;
        places[i] = upload ? room : given;
        if (upload && room.data) { /* no room: nothing reads it */
            GF_TRY(copy_picture(runner, errand, GF_COPY_UPLOAD, room, given, v, error));
        }
    }
    return GF_OK;
}

gf_status gf_runner_start(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error)
{
    const struct gf_op_list *list = errand->view->list;
    struct gf_place inputs[GF_MAX_INPUTS];
    int32_t kept = gf_input_index(list, list->output); /* the input that leaves as it is */
    bool stage_out = runner->own.device >= 0 && errand->out.data && errand->out_host;
    struct gf_place out = stage_out ? arena_place(runner, errand, list->output) : errand->out;
    if (!out.data && errand->buffers->output_is_read) {
        out = arena_place(runner, errand, list->output);
    }
    gf_staging_drop(&runner->staging);
    memset(runner->came_down, 0, (size_t)list->n_values * sizeof *runner->came_down);
    GF_TRY(record(runner, errand, GF_MARK_START, error));
    GF_TRY(place_inputs(runner, errand, inputs, error));
    GF_TRY(upload_given(runner, errand, error));
    GF_TRY(record(runner, errand, GF_MARK_UPLOADED, error));
    GF_TRY(gf_run_steps(runner, errand, inputs, out, error));
    enum gf_copy_kind kind = stage_out ? GF_COPY_DOWNLOAD : GF_COPY_DEVICE;
    if (errand->out.data && (kept != GF_NONE || stage_out)) {
        GF_TRY(copy_picture(runner, errand, kind, errand->out, kept != GF_NONE ? inputs[kept] : out,
                            list->output, error));
    }
    if (!errand->later) {
        GF_TRY(download_blocks(runner, errand, error));
    }
    return runner->staging.downloads ? GF_OK : record(runner, errand, last_mark(errand), error);
}

static gf_status add_time(const struct gf_runner *runner, int32_t from, int32_t to, double *milliseconds,
                          gf_error *error)
{
    double more = 0;
    GF_TRY(runner->backend->mark_elapsed(runner->marks[from], runner->marks[to], &more, error));
    *milliseconds += more;
    return GF_OK;
}

gf_status gf_runner_wait_upload(struct gf_runner *runner, gf_error *error)
{
    return runner->backend->mark_wait(runner->own.device, runner->marks[GF_MARK_UPLOADED], error);
}

/* Until all of the queue is done. */
static gf_status wait_for_all(struct gf_runner *runner, gf_queue queue, gf_error *error)
{
    if (runner->plan->sleeps) { /* by the last mark, which is not one of the times */
        void *end = runner->marks[runner->n_marks - 1];
        GF_TRY(runner->backend->mark_record(queue, end, error));
        GF_TRY(runner->backend->mark_wait(queue.device, end, error));
    }
    return runner->backend->wait(queue, error);
}

/* Does what gf_runner_start left to do. */
static gf_status do_rest(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error)
{
    if (errand->later) {
        GF_TRY(download_blocks(runner, errand, error));
    }
    if (runner->staging.downloads) {
        GF_TRY(gf_staging_finish(&runner->staging, error));
        return record(runner, errand, last_mark(errand), error);
    }
    return GF_OK;
}

gf_status gf_runner_finish(struct gf_runner *runner, const struct gf_errand *errand, gf_error *error)
{
    const struct gf_view *view = errand->view;
    int32_t last = last_mark(errand);
    gf_status status = do_rest(runner, errand, error);
    if (status != GF_OK && status != GF_STATUS_LOST) {
        (void)runner->backend->wait(errand->queue,
                                    NULL); /* for what may still write to the caller's memory */
    }
    GF_TRY(status);
    GF_TRY(wait_for_all(runner, errand->queue, error));
    place_blocks(runner, errand);
    if (!errand->times) {
        return GF_OK;
    }
    for (int32_t s = 0; s < view->steps->n; s++) {
        GF_TRY(add_time(runner, GF_MARK_UPLOADED + s, GF_MARK_UPLOADED + s + 1,
                        &errand->stats[view->of_plan ? view->of_plan[s] : s].milliseconds, error));
    }
    GF_TRY(add_time(runner, GF_MARK_START, GF_MARK_UPLOADED, &errand->run_stats->upload_ms, error));
    GF_TRY(add_time(runner, GF_MARK_UPLOADED, last - 1, &errand->run_stats->kernels_ms, error));
    return add_time(runner, last - 1, last, &errand->run_stats->download_ms, error);
}
