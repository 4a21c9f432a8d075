/* A tile in which segments begin: a part of scan_rows_float.h, with its names. Every addition of the plain
 * tile has its left side left out where a segment begins on its right: what lies before a segment counts as
 * 0. */
#define MASK GF_OF(mask, GF_TO)

/* v, or 0 where all bits of the mask are ones: branches would be guessed wrong at every other segment. */
static inline GF_TO GF_NAME(unless)(GF_TO v, MASK mask)
{
    MASK bits;
    memcpy(&bits, &v, sizeof bits);
    bits &= ~mask;
    memcpy(&v, &bits, sizeof bits);
    return v;
}

/* Kogge and Stone over sums, some of which began on their own: began[i] is then all ones where one up to i
 * did. */
static void GF_NAME(keyed_kogge_stone)(GF_TO *v, MASK *began)
{
    GF_TO w[GF_SCAN_LANES];
    MASK m[GF_SCAN_LANES];
    for (int d = 1; d < GF_SCAN_LANES; d *= 2) {
        memcpy(w, v, sizeof w);
        memcpy(m, began, sizeof m);
        for (int i = 0; i < GF_SCAN_LANES - d; i++) {
            v[i + d] = GF_NAME(unless)(w[i], m[i + d]) + w[i + d];
            began[i + d] = m[i] | m[i + d];
        }
    }
}

/* Finds what lies before each lane of a row, in its segment; returns the sum of what lies behind the row's
 * last beginning. */
static GF_TO GF_NAME(keyed_lanes)(const GF_FROM *x, const uint8_t *flags, GF_TO *lanes, MASK *masks)
{
    GF_TO sums[GF_SCAN_LANES];
    MASK began[GF_SCAN_LANES];
    for (int l = 0; l < GF_SCAN_LANES; l++) {
        GF_TO sum = (GF_TO)x[l * LANE];
        MASK any = -(MASK)flags[l * LANE];
        for (int e = 1; e < LANE; e++) {
            const MASK begins = -(MASK)flags[l * LANE + e];
            sum = GF_NAME(unless)(sum, begins) + (GF_TO)x[l * LANE + e];
            any |= begins;
        }
        sums[l] = sum;
        began[l] = any;
    }
    GF_NAME(keyed_kogge_stone)(sums, began);
    lanes[0] = 0;
    masks[0] = 0;
    memcpy(lanes + 1, sums, (GF_SCAN_LANES - 1) * sizeof *sums);
    memcpy(masks + 1, began, (GF_SCAN_LANES - 1) * sizeof *began);
    return sums[GF_SCAN_LANES - 1];
}

/* Tells whether a segment begins in the row. */
static bool GF_NAME(row_begins)(const uint8_t *flags)
{
    int any = 0;
    for (int i = 0; i < ROW; i++) {
        any |= flags[i];
    }
    return any != 0;
}

static double GF_NAME(keyed_tile)(const GF_FROM *in, int64_t count, const uint8_t *flags,
                                  struct gf_scan_keyed_tile *tile)
{
    GF_TO totals[GF_SCAN_ROWS], pairs[GF_SCAN_LANES], *rows = (GF_TO *)(void *)tile->sums.rows;
    MASK of_row[GF_SCAN_ROWS], began[GF_SCAN_LANES], *masks = (MASK *)(void *)tile->rows;
    for (int r = 0; r < GF_SCAN_ROWS; r++) {
        GF_TO *lanes = (GF_TO *)(void *)tile->sums.lanes + r * GF_SCAN_LANES;
        int64_t left = count - r * (int64_t)ROW;
        const GF_FROM *from = in + r * ROW;
        GF_FROM x[ROW] = {0};
        if (left < ROW) {
            memcpy(x, in + (left > 0 ? r * ROW : 0), left > 0 ? (size_t)left * sizeof(GF_FROM) : 0);
            from = x;
        }
        of_row[r] = -(MASK)GF_NAME(row_begins)(flags + r * ROW);
        totals[r] = of_row[r] ? GF_NAME(keyed_lanes)(from, flags + r * ROW, lanes,
                                                     (MASK *)(void *)tile->lanes + r * GF_SCAN_LANES)
                              : GF_NAME(row_lanes)(from, lanes);
    }
    for (int j = 0; j < GF_SCAN_LANES; j++) {
        pairs[j] = GF_NAME(unless)(totals[2 * j], of_row[2 * j + 1]) + totals[2 * j + 1];
        began[j] = of_row[2 * j] | of_row[2 * j + 1];
    }
    GF_NAME(keyed_kogge_stone)(pairs, began);
    for (int j = 0; j < GF_SCAN_LANES; j++) {
        rows[2 * j] = j > 0 ? pairs[j - 1] : 0;
        masks[2 * j] = j > 0 ? began[j - 1] : 0;
        rows[2 * j + 1] = GF_NAME(unless)(rows[2 * j], of_row[2 * j]) + totals[2 * j];
        masks[2 * j + 1] = masks[2 * j] | of_row[2 * j];
    }
    return (double)pairs[GF_SCAN_LANES - 1];
}

