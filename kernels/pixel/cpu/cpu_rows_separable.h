/* Part of cpu_rows.c: separable windows. */

#if GF_SIMD_INT
/* Two neighbouring weights for a multiplication of 16-bit pairs. */
static inline gf_vi weight_pair(const int16_t *weights)
{
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return vi_set32(pair);
}

/* Tap k of sample i as s16. across: source is the line of u8, else the rows of s16. */
static inline __attribute__((always_inline)) gf_vi samples_at(bool across, const void *source, int64_t k,
                                                              int64_t step, int64_t i)
{
    return across ? vi_load_u8((const uint8_t *)source + k * step + i)
                  : vi_load(((const int16_t *const *)source)[k] + i);
}

/* `count` vectors of sums from sample i on, shifted, as s16. taps is odd; the last one is paired with 0.
 * With a constant `taps` the loop unrolls. */
static inline __attribute__((always_inline)) void sum_vectors(gf_vi *out, int count, bool across,
                                                              const void *source, int64_t i, int64_t step,
                                                              const int16_t *weights, int64_t taps, int shift)
{
    gf_vi low[4], high[4];
    for (int j = 0; j < count; j++) {
        low[j] = high[j] = vi_set32(1 << (shift - 1 + GF_FAULT(rounding_up)));
    }
    for (int64_t k = 0; k + 1 < taps; k += 2) {
        gf_vi weight = weight_pair(weights + k);
        for (int j = 0; j < count; j++) {
            gf_vi a = samples_at(across, source, k, step, i + j * GF_SIMD_INT);
            gf_vi b = samples_at(across, source, k + 1, step, i + j * GF_SIMD_INT);
            low[j] = vi_dot(low[j], vi_low(a, b), weight);
            high[j] = vi_dot(high[j], vi_high(a, b), weight);
        }
    }
    gf_vi weight = vi_set32((uint16_t)weights[taps - 1]);
    __m128i by = _mm_cvtsi32_si128(shift);
    for (int j = 0; j < count; j++) {
        gf_vi a = samples_at(across, source, taps - 1, step, i + j * GF_SIMD_INT);
        low[j] = vi_dot(low[j], vi_low(a, a), weight);
        high[j] = vi_dot(high[j], vi_high(a, a), weight);
        out[j] = vi_pack32(vi_shift32(low[j], by), vi_shift32(high[j], by));
    }
}

/* The same along a line of one channel, where neighbouring lanes are neighbouring taps: sums of samples i, i
 * + 2, ... and of those between them, without unpacking. */
static inline __attribute__((always_inline)) void sum_neighbours(gf_vi *out, int count, const uint8_t *line,
                                                                 int64_t i, const int16_t *weights,
                                                                 int64_t taps, int shift)
{
    gf_vi even[4], odd[4];
    for (int j = 0; j < count; j++) {
        even[j] = odd[j] = vi_set32(1 << (shift - 1 + GF_FAULT(rounding_up)));
    }
    for (int64_t k = 0; k + 1 < taps; k += 2) {
        gf_vi weight = weight_pair(weights + k);
        for (int j = 0; j < count; j++) {
            const uint8_t *at = line + i + k + j * GF_SIMD_INT;
            even[j] = vi_dot(even[j], vi_load_u8(at), weight);
            odd[j] = vi_dot(odd[j], vi_load_u8(at + 1), weight);
        }
    }
    gf_vi first = vi_set32((uint16_t)weights[taps - 1]), second = vi_set32(weights[taps - 1] * 65536);
    __m128i by = _mm_cvtsi32_si128(shift), up = _mm_cvtsi32_si128(16 - shift);
    for (int j = 0; j < count; j++) {
        gf_vi last = vi_load_u8(line + i + taps - 1 + j * GF_SIMD_INT);
        even[j] = vi_dot(even[j], last, first);
        odd[j] = vi_dot(odd[j], last, second);
        out[j] = vi_turns(vi_shift32(even[j], by), vi_left32(odd[j], up)); /* the low halves of both */
    }
}

