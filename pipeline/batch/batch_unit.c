/* The devices of a batch. A GPU takes a few runs at a time. Where all are busy, an item waits for one, unless
 * a processor would end its run sooner: processors are what reading and writing of files needs. */
#include "base/status.h"
#include "batch/batch.h"

#include <stdlib.h>

static gf_status add(gf_batch *batch, gf_device device, gf_error *error)
{
    for (int32_t i = 0; i < batch->n_units; i++) {
        if (batch->units[i].device == device) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.devices names %s twice",
                           gf_device_kind(device));
        }
    }
    if (device < GF_DEVICE_REFERENCE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.devices has %d, which is no device",
                       (int)device);
    }
    if (device >= 0) {
        gf_device_description description = {.struct_size = sizeof description};
        GF_TRY(gf_device_describe(batch->context, device + 1, 1, &description, error));
    }
    batch->units[batch->n_units++] = (struct gf_batch_unit){.device = device};
    return GF_OK;
}

/* Returns how many GPUs the system lists; CUDA may let this process see fewer. None is started. */
static int32_t count_gpus(gf_batch *batch)
{
    gf_device_description description = {.struct_size = sizeof description};
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int32_t n = 0, most = visible ? 1 : INT32_MAX;
    for (; visible && *visible; visible++) {
        most += *visible == ',';
    }
    while (n < most && gf_device_describe(batch->context, n + 1, 0, &description, NULL) == GF_OK) {
        n++;
    }
    return n;
}

gf_status gf_batch_units_find(gf_batch *batch, const gf_device *devices, int32_t n, gf_error *error)
{
    batch->choosing = !devices;
    if (devices && n < 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "gf_batch_options.n_devices is %d: must be at least 1",
                       (int)n);
    }
    int32_t count = devices ? n : 1 + count_gpus(batch);
    batch->units = calloc((size_t)count, sizeof *batch->units);
    GF_TRY(gf_need_memory(batch->units != NULL, error));
    if (devices) {
        for (int32_t i = 0; i < count; i++) {
            GF_TRY(add(batch, devices[i], error));
        }
        return GF_OK;
    }
    batch->n_units = count;
    for (int32_t i = 0; i < count; i++) {
        batch->units[i].device = i == 0 ? GF_DEVICE_CPU : i - 1;
    }
    return GF_OK;
}

int32_t gf_batch_unit_cpu(const gf_batch *batch)
{
    for (int32_t i = 0; i < batch->n_units; i++) {
        if (batch->units[i].device < 0) {
            return i;
        }
    }
    return -1;
}

bool gf_batch_cpu_is_sooner(double cpu_ms, double gpu_ms, int32_t gpus, int32_t runs, int32_t ahead)
{
    const double wait = gpu_ms * (ahead + 1) / ((double)gpus * runs); /* until a place is free */
    return cpu_ms <= 0 || gpu_ms <= 0 || cpu_ms < wait + gpu_ms;
}

/* Chooses, under the lock, the GPU with the fewest runs that has room for one, or the CPU. -1: wait. */
static int32_t choose(const gf_batch *batch, const struct gf_batch_plan *plan, int32_t ahead)
{
    int32_t best = -1, last = -1, sound = 0, cpu = gf_batch_unit_cpu(batch);
    for (int32_t i = 0; plan->on_gpu && i < batch->n_units; i++) {
        const struct gf_batch_unit *unit = &batch->units[i];
        if (unit->device < 0) {
            continue;
        }
        last = i;
        sound += !unit->failed;
        if (!unit->failed && unit->running < batch->options.runs &&
            (best < 0 || unit->running < batch->units[best].running)) {
            best = i;
        }
    }
    if (best >= 0) {
        return best;
    }
    if (sound == 0) {
        return cpu >= 0 ? cpu : last;
    }
    const bool sooner =
        cpu >= 0 && gf_batch_cpu_is_sooner(plan->cpu_ms, plan->gpu_ms, sound, batch->options.runs, ahead);
    return sooner ? cpu : -1;
}

int32_t gf_batch_unit_take(gf_batch *batch, const struct gf_batch_plan *plan)
{
    int32_t unit = -1;
    pthread_mutex_lock(&batch->lock);
    const int32_t ahead = batch->n_hopeful++;
    while (!atomic_load(&batch->cancelled) && (unit = choose(batch, plan, ahead)) < 0) {
        pthread_cond_wait(&batch->room, &batch->lock);
    }
    batch->n_hopeful--;
    if (unit >= 0) {
        batch->units[unit].running++;
    }
    pthread_mutex_unlock(&batch->lock);
    return unit;
}

/* The quickest tells most: another may have loaded kernels, or waited for others. */
static double lately(double before, double now)
{
    return before > 0 && before < now ? before + (now - before) / 8 : now;
}

void gf_batch_unit_leave(gf_batch *batch, int32_t unit, struct gf_batch_plan *plan, double milliseconds,
                         gf_status status)
{
    struct gf_batch_unit *left = &batch->units[unit];
    double *took = left->device < 0 ? &plan->cpu_ms : &plan->gpu_ms;
    pthread_mutex_lock(&batch->lock);
    *took = status == GF_OK ? lately(*took, milliseconds) : *took;
    left->running--;
    left->runs += status == GF_OK;
    left->failed |= status == GF_ERROR_DEVICE && left->device >= 0;
    batch->numbers.on_cpu += status == GF_OK && left->device < 0;
    batch->numbers.on_gpu += status == GF_OK && left->device >= 0;
    pthread_cond_broadcast(&batch->room);
    pthread_mutex_unlock(&batch->lock);
}
