/* Sets of vertices that several threads unite at once, as trees of labels: each vertex has that of a smaller
 * one of its set, or its own, and then is the set's root and smallest vertex. */
#pragma once

#include <stdint.h>

static inline uint32_t gf_root_of_label(uint32_t *labels, uint32_t v)
{
    uint32_t up = __atomic_load_n(&labels[v], __ATOMIC_RELAXED);
    while (up != v) {
        const uint32_t over = __atomic_load_n(&labels[up], __ATOMIC_RELAXED);
        if (over != up) { /* the next one takes half the way; that of somebody else is as good */
            __atomic_store_n(&labels[v], over, __ATOMIC_RELAXED);
        }
        v = up;
        up = over;
    }
    return v;
}

/* Unites the sets of the root a and of v. The root of both, as far as is known. */
static inline uint32_t gf_unite_labels(uint32_t *labels, uint32_t a, uint32_t v)
{
    uint32_t b = gf_root_of_label(labels, v);
    while (a != b) {
        const uint32_t low = a < b ? a : b;
        uint32_t high = a < b ? b : a;
        if (__atomic_compare_exchange_n(&labels[high], &high, low, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            return low;
        }
        a = gf_root_of_label(labels, high); /* which somebody else hooked it to */
        b = gf_root_of_label(labels, low);
    }
    return a;
}
