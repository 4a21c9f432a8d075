/* One SIMD level of recursive filters: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. Blocks do not depend on each other but by the states they begin with: the lanes of a vector are
 * blocks, and those of a group lie so that blocks whose ends are joined are in the same lane. */
#include "signal/iir_rows.h"

#include "base/cpu_level.h"

#include <stdbool.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
enum { LANES = 8, LOG2_LANES = 3 };
typedef __m512d wide; /* f64 of all lanes */
typedef __m256 thin;  /* f32 of all lanes */
#define THIN(name) _mm256_##name
#define WIDE(name) _mm512_##name
#define NARROW(v)  _mm512_cvtpd_ps(v)
#define IS_NAN(v)  _mm256_cmp_ps(v, v, _CMP_UNORD_Q)
#define LOAD4(p, stride)                                                                                     \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps((p) + 4 * (stride)), 1)
#define STORE4(p, stride, v)                                                                                 \
    (_mm_storeu_ps(p, _mm256_castps256_ps128(v)),                                                            \
     _mm_storeu_ps((p) + 4 * (stride), _mm256_extractf128_ps(v, 1)))
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
enum { LANES = 4, LOG2_LANES = 2 };
typedef __m256d wide;
typedef __m128 thin;
#define THIN(name)           _mm_##name
#define WIDE(name)           _mm256_##name
#define NARROW(v)            _mm256_cvtpd_ps(v)
#define IS_NAN(v)            _mm_cmpunord_ps(v, v)
#define LOAD4(p, stride)     _mm_loadu_ps(p)
#define STORE4(p, stride, v) _mm_storeu_ps(p, v)
#endif

enum { BLOCK = GF_IIR_BLOCK };

/* ---- Ends and beginnings ---------------------------------------------------------------------------------- */

/* A channel's memory. */
struct memory {
    double *s, *sum;
    struct gf_dd *group;
};

/* Goes on with s, the states behind those groups that stand for higher bits of a block's number than those in
 * `bits`, or where `first`, with none. Returns whether there is still none. */
