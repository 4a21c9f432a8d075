/* What the files of ranks on the CPU share: rank_cpu.c, which chooses, rank_bytes_cpu.c and rank_codes_cpu.c,
 * two methods, rank_picture_cpu.c, medians of 3 x 3 without a ring of lines, and rank_rows.c, their inner
 * loops once per SIMD level. */
#pragma once

#include "pixel/cpu/cpu_pass.h"
#include "pixel/window/rank/rank.h"

/* A column of bytes is counted twice: by its upper four bits, and by all of them. */
enum { GF_RANK_NIBBLES = 16, GF_RANK_COLUMN = GF_RANK_NIBBLES + 256 };

/* Up to this radius_y there are so few samples in a column that windows count them one by one. */
enum { GF_RANK_THIN = 3 };

/* A row of windows over bytes, to be searched. */
struct gf_rank_search {
    const uint16_t *columns; /* counts of each column, GF_RANK_COLUMN each; NULL: thin windows */
    const uint8_t *rows[2 * GF_RANK_THIN + 1]; /* thin windows: the rows themselves */
    int64_t radius_x, radius_y;
    int64_t pixels, channels;
    uint32_t index; /* of the byte wanted, in ascending order */
    uint32_t n;     /* of a window */
};

/* The samples of a column, one after the other: the byte that is searched first, and with it the rest. */
struct gf_rank_column {
    const uint8_t *bytes;
    const uint32_t *codes; /* byte << 24 | rest */
    int64_t n;
};

/* Counts of the rests of one byte: `levels` levels, each of which counts 16 neighbours of the one below. */
enum { GF_RANK_LEVELS = 8 };
struct gf_rank_counts {
    int32_t levels;
    size_t at[GF_RANK_LEVELS]; /* where each begins, the finest first; its end: */
    size_t size;
};

struct gf_rank_rows {
    /* Medians of squares of side 3, 5 and 7 of u8, u16 and u32: n samples from rows of n + (side - 1) step.
     * `ahead`: n samples that are asked for on the way, since they are read next. */
    void (*median[3][3])(const void *const *rows, void *out, int64_t n, int64_t step, const void *ahead);
    /* One sample enters each of n columns, and one leaves it (NULL: none). */
    void (*count)(uint16_t *columns, const uint8_t *enter, const uint8_t *leave, int64_t n);
    /* Finds for each sample of a row the byte that is wanted, and the place of the wanted one among those
     * with that byte (NULL: not asked). */
    void (*search)(const struct gf_rank_search *search, uint8_t *bytes, uint32_t *places);
    /* counts += step for each rest of the column that comes with that byte. */
    void (*add)(const struct gf_rank_column *column, uint8_t byte, const struct gf_rank_counts *shape,
                uint32_t *counts, uint32_t step);
};

extern const struct gf_rank_rows gf_rank_rows_baseline, gf_rank_rows_avx2, gf_rank_rows_avx512;

/* Rings of lines: bytes of the whole, and row v of one that begins at `ring`. */
static inline int64_t gf_rank_slot(const struct gf_cpu_tile *tile, int64_t v, int64_t rows)
{
    return (v - (tile->y0 - tile->plan->window.radius_y)) % rows;
}

/* What a strip may take: `most` bytes, or where windows are wide what keeps half of its lines for itself. */
static inline int64_t gf_rank_budget(const struct gf_cpu_window *window, int64_t most)
{
    const int64_t channels = window->pass->window.channels_in, width = window->pass->width;
    int64_t strip = 2 * window->radius_x + 256;
    strip = strip < width ? strip : width;
    const int64_t bytes =
        (int64_t)window->state_bytes(window, strip * channels, (strip + 2 * window->radius_x) * channels);
    return bytes > most ? bytes : most;
}

/* Medians of 3 x 3 of rows that lie in the picture; false: they do not, or windows are larger. */
bool gf_rank_by_rows(struct gf_cpu_window *window);

/* The methods: each fills *window, whose radii and pass are set. */
void gf_rank_by_bytes(struct gf_cpu_window *window); /* u8 */
void gf_rank_by_codes(struct gf_cpu_window *window); /* u16, f32 */
