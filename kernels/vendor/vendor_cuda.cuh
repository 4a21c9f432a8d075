/* What the vendors' variants share. Compiled by nvcc only: here, and nowhere else, CUB and Thrust are
 * included.
 *
 * A variant's work is one function of the call, the temporary storage and its size, in the manner of CUB:
 * without storage it sets *bytes, with storage it runs. gf_vendor_scratch and gf_vendor_run make a
 * gf_array_variant's two functions of it. */
#ifndef GF_VENDOR_VENDOR_CUDA_CUH
#define GF_VENDOR_VENDOR_CUDA_CUH

#include "array/common/dispatch_cuda.cuh"
#include "base/device_scope_cuda.h"

#include <exception>
#include <new>

typedef gf_status (*gf_vendor_work)(const struct gf_array_call *call, void *storage, size_t *bytes,
                                    gf_error *error);

/* For use in a function of type gf_vendor_work: a CUB call whose last arguments follow. */
#define GF_CUB_TRY(error, function, storage, bytes, ...)                                                     \
    GF_CUDA_TRY(error, function(storage, *(bytes), __VA_ARGS__))

static inline cudaStream_t gf_vendor_stream(const struct gf_array_call *call)
{
    return static_cast<cudaStream_t>(call->queue.stream);
}

/* No exception of a vendor's library may pass through C. */
template <gf_vendor_work WORK>
gf_status gf_vendor_call(const struct gf_array_call *call, void *storage, size_t *bytes, gf_error *error)
{
    GF_ON_DEVICE(call->queue.device, error)
    try {
        return WORK(call, storage, bytes, error);
    } catch (const std::bad_alloc &) {
        return gf_fail(error, GF_ERROR_MEMORY, "the vendor's library found no memory");
    } catch (const std::exception &e) {
        return gf_fail(error, GF_ERROR_DEVICE, "the vendor's library: %s", e.what());
    }
}

/* 0 where the library refuses to say: the run will report why. */
template <gf_vendor_work WORK> size_t gf_vendor_scratch(const struct gf_array_call *call)
{
    size_t bytes = 0;
    return gf_vendor_call<WORK>(call, nullptr, &bytes, nullptr) == GF_OK ? bytes : 0;
}

template <gf_vendor_work WORK> gf_status gf_vendor_run(const struct gf_array_call *call, gf_error *error)
{
    size_t bytes = call->scratch_bytes;
    return gf_vendor_call<WORK>(call, call->scratch, &bytes, error);
}

/* Memory of a call's scratch for Thrust: thrust::cuda::par_nosync(gf_vendor_memory(storage,
 * bytes)).on(stream). Last taken, first given back, as Thrust does; bad_alloc when it is used up. A copy
 * shares the original's place. */
struct gf_vendor_memory {
    typedef char value_type;
    char *first;
    size_t size;
    size_t *used; /* outlives the call of Thrust */

    char *allocate(std::ptrdiff_t bytes)
    {
        const size_t wanted = (static_cast<size_t>(bytes) + 255) / 256 * 256;
        if (wanted > size - *used) {
            throw std::bad_alloc();
        }
        char *memory = first + *used;
        *used += wanted;
        return memory;
    }
    void deallocate(char *memory, size_t)
    {
        const size_t at = static_cast<size_t>(memory - first);
        *used = at < *used ? at : *used;
    }
};

#endif
