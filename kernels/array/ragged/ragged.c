#include "array/ragged/ragged_call.h"

#include "base/sized.h"

#include <string.h>

#define TYPES                                                                                                \
    (GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_S64) | GF_TYPE_BIT(GF_U64) | GF_TYPES_FLOAT)
#define BLOCK_XY "block-xy=32x32"

static const struct gf_array_variant variants[] = {
    {{"sequential", "the two loops as they stand: the definition", "", .max_n = INT32_MAX, .types = TYPES,
      .deterministic = 1},
     .run = gf_ragged_sequential},
    {{"auto", "as many segments and items a thread", "threads", .max_n = INT32_MAX, .types = TYPES,
      .deterministic = 1},
     .scratch = gf_ragged_cpu_scratch,
     .run = gf_ragged_cpu},
    {{"auto", "a warp takes as many segments and items as any other, found in the sums of the counts", "",
      .max_n = INT32_MAX, .types = TYPES, .cuda = 1, .deterministic = 1},
     .scratch = gf_ragged_cuda_scratch,
     .run = gf_ragged_cuda},
    {{"simple", "a thread for each (ix, iy) of nx times the greatest count", BLOCK_XY, .max_n = INT32_MAX,
      .types = TYPES, .cuda = 1, .loose = 1, .waits = 1},
     .scratch = gf_ragged_simple_cuda_scratch,
     .run = gf_ragged_simple_cuda},
    {{"frame", "counts are sorted, rectangles of one area laid around them, a thread for each (ix, iy)",
      BLOCK_XY " frame-area=4194304", .max_n = INT32_MAX, .types = TYPES, .cuda = 1, .loose = 1},
     .scratch = gf_ragged_frame_cuda_scratch,
     .run = gf_ragged_frame_cuda},
    {{"combined", "\"simple\" below the count of sorted ix alpha * nx, \"frame\" above",
      BLOCK_XY " frame-area=4194304 alpha=0.75", .max_n = INT32_MAX, .types = TYPES, .cuda = 1, .loose = 1},
     .scratch = gf_ragged_combined_cuda_scratch,
     .run = gf_ragged_combined_cuda},
    {{"smart", "\"simple\" where the greatest count is below a threshold for nx, else \"combined\"",
      BLOCK_XY " frame-area=4194304 alpha=0.75 ny-th", .max_n = INT32_MAX, .types = TYPES, .cuda = 1,
      .loose = 1, .waits = 1},
     .scratch = gf_ragged_smart_cuda_scratch,
     .run = gf_ragged_smart_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_ragged = {
    {"ragged", "a loop in a loop of any length: sums, segments, runs, or a body of one's own"}, variants};

/* ---- Options ------------------------------------------------------------------------------------------- */

static gf_status check_shape(const gf_ragged_options *o, gf_error *error)
{
    if (o->frame_area < 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ragged: frame_area is %lld, must be at least 1, or 0",
                       (long long)o->frame_area);
    }
    if (!(o->alpha > 0) || o->alpha > 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ragged: alpha is %g, must be above 0 and at most 1, or 0",
                       o->alpha);
    }
    if (o->block_x < 1 || o->block_y < 1 || o->block_x > 1024 || o->block_y > 1024 ||
        o->block_x * o->block_y > 1024) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "ragged: the block is %d x %d, must be at least 1 x 1 and 1024 threads at most",
                       o->block_x, o->block_y);
    }
    if (o->thresholds < 0 || (o->thresholds > 0 && !o->threshold)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ragged: thresholds is %d%s", o->thresholds,
                       o->thresholds < 0 ? ", must not be negative" : ", and threshold is NULL");
    }
    for (int32_t i = 1; i < o->thresholds; i++) {
        if (o->threshold[i].nx <= o->threshold[i - 1].nx) {
            return gf_fail(error, GF_ERROR_ARGUMENT,
                           "ragged: threshold %d is for nx %lld, which does not ascend", i,
                           (long long)o->threshold[i].nx);
        }
    }
    return GF_OK;
}

static gf_status check_body(const gf_ragged_options *o, gf_error *error)
{
    if ((unsigned)o->body > GF_RAGGED_DECODE) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ragged: body is %d, must be 0 to %d", (int)o->body,
                       GF_RAGGED_DECODE);
    }
    return GF_OK;
}

/* `own`: the body is the caller's. */
static gf_status describe(gf_queue queue, const gf_ragged_options *options, bool own, int64_t nx,
                          struct gf_ragged_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_ragged_options, threshold, o, GF_RAGGED_OPTIONS_INIT, options, error);
    o.frame_area = o.frame_area ? o.frame_area : INT64_C(1) << 22;
    o.alpha = o.alpha != 0 ? o.alpha : 0.75;
    o.block_x = o.block_x ? o.block_x : 32;
    o.block_y = o.block_y ? o.block_y : o.block_x <= 32 ? 32 : 1024 / o.block_x;
    GF_TRY(check_shape(&o, error));
    if (own) {
        o.body = GF_RAGGED_SUM;
        o.array.type = GF_S64;
    }
    GF_TRY(check_body(&o, error));
    *call = (struct gf_ragged_call){.array = {.queue = queue, .options = o.array, .n = nx}, .options = o};
    return GF_OK;
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

