/* own_window: a neighbourhood of one's own, in a chain beside the built-in stages.
 *
 *   snn  symmetric nearest neighbours (D. Harwood and others, 1987): takes the mean of those pixels that
 *        are more like the one in the middle than the pixel opposite. It smooths and keeps edges.
 *
 * The function sees rows that go on beyond the picture's edges; borders, rounding, threads, bands of large
 * pictures, roi= and channels= are the library's. */
#include <gpufilter/gpufilter.h>

#include <math.h>
#include <stdio.h>

struct snn {
    int64_t radius;
};

/* Takes f32 samples, channel by channel: sample c of a pixel is `channels` away from that of the next. */
static gf_status snn_row(const gf_window_row *row, const void *args, gf_error *error)
{
    const struct snn *snn = (const struct snn *)args;
    const int64_t radius = snn->radius, channels = row->channels_in;
    const float counted =
        (float)(2 * radius * (radius + 1) + 1); /* half of the others, and the pixel itself */
    float *out = (float *)row->out;
    (void)error; /* nothing can fail */
    for (int64_t i = 0; i < row->pixels * channels; i++) {
        const float centre = ((const float *)row->in[radius])[i];
        float sum = centre;
        for (int64_t dy = 0; dy <= radius; dy++) {
            const float *above = (const float *)row->in[radius - dy] + i;
            const float *below = (const float *)row->in[radius + dy] + i;
            for (int64_t dx = dy == 0 ? 1 : -radius; dx <= radius; dx++) {
                const float a = above[-dx * channels], b = below[dx * channels];
                sum += fabsf(a - centre) <= fabsf(b - centre) ? a : b;
            }
        }
        out[i] = sum / counted;
    }
    return GF_OK;
}

static void lower_snn(gf_lowering *l, const void *params)
{
    gf_window_function window = GF_WINDOW_FUNCTION_INIT;
    window.name = "snn";
    window.host = snn_row;
    window.left = window.right = window.up = window.down = ((const struct snn *)params)->radius;
    window.args = params; /* live as long as the plan */
    gf_lower_output(l, gf_lower_window(l, gf_lower_input(l), &window));
}

static const gf_param snn_params[] = {
    {GF_ROW_IN(INT, snn, radius, "1", 0, 50), .unit = "px", .help = "pixels to each side", .positional = 1},
    {0},
};

static const gf_stage_type snn = {
    .struct_size = sizeof(gf_stage_type),
    .name = "snn",
    .group = "own",
    .summary = "smooth, but not across edges",
    .formula = "mean of the pixel and, of each two on opposite sides, the one that is more like it",
    .params = snn_params,
    .params_size = sizeof(struct snn),
    .flags = GF_STAGE_WINDOW | GF_STAGE_POINT, /* border=, value=, roi= and channels= */
    .lower = lower_snn,
};

enum { WIDTH = 10, HEIGHT = 4 };

int main(void)
{
    static const gf_stage_type *const own[] = {&snn};
    static const uint8_t pixels[HEIGHT][WIDTH] = {{50, 54, 46, 50, 52, 198, 200, 206, 194, 200},
                                                  {46, 50, 53, 48, 50, 202, 196, 200, 203, 199},
                                                  {54, 47, 50, 55, 45, 200, 205, 197, 200, 201},
                                                  {50, 52, 49, 50, 51, 195, 200, 204, 198, 200}};
    uint8_t result[HEIGHT][WIDTH];
    gf_image in = gf_image_view(pixels, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_image out = gf_image_view(result, WIDTH, HEIGHT, 1, GF_U8, 0);
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    if (gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse("snn:2:border=reflect,invert", own, 1, &pipeline, &error) == GF_OK &&
        gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &error) == GF_OK &&
        gf_exec_create(plan, &exec, &error) == GF_OK && gf_exec_run(exec, &in, &out, &error) == GF_OK) {
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            printf("%d%s", result[i / WIDTH][i % WIDTH], i % WIDTH < WIDTH - 1 ? " " : "\n");
        }
    } else {
        fprintf(stderr, "own_window: %s\n", error.message);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return gf_status_exit_code(error.code);
}
