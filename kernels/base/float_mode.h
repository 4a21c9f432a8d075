/* The floating-point mode that the numbers need, for the time a thread works on them: round to nearest,
 * subnormals kept, nothing trapped. An embedding program may have it otherwise, and gets it back. */
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>

typedef unsigned gf_float_mode;

static inline void gf_float_mode_set(gf_float_mode *saved)
{
    *saved = _mm_getcsr();
    _mm_setcsr(0x1f80);
}

static inline void gf_float_mode_restore(const gf_float_mode *saved)
{
    _mm_setcsr(*saved);
}

#else
#include <fenv.h>

typedef fenv_t gf_float_mode;

static inline void gf_float_mode_set(gf_float_mode *saved)
{
    fegetenv(saved);
    fesetenv(FE_DFL_ENV);
}

static inline void gf_float_mode_restore(const gf_float_mode *saved)
{
    fesetenv(saved);
}

#endif
