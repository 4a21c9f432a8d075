/* Tells which SIMD level this processor has. No ifunc, so that sanitizers work, and no state. */
#pragma once

/* Files compiled once a level carry GF_ROWS_LEVEL=baseline, avx2 or avx512; where GF_ROWS_BASELINE_ONLY is
 * defined there is only the first. */
enum gf_cpu_level { GF_CPU_BASELINE, GF_CPU_AVX2, GF_CPU_AVX512 };

enum gf_cpu_level gf_cpu_level(void);

/* What such a file makes: GF_LEVEL_NAME(gf_scan_rows) is gf_scan_rows_avx2 on that level. */
#ifndef GF_ROWS_LEVEL
#define GF_ROWS_LEVEL baseline
#endif
#define GF_LEVEL_PASTE(name, level)  name##_##level
#define GF_LEVEL_EXPAND(name, level) GF_LEVEL_PASTE(name, level)
#define GF_LEVEL_NAME(name)          GF_LEVEL_EXPAND(name, GF_ROWS_LEVEL)

/* The one that runs here: GF_LEVEL_BEST(&gf_scan_rows), or for arrays GF_LEVEL_BEST(gf_search_lines). */
#ifdef GF_ROWS_BASELINE_ONLY
#define GF_LEVEL_BEST(name) (name##_baseline)
#else
#define GF_LEVEL_BEST(name)                                                                                  \
    (gf_cpu_level() == GF_CPU_AVX512 ? name##_avx512                                                         \
     : gf_cpu_level() == GF_CPU_AVX2 ? name##_avx2                                                           \
                                     : name##_baseline)
#endif
