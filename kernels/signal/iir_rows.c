/* One SIMD level of recursive filters: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. Blocks do not depend on each other but by the states they begin with: the lanes of a vector are
 * neighbouring blocks. Two vectors of ends become one of those on the left and one of those on the right,
 * which are joined. */
#include "signal/iir_rows.h"

#include "base/cpu_level.h"
#include "signal/iir_lanes.h"

/* ---- Ends and beginnings ---------------------------------------------------------------------------------- */

/* A channel's memory. */
struct memory {
    double *s, *sum;
    struct gf_dd *group;
};

/* How block b begins. */
static void fold(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, struct gf_dd *s)
{
    const int n = made->states;
    bool first = true;
    memset(s, 0, (size_t)n * sizeof *s);
    for (int k = GF_IIR_LEVELS - 1; k >= 0; k--) {
        if (b >> k & 1 && first) {
            memcpy(s, m->group + k * n, (size_t)n * sizeof *s);
            first = false;
        } else if (b >> k & 1) {
            gf_iir_join(made, k, s, m->group + k * n, s);
        }
    }
}

/* The group of 2^k blocks from block b on has ended so. */
static void end(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, int k,
                struct gf_dd *e)
{
    const int n = made->states;
    for (; b >> k & 1; k++) {
        gf_iir_join(made, k, m->group + k * n, e, e);
    }
    if (k < GF_IIR_LEVELS) { /* no signal is long enough to need more */
        memcpy(m->group + k * n, e, (size_t)n * sizeof *e);
    }
}

/* ---- Frames ---------------------------------------------------------------------------------------------- */

/* Frames of block b, from frame `at` of it on. */
static void frames(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, int at,
                   int count, const float *x, float *y)
{
    const int n = made->states;
    struct gf_dd s[GF_IIR_STATES];
    if (at == 0) {
        fold(made, m, b, s);
        for (int j = 0; j < n; j++) {
            m->s[j] = s[j].hi;
            m->sum[j] = 0.0;
        }
    }
    for (int i = 0; i < count; i++) {
        double v = (double)gf_fma(x[i], 0.0F, x[i]);
        const double *sums = gf_iir_sums(made) + (at + i) * n;
        for (int j = 0; j < n; j++) {
            m->sum[j] = gf_fma_double(sums[j], v, m->sum[j]);
        }
        for (int k = 0; k < made->sections; k++) {
            const struct gf_section *c = &made->section[k];
            double *state = m->s + 2 * k;
            const double out = gf_fma_double(c->b0, v, state[0]);
            state[0] = gf_fma_double(-c->a1, out, gf_fma_double(c->b1, v, state[1]));
            state[1] = gf_fma_double(-c->a2, out, c->b2 * v);
            v = out;
        }
        y[i] = gf_canonical((float)v);
    }
    if (at + count == BLOCK) {
        for (int j = 0; j < n; j++) {
            s[j] = (struct gf_dd){m->sum[j], 0.0};
        }
        end(made, m, b, 0, s);
    }
}

#if defined(WIDE)

enum { CELLS = 2048 /* most blocks of a group times states */, MOST_LEVEL = 8 };

/* ---- Two tiles ------------------------------------------------------------------------------------------- */

/* The ends of blocks of two tiles. */
static void ends(const struct gf_signal_iir_made *made, const float *x, wide *end)
{
    const int n = made->states;
    for (int j = 0; j < n; j += 8) {
        if (n == 2) {
            add_states(2, gf_iir_sums(made), n, x, end);
        } else if (n == 4) {
            add_states(4, gf_iir_sums(made), n, x, end);
        } else {
            add_states(8, gf_iir_sums(made) + j, n, x, end + j);
        }
    }
}

static bool is_plain(const struct gf_signal_iir_made *made)
{
    bool plain = true;
    for (int k = 1; k < made->sections; k++) {
        plain = plain && made->section[k].b0 == 1.0 && made->section[k].b2 == 1.0;
    }
    return plain;
}

