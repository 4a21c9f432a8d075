/* stream_rows: a picture that never is in memory as a whole.
 *
 * Its rows come from a function, go through a chain by bands, and into a PNG: with 30000 x 30000 pixels, 2.7
 * GB of samples, in some 50 MB. gf_reader_source would take them from a file instead. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <stdlib.h>

/* What is still to be drawn: rings, each channel with a centre and a width of its own, and some grain. */
struct rings {
    int64_t width, height, y;
    uint32_t grain;
};

static gf_status draw_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct rings *rings = user;
    (void)error;
    for (int64_t row = 0; row < count; row++, rings->y++) {
        unsigned char *out = (unsigned char *)data + row * pitch;
        for (int64_t x = 0; x < rings->width; x++) {
            rings->grain = rings->grain * 1664525u + 1013904223u;
            for (int64_t c = 0; c < 3; c++) {
                int64_t dx = x - (c + 1) * rings->width / 4, dy = rings->y - rings->height / 2;
                int64_t phase = (dx * dx + dy * dy) / (4096 * (c + 2)) % 384; /* up, and down again */
                *out++ = (unsigned char)((phase < 192 ? phase : 383 - phase) + (rings->grain >> 28) + 16);
            }
        }
    }
    return GF_OK;
}

/* Rows from the source, through the chain, to a file. */
static gf_status stream(const gf_source *source, const char *stages, const char *path, gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    gf_writer *writer = NULL;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = GF_DEVICE_CPU;
    options.stream_rows = GF_STREAM_CHOSEN;
    gf_status status = gf_context_create(NULL, &context, error);
    status = status == GF_OK ? gf_pipeline_parse(stages, NULL, 0, &pipeline, error) : status;
    status =
        status == GF_OK ? gf_plan_create(context, pipeline, &source->shape, &options, &plan, error) : status;
    status = status == GF_OK ? gf_exec_create(plan, &exec, error) : status;
    if (status == GF_OK) {
        gf_shape shape = gf_plan_output(plan);
        status = gf_writer_open(path, &shape, NULL, NULL, &writer, error);
    }
    if (status == GF_OK) {
        gf_sink sink = gf_writer_sink(writer);
        gf_band_info bands = {.struct_size = sizeof bands};
        gf_plan_bands(plan, &bands);
        printf("%lld bands, %llu bytes of buffers\n", (long long)bands.count,
               (unsigned long long)gf_plan_memory(plan));
        status = gf_exec_stream(exec, source, &sink, error);
    }
    if (status == GF_OK) {
        status = gf_writer_commit(&writer, error); /* only now the file is there */
    }
    gf_writer_abort(&writer);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

int main(int argc, char **argv)
{
    struct rings rings = {argc > 2 ? atoll(argv[2]) : 0, argc > 3 ? atoll(argv[3]) : 0, 0, 1};
    gf_source source = {.struct_size = sizeof source,
                        .shape = {rings.width, rings.height, 3, GF_U8},
                        .rows = draw_rows,
                        .user = &rings};
    gf_error error = GF_ERROR_INIT;
    if (argc != 4 && argc != 5) {
        fprintf(stderr, "usage: stream_rows OUT.png WIDTH HEIGHT [STAGES]\n");
        return 2;
    }
    gf_status status = stream(&source, argc == 5 ? argv[4] : "blur:sigma=1", argv[1], &error);
    if (status != GF_OK) {
        fprintf(stderr, "stream_rows: %s\n", error.message);
    }
    return gf_status_exit_code(status);
}
