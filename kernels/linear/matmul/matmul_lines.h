/* Inner loops of matmul on the CPU, once a SIMD level, as array/search/search_lines.h. All levels give the
 * same bits. */
#pragma once

#include <stdint.h>

/* A panel holds `lanes` rows of A, or columns of B, and lies step after step: with floats a step is an
 * element of each lane, with bytes two of them, as 16-bit halves of a word. What is not there is 0. */
struct gf_matmul_panel {
    const void *from; /* its first element */
    int64_t along;    /* elements from a lane to the next */
    int64_t deep;     /* and from one to the next in the sum */
    int64_t k;        /* elements to add */
    int32_t count;    /* lanes that are there, 1 to `lanes` */
    int32_t lanes;
    int32_t is_signed; /* of bytes */
};

struct gf_matmul_lines {
    int32_t rows, columns; /* of a tile of C; the lanes of panels of A and of B */

    void (*pack)(const struct gf_matmul_panel *panel, void *to);

    /* Adds `steps` steps of panels a and b to a tile of c, whose rows are ldc apart; first: to 0, whatever c
     * holds. */
    void (*tile)(int64_t steps, const void *a, const void *b, void *c, int64_t ldc, int32_t first);

    /* Makes NaN in n elements the canonical one. */
    void (*finish)(void *c, int64_t n);
};

enum { GF_MATMUL_TILE_BYTES = 4096 }; /* of C, at most */

/* Indexed by depth; GF_F32, GF_F64, GF_U8. */
extern const struct gf_matmul_lines gf_matmul_lines_baseline[9];
extern const struct gf_matmul_lines gf_matmul_lines_avx2[9];
extern const struct gf_matmul_lines gf_matmul_lines_avx512[9];
