/* Inner loops of products with slices on the CPU, once a SIMD level, as matmul_lines.h. A panel holds `lanes`
 * sides and lies word after word of the sum: of each slice a word of every lane, `together` digits of it, as
 * bytes or as halves. All levels give the same sums. */
#pragma once

#include "linear/matmul/matmul_slices.h"

struct gf_slices_panel {
    const float *from;     /* its first element */
    int64_t along;         /* elements from a side to the next */
    int64_t deep;          /* and from one to the next in the sum */
    int64_t k;             /* elements of the sum */
    const int32_t *scales; /* of its sides; not for `look` */
    int32_t count;         /* sides that are there, at most `lanes` */
    int32_t lanes;
};

struct gf_slices_lines {
    int32_t rows, columns; /* of a tile of C; the lanes of panels of A and of B */
    int32_t together;      /* digits in a word */
    int32_t after;         /* words behind each panel of A */

    /* Packs digits; what is not there is 0. */
    void (*pack_a)(const struct gf_slices_panel *panel, uint32_t *to);
    void (*pack_b)(const struct gf_slices_panel *panel, uint32_t *to);

    /* Adds V of panels a and b, of `words` words, to a tile of sums, whose rows are ld apart. */
    void (*tile)(int64_t words, const uint32_t *a, const uint32_t *b, int64_t *sums, int64_t ld);

    /* A row of n elements of C; those in plain columns stay. */
    void (*finish)(const int64_t *sums, int64_t n, int32_t row, const int32_t *columns, float *c);
};

enum { GF_SLICES_LANES = 32, GF_SLICES_DEEP = 512 }; /* most sides of a panel, and most of its sum */

/* Looks at `count` sides, at most GF_SLICES_LANES. */
typedef void gf_slices_look_lines(const struct gf_slices_panel *panel, struct gf_slices_side *sides);
extern gf_slices_look_lines gf_slices_look_baseline, gf_slices_look_avx2, gf_slices_look_avx512,
    gf_slices_look_vnni;

/* Indexed by slices - GF_SLICES_LEAST. */
extern const struct gf_slices_lines gf_slices_lines_baseline[2];
extern const struct gf_slices_lines gf_slices_lines_avx2[2];
extern const struct gf_slices_lines gf_slices_lines_avx512[2];
extern const struct gf_slices_lines gf_slices_lines_vnni[2]; /* x86-64 builds only */
