/* batch_case.h: items of a batch whose samples are drawn, and what each must come to. */
#ifndef BATCH_CASE_H
#define BATCH_CASE_H

#include "check.h"
#include "gpufilter/gpufilter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_ITEMS = 200, MOST_BYTES = 1 << 16 };

__attribute__((constructor)) static void two_devices(void)
{
    setenv("GF_EMU_DEVICES", "2", 0);
}

/* A picture on its way: its rows, what came out, and in which order its functions were called. */
struct item {
    gf_shape shape;
    uint64_t seed;
    int64_t row, written; /* that are read and taken so far */
    uint8_t *made;
    gf_shape made_shape;
    double mean;
    char calls[16];
    gf_status fails_with; /* in the function whose letter is fails_in */
    char fails_in;
    int32_t whole_in, whole_out; /* rows come, or are taken, all at once */
    uint64_t held;               /* as its source says */
    gf_batch_outcome outcome;
    gf_error error;
    atomic_int ended;
};

static struct item items[MOST_ITEMS];
static gf_context *context;
static gf_error error;

static void open_context(void)
{
    error = (gf_error)GF_ERROR_INIT;
    if (gf_context_create(NULL, &context, &error) != GF_OK) {
        abort();
    }
}

/* ---- the functions of an item ---- */

static uint8_t sample(uint64_t seed, int64_t at)
{
    uint64_t mix = (seed + (uint64_t)at) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint8_t)(mix >> 56);
}

static int64_t row_bytes(gf_shape shape)
{
    return gf_image_row_bytes(shape.width, shape.channels, shape.depth);
}

static gf_status call(struct item *item, char letter, gf_error *e)
{
    static pthread_mutex_t lock =
        PTHREAD_MUTEX_INITIALIZER; /* in bands rows are read while others are written */
    pthread_mutex_lock(&lock);
    size_t length = strlen(item->calls);
    if ((length == 0 || item->calls[length - 1] != letter) && length + 1 < sizeof item->calls) {
        item->calls[length] = letter;
    }
    pthread_mutex_unlock(&lock);
    if (item->fails_in == letter) {
        snprintf(e->message, sizeof e->message, "it was told to fail in %c", letter);
        return item->fails_with;
    }
    return GF_OK;
}

static gf_status rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *e)
{
    struct item *item = user;
    int64_t row = row_bytes(item->shape);
    for (int64_t y = 0; y < count; y++, item->row++) {
        for (int64_t i = 0; i < row; i++) {
            ((uint8_t *)data)[y * pitch + i] = sample(item->seed, item->row * row + i);
        }
    }
    return call(item, 'r', e);
}

static gf_status again(void *user, gf_error *e)
{
    (void)e;
    ((struct item *)user)->row = 0;
    return GF_OK;
}

static gf_status open_item(void *user, gf_source *source, gf_error *e)
{
    struct item *item = user;
    *source = (gf_source){sizeof *source, item->whole_in, item->shape, rows, again, item, item->held};
    return call(item, 'o', e);
}

static gf_status take(void *user, const void *data, int64_t pitch, int64_t count, gf_error *e)
{
    struct item *item = user;
    int64_t row = row_bytes(item->made_shape);
    for (int64_t y = 0; y < count; y++, item->written++) {
        memcpy(item->made + item->written * row, (const uint8_t *)data + y * pitch, (size_t)row);
    }
    return call(item, 't', e);
}

static gf_status open_output(void *user, const gf_plan *plan, gf_sink *sink, gf_error *e)
{
    struct item *item = user;
    item->made_shape = gf_plan_output(plan);
    item->made = malloc((size_t)(row_bytes(item->made_shape) * item->made_shape.height));
    *sink = (gf_sink){sizeof *sink, item->whole_out, take, item};
    return item->made ? call(item, 'w', e) : GF_ERROR_MEMORY;
}

