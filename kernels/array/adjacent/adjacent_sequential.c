/* Differences as they are defined. */
#include "array/adjacent/adjacent_call.h"
#include "base/float_mode.h"

#include <math.h>
#include <string.h>

gf_status gf_adjacent_sequential(const struct gf_array_call *call, gf_error *error)
{
    const gf_depth type = call->options.type;
    const size_t size = gf_depth_size(type);
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i = 0; i < call->n; i++) {
        uint64_t now = 0, before = 0;
        memcpy(&now, (const char *)call->in + (size_t)i * size, size);
        if (i > 0) {
            memcpy(&before, (const char *)call->in + (size_t)(i - 1) * size, size);
        }
        if (type == GF_F32) {
            float a, b, d;
            memcpy(&a, &now, sizeof a);
            memcpy(&b, &before, sizeof b);
            d = i > 0 ? a - b : a;
            d = isnan(d) ? copysignf(NAN, 1) : d;
            memcpy(&now, &d, sizeof d);
        } else if (type == GF_F64) {
            double a, b, d;
            memcpy(&a, &now, sizeof a);
            memcpy(&b, &before, sizeof b);
            d = i > 0 ? a - b : a;
            d = isnan(d) ? copysign((double)NAN, 1) : d;
            memcpy(&now, &d, sizeof d);
        } else {
            now -= before;
        }
        memcpy((char *)call->out + (size_t)i * size, &now, size);
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
