/* own_stage: two stages of one's own, used in a chain beside the built-in ones, registered nowhere.
 *
 *   posterize  made of existing operations: runs on every device, fused with its neighbours
 *   mirror     a function of one's own over the whole picture */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <string.h>

/* ---- posterize: fewer levels ---- */

struct posterize {
    int64_t levels;
};

static void lower_posterize(gf_lowering *l, const void *params)
{
    const struct posterize *p = params;
    gf_value_id v = gf_lower_input(l);
    double step = gf_lower_white(l, v) / (double)(p->levels - 1);
    v = gf_lower_affine(l, v, 1 / step, 0); /* u8 and u16 round here: to the number of the level */
    gf_lower_output(l, gf_lower_affine(l, v, step, 0));
}

static const gf_param posterize_params[] = {
    {GF_ROW_IN(INT, posterize, levels, "4", 2, 256), .help = "how many levels stay", .positional = 1},
    {0},
};

static const gf_stage_type posterize = {
    .struct_size = sizeof(gf_stage_type),
    .name = "posterize",
    .group = "own",
    .summary = "fewer levels",
    .formula = "v -> the nearest of `levels` equal steps",
    .params = posterize_params,
    .params_size = sizeof(struct posterize),
    .flags = GF_STAGE_POINT,
    .lower = lower_posterize,
};

/* ---- mirror: left becomes right ---- */

static gf_status mirror_rows(const gf_image *in, gf_image *out, const void *args, gf_error *error)
{
    (void)args;
    (void)error;
    size_t pixel = (size_t)in->shape.channels * gf_depth_size(in->shape.depth);
    for (int64_t y = 0; y < in->shape.height; y++) {
        const char *from = (const char *)in->data + y * in->pitch;
        char *to = (char *)out->data + y * out->pitch;
        for (int64_t x = 0; x < in->shape.width; x++) {
            memcpy(to + (size_t)x * pixel, from + (size_t)(in->shape.width - 1 - x) * pixel, pixel);
        }
    }
    return GF_OK;
}

static void lower_mirror(gf_lowering *l, const void *params)
{
    (void)params;
    gf_value_id v = gf_lower_input(l);
    gf_shape shape = gf_lower_shape(l, v);
    gf_lower_output(l, gf_lower_call(l, v, &shape, mirror_rows, NULL, NULL));
}

static const gf_stage_type mirror = {
    .struct_size = sizeof(gf_stage_type),
    .name = "mirror",
    .group = "own",
    .summary = "left becomes right",
    .formula = "out(x, y) = in(width - 1 - x, y)",
    .lower = lower_mirror,
};

int main(void)
{
    static const gf_stage_type *const own[] = {&posterize, &mirror};
    const uint8_t pixels[8] = {0, 40, 90, 120, 150, 180, 220, 255};
    uint8_t result[8];
    gf_image in = gf_image_view(pixels, 8, 1, 1, GF_U8, 0);
    gf_image out = gf_image_view(result, 8, 1, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    if (gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse("invert,posterize:3,mirror", own, 2, &pipeline, &error) == GF_OK &&
        gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &error) == GF_OK &&
        gf_exec_create(plan, &exec, &error) == GF_OK && gf_exec_run(exec, &in, &out, &error) == GF_OK) {
        for (int i = 0; i < 8; i++) {
            printf("%d%s", result[i], i < 7 ? " " : "\n");
        }
    } else {
        fprintf(stderr, "own_stage: %s\n", error.message);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return gf_status_exit_code(error.code);
}
