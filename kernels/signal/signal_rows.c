/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. Of sums over
 * taps outputs a number of periods apart have the same taps and are the lanes of a vector; for them the input
 * is turned, so that a row has what the lanes read. What is left is summed one by one. */
#include "signal/signal_rows.h"

#include "base/cpu_level.h"
#include "signal/signal_sum.h"

#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
enum { LANES = 16, AT_ONCE = 8 /* chains of two outputs, in registers */ };
typedef __m512 vector;
#define V(name) _mm512_##name
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
enum { LANES = 8, AT_ONCE = 4 };
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
#endif
    for (int c = 0; k < count; k++) {
        chain[c] = gf_fma(tap[k], x[-k], chain[c]);
        c = (c + 1) % CHAINS;
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

/* Columns become rows: to[i * to_stride + l] = from[l * stride + i]. */
static inline void turn(const float *from, int64_t stride, int64_t columns, int64_t rows, float *to,
                        int64_t to_stride)
{
    for (int64_t l = 0; l < rows; l += 4) {
        for (int64_t i = 0; i < columns; i += 4) {
            if (l + 4 <= rows && i + 4 <= columns) {
                __m128 v[4];
                for (int j = 0; j < 4; j++) {
                    v[j] = _mm_loadu_ps(from + (l + j) * stride + i);
                }
                _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
                for (int j = 0; j < 4; j++) {
                    _mm_storeu_ps(to + (i + j) * to_stride + l, v[j]);
                }
                continue;
            }
            for (int64_t j = 0; j < 16; j++) {
                if (l + j / 4 < rows && i + j % 4 < columns) {
                    to[(i + j % 4) * to_stride + l + j / 4] = from[(l + j / 4) * stride + i + j % 4];
                }
            }
        }
    }
}

/* Taps [k, count) times the row of tap 0, the row before, ... */
static void add_rows(const float *tap, int k, int count, const float *row, vector chain[CHAINS])
{
    for (; k < count; k++) {
        chain[k % CHAINS] = V(fmadd_ps)(V(set1_ps)(tap[k]), V(load_ps)(row - k * LANES), chain[k % CHAINS]);
    }
}

/* The same of two outputs, of which the second reads `further` rows further on, so that both use what is
 * loaded: at row - k it is the second's tap k + further. */
static void add_two(const float *const tap[2], int further, int count, const float *row,
                    vector chain[2][CHAINS])
{
    const float *next = row + further * LANES;
    const int last = further < count ? (count - further) / CHAINS * CHAINS : 0;
    add_rows(tap[1], 0, last ? further : 0, next, chain[1]);
    for (int c = 0; c < CHAINS && last; c += AT_ONCE) {
        vector a[AT_ONCE], b[AT_ONCE];
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++) {
            a[i] = chain[0][c + i];
            b[i] = chain[1][(c + i + further) % CHAINS];
        }
        for (int k = c; k < last; k += CHAINS) {
#pragma GCC unroll 8
            for (int i = 0; i < AT_ONCE; i++) {
                vector x = V(load_ps)(row - (k + i) * LANES);
                __asm__("" : "+v"(x)); /* in a register, not read twice */
                a[i] = V(fmadd_ps)(V(set1_ps)(tap[0][k + i]), x, a[i]);
                b[i] = V(fmadd_ps)(V(set1_ps)(tap[1][k + i + further]), x, b[i]);
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < AT_ONCE; i++) {
            chain[0][c + i] = a[i];
            chain[1][(c + i + further) % CHAINS] = b[i];
        }
    }
    add_rows(tap[0], last, count, row, chain[0]);
    add_rows(tap[1], last ? last + further : 0, count, next, chain[1]);
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

/* Outputs n to n + turns - 1 of each of the lanes, which are `periods` periods apart. */
static void many(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n, int turns,
                 int64_t periods, int lanes, float *y)
{
    vector rows[ROWS], chain[TURNS + 1][CHAINS], out[TURNS + 1];
    int place[TURNS + 1] = {0};
    const float *tap[TURNS + 1];
    int64_t phase;
    const int64_t base = gf_resample_place(n, s->up, s->down, &phase), stride = periods * s->down;
    for (int i = 0;; i++) {
        tap[i] = s->tap + phase * s->taps;
        if (i == turns) { /* one more, as they are taken by two */
            break;
        }
        phase += s->down % s->up;
        place[i + 1] = place[i] + (int)(s->down / s->up) + (phase >= s->up);
        phase -= phase >= s->up ? s->up : 0;
    }
    for (int k = 0; k < s->taps; k += PIECE) {
        const int count = s->taps - k < PIECE ? s->taps - k : PIECE;
        const int64_t oldest = base + s->centre - k - (count - 1);
        const int all = place[turns - 1] + count;
        float *to = (float *)(void *)rows;
        if (lanes < LANES) {
            memset(rows, 0, (size_t)all * sizeof *rows);
        }
        if (has(in, oldest, oldest + all - 1 + (lanes - 1) * stride)) {
            turn(in->data + (oldest - in->first), stride, all, lanes, to, LANES);
        } else {
            for (int i = 0; i < all * lanes; i++) {
                to[i % all * LANES + i / all] = frame_at(s, in, frames, oldest + i % all + i / all * stride);
            }
        }
        for (int i = 0; i < turns; i += 2) {
            vector(*sum)[CHAINS] = chain + (s->taps > PIECE ? i : 0);
            const float *const taps[2] = {tap[i] + k, tap[i + 1] + k};
            for (int c = 0; c < 2 * CHAINS && k == 0; c++) {
                sum[c / CHAINS][c % CHAINS] = V(setzero_ps)();
            }
            const int further = i + 1 < turns ? place[i + 1] - place[i] : 0;
            add_two(taps, further, count, to + (place[i] + count - 1) * LANES, sum);
            out[i] = fold(sum[0]);
            out[i + 1] = fold(sum[1]);
        }
    }
    turn((const float *)(const void *)out, LANES, lanes, turns, y, periods * s->up);
}

/* As many outputs from n on as make vectors of which a quarter is used; how many that is. */
static int64_t vectors(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                       int64_t count, float *y)
{
    int64_t periods = TURNS / s->up > 1 ? TURNS / s->up : 1;
    const int64_t most = count / (LANES * s->up) > 1 ? count / (LANES * s->up) : 1;
    periods = periods < most ? periods : most;
    const int64_t each = periods * s->up;
    const int lanes = (int)(count / each < LANES ? count / each : LANES);
    if (lanes < LANES / 4) {
        return 0;
    }
    int64_t turns = (ROWS - PIECE - 1) * s->up / s->down; /* so that their places are less than that apart */
    turns = turns < 1 ? 1 : turns > TURNS ? TURNS : turns;
    for (int64_t i = 0; i < each; i += turns) {
        many(s, in, frames, n + i, (int)(turns < each - i ? turns : each - i), periods, lanes, y + i);
    }
    return lanes * each;
}

#endif

static void sums(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t first,
                 int64_t count, float *y)
{
    int64_t i = 0;
#if defined(V)
    for (int64_t some = 1; some > 0; i += some) {
        some = vectors(s, in, frames, first + i, count - i, y + i);
    }
#endif
    for (; i < count; i++) {
        y[i] = one(s, in, frames, first + i);
    }
}

/* Keeps the `kept` least so far (of the keys turned by flip) in order: each key passes through the list. */
static void choose(const uint32_t *key, int size, int rank, uint32_t *out)
{
    enum { TOGETHER = GF_RANK_TOGETHER };
    const uint32_t flip = rank > size / 2 ? UINT32_MAX : 0; /* from the nearer end */
    const int kept = 1 + (flip ? size - 1 - rank : rank);
    uint32_t list[GF_RANK_SMALL][TOGETHER];
    memset(list, 0xff, (size_t)kept * sizeof *list);
    for (int i = 0; i < size; i++) {
        uint32_t v[TOGETHER];
        for (int j = 0; j < TOGETHER; j++) {
            v[j] = key[i + j] ^ flip;
        }
        for (int k = 0; k < kept && k <= i; k++) {
            for (int j = 0; j < TOGETHER; j++) {
                const uint32_t a = list[k][j], b = v[j];
                list[k][j] = a < b ? a : b;
                v[j] = a < b ? b : a;
            }
        }
    }
    for (int j = 0; j < TOGETHER; j++) {
        out[j] = list[kept - 1][j] ^ flip;
    }
}

static void least(uint32_t *key, int64_t count, int64_t size)
{
    for (int64_t span = 1, step; span < size; span += step) { /* key[i]: of the span from i on */
        step = 2 * span < size ? span : size - span;
#pragma GCC ivdep
        for (int64_t i = 0; i < count + size - span - step; i++) { /* reads only what it has not written */
            key[i] = key[i + step] < key[i] ? key[i + step] : key[i];
        }
    }
}

static void window_sums(double *v, int64_t count, int64_t size, double *sum)
{
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int64_t span = 1, from = 0; span <= size; span *= 2) {
        for (int64_t i = 0; i < count && (size & span); i++) {
            sum[i] += v[from + i];
        }
        from += size & span;
#pragma GCC ivdep
        for (int64_t i = 0; i < count + size - 2 * span; i++) { /* reads only what it has not written */
            v[i] += v[i + span];
        }
    }
}

static void gain(float factor, float offset, const float *x, int64_t count, float *y)
{
    for (int64_t i = 0; i < count; i++) {
        y[i] = gf_canonical(gf_fma(factor, x[i], offset));
    }
}

const struct gf_signal_rows GF_LEVEL_NAME(gf_signal_rows) = {
    .sums = sums, .gain = gain, .select = choose, .least = least, .window_sums = window_sums};
