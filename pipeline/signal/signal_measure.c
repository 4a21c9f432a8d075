#include "signal/signal_measure.h"

#include "base/planted_fault.h"
#include "base/status.h"
#include "gpufilter/signal.h"
#include "lang/pipeline.h"
#include "result_builder.h"
#include "signal/measure.h"

#include <stdlib.h>
#include <string.h>

struct gf_signal_measures {
    char **states;   /* a node each: of all channels; NULL: it measures nothing */
    int64_t *frames; /* a node each: seen of its first channel */
    struct gf_result_builder *results;
    int32_t n_results;
    float *seen; /* on the host, what a GPU has handed on */
    size_t room;
};

static const struct gf_lowered_node *node_of(const struct gf_signal_exec *exec, int32_t i)
{
    return &exec->plan->chain.nodes[i];
}

static gf_status no_memory(gf_error *error)
{
    return gf_fail(error, GF_ERROR_MEMORY, "out of memory");
}

int32_t gf_signal_plan_result_count(const gf_signal_plan *plan)
{
    int32_t count = 0;
    for (int32_t i = 0; plan && i < plan->chain.n; i++) {
        count += plan->chain.nodes[i].measure != NULL;
    }
    return count;
}

gf_status gf_signal_measures_create(struct gf_signal_exec *exec, gf_error *error)
{
    const gf_signal_plan *plan = exec->plan;
    const int32_t count = gf_signal_plan_result_count(plan);
    if (count == 0) {
        return GF_OK;
    }
    struct gf_signal_measures *m = exec->measures = calloc(1, sizeof *m);
    if (!m || !(m->states = calloc((size_t)plan->chain.n, sizeof *m->states)) ||
        !(m->frames = calloc((size_t)plan->chain.n, sizeof *m->frames)) ||
        !(m->results = calloc((size_t)count, sizeof *m->results))) {
        return no_memory(error);
    }
    for (int32_t i = 0; i < plan->chain.n; i++) {
        const struct gf_signal_measure *measure = node_of(exec, i)->measure;
        if (measure && !(m->states[i] = calloc((size_t)gf_signal_channels(plan, i), measure->state_bytes))) {
            return no_memory(error);
        }
    }
    return GF_OK;
}

void gf_signal_measures_free(struct gf_signal_exec *exec)
{
    struct gf_signal_measures *m = exec->measures;
    for (int32_t i = 0; m && m->states && i < exec->plan->chain.n; i++) {
        const struct gf_signal_measure *measure = node_of(exec, i)->measure;
        for (int32_t c = 0; m->states[i] && measure->release && c < gf_signal_channels(exec->plan, i); c++) {
            measure->release(m->states[i] + (size_t)c * measure->state_bytes);
        }
        free(m->states[i]);
    }
    for (int32_t i = 0; m && i < m->n_results; i++) {
        gf_result_free(&m->results[i]);
    }
    if (m) {
        free(m->states);
        free(m->frames);
        free(m->results);
        free(m->seen);
    }
    free(m);
    exec->measures = NULL;
}

gf_status gf_signal_measures_see(struct gf_signal_exec *exec, int32_t i, int32_t channel, const float *data,
                                 int64_t count, gf_error *error)
{
    const struct gf_lowered_node *node = node_of(exec, i);
    gf_error why = GF_ERROR_INIT;
    if (!node->measure || count <= 0) {
        return GF_OK;
    }
    if (channel == 0) { /* by one thread alone */
        exec->measures->frames[i] += count;
    }
    char *state = exec->measures->states[i] + (size_t)channel * node->measure->state_bytes;
    const gf_status status = node->measure->observe(node->node.args, state, data, count, &why);
    if (status != GF_OK) {
        gf_fail(error, status, "stage %d '%s': %s", node->stage + 1,
                exec->plan->pipeline->nodes[node->stage].type->name, why.message);
        gf_error_stage(error, node->stage);
    }
    return status;
}

bool gf_signal_measures_again(struct gf_signal_exec *exec, int32_t i)
{
    const struct gf_lowered_node *node = node_of(exec, i);
    bool again = false;
    for (int32_t c = 0; node->measure && node->measure->again && c < gf_signal_channels(exec->plan, i); c++) {
        char *state = exec->measures->states[i] + (size_t)c * node->measure->state_bytes;
        again = node->measure->again(node->node.args, state) || again;
    }
    if (again) { /* they are counted anew */
        exec->measures->frames[i] = 0;
    }
    return again;
}