/* Results of a row in which segments begin. before: the tile's; row: what lies before the row in its segment,
 * which began in the tile where `began` is all ones. out may be x. */
static inline void GF_NAME(keyed_row)(const GF_FROM *x, const uint8_t *flags, const GF_TO *lanes,
                                      const MASK *masks, GF_TO before, GF_TO row, MASK began, bool inclusive,
                                      GF_TO *out)
{
    before = GF_NAME(unless)(before, began);
    for (int l = 0; l < GF_SCAN_LANES; l++) {
        GF_TO base = (GF_NAME(unless)(before, masks[l]) + GF_NAME(unless)(row, masks[l])) + lanes[l];
        GF_TO run = 0, y[LANE];
        for (int e = 0; e < LANE; e++) {
            const MASK begins = -(MASK)flags[l * LANE + e];
            base = GF_NAME(unless)(base, begins);
            run = GF_NAME(unless)(run, begins);
            const GF_TO next = run + (GF_TO)x[l * LANE + e];
            y[e] = base + (inclusive ? next : run);
            run = next;
        }
        for (int e = 0; e < LANE; e++) {
            out[l * LANE + e] = GF_NAME(stored)(y[e]);
        }
    }
}

static void GF_NAME(keyed_scan)(const GF_FROM *in, int64_t count, const uint8_t *flags,
                                const struct gf_scan_keyed_tile *tile, GF_TO before, bool inclusive,
                                GF_TO *out)
{
    const GF_TO *rows = (const GF_TO *)(const void *)tile->sums.rows;
    const MASK *masks = (const MASK *)(const void *)tile->rows;
    for (int r = 0; r * (int64_t)ROW < count; r++) {
        const GF_TO *lanes = (const GF_TO *)(const void *)tile->sums.lanes + r * GF_SCAN_LANES;
        const GF_FROM *from = in + r * ROW;
        int64_t left = count - r * (int64_t)ROW;
        GF_FROM x[ROW] = {0};
        GF_TO y[ROW], *to = out + r * ROW;
        if (left < ROW) {
            memcpy(x, from, (size_t)left * sizeof(GF_FROM));
            from = x;
            to = y;
        }
        const MASK *own = (const MASK *)(const void *)tile->lanes + r * GF_SCAN_LANES;
        if (!GF_NAME(row_begins)(flags + r * ROW)) {
            GF_NAME(row)(from, lanes, GF_NAME(unless)(before, masks[r]) + rows[r], inclusive, to);
        } else if (inclusive) { /* two loops, as in the plain tile */
            GF_NAME(keyed_row)(from, flags + r * ROW, lanes, own, before, rows[r], masks[r], true, to);
        } else {
            GF_NAME(keyed_row)(from, flags + r * ROW, lanes, own, before, rows[r], masks[r], false, to);
        }
        if (left < ROW) {
            memcpy(out + r * ROW, y, (size_t)left * sizeof(GF_TO));
        }
    }
}

#undef MASK
