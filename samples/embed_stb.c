/* embed_stb: a program that has files of its own uses the filters on its own memory.
 *
 * stb_image reads, a chain runs over the rows where they lie, stb_image_write writes. Only libgpufilter is
 * linked, not libgpufilter_io. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <stdlib.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

/* The chain over in; *out is malloc'ed. */
static gf_status filter(const gf_image *in, const char *stages, gf_image *out, gf_error *error)
{
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_status status = gf_context_create(NULL, &context, error);
    status = status == GF_OK ? gf_pipeline_parse(stages, NULL, 0, &pipeline, error) : status;
    status = status == GF_OK ? gf_plan_create(context, pipeline, &in->shape, NULL, &plan, error) : status;
    if (status == GF_OK) {
        gf_shape shape = gf_plan_output(plan);
        gf_exec *exec = NULL;
        *out = gf_image_view(malloc((size_t)(shape.width * shape.height * shape.channels)), shape.width,
                             shape.height, shape.channels, GF_U8, 0);
        status =
            out->data != NULL && shape.depth == GF_U8 ? gf_exec_create(plan, &exec, error) : GF_ERROR_MEMORY;
        status = status == GF_OK ? gf_exec_run(exec, in, out, error) : status;
        gf_exec_destroy(&exec);
    }
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return status;
}

int main(int argc, char **argv)
{
    gf_error error = GF_ERROR_INIT;
    int width = 0, height = 0, channels = 0;
    unsigned char *samples = argc == 3 ? stbi_load(argv[1], &width, &height, &channels, 0) : NULL;
    if (samples == NULL) {
        fprintf(stderr, argc == 3 ? "embed_stb: cannot read the picture\n" : "usage: embed_stb IN OUT.png\n");
        return 2;
    }
    gf_image in = gf_image_view(samples, width, height, channels, GF_U8, 0), out = GF_IMAGE_INIT;
    gf_status status = filter(&in, "gray,blur:sigma=2", &out, &error);
    if (status != GF_OK) {
        fprintf(stderr, "embed_stb: %s\n",
                error.code != GF_OK ? error.message : "no memory, or a chain of another depth");
    } else if (!stbi_write_png(argv[2], (int)out.shape.width, (int)out.shape.height, out.shape.channels,
                               out.data, (int)out.pitch)) {
        fprintf(stderr, "embed_stb: cannot write %s\n", argv[2]);
        status = GF_ERROR_OUTPUT;
    } else {
        printf("%d x %d, %d channels to %d\n", width, height, channels, (int)out.shape.channels);
    }
    free(out.data);
    stbi_image_free(samples);
    return gf_status_exit_code(status);
}
