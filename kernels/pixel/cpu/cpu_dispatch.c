/* Chooses the row functions that run here: those of the processor's level and the levels below it. */
#include "pixel/cpu/cpu_rows.h"

#include "base/cpu_level.h"

/* The processor's level, or one more that only pictures have: AVX-512 that adds products of words at once. */
static int highest(void)
{
    int level = (int)gf_cpu_level();
#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)
    level += level == GF_CPU_AVX512 && __builtin_cpu_supports("avx512vnni");
#endif
    return level;
}

const struct gf_cpu_rows *gf_cpu_rows_level(int level)
{
#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)
    static const struct gf_cpu_rows *const tables[] = {&gf_cpu_rows_baseline, &gf_cpu_rows_avx2,
                                                       &gf_cpu_rows_avx512, &gf_cpu_rows_vnni};
#else
    static const struct gf_cpu_rows *const tables[] = {&gf_cpu_rows_baseline};
#endif
    return level >= 0 && level <= highest() ? tables[level] : NULL;
}

const struct gf_cpu_rows *gf_cpu_rows_best(void)
{
    return gf_cpu_rows_level(highest());
}
