#include "base/argument_value.h"
#include "base/message.h"
#include "base/parts.h"
#include "prim/prim.h"

#include <string.h>

#define COPY_BYTES  ((size_t)256 << 20) /* past every cache */
#define COPY_LEAST  ((size_t)1 << 20)
#define MEMORY_PART 6 /* a copy takes at most two of so many parts of the free memory */

static gf_status describe(gf_device device, gf_device_description *description, gf_error *error)
{
    gf_context *context = NULL;
    *description = (gf_device_description){.struct_size = sizeof *description};
    gf_status status = gf_context_create(NULL, &context, error);
    if (status == GF_OK) {
        status = gf_device_describe(context, device + 1, 1, description, error);
    }
    gf_context_destroy(&context);
    return status;
}

gf_status prim_device_open(gf_device device, bool emulated, struct prim_device *opened, gf_error *error)
{
    gf_device_description description;
    *opened = (struct prim_device){.queue = {device, NULL}};
    device_word(device, opened->word);
    gf_status status = describe(device, &description, error);
    opened->emulated = status == GF_OK && device >= 0 && !strncmp(description.name, "emu", 3);
    if (emulated && !opened->emulated) {
        strcpy(opened->word, "emu");
        return cli_error(error, GF_ERROR_DEVICE,
                         "no device is emulated: that needs a build with GPUFILTER_CUDA=EMU");
    }
    CLI_TRY(status);
    if (opened->emulated) {
        strcpy(opened->word, "emu");
    }
    return gf_queue_create(device, &opened->queue, error);
}

static void release_copy(struct prim_device *device)
{
    for (int i = 0; i < 2; i++) {
        gf_memory_release(device->queue.device, device->copy[i]);
        device->copy[i] = NULL;
    }
    device->copy_bytes = 0;
}

void prim_device_close(struct prim_device *opened)
{
    release_copy(opened);
    gf_queue_destroy(&opened->queue);
}

/* ---- Copies ----------------------------------------------------------------------------------- */

/* Memory that nobody wrote is no memory to time: its first reader pays for its pages, and checkers of memory
 * complain. Zeros may be copied faster than data. */
static gf_status touch_copy(struct prim_device *device, gf_error *error)
{
    char block[1 << 16];
    gf_status status = GF_OK;
    array_data_fill(block, GF_U8, sizeof block, ARRAY_RANDOM, 0, 1);
    for (int i = 0; i < 2; i++) {
        for (size_t at = 0; status == GF_OK && at < device->copy_bytes; at += sizeof block) {
            size_t left = device->copy_bytes - at;
            status = gf_memory_copy(device->queue, GF_COPY_UPLOAD, (char *)device->copy[i] + at, block,
                                    left < sizeof block ? left : sizeof block, error);
        }
    }
    return status == GF_OK ? gf_queue_wait(device->queue, error) : status;
}

static gf_status allocate_copy(struct prim_device *device, size_t bytes, gf_error *error)
{
    gf_status status = GF_OK;
    for (int i = 0; status == GF_OK && i < 2; i++) {
        status = gf_memory_allocate(device->queue.device, bytes, &device->copy[i], error);
    }
    if (status != GF_OK) {
        release_copy(device);
        return status;
    }
    device->copy_bytes = bytes;
    return touch_copy(device, error);
}

gf_status prim_copy_prepare(struct prim_device *device, double bytes, uint64_t limit, gf_error *error)
{
    gf_device_description description;
    size_t wanted = bytes / 2 > (double)COPY_BYTES ? (size_t)(bytes / 2) : COPY_BYTES;
    if (limit > 0 && wanted > limit / 2) {
        wanted = limit / 2 > COPY_LEAST ? (size_t)(limit / 2) : COPY_LEAST;
    }
    if (device->copy_bytes >= wanted) {
        return GF_OK;
    }
    gf_status status = describe(device->queue.device, &description, error);
    release_copy(device);
    while (status == GF_OK && wanted > COPY_LEAST && wanted > description.memory_free / MEMORY_PART) {
        wanted /= 2;
    }
    while (status == GF_OK) {
        status = allocate_copy(device, wanted, error);
        if (status != GF_ERROR_MEMORY || wanted <= COPY_LEAST) {
            break;
        }
        wanted /= 2;
        status = GF_OK;
    }
    return status;
}

static void copy_part(const void *argument, int64_t from, int64_t to)
{
    const struct prim_device *device = argument;
    memcpy((char *)device->copy[1] + from, (const char *)device->copy[0] + from, (size_t)(to - from));
}

gf_status prim_copy_run(struct prim_device *device, gf_error *error)
{
    if (device->queue.device >= 0) {
        return gf_memory_copy(device->queue, GF_COPY_DEVICE, device->copy[1], device->copy[0],
                              device->copy_bytes, error);
    }
    parts_run((int64_t)device->copy_bytes, device->threads, copy_part, device);
    return GF_OK;
}
