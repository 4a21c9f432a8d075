/* Fourier transforms by cuFFT. */
#include "array/common/grid_cuda.cuh"
#include "fourier/fft_call.h"
#include "vendor/vendor_cuda.cuh"

#include <cufft.h>
#include <mutex>

/* The library's plan of the shape that ran last: it takes milliseconds to make, and memory of its own, so it
 * stays until another shape comes. One call at a time uses it, to queue work. */
struct kept {
    cufftHandle handle;
    gf_device device;
    gf_fft_shape shape;
    int32_t inverse, is_made;
    size_t bytes;
};
static std::mutex lock;
static kept last;

static gf_status check_cufft(cufftResult result, gf_error *error)
{
    return result == CUFFT_SUCCESS
               ? GF_OK
               : gf_fail(error, result == CUFFT_ALLOC_FAILED ? GF_ERROR_MEMORY : GF_ERROR_DEVICE,
                         "cuFFT: error %d", static_cast<int>(result));
}

/* Pictures are its rows and columns one below the other, without gaps between the rows of what is real. */
static gf_status check(const struct gf_array_call *array, gf_error *error)
{
    const gf_fft_shape &s = gf_fft_call_of(array)->plan->shape;
    if (s.rows > INT32_MAX || s.rows < 1) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "fft, variant cufft, takes 1 to 2^31 - 1 rows, not %lld",
                       static_cast<long long>(s.rows));
    }
    return GF_OK;
}

static gf_status make(const struct gf_fft_call *call, gf_error *error)
{
    const gf_fft_shape &s = call->plan->shape;
    const bool two = s.dimensions == 2;
    long long n[] = {two ? s.rows : s.columns, s.columns};
    long long samples[] = {two ? s.rows : s.sample_stride, s.sample_stride};
    long long spectrum[] = {two ? s.rows : s.spectrum_stride, s.spectrum_stride};
    long long *const in = call->inverse ? spectrum : samples, *const out = call->inverse ? samples : spectrum;
    const cufftType type = !s.real ? CUFFT_C2C : call->inverse ? CUFFT_C2R : CUFFT_R2C;
    if (last.is_made) {
        last.is_made = 0;
        GF_TRY(check_cufft(cufftDestroy(last.handle), error));
    }
    GF_TRY(check_cufft(cufftCreate(&last.handle), error));
    last.is_made = 1;
    last.device = call->array.queue.device;
    last.shape = s;
    last.inverse = call->inverse;
    GF_TRY(check_cufft(cufftSetAutoAllocation(last.handle, 0), error));
    return check_cufft(cufftMakePlanMany64(last.handle, two ? 2 : 1, n, in, 1, in[1], out, 1, out[1], type,
                                           two ? 1 : s.rows, &last.bytes),
                       error);
}

static bool is_last(const struct gf_fft_call *call)
{
    const gf_fft_shape &a = call->plan->shape, &b = last.shape;
    return last.is_made && last.device == call->array.queue.device && last.inverse == call->inverse &&
           a.dimensions == b.dimensions && a.rows == b.rows && a.columns == b.columns && a.real == b.real &&
           a.sample_stride == b.sample_stride && a.spectrum_stride == b.spectrum_stride;
}

/* The library divides by nothing. */
static __global__ void scale_rows(float *out, int64_t floats, int64_t row, int64_t rows, float scale)
{
    const int64_t i = gf_thread_index(), y = i / floats;
    if (y < rows) {
        out[y * row + i % floats] *= scale;
    }
}

static gf_status transform(const struct gf_fft_call *call, void *storage, gf_error *error)
{
    const gf_fft_shape &s = call->plan->shape;
    float *const in = static_cast<float *>(const_cast<void *>(call->array.in));
    float *const out = static_cast<float *>(call->array.out);
    cufftComplex *const from = reinterpret_cast<cufftComplex *>(in), *const to = reinterpret_cast<cufftComplex *>(out);
    GF_TRY(check_cufft(cufftSetStream(last.handle, gf_vendor_stream(&call->array)), error));
    GF_TRY(check_cufft(cufftSetWorkArea(last.handle, storage), error));
    GF_TRY(check_cufft(!s.real          ? cufftExecC2C(last.handle, from, to,
                                                       call->inverse ? CUFFT_INVERSE : CUFFT_FORWARD)
                       : call->inverse ? cufftExecC2R(last.handle, from, out)
                                       : cufftExecR2C(last.handle, in, to),
                       error));
    if (call->inverse) {
        const int64_t floats = s.columns * (s.real ? 1 : 2);
        gf_launch c = {};
        c.grid = dim3(gf_blocks(floats * s.rows, 256));
        c.block = dim3(256);
        c.stream = gf_vendor_stream(&call->array);
        GF_CUDA_TRY(error,
                    GF_LAUNCH(scale_rows, c, out, floats, gf_fft_row_out(call), s.rows, call->scale));
    }
    return GF_OK;
}

/* It may overwrite what a transform back to real samples reads, so that is copied. */
static gf_status work(const struct gf_array_call *array, void *storage, size_t *bytes, gf_error *error)
{
    struct gf_fft_call call = *gf_fft_call_of(array);
    const std::lock_guard<std::mutex> guard(lock);
    if (!is_last(&call)) {
        GF_TRY(make(&call, error));
    }
    const size_t aside = (last.bytes + 255) / 256 * 256;
    const size_t copied = gf_fft_copies(&call) ? static_cast<size_t>(call.plan->shape.rows *
                                                                     call.plan->shape.spectrum_stride) *
                                                     sizeof(cufftComplex)
                                               : 0;
    if (!storage) {
        *bytes = aside + copied + 1;
        return GF_OK;
    }
    if (copied > 0) {
        void *const copy = static_cast<char *>(storage) + aside;
        GF_CUDA_TRY(error, cudaMemcpyAsync(copy, array->in, copied, cudaMemcpyDeviceToDevice,
                                           gf_vendor_stream(array)));
        call.array.in = copy;
    }
    return transform(&call, storage, error);
}

extern "C" const struct gf_array_variant gf_vendor_fft[] = {
    {{"cufft", "cufftExec, in its own order; back, another kernel divides", "", 0, GF_TYPE_BIT(GF_F32), 1, 0, 1,
      1, 0},
     check,
     gf_vendor_scratch<work>,
     gf_vendor_run<work>},
    {},
};