/* Frames of two tiles from states s and s + n. */
static void run(const struct gf_signal_iir_made *made, bool plain, const wide *s, const float *x, float *y)
{
    const struct gf_section *c = made->section;
    const int n = made->states;
    const float *next = y + 8 * TILE; /* is written soon, and may be in no cache */
    wide tile[2][BLOCK];
    if (n == 2) {
        run_sections(1, true, false, c, s, n, x, NULL, y, next);
    } else if (plain) {
        run_sections(2, true, true, c, s, n, x, tile, n == 4 ? y : NULL, next);
    } else {
        run_sections(2, true, false, c, s, n, x, tile, n == 4 ? y : NULL, next);
    }
    for (int k = 2; k < made->sections; k += 2) {
        float *to = k + 2 == made->sections ? y : NULL;
        if (plain) {
            run_sections(2, false, true, c + k, s + 2 * k, n, NULL, tile, to, NULL);
        } else {
            run_sections(2, false, false, c + k, s + 2 * k, n, NULL, tile, to, NULL);
        }
    }
}

/* ---- Groups of blocks ----------------------------------------------------------------------------------- */

/* Pairs of f64 of all states. */
struct ends {
    wide *hi, *lo;
};

/* gf_dd_row for rows `row` and row + 1, in all lanes: of A^(128 2^k) left + right, from right. */
INLINE void join_rows(int n, int row, const struct gf_dd *power, struct ends left, wide hi[2], wide lo[2])
{
    for (int column = 0; column < row + 2; column++) {
        const wide v = left.hi[column], v_lo = left.lo[column];
#pragma GCC unroll 2
        for (int r = 0; r < 2; r++) {
            const struct gf_dd *m = power + (row + r) * n + column;
            const wide p = SET(m->hi) * v, s = hi[r] + p;
            wide lost = FMA(SET(m->hi), v, -p);
            lost = FMA(SET(m->hi), v_lo, lost);
            lost = FMA(SET(m->lo), v, lost);
            const wide part = s - hi[r], error = (hi[r] - (s - part)) + (p - part);
            lo[r] = lo[r] + (error + lost);
            hi[r] = s;
        }
    }
#pragma GCC unroll 2
    for (int r = 0; r < 2; r++) {
        const wide sum = hi[r];
        hi[r] = sum + lo[r];
        lo[r] = lo[r] - (hi[r] - sum);
    }
}

/* How the groups of 2^k blocks of cells a and b end makes how their pairs end; a keeps the groups on the
 * left. b: a where that has all of them. leaf: `lo` is 0. */
INLINE void up_states(int n, const struct gf_dd *power, bool leaf, struct ends a, struct ends b,
                      struct ends to)
{
    for (int row = 0; row < n; row += 2) {
        wide hi[2], lo[2];
#pragma GCC unroll 2
        for (int r = 0; r < 2; r++) {
            part(a.hi[row + r], b.hi[row + r], &a.hi[row + r], &hi[r]);
            lo[r] = SET(0.0);
            if (!leaf) {
                part(a.lo[row + r], b.lo[row + r], &a.lo[row + r], &lo[r]);
            }
        }
        join_rows(n, row, power, a, hi, lo);
#pragma GCC unroll 2
        for (int r = 0; r < 2; r++) {
            to.hi[row + r] = hi[r];
            to.lo[row + r] = lo[r];
        }
    }
}

/* How pairs begin makes how their groups do, of which a has the ends of those on the left. */
INLINE void down_states(int n, const struct gf_dd *power, bool leaf, struct ends begin, struct ends a,
                        struct ends b)
{
    for (int row = 0; row < n; row += 2) {
        wide hi[2] = {a.hi[row], a.hi[row + 1]}, lo[2] = {a.lo[row], a.lo[row + 1]};
        join_rows(n, row, power, begin, hi, lo);
#pragma GCC unroll 2
        for (int r = 0; r < 2; r++) {
            weave(begin.hi[row + r], hi[r], &a.hi[row + r], &b.hi[row + r]);
            if (!leaf) {
                weave(begin.lo[row + r], lo[r], &a.lo[row + r], &b.lo[row + r]);
            }
        }
    }
}

#define FOR_STATES(name)                                                                                     \
    static void name(const struct gf_signal_iir_made *made, int k, bool leaf, struct ends a, struct ends b,  \
                     struct ends c)                                                                          \
    {                                                                                                        \
        const struct gf_dd *power = gf_iir_power(made, k);                                                   \
        if (made->states == 2) {                                                                             \
            name##_states(2, power, leaf, a, b, c);                                                          \
        } else if (made->states == 4) {                                                                      \
            name##_states(4, power, leaf, a, b, c);                                                          \
        } else if (made->states == 8) {                                                                      \
            name##_states(8, power, leaf, a, b, c);                                                          \
        } else {                                                                                             \
            name##_states(made->states, power, leaf, a, b, c);                                               \
        }                                                                                                    \
    }
