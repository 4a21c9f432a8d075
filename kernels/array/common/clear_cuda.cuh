/* Memory that a kernel finds zeroed, cleared in front of it and beside it: the kernel starts while this one
 * runs (programmatic dependent launch). */
#ifndef GF_ARRAY_CLEAR_CUDA_CUH
#define GF_ARRAY_CLEAR_CUDA_CUH

#include "base/cuda_status.h"
#include "base/gf_cuda.h"

static __global__ void __launch_bounds__(256) gf_clear_lines(uint4 *memory, int64_t n)
{
    gf_pdl_launch();
    for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < n; i += int64_t(gridDim.x) * 256) {
        gf_store16(memory + i, make_uint4(0, 0, 0, 0));
    }
}

/* Queues the clearing of `bytes`, a multiple of 16 at an address that is one, on launch->stream, and makes
 * *launch start beside it: that kernel touches the memory behind gf_pdl_wait. It may read before the wait
 * what was written before this call, since the clearing starts when all that has ended. */
static inline gf_status gf_clear(void *memory, size_t bytes, gf_launch *launch, gf_error *error)
{
    const int64_t n = static_cast<int64_t>(bytes / sizeof(uint4));
    gf_launch clear = gf_launch_on(launch->stream, n < 256 * 64 ? gf_blocks(n, 256) : 64u, 256);
    GF_CUDA_TRY(error, GF_LAUNCH(gf_clear_lines, clear, static_cast<uint4 *>(memory), n));
    launch->programmatic = true;
    return GF_OK;
}

#endif
