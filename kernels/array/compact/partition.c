#include "array/compact/compact_call.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "one element after the other, of one side and then of the other: the definition", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .run = gf_partition_sequential},
    {{"auto",
      "chunks tested and counted by all threads; then packed twice, from the cache, each side where it "
      "goes",
      "threads", .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_partition_cpu_scratch,
     .run = gf_partition_cpu},
    {{"auto",
      "how many stay, then one pass: both sides of a tile in order in shared memory, look-back; one "
      "launch for what the device holds at once",
      "", .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .scratch = gf_partition_cuda_scratch,
     .run = gf_partition_cuda},
    {{NULL}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_partition = {
    {"partition", "the elements that a condition keeps, then the others, each side in its order"},
    variants,
};

gf_status gf_partition_scratch(gf_device device, const gf_compact_options *options, int64_t n, size_t *bytes,
                               gf_error *error)
{
    struct gf_compact_call call;
    GF_TRY(gf_compact_describe("partition", (gf_queue){device, NULL}, options, n, &call, error));
    return gf_array_scratch(&gf_primitive_partition, &call.array, bytes, error);
}

gf_status gf_partition(gf_queue queue, const gf_compact_options *options, const void *in, int64_t n,
                       void *out, uint64_t *count, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_compact_call call;
    GF_TRY(gf_compact_describe("partition", queue, options, n, &call, error));
    return gf_compact_run(&gf_primitive_partition, &call, in, out, n, count, scratch, scratch_bytes, error);
}
