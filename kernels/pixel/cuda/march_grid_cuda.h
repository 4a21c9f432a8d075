/* How marches cover a picture. Private to the CUDA backend. */
#pragma once

#include "pixel/cuda/pass_cuda.h"

/* A row outside the picture by the border's map, -1 for the fill: rare, so out of line. */
static __device__ __noinline__ __attribute__((unused)) int32_t gf_strip_row(int32_t y, int32_t height,
                                                                            int32_t border)
{
    return static_cast<int32_t>(gf_border_index(y, height, border));
}

enum {
    GF_TALL_PERCENT = 75, /* of the rows lie in tall segments */
    GF_TALL_LOWS = 4      /* low ones have as many rows as a tall one */
};

/* The rows of a picture in segments: `tall` of `rows` rows, which fill the device once, and below them as
 * many of `low` rows as it takes. Blocks end at different times, and the low ones keep processors busy until
 * the last one does. */
struct gf_segments {
    int32_t tall, rows, low;
};

GF_HD int32_t gf_segment_rows(const struct gf_segments &s, int32_t n)
{
    return n < s.tall ? s.rows : s.low;
}

GF_HD int32_t gf_segment_first(const struct gf_segments &s, int32_t n)
{
    return n < s.tall ? n * s.rows : s.tall * s.rows + (n - s.tall) * s.low;
}

/* The row behind a segment that begins with row `first`. */
GF_HD int32_t gf_segment_end(const struct gf_segments &s, int32_t n, int32_t first, int32_t height)
{
    const int32_t rows = gf_segment_rows(s, n);
    return height - first < rows ? height : first + rows;
}

/* Makes segments for blocks, `across` side by side, none of fewer than `least` rows, as many as
 * *launch shall have down. twice: rows around a segment that its neighbours take, too; where low segments
 * would be little more than these there are none. launch: its shared size is read. */
template <class K>
static gf_status gf_segments_make(const struct gf_run *run, K kernel, int threads, int64_t across,
                                  int64_t height, int64_t least, int64_t twice, struct gf_launch *launch,
                                  struct gf_segments *segments, gf_error *error)
{
    int64_t resident = 0;
    GF_TRY(gf_resident_blocks(run, kernel, threads, launch->shared, &resident, error));
    int64_t tall = resident / across;
    tall = tall < 1 ? 1 : tall > 16384 ? 16384 : tall;
    int64_t rows = (height + tall - 1) / tall, low = rows * GF_TALL_PERCENT / 100 / GF_TALL_LOWS;
    if (low >= least && low >= 2 * twice) {
        rows = rows * GF_TALL_PERCENT / 100;
    } else {
        rows = rows > least ? rows : least;
        low = rows;
    }
    tall = tall < height / rows ? tall : height / rows;
    segments->tall = static_cast<int32_t>(tall);
    segments->rows = static_cast<int32_t>(rows < INT32_MAX ? rows : INT32_MAX);
    segments->low = static_cast<int32_t>(low < INT32_MAX ? low : INT32_MAX);
    launch->grid.y = static_cast<unsigned>(tall + (height - tall * rows + low - 1) / low);
    return GF_OK;
}
