/* The runs that begin in a chunk of keys, on the CPU: for those who go through an array of keys. */
#pragma once

#include "array/compact/compact_rows.h"
#include "array/keyed/runs_lines.h"

enum { GF_RUNS_BLOCKS = 8, GF_RUNS_CHUNK = GF_RUNS_BLOCKS * GF_COMPACT_BLOCK };

/* How to find them; the same for all chunks. */
struct gf_runs_cpu {
    const void *keys;
    int64_t n;
    gf_depth type;
    gf_runs_line heads;
    const struct gf_compact_rows *rows;
};

/* Where each run of a chunk begins, counted from the chunk's first key, and the key of each. */
struct gf_runs_chunk {
    int64_t first;
    int32_t n, count; /* keys, runs that begin */
    uint32_t starts[GF_RUNS_CHUNK + GF_COMPACT_STEP];
    _Alignas(64) char keys[(GF_RUNS_CHUNK + GF_COMPACT_STEP) * sizeof(uint64_t)]; /* where they are wanted */
};

struct gf_runs_cpu gf_runs_cpu_of(const void *keys, int64_t n, gf_depth type);

/* Fills *chunk from key `first` on. wants_keys: or `keys` stays as it is. */
void gf_runs_cpu_take(const struct gf_runs_cpu *runs, int64_t first, int wants_keys,
                      struct gf_runs_chunk *chunk);