static inline __attribute__((always_inline)) void across_vectors(int count, const uint8_t *line, int16_t *mid,
                                                                 int64_t i, int64_t step,
                                                                 const int16_t *weights, int64_t taps,
                                                                 int shift)
{
    gf_vi sums[4];
    if (step == 1) {
        sum_neighbours(sums, count, line, i, weights, taps, shift - 7);
    } else {
        sum_vectors(sums, count, true, line, i, step, weights, taps, shift - 7);
    }
    for (int j = 0; j < count; j++) {
        vi_store(mid + i + j * GF_SIMD_INT, sums[j]);
    }
}

static inline __attribute__((always_inline)) void down_vectors(int count, const int16_t *const *rows,
                                                               uint8_t *out, int64_t i,
                                                               const int16_t *weights, int64_t taps,
                                                               int shift)
{
    gf_vi sums[4];
    sum_vectors(sums, count, false, rows, i, 0, weights, taps, shift + 7);
    for (int j = 0; j < count; j++) {
        vi_store_u8(out + i + j * GF_SIMD_INT, sums[j]);
    }
}

/* Rows of at least one vector; the last one overlaps the one before it. */
static inline __attribute__((always_inline)) void across_row(const uint8_t *line, int16_t *mid, int64_t n,
                                                             int64_t step, const int16_t *weights,
                                                             int64_t taps, int shift, const void *ahead)
{
    int64_t i = 0;
    for (; i + 2 * GF_SIMD_INT <= n; i += 2 * GF_SIMD_INT) {
        prefetch(ahead, (size_t)i);
        across_vectors(2, line, mid, i, step, weights, taps, shift);
    }
    for (; i + GF_SIMD_INT <= n; i += GF_SIMD_INT) {
        across_vectors(1, line, mid, i, step, weights, taps, shift);
    }
    across_vectors(1, line, mid, n - GF_SIMD_INT, step, weights, taps, shift);
}

static inline __attribute__((always_inline)) void
down_row(const int16_t *const *rows, uint8_t *out, int64_t n, const int16_t *weights, int64_t taps, int shift)
{
    int64_t i = 0;
    for (; i + 4 * GF_SIMD_INT <= n; i += 4 * GF_SIMD_INT) {
        down_vectors(4, rows, out, i, weights, taps, shift);
    }
    for (; i + GF_SIMD_INT <= n; i += GF_SIMD_INT) {
        down_vectors(1, rows, out, i, weights, taps, shift);
    }
    down_vectors(1, rows, out, n - GF_SIMD_INT, weights, taps, shift);
}
#endif

/* Plain loops: short rows, other processors. 64 sums at a time stay in the first cache. */
static void u8_across_plain(const uint8_t *line, int16_t *mid, int64_t n, int64_t step,
                            const int16_t *weights, int64_t taps, int shift)
{
    for (int64_t at = 0; at < n; at += 64) {
        int32_t sums[64];
        int64_t m = n - at < 64 ? n - at : 64;
        for (int64_t i = 0; i < m; i++) {
            sums[i] = 1 << (shift - 8);
        }
        for (int64_t k = 0; k < taps; k++) {
            const uint8_t *in = line + at + k * step;
            int32_t weight = weights[k];
            for (int64_t i = 0; i < m; i++) {
                sums[i] += weight * in[i];
            }
        }
        for (int64_t i = 0; i < m; i++) {
            mid[at + i] = (int16_t)(sums[i] >> (shift - 7));
        }
    }
}

static void u8_down_plain(const int16_t *const *rows, uint8_t *out, int64_t n, const int16_t *weights,
                          int64_t taps, int shift)
{
    for (int64_t at = 0; at < n; at += 64) {
        int32_t sums[64];
        int64_t m = n - at < 64 ? n - at : 64;
        for (int64_t i = 0; i < m; i++) {
            sums[i] = 1 << (shift + 6 + GF_FAULT(rounding_up));
        }
        for (int64_t k = 0; k < taps; k++) {
            const int16_t *in = rows[k] + at;
            int32_t weight = weights[k];
            for (int64_t i = 0; i < m; i++) {
                sums[i] += weight * in[i];
            }
        }
        for (int64_t i = 0; i < m; i++) {
            out[at + i] = (uint8_t)(sums[i] >> (shift + 7));
        }
    }
}

