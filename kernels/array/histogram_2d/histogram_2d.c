#include "array/histogram_2d/histogram_2d_call.h"

#include "array/histogram/histogram_call.h"
#include "base/sized.h"

#include <stdbool.h>

#define MOST_PAIRS (INT64_C(1) << 36) /* blocks of 32 threads in one grid */

static const struct gf_array_variant variants[] = {
    {{"sequential", "one pair after the other: the definition", "", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .run = gf_histogram_2d_sequential},
    {{"auto", "bins in vectors, a table of each thread's own", "threads", .types = GF_TYPES_ALL,
      .deterministic = 1},
     .scratch = gf_histogram_2d_cpu_scratch,
     .run = gf_histogram_2d_cpu},
    {{"auto", "a table in each block's shared memory where it fits, else in global memory", "",
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .run = gf_histogram_2d_cuda},
    {{"naive", "every pair adds to a cell in global memory", "block=256", .max_n = MOST_PAIRS,
      .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .run = gf_histogram_2d_naive_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_histogram_2d = {
    {"histogram_2d", "pairs counted in a table, or their weights added up; weighted histograms"},
    variants,
};

static gf_status take_axis(const char *name, const gf_histogram_axis *given, gf_depth *type,
                           struct gf_histogram_bins *bins, gf_error *error)
{
    enum { MOST_BINS = 1 << 20 };
    GF_STRUCT_TAKE(gf_histogram_axis, hi, axis, GF_HISTOGRAM_AXIS_INIT, given, error);
    gf_histogram_options options = GF_HISTOGRAM_OPTIONS_INIT;
    if (gf_depth_size(axis.type) == 0) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "histogram_2d: the type of %s is %d, must be one of gf_depth", name, (int)axis.type);
    }
    if (axis.bins < 1 || axis.bins > MOST_BINS) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "histogram_2d: %s has %lld bins, must have 1 to %d", name,
                       (long long)axis.bins, MOST_BINS);
    }
    options.array.type = *type = axis.type;
    options.bins = axis.bins;
    options.lo = axis.lo;
    options.hi = axis.hi;
    return gf_histogram_bins_make(&options, bins, error);
}

static gf_status make_call(gf_queue queue, const gf_histogram_2d_options *options, int64_t n,
                           struct gf_histogram_2d_call *call, gf_error *error)
{
    enum { MOST_CELLS = 1 << 24 };
    GF_STRUCT_TAKE(gf_histogram_2d_options, y, taken, GF_HISTOGRAM_2D_OPTIONS_INIT, options, error);
    const bool integer =
        gf_depth_size(taken.weights) > 0 && (GF_TYPES_FLOAT & GF_TYPE_BIT(taken.weights)) == 0;
    *call = (struct gf_histogram_2d_call){
        .array = {.queue = queue, .options = taken.array, .n = n}, .rows = 1, .weight = taken.weights};
    if (taken.weighted && !integer) {
        return gf_fail(
            error, GF_ERROR_UNSUPPORTED,
            "histogram_2d: weights are %s, must be integers, whose sums do not depend on the order",
            gf_depth_name(taken.weights));
    }
    GF_TRY(take_axis("x", taken.x, &call->type[0], &call->bins[0], error));
    call->array.options.type = call->type[0];
    call->columns = call->bins[0].count + GF_HISTOGRAM_EXTRA;
    if (taken.y) {
        GF_TRY(take_axis("y", taken.y, &call->type[1], &call->bins[1], error));
        call->rows = call->bins[1].count + GF_HISTOGRAM_EXTRA;
    }
    if (call->rows * call->columns > MOST_CELLS) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "histogram_2d: a table of %lld x %lld cells, must have at most %d",
                       (long long)call->columns, (long long)call->rows, MOST_CELLS);
    }
    return GF_OK;
}

gf_status gf_histogram_2d_scratch(gf_device device, const gf_histogram_2d_options *options, int64_t n,
                                  size_t *bytes, gf_error *error)
{
    struct gf_histogram_2d_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_histogram_2d, &call.array, bytes, error);
}

gf_status gf_histogram_2d(gf_queue queue, const gf_histogram_2d_options *options, const void *x,
                          const void *y, const void *weights, int64_t n, uint64_t *table, void *scratch,
                          size_t scratch_bytes, gf_error *error)
{
    struct gf_histogram_2d_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    const bool has_y = call.rows > 1, weighted = options->weighted != 0;
    call.array.in = x;
    call.array.out = table;
    call.y = has_y ? y : NULL;
    call.weights = weighted ? weights : NULL;
    const struct gf_array_operand operands[] = {
        {"the array x", x, n, gf_depth_size(call.type[0])},
        {"the array y", call.y, has_y ? n : 0, has_y ? gf_depth_size(call.type[1]) : 1},
        {"the array of weights", call.weights, weighted ? n : 0, weighted ? gf_depth_size(call.weight) : 1},
        {"the table", table, 1, sizeof *table},
        {0},
    };
    return gf_array_run(&gf_primitive_histogram_2d, &call.array, operands, scratch, scratch_bytes, error);
}
