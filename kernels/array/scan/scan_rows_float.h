/* Sums of GF_FROM as GF_TO, a tile at a time, in the order of docs/exactness.md. A part of scan_rows.c, once
 * for each pair of types; undefines both. */
#define GF_JOIN_(name, from, to) name##_##from##_##to
#define GF_JOIN(name, from, to)  GF_JOIN_(name, from, to)
#define GF_NAME(name)            GF_JOIN(name, GF_FROM, GF_TO)
#define LANE                     (GF_SCAN_LANE_BYTES / (int)sizeof(GF_TO)) /* elements */
#define ROW                      (GF_SCAN_LANES * LANE)
#define GF_OF_(name, of)         name##_##of
#define GF_OF(name, of)          GF_OF_(name, of)
#define WIDE(name)               GF_OF(name, GF_TO)
#define WIDE_LANES               (64 / (int)sizeof(GF_TO)) /* of a vector of 64 bytes, which holds 4 lanes' elements */
#define WIDE_VECTORS             (GF_SCAN_LANES / WIDE_LANES)

static void GF_NAME(kogge_stone)(GF_TO *v)
{
    GF_TO w[GF_SCAN_LANES];
    for (int d = 1; d < GF_SCAN_LANES; d *= 2) {
        memcpy(w, v, sizeof w);
        for (int i = 0; i < GF_SCAN_LANES - d; i++) {
            v[i + d] = w[i] + w[i + d];
        }
    }
}

/* Finds what lies before each lane of a row; returns the row's sum. */
#ifdef GF_ARRAY_SCAN_ROWS_WIDE_H
static GF_TO GF_NAME(row_lanes)(const GF_FROM *x, GF_TO *lanes)
{
    WIDE(wide) v[WIDE_VECTORS], elements[LANE];
    for (int k = 0; k < WIDE_VECTORS; k++) {
        for (int i = 0; i < LANE; i++) {
            elements[i] = GF_NAME(LOAD)(x + (k * LANE + i) * WIDE_LANES);
        }
        v[k] = WIDE(wide_sums)(elements);
    }
    WIDE(wide_kogge_stone)(v);
    WIDE(WIDE_STORE)(lanes, WIDE(UP)(v[0], WIDE(WIDE_SET)(0), 1));
    for (int k = 1; k < WIDE_VECTORS; k++) {
        WIDE(WIDE_STORE)(lanes + k * WIDE_LANES, WIDE(UP)(v[k], v[k - 1], 1));
    }
    return v[WIDE_VECTORS - 1][WIDE_LANES - 1];
}
#else
static GF_TO GF_NAME(row_lanes)(const GF_FROM *x, GF_TO *lanes)
{
    GF_TO sums[GF_SCAN_LANES];
    for (int l = 0; l < GF_SCAN_LANES; l++) {
        GF_TO sum = (GF_TO)x[l * LANE];
        for (int e = 1; e < LANE; e++) {
            sum += (GF_TO)x[l * LANE + e];
        }
        sums[l] = sum;
    }
    GF_NAME(kogge_stone)(sums);
    lanes[0] = 0;
    memcpy(lanes + 1, sums, (GF_SCAN_LANES - 1) * sizeof(GF_TO));
    return sums[GF_SCAN_LANES - 1];
}
#endif

