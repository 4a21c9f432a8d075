/* Pictures as graphs: which pixels have an edge. One source for C and CUDA. */
#pragma once

#include "base/gf_num.h"
#include "gpufilter/graph.h"

/* Pixels that have an edge lie beside each other and have the same key, which is not 0. */
GF_HD uint32_t gf_grid_key(const gf_grid *g, int64_t pixel)
{
    uint32_t value = 1;
    if (g->join == GF_GRID_ALL) {
        return value;
    }
    switch (g->type) {
    case GF_U8:
        value = ((const uint8_t *)g->pixels)[pixel];
        break;
    case GF_U16:
        value = ((const uint16_t *)g->pixels)[pixel];
        break;
    case GF_F32: {
        const float f = ((const float *)g->pixels)[pixel];
        value = f < 0 || f > 0 ? gf_float_bits(f) : 0; /* nor NaN */
        break;
    }
    default:
        value = ((const uint32_t *)g->pixels)[pixel];
        break;
    }
    return g->join == GF_GRID_EQUAL ? value : value != 0;
}

/* The directions of a pixel's 4 or 8 ways: left, right, up, down, then the corners. A way and the one that
 * leads back are neighbours in this order. */
GF_HD int gf_grid_dx(int way)
{
    return way < 4 ? (way == 1) - (way == 0) : way == 5 || way == 6 ? 1 : -1;
}
GF_HD int gf_grid_dy(int way)
{
    return way < 4 ? (way == 3) - (way == 2) : way == 5 || way == 7 ? 1 : -1;
}
