/* Writing past the caches, where the processor can: memory larger than they are is not read before it is
 * written. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX__)
#include <immintrin.h>
#define GF_STREAM_STEP 32 /* bytes of a store; with 16 a copy takes a sixth longer */
#elif defined(__SSE2__)
#include <emmintrin.h>
#define GF_STREAM_STEP 16
#endif

#ifdef GF_STREAM_STEP
/* STEP bytes, at a multiple of STEP. Until gf_cpu_fence other threads may not see what was written. */
static inline void gf_cpu_stream_step(void *out, const void *in)
{
#if GF_STREAM_STEP == 32
    _mm256_stream_si256((__m256i *)out, _mm256_loadu_si256((const __m256i *)in));
#else
    _mm_stream_si128((__m128i *)out, _mm_loadu_si128((const __m128i *)in));
#endif
}

/* Returns how many of `bytes` bytes lie at `out` before the first multiple of STEP. */
static inline size_t gf_cpu_stream_head(const void *out, size_t bytes)
{
    const size_t head = -(uintptr_t)out % GF_STREAM_STEP;
    return head < bytes ? head : bytes;
}
#endif

/* memcpy. Until gf_cpu_fence other threads may not see what was written. */
static inline void gf_cpu_stream(void *out, const void *in, size_t bytes)
{
#ifdef GF_STREAM_STEP
    size_t i = gf_cpu_stream_head(out, bytes);
    memcpy(out, in, i);
    for (; i + GF_STREAM_STEP <= bytes; i += GF_STREAM_STEP) {
        gf_cpu_stream_step((char *)out + i, (const char *)in + i);
    }
    memcpy((char *)out + i, (const char *)in + i, bytes - i);
#else
    memcpy(out, in, bytes);
#endif
}

static inline void gf_cpu_fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}
