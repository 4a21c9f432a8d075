/* Which SIMD levels run here. A plain table and a question to the processor: no ifunc, so that
 * sanitizers work, and no state. */
#include "pixel/cpu_rows.h"

#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const struct gf_cpu_rows *gf_cpu_rows_level(int level)
{
    if (level == 0) {
        return &gf_cpu_rows_baseline;
    }
    if (level == 1 && has_avx2()) {
        return &gf_cpu_rows_avx2;
    }
    return level == 2 && has_avx512() ? &gf_cpu_rows_avx512 : NULL;
}

#else

const struct gf_cpu_rows *gf_cpu_rows_level(int level)
{
    return level == 0 ? &gf_cpu_rows_baseline : NULL;
}

#endif

const struct gf_cpu_rows *gf_cpu_rows_best(void)
{
    const struct gf_cpu_rows *best = gf_cpu_rows_level(0);
    for (int level = 1; gf_cpu_rows_level(level) != NULL; level++) {
        best = gf_cpu_rows_level(level);
    }
    return best;
}
