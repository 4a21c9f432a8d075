/* signal: a noisy sine as a signal (a picture of height 1) through a smoothing chain. */
#include <gpufilter/gpufilter.h>

#include <math.h>
#include <stdio.h>

enum { N = 4096 };

/* Root mean square distance from the clean sine. */
static double distance(const float *signal)
{
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double d = (double)signal[i] - (0.5 + 0.4 * sin(i * 0.01));
        sum += d * d;
    }
    return sqrt(sum / N);
}

int main(void)
{
    static float noisy[N], smooth[N];
    uint32_t state = 1;
    for (int i = 0; i < N; i++) {
        state = state * 1664525U + 1013904223U;
        noisy[i] = (float)(0.5 + 0.4 * sin(i * 0.01) + ((state >> 8) / 16777216.0 - 0.5) * 0.2);
    }
    gf_image in = gf_image_view(noisy, N, 1, 1, GF_F32, 0);
    gf_image out = gf_image_view(smooth, N, 1, 1, GF_F32, 0);
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    if (gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse("blur:sigma=12:border=reflect,stats", NULL, 0, &pipeline, &error) == GF_OK &&
        gf_plan_create(context, pipeline, &in.shape, NULL, &plan, &error) == GF_OK &&
        gf_exec_create(plan, &exec, &error) == GF_OK && gf_exec_run(exec, &in, &out, &error) == GF_OK) {
        const gf_field *mean = gf_result_field(gf_exec_result(exec, 0), "mean");
        printf("noise %.4f before, %.4f after; mean %.3f\n", distance(noisy), distance(smooth),
               ((const double *)mean->values)[0]);
    } else {
        fprintf(stderr, "signal: %s\n", error.message);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return gf_status_exit_code(error.code);
}
