/* Peaks of a signal, on the host. */
#pragma once

#include <stdint.h>

struct gf_peak {
    int64_t at;
    float value;
    double prominence;
    double width; /* samples between the places beside it where half of the prominence is left; NaN: of an
                   * infinite one, or where no width is asked for */
};

/* Which peaks count. */
struct gf_peaks_rules {
    double least;      /* value */
    int64_t distance;  /* samples to the nearest one that is greater; the last of equal ones stays */
    double prominence; /* at least */
    double width;      /* at least, and NaN where it is 0; below 0: widths are not asked for */
};

/* Room for signals of `n` samples; NULL: no memory. */
struct gf_peaks_room;
struct gf_peaks_room *gf_peaks_room_create(int64_t n);
void gf_peaks_room_destroy(struct gf_peaks_room *room);
float *gf_peaks_signal(struct gf_peaks_room *room); /* for the caller to fill; NaN ends what is beside it */

/* The peaks of the first n samples there, in order: room's until the next call. */
const struct gf_peak *gf_peaks_find(struct gf_peaks_room *room, int64_t n, const struct gf_peaks_rules *rules,
                                    int64_t *count);
