/* label on the CPU works on pieces of rows: a piece begins and ends with a pixel that is inside, and all that
 * are inside from the one to the other belong to one region. Where regions are large a row has few. Private
 * to label_*.c. */
#pragma once

#include "pixel/whole/label/label.h"
#include "pixel/whole/label/label_rows.h"

#include <stdbool.h>

struct gf_label_piece {
    uint32_t first, end; /* columns, the latter behind its last */
    uint32_t label;
};

/* Rows that a thread takes: neighbouring ones. */
struct gf_label_part {
    int64_t first, end; /* rows */
    uint32_t at;        /* where its pieces begin, and its labels */
    uint32_t labels;    /* behind the last of them */
    uint64_t count;     /* regions that are large enough; later the numbers before those */
    uint64_t *bits[2];  /* of two rows, in turns: is a pixel inside? */
    uint64_t *touching; /* those of a row that touch one above */
    uint64_t *loose;    /* the last pixels of its runs that touch none */
    float *lines[2];    /* samples of two rows, in turns; where only equal ones belong together */
    uint32_t *numbers;  /* or colours, of a row, where they are not what is stored */
};

/* The rows in memory of in[0] are the picture: all of it, or a band (label_bands_cpu.c). Pieces have places
 * in the raster order of their first pixels; those of row y are begin[y] to end[y] - 1. One that touches none
 * above gets a new label. */
struct gf_label_work {
    const struct gf_apply_run *run;
    const struct gf_label_rows *rows;
    struct gf_label_args args;
    int64_t width, height, most; /* pieces of a row, at most */
    int32_t n_parts;
    struct gf_label_part *parts;
    struct gf_label_piece *pieces;
    uint32_t *parent;      /* of each label one before it or itself, in its part; in the end the root there */
    uint32_t *area;        /* of labels: pixels, later numbers, 0 of regions that are too small; or a mark */
    uint32_t *begin, *end; /* [height] */
    struct gf_label_joined *joined;
    uint32_t n_joined;
    uint64_t least_rank;       /* GF_LABEL_RANK of the last region that is kept */
    struct gf_region *regions; /* what is measured, by number from 1; NULL: nothing is */
    const uint32_t *finals;    /* of a band: what its numbers become in the output; NULL: they stay */
};

/* A root of its part that is none of the picture: what its pieces measure waits here, for another thread may
 * be at work on the region. */
struct gf_label_joined {
    uint32_t at, root; /* it; that of its region */
    struct gf_region sums;
};

/* Returns what area[] holds of the i-th of those. No area and no number is as large: pictures that might have
 * such are one part. */
static inline uint32_t gf_label_mark(uint32_t i)
{
    return UINT32_MAX - i;
}

static inline uint32_t gf_label_find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static inline uint32_t gf_label_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    const uint32_t i = gf_label_find(parent, a), k = gf_label_find(parent, b), root = i < k ? i : k;
    parent[i < k ? k : i] = root;
    return root;
}

/* Finds the byte from bit `shift` on of the least rank among the `wanted` greatest: counts are of ranks that
 * share its bytes above. */
static inline void gf_label_choose_byte(const uint64_t counts[256], int shift, uint64_t *wanted,
                                        uint64_t *rank)
{
    uint64_t byte = 255;
    for (; byte > 0 && *wanted > counts[byte]; byte--) {
        *wanted -= counts[byte];
    }
    *rank |= byte << shift;
}

static inline const void *gf_label_row(const struct gf_label_work *work, int64_t y)
{
    return (const char *)work->run->in[0].data + y * work->run->in[0].pitch;
}

/* A sample of channel 0. */
static inline float gf_label_sample(const struct gf_label_work *work, int64_t x, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    const void *row = gf_label_row(work, y);
    switch (in->depth) {
    case GF_U8:
        return ((const uint8_t *)row)[x * in->channels];
    case GF_U16:
        return ((const uint16_t *)row)[x * in->channels];
    default:
        return ((const float *)row)[x * in->channels];
    }
}

/* A bit for each pixel of a row: is it inside? Those behind the row are 0. */
void gf_label_bits(const struct gf_label_work *work, int64_t y, uint64_t *bits);

/* Finds the pieces of a part, unites those that touch in it, and gives each label its root and each root its
 * area. */
void gf_label_find_pieces(struct gf_label_work *work, struct gf_label_part *part);

/* Unites what touches where parts meet, and fills work->joined. */
void gf_label_join(struct gf_label_work *work);

/* Adds up the measures of two pieces of a region, but for the area. */
void gf_label_add(struct gf_region *to, const struct gf_region *part);

/* label_cpu.c, in this order. Divides the scratch, or tells its size where that is NULL. Finds the regions:
 * how many there are. Numbers them, with room for as many in work->regions. Stores and measures. */
size_t gf_label_divide(struct gf_label_work *work, const struct gf_apply_run *run);
uint64_t gf_label_count(struct gf_label_work *work);
void gf_label_number(struct gf_label_work *work);
void gf_label_finish(struct gf_label_work *work);

/* The numbers of a row's pixels, 0 outside; colours: theirs. */
void gf_label_number_row(const struct gf_label_work *work, int64_t y, bool colours, uint32_t *to);

/* How it runs by bands (kernel_table.h). */
extern const struct gf_by_bands gf_label_by_bands;
