/* Codes: the distinct keys of a chunk in ascending order, by a table of those that occur, or by sorting. */
#include "pixel/window/rank/rank_codes_cpu.h"

#include <string.h>

enum { GROUPS = 256, DIGIT = 11, DIGITS = 1 << DIGIT, PASSES = 3 };

static struct gf_rank_counts shape_of(size_t width)
{
    struct gf_rank_counts shape = {0};
    for (size_t n = width;; n = (n + 15) / 16) {
        shape.at[shape.levels++] = shape.size;
        shape.size += (n + 15) / 16 * 16;
        if (n <= 16) {
            return shape;
        }
    }
}

static size_t width_of(size_t codes)
{
    return codes < GROUPS ? 1 : (codes + GROUPS - 1) / GROUPS;
}

size_t gf_rank_counts_bytes(size_t codes)
{
    return GROUPS * shape_of(width_of(codes)).size * sizeof(uint32_t);
}

static void begin(struct gf_rank_chunk *chunk, const struct gf_rank_coding *coding, int64_t codes)
{
    chunk->width = (uint32_t)width_of((size_t)codes);
    chunk->keys = coding->keys;
    chunk->codes = coding->codes;
    chunk->shape = shape_of(chunk->width);
}

/* The code of the next key. */
static uint32_t next_code(const struct gf_rank_chunk *chunk, uint32_t code)
{
    return (code & 0xffffffU) + 1 < chunk->width ? code + 1 : ((code >> 24) + 1) << 24;
}

void gf_rank_code_table(const struct gf_rank_coding *coding, uint32_t *table, int64_t kinds,
                        struct gf_rank_chunk *chunk)
{
    int64_t n = 0;
    uint32_t code = 0;
    for (int64_t key = 0; key < kinds; key++) {
        if (table[key]) {
            coding->keys[n++] = (uint32_t)key;
        }
    }
    begin(chunk, coding, n);
    for (int64_t i = 0; i < n; i++, code = next_code(chunk, code)) {
        table[coding->keys[i]] = code;
    }
}

static void put(const struct gf_rank_coding *coding, int64_t at, uint32_t code)
{
    coding->groups[at] = (uint8_t)(code >> 24);
    coding->codes[at] = code;
}

void gf_rank_code_row(const struct gf_rank_coding *coding, const uint32_t *table, const uint32_t *row,
                      int64_t r)
{
    for (int64_t i = 0; i < coding->line; i++) {
        put(coding, i * coding->stride + r, table[row[i]]);
    }
}

/* An item: the key, and where its code goes. */
uint64_t *gf_rank_items(const struct gf_rank_coding *coding, const uint32_t *row, int64_t r, uint64_t *items)
{
    for (int64_t i = 0; i < coding->line; i++) {
        *items++ = (uint64_t)row[i] << 32 | (uint64_t)(i * coding->stride + r);
    }
    return items;
}

static uint32_t digit_of(uint64_t item, int pass)
{
    return (uint32_t)(item >> (32 + pass * DIGIT)) & (DIGITS - 1);
}

/* Sorts by key; returns where the items lie then. */
static uint64_t *sort_items(uint64_t *items, uint64_t *other, int64_t n)
{
    uint32_t starts[PASSES][DIGITS] = {{0}};
    for (int64_t i = 0; i < n; i++) {
        for (int pass = 0; pass < PASSES; pass++) {
            starts[pass][digit_of(items[i], pass)]++;
        }
    }
    for (int pass = 0; pass < PASSES; pass++) {
        if (starts[pass][digit_of(items[0], pass)] == n) {
            continue; /* all have the same digit */
        }
        uint32_t sum = 0;
        for (int d = 0; d < DIGITS; d++) {
            const uint32_t count = starts[pass][d];
            starts[pass][d] = sum;
            sum += count;
        }
        for (int64_t i = 0; i < n; i++) {
            other[starts[pass][digit_of(items[i], pass)]++] = items[i];
        }
        uint64_t *swapped = items;
        items = other;
        other = swapped;
    }
    return items;
}

void gf_rank_code_sorted(const struct gf_rank_coding *coding, uint64_t *items, uint64_t *other,
                         struct gf_rank_chunk *chunk)
{
    const int64_t n = coding->line * coding->rows;
    const uint64_t *sorted = sort_items(items, other, n);
    if (sorted == items) { /* where keys and codes go */
        memcpy(other, items, (size_t)n * sizeof *items);
        sorted = other;
    }
    int64_t codes = 1;
    for (int64_t i = 1; i < n; i++) {
        codes += sorted[i] >> 32 != sorted[i - 1] >> 32;
    }
    begin(chunk, coding, codes);
    uint32_t code = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] >> 32 != sorted[i - 1] >> 32) {
            code = i == 0 ? 0 : next_code(chunk, code);
            coding->keys[at++] = (uint32_t)(sorted[i] >> 32);
        }
        put(coding, (int64_t)(uint32_t)sorted[i], code);
    }
}
