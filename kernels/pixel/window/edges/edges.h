/* edges: where the gradient of a picture has its ridges (Canny's non-maximum suppression). WINDOW, from u8,
 * u16 or f32 and any channels to u8 of one channel: enum gf_edge.
 *
 * hysteresis: those of them that are connected with a strong one. WHOLE:
 *   in[0] picture of edges
 *   out[0] picture of one channel: white where an edge is, else 0 */
#pragma once

#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bit 0 says that there is an edge, bit 7 that it is a strong one. */
enum gf_edge { GF_EDGE_NONE = 0, GF_EDGE_WEAK = 1, GF_EDGE_STRONG = 255 };

/* Squares are of the gradient by [-1 0 1] and [1 2 1], in sample units. */
struct gf_edges_args {
    double low, high; /* an edge: a square greater than low; a strong one: than high; 0 <= low <= high */
    uint32_t mask;    /* channels that are looked at; the strongest counts, the first of equal ones */
};
GF_WINDOW_ARGS_OF(gf_edges_args)

/* The tangent of 22.5 degrees times 2^15, as OpenCV has it; that of 67.5 is 2 more. */
enum { GF_EDGES_TANGENT = 13573, GF_EDGES_ONE = 1 << 15 };

size_t gf_hysteresis_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif
