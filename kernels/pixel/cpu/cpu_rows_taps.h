/* Part of cpu_rows.c: measures of one channel of a row. */

/* `chunk` samples of sum and square stay below 2^32 for u8. */
static struct gf_row_extremes u8_stats(const uint8_t *row, int64_t pixels, int32_t channels, uint64_t *sum,
                                       uint64_t *square)
{
    enum { CHUNK = 32768 };
    uint8_t least = 255;
    uint8_t greatest = 0;
    for (int64_t at = 0; at < pixels; at += CHUNK) {
        int64_t n = pixels - at < CHUNK ? pixels - at : CHUNK;
        const uint8_t *v = row + at * channels;
        uint32_t s = 0;
        uint32_t q = 0;
        if (channels == 1) {
            for (int64_t i = 0; i < n; i++) {
                least = v[i] < least ? v[i] : least;
                greatest = v[i] > greatest ? v[i] : greatest;
            }
            for (int64_t i = 0; i < n; i++) {
                s += v[i];
                q += (uint32_t)v[i] * v[i];
            }
        } else {
            for (int64_t i = 0; i < n; i++) {
                uint8_t x = v[i * channels];
                least = x < least ? x : least;
                greatest = x > greatest ? x : greatest;
                s += x;
                q += (uint32_t)x * x;
            }
        }
        *sum += s;
        *square += q;
    }
    return (struct gf_row_extremes){least, greatest};
}

/* A loop over one channel, compiled for each usual step: then it vectorises. */
#define GF_BY_STEP(channels, call)                                                                           \
    switch (channels) {                                                                                      \
    case 1:                                                                                                  \
        return call(1);                                                                                      \
    case 2:                                                                                                  \
        return call(2);                                                                                      \
    case 3:                                                                                                  \
        return call(3);                                                                                      \
    case 4:                                                                                                  \
        return call(4);                                                                                      \
    default:                                                                                                 \
        return call(channels);                                                                               \
    }

static inline __attribute__((always_inline)) struct gf_row_extremes
u16_stats_by(const uint16_t *row, int64_t pixels, int64_t step, uint64_t *sum, uint64_t *square)
{
    uint32_t least = 65535;
    uint32_t greatest = 0;
    uint64_t s = 0;
    uint64_t q = 0;
    for (int64_t i = 0; i < pixels; i++) {
        uint32_t x = row[i * step];
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
        s += x;
        q += x * x; /* at most 65535^2 < 2^32 */
    }
    *sum += s;
    *square += q;
    return (struct gf_row_extremes){least, greatest};
}

static struct gf_row_extremes u16_stats(const uint16_t *row, int64_t pixels, int32_t channels, uint64_t *sum,
                                        uint64_t *square)
{
#define GF_CALL(step) u16_stats_by(row, pixels, step, sum, square)
    GF_BY_STEP(channels, GF_CALL)
#undef GF_CALL
}

/* gf_float_key without its treatment of NaN, which would not vectorise: keys run from 0x007fffff (-inf) to
 * 0xff800000 (inf), and NaNs lie beyond both. Adding a constant modulo 2^32 moves what must not win to one
 * end, so that plain minima and maxima do. */
static inline uint32_t plain_key(float v)
{
    uint32_t bits = gf_float_bits(v);
    return bits ^ ((0U - (bits >> 31)) | 0x80000000U);
}

static inline __attribute__((always_inline)) struct gf_row_extremes
f32_extremes_by(const float *row, int64_t pixels, int64_t step, int64_t *nan)
{
    uint32_t least = 0xffffffffU;
    uint32_t greatest = 0;
    for (int64_t at = 0; at < pixels; at += 65536) { /* a count of 32 bits vectorises better */
        int64_t n = pixels - at < 65536 ? pixels - at : 65536;
        const float *v = row + at * step;
        uint32_t count = 0;
        for (int64_t i = 0; i < n; i++) {
            uint32_t key = plain_key(v[i * step]);
            uint32_t low = key - 0x007fffffU;  /* numbers: up to 0xff000001 */
            uint32_t high = key + 0x007fffffU; /* numbers: from 0x00fffffe */
            least = low < least ? low : least;
            greatest = high > greatest ? high : greatest;
            count += low > 0xff000001U;
        }
        *nan += count;
    }
    if (greatest < 0x00fffffeU) {
        return (struct gf_row_extremes){0xffffffffU, 0};
    }
    return (struct gf_row_extremes){least + 0x007fffffU, greatest - 0x007fffffU};
}

