/* Verification: the same pipeline on another backend, compared bit for bit. */
#include "exec/exec.h"

#include "base/sized.h"
#include "lang/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One way to run the pipeline's first stages on some device. */
struct side {
    gf_plan *plan;
    gf_exec *exec;
    gf_image out; /* data owned */
};

static void close_side(struct side *side)
{
    gf_exec_destroy(&side->exec);
    gf_plan_destroy(&side->plan);
    free(side->out.data);
    side->out.data = NULL;
}

static gf_status run_side(const gf_exec *like, int32_t n_stages, gf_device device, const gf_image *in,
                          struct side *side, gf_error *error)
{
    gf_plan_options options = like->plan->options;
    options.device = device;
    options.memory_limit = 0;
    GF_TRY(gf_plan_create_like(like->plan, n_stages, &options, &side->plan, error));
    GF_TRY(gf_exec_create(side->plan, &side->exec, error));
    gf_exec_share_inputs(like, side->exec);
    gf_shape shape = gf_plan_output(side->plan);
    int64_t pitch = shape.width * shape.channels * (int64_t)gf_depth_size(shape.depth);
    side->out = (gf_image){.struct_size = sizeof side->out,
                           .shape = shape,
                           .pitch = pitch,
                           .data = malloc((size_t)pitch * (size_t)shape.height),
                           .device = GF_DEVICE_CPU};
    if (!side->out.data) {
        return gf_fail(error, GF_ERROR_MEMORY, "out of memory for verification");
    }
    return gf_exec_run(side->exec, in, &side->out, error);
}

/* ---- comparing ---- */

static double number_at(const void *values, gf_depth depth, int64_t i)
{
    switch (depth) {
    case GF_U8:
        return ((const uint8_t *)values)[i];
    case GF_U16:
        return ((const uint16_t *)values)[i];
    case GF_U32:
        return ((const uint32_t *)values)[i];
    case GF_U64:
        return (double)((const uint64_t *)values)[i];
    case GF_F64:
        return ((const double *)values)[i];
    default:
        return (double)((const float *)values)[i];
    }
}

static double sample_at(const gf_image *image, int64_t y, int64_t i)
{
    return number_at((const char *)image->data + y * image->pitch, image->shape.depth, i);
}

/* A stage of the caller may be lowered differently each time. */
static bool differ_in_shape(const gf_shape *expected, const gf_shape *got)
{
    return expected->width != got->width || expected->height != got->height ||
           expected->channels != got->channels || expected->depth != got->depth;
}

static void compare_pictures(const gf_image *expected, const gf_image *got, gf_mismatch *mismatch)
{
    if (differ_in_shape(&expected->shape, &got->shape)) {
        if (!mismatch->count++) {
            snprintf(mismatch->what, sizeof mismatch->what, "shape");
        }
        return;
    }
    int64_t samples = expected->shape.width * expected->shape.channels;
    size_t size = gf_depth_size(expected->shape.depth);
    for (int64_t y = 0; y < expected->shape.height; y++) {
        const char *a = (const char *)expected->data + y * expected->pitch;
        const char *b = (const char *)got->data + y * got->pitch;
        if (!memcmp(a, b, (size_t)samples * size)) {
            continue;
        }
        for (int64_t i = 0; i < samples; i++) {
            if (!memcmp(a + (size_t)i * size, b + (size_t)i * size, size)) {
                continue;
            }
            if (!mismatch->count++) {
                snprintf(mismatch->what, sizeof mismatch->what, "picture");
                mismatch->x = i / expected->shape.channels;
                mismatch->y = y;
                mismatch->channel = (int32_t)(i % expected->shape.channels);
                mismatch->expected = sample_at(expected, y, i);
                mismatch->got = sample_at(got, y, i);
            }
        }
    }
}

