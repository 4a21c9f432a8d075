#include "array/keyed/run_length_call.h"

#include "base/sized.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "one key after the other: the definition", "", .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_run_length_sequential},
    {{"auto", "chunks in cache, compared and then packed by all threads, in one pass over memory", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_run_length_cpu},
    {{"auto", "one pass: bits of where runs begin, look-back between tiles", "", .types = GF_TYPES_ALL,
      .cuda = 1, .deterministic = 1},
     .scratch = gf_run_length_cuda_scratch,
     .run = gf_run_length_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_run_length = {
    {"run_length", "runs of equal keys: their keys, how long they are, where they begin"},
    variants,
};

static gf_status make_call(gf_queue queue, const gf_run_length_options *options, int64_t n,
                           struct gf_run_length_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_run_length_options, array.type, taken, GF_RUN_LENGTH_OPTIONS_INIT, options, error);
    *call = (struct gf_run_length_call){.array = {.queue = queue, .options = taken.array, .n = n}};
    return GF_OK;
}

gf_status gf_run_length_scratch(gf_device device, const gf_run_length_options *options, int64_t n,
                                size_t *bytes, gf_error *error)
{
    struct gf_run_length_call call;
    GF_TRY(make_call((gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_run_length, &call.array, bytes, error);
}

gf_status gf_run_length(gf_queue queue, const gf_run_length_options *options, const void *keys, int64_t n,
                        void *unique, int64_t *counts, int64_t *starts, int64_t capacity, uint64_t *runs,
                        void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_run_length_call call;
    GF_TRY(make_call(queue, options, n, &call, error));
    GF_TRY(gf_array_check_capacity("run_length", capacity, error));
    const size_t size = gf_depth_size(call.array.options.type);
    call.array.in = keys;
    call.array.out = unique;
    call.counts = counts;
    call.starts = starts;
    call.capacity = capacity;
    call.runs = runs;
    const struct gf_array_operand operands[] = {
        {"the array of keys", keys, n, size},
        {"the output of keys", unique, 0, size},
        {"the output of counts", counts, 0, sizeof *counts},
        {"the output of beginnings", starts, 0, sizeof *starts},
        {"the number of runs", runs, 1, sizeof *runs},
        {0},
    };
    return gf_array_run(&gf_primitive_run_length, &call.array, operands, scratch, scratch_bytes, error);
}
