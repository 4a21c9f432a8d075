/* Tiles of "warp" on the GPU: what a block's pixels are made of lies in a box of the input, which is brought
 * to shared memory by whole lines. Gathered from global memory a warp's samples lie in as many lines as it
 * crosses rows, and the nearest cache looks at one line a cycle. */
#ifndef GF_PIXEL_WARP_TILE_CUDA_CUH
#define GF_PIXEL_WARP_TILE_CUDA_CUH

#include "pixel/map/warp/warp_pixel_cuda.cuh"

#include <math.h>

enum { GF_WARP_CHUNK = 16 }; /* bytes that a thread brings at once */

/* A box of the input: rows from y on, and of each `chunks` chunks from byte `first` on. */
struct gf_warp_box {
    bool fits; /* in the picture, and in the room for it */
    int32_t y, rows, first, chunks;
};

/* The range in which the places of a block lie along an axis. */
struct gf_warp_range {
    double low, high;
};

GF_DEVICE_FN struct gf_warp_range gf_warp_both(double a, double b)
{
    return a < b ? gf_warp_range{a, b} : gf_warp_range{b, a};
}

GF_DEVICE_FN void gf_warp_widen(struct gf_warp_range *range, double t)
{
    range->low = t < range->low ? t : range->low;
    range->high = t > range->high ? t : range->high;
}

/* The sums of a column's products and a row's: rounding keeps their order, so the ends of both are enough. */
GF_DEVICE_FN struct gf_warp_range gf_warp_sums(double left, double right, double top, double bottom)
{
    const struct gf_warp_range x = gf_warp_both(left, right), y = gf_warp_both(top, bottom);
    return {x.low + y.low, x.high + y.high};
}

/* The range of quotients: those at the four corners, and a pixel around them for what rounding does. False:
 * the divisor is near 0, or changes its sign. */
GF_DEVICE_FN bool gf_warp_corners(const struct gf_warp_params &p, const double (&x)[2],
                                  const double (&rows)[2][3], struct gf_warp_range *u,
                                  struct gf_warp_range *v)
{
    const double *m = p.args.m, most = 1073741824.0;
    int positive = 0, negative = 0, near = 0;
#pragma unroll 1 /* rare, and divisions are long */
    for (int i = 0; i < 4; i++) {
        const double at = x[i & 1], w = m[6] * at + (i < 2 ? rows[0][2] : rows[1][2]);
        const double across = (m[0] * at + (i < 2 ? rows[0][0] : rows[1][0])) / w;
        const double down = (m[3] * at + (i < 2 ? rows[0][1] : rows[1][1])) / w;
        positive += w > p.least_w;
        negative += w < -p.least_w;
        near += across > -most && across < most && down > -most && down < most;
        *u = i == 0 ? gf_warp_range{across, across} : *u;
        *v = i == 0 ? gf_warp_range{down, down} : *v;
        gf_warp_widen(u, across);
        gf_warp_widen(v, down);
    }
    *u = {u->low - 1.0, u->high + 1.0};
    *v = {v->low - 1.0, v->high + 1.0};
    return near == 4 && (positive == 4 || negative == 4);
}

/* The first sample for the lowest place, and the last one for the highest. False: no such places. */
template <int FILTER>
GF_DEVICE_FN bool gf_warp_samples(const struct gf_warp_range &t, int64_t n, int32_t *first, int32_t *last)
{
    const double most = 1073741824.0, half = FILTER == GF_WARP_NEAREST ? 0.5 : 0.0;
    double whole;
    if (!(t.low > -most && t.high < most)) { /* also where one is no number */
        return false;
    }
    *first = gf_warp_whole(t.low + half, &whole) - gf_warp_lead(FILTER);
    *last = gf_warp_whole(t.high + half, &whole) - gf_warp_lead(FILTER) + gf_warp_shape<FILTER>::taps - 1;
    return *first >= 0 && *last < n;
}

/* The three sums of row y. */
GF_DEVICE_FN void gf_warp_row(const double *m, int64_t y, double *sums)
{
    GF_UNROLL
    for (int i = 0; i < 3; i++) {
        sums[i] = m[3 * i + 1] * static_cast<double>(y) + m[3 * i + 2];
    }
}

/* The box of columns [x, x_end) and rows [y, y_end) of the output. */
template <int PIXEL, int FILTER>
GF_DEVICE_FN struct gf_warp_box gf_warp_find_box(const struct gf_warp_params &p, int64_t x, int64_t x_end,
                                                 int64_t y, int64_t y_end)
{
    const double *m = p.args.m;
    const double ends[2] = {static_cast<double>(x), static_cast<double>(x_end - 1)};
    double rows[2][3];
    struct gf_warp_range u, v;
    struct gf_warp_box box = {};
    int32_t left, right, bottom;
    if (p.tile_rows == 0) {
        return box;
    }
    gf_warp_row(m, y, rows[0]);
    gf_warp_row(m, y_end - 1, rows[1]);
    if (p.leans) {
        if (!gf_warp_corners(p, ends, rows, &u, &v)) {
            return box;
        }
    } else {
        u = gf_warp_sums(m[0] * ends[0], m[0] * ends[1], rows[0][0], rows[1][0]);
        v = gf_warp_sums(m[3] * ends[0], m[3] * ends[1], rows[0][1], rows[1][1]);
    }
    if (!gf_warp_samples<FILTER>(u, p.in_width, &left, &right) ||
        !gf_warp_samples<FILTER>(v, p.in_height, &box.y, &bottom)) {
        return box;
    }
    box.first = left * PIXEL & ~(GF_WARP_CHUNK - 1);
    box.rows = bottom - box.y + 1;
    box.chunks = ((right + 1) * PIXEL - box.first + GF_WARP_CHUNK - 1) / GF_WARP_CHUNK;
    box.fits = box.rows <= p.tile_rows && box.chunks * GF_WARP_CHUNK <= p.tile_pitch &&
               box.first + box.chunks * GF_WARP_CHUNK <= p.in_width * PIXEL;
    return box;
}

