/* Part of cpu_rows.c: formats, instructions, and u8 without the way over f32. */

static void to_f32(const void *in, gf_depth depth, float *restrict out, int64_t n)
{
    if (depth == GF_U8) {
        const uint8_t *from = in;
        for (int64_t i = 0; i < n; i++) {
            out[i] = from[i];
        }
    } else if (depth == GF_U16) {
        const uint16_t *from = in;
        for (int64_t i = 0; i < n; i++) {
            out[i] = from[i];
        }
    } else if (depth == GF_S16) {
        const int16_t *from = in;
        for (int64_t i = 0; i < n; i++) {
            out[i] = from[i];
        }
    } else {
        memcpy(out, in, (size_t)n * sizeof *out);
    }
}

static void from_f32(const float *in, void *out, gf_depth depth, int64_t n)
{
    if (depth == GF_U8) {
        uint8_t *restrict to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = gf_quantise_u8(in[i]);
        }
    } else if (depth == GF_U16) {
        uint16_t *restrict to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = gf_quantise_u16(in[i]);
        }
    } else if (depth == GF_S16) {
        int16_t *restrict to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = gf_quantise_s16(in[i]);
        }
    } else {
        float *to = out;
        for (int64_t i = 0; i < n; i++) {
            to[i] = gf_canonical(in[i]);
        }
    }
}

static void divide(float *v, int64_t n, float by)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_div(v[i], by);
    }
}

static void affine(float *v, int64_t n, const float (*k)[2], int64_t count)
{
    int64_t done = 0;
#if GF_SIMD_FLOAT
    for (; done + 4 * GF_SIMD_FLOAT <= n; done += 4 * GF_SIMD_FLOAT) {
        gf_vf x[4];
        for (int j = 0; j < 4; j++) {
            x[j] = vf_load(v + done + j * GF_SIMD_FLOAT);
        }
        for (int64_t at = 0; at < count; at++) {
            for (int j = 0; j < 4; j++) {
                x[j] = vf_fma(x[j], vf_set(k[at][0]), vf_set(k[at][1]));
            }
        }
        for (int j = 0; j < 4; j++) {
            vf_store(v + done + j * GF_SIMD_FLOAT, x[j]);
        }
    }
#endif
    for (int64_t at = 0; at < count; at++) {
        for (int64_t i = done; i < n; i++) {
            v[i] = gf_fma(v[i], k[at][0], k[at][1]);
        }
    }
}

static void power(float *v, int64_t n, float exponent)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_power_signed(v[i], exponent);
    }
}

static void greater(float *v, int64_t n, float limit, float white)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = v[i] > limit ? white : 0.0F;
    }
}

static void quantise(float *v, int64_t n, gf_depth depth)
{
    if (depth == GF_U8) {
        for (int64_t i = 0; i < n; i++) {
            v[i] = (float)gf_quantise_u8(GF_FAULT(convert_truncates) ? __builtin_floorf(v[i]) : v[i]);
        }
    } else if (depth == GF_U16) {
        for (int64_t i = 0; i < n; i++) {
            v[i] = (float)gf_quantise_u16(v[i]);
        }
    }
}

static void gray_f32(const float *in, float *restrict out, int64_t pixels, int32_t channels)
{
    if (channels == 3) {
        for (int64_t p = 0; p < pixels; p++) {
            out[p] = gf_gray_f32(in[3 * p], in[3 * p + 1], in[3 * p + 2]);
        }
    } else {
        for (int64_t p = 0; p < pixels; p++) {
            out[2 * p] = gf_gray_f32(in[4 * p], in[4 * p + 1], in[4 * p + 2]);
            out[2 * p + 1] = in[4 * p + 3];
        }
    }
}

/* The samples are integers below 2^16, so int32_t converts them too, in one instruction. */
static inline float gray_of(const float *v)
{
    return (float)(int32_t)gf_gray_u((uint32_t)(int32_t)v[0], (uint32_t)(int32_t)v[1],
                                     (uint32_t)(int32_t)v[2]);
}

static void gray_int(const float *in, float *restrict out, int64_t pixels, int32_t channels)
{
    if (channels == 3) {
        for (int64_t p = 0; p < pixels; p++) {
            out[p] = gray_of(in + 3 * p);
        }
    } else {
        for (int64_t p = 0; p < pixels; p++) {
            out[2 * p] = gray_of(in + 4 * p);
            out[2 * p + 1] = in[4 * p + 3];
        }
    }
}

static inline __attribute__((always_inline)) void
alpha_of(bool back, bool bytes, const float *in, float *restrict out, int64_t pixels, int32_t channels)
{
    const struct gf_insn insn = {.arg = bytes};
    const int32_t last = channels - 1;
    for (int64_t p = 0; p < pixels * channels; p += channels) {
        for (int32_t c = 0; c < last; c++) {
            out[p + c] = back ? gf_unpremultiply(&insn, in[p + c], in[p + last])
                              : gf_premultiply(&insn, in[p + c], in[p + last]);
        }
        out[p + last] = in[p + last];
    }
}

