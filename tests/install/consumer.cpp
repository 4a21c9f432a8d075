// The installed library from C++: a chain over eight pixels; with WITH_FILES the result also goes through a
// file.
#include <gpufilter/gpufilter.h>

#include <cstdio>

static bool write_and_read(const char *path, const gf_image &image, gf_error &error)
{
#ifdef WITH_FILES
    gf_picture *back = nullptr;
    bool equal = gf_io_write(path, &image, nullptr, nullptr, &error) == GF_OK &&
                 gf_io_read(path, nullptr, &back, &error) == GF_OK;
    for (int i = 0; equal && i < 8; i++) {
        equal =
            static_cast<const uint8_t *>(back->image.data)[i] == static_cast<const uint8_t *>(image.data)[i];
    }
    gf_picture_destroy(&back);
    return equal;
#else
    (void)error;
    return path && image.data;
#endif
}

int main(int argc, char **argv)
{
    uint8_t pixels[8] = {0, 40, 90, 120, 150, 180, 220, 255}, result[8] = {};
    gf_image in = {sizeof in, {8, 1, 1, GF_U8}, 8, pixels, GF_DEVICE_CPU}, out = in;
    gf_error error = GF_ERROR_INIT;
    gf_context *context = nullptr;
    gf_pipeline *pipeline = nullptr;
    gf_plan *plan = nullptr;
    gf_exec *exec = nullptr;
    out.data = result;
    bool good = argc == 2 && gf_context_create(nullptr, &context, &error) == GF_OK &&
                gf_pipeline_parse("invert,box:1", nullptr, 0, &pipeline, &error) == GF_OK &&
                gf_plan_create(context, pipeline, &in.shape, nullptr, &plan, &error) == GF_OK &&
                gf_exec_create(plan, &exec, &error) == GF_OK &&
                gf_exec_run(exec, &in, &out, &error) == GF_OK && write_and_read(argv[1], out, error);
    std::printf("%s %d %d %s\n", gf_version(), result[0], result[4], good ? "good" : error.message);
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return good ? 0 : 1;
}
