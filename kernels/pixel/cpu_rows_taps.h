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

static struct gf_row_extremes u16_stats(const uint16_t *row, int64_t pixels, int32_t channels, uint64_t *sum,
                                        uint64_t *square)
{
    uint32_t least = 65535;
    uint32_t greatest = 0;
    uint64_t s = 0;
    uint64_t q = 0;
    for (int64_t i = 0; i < pixels; i++) {
        uint32_t x = row[i * channels];
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
        s += x;
        q += x * x; /* at most 65535^2 < 2^32 */
    }
    *sum += s;
    *square += q;
    return (struct gf_row_extremes){least, greatest};
}

static struct gf_row_extremes f32_extremes(const float *row, int64_t pixels, int32_t channels, int64_t *nan)
{
    const uint32_t not_a_number = 0xffc00000U;
    uint32_t least = 0xffffffffU;
    uint32_t greatest = 0;
    int64_t missing = 0;
    for (int64_t i = 0; i < pixels; i++) {
        uint32_t key = gf_float_key(row[i * channels]);
        uint32_t low = key == not_a_number ? 0xffffffffU : key;
        uint32_t high = key == not_a_number ? 0 : key;
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
        missing += key == not_a_number;
    }
    *nan += missing;
    return (struct gf_row_extremes){least, greatest};
}

static struct gf_row_extremes f32_finite(const float *row, int64_t pixels, int32_t channels)
{
    uint32_t least = 0xffffffffU;
    uint32_t greatest = 0;
    for (int64_t i = 0; i < pixels; i++) {
        float v = row[i * channels];
        uint32_t key = gf_float_key(v);
        uint32_t finite = (gf_float_bits(v) & 0x7fffffffU) < GF_INFINITY_BITS;
        uint32_t low = finite ? key : 0xffffffffU;
        uint32_t high = finite ? key : 0;
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
    }
    return (struct gf_row_extremes){least, greatest};
}

static void f32_columns(const float *row, double *restrict sums, double *restrict squares, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double v = row[i] == row[i] ? (double)row[i] : 0.0;
        sums[i] += v;
        squares[i] += v * v;
    }
}

static void f32_bins(const float *row, int32_t *restrict bins, int64_t pixels, int32_t channels, float lo,
                     float scale, int32_t count)
{
    for (int64_t i = 0; i < pixels; i++) {
        int32_t bin = gf_bin(row[i * channels], lo, scale, count);
        bin = bin == GF_BIN_BELOW ? count : bin;
        bin = bin == GF_BIN_ABOVE ? count + 1 : bin;
        bins[i] = bin == GF_BIN_NAN ? count + 2 : bin;
    }
}