static struct gf_row_extremes f32_extremes(const float *row, int64_t pixels, int32_t channels, int64_t *nan)
{
#define GF_CALL(step) f32_extremes_by(row, pixels, step, nan)
    GF_BY_STEP(channels, GF_CALL)
#undef GF_CALL
}

static inline __attribute__((always_inline)) struct gf_row_extremes
f32_finite_by(const float *row, int64_t pixels, int64_t step)
{
    uint32_t least = 0xffffffffU;
    uint32_t greatest = 0;
    for (int64_t i = 0; i < pixels; i++) {
        uint32_t key = plain_key(row[i * step]);
        uint32_t low = key - 0x00800000U;  /* finite: up to 0xfeffffff */
        uint32_t high = key + 0x00800000U; /* finite: from 0x01000000 */
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
    }
    if (greatest < 0x01000000U) {
        return (struct gf_row_extremes){0xffffffffU, 0};
    }
    return (struct gf_row_extremes){least + 0x00800000U, greatest - 0x00800000U};
}

static struct gf_row_extremes f32_finite(const float *row, int64_t pixels, int32_t channels)
{
#define GF_CALL(step) f32_finite_by(row, pixels, step)
    GF_BY_STEP(channels, GF_CALL)
#undef GF_CALL
}

static void f32_columns(const float *row, double *restrict sums, double *restrict squares, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double v = row[i] == row[i] ? (double)row[i] : 0.0;
        sums[i] += v;
        squares[i] += v * v;
    }
}

static inline __attribute__((always_inline)) void f32_bins_by(const float *row, int32_t *restrict bins,
                                                              int64_t pixels, int64_t step, float lo,
                                                              float scale, int32_t count)
{
    /* gf_range_bin, but with its factor found once: in the loop it keeps compilers from vectors. */
    const float factor = gf_range_factor(scale), low = lo * factor, size = scale < 0.0F ? -scale : scale;
    for (int64_t i = 0; i < pixels; i++) {
        int32_t bin = gf_bin(row[i * step] * factor, low, size, count);
        bin = bin == GF_BIN_BELOW ? count : bin;
        bin = bin == GF_BIN_ABOVE ? count + 1 : bin;
        bins[i] = bin == GF_BIN_NAN ? count + 2 : bin;
    }
}

static void f32_bins(const float *row, int32_t *bins, int64_t pixels, int32_t channels, float lo, float scale,
                     int32_t count)
{
    if (channels == 1) {
        f32_bins_by(row, bins, pixels, 1, lo, scale, count);
    } else {
        f32_bins_by(row, bins, pixels, channels, lo, scale, count);
    }
}

static int64_t u8_count(const uint8_t *row, int64_t n, uint8_t value)
{
    int64_t all = 0;
    for (int64_t at = 0; at < n; at += 65536) {
        int64_t end = n - at < 65536 ? n : at + 65536;
        uint32_t count = 0;
        for (int64_t i = at; i < end; i++) {
            count += row[i] == value;
        }
        all += count;
    }
    return all;
}

/* ---- sums of columns and of rows ---- */

/* sums += row; up to 257 rows fit. */
static void u8_columns(const uint8_t *row, uint16_t *restrict sums, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] = (uint16_t)(sums[i] + row[i]);
    }
}

/* sums += row; up to 65537 rows fit. */
static void u16_columns(const uint16_t *row, uint32_t *restrict sums, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] += row[i];
    }
}

/* sums += row, NaN left out; whether there is one. */
static bool f32_sums(const float *row, double *restrict sums, int64_t n)
{
    uint32_t nan = 0;
    for (int64_t i = 0; i < n; i++) {
        sums[i] += row[i] == row[i] ? (double)row[i] : 0.0;
        nan |= row[i] != row[i];
    }
    return nan != 0;
}

