/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. */
#include "base/cpu_level.h"
#include "signal/edit.h"

#define RUN(name, made)                                                                                      \
    static void name(const void *args, void *state, const struct gf_track *in, int64_t frames,               \
                     const struct gf_track *out, int32_t channels)                                           \
    {                                                                                                        \
        const struct gf_signal_##name a = *(const struct gf_signal_##name *)args;                            \
        const struct gf_edit e = {*in, frames, state};                                                       \
        for (int32_t c = 0; c < (made); c++) {                                                               \
            for (int64_t i = 0; i < out->count; i++) {                                                       \
                out->data[c * out->pitch + i] = gf_##name##_frame(&a, &e, out->first + i, c);                \
            }                                                                                                \
        }                                                                                                    \
        (void)channels;                                                                                      \
    }
RUN(shift, channels)
RUN(fade, channels)
RUN(dither, channels)
RUN(mix, a.outputs)

const struct gf_edit_rows GF_LEVEL_NAME(gf_edit_rows) = {shift, fade, dither, mix};
