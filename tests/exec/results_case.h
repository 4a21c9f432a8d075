/* Stages with results that can be wrong, and a run of one. */
#ifndef RESULTS_CASE_H
#define RESULTS_CASE_H

#include "check.h"
#include "gpufilter/gpufilter.h"

#include <math.h>

enum { WIDTH = 24, HEIGHT = 9 };

struct measured {
    gf_context *context;
    gf_pipeline *pipeline;
    gf_plan *plan;
    gf_exec *exec;
    gf_error error;
};

/* A stage whose result cannot be made. */
static void make_no_field(const gf_measured *measured, gf_result_builder *builder)
{
    (void)measured;
    gf_result_u64(builder, NULL, 1, 1);
}

static void lower_unmade(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, make_no_field);
}

static const gf_stage_type unmade = {.struct_size = sizeof unmade,
                                     .name = "unmade",
                                     .group = "test",
                                     .summary = "",
                                     .formula = "",
                                     .flags = GF_STAGE_MEASURE,
                                     .lower = lower_unmade};

/* A stage that is wrong: its result is one number, and another time many. */
static int64_t numbers_made;

static void make_some(const gf_measured *measured, gf_result_builder *builder)
{
    (void)measured;
    gf_result_f64(builder, "some", 1, numbers_made);
    numbers_made = 1;
}

static void lower_unsteady(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, make_some);
}

static const gf_stage_type unsteady = {.struct_size = sizeof unsteady,
                                       .name = "unsteady",
                                       .group = "test",
                                       .summary = "",
                                       .formula = "",
                                       .flags = GF_STAGE_MEASURE,
                                       .lower = lower_unsteady};

/* A stage that finds rows: as many as its parameter says, in every depth that a column may have. */
struct finder {
    int64_t rows;
    int32_t wrong;
};

enum { RIGHT, NO_TABLE, NO_NAME, EMPTY_PART, WRONG_DEPTH, UNSTEADY };

static void find_rows(const gf_measured *measured, gf_result_builder *builder)
{
    const struct finder *finder = measured->params;
    int64_t rows = finder->wrong == UNSTEADY ? numbers_made++ : finder->rows;
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    if (finder->wrong != NO_TABLE) {
        gf_result_begin_table(builder, finder->wrong == NO_NAME ? NULL : "finds", rows);
    }
    gf_depth depth = finder->wrong == WRONG_DEPTH ? GF_U8 : GF_U32;
    uint32_t *box = gf_result_column(builder, "box", finder->wrong == EMPTY_PART ? "x||w" : "x|y|w", depth);
    uint64_t *area = gf_result_column(builder, "area", NULL, GF_U64);
    float *value = gf_result_column(builder, "value", NULL, GF_F32);
    double *mean = gf_result_column(builder, "mean", "a", GF_F64);
    if (!count || !box || !area || !value || !mean) {
        return;
    }
    *count = (uint64_t)rows;
    for (int64_t i = 0; i < rows; i++) {
        for (int k = 0; k < 3; k++) {
            box[3 * i + k] = (uint32_t)(4000000000u + 10 * (uint64_t)i + (uint64_t)k);
        }
        area[i] = UINT64_MAX - (uint64_t)i;
        value[i] = (float)i - 0.5F;
        mean[i] = i == 1 ? (double)NAN : -1e-3 * (double)i;
    }
    gf_result_begin_table(builder, "none", 0);
}

static void lower_finder(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id picture = gf_lower_input(l), sums = gf_lower_stats(l, picture);
    gf_lower_result(l, picture, &sums, 1, find_rows);
}

static const gf_param finder_params[] = {{.name = "rows",
                                          .type = GF_PARAM_INT,
                                          .offset = offsetof(struct finder, rows),
                                          .text = "2",
                                          .max = 1000,
                                          .help = "",
                                          .positional = 1},
                                         {.name = "wrong",
                                          .type = GF_PARAM_CHOICE,
                                          .offset = offsetof(struct finder, wrong),
                                          .text = "no",
                                          .choices = "no|table|name|part|depth|steady",
                                          .help = ""},
                                         {0}};

static const gf_stage_type finder = {.struct_size = sizeof finder,
                                     .name = "finder",
                                     .group = "test",
                                     .summary = "",
                                     .formula = "",
                                     .params = finder_params,
                                     .params_size = sizeof(struct finder),
                                     .flags = GF_STAGE_MEASURE,
                                     .lower = lower_finder};
static const gf_stage_type *const known[] = {&unmade, &unsteady, &finder};

static inline gf_status measure(struct measured *m, const char *text)
{
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    for (int i = 0; i < 3 * WIDTH * HEIGHT; i++) {
        pixels[i] = (uint8_t)(i % 3 == 1 ? 7 : i * 5);
    }
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 3, GF_U8, 0);
    gf_status status;
    *m = (struct measured){.error = GF_ERROR_INIT};
    (void)((status = gf_context_create(NULL, &m->context, &m->error)) == GF_OK &&
           (status = gf_pipeline_parse(text, known, 3, &m->pipeline, &m->error)) == GF_OK &&
           (status = gf_plan_create(m->context, m->pipeline, &in.shape, NULL, &m->plan, &m->error)) ==
               GF_OK &&
           (status = gf_exec_create(m->plan, &m->exec, &m->error)) == GF_OK &&
           (status = gf_exec_run(m->exec, &in, NULL, &m->error)) == GF_OK);
    return status;
}

static inline void close_measured(struct measured *m)
{
    gf_exec_destroy(&m->exec);
    gf_plan_destroy(&m->plan);
    gf_pipeline_destroy(&m->pipeline);
    gf_context_destroy(&m->context);
}

#endif
