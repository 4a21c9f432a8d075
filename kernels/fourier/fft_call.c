/* "fft": its variants, and the calls of gpufilter/fft.h that run them by a plan. */
#include "gpufilter/fft.h"

#include "fourier/fft_call.h"

#include "base/sized.h"

#define TYPES GF_TYPE_BIT(GF_F32)

static const struct gf_array_variant variants[] = {
    {{"sequential", "one number after the other: the definition", "", .types = TYPES, .deterministic = 1},
     .scratch = gf_fft_plain_scratch,
     .run = gf_fft_sequential},
    {{"auto", "strips of neighbouring transforms in vectors, those of rows in two halves", "threads",
      .types = TYPES, .deterministic = 1},
     .scratch = gf_fft_cpu_scratch,
     .run = gf_fft_cpu},
    {{"naive", "the sum by definition, n products a number", "", .types = TYPES, .deterministic = 1,
      .loose = 1},
     .scratch = gf_fft_plain_scratch,
     .run = gf_fft_naive},
    {{"stockham", "radix 2, from one array to another and back; powers of two", "", .types = TYPES,
      .deterministic = 1, .loose = 1},
     .check = gf_fft_stockham_check,
     .scratch = gf_fft_plain_scratch,
     .run = gf_fft_stockham},
    {{"auto", "stages in registers and shared memory; columns in strips, long lines in several passes",
      "tile", .types = TYPES, .cuda = 1, .deterministic = 1},
     .check = gf_fft_cuda_check,
     .scratch = gf_fft_cuda_scratch,
     .run = gf_fft_cuda},
    {{"naive", "the sum by definition, a thread a number", "block=256", .types = TYPES, .cuda = 1,
      .deterministic = 1, .loose = 1},
     .scratch = gf_fft_textbook_cuda_scratch,
     .run = gf_fft_naive_cuda},
    {{"stockham", "radix 2, from one array to another and back, a launch a stage; powers of two", "block=256",
      .types = TYPES, .cuda = 1, .deterministic = 1, .loose = 1},
     .check = gf_fft_stockham_check,
     .scratch = gf_fft_textbook_cuda_scratch,
     .run = gf_fft_stockham_cuda},
    {{0}, NULL, NULL, NULL},
};

const struct gf_array_primitive gf_primitive_fft = {
    {"fft", "the Fourier transform of rows, or of rows and columns, and its inverse"}, variants};

static gf_status describe(gf_queue queue, const gf_fft_options *options, const gf_fft_plan *plan,
                          struct gf_fft_call *call, gf_error *error)
{
    GF_STRUCT_TAKE(gf_fft_options, inverse, o, GF_FFT_OPTIONS_INIT, options, error);
    if (!plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: the plan is NULL");
    }
    if (o.inverse < 0 || o.inverse > 1) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: inverse is %d, must be 0 or 1", o.inverse);
    }
    const gf_fft_shape *s = &plan->shape;
    *call = (struct gf_fft_call){
        .array = {.queue = queue, .options = o.array, .n = s->rows * s->columns},
        .plan = plan,
        .inverse = o.inverse,
        .scale = o.inverse ? plan->scale : 1.0F,
    };
    return GF_OK;
}

gf_status gf_fft_scratch(gf_device device, const gf_fft_options *options, const gf_fft_plan *plan,
                         size_t *bytes, gf_error *error)
{
    struct gf_fft_call call;
    GF_TRY(describe((gf_queue){device, NULL}, options, plan, &call, error));
    return gf_array_scratch(&gf_primitive_fft, &call.array, bytes, error);
}

gf_status gf_fft_prepare(gf_device device, const gf_fft_plan *plan, gf_error *error)
{
    const float *factors;
    if (!plan) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "fft: the plan is NULL");
    }
    return device < 0 ? GF_OK : gf_fft_factors_on(plan, device, &factors, error);
}

gf_status gf_fft(gf_queue queue, const gf_fft_options *options, const gf_fft_plan *plan, const float *in,
                 float *out, void *scratch, size_t scratch_bytes, gf_error *error)
{
    struct gf_fft_call call;
    GF_TRY(describe(queue, options, plan, &call, error));
    call.array.in = in;
    call.array.out = out;
    const struct gf_array_operand operands[] = {
        {"the input", in, call.array.n, sizeof(float)},
        {"the output", out, call.array.n, sizeof(float)},
        {0},
    };
    if (queue.device >= 0 && call.array.n > 0) {
        const struct gf_array_variant *variant;
        GF_TRY(
            gf_array_find(&gf_primitive_fft, &call.array, &variant, error)); /* whose refusal comes first */
        GF_TRY(gf_fft_factors_on(plan, queue.device, &call.factors, error));
    }
    return gf_array_run(&gf_primitive_fft, &call.array, operands, scratch, scratch_bytes, error);
}

/* Tells whether sides are no longer than the picture's, less the edge that reflect101 does not repeat. */
static int folds_once(int64_t n, int64_t before, int64_t all, int32_t border)
{
    const int64_t most = n - (border == GF_BORDER_REFLECT101);
    return all == n || border == GF_BORDER_REPLICATE || (before <= most && all - n - before <= most);
}

int gf_fft_fuses(const gf_fft_plan *plan, const struct gf_fft_filter *filter)
{
    enum { MOST = 6144 };
    return gf_fft_pairs(plan) && !plan->row.sum && plan->row.n > 1 && plan->row.n <= MOST &&
           folds_once(filter->width, filter->left, plan->shape.columns, filter->border) &&
           folds_once(filter->height, filter->top, plan->shape.rows, filter->border);
}

gf_status gf_fft_run_filter(gf_queue queue, const gf_fft_plan *plan, const struct gf_fft_filter *filter,
                            float *numbers, void *scratch, gf_error *error)
{
    struct gf_fft_call call = {
        .array = {.queue = queue, .n = 1, .out = numbers, .scratch = scratch},
        .plan = plan,
        .scale = 1.0F,
        .filter = filter,
    };
    GF_TRY(gf_fft_factors_on(plan, queue.device, &call.factors, error));
    return gf_fft_cuda(&call.array, error);
}
