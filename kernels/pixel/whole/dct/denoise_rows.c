/* One SIMD level of "denoise": compile with -DGF_ROWS_LEVEL=baseline, avx2 or avx512 and its machine options.
 * A lane is a block, its neighbours are the blocks to the right. */
#include "pixel/whole/dct/denoise.h"

#include "base/cpu_level.h"
#include "base/gf_num.h"
#include "base/planted_fault.h"
#include "pixel/cpu/cpu_simd.h"

#define ALWAYS static inline __attribute__((always_inline))

#if GF_SIMD_FLOAT
enum { LANES = GF_SIMD_FLOAT };
#else
enum { LANES = 1 };
typedef float gf_vf;
#define vf_load(p)         (*(p))
#define vf_store(p, v)     (*(p) = (v))
#define vf_set(x)          ((float)(x))
#define vf_fma(a, b, c)    gf_fma(a, b, c)
#define vf_add(a, b)       ((a) + (b))
#define vf_abs(v)          __builtin_fabsf(v)
#define vf_less(a, b)      ((a) < (b))
#define vf_choose(m, a, b) ((m) ? (a) : (b))
#endif

enum { WIDE = GF_DENOISE_BLOCKS, LINE = GF_DENOISE_BLOCKS + GF_DENOISE_MOST };

ALWAYS void across(const struct gf_denoise_strip *s, int32_t slot, const int n)
{
    float *waves = s->waves + slot * n * WIDE;
    for (int x = 0; x < WIDE; x += LANES) {
        for (int k = 0; k < n; k++) {
            gf_vf sum = vf_set(0);
            for (int i = 0; i < n; i++) {
                sum = vf_fma(vf_set(s->matrix[k * n + i]), vf_load(s->line + x + i), sum);
            }
            vf_store(waves + k * WIDE + x, sum);
        }
    }
}

/* Frequencies down a column of waves, the small ones left out, and back: kept[j], j < m. */
ALWAYS void column(const struct gf_denoise_strip *s, const gf_vf *t, int k, gf_vf *kept, const int m)
{
    const gf_vf threshold = vf_set(s->threshold), none = vf_set(0);
    for (int j = 0; j < m; j++) {
        kept[j] = none;
    }
    for (int l = 0; l < m; l++) {
        gf_vf sum = none;
        for (int j = 0; j < m; j++) {
            sum = vf_fma(vf_set(m > 1 ? s->matrix[l * m + j] : 1.0F), t[j], sum);
        }
        if (k + l > 0 || GF_FAULT(denoise_mean)) {
            sum = vf_choose(vf_less(vf_abs(sum), threshold), none, sum);
        }
        for (int j = 0; j < m; j++) {
            kept[j] = vf_fma(vf_set(m > 1 ? s->matrix[l * m + j] : 1.0F), sum, kept[j]);
        }
    }
}

/* The blocks further right come later, so their samples of a pixel are added from the last one's down. */
ALWAYS void blocks(const struct gf_denoise_strip *s, int32_t first, const int n, const int m)
{
    for (int x = 0; x < WIDE; x += LANES) {
        gf_vf kept[GF_DENOISE_MOST][GF_DENOISE_MOST];
        for (int k = 0; k < n; k++) {
            gf_vf t[GF_DENOISE_MOST];
            for (int j = 0; j < m; j++) {
                t[j] = vf_load(s->waves + ((first + j) % m * n + k) * WIDE + x);
            }
            column(s, t, k, kept[k], m);
        }
        for (int j = 0; j < m; j++) {
            float *sums = s->sums + (first + j) % m * LINE + x;
            for (int i = n - 1; i >= 0; i--) {
                gf_vf sum = vf_set(0);
                for (int k = 0; k < n; k++) {
                    sum = vf_fma(vf_set(s->matrix[k * n + i]), kept[k][j], sum);
                }
                vf_store(sums + i, vf_add(vf_load(sums + i), sum));
            }
        }
    }
}

static void any_across(const struct gf_denoise_strip *s, int32_t slot)
{
    s->block == 8 ? across(s, slot, 8) : across(s, slot, 4);
}

static void any_blocks(const struct gf_denoise_strip *s, int32_t first)
{
    if (s->block == 8) {
        s->upright == 1 ? blocks(s, first, 8, 1) : blocks(s, first, 8, 8);
    } else {
        s->upright == 1 ? blocks(s, first, 4, 1) : blocks(s, first, 4, 4);
    }
}

const struct gf_denoise_rows GF_LEVEL_NAME(gf_denoise_rows) = {any_across, any_blocks};
