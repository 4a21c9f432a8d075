/* One SIMD level of the rows of distance: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its
 * machine options. */
#include "pixel/whole/distance/distance_rows.h"

#include "base/cpu_level.h"
#include "base/planted_fault.h"

#include <string.h>

#define ALWAYS static inline __attribute__((always_inline))

enum { BLOCK = GF_DISTANCE_BLOCK, FAR_COST = 32767, COLUMNS = 1024 };

/* ---- down the columns ---- */

static void sites(const void *samples, gf_depth depth, int32_t channels, int64_t n, uint8_t *site)
{
    if (depth == GF_U8 && channels == 1) {
        const uint8_t *v = samples;
        for (int64_t i = 0; i < n; i++) {
            site[i] = v[i] == 0;
        }
    } else if (depth == GF_U8) {
        const uint8_t *v = samples;
        for (int64_t i = 0; i < n; i++) {
            site[i] = v[i * channels] == 0;
        }
    } else if (depth == GF_U16) {
        const uint16_t *v = samples;
        for (int64_t i = 0; i < n; i++) {
            site[i] = v[i * channels] == 0;
        }
    } else {
        const float *v = samples;
        for (int64_t i = 0; i < n; i++) {
            site[i] = !(v[i * channels] < 0 || v[i * channels] > 0);
        }
    }
}

static void ends(const uint8_t *site, int64_t pitch, int32_t rows, int64_t n, int32_t y, int32_t *first,
                 int32_t *last)
{
    uint8_t top[COLUMNS], bottom[COLUMNS];
    for (int64_t x = 0; x < n; x += COLUMNS) {
        int64_t m = n - x < COLUMNS ? n - x : COLUMNS;
        memset(top, GF_DISTANCE_NO_ROW, sizeof top);
        memset(bottom, GF_DISTANCE_NO_ROW, sizeof bottom);
        for (int32_t r = 0; r < rows; r++) {
            const uint8_t *row = site + r * pitch + x, own = (uint8_t)r;
            for (int64_t i = 0; i < m; i++) { /* in masks: noise would be mispredicted */
                uint8_t is = (uint8_t)-row[i], here = (uint8_t)(own | (uint8_t)~is);
                top[i] = top[i] < here ? top[i] : here;
                bottom[i] = (uint8_t)((bottom[i] & (uint8_t)~is) | (own & is));
            }
        }
        for (int64_t i = 0; i < m; i++) {
            first[x + i] = top[i] == GF_DISTANCE_NO_ROW ? -1 : y + top[i];
            last[x + i] = bottom[i] == GF_DISTANCE_NO_ROW ? -1 : y + bottom[i];
        }
    }
}

static void below(uint8_t *site, int64_t pitch, int32_t rows, int64_t n)
{
    for (int32_t r = rows - 1; r >= 0; r--) {
        uint8_t *row = site + r * pitch;
        const uint8_t *under = r == rows - 1 ? row : row + pitch;
        uint8_t none = r == rows - 1 ? GF_DISTANCE_NO_ROW : 0;
        for (int64_t i = 0; i < n; i++) {
            uint8_t next = under[i] | none, more = next < GF_DISTANCE_NO_ROW;
            row[i] = row[i] ? 0 : (uint8_t)(next + more);
        }
    }
}

static void gaps(const uint8_t *below, int64_t n, int32_t y, int32_t *last, const int32_t *next, int32_t *gap)
{
    for (int64_t i = 0; i < n; i++) {
        int32_t row = below[i] == 0 ? y : last[i];
        int32_t up = row < 0 ? GF_DISTANCE_FAR : y - row;
        int32_t beyond = next[i] < 0 ? GF_DISTANCE_FAR : next[i] - y;
        int32_t down = below[i] == GF_DISTANCE_NO_ROW ? beyond : below[i];
        int32_t chosen = up <= down ? -up : down;
        last[i] = row;
        gap[i] = chosen == -GF_DISTANCE_FAR ? GF_DISTANCE_FAR : chosen;
    }
}

/* ---- along the rows, near by ---- */

/* Everything is u16: known costs are below FAR_COST, and that plus what is across is below 2^16. */
ALWAYS uint16_t own_cost(enum gf_distance_metric metric, int32_t gap)
{
    bool square = metric == GF_DISTANCE_L2 || metric == GF_DISTANCE_SQUARED;
    int32_t g = gap < 0 ? -gap : gap, most = square ? 181 : FAR_COST, cut = g < most ? g : most;
    return (uint16_t)(g > most ? FAR_COST : square ? cut * cut : cut);
}

