#include "array/keyed/runs_cpu.h"

#include "base/cpu_level.h"

#include <string.h>

struct gf_runs_cpu gf_runs_cpu_of(const void *keys, int64_t n, gf_depth type)
{
    return (struct gf_runs_cpu){keys, n, type, GF_LEVEL_BEST(gf_runs_lines)[type], gf_compact_rows_best()};
}

void gf_runs_cpu_take(const struct gf_runs_cpu *runs, int64_t first, int wants_keys,
                      struct gf_runs_chunk *chunk)
{
    const size_t size = gf_depth_size(runs->type);
    const int width = size == 8 ? 3 : size == 4 ? 2 : size == 2;
    chunk->first = first;
    chunk->n = runs->n - first < GF_RUNS_CHUNK ? (int32_t)(runs->n - first) : GF_RUNS_CHUNK;
    chunk->count = 0;
    for (int32_t i = 0; i < chunk->n; i += GF_COMPACT_BLOCK) {
        uint8_t flags[GF_COMPACT_BLOCK], bits[GF_COMPACT_BLOCK / 8];
        const int32_t n = chunk->n - i < GF_COMPACT_BLOCK ? chunk->n - i : GF_COMPACT_BLOCK;
        const int32_t up = (n + GF_COMPACT_STEP - 1) / GF_COMPACT_STEP * GF_COMPACT_STEP;
        const char *keys = (const char *)runs->keys + (size_t)(first + i) * size;
        char tail[GF_COMPACT_BLOCK * sizeof(uint64_t)];
        const int32_t count = runs->heads(runs->keys, first + i, n, flags);
        if (count == 0) {
            continue;
        }
        memset(flags + n, 0, (size_t)(GF_COMPACT_BLOCK - n));
        runs->rows->bits(flags, bits);
        (void)runs->rows->pack_u32((uint32_t)i, bits, up, chunk->starts + chunk->count);
        if (wants_keys) {
            if (n < up) { /* whole steps are read */
                memset(tail, 0, sizeof tail);
                memcpy(tail, keys, (size_t)n * size);
                keys = tail;
            }
            (void)runs->rows->pack[width](keys, bits, up, chunk->keys + (size_t)chunk->count * size);
        }
        chunk->count += count;
    }
}
