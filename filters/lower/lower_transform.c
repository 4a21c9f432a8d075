/* The builder of products of pictures with matrices. */
#include "lower/lowering_private.h"

#include "pixel/whole/dct/transform.h"

/* Rows of a matrix in a block or a picture. */
static int64_t rows_of(const struct gf_value *matrix)
{
    return matrix->is_block ? matrix->channels : matrix->height;
}

gf_value_id gf_lowering_product(gf_lowering *l, gf_value_id v, gf_value_id right, gf_value_id left)
{
    v = gf_lower_convert(l, v, GF_F32);
    if (l->status != GF_OK || (!right && !left)) {
        return l->status == GF_OK ? v : 0;
    }
    const struct gf_value *values = l->out->list.values;
    const struct gf_value from = values[v - 1];
    const int64_t width = right ? values[right - 1].width : from.width;
    const int64_t height = left ? rows_of(&values[left - 1]) : from.height;
    if (!gf_lowering_size(l, v, (double)width, (double)height)) {
        return 0;
    }
    const struct gf_transform_args args = {.right = right != 0, .left = left != 0};
    const int32_t out = gf_lowering_picture(l, width, height, from.channels, GF_F32);
    struct gf_lowering_operands in = {{v - 1}, 1};
    const struct gf_lowering_operands made = {{out}, 1};
    if (right) {
        in.values[in.n++] = right - 1;
    }
    if (left) {
        in.values[in.n++] = left - 1;
    }
    return gf_lowering_apply(l, &gf_kernel_transform, in, made, &args, sizeof args) ? gf_to_id(out) : 0;
}
