/* Variants of array primitives: one table a primitive, one way to look up, check and run.
 *
 * A primitive is NAME.c: its public functions, its call struct (NAME_call.h), which begins with a struct
 * gf_array_call, and its table, listed in primitives/primitives.def. Variants of CUDA lie in NAME_*_cuda.cu,
 * of vendors in vendor/. It lies in array/ if it takes arrays, in linear/ if it takes matrices. */
#pragma once

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

/* The functions of variants, by which NAME_call.h declares its own: gf_array_run_fn gf_sort_cpu, ... */
typedef gf_status gf_array_run_fn(const struct gf_array_call *call, gf_error *error);
typedef size_t gf_array_scratch_fn(const struct gf_array_call *call);

/* Defines gf_NAME_call_of: the call of a primitive, of which what every call has is the first member. */
#define GF_ARRAY_CALL_OF(name)                                                                               \
    static inline const struct name *name##_of(const struct gf_array_call *call)                             \
    {                                                                                                        \
        return (const struct name *)(const void *)call;                                                      \
    }

struct gf_array_variant {
    gf_variant info;

    /* Refuses what it cannot take beyond type, device and max_n: gf_fail with GF_ERROR_UNSUPPORTED or
     * GF_ERROR_ARGUMENT, naming what it can; NULL: takes all. Looks at options and n only, not at pointers.
     */
    gf_array_run_fn *check;

    /* Bytes of scratch for options and n; NULL: none. */
    gf_array_scratch_fn *scratch;

    /* Runs a checked call; n may be 0. */
    gf_array_run_fn *run;
};

struct gf_array_primitive {
    gf_primitive info;
    const struct gf_array_variant *variants; /* the CPU's, "sequential" and "auto" first; then CUDA's, "auto"
                                              * first; ended by a zero row */
};

/* The index-th variant of a primitive: its own, then the module's. NULL past the last. */
const struct gf_array_variant *gf_array_variant_at(const struct gf_array_primitive *primitive, size_t index);

/* The index-th variant of CUDA where there is no CUDA; NULL past the last. */
const struct gf_array_variant *gf_array_missing_at(const struct gf_array_primitive *primitive, size_t index);

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
    size_t alignment; /* bytes; 0 for an unknown type, which is refused before */
};

/* The body of gf_NAME, for a call that has all but scratch memory: finds the variant, checks the operands,
 * which a row of zeros ends, and the scratch memory, puts this into the call, and runs. */
gf_status gf_array_run(const struct gf_array_primitive *primitive, struct gf_array_call *call,
                       const struct gf_array_operand *operands, void *scratch, size_t scratch_bytes,
                       gf_error *error);

/* For messages: the names of these types, a list in words. */
struct gf_text;
void gf_array_type_names(struct gf_text *text, uint32_t types);

/* What several primitives check; `name` is theirs. Room for so many results; the segments of n elements. */
gf_status gf_array_check_capacity(const char *name, int64_t capacity, gf_error *error);
gf_status gf_array_check_segments(const char *name, int64_t n, int64_t segments, gf_error *error);

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

/* Returns where the thread's equal share of n elements begins; it ends where the next thread's begins. */
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