/* Samples of `channels` whole pixels by channel: lanes of `period` samples, a multiple of the channels. */
static inline __attribute__((always_inline)) void u8_sums_by(const uint8_t *row, int64_t pixels, int64_t step,
                                                             uint64_t *sums)
{
    enum { LANES = 32, ROUNDS = 257 }; /* of 255 each fit into 16 bits */
    int64_t period = LANES * step, n = pixels * step, at = 0;
    while (at + period <= n) {
        uint16_t lanes[LANES * 4] = {0};
        for (int round = 0; round < ROUNDS && at + period <= n; round++, at += period) {
            for (int64_t i = 0; i < period; i++) {
                lanes[i] = (uint16_t)(lanes[i] + row[at + i]);
            }
        }
        for (int64_t i = 0; i < period; i++) {
            sums[i % step] += lanes[i];
        }
    }
    for (; at < n; at++) {
        sums[at % step] += row[at];
    }
}

static inline __attribute__((always_inline)) void u16_sums_by(const uint16_t *row, int64_t pixels,
                                                              int64_t step, uint64_t *sums)
{
    enum { LANES = 16, ROUNDS = 65537 }; /* of 65535 each fit into 32 bits */
    int64_t period = LANES * step, n = pixels * step, at = 0;
    while (at + period <= n) {
        uint32_t lanes[LANES * 4] = {0};
        for (int round = 0; round < ROUNDS && at + period <= n; round++, at += period) {
            for (int64_t i = 0; i < period; i++) {
                lanes[i] += row[at + i];
            }
        }
        for (int64_t i = 0; i < period; i++) {
            sums[i % step] += lanes[i];
        }
    }
    for (; at < n; at++) {
        sums[at % step] += row[at];
    }
}

static inline __attribute__((always_inline)) void
int_sums_by_pixel(const void *row, bool wide, int64_t pixels, int64_t step, uint64_t *sums)
{
    for (int64_t i = 0; i < pixels * step; i++) {
        sums[i % step] += wide ? ((const uint16_t *)row)[i] : ((const uint8_t *)row)[i];
    }
}

/* sums[c] += the samples of channel c. */
static void int_sums(const void *row, bool wide, int64_t pixels, int32_t channels, uint64_t *sums)
{
    switch (channels) {
#define GF_CASE(step)                                                                                        \
    case step:                                                                                               \
        if (wide) {                                                                                          \
            u16_sums_by(row, pixels, step, sums);                                                            \
        } else {                                                                                             \
            u8_sums_by(row, pixels, step, sums);                                                             \
        }                                                                                                    \
        break;
        GF_CASE(1)
        GF_CASE(2)
        GF_CASE(3)
        GF_CASE(4)
#undef GF_CASE
    default:
        int_sums_by_pixel(row, wide, pixels, channels, sums);
    }
}

/* The columns of a row of a cell that pixels [first, first + pixels) are, folded in pairs by channel: NaN and
 * the columns that are not there are +0. Whether there is NaN. */
static inline __attribute__((always_inline)) bool f32_fold_by(const float *row, int64_t first, int64_t pixels,
                                                              int64_t step, double *restrict sums)
{
    double columns[GF_CELL_W * GF_MAX_CHANNELS];
    uint32_t nan = 0;
    if (pixels < GF_CELL_W) {
        memset(columns, 0, (size_t)(GF_CELL_W * step) * sizeof *columns);
    }
    for (int64_t i = 0; i < pixels * step; i++) {
        columns[first * step + i] = row[i] == row[i] ? (double)row[i] + 0.0 : 0.0; /* -0 becomes +0 */
        nan |= row[i] != row[i];
    }
    for (int64_t half = GF_CELL_W / 2 * step; half >= step; half /= 2) {
        for (int64_t i = 0; i < half; i++) {
            columns[i] += columns[i + half];
        }
    }
    for (int64_t c = 0; c < step; c++) {
        sums[c] = columns[c];
    }
    return nan != 0;
}

static bool f32_fold(const float *row, int64_t first, int64_t pixels, int32_t channels, double *sums)
{
    if (channels == 1) {
        return f32_fold_by(row, first, pixels, 1, sums);
    }
    return f32_fold_by(row, first, pixels, channels, sums);
}
