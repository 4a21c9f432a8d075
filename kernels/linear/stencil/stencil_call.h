/* A stencil to compute: what gf_stencil checked and hands to a variant. */
#pragma once

#include "array/common/variant.h"
#include "gpufilter/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_STENCIL_SIDE = 32, GF_STENCIL_TAPS = 256 };
enum { GF_STENCIL_TEXTURE_COLUMNS = 131072, GF_STENCIL_TEXTURE_ROWS = 65000 }; /* of a texture, at most */

/* A weight that is not 0, rounded to each type, and whose neighbour it is for. */
struct gf_stencil_tap {
    int32_t y, x;
    float f32;
    double f64;
};

/* array.n is rows * columns. */
struct gf_stencil_call {
    struct gf_array_call array;
    int64_t rows, columns, steps; /* steps at least 1 */
    int32_t border;
    double value;                  /* of the type */
    int32_t up, down, left, right; /* how far the taps reach; at least 0 */
    int32_t count;                 /* of taps, at least 1, in raster order */
    struct gf_stencil_tap taps[GF_STENCIL_TAPS];
};

GF_ARRAY_CALL_OF(gf_stencil_call)

/* Return where pass i of several reads, and where it writes: in turns the scratch memory and the output,
 * which the last one writes. */
static inline const void *gf_stencil_from(const struct gf_array_call *call, int64_t i, int64_t passes)
{
    return i == 0 ? call->in : (passes - i) % 2 == 0 ? call->out : call->scratch;
}
static inline void *gf_stencil_to(const struct gf_array_call *call, int64_t i, int64_t passes)
{
    return (passes - i) % 2 == 1 ? call->out : call->scratch;
}

/* Bytes that such turns take. */
static inline size_t gf_stencil_turns(const struct gf_array_call *call, int64_t passes)
{
    return passes > 1 ? (size_t)call->n * gf_depth_size(call->options.type) : 0;
}

gf_array_scratch_fn gf_stencil_plain_scratch; /* a pass a step */
gf_array_run_fn gf_stencil_sequential, gf_stencil_cpu, gf_stencil_cuda, gf_stencil_naive_cuda,
    gf_stencil_shared_cuda, gf_stencil_texture_cuda;
gf_array_scratch_fn gf_stencil_cpu_scratch, gf_stencil_cuda_scratch, gf_stencil_texture_scratch;

#ifdef __cplusplus
}
#endif