static void u8_across(const uint8_t *line, int16_t *mid, int64_t n, int64_t step, const int16_t *weights,
                      int64_t taps, int shift, const void *ahead)
{
#if GF_SIMD_INT
    if (n >= GF_SIMD_INT) {
        switch (taps) {
        case 3:
            across_row(line, mid, n, step, weights, 3, shift, ahead);
            return;
        case 5:
            if (step == 1) {
                across_row(line, mid, n, 1, weights, 5, shift, ahead);
            } else {
                across_row(line, mid, n, step, weights, 5, shift, ahead);
            }
            return;
        case 9:
            across_row(line, mid, n, step, weights, 9, shift, ahead);
            return;
        default:
            across_row(line, mid, n, step, weights, taps, shift, ahead);
            return;
        }
    }
#endif
    (void)ahead;
    u8_across_plain(line, mid, n, step, weights, taps, shift);
}

static void u8_down(const int16_t *const *rows, uint8_t *out, int64_t n, const int16_t *weights, int64_t taps,
                    int shift)
{
#if GF_SIMD_INT
    if (n >= GF_SIMD_INT) {
        switch (taps) {
        case 3:
            down_row(rows, out, n, weights, 3, shift);
            return;
        case 5:
            down_row(rows, out, n, weights, 5, shift);
            return;
        case 9:
            down_row(rows, out, n, weights, 9, shift);
            return;
        default:
            down_row(rows, out, n, weights, taps, shift);
            return;
        }
    }
#endif
    u8_down_plain(rows, out, n, weights, taps, shift);
}

/* ---- f32 chains: several outputs at a time, one accumulator each ---- */

enum { CHAIN = 64 };

/* Tap k of output i is at rows[k][i], or at line[k * step + i] where rows is NULL. */
static inline __attribute__((always_inline)) const float *tap_at(const float *line, const float *const *rows,
                                                                 int64_t k, int64_t step)
{
    return rows ? rows[k] : line + k * step;
}

static inline __attribute__((always_inline)) void chain_plain(const float *line, const float *const *rows,
                                                              float *out, int64_t n, int64_t step,
                                                              const float *weights, int64_t taps)
{
    for (int64_t at = 0; at < n; at += CHAIN) {
        float sums[CHAIN];
        int64_t m = n - at < CHAIN ? n - at : CHAIN;
        for (int64_t i = 0; i < m; i++) {
            sums[i] = weights[0] * tap_at(line, rows, 0, step)[at + i];
        }
        for (int64_t k = 1; k < taps; k++) {
            const float *in = tap_at(line, rows, k, step) + at;
            for (int64_t i = 0; i < m; i++) {
                sums[i] = gf_fma(weights[k], in[i], sums[i]);
            }
        }
        for (int64_t i = 0; i < m; i++) {
            out[at + i] = gf_canonical(sums[i]);
        }
    }
}

#if GF_SIMD_FLOAT
static inline __attribute__((always_inline)) void chain_vectors(const float *line, const float *const *rows,
                                                                int64_t at, float *out, int64_t step,
                                                                const float *weights, int64_t taps, int count)
{
    gf_vf nan = vf_set(gf_bits_float(GF_CANONICAL_NAN));
    gf_vf sums[4];
    for (int j = 0; j < count; j++) {
        sums[j] = vf_mul(vf_set(weights[0]), vf_load(tap_at(line, rows, 0, step) + at + j * GF_SIMD_FLOAT));
    }
    for (int64_t k = 1; k < taps; k++) {
        gf_vf weight = vf_set(weights[k]);
        const float *in = tap_at(line, rows, k, step) + at;
        for (int j = 0; j < count; j++) {
            sums[j] = vf_fma(weight, vf_load(in + j * GF_SIMD_FLOAT), sums[j]);
        }
    }
    for (int j = 0; j < count; j++) {
        vf_store(out + at + j * GF_SIMD_FLOAT, vf_or_if_nan(sums[j], nan));
    }
}
#endif

