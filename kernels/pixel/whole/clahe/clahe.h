/* clahe: histogram equalisation of tiles, their tables mixed by place. WHOLE:
 *   in[0] picture of u8, u16 or f32; in[1] range block (f32) or GF_NONE
 *   out[0] picture like in[0]
 *
 * The arithmetic is OpenCV's createCLAHE (docs/exactness.md). Everything here is pure, for C11, C++17 and
 * CUDA. */
#pragma once

#include "base/gf_num.h"
#include "pixel/ir/kernel_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GF_CLAHE_BINS_MANY = 65536, GF_CLAHE_MOST_TILES = 32 /* along an axis */ };

struct gf_clahe_args {
    int32_t across, down; /* tiles: 1 to GF_CLAHE_MOST_TILES */
    uint32_t mask;        /* channels changed; the others are copied */
    int64_t tile_w, tile_h;
    double clip; /* 0: no limit */
};

/* Pixels of a tile along an axis: the picture is extended by reflect101 to tiles of one size. Where the other
 * axis has to be extended, one that `tiles` divides is extended, too, by a pixel a tile. */
GF_HD int64_t gf_clahe_tile(int64_t n, int32_t tiles, bool extended)
{
    return n / tiles + (extended ? 1 : 0);
}

GF_HD int32_t gf_clahe_bins(gf_depth depth)
{
    return depth == GF_U8 ? 256 : GF_CLAHE_BINS_MANY;
}

/* Returns how many samples of a bin count of a tile with n samples. */
GF_HD uint32_t gf_clahe_limit(double clip, uint32_t n, int32_t bins)
{
    const double limit = clip * (double)n / (double)bins;
    if (!(clip > 0.0) || limit >= (double)n) {
        return n;
    }
    return limit < 1.0 ? 1U : (uint32_t)limit;
}

/* What a bin gets of the `over` samples beyond the limit of all bins: each the same, and of the rest every
 * `step`th bin from 0 on one more. */
struct gf_clahe_share {
    uint32_t limit, each, rest, step;
};

GF_HD struct gf_clahe_share gf_clahe_share_make(uint32_t limit, uint32_t over, int32_t bins)
{
    struct gf_clahe_share s = {limit, over / (uint32_t)bins, over % (uint32_t)bins, 1};
    s.step = s.rest ? (uint32_t)bins / s.rest : 1;
    return s;
}

GF_HD uint32_t gf_clahe_clipped(const struct gf_clahe_share *s, uint32_t count, int32_t bin)
{
    const uint32_t place = (uint32_t)bin / s->step;
    const bool more = place * s->step == (uint32_t)bin && place < s->rest;
    return (count < s->limit ? count : s->limit) + s->each + (more ? 1U : 0U);
}

/* An entry of the table of a tile, before it is rounded for u8 and u16: sum is that of the counts up to this
 * bin, scale white / n. A tile of NaN alone leaves all as it is. */
GF_HD float gf_clahe_entry(uint32_t sum, float scale, uint32_t n, int32_t bin)
{
    return n ? (float)sum * scale : gf_div((float)bin, (float)(GF_CLAHE_BINS_MANY - 1));
}

/* The cell of pixel i along an axis, i as f32: it lies between the middles of tiles cell - 1 and cell; in
 * place of one that is not there stands the nearest. part: how far from the first to the second. */
GF_HD int32_t gf_clahe_cell(float i, float inverse)
{
    const float at = i * inverse - 0.5F;
    return at < 0.0F ? 0 : (int32_t)at + 1;
}

GF_HD float gf_clahe_part(float i, float inverse, int32_t cell)
{
    const float at = i * inverse - 0.5F;
    return at - (float)(cell - 1);
}

/* a, b of the tiles above, left and right, c, d of those below. */
GF_HD float gf_clahe_mix(const float corner[4], float x, float y)
{
    const float left = 1.0F - x, above = 1.0F - y;
    return (corner[0] * left + corner[1] * x) * above + (corner[2] * left + corner[3] * x) * y;
}

/* first[cell] becomes the first pixel of each cell along an axis of n pixels, and n behind the last. */
static inline void gf_clahe_cells(int32_t tiles, int64_t tile, int64_t n, float inverse,
                                  int64_t first[GF_CLAHE_MOST_TILES + 2])
{
    for (int32_t cell = 0; cell <= tiles; cell++) {
        int64_t i = cell * tile - (tile + 1) / 2;
        i = i < 0 ? 0 : i > n ? n : i;
        while (i > 0 && gf_clahe_cell((float)(i - 1), inverse) >= cell) {
            i--;
        }
        while (i < n && gf_clahe_cell((float)i, inverse) < cell) {
            i++;
        }
        first[cell] = i;
    }
    first[tiles + 1] = n;
}

size_t gf_clahe_cuda_scratch(const struct gf_apply_run *run);

#ifdef __cplusplus
}
#endif
