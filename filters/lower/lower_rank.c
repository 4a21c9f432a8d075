/* WINDOW builder of ranks. */
#include "lower/lowering_private.h"
#include "pixel/window/rank/rank.h"

gf_value_id gf_lower_rank(gf_lowering *l, gf_value_id v, int64_t radius, double percentile)
{
    const struct gf_value *picture = gf_lowering_samples(l, v);
    if (!picture) {
        return 0;
    }
    const bool signal = picture->height == 1; /* has one dimension */
    const int64_t longer = picture->width > picture->height ? picture->width : picture->height;
    const int64_t limit = signal ? GF_RANK_MOST_SIGNAL : GF_RANK_MOST, least = 64; /* of small ones */
    const int64_t most = longer < least ? least : longer < limit ? longer : limit;
    if (!(radius >= 0 && radius <= most)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "radius is %lld px, must be from 0 to %lld%s", (long long)radius,
                      (long long)most, longer == most ? ", the longer side of the picture" : "");
        return 0;
    }
    if (!(percentile >= 0 && percentile <= 100)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "percentile is %g, must be from 0 to 100", percentile);
        return 0;
    }
    const struct gf_rank_args args = gf_rank_make((int32_t)radius, signal ? 0 : (int32_t)radius, percentile);
    return gf_lowering_window(l, v, &gf_kernel_rank, &args, sizeof args);
}