static double GF_NAME(tile)(const GF_FROM *in, int64_t count, struct gf_scan_tile *tile)
{
    GF_TO totals[GF_SCAN_ROWS], pairs[GF_SCAN_LANES], *rows = (GF_TO *)(void *)tile->rows;
    for (int r = 0; r < GF_SCAN_ROWS; r++) {
        GF_TO *lanes = (GF_TO *)(void *)tile->lanes + r * GF_SCAN_LANES;
        int64_t left = count - r * (int64_t)ROW;
        if (left >= ROW) {
            totals[r] = GF_NAME(row_lanes)(in + r * ROW, lanes);
        } else {
            GF_FROM x[ROW] = {0};
            memcpy(x, in + (left > 0 ? r * ROW : 0), left > 0 ? (size_t)left * sizeof(GF_FROM) : 0);
            totals[r] = GF_NAME(row_lanes)(x, lanes);
        }
    }
    for (int j = 0; j < GF_SCAN_LANES; j++) {
        pairs[j] = totals[2 * j] + totals[2 * j + 1];
    }
    GF_NAME(kogge_stone)(pairs);
    for (int j = 0; j < GF_SCAN_LANES; j++) {
        rows[2 * j] = j > 0 ? pairs[j - 1] : 0;
        rows[2 * j + 1] = rows[2 * j] + totals[2 * j];
    }
    return (double)pairs[GF_SCAN_LANES - 1];
}

/* Makes all NaN one. */
static GF_TO GF_NAME(stored)(GF_TO v)
{
    return v == v ? v : (GF_TO)gf_bits_double(0x7ff8000000000000U);
}

/* Results of a row after `before`; two loops, so that the compiler makes one for each kind. out may be x. */
#ifdef GF_ARRAY_SCAN_ROWS_WIDE_H
static inline void GF_NAME(row)(const GF_FROM *x, const GF_TO *lanes, GF_TO before, bool inclusive,
                                GF_TO *out)
{
    for (int k = 0; k < WIDE_VECTORS; k++) {
        WIDE(wide) base;
        memcpy(&base, lanes + k * WIDE_LANES, sizeof base);
        base = WIDE(WIDE_SET)(before) + base;
        for (int i = 0; i < LANE; i++) {
            int at = (k * LANE + i) * WIDE_LANES;
            WIDE(WIDE_STORE)(out + at, WIDE(wide_results)(GF_NAME(LOAD)(x + at), base, 4 * i, inclusive));
        }
    }
}
#else
static void GF_NAME(row)(const GF_FROM *x, const GF_TO *lanes, GF_TO before, bool inclusive, GF_TO *out)
{
    for (int l = 0; l < GF_SCAN_LANES; l++) {
        GF_TO base = before + lanes[l], run = (GF_TO)x[l * LANE], y[LANE];
        y[0] = inclusive ? base + run : base;
        for (int e = 1; e < LANE; e++) {
            GF_TO next = run + (GF_TO)x[l * LANE + e];
            y[e] = base + (inclusive ? next : run);
            run = next;
        }
        for (int e = 0; e < LANE; e++) {
            out[l * LANE + e] = GF_NAME(stored)(y[e]);
        }
    }
}
#endif

static void GF_NAME(scan)(const GF_FROM *in, int64_t count, const struct gf_scan_tile *tile, GF_TO before,
                          bool inclusive, GF_TO *out)
{
    const GF_TO *rows = (const GF_TO *)(const void *)tile->rows;
    for (int r = 0; r * (int64_t)ROW < count; r++) {
        const GF_TO *lanes = (const GF_TO *)(const void *)tile->lanes + r * GF_SCAN_LANES;
        const GF_FROM *from = in + r * ROW;
        int64_t left = count - r * (int64_t)ROW;
        GF_FROM x[ROW] = {0};
        GF_TO y[ROW], *to = out + r * ROW;
        if (left < ROW) {
            memcpy(x, from, (size_t)left * sizeof(GF_FROM));
            from = x;
            to = y;
        }
        if (inclusive) {
            GF_NAME(row)(from, lanes, before + rows[r], true, to);
        } else {
            GF_NAME(row)(from, lanes, before + rows[r], false, to);
        }
        if (left < ROW) {
            memcpy(out + r * ROW, y, (size_t)left * sizeof(GF_TO));
        }
    }
}

#include "array/scan/scan_rows_keyed.h"

#undef GF_JOIN_
#undef GF_JOIN
#undef GF_NAME
#undef LANE
#undef ROW
#undef GF_OF_
#undef GF_OF
#undef WIDE
#undef WIDE_LANES
#undef WIDE_VECTORS
#undef GF_FROM
#undef GF_TO
