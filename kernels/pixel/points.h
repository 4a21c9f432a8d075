/* points: the pixels whose samples lie in an interval, in raster order. WHOLE:
 *   in[0] picture of u8, u16 or f32
 *   out[0] u64 [2]: rows that were made, and pixels that there are
 *   out[1] u32 rows of {x, y}; as many as it has room for are made
 *   out[2] f32 rows of the measured samples, exact, as many */
#ifndef GF_PIXEL_POINTS_H
#define GF_PIXEL_POINTS_H

#include "array/compact_call.h"
#include "pixel/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gf_points_args {
    struct gf_rect roi; /* where they are looked for; w > 0 */
    float lo, hi;       /* of every measured sample, both ends within; NaN is not */
    uint32_t mask;      /* channels measured */
};

/* Is a sample in the interval? As a compaction asks it. */
struct gf_keep_test gf_points_test(const struct gf_points_args *args, gf_depth depth);

size_t gf_points_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif
#endif
