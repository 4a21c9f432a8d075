/* A text and a random picture, to be run at once and in bands: what the tests of streams have in common. */
#ifndef STREAM_BENCH_H
#define STREAM_BENCH_H

#include "check.h"
#include "image_rows.h"
#include "plan_cases.h"

#include <stdlib.h>

/* ---- a stage of one's own: the least and the greatest sample, f32 ---- */

static inline void extent_finish(const gf_measured *m, gf_result_builder *builder)
{
    double *extent = gf_result_f64(builder, "extent", 1, 2);
    for (int i = 0; extent && i < 2; i++) {
        extent[i] = ((const float *)m->blocks[0])[i];
    }
}

static inline void extent_lower(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l), range = gf_lower_range(l, v);
    gf_lower_result(l, v, &range, 1, extent_finish);
}

static const gf_stage_type extent = {.struct_size = sizeof extent,
                                     .name = "extent",
                                     .group = "own",
                                     .summary = "the least and the greatest sample",
                                     .formula = "",
                                     .flags = GF_STAGE_MEASURE,
                                     .lower = extent_lower};
static const gf_stage_type *const own_stages[] = {&extent};

/* ---- one text, one picture, run at once and streamed ---- */

struct bench {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan, *whole;
    gf_exec *exec, *judge;
    gf_image in, out, expected; /* data owned */
    gf_error error;
};

static inline gf_image make_image(gf_shape shape)
{
    int64_t pitch = shape.width * shape.channels * (int64_t)gf_depth_size(shape.depth);
    gf_image image = {sizeof image, shape, pitch, NULL, GF_DEVICE_CPU};
    image.data = calloc(1, (size_t)(pitch * shape.height));
    return image;
}

static inline gf_status plan_with(struct bench *b, gf_plan_options options, gf_plan **plan)
{
    return gf_plan_create(b->context, b->pipeline, &b->in.shape, &options, plan, &b->error);
}

/* The picture is random; a plan of the options, and one for the whole. */
static inline gf_status open_bench_of(struct bench *b, const char *text, gf_shape shape,
                                      gf_plan_options options, const gf_stage_type *const *types,
                                      int32_t n_types)
{
    *b = (struct bench){.error = GF_ERROR_INIT};
    struct plan_random random;
    plan_random_seed(&random, (uint64_t)shape.height, 3);
    b->in = make_image(shape);
    plan_random_picture(&random, PLAN_NOISE, false, &b->in);
    gf_plan_options whole = options;
    whole.stream_rows = 0;
    whole.memory_limit = 0;
    gf_status status = gf_context_create(NULL, &b->context, &b->error);
    status = status == GF_OK ? gf_pipeline_parse(text, types, n_types, &b->pipeline, &b->error) : status;
    status = status == GF_OK ? plan_with(b, options, &b->plan) : status;
    status = status == GF_OK ? plan_with(b, whole, &b->whole) : status;
    status = status == GF_OK ? gf_exec_create(b->plan, &b->exec, &b->error) : status;
    status = status == GF_OK ? gf_exec_create(b->whole, &b->judge, &b->error) : status;
    if (status == GF_OK) {
        b->out = make_image(gf_plan_output(b->plan));
        b->expected = make_image(gf_plan_output(b->plan));
        status = gf_exec_run(b->judge, &b->in, &b->expected, &b->error);
    }
    return status;
}

static inline gf_status open_bench(struct bench *b, const char *text, gf_shape shape, gf_plan_options options)
{
    return open_bench_of(b, text, shape, options, own_stages, 1);
}

static inline void close_bench(struct bench *b)
{
    gf_exec_destroy(&b->exec);
    gf_exec_destroy(&b->judge);
    gf_plan_destroy(&b->plan);
    gf_plan_destroy(&b->whole);
    gf_pipeline_destroy(&b->pipeline);
    gf_context_destroy(&b->context);
    free(b->in.data);
    free(b->out.data);
    free(b->expected.data);
}

static inline gf_plan_options streamed(int64_t rows)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.threads = 2;
    options.stream_rows = rows;
    return options;
}

static inline gf_band_info bands_of(const gf_plan *plan)
{
    gf_band_info info = {.struct_size = sizeof info};
    CHECK_EQ_INT(gf_plan_bands(plan, &info), GF_OK);
    return info;
}

static inline void check_same(struct bench *b, const char *what)
{
    size_t bytes = (size_t)(b->out.pitch * b->out.shape.height);
    check_that(!memcmp(b->out.data, b->expected.data, bytes), __FILE__, __LINE__, "%s: another picture",
               what);
    CHECK_EQ_INT(gf_exec_result_count(b->exec), gf_exec_result_count(b->judge));
    for (int32_t r = 0; r < gf_exec_result_count(b->judge); r++) {
        const gf_result *p = gf_exec_result(b->judge, r), *q = gf_exec_result(b->exec, r);
        for (int32_t f = 0; q && f < p->n_fields; f++) {
            size_t n = (size_t)(p->fields[f].channels * p->fields[f].count);
            check_that(!memcmp(p->fields[f].values, q->fields[f].values, n * 8), __FILE__, __LINE__,
                       "%s: another %s.%s", what, p->stage, p->fields[f].name);
        }
        for (int32_t c = 0; q && p->n_tables && c < p->tables[0].n_columns; c++) {
            const gf_column *column = &p->tables[0].columns[c], *other = &q->tables[0].columns[c];
            size_t n = (size_t)(p->tables[0].rows * column->count) * gf_depth_size(column->depth);
            check_that(p->tables[0].rows == q->tables[0].rows && !memcmp(column->values, other->values, n),
                       __FILE__, __LINE__, "%s: another %s.%s", what, p->stage, column->name);
        }
    }
}

#endif
