/* Which row functions run here: those of the processor's level and the levels below it. */
#include "pixel/cpu_rows.h"

#include "base/cpu_level.h"

const struct gf_cpu_rows *gf_cpu_rows_level(int level)
{
#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)
    static const struct gf_cpu_rows *const tables[] = {&gf_cpu_rows_baseline, &gf_cpu_rows_avx2,
                                                       &gf_cpu_rows_avx512};
#else
    static const struct gf_cpu_rows *const tables[] = {&gf_cpu_rows_baseline};
#endif
    return level >= 0 && level <= (int)gf_cpu_level() ? tables[level] : NULL;
}

const struct gf_cpu_rows *gf_cpu_rows_best(void)
{
    return gf_cpu_rows_level((int)gf_cpu_level());
}