static gf_status done(void *user, gf_exec *exec, gf_error *e)
{
    struct item *item = user;
    const gf_result *result = gf_exec_result_named(exec, "stats");
    if (result) {
        gf_result_number(result, "mean", 0, &item->mean, NULL);
    }
    return call(item, 'd', e);
}

static void end(void *user, const gf_batch_outcome *outcome)
{
    struct item *item = user;
    gf_error none = GF_ERROR_INIT;
    item->fails_in = 0;
    call(item, 'e', &none);
    item->outcome = *outcome;
    item->error = *outcome->error;
    atomic_fetch_add(&item->ended, 1);
}

/* ---- batches ---- */

static void set_items(int n, gf_shape shape)
{
    for (int i = 0; i < n; i++) {
        free(items[i].made);
        memset(&items[i], 0, sizeof items[i]);
        items[i].shape = shape;
        items[i].shape.width += i % 3;
        items[i].seed = (uint64_t)i * 1000;
    }
}

static inline gf_status add(gf_batch *batch, struct item *item)
{
    gf_batch_item made = GF_BATCH_ITEM_INIT;
    made.open = open_item;
    made.output = open_output;
    made.done = done;
    made.end = end;
    made.user = item;
    return gf_batch_add(batch, &made, &error);
}

static gf_batch *make_batch(const char *stages, const gf_batch_options *options)
{
    gf_pipeline *pipeline = NULL;
    gf_batch *batch = NULL;
    gf_status status = gf_pipeline_parse(stages, NULL, 0, &pipeline, &error);
    status = status == GF_OK ? gf_batch_create(context, pipeline, options, &batch, &error) : status;
    gf_pipeline_destroy(&pipeline);
    CHECK_MSG(status == GF_OK, "%s: %s", stages, error.message);
    return batch;
}

/* The same by a plan and an exec of its own. */
static void check_item(const char *stages, const struct item *item)
{
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = 1;
    CHECK_MSG(item->outcome.status == GF_OK, "%s", item->error.message);
    int64_t row = row_bytes(item->shape);
    uint8_t *pixels = malloc((size_t)(row * item->shape.height)), *made = malloc(MOST_BYTES * 16);
    for (int64_t i = 0; i < row * item->shape.height; i++) {
        pixels[i] = sample(item->seed, i);
    }
    gf_image in = gf_image_view(pixels, item->shape.width, item->shape.height, item->shape.channels,
                                item->shape.depth, 0);
    if (gf_pipeline_parse(stages, NULL, 0, &pipeline, &error) == GF_OK &&
        gf_plan_create(context, pipeline, &item->shape, &options, &plan, &error) == GF_OK &&
        gf_exec_create(plan, &exec, &error) == GF_OK) {
        gf_shape shape = gf_plan_output(plan);
        gf_image out = gf_image_view(made, shape.width, shape.height, shape.channels, shape.depth, 0);
        double mean = 0;
        CHECK_MSG(gf_exec_run(exec, &in, gf_plan_measures_only(plan) ? NULL : &out, &error) == GF_OK, "%s",
                  error.message);
        const uint8_t *expected = gf_plan_measures_only(plan) ? pixels : made;
        size_t bytes = (size_t)(row_bytes(shape) * shape.height);
        CHECK_MSG(item->made && !memcmp(item->made, expected, bytes), "%s: other pixels", stages);
        if (gf_exec_result_named(exec, "stats")) {
            gf_result_number(gf_exec_result_named(exec, "stats"), "mean", 0, &mean, NULL);
        }
        CHECK_MSG(mean == item->mean, "%s: mean %g, expected %g", stages, item->mean, mean);
    } else {
        CHECK_MSG(0, "%s: %s", stages, error.message);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    free(pixels);
    free(made);
}

static gf_batch_numbers numbers_of(gf_batch *batch)
{
    gf_batch_numbers numbers = {.struct_size = sizeof numbers};
    CHECK(gf_batch_stats(batch, &numbers) == GF_OK);
    return numbers;
}

#endif
