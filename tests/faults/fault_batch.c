/* Fault scenarios of gf_batch: a few items in memory, one worker, so that faults come in the same order. */
#include "fault_chain.h"

#include "base/status.h"
#include "gpufilter/gpufilter.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 3 };

static _Alignas(64) unsigned char in_bytes[ITEMS][FAULT_PIXEL_BYTES], out_bytes[ITEMS][FAULT_PIXEL_BYTES];

/* What came of the items: the first failure, and a hash of all that was made. */
struct outcome {
    gf_status status;
    gf_error error;
    int ended;
};

static void end(void *user, const gf_batch_outcome *outcome)
{
    struct outcome *all = user;
    all->ended++;
    if (all->status == GF_OK && outcome->status != GF_OK) {
        all->status = outcome->status;
        all->error = *outcome->error;
    }
}

static gf_status add_items(const struct chain *chain, gf_batch *batch, gf_image in[ITEMS],
                           gf_image out[ITEMS], struct outcome *all, gf_error *error)
{
    gf_status status = GF_OK;
    for (int i = 0; i < ITEMS && status == GF_OK; i++) {
        gf_batch_item item = GF_BATCH_ITEM_INIT;
        int64_t height = chain->shape.height - i / 2; /* two of one shape */
        in[i] = gf_image_view(in_bytes[i], chain->shape.width, height, chain->shape.channels,
                              chain->shape.depth, 0);
        out[i] = gf_image_view(out_bytes[i], chain->shape.width, height, chain->shape.channels,
                               chain->shape.depth, 0);
        item.in = &in[i];
        item.out = &out[i];
        item.end = end;
        item.user = all;
        status = gf_batch_add(batch, &item, error);
    }
    return status;
}

void fault_batch_run(const void *how, struct fault_run *run)
{
    const struct chain *chain = how;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_batch *batch = NULL;
    gf_image in[ITEMS], out[ITEMS];
    struct outcome all = {.error = GF_ERROR_INIT};
    gf_error error = GF_ERROR_INIT;
    gf_batch_options options = GF_BATCH_OPTIONS_INIT;
    options.workers = 1;
    options.plans = 1;
    const gf_device devices[] = {chain->device, GF_DEVICE_CPU};
    options.devices = devices;
    options.n_devices = chain->rebinds ? 2 : 1; /* the CPU takes over what a device fails with */
    memset(out_bytes, 0, sizeof out_bytes);
    for (size_t i = 0; i < sizeof in_bytes; i++) {
        ((unsigned char *)in_bytes)[i] = (unsigned char)(i * 37 >> 3);
    }
    fault_begin();
    gf_status status = gf_context_create(NULL, &context, &error);
    status = status == GF_OK ? gf_pipeline_parse(chain->stages, NULL, 0, &pipeline, &error) : status;
    status = status == GF_OK ? gf_batch_create(context, pipeline, &options, &batch, &error) : status;
    if (status == GF_OK) {
        status = add_items(chain, batch, in, out, &all, &error);
        gf_batch_finish(batch, NULL);
        if (all.ended != ITEMS) {
            snprintf(run->trouble, sizeof run->trouble, "%d items ended", all.ended);
        }
    }
    gf_batch_destroy(&batch);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    fault_end();
    if (status == GF_OK && all.status != GF_OK) {
        status = all.status;
        error = all.error;
    }
    run->code = gf_status_exit_code(status);
    run->hash = fault_hash(0, out_bytes, sizeof out_bytes);
    snprintf(run->message, sizeof run->message, "%s", error.message);
    if (status != GF_OK && error.code != status) {
        snprintf(run->trouble, sizeof run->trouble, "status %d, but gf_error says %d", (int)status,
                 (int)error.code);
    }
}
