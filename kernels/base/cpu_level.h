/* Which SIMD level this processor has. A plain question, no ifunc, so that sanitizers work, and no state. */
#ifndef GF_BASE_CPU_LEVEL_H
#define GF_BASE_CPU_LEVEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Files compiled once a level carry GF_ROWS_LEVEL=baseline, avx2 or avx512; where GF_ROWS_BASELINE_ONLY is
 * defined there is only the first. */
enum gf_cpu_level { GF_CPU_BASELINE, GF_CPU_AVX2, GF_CPU_AVX512 };

enum gf_cpu_level gf_cpu_level(void);

#ifdef __cplusplus
}
#endif
#endif
