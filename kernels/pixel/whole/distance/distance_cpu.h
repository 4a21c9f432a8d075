/* distance on the CPU: what its two files share. */
#pragma once

#include "pixel/whole/distance/distance_rows.h"

/* A column whose sites are the best of pixels from `start` on, and how far its own is. */
struct gf_distance_best {
    int32_t from, start, gap;
};

struct gf_distance_work {
    const struct gf_apply_run *run;
    const struct gf_distance_rows *rows;
    struct gf_distance_args args;
    int64_t n, lines, bands;  /* of a line: pixels; transposed where the nearest are looked for */
    bool small;               /* no squared distance reaches 2^31 */
    int32_t *before, *behind; /* by band and column: the last site above it, the first below, or -1 */
    uint64_t *bits;           /* by band and column: its sites; NULL: not wanted */
    unsigned char *own;       /* the first thread's, `each` bytes */
    size_t each;
};

/* What a thread has of its own. */
struct gf_distance_part {
    const struct gf_distance_work *work;
    uint8_t *site;
    int32_t *last, *gap, *cost;
    uint32_t *places;
    struct gf_distance_best *stack;
    struct gf_distance_near near;
};

/* distance_line_cpu.c. A line whose gaps are known: a row of distances; `again`: see gf_distance_rows.near.
 */
void gf_distance_line(const struct gf_distance_part *part, bool again, void *out);
/* ... or where the nearest sites of line number `line` are, as the transposed picture counts. */
void gf_distance_places(const struct gf_distance_part *part, int64_t line, uint32_t *places);
