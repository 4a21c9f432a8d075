/* distance on CUDA: what its two files share. */
#pragma once

#include "base/gf_cuda.h"
#include "pixel/whole/distance/distance.h"

struct gf_distance_params {
    const char *in;
    char *out;
    int64_t in_pitch, out_pitch;
    int64_t n, lines, bands; /* of a line: pixels; transposed where the nearest are looked for */
    int64_t width;           /* of the picture */
    int32_t channels, metric, nearest, in_scratch;
    uint64_t *sites; /* by band and column: bit r is of line 64 band + r */
    int32_t *before; /* by band and column: line of the last site above it, or -1 */
    int32_t *behind; /* of the first one below it */
    char *room;      /* of lines that are too long to be on chip */
};

/* distance_sites_cuda.cu: fills sites, before and behind. */
cudaError_t gf_distance_find_sites(const struct gf_distance_params &p, gf_depth depth, cudaStream_t stream);
