#include "pixel/along/point_along.h"

#include "base/device.h"
#include "base/status.h"
#include "pixel/cpu/cpu_program.h"
#include "pixel/ir/kernel_table.h"
#include "pixel/judge/reference_parts.h"

/* ---- making ---- */

static bool by_sample(const struct gf_op_list *list, const struct gf_op *op)
{
    if (op->kind != GF_OP_POINT || op->roi.w || op->u.point->depth_out != GF_F32) {
        return false;
    }
    for (int32_t i = 0; i < op->u.point->n; i++) {
        const struct gf_insn *insn = &op->u.point->insn[i];
        const bool reads = insn->block != GF_NONE;
        if (!gf_insn_is(insn->code, GF_INSN_BY_SAMPLE) || insn->block2 != GF_NONE || !(insn->mask & 1) ||
            (reads && !list->values[op->blocks[insn->block]].constant)) {
            return false;
        }
    }
    return true;
}

/* Appends what the op does; false: there is no room. */
static bool append(struct gf_pass *pass, const struct gf_op *op)
{
    for (int32_t i = 0; i < op->u.point->n; i++) {
        struct gf_insn insn = op->u.point->insn[i];
        if (pass->pre.n == GF_MAX_PROGRAM ||
            (insn.block != GF_NONE && pass->n_blocks == GF_MAX_PASS_BLOCKS)) {
            return false;
        }
        insn.roi = GF_NONE;
        if (insn.block != GF_NONE) {
            pass->blocks[pass->n_blocks] = op->blocks[insn.block];
            insn.block = (int8_t)pass->n_blocks++;
        }
        pass->pre.insn[pass->pre.n++] = insn;
    }
    return true;
}

bool gf_signal_point_make(struct gf_signal_point *point, const struct gf_op_list *list,
                          const struct gf_op **odd)
{
    const struct gf_program same = {
        .channels_in = 1, .channels_out = 1, .depth_in = GF_F32, .depth_out = GF_F32};
    *point = (struct gf_signal_point){.list = list, .pass = {.in = list->input, .pre = same, .post = same}};
    for (int i = 0; i < GF_OPERANDS; i++) {
        point->pass.operand[i].value = GF_NONE;
    }
    *odd = NULL;
    for (int32_t i = 0; i < list->n_ops; i++) {
        if (!by_sample(list, &list->ops[i])) {
            *odd = &list->ops[i];
            return false;
        }
        if (list->n_values > GF_POINT_VALUES || !append(&point->pass, &list->ops[i])) {
            return false;
        }
    }
    point->pass.out = list->output;
    return list->n_ops > 0;
}

/* ---- the kernel ---- */

/* The signal is a picture one row high; each op writes over what it has read. */
static void judge(const void *args, const float *in, int64_t frames, float *out)
{
    const struct gf_signal_point *a = args;
    struct gf_value values[GF_POINT_VALUES];
    void *data[GF_POINT_VALUES];
    struct gf_op_list list = *a->list;
    const struct gf_judge state = {&list, data};
    list.values = values;
    for (int32_t v = 0; v < list.n_values; v++) {
        values[v] = a->list->values[v];
        values[v].width = values[v].is_block ? values[v].width : frames;
        values[v].height = 1;
        data[v] = values[v].constant ? (void *)(uintptr_t)values[v].constant : out;
    }
    data[list.input] = (void *)(uintptr_t)in; /* which is only read */
    for (int32_t i = 0; i < list.n_ops; i++) {
        gf_judge_point(&state, &list.ops[i], NULL);
    }
}

/* The frames of all channels as rows of a picture; its blocks lie at `blocks`, or where they are. */
static void describe(const struct gf_signal_point *a, const struct gf_track *in, const struct gf_track *out,
                     int32_t channels, const char *blocks, struct gf_pass *pass, struct gf_run *run)
{
    *pass = a->pass;
    pass->width = out->count;
    pass->height = channels;
    *run = (struct gf_run){.pass = pass, .threads = 1};
    run->in.data = in->data + (out->first - in->first);
    run->in.pitch = in->pitch * (int64_t)sizeof(float);
    run->out.data = out->data;
    run->out.pitch = out->pitch * (int64_t)sizeof(float);
    for (int32_t i = 0; i < pass->n_blocks; i++) {
        run->block_values[i] = a->list->values[pass->blocks[i]];
        run->host_blocks[i] = run->block_values[i].constant;
        run->blocks[i] = blocks ? blocks : run->host_blocks[i];
        blocks += blocks ? (size_t)run->block_values[i].width * sizeof(float) : 0;
    }
}

static void run_cpu(const void *args, void *state, const struct gf_track *in, int64_t frames,
                    const struct gf_track *out, int32_t channels)
{
    struct gf_pass pass;
    struct gf_run run;
    struct gf_cpu_program program;
    float work[GF_CPU_WORK];
    (void)state;
    (void)frames;
    describe(args, in, out, channels, NULL, &pass, &run);
    gf_cpu_program_make(&program, &pass.pre, &run, gf_cpu_rows_best());
    for (int32_t c = 0; c < channels; c++) {
        const struct gf_cpu_span span = {.n = out->count, .work = work};
        gf_cpu_program_run(&program, &span, (const char *)run.in.data + c * run.in.pitch,
                           (char *)run.out.data + c * run.out.pitch, GF_F32);
    }
}

/* Blocks are f32, a row each. */
static size_t table_bytes(const void *args)
{
    const struct gf_signal_point *a = args;
    size_t bytes = 0;
    for (int32_t i = 0; i < a->pass.n_blocks; i++) {
        bytes += (size_t)a->list->values[a->pass.blocks[i]].width * sizeof(float);
    }
    return bytes;
}

static gf_status run_cuda(gf_queue queue, const void *args, void *state, void *scratch,
                          const struct gf_track *in, int64_t frames, const struct gf_track *out,
                          int32_t channels, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(queue.device);
    struct gf_pass pass;
    struct gf_run run;
    (void)frames;
    describe(args, in, out, channels, state, &pass, &run);
    (void)scratch; /* which points need where they measure alone */
    run.queue = queue;
    for (int32_t i = 0; i < pass.n_blocks && out->first == 0; i++) {
        const size_t bytes = (size_t)run.block_values[i].width * sizeof(float);
        GF_TRY(backend->copy(queue, GF_COPY_UPLOAD, (void *)(uintptr_t)run.blocks[i], (int64_t)bytes,
                             run.host_blocks[i], (int64_t)bytes, bytes, 1, error));
    }
    const struct gf_path *path = gf_pass_path(&pass, queue.device);
    return path->run(path, &run, error);
}

const struct gf_signal_kernel gf_signal_point = {
    .name = "point",
    .length = gf_signal_same,
    .ready = gf_signal_same,
    .needs = gf_signal_same,
    .state_bytes = gf_signal_no_state,
    .judge = judge,
    .run_cpu = run_cpu,
    .run_cuda = run_cuda,
    .table_bytes = table_bytes,
};
