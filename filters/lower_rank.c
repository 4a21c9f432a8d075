/* WINDOW builder of ranks. */
#include "lowering_private.h"
#include "pixel/rank.h"

gf_value_id gf_lower_rank(gf_lowering *l, gf_value_id v, int64_t radius, double percentile)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const int64_t most = picture->width > picture->height ? picture->width : picture->height;
    if (!(radius >= 0 && radius <= most && radius <= INT32_MAX)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "radius is %lld px, must be from 0 to %lld, the longer side of the picture of %lld x %lld "
            "pixels",
            (long long)radius, (long long)(most < INT32_MAX ? most : INT32_MAX), (long long)picture->width,
            (long long)picture->height);
        return 0;
    }
    if (!(percentile >= 0 && percentile <= 100)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "percentile is %g, must be from 0 to 100", percentile);
        return 0;
    }
    const int32_t radius_y = picture->height > 1 ? (int32_t)radius : 0; /* a signal has one dimension */
    const struct gf_rank_args args = gf_rank_make((int32_t)radius, radius_y, percentile);
    return gf_lowering_window(l, v, &gf_kernel_rank, &args, sizeof args);
}