static void alpha(const struct gf_insn *insn, const float *in, float *restrict out, int64_t pixels,
                  int32_t channels)
{
    const bool back = insn->code == GF_INSN_UNPREMULTIPLY;
    if (channels != 4) {
        alpha_of(back, insn->arg, in, out, pixels, 2);
    } else if (back && insn->arg) {
        alpha_of(true, true, in, out, pixels, 4);
    } else if (back) {
        alpha_of(true, false, in, out, pixels, 4);
    } else if (insn->arg) {
        alpha_of(false, true, in, out, pixels, 4);
    } else {
        alpha_of(false, false, in, out, pixels, 4);
    }
}

static void magnitude(const float *in, float *restrict out, int64_t pixels, int32_t channels, float scale)
{
    int64_t half = channels / 2;
    if (half == 1) {
        for (int64_t p = 0; p < pixels; p++) {
            out[p] = gf_magnitude(in[2 * p], in[2 * p + 1], scale);
        }
        return;
    }
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < half; c++) {
            out[p * half + c] = gf_magnitude(in[p * channels + c], in[p * channels + half + c], scale);
        }
    }
}

/* Both counts are constants where this is inlined. */
static inline __attribute__((always_inline)) void matrix_of(const float *in, float *restrict out,
                                                            int64_t pixels, int32_t channels, int32_t rows,
                                                            const float (*m)[5])
{
    for (int64_t p = 0; p < pixels; p++) {
        for (int32_t r = 0; r < rows; r++) {
            float sum = m[r][channels];
            for (int32_t c = 0; c < channels; c++) {
                sum = gf_fma(m[r][c], in[p * channels + c], sum);
            }
            out[p * rows + r] = sum;
        }
    }
}

static void matrix(const float *in, float *out, int64_t pixels, int32_t channels, int32_t rows,
                   const float (*m)[5])
{
    if (channels == 3 && rows == 3) {
        matrix_of(in, out, pixels, 3, 3, m);
    } else if (channels == 3 && rows == 1) {
        matrix_of(in, out, pixels, 3, 1, m);
    } else if (channels == 4 && rows == 4) {
        matrix_of(in, out, pixels, 4, 4, m);
    } else {
        matrix_of(in, out, pixels, channels, rows, m);
    }
}

static inline __attribute__((always_inline)) void pixels_of(const struct gf_insn *insn, const float *in,
                                                            float *restrict out, int64_t pixels,
                                                            int32_t channels, int32_t after,
                                                            const struct gf_pixel_reads *reads)
{
    struct gf_pixel_reads at = *reads;
    for (int64_t p = 0; p < pixels; p++) {
        float v[GF_MAX_CHANNELS] = {0.0F};
        at.operand = reads->operand ? reads->operand + p * reads->channels : NULL;
        for (int32_t c = 0; c < channels; c++) {
            v[c] = in[p * channels + c];
        }
        gf_insn_pixel(insn, v, channels, &at);
        for (int32_t c = 0; c < after; c++) {
            out[p * after + c] = v[c];
        }
    }
}

/* An instruction on pixels that the compiler knows. */
static inline __attribute__((always_inline)) void pixels_as(uint8_t code, const struct gf_insn *insn,
                                                            const float *in, float *out, int64_t pixels,
                                                            int32_t channels, int32_t after)
{
    const struct gf_pixel_reads none = {NULL, NULL, 0};
    const struct gf_insn what = {.code = code, .mask = insn->mask, .k = {insn->k[0], insn->k[1]}};
    pixels_of(&what, in, out, pixels, channels, after, &none);
}

static void pixels_any(const struct gf_insn *insn, const float *in, float *out, int64_t pixels,
                       int32_t channels, const struct gf_pixel_reads *reads)
{
    const struct gf_insn what = *insn;
    if (insn->code == GF_INSN_SPREAD && channels == 1) {
        pixels_as(GF_INSN_SPREAD, insn, in, out, pixels, 1, 3);
        return;
    }
    if (insn->code == GF_INSN_ADD_ALPHA && channels == 3) {
        pixels_as(GF_INSN_ADD_ALPHA, insn, in, out, pixels, 3, 4);
        return;
    }
    if (insn->code == GF_INSN_DROP_ALPHA && channels == 4) {
        pixels_as(GF_INSN_DROP_ALPHA, insn, in, out, pixels, 4, 3);
        return;
    }
    const int32_t after = gf_insn_channels(insn, channels);
    if (channels == 1 && after == 3) {
        pixels_of(&what, in, out, pixels, 1, 3, reads);
    } else if (channels == 3 && after == 3) {
        pixels_of(&what, in, out, pixels, 3, 3, reads);
    } else if (channels == 3 && after == 4) {
        pixels_of(&what, in, out, pixels, 3, 4, reads);
    } else if (channels == 4 && after == 3) {
        pixels_of(&what, in, out, pixels, 4, 3, reads);
    } else if (channels == 4 && after == 4) {
        pixels_of(&what, in, out, pixels, 4, 4, reads);
    } else {
        pixels_of(&what, in, out, pixels, channels, after, reads);
    }
}

