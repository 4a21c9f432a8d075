/* One SIMD level of sums over taps: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine
 * options. Outputs a number of periods apart have the same taps and are the lanes of a vector; for them the
 * input is turned, so that a row has what the lanes read. What is left is summed one by one. */
#include "signal/sum_rows.h"

#include "base/cpu_level.h"
#include "signal/signal_sum.h"

#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
enum { LANES = 16 };
typedef __m512 vector;
#define V(name) _mm512_##name
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
enum { LANES = 8 };
typedef __m256 vector;
#define V(name) _mm256_##name
#endif

enum { CHAINS = GF_SUM_CHAINS, PIECE = 256 /* taps, a multiple of CHAINS */ };

/* Frame i as the definition has it. */
static float frame_at(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t i)
{
    if (i < 0 || (frames >= 0 && i >= frames)) {
        if (!s->border || frames == 0) {
            return 0.0F;
        }
        i = i < 0 ? 0 : frames - 1;
    }
    return in->data[i - in->first];
}

static bool has(const struct gf_track *in, int64_t first, int64_t last)
{
    return first >= in->first && last < in->first + in->count;
}

/* ---- One output -------------------------------------------------------------------------------------------- */

/* Taps [0, count) times *x, x[-1], ... */
static void add_taps(const float *tap, int count, const float *x, float chain[CHAINS])
{
    int k = 0;
#if defined(V)
    const __m256i back = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    __m256 sum = _mm256_loadu_ps(chain);
    for (; k + CHAINS <= count; k += CHAINS) {
        const __m256 v = _mm256_permutevar8x32_ps(_mm256_loadu_ps(x - k - (CHAINS - 1)), back);
        sum = _mm256_fmadd_ps(_mm256_loadu_ps(tap + k), v, sum);
    }
    _mm256_storeu_ps(chain, sum);
#else
    for (; k + CHAINS <= count; k += CHAINS) {
        for (int c = 0; c < CHAINS; c++) {
            chain[c] = gf_fma(tap[k + c], x[-k - c], chain[c]);
        }
    }
#endif
    for (int c = 0; k + c < count; c++) {
        chain[c] = gf_fma(tap[k + c], x[-k - c], chain[c]);
    }
}

static float one(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n)
{
    int64_t phase;
    const int64_t newest = gf_resample_place(n, s->up, s->down, &phase) + s->centre;
    const float *tap = s->tap + phase * s->taps;
    float chain[CHAINS] = {0};
    for (int k = 0; k < s->taps; k += PIECE) {
        const int count = s->taps - k < PIECE ? s->taps - k : PIECE;
        const int64_t at = newest - k;
        float copy[PIECE];
        const float *x = copy + count - 1;
        if (has(in, at - count + 1, at)) {
            x = in->data + (at - in->first);
        } else {
            for (int i = 0; i < count; i++) {
                copy[count - 1 - i] = frame_at(s, in, frames, at - i);
            }
        }
        add_taps(tap + k, count, x, chain);
    }
    return gf_canonical(gf_sum_fold(chain));
}

/* ---- Many outputs -------------------------------------------------------------------------------------------- */

#if defined(V)

enum { ROWS = PIECE + 128, TURNS = 64 /* outputs of a lane at a time */ };

/* Columns become rows: to[i * LANES + l] = from[l * stride + i]. */
static void turn_in(const float *from, int64_t stride, int rows, float *to)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        for (int l = 0; l < LANES; l += 4) {
            __m128 v[4];
            for (int j = 0; j < 4; j++) {
                v[j] = _mm_loadu_ps(from + (l + j) * stride + i);
            }
            _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
            for (int j = 0; j < 4; j++) {
                _mm_store_ps(to + (i + j) * LANES + l, v[j]);
            }
        }
    }
    for (; i < rows; i++) {
        for (int l = 0; l < LANES; l++) {
            to[i * LANES + l] = from[l * stride + i];
        }
    }
}

/* And back, to[l * stride + i] = from[i * LANES + l]. */
static void turn_out(const float *from, int rows, int64_t stride, float *to)
{
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
        for (int l = 0; l < LANES; l += 4) {
            __m128 v[4];
            for (int j = 0; j < 4; j++) {
                v[j] = _mm_load_ps(from + (i + j) * LANES + l);
            }
            _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
            for (int j = 0; j < 4; j++) {
                _mm_storeu_ps(to + (l + j) * stride + i, v[j]);
            }
        }
    }
    for (; i < rows; i++) {
        for (int l = 0; l < LANES; l++) {
            to[l * stride + i] = from[i * LANES + l];
        }
    }
}

