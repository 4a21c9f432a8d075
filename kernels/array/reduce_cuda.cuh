/* What the kernels of reduction share. */
#ifndef GF_ARRAY_REDUCE_CUDA_CUH
#define GF_ARRAY_REDUCE_CUDA_CUH

#include "array/reduce_call.h"
#include "array/reduce_fold_cuda.cuh"

struct gf_reduce_params {
    const void *in;
    int64_t n;
    int64_t head, vectors; /* elements in front of the first aligned 16 bytes; whole 16 bytes after them */
    void *parts;           /* one a block, or a run of leaves */
    int64_t leaves_of_run; /* a power of two */
    uint32_t *counter;     /* zeroed before the launch */
    void *out;
    gf_reduce_how how;
};

/* Multiprocessors of the current device. */
static inline gf_status gf_reduce_processors(int64_t *processors, gf_error *error)
{
    int device = 0, count = 0;
    GF_CUDA_TRY(error, cudaGetDevice(&device));
    GF_CUDA_TRY(error, cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    *processors = count;
    return GF_OK;
}

/* Lays the scratch out (counter first, then parts) and clears the counter. */
static inline gf_status gf_reduce_prepare(const struct gf_array_call *call, size_t size,
                                          struct gf_reduce_params *p, gf_error *error)
{
    const gf_reduce_op op = gf_reduce_call_of(call)->op;
    const size_t odd = reinterpret_cast<uintptr_t>(call->in) % 16;
    const int64_t head = odd ? static_cast<int64_t>((16 - odd) / size) : 0;
    *p = {};
    p->in = call->in;
    p->n = call->n;
    p->head = head < call->n ? head : call->n;
    p->vectors = (call->n - p->head) * static_cast<int64_t>(size) / 16;
    p->counter = static_cast<uint32_t *>(call->scratch);
    p->parts = static_cast<char *>(call->scratch) + GF_ARRAY_ALIGNMENT;
    p->out = call->out;
    p->how = {op, call->options.type, op == GF_REDUCE_MAX || op == GF_REDUCE_ARGMAX};
    GF_CUDA_TRY(error, cudaMemsetAsync(p->counter, 0, sizeof *p->counter,
                                       static_cast<cudaStream_t>(call->queue.stream)));
    return GF_OK;
}

gf_status gf_reduce_leaves_cuda(const struct gf_array_call *call, gf_error *error);

#endif
