/* What the files of match on the CPU share. */
#pragma once

#include "pixel/cpu/squares.h"
#include "pixel/whole/match/match.h"

/* A tile is `tile` places wide and `deep` high, that of a band less where it ends. digits: bytes of a
 * sample. side: of the squares that are transformed; 0: products are summed place by place. */
struct gf_match_work {
    const struct gf_apply_run *run;
    const struct gf_match_rows *rows;
    struct gf_match_template t;
    int64_t width, height; /* of the picture */
    int64_t across, down;  /* of the template */
    int64_t places, lines; /* of the result: its width and height */
    int32_t channels, digits, side, threads;
    int64_t tile, deep, tiles, bands;
    int64_t wide;       /* columns of samples that a tile reads */
    double *spectra;    /* of the template, by digit and channel; behind them the turns */
    unsigned char *own; /* the first thread's, `each` bytes */
    size_t each;
};

/* What a thread has of its own. */
struct gf_match_part {
    const struct gf_match_work *work;
    int64_t x, n;              /* columns of the tile, of the result */
    double *squares;           /* by channel, or digit; behind them lines for multiply */
    uint64_t *columns;         /* sums of h samples, by channel, then of their squares */
    uint64_t *sums, *products; /* of w columns likewise; of products: of the tile */
    float *scores;
};

static inline size_t gf_match_padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* match_squares_cpu.c. Fills side, tile and deep, if squares are the faster way on so many threads; returns
 * nanoseconds. */
double gf_match_squares_choose(struct gf_match_work *work);

/* Bytes of `spectra` and turns, and of a part's squares and lines. */
size_t gf_match_squares_shared(const struct gf_match_work *work);
size_t gf_match_squares_own(const struct gf_match_work *work);

/* Makes the turns, and the spectra with the memory of a part. */
void gf_match_squares_begin(const struct gf_match_work *work, const struct gf_match_part *part);

/* Fills products of rows `first` to `end` of a tile, part->n a row. */
void gf_match_squares_multiply(const struct gf_match_part *part, int64_t first, int64_t end);
