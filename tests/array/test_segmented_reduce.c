/* Every variant of segmented reduction against the sequential one, on the CPU and on a CUDA device or its
 * emulation; and the sequential one against gf_reduce and numbers worked out by hand. */
#include "segments_case.h"

#include "gpufilter/segmented.h"

#include <math.h>

enum { OPS = GF_REDUCE_OR + 1 };

struct run {
    gf_device device;
    const char *algo;
    gf_reduce_op op;
    gf_depth type;
    int64_t n, segments;
    const void *data;
    const int64_t *offsets;
    int32_t in, out; /* elements beyond an aligned address */
    int32_t threads;
};

static bool has_op(gf_reduce_op op, gf_depth type)
{
    return (op != GF_REDUCE_AND && op != GF_REDUCE_OR) || (type != GF_F32 && type != GF_F64);
}

/* The whole output, which is to be freed. */
static char *reduce(const struct run *r)
{
    gf_error error = GF_ERROR_INIT;
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    const size_t size = gf_depth_size(r->type), result = gf_depth_size(gf_reduce_result(r->op, r->type));
    struct array_memory in = {0}, offsets = {0}, out = {0}, scratch = {0};
    size_t bytes = 0;
    options.op = r->op;
    options.array = (gf_array_options){r->algo, r->type, r->threads, 0, 0, 0};
    CHECK_EQ_INT(gf_segmented_reduce_scratch(r->device, &options, r->n, r->segments, &bytes, &error), GF_OK);
    char *got = segments_memory((size_t)r->segments * result);
    CHECK(array_memory_make(&in, r->device, (size_t)r->n * size, (size_t)r->in * size) &&
          array_memory_make(&offsets, r->device, (size_t)(r->segments + 1) * 8, 8) &&
          array_memory_make(&out, r->device, (size_t)r->segments * result, (size_t)r->out * result) &&
          array_memory_make(&scratch, r->device, bytes, 0));
    array_memory_upload(&in, r->data);
    array_memory_upload(&offsets, r->offsets);
    gf_status status = gf_segmented_reduce((gf_queue){r->device, NULL}, &options, in.data, r->n, offsets.data,
                                           r->segments, out.data, scratch.data, bytes, &error);
    CHECK_MSG(status == GF_OK, "%s", error.message);
    array_memory_download(&out, got);
    array_memory_end(&in, "the input");
    array_memory_end(&offsets, "the offsets");
    array_memory_end(&out, "the output");
    array_memory_end(&scratch, "the scratch");
    return got;
}

static void compare(const struct run *wanted, int kind)
{
    struct run plain = *wanted;
    const size_t result = gf_depth_size(gf_reduce_result(wanted->op, wanted->type));
    int64_t wrong = 0;
    plain.device = GF_DEVICE_CPU;
    plain.algo = "sequential";
    plain.in = plain.out = 0;
    char *expected = reduce(&plain), *got = reduce(wanted);
    while (wrong < wanted->segments &&
           !memcmp(expected + (size_t)wrong * result, got + (size_t)wrong * result, result)) {
        wrong++;
    }
    CHECK_MSG(wrong == wanted->segments,
              "%s %s, op %d of %lld %s, kind %d: segment %lld of %lld, from %lld to %lld, is wrong",
              wanted->device < 0 ? "cpu" : "cuda", wanted->algo, wanted->op, (long long)wanted->n,
              gf_depth_name(wanted->type), kind, (long long)wrong, (long long)wanted->segments,
              (long long)wanted->offsets[wrong < wanted->segments ? wrong : 0],
              (long long)wanted->offsets[wrong < wanted->segments ? wrong + 1 : 0]);
    free(expected);
    free(got);
}

/* ---- Variants ------------------------------------------------------------------------------------------------ */

static void all_kinds(struct run *r, const int64_t *sizes, int count)
{
    int turn = (int)r->type * 5 + (int)r->op;
    for (int s = 0; s < count; s++) {
        for (int kind = 0; kind < SEGMENTS_KINDS; kind++, turn++) {
            if (!array_in_slice()) {
                continue;
            }
            const int contents = turn % ARRAY_DATA_COUNT;
            void *data = segments_memory((size_t)sizes[s] * gf_depth_size(r->type));
            array_data_fill(data, r->type, sizes[s], (array_data)contents, 0.5, (uint64_t)turn);
            r->data = data;
            r->n = sizes[s];
            r->offsets = segments_make((enum segments_kind)kind, sizes[s], (uint64_t)turn, &r->segments);
            r->in = array_next_offset(gf_depth_size(r->type));
            r->out = turn % 3;
            r->threads = 1 + turn % 4;
            compare(r, kind);
            free(data);
            free((void *)(uintptr_t)r->offsets);
        }
    }
}

static void variants(gf_device device, const int64_t *sizes, int count)
{
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant("segmented_reduce", i)) != NULL; i++) {
        for (int type = 0; v->cuda == (device >= 0) && type <= GF_S64; type++) {
            for (int op = 0; op < OPS; op++) {
                if ((v->types >> type & 1) != 0 && has_op((gf_reduce_op)op, (gf_depth)type) && !v->loose) {
                    struct run r = {
                        .device = device, .algo = v->name, .op = (gf_reduce_op)op, .type = (gf_depth)type};
                    all_kinds(&r, sizes, count);
                }
            }
        }
    }
}

static void cpu_variants(void)
{
    static const int64_t sizes[] = {0, 1, 33, 5000, 150001};
    variants(GF_DEVICE_CPU, sizes, 5);
}

