/* Ragged loops on CUDA: memory, and which kernels make a variant. */
#include "array/ragged/ragged_cuda.h"

#include "array/common/grid_cuda.cuh"
#include "array/reduce/reduce_call.h"
#include "base/device_scope_cuda.h"

/* ---- Memory ------------------------------------------------------------------------------------------------- */

static struct gf_reduce_call gf_ragged_most_call(const struct gf_ragged_call *call)
{
    struct gf_reduce_call reduce = {};
    reduce.array.queue = call->array.queue;
    reduce.array.options.type = GF_S32;
    reduce.array.n = call->array.n;
    reduce.array.in = call->array.in;
    reduce.op = GF_REDUCE_MAX;
    return reduce;
}

/* Lays out what the bodies that are here need: slots and a list where there are leaves, or ranks. */
static void gf_ragged_lay_out_body(const struct gf_ragged_call *call, gf_ragged_way way, size_t *used,
                                   struct gf_ragged_memory *m)
{
    void *const memory = call->array.scratch;
    const gf_ragged_body body = call->options.body;
    if (call->loop || !gf_ragged_is_segment(body)) {
        return;
    }
    if (way == GF_RAGGED_AUTO) {
        const size_t slots = static_cast<size_t>(gf_ragged_slots(call->items));
        m->slots = static_cast<uint64_t *>(gf_scratch_take(memory, used, slots * sizeof(uint64_t)));
        m->listed = static_cast<uint64_t *>(gf_scratch_take(memory, used, sizeof(uint64_t)));
        m->list = static_cast<int32_t *>(gf_scratch_take(memory, used, (slots / 2 + 1) * sizeof(int32_t)));
    } else if (body != GF_RAGGED_SEGMENT_SUM) {
        const size_t ranks = static_cast<size_t>(call->array.n) * sizeof(uint64_t);
        m->slots = static_cast<uint64_t *>(gf_scratch_take(memory, used, ranks));
    }
}

static size_t gf_ragged_lay_out(const struct gf_ragged_call *call, gf_ragged_way way,
                                struct gf_ragged_memory *m)
{
    void *const memory = call->array.scratch;
    const size_t nx = static_cast<size_t>(call->array.n);
    size_t used = 0;
    const auto take = [&](size_t bytes) { return gf_scratch_take(memory, &used, bytes); };
    if (way == GF_RAGGED_AUTO || call->places) {
        uint64_t *const words = static_cast<uint64_t *>(take((nx + 2) * sizeof(uint64_t)));
        m->offsets = words ? words + 1 : nullptr;
        m->sums = take(gf_ragged_place_bytes(call->array.n));
    }
    if (way == GF_RAGGED_SIMPLE || way == GF_RAGGED_SMART) {
        const struct gf_reduce_call most = gf_ragged_most_call(call);
        m->most = static_cast<int32_t *>(take(sizeof(uint64_t)));
        m->helper_bytes = gf_reduce_cuda_scratch(&most.array);
    }
    if (way == GF_RAGGED_FRAME || way == GF_RAGGED_COMBINED || way == GF_RAGGED_SMART) {
        const size_t sort = gf_ragged_sort_bytes(call->array.n);
        m->helper_bytes = sort > m->helper_bytes ? sort : m->helper_bytes;
        m->heights = static_cast<int32_t *>(take(nx * sizeof(int32_t)));
        m->order = static_cast<int32_t *>(take(nx * sizeof(int32_t)));
        m->edges = static_cast<int32_t *>(take((nx + 1) * sizeof(int32_t)));
        m->tiles = static_cast<int64_t *>(take((nx + 1) * sizeof(int64_t)));
        m->found = static_cast<int64_t *>(take(2 * sizeof(int64_t)));
    }
    m->helper = take(m->helper_bytes);
    gf_ragged_lay_out_body(call, way, &used, m);
    return used;
}

/* ---- Getting ready ------------------------------------------------------------------------------------------ */

/* The greatest count: the host waits for it, as the published program does. */
static gf_status gf_ragged_find_most(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                                     int64_t *most, gf_error *error)
{
    struct gf_reduce_call reduce = gf_ragged_most_call(call);
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    int32_t found = 0;
    *most = 0;
    if (call->array.n == 0) {
        return GF_OK;
    }
    reduce.array.out = m->most;
    reduce.array.scratch = m->helper;
    reduce.array.scratch_bytes = m->helper_bytes;
    GF_TRY(gf_reduce_cuda(&reduce.array, error));
    GF_CUDA_TRY(error, cudaMemcpyAsync(&found, m->most, sizeof found, cudaMemcpyDeviceToHost, stream));
    GF_CUDA_TRY(error, cudaStreamSynchronize(stream));
    *most = found > 0 ? found : 0;
    return GF_OK;
}

static void gf_ragged_describe(const struct gf_ragged_call *call, const struct gf_ragged_memory *m,
                               int processors, gf_ragged_loop *loop)
{
    *loop = GF_RAGGED_LOOP_INIT;
    loop->nx = call->array.n;
    loop->block_x = call->options.block_x;
    loop->block_y = call->options.block_y;
    loop->blocks = processors * 8;
    loop->counts = static_cast<const int32_t *>(call->array.in);
    loop->offsets = reinterpret_cast<const int64_t *>(m->offsets);
    loop->heights = m->heights;
    loop->order = m->order;
    loop->edges = m->edges;
    loop->tiles = m->tiles;
    loop->found = m->found;
}

