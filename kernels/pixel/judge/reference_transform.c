/* The judge of "transform": each sample of what lies between the two products alone, then each of the result.
 */
#include "pixel/judge/reference_parts.h"
#include "pixel/whole/dct/transform.h"

#include <stdlib.h>

/* Column k of row y, of channel c, of the picture times `right`, where there is one. */
static float across(const struct gf_value *in, const float *samples, const float *right, int64_t columns,
                    int64_t k, int64_t y, int32_t c)
{
    const float *row = samples + y * in->width * in->channels + c;
    float sum = 0;
    if (!right) {
        return row[k * in->channels];
    }
    for (int64_t i = 0; i < in->width; i++) {
        sum = gf_fma(row[i * in->channels], right[i * columns + k], sum);
    }
    return gf_canonical(sum);
}

/* Row l of a column of `between`, whose rows are `pitch` samples apart, times `left`, where there is one. */
static float down(const float *between, int64_t pitch, const float *left, int64_t height, int64_t l)
{
    float sum = 0;
    if (!left) {
        return between[l * pitch];
    }
    for (int64_t j = 0; j < height; j++) {
        sum = gf_fma(left[l * height + j], between[j * pitch], sum);
    }
    return gf_canonical(sum);
}

gf_status gf_judge_transform(const struct gf_judge *judge, const struct gf_op *op, gf_error *error)
{
    const struct gf_apply *apply = &op->u.apply;
    const struct gf_value *in = &judge->list->values[apply->in[0]];
    const struct gf_value *out = &judge->list->values[apply->out[0]];
    const int64_t pitch = out->width * out->channels;
    struct gf_transform_args args;
    gf_args_get(&apply->args, &args, sizeof args);
    const float *right = args.right ? judge->data[apply->in[1]] : NULL;
    const float *left = args.left ? judge->data[apply->in[1 + args.right]] : NULL;
    float *to = judge->data[apply->out[0]];
    float *between = malloc((size_t)(pitch * in->height) * sizeof *between);
    if (!between) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for what lies between two products");
    }
    for (int64_t at = 0; at < pitch * in->height; at++) {
        between[at] = across(in, judge->data[apply->in[0]], right, out->width, at % pitch / in->channels,
                             at / pitch, (int32_t)(at % in->channels));
    }
    for (int64_t at = 0; at < pitch * out->height; at++) {
        to[at] = down(between + at % pitch, pitch, left, in->height, at / pitch);
    }
    free(between);
    return GF_OK;
}
