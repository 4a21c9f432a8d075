/* One introsort (D. R. Musser, 1997): quicksort with the median of three, heapsort where its depth says that
 * the pivots are bad, insertion sort for what is short. Not stable. Include it once for each type:
 *
 *   GF_INTRO_T             the element
 *   GF_INTRO(word)         the names of its functions
 *   GF_INTRO_BEFORE(a, b)  whether a goes before b; both are values
 *
 * makes  static void GF_INTRO(sort)(GF_INTRO_T *a, int64_t n). It undefines all three. */

/* Up to so many are inserted one by one. */
#ifndef GF_ARRAY_SORT_INTRO_H
#define GF_ARRAY_SORT_INTRO_H

#include "base/planted_fault.h"

enum { GF_INTRO_SHORT = 24 };
#endif

static void GF_INTRO(insert)(GF_INTRO_T *a, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        const GF_INTRO_T x = a[i];
        int64_t at = i;
        for (; at > 0 && GF_INTRO_BEFORE(x, a[at - 1]); at--) {
            a[at] = a[at - 1];
        }
        a[at] = x;
    }
}

static void GF_INTRO(sift)(GF_INTRO_T *heap, int64_t root, int64_t n)
{
    const GF_INTRO_T moved = heap[root];
    for (int64_t child; (child = 2 * root + 1) < n; root = child) {
        child += child + 1 < n && GF_INTRO_BEFORE(heap[child], heap[child + 1]);
        if (!GF_INTRO_BEFORE(moved, heap[child])) {
            break;
        }
        heap[root] = heap[child];
    }
    heap[root] = moved;
}

/* J. W. J. Williams' heapsort (1964): never quadratic. */
static void GF_INTRO(heap)(GF_INTRO_T *a, int64_t n)
{
    for (int64_t i = n / 2 - 1; i >= 0; i--) {
        GF_INTRO(sift)(a, i, n);
    }
    for (int64_t i = n - 1 - GF_FAULT(sort_loop_heap); i > 0; i--) {
        const GF_INTRO_T last = a[i];
        a[i] = a[0];
        a[0] = last;
        GF_INTRO(sift)(a, 0, i);
    }
}

static GF_INTRO_T GF_INTRO(median)(GF_INTRO_T a, GF_INTRO_T b, GF_INTRO_T c)
{
    if (GF_INTRO_BEFORE(b, a)) {
        const GF_INTRO_T swap = a;
        a = b;
        b = swap;
    }
    return !GF_INTRO_BEFORE(c, b) ? b : GF_INTRO_BEFORE(c, a) ? a : c;
}

/* C. A. R. Hoare's partition (1961): returns how many elements stand in front, none of which goes behind any
 * other. The pivot is one of three, so both scans end within the array, and both parts have elements. */
static int64_t GF_INTRO(part)(GF_INTRO_T *a, int64_t n)
{
    const GF_INTRO_T pivot = GF_INTRO(median)(a[0], a[n / 2], a[n - 1]);
    for (int64_t i = 0, j = n - 1;; i++, j--) {
        while (GF_INTRO_BEFORE(a[i], pivot)) {
            i++;
        }
        while (GF_INTRO_BEFORE(pivot, a[j])) {
            j--;
        }
        if (i >= j) {
            return j + 1;
        }
        const GF_INTRO_T swap = a[i];
        a[i] = a[j];
        a[j] = swap;
    }
}

/* The shorter part first, and by a call: so calls lie at most log2 n deep. */
static void GF_INTRO(quick)(GF_INTRO_T *a, int64_t n, int depth)
{
    while (n > GF_INTRO_SHORT) {
        if (depth-- == 0) {
            GF_INTRO(heap)(a, n);
            return;
        }
        const int64_t front = GF_INTRO(part)(a, n);
        const int first = front < n - front;
        GF_INTRO(quick)(first ? a : a + front, first ? front : n - front, depth);
        a = first ? a + front : a;
        n = first ? n - front : front;
    }
    GF_INTRO(insert)(a, n);
}

static void GF_INTRO(sort)(GF_INTRO_T *a, int64_t n)
{
    int depth = 0;
    for (int64_t left = n; left > 1; left /= 2) {
        depth += 2;
    }
    GF_INTRO(quick)(a, n, depth);
}

#undef GF_INTRO_T
#undef GF_INTRO
#undef GF_INTRO_BEFORE
