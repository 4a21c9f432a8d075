/* The definition of the stencil. */
#include "base/float_mode.h"
#include "base/gf_border.h"
#include "base/gf_num.h"
#include "linear/stencil/stencil_call.h"

#include <math.h>

#define STENCIL(name, T, add, end)                                                                           \
    static T element_##name(const struct gf_stencil_call *c, const T *in, int64_t y, int64_t x)              \
    {                                                                                                        \
        T sum = 0;                                                                                           \
        for (int32_t t = 0; t < c->count; t++) {                                                             \
            const int64_t v = gf_border_index(y + c->taps[t].y, c->rows, c->border);                         \
            const int64_t u = gf_border_index(x + c->taps[t].x, c->columns, c->border);                      \
            const T sample = v < 0 || u < 0 ? (T)c->value : in[v * c->columns + u];                          \
            sum = t == 0 ? c->taps[t].name * sample : add(c->taps[t].name, sample, sum);                     \
        }                                                                                                    \
        return end(sum);                                                                                     \
    }                                                                                                        \
    static void step_##name(const struct gf_stencil_call *c, const T *in, T *out)                            \
    {                                                                                                        \
        for (int64_t y = 0; y < c->rows; y++) {                                                              \
            for (int64_t x = 0; x < c->columns; x++) {                                                       \
                out[y * c->columns + x] = element_##name(c, in, y, x);                                       \
            }                                                                                                \
        }                                                                                                    \
    }

STENCIL(f32, float, gf_fma, gf_canonical)
STENCIL(f64, double, fma, gf_canonical_double)

gf_status gf_stencil_sequential(const struct gf_array_call *array, gf_error *error)
{
    const struct gf_stencil_call *call = gf_stencil_call_of(array);
    gf_float_mode saved;
    (void)error;
    gf_float_mode_set(&saved); /* subnormal numbers are not zero */
    for (int64_t i = 0; array->n > 0 && i < call->steps; i++) {
        const void *from = gf_stencil_from(array, i, call->steps);
        void *to = gf_stencil_to(array, i, call->steps);
        if (array->options.type == GF_F32) {
            step_f32(call, from, to);
        } else {
            step_f64(call, from, to);
        }
    }
    gf_float_mode_restore(&saved);
    return GF_OK;
}
