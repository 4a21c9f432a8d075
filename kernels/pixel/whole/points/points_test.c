/* Apart from points_cpu.c, so that the module of CUDA can have a copy of its own. */
#include "base/gf_order.h"
#include "pixel/whole/points/points.h"

#include <math.h>

struct gf_keep_test gf_points_test(const struct gf_points_args *args, int32_t c, gf_depth depth)
{
    const float lo = args->lo[c], hi = args->hi[c];
    static const struct gf_keep_test none = {0, UINT64_MAX, true};
    if (depth == GF_F32) { /* both zeros are one number, and two keys */
        const uint32_t least = gf_key_f32(lo == 0 ? -0.0F : lo);
        const uint32_t most = gf_key_f32(hi == 0 ? 0.0F : hi);
        return least <= most ? (struct gf_keep_test){least, most - least, false} : none;
    }
    const float white = (float)gf_depth_white(depth);
    const float least = lo > 0 ? ceilf(lo) : 0, most = hi < white ? floorf(hi) : white;
    return least <= most ? (struct gf_keep_test){(uint64_t)least, (uint64_t)(most - least), false} : none;
}