static inline __attribute__((always_inline)) void chain_row(const float *line, const float *const *rows,
                                                            float *out, int64_t n, int64_t step,
                                                            const float *weights, int64_t taps,
                                                            const void *ahead)
{
    (void)ahead;
#if GF_SIMD_FLOAT
    if (n >= GF_SIMD_FLOAT) {
        int64_t at = 0;
        for (; at + 4 * GF_SIMD_FLOAT <= n; at += 4 * GF_SIMD_FLOAT) {
            for (int64_t i = at; line && i < at + 4 * GF_SIMD_FLOAT; i += 16) {
                prefetch(ahead, (size_t)i * sizeof(float));
            }
            chain_vectors(line, rows, at, out, step, weights, taps, 4);
        }
        for (; at + GF_SIMD_FLOAT <= n; at += GF_SIMD_FLOAT) {
            chain_vectors(line, rows, at, out, step, weights, taps, 1);
        }
        chain_vectors(line, rows, n - GF_SIMD_FLOAT, out, step, weights, taps, 1);
        return;
    }
#endif
    chain_plain(line, rows, out, n, step, weights, taps);
}

static void f32_across(const float *line, float *mid, int64_t n, int64_t step, const float *weights,
                       int64_t taps, const void *ahead)
{
    if (taps == 5) {
        chain_row(line, NULL, mid, n, step, weights, 5, ahead);
    } else {
        chain_row(line, NULL, mid, n, step, weights, taps, ahead);
    }
}

static void f32_down(const float *const *rows, float *out, int64_t n, const float *weights, int64_t taps)
{
    if (taps == 5) {
        chain_row(NULL, rows, out, n, 0, weights, 5, NULL);
    } else {
        chain_row(NULL, rows, out, n, 0, weights, taps, NULL);
    }
}

static inline __attribute__((always_inline)) void split_by(const float *line, float *planes, int64_t plane,
                                                           int64_t groups, int64_t step, int64_t apart)
{
    for (int64_t q = 0; q < groups; q++) {
        for (int64_t p = 0; p < step; p++) {
            planes[p * plane + q] = line[(q * step + p) * apart];
        }
    }
}

static void split(const float *line, float *planes, int64_t plane, int64_t groups, int64_t step,
                  int64_t apart)
{
    if (step == 8 && apart == 1) {
        split_by(line, planes, plane, groups, 8, 1);
    } else {
        split_by(line, planes, plane, groups, step, apart);
    }
}

/* Places [from, to) of group q. */
static inline __attribute__((always_inline)) float *
join_group(const float *planes, int64_t plane, float *out, int64_t q, int64_t from, int64_t to, int64_t apart)
{
    for (int64_t p = from; p < to; p++) {
        *out = planes[p * plane + q];
        out += apart;
    }
    return out;
}

static void join(const float *planes, int64_t plane, float *out, int64_t first, int64_t n, int64_t step,
                 int64_t apart)
{
    int64_t last = first + n, q = (first + step - 1) / step;
    int64_t head = q * step < last ? q * step : last;

    if (first < head) {
        out = join_group(planes, plane, out, first / step, first % step, first % step + head - first, apart);
    }
    for (; step == 8 && apart == 1 && (q + 1) * step <= last; q++) {
        out = join_group(planes, plane, out, q, 0, 8, 1);
    }
    for (; (q + 1) * step <= last; q++) {
        out = join_group(planes, plane, out, q, 0, step, apart);
    }
    if (q * step < last && head < last) {
        join_group(planes, plane, out, q, 0, last - q * step, apart);
    }
}