/* ---- u8 ---- */

static void u8_gray_plain(const uint8_t *in, uint8_t *restrict out, int64_t pixels, int32_t channels)
{
    for (int64_t p = 0; p < pixels; p++) {
        const uint8_t *v = in + p * channels;
        uint8_t gray = (uint8_t)gf_gray_u(v[0], v[1], v[2]);
        if (channels == 3) {
            out[p] = gray;
        } else {
            out[2 * p] = gray;
            out[2 * p + 1] = v[3];
        }
    }
}

#if GF_SIMD_FLOAT
/* RGB: each 128-bit lane takes 12 bytes, four pixels, and multiplies 16-bit pairs (r, g) and (b, 0). Reads
 * a whole vector, so the last pixels of a row go the plain way. */
static int64_t u8_gray_vectors(const uint8_t *in, uint8_t *out, int64_t pixels)
{
    const __m128i red_green = _mm_setr_epi8(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1);
    const __m128i blue = _mm_setr_epi8(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1);
    const int32_t pair = GF_GRAY_R | GF_GRAY_G << 16;
    int64_t p = 0;
#if GF_SIMD_FLOAT == 16
    const __m512i spread = _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
    for (; p + 22 <= pixels; p += 16) {
        __m512i v = _mm512_permutexvar_epi32(spread, _mm512_loadu_si512(in + 3 * p));
        __m512i x = _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(red_green));
        __m512i y = _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(blue));
        x = _mm512_add_epi32(_mm512_madd_epi16(x, _mm512_set1_epi32(pair)),
                             _mm512_madd_epi16(y, _mm512_set1_epi32(GF_GRAY_B)));
        x = _mm512_srli_epi32(_mm512_add_epi32(x, _mm512_set1_epi32(16384)), 15);
        _mm_storeu_si128((__m128i *)(void *)(out + p), _mm512_cvtepi32_epi8(x));
    }
#else
    const __m256i spread = _mm256_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6);
    for (; p + 11 <= pixels; p += 8) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(in + 3 * p));
        v = _mm256_permutevar8x32_epi32(v, spread);
        __m256i x = _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(red_green));
        __m256i y = _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(blue));
        x = _mm256_add_epi32(_mm256_madd_epi16(x, _mm256_set1_epi32(pair)),
                             _mm256_madd_epi16(y, _mm256_set1_epi32(GF_GRAY_B)));
        x = _mm256_srli_epi32(_mm256_add_epi32(x, _mm256_set1_epi32(16384)), 15);
        __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        _mm_storel_epi64((__m128i *)(void *)(out + p), _mm_packus_epi16(words, words));
    }
#endif
    return p;
}
#endif

static void u8_gray(const uint8_t *in, uint8_t *out, int64_t pixels, int32_t channels)
{
    int64_t p = 0;
#if GF_SIMD_FLOAT
    if (channels == 3) {
        p = u8_gray_vectors(in, out, pixels);
    }
#endif
    u8_gray_plain(in + p * channels, out + p * (channels - 2), pixels - p, channels);
}

#if defined(__AVX512BW__)
/* The table in four vectors; bit 7 of a sample says in which two of them it looks. */
__attribute__((target("avx512vbmi"))) static int64_t u8_table_vectors(const uint8_t *in, uint8_t *out,
                                                                      int64_t n, const uint8_t table[256])
{
    __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 64);
    __m512i c = _mm512_loadu_si512(table + 128), d = _mm512_loadu_si512(table + 192);
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        __m512i v = _mm512_loadu_si512(in + i);
        __m512i low = _mm512_permutex2var_epi8(a, v, b);
        __m512i high = _mm512_permutex2var_epi8(c, v, d);
        _mm512_storeu_si512(out + i, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(v), high));
    }
    return i;
}
#endif

static void u8_table(const uint8_t *in, uint8_t *out, int64_t pixels, int32_t channels,
                     const uint8_t (*tables)[256])
{
    if (channels == 1) {
        int64_t done = 0;
#if defined(__AVX512BW__)
        if (__builtin_cpu_supports("avx512vbmi")) {
            done = u8_table_vectors(in, out, pixels, tables[0]);
        }
#endif
        for (int64_t i = done; i < pixels; i++) {
            out[i] = tables[0][in[i]];
        }
        return;
    }
    for (int64_t p = 0; p < pixels; p++) {
        for (int64_t c = 0; c < channels; c++) {
            out[p * channels + c] = tables[c][in[p * channels + c]];
        }
    }
}

static void u8_step(const uint8_t *in, uint8_t *out, int64_t n, uint8_t limit, uint8_t low, uint8_t high)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = in[i] > limit ? high : low;
    }
}
