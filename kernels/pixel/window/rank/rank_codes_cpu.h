/* Codes of the samples that a chunk of rank windows sees: see rank_codes_cpu.c. */
#pragma once

#include "pixel/window/rank/rank_cpu.h"

/* What has been found out about a chunk. */
struct gf_rank_chunk {
    uint32_t width;              /* codes of a group: group g has those from g width on */
    const uint32_t *keys;        /* by code */
    const uint32_t *codes;       /* by columns: group << 24 | place */
    struct gf_rank_counts shape; /* of the counts of a group's places */
};

/* Where codes go. */
struct gf_rank_coding {
    int64_t line, rows, stride; /* samples of a row, rows, and samples from one column to the next */
    uint8_t *groups;            /* by columns */
    uint32_t *codes;            /* likewise */
    uint32_t *keys;
};

/* Bytes of the counts of all groups, where there are at most so many codes. */
size_t gf_rank_counts_bytes(size_t codes);

/* Codes of keys below `kinds`: the table holds 1 where they occur, and then their codes. */
void gf_rank_code_table(const struct gf_rank_coding *coding, uint32_t *table, int64_t kinds,
                        struct gf_rank_chunk *chunk);
void gf_rank_code_row(const struct gf_rank_coding *coding, const uint32_t *table, const uint32_t *row,
                      int64_t r);

/* Codes of any keys: row r as items to be sorted, returned is where the next row's begin; then all of them,
 * with room for as many. keys and codes may lie where the items were. */
uint64_t *gf_rank_items(const struct gf_rank_coding *coding, const uint32_t *row, int64_t r, uint64_t *items);
void gf_rank_code_sorted(const struct gf_rank_coding *coding, uint64_t *items, uint64_t *other,
                         struct gf_rank_chunk *chunk);