ALWAYS uint16_t across(enum gf_distance_metric metric, int32_t dx)
{
    return (uint16_t)(metric == GF_DISTANCE_L2 || metric == GF_DISTANCE_SQUARED ? dx * dx : dx);
}

ALWAYS uint16_t with(enum gf_distance_metric metric, uint16_t own, uint16_t far)
{
    uint16_t sum = (uint16_t)(own + far), most = own > far ? own : far;
    return metric == GF_DISTANCE_CHESSBOARD ? most : sum;
}

/* Tells whether the block is settled: what lies further away than was looked at cannot be better. */
ALWAYS bool settle(const uint16_t *own, int64_t n, enum gf_distance_metric metric, uint16_t *to)
{
    uint16_t best[BLOCK], worst;
    bool done = false;
    for (int i = 0; i < BLOCK; i++) {
        best[i] = i < n ? own[i] : 0;
    }
    for (int32_t dx = 1;; dx += 4) {
        worst = 0;
        for (int i = 0; i < BLOCK; i++) {
            worst = worst > best[i] ? worst : best[i];
        }
        done = worst <= across(metric, dx);
        if (done || dx > GF_DISTANCE_NEAR) {
            break;
        }
        for (int32_t d = dx; d < dx + 4; d++) {
            const uint16_t far = across(metric, d), *left = own - d,
                           *right = own + d - GF_FAULT(distance_near);
            for (int i = 0; i < BLOCK; i++) {
                uint16_t least = left[i] < right[i] ? left[i] : right[i];
                uint16_t cost = with(metric, least, far);
                best[i] = best[i] < cost ? best[i] : cost;
            }
        }
    }
    memcpy(to, best, sizeof best);
    return done;
}

ALWAYS bool near_by(const int32_t *gap, int64_t n, enum gf_distance_metric metric, bool again,
                    struct gf_distance_near *line)
{
    bool left = false;
    uint16_t *own = line->own + GF_DISTANCE_PAD;
    for (int64_t i = 0; i < n; i++) {
        own[i] = own_cost(metric, gap[i]);
    }
    for (int64_t i = 0; i < GF_DISTANCE_PAD; i++) {
        own[i - GF_DISTANCE_PAD] = own[n + i] = FAR_COST;
    }
    for (int64_t x = 0; x < n; x += BLOCK) {
        unsigned char *far = &line->far[x / BLOCK];
        *far = (!again && *far) || !settle(own + x, n - x, metric, line->best + x);
        left = left || *far;
    }
    return left;
}

static bool near(const int32_t *gap, int64_t n, enum gf_distance_metric metric, bool again,
                 struct gf_distance_near *line)
{
    return metric == GF_DISTANCE_L1           ? near_by(gap, n, GF_DISTANCE_L1, again, line)
           : metric == GF_DISTANCE_CHESSBOARD ? near_by(gap, n, GF_DISTANCE_CHESSBOARD, again, line)
                                              : near_by(gap, n, GF_DISTANCE_L2, again, line);
}

static void settled(const struct gf_distance_near *line, int64_t n, enum gf_distance_metric metric, void *out)
{
    for (int64_t x = 0; x < n; x += BLOCK) {
        const uint16_t *best = line->best + x;
        int64_t m = n - x < BLOCK ? n - x : BLOCK;
        if (line->far[x / BLOCK]) {
            continue;
        }
        for (int64_t i = 0; i < m && metric == GF_DISTANCE_SQUARED; i++) {
            ((uint64_t *)out)[x + i] = best[i];
        }
        for (int64_t i = 0; i < m && metric == GF_DISTANCE_L2; i++) {
            ((float *)out)[x + i] = gf_sqrt((float)best[i]);
        }
        for (int64_t i = 0; i < m && metric > GF_DISTANCE_SQUARED; i++) {
            ((float *)out)[x + i] = (float)best[i];
        }
    }
}

/* ---- far away ---- */

static void roots(const int32_t *cost, int64_t n, float *out)
{
    for (int64_t x = 0; x < n; x += BLOCK) {
        const int64_t m = n - x < BLOCK ? n - x : BLOCK;
        int32_t most = 0;
        for (int64_t i = 0; i < m; i++) {
            most = most > cost[x + i] ? most : cost[x + i];
        }
        for (int64_t i = 0; i < m && most < 1 << 24; i++) {
            out[x + i] = gf_sqrt((float)cost[x + i]);
        }
        for (int64_t i = 0; i < m && most >= 1 << 24; i++) {
            out[x + i] = (float)gf_sqrt_double((double)cost[x + i]);
        }
    }
}

const struct gf_distance_rows GF_LEVEL_NAME(gf_distance_rows) = {sites, ends,    below, gaps,
                                                                 near,  settled, roots};
