/* points: the pixels whose samples lie in intervals, in raster order; or the first of them. WHOLE:
 *   in[0] picture of u8, u16 or f32
 *   out[0] u64 [2]: rows that were made, and pixels that there are
 *   out[1] u32 rows of {x, y}; as many as it has room for are made
 *   out[2] f32 rows of the measured samples, exact, as many */
#pragma once

#include "array/compact/compact_call.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_PICTURE_CHANNELS = 4 };

struct gf_points_args {
    struct gf_rect roi; /* where they are looked for; w > 0 */
    float lo[GF_PICTURE_CHANNELS],
        hi[GF_PICTURE_CHANNELS]; /* of each channel, both ends within; NaN is not */
    uint32_t mask;               /* channels measured: a sample of each must be in its interval */
    int64_t limit;               /* rows that are made at most, as many as there is room for; 0: all */
    int32_t first;               /* not 0: only the first is looked for, and there is room for one row */
};

/* The test, for a compaction, whether a sample of channel c is in its interval. */
struct gf_keep_test gf_points_test(const struct gf_points_args *args, int32_t c, gf_depth depth);

size_t gf_points_cuda_scratch(const struct gf_apply_run *run);

/* The first alone. Its scratch is 8 bytes. */
gf_status gf_points_first_cuda(const struct gf_apply_run *run, const struct gf_points_args *args,
                               gf_error *error);

#ifdef __cplusplus
}
#endif