/* Taps [0, count) times row, the row before, ... */
static inline void add_rows(const float *tap, int count, const float *row, vector chain[CHAINS])
{
    vector sum[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        sum[c] = chain[c];
    }
    int k = 0;
    for (; k + CHAINS <= count; k += CHAINS) {
#pragma GCC unroll 8
        for (int c = 0; c < CHAINS; c++) {
            sum[c] = V(fmadd_ps)(V(set1_ps)(tap[k + c]), V(load_ps)(row - (k + c) * LANES), sum[c]);
        }
    }
#pragma GCC unroll 8
    for (int c = 0; c < CHAINS; c++) {
        if (k + c < count) {
            sum[c] = V(fmadd_ps)(V(set1_ps)(tap[k + c]), V(load_ps)(row - (k + c) * LANES), sum[c]);
        }
    }
    for (int c = 0; c < CHAINS; c++) {
        chain[c] = sum[c];
    }
}

static vector fold(const vector c[CHAINS])
{
    const vector sum = ((c[0] + c[4]) + (c[2] + c[6])) + ((c[1] + c[5]) + (c[3] + c[7]));
#if defined(__AVX512F__)
    return _mm512_mask_mov_ps(sum, _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q),
                              _mm512_set1_ps(gf_bits_float(GF_CANONICAL_NAN)));
#else
    return _mm256_blendv_ps(sum, _mm256_set1_ps(gf_bits_float(GF_CANONICAL_NAN)),
                            _mm256_cmp_ps(sum, sum, _CMP_UNORD_Q));
#endif
}

/* Outputs n to n + turns - 1 of each lane; lanes are `periods` periods apart. */
static void many(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n, int turns,
                 int64_t periods, float *y)
{
    vector rows[ROWS], chain[TURNS][CHAINS];
    int place[TURNS];
    const float *tap[TURNS];
    int64_t phase;
    const int64_t base = gf_resample_place(n, s->up, s->down, &phase), stride = periods * s->down;
    for (int i = 0; i < turns; i++) {
        place[i] = (int)(gf_resample_place(n + i, s->up, s->down, &phase) - base);
        tap[i] = s->tap + phase * s->taps;
    }
    memset(chain, 0, (size_t)turns * sizeof *chain);
    for (int k = 0; k < s->taps; k += PIECE) {
        const int count = s->taps - k < PIECE ? s->taps - k : PIECE;
        const int64_t oldest = base + s->centre - k - (count - 1);
        const int all = place[turns - 1] + count;
        float *to = (float *)(void *)rows;
        if (has(in, oldest, oldest + all - 1 + (LANES - 1) * stride)) {
            turn_in(in->data + (oldest - in->first), stride, all, to);
        } else {
            for (int i = 0; i < all * LANES; i++) {
                to[i] = frame_at(s, in, frames, oldest + i / LANES + i % LANES * stride);
            }
        }
        for (int i = 0; i < turns; i++) {
            add_rows(tap[i] + k, count, to + (place[i] + count - 1) * LANES, chain[i]);
        }
    }
    for (int i = 0; i < turns; i++) {
        rows[i] = fold(chain[i]);
    }
    turn_out((const float *)(const void *)rows, turns, periods * s->up, y);
}

/* As many outputs from n on as whole vectors make; how many that is. */
static int64_t vectors(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                       int64_t count, float *y)
{
    int64_t periods = TURNS / s->up > 1 ? TURNS / s->up : 1;
    const int64_t most = count / (LANES * s->up);
    periods = periods < most ? periods : most;
    if (periods == 0) {
        return 0;
    }
    int64_t turns = (ROWS - PIECE - 1) * s->up / s->down; /* so that their places are less than that apart */
    turns = turns < 1 ? 1 : turns > TURNS ? TURNS : turns;
    for (int64_t i = 0; i < periods * s->up; i += turns) {
        const int64_t left = periods * s->up - i;
        many(s, in, frames, n + i, (int)(turns < left ? turns : left), periods, y + i);
    }
    return LANES * periods * s->up;
}

#else

static int64_t vectors(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                       int64_t count, float *y)
{
    (void)s, (void)in, (void)frames, (void)n, (void)count, (void)y;
    return 0;
}

#endif

static void sums(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t first,
                 int64_t count, float *y)
{
    for (int64_t i = 0; i < count;) {
        const int64_t some = vectors(s, in, frames, first + i, count - i, y + i);
        if (some == 0) {
            y[i] = one(s, in, frames, first + i);
        }
        i += some ? some : 1;
    }
}

static void gain(float factor, float offset, const float *x, int64_t count, float *y)
{
    for (int64_t i = 0; i < count; i++) {
        y[i] = gf_canonical(gf_fma(factor, x[i], offset));
    }
}

const struct gf_sum_rows GF_LEVEL_NAME(gf_sum_rows) = {.sums = sums, .gain = gain};
