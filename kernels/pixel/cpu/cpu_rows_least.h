/* Part of cpu_rows.c: the lesser of samples, for u8, u16 and the keys of f32. Flips turn least into greatest.
 */

/* Samples that are taken down at once, so that what lies between is in the first cache. */
#define AT_ONCE_OF(T) ((int64_t)(256 / sizeof(T)))

#define GF_LEAST_ROWS(T, name)                                                                               \
    static inline __attribute__((always_inline)) void least_as_##name(                                       \
        const T *a, const T *b, const T *c, const T *d, T *restrict to, int64_t n, T turned, T back)         \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T p = a[i] ^ turned, q = b[i] ^ turned, r = c[i] ^ turned, s = d[i] ^ turned;              \
            const T u = p < q ? p : q, v = r < s ? r : s;                                                    \
            to[i] = (u < v ? u : v) ^ back;                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void least_##name(const void *const *from, void *to, int64_t n, uint32_t flip, uint32_t back)     \
    {                                                                                                        \
        if (flip) {                                                                                          \
            least_as_##name(from[0], from[1], from[2], from[3], to, n, (T)flip, (T)back);                    \
        } else if (back) {                                                                                   \
            least_as_##name(from[0], from[1], from[2], from[3], to, n, 0, (T)back);                          \
        } else {                                                                                             \
            least_as_##name(from[0], from[1], from[2], from[3], to, n, 0, 0);                                \
        }                                                                                                    \
    }                                                                                                        \
    static inline __attribute__((always_inline)) void down_as_##name(const void *const *rows, int64_t h,     \
                                                                     T *out, int64_t pitch, int64_t m,       \
                                                                     int64_t at, int64_t n, T turned)        \
    {                                                                                                        \
        T sofar[AT_ONCE_OF(T)];                                                                              \
        memset(sofar, 0xff, sizeof sofar);                                                                   \
        for (int64_t i = h - 1; i >= GF_FAULT(least_block); i--) {                                           \
            const T *row = (const T *)rows[i] + at;                                                          \
            T *restrict to = out + (i < m ? i : 0) * pitch + at;                                             \
            for (int64_t x = 0; x < n; x++) {                                                                \
                const T v = row[x] ^ turned;                                                                 \
                sofar[x] = sofar[x] < v ? sofar[x] : v;                                                      \
                to[x] = sofar[x];                                                                            \
            }                                                                                                \
        }                                                                                                    \
        memset(sofar, 0xff, sizeof sofar);                                                                   \
        for (int64_t i = 1; i < m; i++) {                                                                    \
            const T *row = (const T *)rows[h + i - 1] + at;                                                  \
            T *restrict to = out + i * pitch + at;                                                           \
            for (int64_t x = 0; x < n; x++) {                                                                \
                const T v = row[x] ^ turned;                                                                 \
                sofar[x] = sofar[x] < v ? sofar[x] : v;                                                      \
                to[x] = to[x] < sofar[x] ? to[x] : sofar[x];                                                 \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static void down_##name(const void *const *rows, int64_t h, void *out, int64_t pitch, int64_t m,         \
                            int64_t n, uint32_t flip)                                                        \
    {                                                                                                        \
        int64_t at = 0;                                                                                      \
        for (; !flip && at + AT_ONCE_OF(T) <= n; at += AT_ONCE_OF(T)) {                                      \
            down_as_##name(rows, h, out, pitch, m, at, AT_ONCE_OF(T), 0);                                    \
        }                                                                                                    \
        for (; at + AT_ONCE_OF(T) <= n; at += AT_ONCE_OF(T)) {                                               \
            down_as_##name(rows, h, out, pitch, m, at, AT_ONCE_OF(T), (T)flip);                              \
        }                                                                                                    \
        if (at < n) {                                                                                        \
            down_as_##name(rows, h, out, pitch, m, at, n - at, (T)flip);                                     \
        }                                                                                                    \
    }                                                                                                        \
    static void lower_##name(void *sofar, const void *more, int64_t n)                                       \
    {                                                                                                        \
        T *restrict a = sofar;                                                                               \
        const T *restrict b = more;                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            a[i] = a[i] < b[i] ? a[i] : b[i];                                                                \
        }                                                                                                    \
    }                                                                                                        \
    static inline __attribute__((always_inline)) void gather_as_##name(                                      \
        T *restrict g, const T *restrict a, const T *restrict b, T *restrict to, int64_t n, T turned)        \
    {                                                                                                        \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            const T least = g[i] < a[i] ? g[i] : a[i];                                                       \
            g[i] = least;                                                                                    \
            to[i] = (least < b[i] ? least : b[i]) ^ turned;                                                  \
        }                                                                                                    \
    }                                                                                                        \
    static void gather_##name(void *gathered, const void *entering, const void *begun, void *out, int64_t n, \
                              uint32_t flip, const void *ahead)                                              \
    {                                                                                                        \
        enum { AT_ONCE = 256 / sizeof(T) };                                                                  \
        T *g = gathered, *to = out;                                                                          \
        const T *a = entering, *b = begun;                                                                   \
        for (; n >= AT_ONCE; n -= AT_ONCE) {                                                                 \
            for (size_t line = 0; line < 256; line += 64) {                                                  \
                prefetch(ahead, line);                                                                       \
            }                                                                                                \
            gather_as_##name(g, a, b, to, AT_ONCE, (T)flip);                                                 \
            g += AT_ONCE, a += AT_ONCE, b += AT_ONCE, to += AT_ONCE;                                         \
            ahead = (const char *)ahead + 256;                                                               \
        }                                                                                                    \
        gather_as_##name(g, a, b, to, n, (T)flip);                                                           \
    }                                                                                                        \
    static void of_all_##name(const void *const *rows, int64_t count, void *out, int64_t n, uint32_t flip)   \
    {                                                                                                        \
        enum { BLOCK = 512 / sizeof(T) };                                                                    \
        const T turned = (T)flip;                                                                            \
        for (int64_t at = 0; at < n; at += BLOCK) {                                                          \
            const int64_t m = n - at < BLOCK ? n - at : BLOCK;                                               \
            T least[BLOCK];                                                                                  \
            memcpy(least, (const T *)rows[0] + at, (size_t)m * sizeof(T));                                   \
            int64_t k = 1;                                                                                   \
            for (; k + 4 <= count; k += 4) {                                                                 \
                const T *a = (const T *)rows[k] + at, *b = (const T *)rows[k + 1] + at;                      \
                const T *c = (const T *)rows[k + 2] + at, *d = (const T *)rows[k + 3] + at;                  \
                for (int64_t i = 0; i < m; i++) {                                                            \
                    const T u = a[i] < b[i] ? a[i] : b[i], v = c[i] < d[i] ? c[i] : d[i];                    \
                    const T w = u < v ? u : v;                                                               \
                    least[i] = least[i] < w ? least[i] : w;                                                  \
                }                                                                                            \
            }                                                                                                \
            for (; k < count; k++) {                                                                         \
                lower_##name(least, (const T *)rows[k] + at, m);                                             \
            }                                                                                                \
            T *restrict to = (T *)out + at;                                                                  \
            for (int64_t i = 0; i < m; i++) {                                                                \
                to[i] = least[i] ^ turned;                                                                   \
            }                                                                                                \
        }                                                                                                    \
    }

GF_LEAST_ROWS(uint8_t, u8)
GF_LEAST_ROWS(uint16_t, u16)
GF_LEAST_ROWS(uint32_t, u32)

static void f32_keys(const float *line, uint32_t *restrict keys, int64_t n, uint32_t flip)
{
    for (int64_t i = 0; i < n; i++) {
        keys[i] = gf_float_key(line[i]) ^ flip;
    }
}

static void keys_f32(const uint32_t *keys, float *restrict out, int64_t n, uint32_t flip)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = gf_key_float(keys[i] ^ flip);
    }
}
