/* Finds which rows of which value one band has to do with.
 *
 * Bands are ranges of rows of the input: band i answers for those from its cut to the next. A picture that a
 * map has made of another size is cut where the rows come that begin at or below the cut of what it is made
 * from, so that the bands answer once for each row of every picture. What lies in memory is more: from the
 * last step to the first, a window widens what is needed by its halo, and a map says what it reaches for.
 *
 * Where a map of row to row is followed by one that reaches far (resize), its rows are made once and stay:
 * each band makes those of its own input, and it answers for those rows of the second map whose last row of
 * input has come. */
#pragma once

#include "plan/plan.h"

struct gf_band {
    struct gf_rows *own;   /* by value: rows that the band answers for: gives, or measures */
    struct gf_rows *rows;  /* by value: rows in memory; none: not needed */
    struct gf_rows before; /* rows that the band before has left of the output of the step that keeps its
                            * rows */
    struct gf_rows *runs;  /* by step: rows that it makes, for a pass those that it reads, too; none: it has
                            * nothing to do in this sweep */
};

/* Room for a band of the plan, to be freed on every way. */
gf_status gf_band_create(const gf_plan *plan, struct gf_band *band, gf_error *error);
void gf_band_free(struct gf_band *band);

/* Band `index` in a sweep over bands, which may be others than the plan's own. */
void gf_band_find(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, int64_t index,
                  struct gf_band *band);

/* A sweep over the whole picture as one band. */
void gf_band_find_whole(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep,
                        struct gf_band *band);

/* One that answers for those rows of the input; in steady bands also where it reaches for rows above the
 * first and below the last. */
void gf_band_find_around(const gf_plan *plan, const struct gf_bands *bands, int32_t sweep, struct gf_rows own,
                         struct gf_band *band);

/* Those of the rows that a band answers for that taps of the pass measure: where f32 is summed by cells, all
 * rows of the cells that begin there. height: of the picture; 0: it goes on for ever. */
struct gf_rows gf_band_measured(const struct gf_pass *pass, struct gf_rows own, int64_t height);

/* The least number of rows that is a multiple of both. */
int64_t gf_common_rows(int64_t a, int64_t b);

static inline int64_t gf_rows_end(struct gf_rows rows)
{
    return rows.first + rows.count;
}
