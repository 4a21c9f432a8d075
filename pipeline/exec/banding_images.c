/* A plan in bands from picture to picture. */
#include "exec/banding.h"

#include <string.h>

struct image_flow {
    struct gf_flow flow; /* first */
    const gf_image *in, *out;
};

static gf_status take_rows(struct gf_flow *flow, struct gf_rows rows, struct gf_place *place, gf_error *error)
{
    (void)error;
    const gf_image *in = ((struct image_flow *)flow)->in;
    *place = (struct gf_place){(uint8_t *)in->data + rows.first * in->pitch, in->pitch};
    return GF_OK;
}

static void release_rows(struct gf_flow *flow)
{
    (void)flow;
}

static gf_status give_rows(struct gf_flow *flow, struct gf_rows rows, struct gf_place place, gf_error *error)
{
    (void)error;
    const gf_image *out = ((struct image_flow *)flow)->out;
    size_t row = (size_t)out->shape.width * (size_t)out->shape.channels * gf_depth_size(out->shape.depth);
    for (int64_t y = 0; y < rows.count; y++) {
        memcpy((uint8_t *)out->data + (rows.first + y) * out->pitch, (uint8_t *)place.data + y * place.pitch,
               row);
    }
    return GF_OK;
}

gf_status gf_banding_run_images(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error)
{
    struct image_flow flow = {
        .flow = {true, NULL, take_rows, release_rows, NULL, out ? give_rows : NULL}, .in = in, .out = out};
    return gf_banding_run(exec, &flow.flow, error);
}
