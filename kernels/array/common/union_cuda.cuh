/* Sets of numbered things, united by many threads at once: each has a parent, one of a lower number in its
 * set or itself, so that the root of a set is its lowest number however threads are scheduled (Komura's label
 * equivalence, as Playne and Hawick have it). All through relaxed memory. */
#ifndef GF_ARRAY_UNION_CUDA_CUH
#define GF_ARRAY_UNION_CUDA_CUH

#include "base/gf_cuda.h"

/* SHORTEN: the way there is halved for those who come later; where another thread has lowered a parent at the
 * same time, the lower one stays. */
template <bool SHORTEN> GF_DEVICE_FN uint32_t gf_union_find(uint32_t *parent, uint32_t i)
{
    for (uint32_t up = gf_load_relaxed(parent + i); up != i;) {
        const uint32_t above = gf_load_relaxed(parent + up);
        if constexpr (SHORTEN) {
            if (above != up) {
                gf_atomic_min(parent + i, above);
            }
        }
        i = up;
        up = above;
    }
    return i;
}

/* The lower root stays. Where another thread was faster, what it put there is united, too. */
template <bool SHORTEN> GF_DEVICE_FN void gf_union_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = gf_union_find<SHORTEN>(parent, a);
    b = gf_union_find<SHORTEN>(parent, b);
    while (a != b) {
        const uint32_t high = a > b ? a : b, low = a > b ? b : a;
        const uint32_t was = gf_atomic_min(parent + high, low);
        if (was == high) {
            return;
        }
        a = gf_union_find<SHORTEN>(parent, was);
        b = gf_union_find<SHORTEN>(parent, low);
    }
}

#endif
