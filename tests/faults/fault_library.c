/* Fault scenarios of the library: a chain from its text to results, a report and a verification. */
#include "fault_chain.h"

#include "base/device.h"
#include "base/status.h"
#include "gpufilter/gpufilter.h"
#include "image_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 17 };

/* ---- a stage of a caller's own, with a function for each backend ---- */

static gf_status flip(const gf_image *in, gf_image *out, gf_queue queue, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(queue.device);
    size_t row = (size_t)in->shape.width * (size_t)in->shape.channels * gf_depth_size(in->shape.depth);
    for (int64_t y = 0; y < in->shape.height; y++) {
        gf_status status = backend->copy(
            queue, GF_COPY_DEVICE, (char *)out->data + y * out->pitch, out->pitch,
            (char *)in->data + (in->shape.height - 1 - y) * in->pitch, in->pitch, row, 1, error);
        if (status != GF_OK) {
            return status;
        }
    }
    return GF_OK;
}

static gf_status flip_host(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)args;
    return flip(in, out, (gf_queue){GF_DEVICE_CPU, NULL}, error);
}

static gf_status flip_device(const gf_image *in, gf_image *out, const void *args, void *stream,
                             gf_error *error)
{
    (void)args;
    gf_status status = flip(in, out, (gf_queue){in->device, stream}, error);
    return status == GF_STATUS_LOST ? GF_ERROR_DEVICE : status; /* all that a caller could know */
}

static void lower_flip(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_shape shape = gf_lower_shape(l, v);
    gf_lower_output(l, gf_lower_call(l, v, &shape, flip_host, flip_device, NULL));
}

static const gf_stage_type flip_stage = {
    .struct_size = sizeof(gf_stage_type),
    .name = "flip",
    .group = "own",
    .summary = "upside down",
    .formula = "out(x, y) = in(x, height - 1 - y)",
    .lower = lower_flip,
};
static const gf_stage_type *const own_stages[] = {&flip_stage};

