/* Variants of array primitives: one table a primitive, one way to look up, check and run.
 *
 * A primitive is NAME.c: its public functions, its call struct (NAME_call.h), which begins with a struct
 * gf_array_call, and its table, listed in primitives/primitives.def. Variants of CUDA lie in NAME_*_cuda.cu,
 * of vendors in vendor/. It lies in array/ if it takes arrays, in linear/ if it takes matrices. */
#ifndef GF_ARRAY_VARIANT_H
#define GF_ARRAY_VARIANT_H

#include "gpufilter/array.h"

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_TYPE_BIT(depth) (1U << (depth))
#define GF_TYPES_UNSIGNED                                                                                    \
    (GF_TYPE_BIT(GF_U8) | GF_TYPE_BIT(GF_U16) | GF_TYPE_BIT(GF_U32) | GF_TYPE_BIT(GF_U64))
#define GF_TYPES_SIGNED    (GF_TYPE_BIT(GF_S16) | GF_TYPE_BIT(GF_S32) | GF_TYPE_BIT(GF_S64))
#define GF_TYPES_INTEGER   (GF_TYPES_UNSIGNED | GF_TYPES_SIGNED)
#define GF_TYPES_FLOAT     (GF_TYPE_BIT(GF_F32) | GF_TYPE_BIT(GF_F64))
#define GF_TYPES_ALL       (GF_TYPES_INTEGER | GF_TYPES_FLOAT)
#define GF_ARRAY_ALIGNMENT 256 /* of scratch memory */

/* What every call has; the call struct of a primitive begins with it, and has shapes and whatever else is
 * read and written behind it. */
struct gf_array_call {
    gf_queue queue;
    gf_array_options options;
    int64_t n;      /* elements of `in`, or of what max_n and the threads are measured by */
    const void *in; /* of a primitive with one input */
    void *out;      /* the same */
    void *scratch;
    size_t scratch_bytes;
};

struct gf_array_variant {
    gf_variant info;

    /* What it cannot take beyond type, device and max_n: gf_fail with GF_ERROR_UNSUPPORTED or
     * GF_ERROR_ARGUMENT, naming what it can; NULL: takes all. Looks at options and n only, not at pointers.
     */
    gf_status (*check)(const struct gf_array_call *call, gf_error *error);

    /* Bytes of scratch for options and n; NULL: none. */
    size_t (*scratch)(const struct gf_array_call *call);

    /* Runs a checked call; n may be 0. */
    gf_status (*run)(const struct gf_array_call *call, gf_error *error);
};

struct gf_array_primitive {
    gf_primitive info;
    const struct gf_array_variant *variants; /* the CPU's, "sequential" and "auto" first; then CUDA's, "auto"
                                              * first; ended by a zero row */
};

/* The index-th variant of a primitive: its own, then the module's. NULL past the last. */
const struct gf_array_variant *gf_array_variant_at(const struct gf_array_primitive *primitive, size_t index);

/* The variant that the call's options and device name. Checks n, options, type and device. */
gf_status gf_array_find(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                        const struct gf_array_variant **variant, gf_error *error);

/* The body of gf_NAME_scratch. */
gf_status gf_array_scratch(const struct gf_array_primitive *primitive, const struct gf_array_call *call,
                           size_t *bytes, gf_error *error);

/* An input or an output: what a message calls it, where it lies, and how. */
struct gf_array_operand {
    const char *name; /* "the first array" */
    const void *memory;
    int64_t n;        /* elements; NULL is allowed for none */
    size_t alignment; /* bytes; of an unknown type 0, which is refused before */
};

/* The body of gf_NAME, of a call that has all but scratch memory: finds the variant, checks the operands,
 * which a row of zeros ends, and the scratch memory, puts this into the call, and runs. */
gf_status gf_array_run(const struct gf_array_primitive *primitive, struct gf_array_call *call,
                       const struct gf_array_operand *operands, void *scratch, size_t scratch_bytes,
                       gf_error *error);

/* The threads a CPU variant should use for n elements: options.threads, or of the processors so many that
 * each gets `pays` elements, a fifth of a millisecond's work. A call starts its threads and waits for their
 * end: 20 us each where processors are free, and until they have had their turn where others are at work. */
int32_t gf_array_threads(const struct gf_array_call *call, int64_t pays);
enum { GF_ARRAY_PAYS = 1 << 18 }; /* of what takes about a nanosecond an element */

/* The same for what only reads, as fast as memory is: so many bytes each. */
static inline int32_t gf_array_readers(const struct gf_array_call *call)
{
    enum { BYTES = 1 << 20 };
    return gf_array_threads(call, BYTES / (int64_t)gf_depth_size(call->options.type));
}

/* Where the thread's equal share of n elements begins; it ends where the next thread's begins. */
static inline int64_t gf_array_share(int64_t n, int32_t thread, int32_t threads)
{
    return n / threads * thread + n % threads * thread / threads;
}

/* The next part of a scratch memory that is laid out piece by piece, each aligned to 256 bytes. Start with
 * *used = 0; with memory NULL it only adds up, so that one function can serve both gf_array_variant.scratch
 * and .run. */
static inline void *gf_scratch_take(void *memory, size_t *used, size_t bytes)
{
    size_t at = *used;
    *used = at + (bytes + GF_ARRAY_ALIGNMENT - 1) / GF_ARRAY_ALIGNMENT * GF_ARRAY_ALIGNMENT;
    return memory ? (char *)memory + at : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
