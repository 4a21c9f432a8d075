/* What the files of quantize on the CPU share. */
#pragma once

#include "pixel/whole/quantize/quantize.h"

/* A box of cells: places of its cells in the list, its pixels, sums of their places, and the least and
 * greatest of these. */
struct gf_quantize_box {
    int32_t first, end;
    uint64_t n, sums[GF_QUANTIZE_CHANNELS];
    int32_t least[GF_QUANTIZE_CHANNELS], greatest[GF_QUANTIZE_CHANNELS];
};

struct gf_quantizer {
    struct gf_quantize_args args;
    int32_t channels;
    int64_t width, height; /* of the picture */
    uint64_t *sums;        /* [cells][1 + channels]: pixels, and what their samples add up to */
    int32_t *list;         /* cells that have pixels */
    int16_t *line, *carry; /* of Floyd and Steinberg: quantize_put.c */
    int64_t next;          /* the row that is made next, of bands */
    uint32_t palette[GF_QUANTIZE_PALETTE];
    int32_t planes[GF_QUANTIZE_CHANNELS][GF_QUANTIZE_MOST]; /* the palette by channels */
};

/* Makes the palette of what has been counted. */
void gf_quantize_find(struct gf_quantizer *q);

/* Makes q->planes of the palette. */
void gf_quantize_spread_planes(struct gf_quantizer *q);

/* Returns the index of the nearest colour, of equally near ones the first. */
int32_t gf_quantize_nearest(const struct gf_quantizer *q, const int32_t v[GF_QUANTIZE_CHANNELS]);

/* Makes the run's rows. */
void gf_quantize_rows(struct gf_quantizer *q, const struct gf_apply_run *run);
