/* A plan in bands of rows: each is a run of the same passes over a picture that is only as high as the band.
 *
 *   input rows   |.........above.|=====core=====|.below.........|      one band
 *                                 |...............above.|=====core...   the next
 *
 * What windows read beyond the rows that a band makes, its neighbours read and compute again. At its own
 * edges, where a border stands in for rows that the picture has, it makes wrong rows; they are not among its
 * core. Bands begin at multiples of `align`, so that what is anchored at rows of the picture is so in a band.
 */
#ifndef GF_PLAN_BANDS_H
#define GF_PLAN_BANDS_H

#include "plan/sweeps.h"

#include "gpufilter/pipeline.h"

#include <stdbool.h>

struct gf_bands {
    char reason[128];     /* why the plan cannot be cut; "": it can */
    int64_t above, below; /* rows of input needed beside those made; above is a multiple of align */
    int64_t align;
    int64_t height;   /* rows of input of a band, of all but the last */
    int64_t count;    /* 1: not cut */
    int32_t sweeps;   /* over the bands, >= 1 (sweeps.h) */
    char waits[96];   /* why more than one */
    bool holds_input; /* between them; else it is read again */
};

struct gf_band {
    int64_t first, rows;     /* of the input */
    int64_t core, core_rows; /* that it makes; core >= first */
};

/* Whether the plan's steps can be cut, whatever the device: the first of plan->bands. */
gf_status gf_bands_find(gf_plan *plan, gf_error *error);

/* Of a band's input: worth a thread, as more wait for each other. */
#define GF_BAND_THREAD_BYTES ((int64_t)1 << 20)

/* band_height.c: into which bands the plan is cut, by its options, now that its device is known: fills
 * plan->bands and plan->memory. GF_ERROR_MEMORY when even the lowest bands exceed the limit. */
gf_status gf_bands_choose(gf_plan *plan, gf_error *error);

/* Rows that all bands but the last make, for bands of that height. */
int64_t gf_bands_stride(const struct gf_bands *bands, int64_t height);

struct gf_band gf_band_at(const gf_plan *plan, int64_t index);

/* The plan of one sweep for a picture of `rows` rows, those of some band. It makes no results. */
gf_status gf_band_plan(const gf_plan *plan, int32_t sweep, int64_t rows, gf_plan **band, gf_error *error);

/* Moves a band's plan to its place: regions of stages go with the picture, taps measure the core only. */
void gf_band_place(const gf_plan *plan, int32_t sweep, const struct gf_band *at, gf_plan *band);

#endif