FOR_STATES(up)
FOR_STATES(down)

static inline struct ends ends_at(wide *of, int n)
{
    return (struct ends){of, of + n};
}

/* 2^k blocks from block b on, a multiple of 2^k, joined as a binary tree: tiles first, whose cells are
 * leaves, then the groups in a cell. A branch is done before the next one, while it lies in the first cache.
 */
static void group(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, int k,
                  const float *x, float *y)
{
    const int n = made->states, level = k - LOG2_LANES, each = 1 << level;
    const bool plain = is_plain(made);
    wide leaf[CELLS / LANES], inner[2 * CELLS / LANES + LOG2_LANES * 2 * GF_IIR_STATES], none[GF_IIR_STATES];
    struct ends cell[2 << MOST_LEVEL >> LOG2_LANES],
        within[LOG2_LANES + 1]; /* 2 i and 2 i + 1 are of cell i */
    struct gf_dd s[GF_IIR_STATES], e[GF_IIR_STATES];
    memset(none, 0, (size_t)n * sizeof *none);
    for (int i = 1; i < 2 * each; i++) {
        cell[i] = i < each ? ends_at(inner + i * 2 * n, n) : (struct ends){leaf + (i - each) * n, none};
    }
    for (int i = 0; i <= LOG2_LANES; i++) {
        within[i] = i ? ends_at(inner + (each + i - 1) * 2 * n, n) : cell[1];
    }
    for (int t = 0; t < each; t++) {
        if (t % 2 == 0) {
            ends(made, x + t * TILE, leaf + t * n);
        }
        for (int h = 0; t >> h & 1; h++) {
            const int i = (each + t) >> h;
            up(made, h, h == 0, cell[i - 1], cell[i], cell[i / 2]);
        }
    }
    for (int h = 0; h < LOG2_LANES; h++) {
        up(made, level + h, false, within[h], within[h], within[h + 1]);
    }
    fold(made, m, b, s);
    const struct ends all = within[LOG2_LANES];
    for (int j = 0; j < n; j++) {
        e[j] = (struct gf_dd){all.hi[j][0], all.lo[j][0]};
        all.hi[j] = SET(s[j].hi);
        all.lo[j] = SET(s[j].lo);
    }
    end(made, m, b, k, e);
    for (int h = LOG2_LANES - 1; h >= 0; h--) {
        wide rest[2 * GF_IIR_STATES];
        down(made, level + h, false, within[h + 1], within[h], ends_at(rest, n));
    }
    for (int t = 0; t < each; t++) {
        for (int h = t ? __builtin_ctz((unsigned)t) : level; h > 0; h--) {
            const int i = (each + t) >> h;
            down(made, h - 1, h == 1, cell[i], cell[2 * i], cell[2 * i + 1]);
        }
        if (t % 2 == 0) {
            run(made, plain, leaf + t * n, x + t * TILE, y + t * TILE);
        }
    }
}

#endif

static void channel(const struct gf_signal_iir_made *made, void *state, int64_t first, int64_t count,
                    const float *x, float *y)
{
    const int n = made->states;
    double *at = state;
    const struct memory m = {at, at + n, (struct gf_dd *)(void *)(at + 2 * n)};
    while (count > 0) {
        const int64_t b = first / BLOCK;
        const int within = (int)(first % BLOCK);
        int64_t some = BLOCK - within < count ? BLOCK - within : count;
#if defined(WIDE)
        int k = within ? 0 : MOST_LEVEL;
        while (k > LOG2_LANES && (b & ((1 << k) - 1) || n << k > CELLS || (int64_t)BLOCK << k > count)) {
            k--;
        }
        if (k > LOG2_LANES) {
            some = (int64_t)BLOCK << k;
            group(made, &m, b, k, x, y);
        } else
#endif
        {
            frames(made, &m, b, within, (int)some, x, y);
        }
        first += some;
        count -= some;
        x += some;
        y += some;
    }
}

const struct gf_iir_rows GF_LEVEL_NAME(gf_iir_rows) = {.channel = channel};
