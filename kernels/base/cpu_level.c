#include "base/cpu_level.h"

#if defined(__x86_64__) && !defined(GF_ROWS_BASELINE_ONLY)

enum gf_cpu_level gf_cpu_level(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi2")) {
        return GF_CPU_BASELINE;
    }
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl")) {
        return GF_CPU_AVX2;
    }
    return GF_CPU_AVX512;
}

#else

enum gf_cpu_level gf_cpu_level(void)
{
    return GF_CPU_BASELINE;
}

#endif
