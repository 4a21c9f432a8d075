/* Inner loops of the CPU's sort of keys alone, once a SIMD level, as reduce_lines.h. Keys of 32 and of 64
 * bits become codes: signed numbers whose order is the one asked for. One to one, so that codes alone are
 * moved. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* code(bits) is fold(bits) ^ flip, and bits(code) is fold(code ^ flip). fold turns round all but the sign of
 * a negative number where real is set: so floats ascend as integers do, -0 before +0. */
struct gf_sort_code {
    uint64_t flip;
    bool real; /* f32 or f64: NaN have no place in the order, and go behind all */
};

/* Where a split writes, and in the end has come to. */
struct gf_sort_halves {
    void *low, *low_end;   /* codes up to the pivot, ascending from low */
    void *high, *high_end; /* those beyond it, descending from high_end */
    void *nan;             /* the bits of NaN, in their order */
};

struct gf_sort_counts {
    int64_t low, nan; /* the others are high */
};

struct gf_sort_lines {
    /* Sorts n keys into out, with scratch memory for n. `in` may be out. depth: so many partitions lie one in
     * the other before the rest is left to an introsort; gf_sort_depth(n) if nobody wants to see that. */
    void (*sort)(const void *in, int64_t n, void *out, void *scratch, struct gf_sort_code code, int depth);

    /* The same in parts, for threads. A pivot of the code for n keys; what a share of them has on either
     * side; and the share split. With `codes` the input has codes already. */
    int64_t (*pivot)(const void *in, int64_t n, struct gf_sort_code code, bool codes);
    struct gf_sort_counts (*count)(const void *in, int64_t n, int64_t pivot, struct gf_sort_code code,
                                   bool codes);
    void (*split)(const void *in, int64_t n, int64_t pivot, struct gf_sort_code code, bool codes,
                  struct gf_sort_halves *to);
    /* Sorts n codes that lie in `from`, which is out or scratch memory at the same place. */
    void (*finish)(void *from, int64_t n, void *out, void *scratch, struct gf_sort_code code, int depth);
};

/* Indexed by bytes of a key / 8: 32 and 64 bits. No functions where nothing is better than radix sort. */
extern const struct gf_sort_lines gf_sort_lines_baseline[2];
extern const struct gf_sort_lines gf_sort_lines_avx2[2];
extern const struct gf_sort_lines gf_sort_lines_avx512[2];

/* Twice log2 n. */
static inline int gf_sort_depth(int64_t n)
{
    int depth = 0;
    for (; n > 1; n /= 2) {
        depth += 2;
    }
    return depth;
}
