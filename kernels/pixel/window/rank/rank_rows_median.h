/* Part of rank_rows.c, once for each SAMPLE: medians of squares. A block sorts its columns, then pairs of
 * columns that lie side by side; a window takes every other pair. */

enum {
    NAME(BLOCK) = BLOCK_BYTES / sizeof(SAMPLE),
    NAME(WIDE) = (BLOCK_BYTES + BESIDE_BYTES) / sizeof(SAMPLE)
};

static void NAME(sort_3)(const SAMPLE *const *rows, SAMPLE (*restrict sorted)[NAME(WIDE)], int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_3] = {rows[0][x], rows[1][x], rows[2][x]};
#define GF_NETWORK_SORT_3
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) sorted[i][x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(sort_5)(const SAMPLE *const *rows, SAMPLE (*restrict sorted)[NAME(WIDE)], int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_5] = {rows[0][x], rows[1][x], rows[2][x], rows[3][x], rows[4][x]};
#define GF_NETWORK_SORT_5
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) sorted[i][x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(sort_7)(const SAMPLE *const *rows, SAMPLE (*restrict sorted)[NAME(WIDE)], int64_t n)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_7] = {rows[0][x], rows[1][x], rows[2][x], rows[3][x],
                                         rows[4][x], rows[5][x], rows[6][x]};
#define GF_NETWORK_SORT_7
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) sorted[i][x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

/* `side` samples of column x + `apart`, as values from `first` on. */
#define TAKE(from, side, first, apart)                                                                       \
    for (int i = 0; i < (side); i++) {                                                                       \
        v[(first) + i] = (from)[i][x + (apart)];                                                             \
    }

static void NAME(pair_5)(SAMPLE (*restrict sorted)[NAME(WIDE)], SAMPLE (*restrict pairs)[NAME(WIDE)],
                         int64_t n, int64_t step)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_5];
        TAKE(sorted, 5, 0, 0)
        TAKE(sorted, 5, 5, step)
#define GF_NETWORK_PAIR_5
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) pairs[i][x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(pair_7)(SAMPLE (*restrict sorted)[NAME(WIDE)], SAMPLE (*restrict pairs)[NAME(WIDE)],
                         int64_t n, int64_t step)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_7];
        TAKE(sorted, 7, 0, 0)
        TAKE(sorted, 7, 7, step)
#define GF_NETWORK_PAIR_7
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) pairs[i][x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(median_of_3)(SAMPLE (*restrict sorted)[NAME(WIDE)], SAMPLE *restrict out, int64_t n,
                              int64_t step)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_3];
        TAKE(sorted, 3, 0, 0)
        TAKE(sorted, 3, 3, step)
        TAKE(sorted, 3, 6, 2 * step)
#define GF_NETWORK_MEDIAN_3
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) out[x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

/* The core of the first columns, then with the last one the median. */
static void NAME(median_of_5)(SAMPLE (*restrict sorted)[NAME(WIDE)], SAMPLE (*restrict pairs)[NAME(WIDE)],
                              SAMPLE *restrict out, int64_t n, int64_t step)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_5], core[6];
        TAKE(pairs, 10, 0, 0)
        TAKE(pairs, 10, 10, 2 * step)
#define GF_NETWORK_CORE_5
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) core[i] = v[value];
#include "pixel/window/rank/rank_networks.def"
        for (int i = 0; i < 6; i++) {
            v[i] = core[i];
        }
        TAKE(sorted, 5, 6, 4 * step)
#define GF_NETWORK_JOIN_5
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) out[x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(median_of_7)(SAMPLE (*restrict sorted)[NAME(WIDE)], SAMPLE (*restrict pairs)[NAME(WIDE)],
                              SAMPLE *restrict out, int64_t n, int64_t step)
{
    for (int64_t x = 0; x < n; x++) {
        SAMPLE v[GF_NETWORK_VALUES_7], core[8];
        TAKE(pairs, 14, 0, 0)
        TAKE(pairs, 14, 14, 2 * step)
        TAKE(pairs, 14, 28, 4 * step)
#define GF_NETWORK_CORE_7
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) core[i] = v[value];
#include "pixel/window/rank/rank_networks.def"
        for (int i = 0; i < 8; i++) {
            v[i] = core[i];
        }
        TAKE(sorted, 7, 8, 6 * step)
#define GF_NETWORK_JOIN_7
#define GF_LEAST          VALUE_LEAST
#define GF_MOST           VALUE_MOST
#define GF_MADE(i, value) out[x] = v[value];
#include "pixel/window/rank/rank_networks.def"
    }
}

static void NAME(median)(const void *const *rows, void *out, int64_t n, int64_t step, int side,
                         const void *ahead)
{
    _Alignas(64) SAMPLE sorted[7][NAME(WIDE)];
    _Alignas(64) SAMPLE pairs[14][NAME(WIDE)];
    int64_t from = side == 3 ? NAME(squares)(rows, out, n, step, ahead) : 0;
    for (; from < n; from += NAME(BLOCK)) {
        const int64_t m = n - from < NAME(BLOCK) ? n - from : NAME(BLOCK), line = m + (side - 1) * step;
        const SAMPLE *at[7];
        SAMPLE *to = (SAMPLE *)out + from;
        for (int64_t i = from; i < from + m; i += 64 / (int64_t)sizeof(SAMPLE)) {
            __builtin_prefetch((const SAMPLE *)ahead + i);
        }
        for (int i = 0; i < side; i++) {
            at[i] = (const SAMPLE *)rows[i] + from;
        }
        if (side == 3) {
            NAME(sort_3)(at, sorted, line);
            NAME(median_of_3)(sorted, to, m, step);
        } else if (side == 5) {
            NAME(sort_5)(at, sorted, line);
            NAME(pair_5)(sorted, pairs, line - step, step);
            NAME(median_of_5)(sorted, pairs, to, m, step);
        } else {
            NAME(sort_7)(at, sorted, line);
            NAME(pair_7)(sorted, pairs, line - step, step);
            NAME(median_of_7)(sorted, pairs, to, m, step);
        }
    }
}

static void NAME(median_3)(const void *const *rows, void *out, int64_t n, int64_t step, const void *ahead)
{
    NAME(median)(rows, out, n, step, 3, ahead);
}
static void NAME(median_5)(const void *const *rows, void *out, int64_t n, int64_t step, const void *ahead)
{
    NAME(median)(rows, out, n, step, 5, ahead);
}
static void NAME(median_7)(const void *const *rows, void *out, int64_t n, int64_t step, const void *ahead)
{
    NAME(median)(rows, out, n, step, 7, ahead);
}

#undef TAKE
