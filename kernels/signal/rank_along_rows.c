/* One SIMD level of ranks along time: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. */
#include "signal/rank_along.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"

#include <string.h>

enum { TOGETHER = GF_RANK_TOGETHER };

/* Keeps the `kept` least so far (of the keys turned by flip) in order: each key passes through the list. */
static void select(const uint32_t *key, int size, int rank, uint32_t *out)
{
    const uint32_t flip = rank > size / 2 ? UINT32_MAX : 0; /* from the nearer end */
    const int kept = 1 + (flip ? size - 1 - rank : rank);
    uint32_t list[GF_RANK_SMALL][TOGETHER];
    memset(list, 0xff, (size_t)kept * sizeof *list);
    for (int i = 0; i < size; i++) {
        uint32_t v[TOGETHER];
        for (int j = 0; j < TOGETHER; j++) {
            v[j] = key[i + j] ^ flip;
        }
        for (int k = 0; k < kept && k <= i; k++) {
            for (int j = 0; j < TOGETHER; j++) {
                const uint32_t a = list[k][j], b = v[j];
                list[k][j] = a < b ? a : b;
                v[j] = a < b ? b : a;
            }
        }
    }
    for (int j = 0; j < TOGETHER; j++) {
        out[j] = list[kept - 1][j] ^ flip;
    }
}

static void keys(const float *x, int64_t count, uint32_t *key)
{
    for (int64_t i = 0; i < count; i++) {
        key[i] = gf_float_key(x[i]);
    }
}

const struct gf_rank_along_rows GF_LEVEL_NAME(gf_rank_along_rows) = {.select = select, .keys = keys};
