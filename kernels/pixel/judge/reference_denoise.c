/* The judge of "denoise": one block after the other, each added to the pixels that it covers. */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/dct/denoise.h"

struct judged {
    const float *matrix; /* of n */
    float threshold;
    int32_t n, m;
};

/* c[k][i] of a block's columns, c[l][j] of its rows. */
static float of_rows(const struct judged *j, int32_t l, int32_t y)
{
    return j->m == 1 ? 1.0F : j->matrix[l * j->n + y];
}

static void back(const struct judged *j, const float d[GF_DENOISE_MOST][GF_DENOISE_MOST],
                 float r[GF_DENOISE_MOST][GF_DENOISE_MOST])
{
    for (int32_t y = 0; y < j->m; y++) {
        float s[GF_DENOISE_MOST];
        for (int32_t k = 0; k < j->n; k++) {
            s[k] = 0;
            for (int32_t l = 0; l < j->m; l++) {
                s[k] = gf_fma(of_rows(j, l, y), d[l][k], s[k]);
            }
        }
        for (int32_t i = 0; i < j->n; i++) {
            r[y][i] = 0;
            for (int32_t k = 0; k < j->n; k++) {
                r[y][i] = gf_fma(j->matrix[k * j->n + i], s[k], r[y][i]);
            }
        }
    }
}

/* Makes what is left of the block at v, whose samples and rows are so many floats apart. */
static void block(const struct judged *j, const float *v, int64_t step, int64_t pitch,
                  float r[GF_DENOISE_MOST][GF_DENOISE_MOST])
{
    float d[GF_DENOISE_MOST][GF_DENOISE_MOST];
    for (int32_t k = 0; k < j->n; k++) {
        float t[GF_DENOISE_MOST];
        for (int32_t y = 0; y < j->m; y++) {
            t[y] = 0;
            for (int32_t i = 0; i < j->n; i++) {
                t[y] = gf_fma(j->matrix[k * j->n + i], v[y * pitch + i * step], t[y]);
            }
        }
        for (int32_t l = 0; l < j->m; l++) {
            d[l][k] = 0;
            for (int32_t y = 0; y < j->m; y++) {
                d[l][k] = gf_fma(of_rows(j, l, y), t[y], d[l][k]);
            }
            const bool small = fabsf(d[l][k]) < j->threshold;
            d[l][k] = small && k + l > 0 ? 0 : d[l][k];
        }
    }
    back(j, (const float(*)[GF_DENOISE_MOST])d, r);
}

/* Channel c. */
static void channel(const struct judged *j, const float *in, const struct gf_value *from, float *out,
                    const struct gf_value *to, int32_t c)
{
    const int64_t step = to->channels, pitch = from->width * step;
    for (int64_t y = 0; y <= from->height - j->m; y++) {
        for (int64_t x = 0; x <= from->width - j->n; x++) {
            float r[GF_DENOISE_MOST][GF_DENOISE_MOST];
            block(j, in + y * pitch + x * step + c, step, pitch, r);
            for (int32_t at = 0; at < j->n * j->m; at++) {
                const int64_t px = x + at % j->n - (j->n - 1), py = y + at / j->n - (j->m - 1);
                if (px >= 0 && px < to->width && py >= 0 && py < to->height) {
                    out[(py * to->width + px) * step + c] += r[at / j->n][at % j->n];
                }
            }
        }
    }
    for (int64_t i = 0; i < to->width * to->height; i++) {
        out[i * step + c] = gf_canonical(out[i * step + c] * (float)(1.0 / (j->n * j->m)));
    }
}

gf_status gf_judge_denoise(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *from = &judge->list->values[apply->in[0]];
    const struct gf_value *to = &judge->list->values[apply->out[0]];
    const float *in = judge->data[apply->in[0]];
    float *out = judge->data[apply->out[0]];
    struct gf_denoise_args args;
    (void)error;
    gf_args_get(&apply->args, &args, sizeof args);
    for (int32_t c = 0; c < to->channels; c++) {
        const struct judged j = {judge->data[apply->in[1]], args.threshold[c], args.block, args.upright};
        if (j.threshold >= 0) {
            channel(&j, in, from, out, to, c);
            continue;
        }
        for (int64_t i = 0; i < to->width * to->height; i++) {
            const int64_t x = i % to->width + args.block - 1, y = i / to->width + args.upright - 1;
            out[i * to->channels + c] = in[(y * from->width + x) * to->channels + c];
        }
    }
    return GF_OK;
}