/* Brings rows of a GPU to the host. */
static gf_status fetch(struct gf_signal_exec *exec, const struct gf_track *out, int32_t channels,
                       gf_error *error)
{
    struct gf_signal_measures *m = exec->measures;
    const size_t row = (size_t)out->count * sizeof(float), bytes = row * (size_t)channels;
    if (bytes > m->room) {
        free(m->seen);
        m->seen = malloc(bytes);
        m->room = m->seen ? bytes : 0;
        if (!m->seen) {
            return no_memory(error);
        }
    }
    GF_TRY(exec->backend->copy(exec->queue, GF_COPY_DOWNLOAD, m->seen, (int64_t)row, out->data,
                               (channels == 1 ? out->count : out->pitch) * (int64_t)sizeof(float), row,
                               channels, error));
    return exec->backend->wait(exec->queue, error);
}

gf_status gf_signal_measures_run(struct gf_signal_exec *exec, const struct gf_signal_lane *lane, int32_t i,
                                 const struct gf_track *in, const struct gf_track *out, gf_error *error)
{
    const int32_t channels = gf_signal_lane_channels(exec->plan, lane, i);
    const bool gpu = exec->plan->device >= 0, one = channels == 1; /* whose pitch may be anything */
    const int64_t row = out->count * (int64_t)sizeof(float);
    GF_TRY(exec->backend->copy(exec->queue, GF_COPY_DEVICE, out->data,
                               one ? row : out->pitch * (int64_t)sizeof(float),
                               in->data + (out->first - in->first),
                               one ? row : in->pitch * (int64_t)sizeof(float), (size_t)row, channels, error));
    GF_TRY(gpu ? fetch(exec, out, channels, error) : GF_OK);
    for (int32_t c = 0; c < channels; c++) {
        const float *data = gpu ? exec->measures->seen + c * out->count : out->data + c * out->pitch;
        GF_TRY(gf_signal_measures_see(exec, i, lane->first + c, data, out->count - GF_FAULT(frame_unseen),
                                      error));
    }
    return GF_OK;
}

static gf_status finish(struct gf_signal_exec *exec, int32_t i, struct gf_result_builder *to, gf_error *error)
{
    const struct gf_lowered_node *node = node_of(exec, i);
    const struct gf_stage_node *stage = &exec->plan->pipeline->nodes[node->stage];
    const struct gf_signal_measured measured = {.args = node->node.args,
                                                .states = exec->measures->states[i],
                                                .channels = gf_signal_channels(exec->plan, i),
                                                .frames = exec->measures->frames[i],
                                                .rate = node->rate};
    *to = (struct gf_result_builder){.result = {.struct_size = sizeof(gf_result),
                                                .index = node->stage,
                                                .stage = stage->type->name,
                                                .name = stage->common.name,
                                                .shape = {measured.frames, 0, measured.channels, GF_F32}}};
    node->measure->finish(&measured, to);
    const gf_status status = to->status;
    if (status != GF_OK) {
        gf_result_free(to);
        return gf_fail(error, status, "the result of stage %d '%s' cannot be made%s", node->stage + 1,
                       stage->type->name, status == GF_ERROR_MEMORY ? ": out of memory" : "");
    }
    return GF_OK;
}

gf_status gf_signal_measures_end(struct gf_signal_exec *exec, gf_error *error)
{
    struct gf_signal_measures *m = exec->measures;
    for (int32_t i = 0; m && i < exec->plan->chain.n; i++) {
        if (m->states[i]) {
            GF_TRY(finish(exec, i, &m->results[m->n_results], error));
            m->n_results++;
        }
    }
    return GF_OK;
}

int32_t gf_signal_exec_result_count(const gf_signal_exec *exec)
{
    return exec && exec->measures ? exec->measures->n_results : 0;
}

const gf_result *gf_signal_exec_result(const gf_signal_exec *exec, int32_t index)
{
    return index >= 0 && index < gf_signal_exec_result_count(exec) ? &exec->measures->results[index].result
                                                                   : NULL;
}

const gf_result *gf_signal_exec_result_named(const gf_signal_exec *exec, const char *name)
{
    for (int32_t i = 0; name && i < gf_signal_exec_result_count(exec); i++) {
        const gf_result *result = &exec->measures->results[i].result;
        if (!strcmp(*result->name ? result->name : result->stage, name)) {
            return result;
        }
    }
    return NULL;
}
