/* Pictures in all kinds of memory, plans, and what the CPU makes of them: for test_transfers and
 * test_flights. */
#ifndef TESTS_EXEC_TRANSFERS_CASE_H
#define TESTS_EXEC_TRANSFERS_CASE_H

#include "check.h"
#include "gpufilter/gpufilter.h"
#include "gpufilter/io.h"
#include "parity.h"

/* A piece of context/pieces.h, and the side of a picture of one byte a pixel that fills it. */
#ifdef GF_EMU
enum { SIDE = 256 };
#else
enum { SIDE = 1024 };
#endif
enum { PIECE = SIDE * SIDE };

/* ---- pictures ---- */

enum memory { PAGEABLE, PINNED, REGISTERED, MEMORIES };

/* Rows `slack` bytes longer than their samples, which nothing may write. */
struct picture {
    gf_image image;
    enum memory memory;
    size_t bytes;
};

static inline bool make_picture(gf_shape shape, int64_t slack, enum memory memory, struct picture *picture)
{
    gf_error error = GF_ERROR_INIT;
    const int64_t row = gf_image_row_bytes(shape.width, shape.channels, shape.depth);
    void *data = NULL;
    *picture = (struct picture){.memory = memory, .bytes = (size_t)((row + slack) * shape.height)};
    if (memory == PINNED) {
        CHECK_EQ_INT(gf_pinned_allocate(0, picture->bytes, &data, &error), GF_OK);
    } else {
        data = malloc(picture->bytes);
    }
    if (memory == REGISTERED && data) {
        CHECK_EQ_INT(gf_memory_pin(0, data, picture->bytes, &error), GF_OK);
    }
    if (data) {
        memset(data, 0x5b, picture->bytes);
    }
    picture->image = gf_image_view(data, shape.width, shape.height, shape.channels, shape.depth, row + slack);
    return data != NULL;
}

static inline void free_picture(struct picture *picture)
{
    if (picture->memory == PINNED) {
        gf_pinned_release(0, picture->image.data);
        return;
    }
    if (picture->memory == REGISTERED && picture->image.data) {
        CHECK_EQ_INT(gf_memory_unpin(0, picture->image.data, NULL), GF_OK);
    }
    free(picture->image.data);
}

/* Another picture for each seed, no two rows alike; f32 stays finite. */
static inline void fill(struct picture *picture, uint32_t seed)
{
    const gf_shape shape = picture->image.shape;
    const int64_t samples = shape.width * shape.channels;
    uint32_t state = seed * 2654435761U + 1;
    for (int64_t y = 0; y < shape.height; y++) {
        char *row = (char *)picture->image.data + y * picture->image.pitch;
        for (int64_t i = 0; i < samples; i++) {
            state = state * 1664525U + 1013904223U;
            const uint16_t half = (uint16_t)(state >> 16);
            const float fraction = (float)(state >> 20) / 4096;
            if (shape.depth == GF_U8) {
                row[i] = (char)(state >> 24);
            } else if (shape.depth == GF_U16) {
                memcpy(row + 2 * i, &half, sizeof half);
            } else {
                memcpy(row + 4 * i, &fraction, sizeof fraction);
            }
        }
    }
}

/* The first byte that differs, in samples or behind them; -1: none. */
static inline int64_t difference(const struct picture *is, const struct picture *right)
{
    const unsigned char *a = is->image.data, *b = right->image.data;
    const gf_shape *s = &is->image.shape;
    const int64_t row = gf_image_row_bytes(s->width, s->channels, s->depth);
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t i = 0; i < is->image.pitch; i++) {
            const unsigned char expected = i < row ? b[y * right->image.pitch + i] : 0x5b;
            if (a[y * is->image.pitch + i] != expected) {
                return y * is->image.pitch + i;
            }
        }
    }
    return -1;
}

/* ---- plans ---- */

struct bound {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
};

static inline gf_status bind(const char *stages, gf_shape shape, gf_device device, int32_t threads,
                             uint64_t limit, struct bound *b)
{
    gf_error error = GF_ERROR_INIT;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    options.threads = threads;
    options.memory_limit = limit;
    *b = (struct bound){0};
    gf_status status = gf_context_create(NULL, &b->context, &error);
    status = status == GF_OK ? gf_pipeline_parse(stages, NULL, 0, &b->pipeline, &error) : status;
    status = status == GF_OK ? gf_plan_create(b->context, b->pipeline, &shape, &options, &b->plan, &error)
                             : status;
    CHECK_MSG(status == GF_OK, "%s: %s", stages, error.message);
    return status;
}

static inline void unbind(struct bound *b)
{
    gf_plan_destroy(&b->plan);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
}

/* Gives what the CPU makes of `in`, and prints the first of its results. */
static inline bool judge(const char *stages, const struct picture *in, struct picture *out, char *text,
                         size_t size)
{
    struct bound b;
    gf_exec *exec = NULL;
    gf_error error = GF_ERROR_INIT;
    size_t length = 0;
    gf_status status = bind(stages, in->image.shape, GF_DEVICE_CPU, 1, 0, &b);
    status = status == GF_OK && make_picture(gf_plan_output(b.plan), 0, PAGEABLE, out)
                 ? gf_exec_create(b.plan, &exec, &error)
                 : GF_ERROR_MEMORY;
    status = status == GF_OK ? gf_exec_run(exec, &in->image, &out->image, &error) : status;
    *text = '\0';
    if (status == GF_OK && gf_exec_result_count(exec) > 0) {
        status = gf_result_print(gf_exec_result(exec, 0), GF_PRINT_JSON, text, size, &length, &error);
    }
    CHECK_MSG(status == GF_OK, "%s on the CPU: %s", stages, error.message);
    gf_exec_destroy(&exec);
    unbind(&b);
    return status == GF_OK;
}

static inline void check_result(const gf_exec *exec, const char *right)
{
    static char text[1 << 16];
    size_t length = 0;
    if (*right) {
        CHECK_EQ_INT(
            gf_result_print(gf_exec_result(exec, 0), GF_PRINT_JSON, text, sizeof text, &length, NULL), GF_OK);
        CHECK_MSG(!strcmp(text, right), "results differ");
    }
}

#endif
