/* label on the CPU works on runs: pixels of a row side by side that belong together. Private to label_*.c. */
#ifndef GF_PIXEL_LABEL_RUNS_H
#define GF_PIXEL_LABEL_RUNS_H

#include "pixel/label.h"

struct gf_label_run {
    uint32_t first, end; /* columns, the latter behind its last */
};

/* Runs behind those of a part that finding them overwrites. */
enum { GF_LABEL_SLACK = 16 };

/* Runs of two rows, one below the other, that belong together. */
struct gf_label_pair {
    uint32_t above, own;
};

/* Rows that a thread takes: neighbouring ones. */
struct gf_label_part {
    int64_t first, end;          /* rows */
    uint32_t at;                 /* where its runs begin, and its labels */
    uint32_t labels;             /* behind the last of them */
    uint64_t count;              /* regions that are large enough; later the numbers before those */
    struct gf_label_pair *pairs; /* of two rows */
    uint64_t *bits;              /* of a row */
    float *lines;                /* [2][width]: two rows */
};

/* Runs have places in the raster order of their first pixels; those of row y are begin[y] to end[y] - 1. One
 * that meets none above gets a new label. Labels are few, so that uniting them stays in the caches. */
struct gf_label_work {
    const struct gf_apply_run *run;
    struct gf_label_args args;
    int64_t width, height, most; /* runs of a row, at most */
    int32_t n_parts;
    struct gf_label_part *parts;
    struct gf_label_run *runs;
    uint32_t *labels;      /* of runs */
    uint32_t *parent;      /* of each label one before it or itself, in its part; in the end the root there */
    uint32_t *area;        /* of labels: pixels, later numbers, 0 of regions that are too small; or a mark */
    uint32_t *begin, *end; /* [height] */
    struct gf_label_joined *joined;
    uint32_t n_joined;
};

/* A root of its part that is none of the picture: what its runs measure waits here, for another thread may be
 * at work on the region. */
struct gf_label_joined {
    uint32_t at, root; /* it; that of its region */
    struct gf_region sums;
};

/* What area[] holds of the i-th of those. No area and no number is as large: pictures that might have such
 * are one part. */
static inline uint32_t gf_label_mark(uint32_t i)
{
    return UINT32_MAX - i;
}

/* A sample of channel 0. */
static inline float gf_label_sample(const struct gf_label_work *work, int64_t x, int64_t y)
{
    const struct gf_value *in = &work->run->in_values[0];
    const char *row = (const char *)work->run->in[0].data + y * work->run->in[0].pitch;
    switch (in->depth) {
    case GF_U8:
        return ((const uint8_t *)row)[x * in->channels];
    case GF_U16:
        return ((const uint16_t *)row)[x * in->channels];
    default:
        return ((const float *)row)[x * in->channels];
    }
}

/* Finds the runs of a part, unites those that meet in it, and gives each label its root and each root its
 * area. */
void gf_label_find_runs(struct gf_label_work *work, struct gf_label_part *part);

/* Unites what meets where parts do, and fills work->joined. */
void gf_label_join(struct gf_label_work *work);

#endif
