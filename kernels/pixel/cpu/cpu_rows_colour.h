/* Colours on rows: between sRGB and light, L*a*b*, another luma. Part of cpu_rows.c. A power of several
 * samples at once is what costs, so that it is taken of all, and only then chosen where it counts. */

enum { COLOUR_CHUNK = 64 }; /* samples, or pixels, that are in the cache in several forms */

/* It is out of line, with an exponent that the compiler does not see: otherwise it does not vectorise. */
static __attribute__((noinline, noclone)) void powers(float *v, int64_t n, float exponent)
{
    for (int64_t i = 0; i < n; i++) {
        v[i] = gf_power_signed(v[i], exponent);
    }
}

static void transfer_chunk(float *v, int64_t n, bool encode)
{
    float p[COLOUR_CHUNK], size[COLOUR_CHUNK];
    for (int64_t i = 0; i < n; i++) {
        size[i] = gf_bits_float(gf_float_bits(v[i]) & 0x7fffffffU);
        p[i] = encode ? size[i] : gf_div(size[i] + 0.055F, 1.055F);
    }
    powers(p, n, encode ? 1.0F / 2.4F : 2.4F);
    for (int64_t i = 0; i < n; i++) {
        const uint32_t sign = gf_float_bits(v[i]) & 0x80000000U;
        const float near = encode ? 12.92F * size[i] : gf_div(size[i], 12.92F);
        const float far = encode ? gf_fma(1.055F, p[i], -0.055F) : p[i];
        const float made = size[i] <= (encode || GF_FAULT(srgb_knee) ? 0.0031308F : 0.04045F) ? near : far;
        v[i] = gf_bits_float(gf_float_bits(made) | sign);
    }
}

static void transfer(float *v, int64_t n, bool encode)
{
    for (int64_t at = 0; at < n; at += COLOUR_CHUNK) {
        transfer_chunk(v + at, n - at < COLOUR_CHUNK ? n - at : COLOUR_CHUNK, encode);
    }
}

/* gf_lab_root of n numbers. */
static void roots(float *t, int64_t n)
{
    float p[COLOUR_CHUNK];
    memcpy(p, t, (size_t)n * sizeof *p);
    powers(p, n, 1.0F / 3.0F);
    for (int64_t i = 0; i < n; i++) {
        t[i] = t[i] > (GF_FAULT(lab_root) ? 0.008F : 0.00885645207F) ? p[i]
                                                                     : gf_fma(7.7870369F, t[i], 0.137931034F);
    }
}

/* One after the other of three planes times a matrix of three rows. */
static void planes_times(const float m[3][3], const float (*v)[COLOUR_CHUNK], float (*out)[COLOUR_CHUNK],
                         int64_t n)
{
    for (int r = 0; r < 3; r++) {
        for (int64_t i = 0; i < n; i++) {
            out[r][i] = gf_fma(m[r][2], v[2][i], gf_fma(m[r][1], v[1][i], m[r][0] * v[0][i]));
        }
    }
}

static void planes_to_lab(float (*v)[COLOUR_CHUNK], int64_t n)
{
    const float m[3][3] = GF_XYZ_OF_LIGHT;
    float t[3][COLOUR_CHUNK];
    for (int c = 0; c < 3; c++) {
        transfer_chunk(v[c], n, false);
    }
    planes_times(m, (const float(*)[COLOUR_CHUNK])v, t, n);
    for (int c = 0; c < 3; c++) {
        roots(t[c], n);
    }
    for (int64_t i = 0; i < n; i++) {
        v[0][i] = gf_fma(1.16F, t[1][i], -0.16F);
        v[1][i] = gf_div(gf_fma(500.0F, t[0][i] - t[1][i], 128.0F), 255.0F);
        v[2][i] = gf_div(gf_fma(200.0F, t[1][i] - t[2][i], 128.0F), 255.0F);
    }
}

static void planes_from_lab(float (*v)[COLOUR_CHUNK], int64_t n)
{
    const float m[3][3] = GF_LIGHT_OF_XYZ;
    float t[3][COLOUR_CHUNK];
    for (int64_t i = 0; i < n; i++) {
        const float root = gf_div(v[0][i] + 0.16F, 1.16F);
        t[0][i] = gf_lab_cube(root + gf_div(gf_fma(255.0F, v[1][i], -128.0F), 500.0F));
        t[1][i] = gf_lab_cube(root);
        t[2][i] = gf_lab_cube(root - gf_div(gf_fma(255.0F, v[2][i], -128.0F), 200.0F));
    }
    planes_times(m, (const float(*)[COLOUR_CHUNK])t, v, n);
    for (int c = 0; c < 3; c++) {
        transfer_chunk(v[c], n, true);
    }
}

