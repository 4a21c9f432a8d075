/* One SIMD level: compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options. Of sums over
 * taps outputs a number of periods apart have the same taps and are the lanes of a vector; for them the input
 * is turned, so that a row has what the lanes read. What is left is summed one by one. */
#include "signal/signal_rows.h"

#include "base/cpu_level.h"
#include "signal/sum_lanes.h"

enum { PIECE = 256 /* taps, a multiple of CHAINS */ };

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

enum { ROWS = PIECE + 128, TURNS = 120 /* outputs of a lane at a time */ };

/* Fills rows of a plane with frames from `oldest` on of each lane, which lie `stride` apart. */
static void fill(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t oldest, int all,
                 int64_t stride, int lanes, vector *rows)
{
    const float *lane[LANES]; /* the last lane stands for those that there are not */
    for (int l = 0; l < LANES; l++) {
        lane[l] = in->data + (oldest - in->first) + (l < lanes ? l : lanes - 1) * stride;
    }
    float *to = (float *)(void *)rows;
    const bool held = all >= 4 && has(in, oldest, oldest + all - 1 + (lanes - 1) * stride);
    for (int i = 0; i < all && held; i += 4) {
        const int at = i + 4 <= all ? i : all - 4;
        turn_in(lane, at, rows + at);
    }
    for (int i = 0; i < all * LANES && !held; i++) {
        to[i] = i % LANES < lanes ? frame_at(s, in, frames, oldest + i / LANES + i % LANES * stride) : 0.0F;
    }
}

/* Hands out what a plane has made: `turns` outputs of each lane, which lie `stride` apart. */
static void put(const vector *out, int turns, int64_t stride, int lanes, float *y)
{
    for (int i = 0; i < turns && turns >= 4; i += 4) {
        const int at = i + 4 <= turns ? i : turns - 4;
        turn_out(out + at, y + at, stride, lanes);
    }
    for (int l = 0; l < lanes * turns && turns < 4; l++) {
        y[l / turns * stride + l % turns] = out[l % turns][l / turns];
    }
}

/* Outputs n to n + turns - 1 of each of the lanes, which are `periods` periods apart. planes: 1, or 2 where
 * taps are each output's own. */
INLINE void many(int planes, const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                 int turns, int64_t periods, int lanes, float *y)
{
    vector rows[PLANES][PLANE], out[PLANES][TURNS];
    union {
        half of_all[TURNS / AT_ONCE][2];
        chains own[TURNS / OWN][CHAINS];
    } kept;
    int place[TURNS] = {0};
    const float *tap[TURNS];
    const bool common = s->up == 1 && s->down == 1;
    int64_t phase;
    const int64_t base = gf_resample_place(n, s->up, s->down, &phase), stride = periods * s->down;
    for (int i = 0; i < TURNS; i++) {
        tap[i] = s->tap + phase * s->taps;
        if (i + 1 < turns) {
            phase += s->down % s->up;
            place[i + 1] = place[i] + (int)(s->down / s->up) + (phase >= s->up);
            phase -= phase >= s->up ? s->up : 0;
        } else if (i + 1 < TURNS) { /* the last one again, as they are taken together */
            place[i + 1] = place[i];
        }
    }
    for (int k = 0; k < s->taps; k += PIECE) {
        const int count = s->taps - k < PIECE ? s->taps - k : PIECE;
        const int64_t oldest = base + s->centre - k - (count - 1);
        const bool begins = k == 0, ends = k + count == s->taps;
        for (int p = 0; p < planes; p++) {
            fill(s, in, frames, oldest + p * LANES * stride, place[turns - 1] + count, stride,
                 lanes - p * LANES < LANES ? lanes - p * LANES : LANES, rows[p] + CHAINS);
        }
        for (int i = 0; i < turns && common; i += AT_ONCE) {
            add_shared(tap[i] + k, count, (const float *)(const void *)(rows[0] + CHAINS + place[i]),
                       kept.of_all[i / AT_ONCE], begins, ends, out[0] + i);
        }
        for (int i = 0; i < turns && !common; i += OWN) {
            const float *taps[OWN];
            for (int j = 0; j < OWN; j++) {
                taps[j] = tap[i + j] + k;
            }
            add_own(planes, taps, place + i, count, rows[0] + CHAINS, kept.own[begins && ends ? 0 : i / OWN],
                    begins, ends, out[0] + i, TURNS);
        }
    }
    for (int p = 0; p < planes; p++) {
        put(out[p], turns, periods * s->up, lanes - p * LANES < LANES ? lanes - p * LANES : LANES,
            y + p * LANES * periods * s->up);
    }
}

static void many_narrow(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                        int turns, int64_t periods, int lanes, float *y)
{
    many(1, s, in, frames, n, turns, periods, lanes, y);
}

static void many_wide(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n, int turns,
                      int64_t periods, int lanes, float *y)
{
    many(PLANES, s, in, frames, n, turns, periods, lanes, y);
}

/* As many outputs from n on as make vectors of which a quarter is used; how many that is. */
static int64_t vectors(const struct gf_sum *s, const struct gf_track *in, int64_t frames, int64_t n,
                       int64_t count, float *y)
{
    const bool wide = (s->up > 1 || s->down > 1) && count >= PLANES * LANES * s->up;
    const int64_t width = wide ? PLANES * LANES : LANES;
    int64_t periods = TURNS / s->up > 1 ? TURNS / s->up : 1;
    const int64_t most = count / (width * s->up) > 1 ? count / (width * s->up) : 1;
    periods = periods < most ? periods : most;
    const int64_t each = periods * s->up;
    const int lanes = (int)(count / each < width ? count / each : width);
    if (lanes < LANES / 4) {
        return 0;
    }
    int64_t turns = (ROWS - PIECE - 1) * s->up / s->down; /* so that their places are less than that apart */
    turns = turns < 1 ? 1 : turns > TURNS ? TURNS : turns;
    for (int64_t i = 0; i < each; i += turns) {
        (wide ? many_wide : many_narrow)(s, in, frames, n + i, (int)(turns < each - i ? turns : each - i),
                                         periods, lanes, y + i);
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
