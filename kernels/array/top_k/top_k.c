#include "array/top_k/top_k_call.h"

#include "base/sized.h"

static const struct gf_array_variant variants[] = {
    {{"sequential", "sorts all places by their elements, plainly, and takes the first: the definition", "",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_top_k_sequential_scratch,
     .run = gf_top_k_sequential},
    {{"auto", "each thread keeps what is better than its k-th so far; what they kept is sorted", "threads",
      .types = GF_TYPES_ALL, .deterministic = 1},
     .scratch = gf_top_k_cpu_scratch,
     .run = gf_top_k_cpu},
    {{"auto", "a bound by a sample, one read for what lies beyond it, and its sort; by digits where it fails",
      "tile", .types = GF_TYPES_ALL, .cuda = 1, .deterministic = 1},
     .check = gf_top_k_cuda_check,
     .scratch = gf_top_k_cuda_scratch,
     .run = gf_top_k_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_top_k = {
    {"top_k", "the k greatest or least elements, in order, and their places"}, variants};

static gf_status describe(gf_queue queue, const gf_top_k_options *options, int64_t n, int64_t k,
                          struct gf_top_k_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_top_k_options, array.type, taken, GF_TOP_K_OPTIONS_INIT, options, error);
    options = &taken;
    if (n >= 0 && (k < 0 || k > n)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "top_k: k is %lld, must be from 0 to n, %lld", (long long)k,
                       (long long)n);
    }
    *call = (struct gf_top_k_call){.array = {.queue = queue, .options = options->array, .n = n},
                                   .k = k,
                                   .descending = !options->least,
                                   .places_size = (int32_t)gf_depth_size(gf_top_k_places(n))};
    return GF_OK;
}

gf_depth gf_top_k_places(int64_t n)
{
    return n <= INT64_C(1) << 32 ? GF_U32 : GF_U64;
}

gf_status gf_top_k_scratch(gf_device device, const gf_top_k_options *options, int64_t n, int64_t k,
                           size_t *bytes, gf_error *error)
{
    struct gf_top_k_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, n, k, &call, error));
    return gf_array_scratch(&gf_primitive_top_k, &call.array, bytes, error);
}

gf_status gf_top_k(gf_queue queue, const gf_top_k_options *options, const void *in, int64_t n, int64_t k,
                   void *out, void *places, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_top_k_call call;
    GF_TRY(describe(queue, options, n, k, &call, error));
    const size_t size = gf_depth_size(options->array.type);
    call.array.in = in;
    call.array.out = out;
    call.places = places;
    const struct gf_array_operand operands[] = {
        {"the input", in, n, size},
        {"the output", out, k, size},
        {"the output for places", places, places ? k : 0, (size_t)call.places_size},
        {0},
    };
    return gf_array_run(&gf_primitive_top_k, &call.array, operands, scratch, scratch_bytes, error);
}
