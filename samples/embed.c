/* embed: read a picture, run a chain, write the result and print one number.
 *
 * README.md shows soften() as the API in 25 lines. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>

static void soften(const char *from, const char *to, double *mean, gf_error *error)
{
    gf_picture *in = NULL, *out = NULL;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    if (gf_io_read(from, NULL, &in, error) == GF_OK && gf_context_create(NULL, &context, error) == GF_OK &&
        gf_pipeline_parse("gray,blur:sigma=2,stats", NULL, 0, &pipeline, error) == GF_OK &&
        gf_plan_create(context, pipeline, &in->image.shape, NULL, &plan, error) == GF_OK) {
        gf_shape shape = gf_plan_output(plan);
        if (gf_picture_create(&shape, &out, error) == GF_OK && gf_exec_create(plan, &exec, error) == GF_OK &&
            gf_exec_run(exec, &in->image, &out->image, error) == GF_OK &&
            gf_io_write(to, &out->image, NULL, NULL, error) == GF_OK) {
            gf_result_number(gf_exec_result_named(exec, "stats"), "mean", 0, mean, error);
        }
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    gf_picture_destroy(&in);
    gf_picture_destroy(&out);
}

int main(int argc, char **argv)
{
    gf_error error = GF_ERROR_INIT;
    if (argc != 3) {
        fprintf(stderr, "usage: embed IN OUT\n");
        return 2;
    }
    double mean;
    soften(argv[1], argv[2], &mean, &error);
    if (error.code != GF_OK) {
        fprintf(stderr, "embed: %s\n", error.message);
    } else {
        printf("mean %.2f\n", mean);
    }
    return gf_status_exit_code(error.code);
}