/* Bytes become light, and that L*a*b*; pixels near the middle between two bytes by the definition. */
static void bytes_to_lab(const struct gf_lab_tables *t, float (*v)[COLOUR_CHUNK], int64_t n)
{
    const float m[3][3] = GF_XYZ_OF_LIGHT;
    float light[3][COLOUR_CHUNK], root[3][COLOUR_CHUNK], made[3][COLOUR_CHUNK];
    int32_t exact[COLOUR_CHUNK];
    for (int c = 0; c < 3; c++) {
        for (int64_t i = 0; i < n; i++) {
            light[c][i] = t->of_byte[0][(int32_t)v[c][i]];
        }
    }
    planes_times(m, (const float(*)[COLOUR_CHUNK])light, root, n);
    for (int c = 0; c < 3; c++) {
        for (int64_t i = 0; i < n; i++) {
            root[c][i] = gf_lab_root_of_light(root[c][i]);
        }
    }
    for (int64_t i = 0; i < n; i++) {
        exact[i] = gf_lab_bytes_of(root[0][i], root[1][i], root[2][i], &made[0][i], &made[1][i], &made[2][i]);
    }
    for (int64_t i = 0; i < n; i++) {
        if (!exact[i]) {
            float lab[3] = {v[0][i], v[1][i], v[2][i]};
            gf_lab_bytes_exactly(lab);
            made[0][i] = lab[0];
            made[1][i] = lab[1];
            made[2][i] = lab[2];
        }
    }
    memcpy(v, made, sizeof made);
}

static void bytes_from_lab(const struct gf_lab_tables *t, float (*v)[COLOUR_CHUNK], int64_t n)
{
    const float m[3][3] = GF_LIGHT_OF_XYZ;
    float part[3][COLOUR_CHUNK], root[3][COLOUR_CHUNK], light[3][COLOUR_CHUNK];
    for (int c = 0; c < 3; c++) {
        for (int64_t i = 0; i < n; i++) {
            part[c][i] = t->of_byte[c][(int32_t)v[c][i]];
        }
    }
    for (int64_t i = 0; i < n; i++) {
        root[0][i] = gf_lab_cube(part[0][i] + part[1][i]);
        root[1][i] = gf_lab_cube(part[0][i]);
        root[2][i] = gf_lab_cube(part[0][i] - part[2][i]);
    }
    planes_times(m, (const float(*)[COLOUR_CHUNK])root, light, n);
    for (int c = 0; c < 3; c++) {
        int32_t place[COLOUR_CHUNK]; /* found by themselves, many at once */
        for (int64_t i = 0; i < n; i++) {
            place[i] = gf_light_place(light[c][i]);
        }
        for (int64_t i = 0; i < n; i++) {
            v[c][i] = (float)gf_light_byte(light[c][i], t->first[place[i]], t->thresholds);
        }
    }
}

static void lab(const float *in, float *out, int64_t pixels, int32_t channels, bool back,
                const struct gf_lab_tables *bytes)
{
    float v[3][COLOUR_CHUNK];
    memcpy(out, in, (size_t)(pixels * channels) * sizeof *out); /* alpha */
    for (int64_t at = 0; at < pixels; at += COLOUR_CHUNK) {
        const int64_t n = pixels - at < COLOUR_CHUNK ? pixels - at : COLOUR_CHUNK;
        for (int64_t i = 0; i < n; i++) {
            for (int c = 0; c < 3; c++) {
                v[c][i] = in[(at + i) * channels + c];
            }
        }
        if (bytes && back) {
            bytes_from_lab(bytes, v, n);
        } else if (bytes) {
            bytes_to_lab(bytes, v, n);
        } else if (back) {
            planes_from_lab(v, n);
        } else {
            planes_to_lab(v, n);
        }
        for (int64_t i = 0; i < n; i++) {
            for (int c = 0; c < 3; c++) {
                out[(at + i) * channels + c] = v[c][i];
            }
        }
    }
}

static inline __attribute__((always_inline)) void luma_of(const float *in, float *restrict out,
                                                          int64_t pixels, int32_t channels, const float *o,
                                                          int32_t apart, int depth)
{
    for (int64_t p = 0; p < pixels; p++) {
        const float *v = in + p * channels;
        const float change = o[p * apart] - gf_luma_of(v, depth);
        for (int32_t c = 0; c < channels; c++) {
            out[p * channels + c] = c < 3 && change == change ? v[c] + change : v[c];
        }
    }
}

/* LUMA; o: the operand, of `apart` channels. */
static void luma(const float *in, float *out, int64_t pixels, int32_t channels, const float *o, int32_t apart,
                 gf_depth depth)
{
    if (channels == 3 && apart == 1 && depth == GF_U8) {
        luma_of(in, out, pixels, 3, o, 1, GF_U8);
    } else if (channels == 3 && apart == 1 && depth == GF_F32) {
        luma_of(in, out, pixels, 3, o, 1, GF_F32);
    } else {
        luma_of(in, out, pixels, channels, o, apart, (int)depth);
    }
}