/* Counts a difference of a result; the first is kept. */
static void differ(gf_mismatch *mismatch, const gf_result *result, const char *what, int32_t channel,
                   double expected, double got)
{
    if (!mismatch->count++) {
        snprintf(mismatch->what, sizeof mismatch->what, "%s", what);
        mismatch->stage = result->index;
        mismatch->channel = channel;
        mismatch->expected = expected;
        mismatch->got = got;
    }
}

static void compare_fields(const gf_field *expected, const gf_field *got, const gf_result *result,
                           gf_mismatch *mismatch)
{
    int64_t n = got->channels * got->count, wanted = expected->channels * expected->count;
    if (n != wanted || got->depth != expected->depth) { /* of a stage of the caller that is not steady */
        differ(mismatch, result, got->name, 0, (double)wanted, (double)n);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        const char *a = (const char *)expected->values + i * 8, *b = (const char *)got->values + i * 8;
        if (memcmp(a, b, 8) != 0) {
            differ(mismatch, result, got->name, (int32_t)(i / got->count),
                   number_at(expected->values, expected->depth, i), number_at(got->values, got->depth, i));
        }
    }
}

/* A table of another form counts as one difference: more or fewer rows, or a stage of the caller that is not
 * steady. */
static void compare_tables(const gf_table *expected, const gf_table *got, const gf_result *result,
                           gf_mismatch *mismatch)
{
    if (expected->rows != got->rows || expected->n_columns != got->n_columns) {
        differ(mismatch, result, got->name, 0, (double)expected->rows, (double)got->rows);
        return;
    }
    for (int32_t c = 0; c < got->n_columns; c++) {
        const gf_column *a = &expected->columns[c], *b = &got->columns[c];
        size_t size = gf_depth_size(b->depth);
        if (a->depth != b->depth || a->count != b->count) {
            differ(mismatch, result, b->name, 0, a->count, b->count);
            continue;
        }
        for (int64_t i = 0; i < got->rows * b->count; i++) {
            const char *x = (const char *)a->values + (size_t)i * size,
                       *y = (const char *)b->values + (size_t)i * size;
            if (memcmp(x, y, size) != 0) {
                differ(mismatch, result, b->name, 0, number_at(a->values, a->depth, i),
                       number_at(b->values, b->depth, i));
            }
        }
    }
}

static void compare_results(const gf_exec *expected, const gf_exec *got, gf_mismatch *mismatch)
{
    if (expected->n_results != got->n_results) {
        if (!mismatch->count++) {
            snprintf(mismatch->what, sizeof mismatch->what, "number of results");
            mismatch->expected = expected->n_results;
            mismatch->got = got->n_results;
        }
        return;
    }
    for (int32_t r = 0; r < got->n_results; r++) {
        const gf_result *a = &expected->results[r].result, *b = &got->results[r].result;
        if (a->n_fields != b->n_fields) {
            differ(mismatch, b, "number of fields", 0, a->n_fields, b->n_fields);
            continue;
        }
        for (int32_t f = 0; f < b->n_fields; f++) {
            compare_fields(&a->fields[f], &b->fields[f], b, mismatch);
        }
        if (a->n_tables != b->n_tables) {
            differ(mismatch, b, "number of tables", 0, (double)a->n_tables, (double)b->n_tables);
            continue;
        }
        for (int64_t t = 0; t < b->n_tables; t++) {
            compare_tables(&a->tables[t], &b->tables[t], b, mismatch);
        }
    }
}

/* The first stage after which the two devices disagree, with its first difference. Not seen again, or a
 * device failed meanwhile: that they differ stands, so it says the last stage and keeps the place. */