/* Tells whether "smart" is "simple" for this loop, on this device. */
static gf_status gf_ragged_choose(const struct gf_ragged_call *call, int64_t most, bool *is_low,
                                  gf_error *error)
{
    int device = 0, major = 0, minor = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    *is_low = most < gf_ragged_threshold_on(&call->options, 10 * major + minor, call->array.n);
    return GF_OK;
}

/* Queues what comes before the body. zeroed: the output, where the body needs zeros there. */
static gf_status gf_ragged_prepare(const struct gf_ragged_call *call, gf_ragged_way way,
                                   const struct gf_ragged_memory *m, uint64_t *zeroed, gf_ragged_loop *loop,
                                   gf_error *error)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(call->array.queue.stream);
    const bool at_once = m->offsets && call->array.n <= GF_RAGGED_SMALL;
    int processors = 0;
    GF_TRY(gf_multiprocessors(&processors, error));
    gf_ragged_describe(call, m, processors, loop);
    if (zeroed && !at_once) {
        const size_t bytes = static_cast<size_t>(call->array.n) * sizeof *zeroed;
        GF_CUDA_TRY(error, cudaMemsetAsync(zeroed, 0, bytes, stream));
    }
    if (m->offsets) {
        GF_TRY(gf_ragged_place_cuda(call, m, zeroed, error));
    }
    if (way == GF_RAGGED_SIMPLE || way == GF_RAGGED_SMART) {
        GF_TRY(gf_ragged_find_most(call, m, &loop->ny, error));
        bool is_low = true;
        GF_TRY(way == GF_RAGGED_SMART ? gf_ragged_choose(call, loop->ny, &is_low, error) : GF_OK);
        way = way == GF_RAGGED_SIMPLE || is_low ? GF_RAGGED_SIMPLE : GF_RAGGED_COMBINED;
    }
    loop->shape = way == GF_RAGGED_AUTO     ? GF_RAGGED_EVEN
                  : way == GF_RAGGED_SIMPLE ? GF_RAGGED_GRID
                                            : GF_RAGGED_FRAMES;
    loop->below = way == GF_RAGGED_COMBINED;
    return loop->shape == GF_RAGGED_FRAMES ? gf_ragged_sort_cuda(call, m, way == GF_RAGGED_COMBINED, error)
                                           : GF_OK;
}

/* ---- The call ----------------------------------------------------------------------------------------------- */

static gf_status gf_ragged_run_way(const struct gf_array_call *array, gf_ragged_way way, gf_error *error)
{
    const struct gf_ragged_call *const call = gf_ragged_call_of(array);
    const gf_ragged_body body = call->options.body;
    const cudaStream_t stream = static_cast<cudaStream_t>(array->queue.stream);
    struct gf_ragged_memory m = {};
    gf_ragged_loop loop;
    GF_ON_DEVICE(array->queue.device, error)
    if (array->n == 0) {
        gf_ragged_describe(call, &m, 1, &loop);
        if (call->total) {
            GF_CUDA_TRY(error, cudaMemsetAsync(call->total, 0, sizeof *call->total, stream));
        }
        if (call->loop) {
            *call->loop = loop;
        }
        return GF_OK;
    }
    gf_ragged_lay_out(call, way, &m);
    const bool adds = !call->loop && (body == GF_RAGGED_SUM || (body == GF_RAGGED_SEGMENT_SUM && !m.listed));
    GF_TRY(
        gf_ragged_prepare(call, way, &m, adds ? static_cast<uint64_t *>(array->out) : nullptr, &loop, error));
    if (call->loop) {
        *call->loop = loop;
        return GF_OK;
    }
    if (call->total && array->n > GF_RAGGED_SMALL) {
        GF_CUDA_TRY(error, cudaMemcpyAsync(call->total, m.offsets + array->n, sizeof *call->total,
                                           cudaMemcpyDeviceToDevice, stream));
    }
    return gf_ragged_is_fold(body) && loop.shape == GF_RAGGED_EVEN
               ? gf_ragged_fold_cuda(call, &loop, &m, error)
               : gf_ragged_items_cuda(call, &loop, &m, error);
}

#define GF_RAGGED_VARIANT(name, way)                                                                         \
    size_t name##_scratch(const struct gf_array_call *array)                                                 \
    {                                                                                                        \
        struct gf_ragged_memory m = {};                                                                      \
        return gf_ragged_lay_out(gf_ragged_call_of(array), way, &m);                                         \
    }                                                                                                        \
    gf_status name(const struct gf_array_call *array, gf_error *error)                                       \
    {                                                                                                        \
        return gf_ragged_run_way(array, way, error);                                                         \
    }
GF_RAGGED_VARIANT(gf_ragged_cuda, GF_RAGGED_AUTO)
GF_RAGGED_VARIANT(gf_ragged_simple_cuda, GF_RAGGED_SIMPLE)
GF_RAGGED_VARIANT(gf_ragged_frame_cuda, GF_RAGGED_FRAME)
GF_RAGGED_VARIANT(gf_ragged_combined_cuda, GF_RAGGED_COMBINED)
GF_RAGGED_VARIANT(gf_ragged_smart_cuda, GF_RAGGED_SMART)