static gf_status describe_items(gf_queue queue, const gf_ragged_options *options, int64_t nx, int64_t items,
                                struct gf_ragged_call *call, gf_error *error)
{
    GF_TRY(describe(queue, options, false, nx, call, error));
    if (items < 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ragged: items is %lld, must be at least 0",
                       (long long)items);
    }
    call->items = call->options.body == GF_RAGGED_SUM ? INT64_MAX : items;
    call->places = call->options.body != GF_RAGGED_SUM;
    return GF_OK;
}

gf_status gf_ragged_scratch(gf_device device, const gf_ragged_options *options, int64_t nx, int64_t items,
                            size_t *bytes, gf_error *error)
{
    struct gf_ragged_call call;
    GF_TRY(describe_items((gf_queue){device, NULL}, options, nx, items, &call, error));
    call.places = 1; /* as a total may be asked for */
    return gf_array_scratch(&gf_primitive_ragged, &call.array, bytes, error);
}

gf_status gf_ragged(gf_queue queue, const gf_ragged_options *options, const int32_t *counts, int64_t nx,
                    const void *values, void *out, uint32_t *iy_out, int64_t items, int64_t *total,
                    void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_ragged_call call;
    GF_TRY(describe_items(queue, options, nx, items, &call, error));
    const gf_ragged_body body = call.options.body;
    const gf_depth type = call.options.array.type;
    const bool folds = gf_ragged_is_fold(body), expands = body == GF_RAGGED_EXPAND;
    const int64_t read = body == GF_RAGGED_DECODE ? nx : gf_ragged_is_segment(body) ? items : 0;
    values = read > 0 ? values : NULL; /* no others are looked at */
    iy_out = expands ? iy_out : NULL;
    call.array.in = counts;
    call.array.out = out;
    call.values = values;
    call.iy_out = iy_out;
    call.total = total;
    call.places = call.places || total;
    const struct gf_array_operand operands[] = {
        {"the array of counts", counts, nx, sizeof *counts},
        {"the array of values", values, read, gf_depth_size(type)},
        {"the output", out, folds ? nx : items, gf_depth_size(gf_ragged_result(body, type))},
        {"the output of iy", iy_out, expands ? items : 0, sizeof *iy_out},
        {"the total", total, 0, sizeof *total},
        {0},
    };
    return gf_array_run(&gf_primitive_ragged, &call.array, operands, scratch, scratch_bytes, error);
}

/* ---- Bodies of one's own ------------------------------------------------------------------------------- */

static gf_status describe_own(gf_queue queue, const gf_ragged_options *options, int64_t nx, int32_t places,
                              struct gf_ragged_call *call, gf_error *error)
{
    GF_TRY(describe(queue, options, true, nx, call, error));
    if (queue.device == GF_DEVICE_CPU) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED,
                       "ragged: a body of one's own runs on a CUDA device, not on the CPU");
    }
    call->places = places != 0;
    return GF_OK;
}

gf_status gf_ragged_begin_scratch(gf_device device, const gf_ragged_options *options, int64_t nx,
                                  int32_t places, size_t *bytes, gf_error *error)
{
    struct gf_ragged_call call;
    gf_ragged_loop loop = GF_RAGGED_LOOP_INIT;
    GF_TRY(describe_own((gf_queue){device, NULL}, options, nx, places, &call, error));
    call.loop = &loop;
    return gf_array_scratch(&gf_primitive_ragged, &call.array, bytes, error);
}

gf_status gf_ragged_begin(gf_queue queue, const gf_ragged_options *options, const int32_t *counts, int64_t nx,
                          int32_t places, gf_ragged_loop *loop, void *scratch, size_t scratch_bytes,
                          gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_ragged_loop, found);
    struct gf_ragged_call call;
    gf_ragged_loop made = GF_RAGGED_LOOP_INIT;
    GF_TRY(gf_struct_check(&sized, loop, error));
    GF_TRY(describe_own(queue, options, nx, places, &call, error));
    call.array.in = counts;
    call.loop = &made;
    const struct gf_array_operand operands[] = {
        {"the array of counts", counts, nx, sizeof *counts},
        {0},
    };
    GF_TRY(gf_array_run(&gf_primitive_ragged, &call.array, operands, scratch, scratch_bytes, error));
    return gf_struct_out(&sized, loop, &made, error);
}
