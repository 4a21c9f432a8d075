/* Writing past the caches, where the processor can: memory larger than they are is not read before it is
 * written. */
#ifndef GF_BASE_CPU_STREAM_H
#define GF_BASE_CPU_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* memcpy. Until gf_cpu_fence other threads may not see what was written. */
static inline void gf_cpu_stream(void *out, const void *in, size_t bytes)
{
#ifdef __SSE2__
    size_t head = (16 - ((uintptr_t)out & 15)) & 15;
    head = head < bytes ? head : bytes;
    memcpy(out, in, head);
    size_t i = head;
    for (; i + 64 <= bytes; i += 64) {
        for (size_t j = i; j < i + 64; j += 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)((const char *)in + j));
            _mm_stream_si128((__m128i *)(void *)((char *)out + j), v);
        }
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

#endif