static bool fold(const struct gf_signal_iir_made *made, const struct memory *m, int64_t bits, bool first,
                 struct gf_dd *s)
{
    const int n = made->states;
    for (int k = GF_IIR_LEVELS - 1; k >= 0; k--) {
        if (bits >> k & 1 && first) {
            memcpy(s, m->group + k * n, (size_t)n * sizeof *s);
            first = false;
        } else if (bits >> k & 1) {
            gf_iir_join(made, k, s, m->group + k * n, s);
        }
    }
    return first;
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
        memset(s, 0, sizeof s);
        fold(made, m, b, true, s);
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
#define FMA(a, b, c) WIDE(fmadd_pd)(a, b, c)
#define SET(x)       WIDE(set1_pd)(x)

enum { CELLS = 2048 /* most blocks of a group times states */, MOST_LEVEL = 8 };

/* ---- A tile: a block a lane, of blocks `stride` frames apart ------------------------------------------- */

/* Four frames of four lanes, in each half of a vector: rows become columns. */
static inline void turn(thin v[4])
{
    const thin a = THIN(unpacklo_ps)(v[0], v[1]), b = THIN(unpackhi_ps)(v[0], v[1]);
    const thin c = THIN(unpacklo_ps)(v[2], v[3]), d = THIN(unpackhi_ps)(v[2], v[3]);
    v[0] = THIN(shuffle_ps)(a, c, 0x44);
    v[1] = THIN(shuffle_ps)(a, c, 0xee);
    v[2] = THIN(shuffle_ps)(b, d, 0x44);
    v[3] = THIN(shuffle_ps)(b, d, 0xee);
}

static void tile_load(const float *x, int64_t stride, wide *tile)
{
    const thin zero = THIN(setzero_ps)();
    for (int i = 0; i < BLOCK; i += 4) {
        thin v[4];
        for (int l = 0; l < 4; l++) {
            v[l] = LOAD4(x + l * stride + i, stride);
        }
        turn(v);
        for (int l = 0; l < 4; l++) {
            tile[i + l] = WIDE(cvtps_pd)(THIN(fmadd_ps)(v[l], zero, v[l]));
        }
    }
}

static void tile_store(const wide *tile, int64_t stride, float *y)
{
    const thin canonical = THIN(set1_ps)(gf_bits_float(GF_CANONICAL_NAN));
    for (int i = 0; i < BLOCK; i += 4) {
        thin v[4];
        for (int l = 0; l < 4; l++) {
            v[l] = NARROW(tile[i + l]);
            v[l] = THIN(blendv_ps)(v[l], canonical, IS_NAN(v[l]));
        }
        turn(v);
        for (int l = 0; l < 4; l++) {
            STORE4(y + l * stride + i, stride, v[l]);
        }
    }
}
/* The sums of `count` states over the tile's blocks; sums[i * n] are the factors of frame i. */
static inline __attribute__((always_inline)) void add_states(int count, const double *sums, int n,
                                                             const wide *tile, wide *end)
{
    wide sum[8];
    for (int j = 0; j < count; j++) {
        sum[j] = SET(0.0);
    }
    for (int i = 0; i < BLOCK; i++) {
#pragma GCC unroll 8
        for (int j = 0; j < count; j++) {
            sum[j] = FMA(SET(sums[i * n + j]), tile[i], sum[j]);
        }
    }
    for (int j = 0; j < count; j++) {
        end[j] = sum[j];
    }
}

static void tile_sums(const struct gf_signal_iir_made *made, const wide *tile, wide *end)
{
    const int n = made->states;
    for (int j = 0; j < n; j += 8) {
        if (n == 2) {
            add_states(2, gf_iir_sums(made), n, tile, end);
        } else if (n == 4) {
            add_states(4, gf_iir_sums(made), n, tile, end);
        } else {
            add_states(8, gf_iir_sums(made) + j, n, tile, end + j);
        }
    }
}

/* `count` sections over each of some tiles, in place, from states s; those of the next tile lie `next`
 * behind. Two tiles of few sections keep the processor from waiting. */
static inline __attribute__((always_inline)) void
run_sections(int count, int tiles, const struct gf_section *c, const wide *s, int next, wide (*tile)[BLOCK])
{
    wide b0[4], b1[4], b2[4], a1[4], a2[4], s1[2][4], s2[2][4];
#pragma GCC unroll 4
    for (int k = 0; k < count; k++) {
        b0[k] = SET(c[k].b0);
        b1[k] = SET(c[k].b1);
        b2[k] = SET(c[k].b2);
        a1[k] = SET(-c[k].a1);
        a2[k] = SET(-c[k].a2);
#pragma GCC unroll 2
        for (int t = 0; t < tiles; t++) {
            s1[t][k] = s[t * next + 2 * k];
            s2[t][k] = s[t * next + 2 * k + 1];
        }
    }
    for (int i = 0; i < BLOCK; i++) {
#pragma GCC unroll 2
        for (int t = 0; t < tiles; t++) {
            wide x = tile[t][i];
#pragma GCC unroll 4
            for (int k = 0; k < count; k++) {
                const wide y = FMA(b0[k], x, s1[t][k]);
                s1[t][k] = FMA(a1[k], y, FMA(b1[k], x, s2[t][k]));
                s2[t][k] = FMA(a2[k], y, b2[k] * x);
                x = y;
            }
            tile[t][i] = x;
        }
    }
}

static void tile_run(const struct gf_signal_iir_made *made, const wide *s, int tiles, wide (*tile)[BLOCK])
{
    const int next = 2 * made->states;
    if (made->sections == 1 && tiles == 2) {
        run_sections(1, 2, made->section, s, next, tile);
        return;
    }
    for (int t = 0; t < tiles; t++, s += next, tile++) {
        if (made->sections < 4) {
            run_sections(made->sections < 2 ? 1 : 2, 1, made->section, s, 0, tile);
        }
        for (int k = 0; k + 4 <= made->sections; k += 4) {
            run_sections(4, 1, made->section + k, s + 2 * k, 0, tile);
        }
    }
}

/* ---- Groups of blocks ----------------------------------------------------------------------------------- */

/* gf_dd_row for all rows, in all lanes: to = A^(64 2^k) left + right. Of each there are n `hi`, then n `lo`.
 */
static void join_wide(const struct gf_signal_iir_made *made, int k, const wide *left, const wide *right,
                      wide *to)
{
    const int n = made->states;
    for (int row = 0; row < n; row++) {
        const struct gf_dd *power = gf_iir_power(made, k) + row * n;
        wide hi = right[row], lo = right[n + row];
        for (int column = 0; column <= (row | 1); column++) {
            const wide m = SET(power[column].hi), v = left[column];
            const wide p = m * v;
            wide lost = FMA(m, v, -p);
            lost = FMA(m, left[n + column], lost);
            lost = FMA(SET(power[column].lo), v, lost);
            const wide s = hi + p;
            const wide part = s - hi;
            const wide error = (hi - (s - part)) + (p - part);
            hi = s;
            lo = lo + (error + lost);
        }
        to[row] = hi + lo;
        to[n + row] = lo - (to[row] - hi);
    }
}

static inline int depth(int node)
{
    return 31 - __builtin_clz((unsigned)node);
}

/* From how each lane's 2^k blocks end to how they begin, the first lane's with block b. cell: n `hi`, n `lo`.
 */
static void lanes(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, int k, wide *cell)
{
    const int n = made->states;
    double(*of)[LANES] = (double(*)[LANES])(void *)cell;
    struct gf_dd all[GF_IIR_STATES] = {{0.0, 0.0}};
    const bool first = fold(made, m, b, true, all);
    for (int64_t l = 0; l < LANES; l++) {
        struct gf_dd s[GF_IIR_STATES], e[GF_IIR_STATES];
        memcpy(s, all, sizeof s);
        fold(made, m, l << k, first, s);
        for (int j = 0; j < n; j++) {
            e[j] = (struct gf_dd){of[j][l], of[n + j][l]};
            of[j][l] = s[j].hi;
            of[n + j][l] = s[j].lo;
        }
        end(made, m, b + (l << k), k, e);
    }
}

/* 2^k blocks from block b on, a multiple of 2^k: `each` blocks a lane, joined as a binary tree. */
static void group(const struct gf_signal_iir_made *made, const struct memory *m, int64_t b, int k,
                  const float *x, float *y)
{
    const int n = made->states, level = k - LOG2_LANES, each = 1 << level, two = each < 2 ? 1 : 2;
    const int64_t stride = (int64_t)each * BLOCK;
    wide cell[2 * CELLS * 2 / LANES], tile[2][BLOCK]; /* children of cell i are 2 i and 2 i + 1 */
#define CELL(i) (cell + (i)*2 * n)
    for (int i = 0; i < each; i++) {
        tile_load(x + i * BLOCK, stride, tile[0]);
        tile_sums(made, tile[0], CELL(each + i));
        memset(CELL(each + i) + n, 0, (size_t)n * sizeof *cell);
    }
    for (int i = each - 1; i >= 1; i--) {
        join_wide(made, level - depth(i) - 1, CELL(2 * i), CELL(2 * i + 1), CELL(i));
    }
    lanes(made, m, b, level, CELL(1));
    for (int i = 1; i < each; i++) {
        join_wide(made, level - depth(i) - 1, CELL(i), CELL(2 * i), CELL(2 * i + 1));
        memcpy(CELL(2 * i), CELL(i), 2 * (size_t)n * sizeof *cell);
    }
    for (int i = 0; i < each; i += two) {
        for (int t = 0; t < two; t++) {
            tile_load(x + (i + t) * BLOCK, stride, tile[t]);
        }
        tile_run(made, CELL(each + i), two, tile);
        for (int t = 0; t < two; t++) {
            tile_store(tile[t], stride, y + (i + t) * BLOCK);
        }
    }
#undef CELL
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
        while (k >= LOG2_LANES && (b & ((1 << k) - 1) || n << k > CELLS || (int64_t)BLOCK << k > count)) {
            k--;
        }
        if (k >= LOG2_LANES) {
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