static void find_stage(const gf_exec *like, const gf_image *in, gf_device judge, gf_mismatch *mismatch)
{
    const gf_plan *plan = like->plan;
    gf_status status = GF_OK;
    for (int32_t n = 1; n <= plan->n_stages && status == GF_OK; n++) {
        struct side expected = {0}, got = {0};
        gf_mismatch here = {.struct_size = sizeof here, .stage = -1};
        status = run_side(like, n, judge, in, &expected, NULL);
        if (status == GF_OK) {
            status = run_side(like, n, plan->device, in, &got, NULL);
        }
        if (status == GF_OK) {
            compare_results(expected.exec, got.exec, &here);
            compare_pictures(&expected.out, &got.out, &here);
        }
        close_side(&expected);
        close_side(&got);
        if (here.count) {
            here.stage = n - 1;
            *mismatch = here;
            return;
        }
    }
    mismatch->stage = plan->n_stages - 1;
}

gf_device gf_verify_judge(const gf_plan *plan)
{
    if (!plan) {
        return GF_DEVICE_AUTO;
    }
    if (plan->device != GF_DEVICE_CPU) {
        return GF_DEVICE_CPU;
    }
    return gf_context_lists_gpu(plan->context) ? 0 : GF_DEVICE_REFERENCE;
}

static gf_status fail_mismatch(const gf_mismatch *mismatch, gf_error *error)
{
    gf_fail(error, GF_ERROR_MISMATCH,
            "verification failed: stage %d '%s', %s at x %lld y %lld channel %d: expected %.9g, "
            "got %.9g (%llu differ)",
            mismatch->stage + 1, mismatch->stage_name, mismatch->what, (long long)mismatch->x,
            (long long)mismatch->y, mismatch->channel, mismatch->expected, mismatch->got,
            (unsigned long long)mismatch->count);
    gf_error_stage(error, mismatch->stage);
    return GF_ERROR_MISMATCH;
}

/* *found: no difference, or the first. */
static gf_status compare(gf_exec *exec, const struct gf_views *views, gf_device judge, gf_mismatch *found,
                         gf_error *error)
{
    const gf_plan *plan = exec->plan;
    judge = judge == GF_DEVICE_AUTO ? gf_verify_judge(plan) : judge;
    struct side expected = {0};
    gf_status status = run_side(exec, plan->n_stages, judge, &views->in, &expected, error);
    if (status == GF_OK) {
        compare_results(expected.exec, exec, found);
        if (views->out.data) {
            compare_pictures(&expected.out, &views->out, found);
        }
    }
    close_side(&expected);
    if (status == GF_OK && found->count) {
        find_stage(exec, &views->in, judge, found);
        const gf_stage_type *type = found->stage >= 0 ? plan->pipeline->nodes[found->stage].type : NULL;
        snprintf(found->stage_name, sizeof found->stage_name, "%s", type ? type->name : "");
    }
    return status;
}

gf_status gf_verify(gf_exec *exec, const gf_image *in, const gf_image *out, gf_device judge,
                    gf_mismatch *mismatch, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_mismatch, count);
    struct gf_views views;
    if (!exec || exec->pending) {
        return gf_fail(error, GF_ERROR_ARGUMENT, exec ? "the exec has work under way" : "exec is NULL");
    }
    GF_TRY(gf_struct_check(&sized, mismatch, error));
    GF_TRY(gf_exec_take_images(exec, in, out, &views, error));
    GF_TRY(gf_exec_check_inputs(exec, NULL, error));
    bool on_device = views.in.device >= 0 || views.out.device >= 0;
    for (int32_t i = 1; i < exec->plan->n_inputs; i++) {
        on_device = on_device || exec->inputs[i].device >= 0;
    }
    if (on_device) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "verification needs host pictures");
    }
    if (exec->n_results < gf_plan_result_count(exec->plan)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "there are no results to verify: the exec has not run, or its last run failed");
    }
    gf_mismatch found = {.struct_size = sizeof found, .stage = -1};
    GF_TRY(compare(exec, &views, judge, &found, error));
    GF_TRY(gf_struct_out(&sized, mismatch, &found, error));
    return found.count ? fail_mismatch(&found, error) : GF_OK;
}