static void cuda_variants(void)
{
    static const int64_t small[] = {0, 1, 33, 1500, 21000}, large[] = {0, 1, 31, 70000, 1000001};
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    variants(0, array_is_emulated() ? small : large, 5);
}

/* Segments of several groups of leaves, whose order shows. */
static void long_segments(gf_device device, int64_t n)
{
    static const gf_reduce_op ops[] = {GF_REDUCE_SUM, GF_REDUCE_ARGMIN, GF_REDUCE_PRODUCT};
    double *data = segments_memory((size_t)n * sizeof *data);
    array_data_fill(data, GF_F64, n, ARRAY_RANDOM, 0, 3);
    for (int i = 0; i < 3; i++) {
        const int64_t offsets[] = {0, 5, 5 + n / 3, n - 7, n - 7, n};
        struct run r = {.device = device,
                        .algo = "auto",
                        .op = ops[i],
                        .type = GF_F64,
                        .n = n,
                        .segments = 5,
                        .data = data,
                        .offsets = offsets,
                        .threads = 3};
        compare(&r, -1);
    }
    free(data);
}

static void long_cpu(void)
{
    long_segments(GF_DEVICE_CPU, 1500001);
}

static void long_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    long_segments(0, array_is_emulated() ? 600001 : 20000003);
}

/* ---- The definition ---------------------------------------------------------------------------------------------- */

static void by_hand(void)
{
    static const float data[] = {1, -2, NAN, -0.0F, 0.0F, 7};
    static const int64_t offsets[] = {0, 2, 2, 3, 5, 6, 6};
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "sequential",
                    .op = GF_REDUCE_SUM,
                    .type = GF_F32,
                    .n = 6,
                    .segments = 6,
                    .data = data,
                    .offsets = offsets};
    double *sums = (double *)(void *)reduce(&r);
    CHECK(sums[0] == -1 && sums[1] == 0 && isnan(sums[2]) && sums[3] == 0 && !signbit(sums[3]));
    CHECK(sums[4] == 7 && sums[5] == 0);
    free(sums);
    r.op = GF_REDUCE_MIN;
    float *least = (float *)(void *)reduce(&r);
    CHECK(least[0] == -2 && least[1] == INFINITY && isnan(least[2]) && signbit(least[3]) && least[4] == 7);
    free(least);
    r.op = GF_REDUCE_ARGMAX;
    int64_t *where = (int64_t *)(void *)reduce(&r);
    CHECK(where[0] == 0 && where[1] == -1 && where[2] == -1 && where[3] == 1 && where[4] == 0);
    free(where);
}

/* One segment of everything is gf_reduce. */
static void one_segment(void)
{
    enum { N = 30000 };
    float *data = segments_memory(N * sizeof *data);
    const int64_t offsets[] = {0, N};
    double whole = 0;
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    static _Alignas(256) char scratch[1 << 16];
    array_data_fill(data, GF_F32, N, ARRAY_RANDOM, 0, 1);
    struct run r = {.device = GF_DEVICE_CPU,
                    .algo = "auto",
                    .op = GF_REDUCE_SUM,
                    .type = GF_F32,
                    .n = N,
                    .segments = 1,
                    .data = data,
                    .offsets = offsets,
                    .threads = 2};
    char *got = reduce(&r);
    CHECK_EQ_INT(
        gf_reduce((gf_queue){GF_DEVICE_CPU, NULL}, &options, data, N, &whole, scratch, sizeof scratch, NULL),
        GF_OK);
    CHECK(memcmp(got, &whole, sizeof whole) == 0);
    free(got);
    free(data);
}

static void refuses(void)
{
    gf_error error = GF_ERROR_INIT;
    size_t bytes = 0;
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    static const int64_t offsets[] = {0, 1};
    float in[1] = {1};
    double out[1] = {5};
    gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
    CHECK_EQ_INT(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &options, -1, 1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &options, 1, -1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "-1 segments");
    CHECK_EQ_INT(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &options, 1, 0, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_segmented_reduce(cpu, &options, in, 1, NULL, 1, out, NULL, 0, &error), GF_ERROR_ARGUMENT);
    CHECK_STR_HAS(error.message, "offsets is NULL");
    CHECK_EQ_INT(gf_segmented_reduce(cpu, &options, NULL, 1, offsets, 1, out, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    CHECK_EQ_INT(gf_segmented_reduce(cpu, &options, in, 1, offsets, 1, NULL, NULL, 0, &error),
                 GF_ERROR_ARGUMENT);
    options.op = GF_REDUCE_AND;
    CHECK_EQ_INT(gf_segmented_reduce(cpu, &options, in, 1, offsets, 1, out, NULL, 0, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "and is for integers");
    options.op = GF_REDUCE_MEAN;
    CHECK_EQ_INT(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &options, 1, 1, &bytes, &error),
                 GF_ERROR_UNSUPPORTED);
    CHECK_STR_HAS(error.message, "it has: sum, product");
    options.op = (gf_reduce_op)77;
    CHECK_EQ_INT(gf_segmented_reduce_scratch(GF_DEVICE_CPU, &options, 1, 1, &bytes, &error),
                 GF_ERROR_ARGUMENT);
    CHECK(out[0] == 5);
}

static const struct check_case cases[] = {
    {"by hand", by_hand},
    {"one segment", one_segment},
    {"refuses", refuses},
    {"CPU variants", cpu_variants},
    {"long segments, CPU", long_cpu},
    {"CUDA variants", cuda_variants},
    {"long segments, CUDA", long_cuda},
};
CHECK_MAIN(cases)
