/* One SIMD level of the inner loops: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and the machine
 * options of that level. */
#include "array/keyed/runs_lines.h"

#include "base/cpu_level.h"

/* W: an unsigned integer as wide as the elements, so that flags of vectors are made in it. */
#define HEADS(name, T, W, differ)                                                                            \
    static int32_t name(const void *keys, int64_t first, int32_t n, uint8_t *flags)                          \
    {                                                                                                        \
        const T *p = (const T *)keys + first;                                                                \
        int32_t i = 0, count = 0;                                                                            \
        if (first == 0 && n > 0) {                                                                           \
            flags[i++] = 1;                                                                                  \
        }                                                                                                    \
        for (; i < n; i++) {                                                                                 \
            const T a = p[i - 1], b = p[i];                                                                  \
            flags[i] = (uint8_t)(W)(differ);                                                                 \
        }                                                                                                    \
        for (i = 0; i < n; i++) {                                                                            \
            count += flags[i];                                                                               \
        }                                                                                                    \
        return count;                                                                                        \
    }
#define NUMBERS_DIFFER ((a != b) & ((a == a) | (b == b)))
HEADS(heads_8, uint8_t, uint8_t, a != b)
HEADS(heads_16, uint16_t, uint16_t, a != b)
HEADS(heads_32, uint32_t, uint32_t, a != b)
HEADS(heads_64, uint64_t, uint64_t, a != b)
HEADS(heads_f32, float, uint32_t, NUMBERS_DIFFER)
HEADS(heads_f64, double, uint64_t, NUMBERS_DIFFER)

const gf_runs_line GF_LEVEL_NAME(gf_runs_lines)[GF_S64 + 1] = {
    [GF_U8] = heads_8,   [GF_U16] = heads_16, [GF_U32] = heads_32,  [GF_U64] = heads_64,  [GF_S16] = heads_16,
    [GF_S32] = heads_32, [GF_S64] = heads_64, [GF_F32] = heads_f32, [GF_F64] = heads_f64,
};