/* Brings the box to `tile`, rows tile_pitch bytes apart. All threads of the block, which then wait for each
 * other. */
GF_DEVICE_FN void gf_warp_bring(const struct gf_warp_params &p, const struct gf_warp_box &box, char *tile)
{
    enum { SIDE_BY_SIDE = 16, APART = GF_WARP_THREADS / SIDE_BY_SIDE };
    const int top = static_cast<int>(gf_thread()) / SIDE_BY_SIDE;
    for (int x = static_cast<int>(gf_thread()) % SIDE_BY_SIDE; x < box.chunks; x += SIDE_BY_SIDE) {
        const char *from = p.in + (box.y + top) * p.in_pitch + box.first + x * GF_WARP_CHUNK;
        char *to = tile + top * p.tile_pitch + x * GF_WARP_CHUNK;
        for (int y = top; y < box.rows - GF_FAULT(cuda_warp_tile);
             y += APART, from += APART * p.in_pitch, to += APART * p.tile_pitch) {
            gf_cp_async<GF_WARP_CHUNK>(to, from);
        }
    }
    gf_cp_async_commit();
    gf_cp_async_wait<0>();
    __syncthreads();
}

/* The pixel at (u, v), whose samples are in the tile. */
template <class T, int C, int FILTER>
GF_DEVICE_FN void gf_warp_in_tile(const struct gf_warp_params &p, const struct gf_warp_box &box,
                                  const char *tile, double u, double v, float (&sum)[C])
{
    float across[gf_warp_shape<FILTER>::taps], down[gf_warp_shape<FILTER>::taps];
    const int32_t x = gf_warp_along<FILTER>(p.table, u, across);
    const int32_t y = gf_warp_along<FILTER>(p.table, v, down);
    const int32_t at = (y - box.y) * p.tile_pitch + x * int32_t(sizeof(T) * C) - box.first;
    if constexpr (sizeof(T) == 1) {
        gf_warp_bytes<C>(tile + (at & ~3), p.tile_pitch, static_cast<uint32_t>(at), across, down, sum);
    } else {
        gf_warp_inside<T, C>(tile + at, p.tile_pitch, across, down, sum);
    }
}

/* ---- the room for a tile, as the host plans it ---- */

/* Returns how often the lanes of a warp, side by side in the output, wait for each other's words in banks:
 * for warps that begin at several fractions of a row. */
static inline int gf_warp_conflicts(const double *m, int32_t pixel, int32_t pitch)
{
    enum { PHASES = 4 };
    int all = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        const double x0 = 1000.0,
                     y0 = 1000.0 + static_cast<double>(phase) / PHASES; /* all places are positive */
        int32_t latest[GF_WARP];
        int lanes[GF_WARP] = {}, most = 0;
        for (int i = 0; i < GF_WARP; i++) {
            const int32_t x = static_cast<int32_t>(x0 + m[0] * i), y = static_cast<int32_t>(y0 + m[3] * i);
            const int32_t word = (y * pitch + x * pixel) >> 2, bank = word & (GF_WARP - 1);
            if (lanes[bank] == 0 ||
                latest[bank] != word) { /* neighbours that read one word are served at once */
                latest[bank] = word;
                most = ++lanes[bank] > most ? lanes[bank] : most;
            }
        }
        all += most;
    }
    return all;
}

/* Sets tile_rows and tile_pitch for blocks of GF_WARP x tall pixels, as conflicts are fewest. False: `limit`
 * bytes are not enough, or a tile is not for this matrix or this picture. */
static inline bool gf_warp_plan_tile(struct gf_warp_params *p, int32_t pixel, int32_t taps, int32_t limit)
{
    const double *m = p->args.m, steep = 1.5; /* what is allowed in perspective, where the scale changes */
    const int32_t tall = p->tall - 1, broad = GF_WARP - 1;
    const double wide = p->leans ? steep * broad : fabs(m[0]) * broad + fabs(m[1]) * tall;
    const double high = p->leans ? steep * tall : fabs(m[3]) * broad + fabs(m[4]) * tall;
    const int64_t aligned = static_cast<int64_t>(reinterpret_cast<uintptr_t>(p->in)) | p->in_pitch;
    p->tile_rows = p->tile_pitch = 0;
    if (!(wide < 1024.0 && high < 1024.0) || aligned % GF_WARP_CHUNK != 0 ||
        p->in_width * pixel >= INT32_MAX / 2) {
        return false;
    }
    const int32_t rows = static_cast<int32_t>(high) + taps + 2;
    const int32_t bytes = (static_cast<int32_t>(wide) + taps + 2) * pixel + GF_WARP_CHUNK - 1;
    const int32_t least = (bytes + GF_WARP_CHUNK - 1) / GF_WARP_CHUNK * GF_WARP_CHUNK;
    int fewest = INT32_MAX;
    for (int32_t pitch = least; pitch < least + 8 * GF_WARP_CHUNK; pitch += GF_WARP_CHUNK) {
        const int conflicts = p->leans ? 0 : gf_warp_conflicts(m, pixel, pitch);
        if (rows * pitch <= limit && conflicts < fewest) {
            fewest = conflicts;
            p->tile_rows = rows;
            p->tile_pitch = pitch;
        }
    }
    return p->tile_rows > 0;
}

#endif
