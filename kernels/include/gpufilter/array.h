/* gpufilter/array.h: what the array primitives have in common. A primitive, or a few of a
 * kind, has a header: reduce.h, sort.h, graph.h and so on; docs/primitives.md lists them.
 *
 *     gf_reduce_options options = GF_REDUCE_OPTIONS_INIT;
 *     options.array.type = GF_F32;
 *     size_t bytes;
 *     gf_reduce_scratch(queue.device, &options, n, &bytes, &error);
 *     ...
 *     gf_reduce(queue, &options, in, n, out, scratch, bytes, &error);
 *
 * samples/embed_sort.c is such a program, on the CPU and on CUDA.
 *
 * Arrays are n >= 0 elements without gaps, aligned to the element's size, in memory of the queue's device
 * (CPU: host memory; CUDA: device, managed or mapped memory). n may pass 2^32 where the variant's
 * max_n allows. Input and output do not overlap unless the primitive says so. A pointer to no elements may be
 * NULL. Nothing is written beside the output and the scratch memory.
 *
 * Nothing is allocated: scratch memory is the caller's, its size comes from a separate call with the same
 * options and n, it is aligned to 256 bytes and its contents mean nothing before and after. It may be larger
 * than needed; where 0 bytes are needed it may be NULL.
 *
 * On CUDA, work is queued on the queue's stream and the call does not wait, unless its variant does by nature
 * (gf_variant.waits; never "auto"): inputs, outputs and scratch
 * memory stay with the call until the stream has passed it. Failures of queued work show at gf_queue_wait.
 * The thread's current device stays what it was. On the CPU the work is done when the call returns. Options,
 * and what they point to in host memory, are needed during the call only, unless said.
 *
 * Thread-safe: calls with outputs and scratch memory of their own may run at the same time, on one stream or
 * several, and may share inputs and options.
 *
 * Options have a struct_size, and NULL is answered, as types.h says for all calls.
 *
 * Errors. GF_ERROR_ARGUMENT: n negative, a NULL or misaligned pointer, a scratch too small, a wrong value in
 * the options. GF_ERROR_UNSUPPORTED: an unknown variant, or a type, n, operation or device it does not take;
 * the message lists what there is. Nothing has been written then. GF_ERROR_DEVICE or GF_ERROR_MEMORY: a call
 * of CUDA failed; what outputs hold means nothing then. */
#ifndef GPUFILTER_ARRAY_H
#define GPUFILTER_ARRAY_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Part of the options of every primitive. Zero means the default in every field but type. A variant ignores
 * parameters that it does not have (gf_variant.parameters lists those it has). */
typedef struct gf_array_options {
    const char *algo; /* name of a variant; NULL: "auto". Borrowed for the call */
    gf_depth type;    /* of the input's elements */
    int32_t threads; /* CPU threads, for as long as the call runs; 0: one for each of the process's processors
                      * that has enough to do. Never changes a result */
    int32_t block;   /* threads of a CUDA block: 32, 64, ... 1024 */
    int32_t tile;    /* elements of a tile, by variant */
    int32_t unroll;  /* elements a thread takes, by variant: the k of the source texts */
} gf_array_options;

/* One way to compute a primitive. "sequential" on the CPU is the plain definition that everything is tested
 * against; "auto" is the fastest on its kind of device. */
typedef struct gf_variant {
    const char *name;
    const char *summary;    /* one line */
    const char *parameters; /* free parameters with their defaults, "block=128 unroll=12"; a name alone has
                             * no fixed one: "threads". "": none */
    int64_t max_n;          /* 0: no limit but memory */
    uint32_t types;         /* element types it takes: bit 1 << depth */
    int32_t cuda;           /* 1: runs on CUDA devices, 0: on the CPU */
    int32_t deterministic;  /* 1: the same bytes every time, on every machine */
    int32_t vendor;         /* 1: of a vendor's library, in the module gf_vendor_load opens */
    int32_t loose; /* 1: floating-point sums and products are those of "sequential" but for rounding, all
                    * else is equal to it; 0: everything is */
    int32_t waits; /* 1: on CUDA the call returns when its work is done, and so cannot be captured into a
                    * graph; 0: it only queues work */
} gf_variant;

typedef struct gf_primitive {
    const char *name;    /* "scan" */
    const char *summary; /* one line */
} gf_primitive;

/* The primitives of this build, by index from 0; NULL past the last. Constants. */
GF_API const gf_primitive *gf_primitive_at(size_t index);

/* The variants of a primitive, by index from 0: the CPU's, CUDA's where it is, then the vendors' where their
 * module is loaded. NULL past the last, or when there is no such primitive. */
GF_API const gf_variant *gf_primitive_variant(const char *primitive, size_t index);

/* The variants of a primitive that there would be with CUDA, by index from 0: none where it is there, whether
 * or not there is a device. gf_cuda_missing says why they are not. NULL past the last. */
GF_API const gf_variant *gf_primitive_missing_variant(const char *primitive, size_t index);

/* Opens the module with the vendors' variants (CUB, Thrust, cuBLAS), which lies beside the library, once a
 * process; `path` NULL: look there, and where the environment variable GPUFILTER_VENDOR says. Until then
 * "cub" and "thrust" are unknown names. GF_ERROR_UNSUPPORTED says why there is none. Where it is open already
 * nothing happens, whatever the path. Thread-safe. */
GF_API gf_status gf_vendor_load(const char *path, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