static void *take_memory(void *user, size_t bytes)
{
    (void)user;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_memory(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* ---- one chain ---- */

static _Alignas(64) unsigned char in_bytes[FAULT_STAGED_BYTES], out_bytes[FAULT_STAGED_BYTES];
static char text[TEXT_BYTES];

struct objects {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_image in, out;
    void *device_in, *device_out; /* of WAY_ENQUEUE */
    void *stream;
};

bool fault_library_prepare(void)
{
    uint32_t state = 12345;
    for (size_t i = 0; i < sizeof in_bytes; i++) {
        state = state * 1664525U + 1013904223U;
        in_bytes[i] = (unsigned char)(state >> 24);
    }
    return true;
}

/* Rows without gaps. */
static gf_image host_view(void *bytes, gf_shape shape)
{
    gf_image image = {.struct_size = sizeof image, .shape = shape, .data = bytes, .device = GF_DEVICE_CPU};
    image.pitch = shape.width * shape.channels * (int64_t)gf_depth_size(shape.depth);
    return image;
}

/* Bytes that a picture of the chain may have. */
static size_t room_of(const struct chain *chain)
{
    const gf_shape *s = &chain->shape;
    return gf_image_row_bytes(s->width, s->channels, s->depth) * s->height > FAULT_PIXEL_BYTES
               ? FAULT_STAGED_BYTES
               : FAULT_PIXEL_BYTES;
}

/* The input; f32 samples are finite, k / 256. */
static void fill(const struct chain *chain, void *bytes)
{
    static _Alignas(64) float floats[FAULT_STAGED_BYTES / sizeof(float)];
    const bool is_float = chain->shape.depth == GF_F32;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        floats[i] = (float)in_bytes[i] / 256;
    }
    memcpy(bytes, is_float ? (void *)floats : (void *)in_bytes, room_of(chain));
}

static gf_status make_device_pictures(struct objects *o, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(0);
    size_t in_size = (size_t)(o->in.pitch * o->in.shape.height);
    gf_status status = backend->stream_create(0, &o->stream, error);
    if (status == GF_OK) {
        status = backend->allocate(0, in_size, &o->device_in, error);
    }
    if (status == GF_OK) {
        status = backend->allocate(0, (size_t)(o->out.pitch * o->out.shape.height), &o->device_out, error);
    }
    return status;
}

static gf_status make(const struct chain *chain, struct objects *o, gf_error *error)
{
    gf_context_options context_options = GF_CONTEXT_OPTIONS_INIT;
    if (chain->own_memory) {
        context_options.allocate = take_memory;
        context_options.release = give_memory;
    }
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = chain->device;
    options.alpha = chain->alpha;
    options.no_fuse = chain->no_fuse;
    options.threads = 1;
    options.stream_rows = chain->way == WAY_STREAM ? 10 : 0;
    gf_status status = gf_context_create(&context_options, &o->context, error);
    if (status == GF_OK) {
        status = gf_pipeline_parse(chain->stages, own_stages, 1, &o->pipeline, error);
    }
    if (status == GF_OK) {
        status = gf_plan_create(o->context, o->pipeline, &chain->shape, &options, &o->plan, error);
    }
    if (status == GF_OK && chain->reads_again) {
        options.memory_limit = gf_plan_memory(o->plan) - 1;
        gf_plan_destroy(&o->plan);
        status = gf_plan_create(o->context, o->pipeline, &chain->shape, &options, &o->plan, error);
    }
    if (status == GF_OK) {
        o->out = host_view(out_bytes, gf_plan_output(o->plan));
        status = gf_exec_create(o->plan, &o->exec, error);
    }
    return status == GF_OK && chain->way == WAY_ENQUEUE ? make_device_pictures(o, error) : status;
}

static gf_status enqueue(const struct objects *o, gf_error *error)
{
    const struct gf_backend *backend = gf_backend_for(0);
    gf_queue queue = {0, o->stream};
    gf_image in = o->in, out = o->out;
    in.data = o->device_in;
    out.data = o->device_out;
    in.device = out.device = 0;
    size_t in_size = (size_t)(in.pitch * in.shape.height), out_size = (size_t)(out.pitch * out.shape.height);
    gf_status status = backend->copy(queue, GF_COPY_UPLOAD, in.data, 0, o->in.data, 0, in_size, 1, error);
    if (status == GF_OK) {
        status = gf_exec_enqueue(o->exec, &in, &out, o->stream, error);
    }
    if (status == GF_OK) {
        status = gf_exec_finish(o->exec, error);
    }
    if (status == GF_OK) {
        status = backend->copy(queue, GF_COPY_DOWNLOAD, o->out.data, 0, out.data, 0, out_size, 1, error);
    }
    return status == GF_OK ? backend->wait(queue, error) : status;
}

static gf_status stream(const struct objects *o, gf_error *error)
{
    struct image_rows from = {.image = &o->in}, to = {.image = &o->out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    return gf_exec_stream(o->exec, &source, &sink, error);
}

/* Runs, and hashes picture and results. */
static gf_status run_once(const struct chain *chain, struct objects *o, uint64_t *hash, gf_error *error)
{
    gf_image *out = chain->way == WAY_NO_PICTURE ? NULL : &o->out;
    size_t length = 0;
    memset(out_bytes, 0xa5, room_of(chain));
    gf_status status = chain->way == WAY_ENQUEUE  ? enqueue(o, error)
                       : chain->way == WAY_STREAM ? stream(o, error)
                                                  : gf_exec_run(o->exec, &o->in, out, error);
    *hash = fault_hash(0, out_bytes, room_of(chain));
    for (int32_t i = 0; status == GF_OK && i < gf_exec_result_count(o->exec); i++) {
        status =
            gf_result_print(gf_exec_result(o->exec, i), GF_PRINT_JSON, text, sizeof text, &length, error);
        *hash = fault_hash(*hash, text, strlen(text));
    }
    if (status == GF_OK) {
        status = gf_plan_explain(o->plan, GF_PRINT_JSON, text, sizeof text, &length, error);
    }
    if (status == GF_OK && chain->verify) {
        gf_mismatch mismatch = {.struct_size = sizeof mismatch};
        status = gf_verify(o->exec, &o->in, out, chain->judge, &mismatch, error);
    }
    return status;
}

static void destroy(struct objects *o)
{
    gf_exec_destroy(&o->exec);
    gf_plan_destroy(&o->plan);
    gf_pipeline_destroy(&o->pipeline);
    gf_context_destroy(&o->context);
    const struct gf_backend *backend = gf_backend_for(0);
    backend->release(0, o->device_in);
    backend->release(0, o->device_out);
    backend->stream_destroy(0, o->stream);
}

/* The CPU takes over. */
static gf_status rebind(struct objects *o, gf_error *error)
{
    gf_plan *plan = NULL;
    gf_exec_destroy(&o->exec);
    gf_status status = gf_plan_rebind(o->plan, GF_DEVICE_CPU, error->message, &plan, error);
    if (status == GF_OK) {
        gf_plan_destroy(&o->plan);
        o->plan = plan;
        status = gf_exec_create(plan, &o->exec, error);
    }
    return status;
}

void fault_chain_run(const void *how, struct fault_run *run)
{
    static _Alignas(64) unsigned char in[FAULT_STAGED_BYTES];
    const struct chain *chain = how;
    struct objects o = {.in = host_view(in, chain->shape)};
    gf_error error = GF_ERROR_INIT;
    fill(chain, in);
    fault_begin();
    gf_status status = make(chain, &o, &error);
    bool whole = status == GF_OK;
    if (whole) {
        status = run_once(chain, &o, &run->hash, &error);
    }
    status = status == GF_STATUS_LOST ? GF_ERROR_DEVICE : status; /* of calls that only tests make */
    run->code = gf_status_exit_code(status);
    snprintf(run->message, sizeof run->message, "%s", error.message);
    if (status != GF_OK && (error.code != status || strlen(error.message) + 1 == sizeof error.message)) {
        snprintf(run->trouble, sizeof run->trouble, "status %d, but gf_error says %d: %.100s", (int)status,
                 (int)error.code, error.message);
    }
    fault_over();
    if (status != GF_OK && (chain->rebinds ? o.plan != NULL : whole)) {
        run->ran_again = true;
        run->elsewhere = chain->rebinds;
        status = chain->rebinds ? rebind(&o, &error) : GF_OK;
        status = status == GF_OK ? run_once(chain, &o, &run->again_hash, &error) : status;
        run->again_code = gf_status_exit_code(status);
    }
    destroy(&o);
}

/* ---- the chains: together every stage, every kernel, every way ---- */

#define CHAIN(name, reach, twin, ...)                                                                        \
    {                                                                                                        \
        name, reach, 0, false, twin, &(const struct chain){__VA_ARGS__}, fault_chain_run                     \
    }
#define BOTH(name, reach, ...)                                                                               \
    CHAIN(name ", emu", reach, false, .device = 0, __VA_ARGS__),                                             \
        CHAIN(name ", cpu", FAULT_HOST, true, .device = GF_DEVICE_CPU, __VA_ARGS__)

const struct fault_scenario fault_library_scenarios[] = {
    BOTH("spine u8", FAULT_CODES, .stages = "gray,blur,contrast:1.4,threshold:otsu,hist",
         .shape = {37, 11, 3, GF_U8}),
    BOTH("points u8", FAULT_DEVICE, .stages = "brightness:0.1,gamma:1.8,levels:0.1:high=0.9,invert",
         .shape = {37, 11, 2, GF_U8}),
    BOTH("points u16", FAULT_DEVICE, .stages = "gamma:0.8,threshold:0.4", .shape = {37, 11, 1, GF_U16}),
    BOTH("strip f32", FAULT_CODES, .stages = "convert:f32,blur:1.2,stats,convert:u8",
         .shape = {37, 11, 3, GF_U8}),
    BOTH("wide window u16", FAULT_DEVICE, .stages = "blur:6:border=wrap,hist", .shape = {37, 11, 1, GF_U16}),
    BOTH("boxes u8", FAULT_DEVICE, .stages = "box:20,stats", .shape = {37, 11, 3, GF_U8}),
    BOTH("boxes f32", FAULT_DEVICE, .stages = "box:2:border=reflect", .shape = {37, 11, 1, GF_F32}),
    BOTH("sobel u8", FAULT_DEVICE, .stages = "sobel,hist", .shape = {37, 11, 1, GF_U8}),
    BOTH("sobel f32", FAULT_DEVICE, .stages = "sobel:border=constant:value=0.5",
         .shape = {37, 11, 1, GF_F32}),
    BOTH("equalize u16", FAULT_DEVICE, .stages = "equalize", .shape = {37, 11, 1, GF_U16}),
    BOTH("equalize and otsu f32", FAULT_DEVICE, .stages = "equalize,threshold:otsu",
         .shape = {37, 11, 1, GF_F32}),
    BOTH("premultiplied", FAULT_DEVICE, .stages = "blur,box:1", .shape = {37, 11, 4, GF_U8},
         .alpha = GF_ALPHA_PREMUL),
    BOTH("rectangle and channels", FAULT_DEVICE,
         .stages = "blur:1:roi=20x5+3+2:channels=0+2:border=reflect101,stats:roi=8x8+1+1:name=part",
         .shape = {37, 11, 3, GF_U16}),
    BOTH("unfused", FAULT_DEVICE, .stages = "gray,blur,invert,stats", .shape = {37, 11, 3, GF_U8},
         .no_fuse = true),
    BOTH("results only", FAULT_DEVICE, .stages = "blur,hist,stats", .shape = {37, 11, 1, GF_U8},
         .way = WAY_NO_PICTURE),
    BOTH("streamed in bands", FAULT_DEVICE, .stages = "blur:1:roi=9x9+3+4,hist:roi=8x5+1+6",
         .shape = {37, 20, 1, GF_U8}, .way = WAY_STREAM),
    BOTH("streamed in sweeps, read again", FAULT_DEVICE, .stages = "threshold:otsu,hist",
         .shape = {37, 40, 1, GF_U8}, .way = WAY_STREAM, .reads_again = true),
    BOTH("own stage and memory", FAULT_CODES, .stages = "blur,flip,invert", .shape = {37, 11, 1, GF_U8},
         .own_memory = true),
    BOTH("verified by reference", FAULT_DEVICE, .stages = "blur,sobel,gamma:2,stats",
         .shape = {19, 7, 3, GF_U8}, .verify = true, .judge = GF_DEVICE_REFERENCE),
    BOTH("verified by reference, f32", FAULT_HOST, .stages = "box:2,blur,equalize,threshold:otsu,hist",
         .shape = {19, 7, 1, GF_F32}, .verify = true, .judge = GF_DEVICE_REFERENCE),
    {"batch, emu", FAULT_CODES, 0, false, false,
     &(const struct chain){.stages = "blur,stats", .shape = {37, 11, 3, GF_U8}, .device = 0},
     fault_batch_run},
    {"batch, cpu", FAULT_HOST, 0, false, true,
     &(const struct chain){.stages = "blur,stats", .shape = {37, 11, 3, GF_U8}, .device = GF_DEVICE_CPU},
     fault_batch_run},
    {"batch, emu and cpu", FAULT_DEVICE, 0, false, true,
     &(const struct chain){.stages = "blur,stats", .shape = {37, 11, 3, GF_U8}, .device = 0, .rebinds = true},
     fault_batch_run},
    CHAIN("rebound to the cpu", FAULT_DEVICE, false, .stages = "blur,stats", .shape = {37, 11, 3, GF_U8},
          .device = 0, .rebinds = true),
    CHAIN("verified by cpu", FAULT_DEVICE, false, .stages = "blur,hist", .shape = {37, 11, 3, GF_U8},
          .device = 0, .verify = true, .judge = GF_DEVICE_AUTO),
    CHAIN("verified by emu", FAULT_DEVICE, false, .stages = "blur,hist", .shape = {37, 11, 3, GF_U8},
          .device = GF_DEVICE_CPU, .verify = true, .judge = 0),
    CHAIN("pictures on the device", FAULT_CODES, false, .stages = "blur,flip,hist",
          .shape = {37, 11, 1, GF_U8}, .device = 0, .way = WAY_ENQUEUE),
    CHAIN("staged through pieces", FAULT_DEVICE, false, .stages = "invert,hist",
          .shape = {275, 260, 1, GF_U8}, .device = 0),
    CHAIN("staged in one piece", FAULT_CODES, false, .stages = "invert,hist", .shape = {256, 256, 1, GF_U8},
          .device = 0),
    {0},
};
