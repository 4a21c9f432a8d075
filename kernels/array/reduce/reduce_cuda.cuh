/* What the kernels of reduction share. */
#ifndef GF_ARRAY_REDUCE_CUDA_CUH
#define GF_ARRAY_REDUCE_CUDA_CUH

#include "array/common/clear_cuda.cuh"
#include "array/common/grid_cuda.cuh"
#include "array/reduce/reduce_call.h"
#include "array/reduce/reduce_fold_cuda.cuh"

struct gf_reduce_params {
    const void *in;
    int64_t n;
    int64_t head, vectors; /* elements in front of the first aligned 16 bytes; whole 16 bytes after them */
    void *parts;           /* one a block, or a run of leaves */
    int64_t leaves_of_run; /* a power of two */
    uint32_t *counter;     /* 0 behind gf_pdl_wait */
    void *out;
    gf_reduce_how how;
};

/* Lays the scratch out: counter first, then parts. */
static inline struct gf_reduce_params gf_reduce_prepare(const struct gf_array_call *call, size_t size)
{
    struct gf_reduce_params p = {};
    p.in = call->in;
    p.n = call->n;
    p.head = gf_head_of(call->in, call->n, static_cast<int64_t>(size));
    p.vectors = (call->n - p.head) * static_cast<int64_t>(size) / 16;
    p.counter = static_cast<uint32_t *>(call->scratch);
    p.parts = static_cast<char *>(call->scratch) + GF_ARRAY_ALIGNMENT;
    p.out = call->out;
    p.how = gf_reduce_how_make(gf_reduce_call_of(call)->op, call->options.type);
    return p;
}

/* Clears what needs it in front of the launch; one block alone needs no counter. */
static inline gf_status gf_reduce_clear(const struct gf_reduce_params &p, gf_launch *launch, gf_error *error)
{
    return launch->grid.x == 1 ? GF_OK : gf_clear(p.counter, sizeof(uint4), launch, error);
}

/* True in the block that ends last, with the parts of all others in sight. slot: a word of shared memory. */
GF_DEVICE_FN bool gf_reduce_is_last(const struct gf_reduce_params &p, uint32_t *slot)
{
    if (gridDim.x == 1) {
        __syncthreads();
        return true;
    }
    gf_pdl_wait();
    return gf_last_block(p.counter, gridDim.x, slot);
}

gf_status gf_reduce_leaves_cuda(const struct gf_array_call *call, gf_error *error);

#endif
