/* Cases that run what one SIMD level of x86 has, where the processor has it. */
#ifndef LEVEL_CASE_H
#define LEVEL_CASE_H

#include "base/cpu_level.h"
#include "check.h"

/* As in LEVEL_CASE(avx2, GF_CPU_AVX2, run(lines_avx2);). What it names is there on x86 alone. */
#ifdef __x86_64__
#define LEVEL_CASE(name, level, ...)                                                                         \
    static void name(void)                                                                                   \
    {                                                                                                        \
        if (gf_cpu_level() < (level)) {                                                                      \
            SKIP("this processor has no " #level);                                                           \
        }                                                                                                    \
        __VA_ARGS__                                                                                          \
    }
#else
#define LEVEL_CASE(name, level, ...)                                                                         \
    static void name(void)                                                                                   \
    {                                                                                                        \
        SKIP("no such level on this processor");                                                             \
    }
#endif

#endif
