/* Part of cpu_rows.c: gradients, their squares and the ridges of these. For u8 all is exact in f32: it
 * compares integers below 2^26, and the larger ones are multiples of 2^15. */

#define SLOPES(name, S, T)                                                                                   \
    static void name##_alone(const S *const lines[3], T *restrict gx, T *restrict gy, T *restrict square,    \
                             int64_t n, int64_t step)                                                        \
    {                                                                                                        \
        const S *a = lines[0], *b = lines[1], *c = lines[2];                                                 \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const int64_t l = i * step, m = l + step, r = m + step;                                          \
            gx[i] = (T)(((c[r] - c[l]) + (a[r] - a[l])) + 2 * (b[r] - b[l]));                                \
            gy[i] = (T)(((c[l] + c[r]) + 2 * c[m]) - ((a[l] + a[r]) + 2 * a[m]));                            \
        }                                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T s = gx[i] * gx[i] + gy[i] * gy[i];                                                       \
            square[i] = s > 0 ? s : 0;                                                                       \
        }                                                                                                    \
    }                                                                                                        \
    static void name(const S *const lines[3], void *const to[3], void *const work[3], int64_t n,             \
                     int32_t channels, uint32_t mask)                                                        \
    {                                                                                                        \
        T *restrict gx = to[0], *restrict gy = to[1], *restrict square = to[2];                              \
        const T *mx = work[0], *my = work[1], *more = work[2];                                               \
        bool first = true;                                                                                   \
        for (int32_t c = 0; c < channels; c++) {                                                             \
            const S *const own[3] = {lines[0] + c, lines[1] + c, lines[2] + c};                              \
            if (!(mask >> c & 1)) {                                                                          \
                continue;                                                                                    \
            }                                                                                                \
            if (first) {                                                                                     \
                name##_alone(own, gx, gy, square, n, channels);                                              \
                first = false;                                                                               \
                continue;                                                                                    \
            }                                                                                                \
            name##_alone(own, work[0], work[1], work[2], n, channels);                                       \
            for (int64_t i = 0; i < n; i++) {                                                                \
                const bool is = more[i] > square[i];                                                         \
                gx[i] = is ? mx[i] : gx[i];                                                                  \
                gy[i] = is ? my[i] : gy[i];                                                                  \
                square[i] = is ? more[i] : square[i];                                                        \
            }                                                                                                \
        }                                                                                                    \
    }
SLOPES(u8_slopes, uint8_t, float)
SLOPES(f32_slopes, float, double)
#undef SLOPES

/* What of a pixel's square is a ridge: see edges.h. Without a branch, and so in vectors. */
#define RIDGES(name, T)                                                                                      \
    static void name(const void *const slope[2], const void *const square[3], uint8_t *restrict out,         \
                     int64_t n, double less, double least)                                                   \
    {                                                                                                        \
        const T *gx = slope[0], *gy = slope[1], *up = square[0], *at = square[1], *down = square[2];         \
        const T low = (T)less, high = (T)least;                                                              \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T m = at[i], x = gx[i] < 0 ? -gx[i] : gx[i], y = gy[i] < 0 ? -gy[i] : gy[i];               \
            const T tangent = x * GF_EDGES_TANGENT, steep = y * GF_EDGES_ONE;                                \
            const int across = (m > at[i - 1]) & (m >= at[i + 1] + (T)GF_FAULT(edges_tie));                  \
            const int upright = (m > up[i]) & (m >= down[i]);                                                \
            const int falling = (m > up[i - 1]) & (m > down[i + 1]);                                         \
            const int rising = (m > up[i + 1]) & (m > down[i - 1]);                                          \
            const int is_across = steep < tangent;                                                           \
            const int is_upright = steep - x * (2 * GF_EDGES_ONE) > tangent;                                 \
            const int is_rising = (gx[i] < 0) ^ (gy[i] < 0);                                                 \
            const int aslant = (is_rising & rising) | ((is_rising ^ 1) & falling);                           \
            const int steeper = (is_upright & upright) | ((is_upright ^ 1) & aslant);                        \
            const int ridge = (is_across & across) | ((is_across ^ 1) & steeper);                            \
            out[i] = (uint8_t)((ridge & (m > low)) | (-(ridge & (m > high)) & GF_EDGE_STRONG));              \
        }                                                                                                    \
    }
RIDGES(u8_ridges, float)
RIDGES(f32_ridges, double)
#undef RIDGES

/* Eight bits of eight bytes, and back: one multiplication each. */
static inline uint64_t bits_of_bytes(uint64_t bytes)
{
    return ((bytes & 0x0101010101010101U) * 0x0102040810204080U) >> 56;
}

static inline uint64_t bytes_of_bits(uint64_t bits)
{
    uint64_t spread = ((bits & 255) * 0x0101010101010101U) & 0x8040201008040201U;
    return ((spread + 0x7f7f7f7f7f7f7f7fU) >> 7 & 0x0101010101010101U) * 255;
}

static void edges_to_bits(const uint8_t *edges, uint64_t *any, uint64_t *strong, int64_t n)
{
    for (int64_t i = 0; i < n; i += 64) {
        unsigned char bytes[64] = {0};
        const unsigned char *at = edges + i;
        if (n - i < 64) {
            memcpy(bytes, at, (size_t)(n - i));
            at = bytes;
        }
#if defined(__AVX512BW__)
        const __m512i v = vi_load(at);
        any[i / 64] = _mm512_test_epi8_mask(v, v);
        strong[i / 64] = _mm512_movepi8_mask(v);
#else
        uint64_t a = 0, s = 0;
        for (int k = 0; k < 64; k += 8) {
            uint64_t eight;
            memcpy(&eight, at + k, sizeof eight);
            a |= bits_of_bytes(eight) << k;
            s |= bits_of_bytes(eight >> 7) << k;
        }
        any[i / 64] = a;
        strong[i / 64] = s;
#endif
    }
}

static void bits_to_bytes(const uint64_t *bits, uint8_t *out, int64_t n)
{
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        const uint64_t word = bits[i / 64];
#if defined(__AVX512BW__)
        vi_store(out + i, _mm512_movm_epi8(word));
#else
        for (int k = 0; k < 64; k += 8) {
            uint64_t eight = bytes_of_bits(word >> k);
            memcpy(out + i + k, &eight, sizeof eight);
        }
#endif
    }
    for (; i < n; i++) {
        out[i] = (uint8_t)(-(bits[i / 64] >> (i % 64) & 1));
    }
}

static void bits_to_white(const uint64_t *bits, void *out, gf_depth depth, int64_t n)
{
    if (depth == GF_U8) {
        bits_to_bytes(bits, out, n);
        return;
    }
    uint16_t *words = out;
    float *floats = out;
    for (int64_t i = 0; i < n; i++) {
        const uint32_t is = bits[i / 64] >> (i % 64) & 1;
        if (depth == GF_U16) {
            words[i] = (uint16_t)-is;
        } else {
            floats[i] = (float)is;
        }
    }
}
