/* signal: a noisy sine through a smoothing chain. */
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
    const gf_signal_shape shape = {N, 1, 1000};
    int64_t made = 0, rest = 0;
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_signal_plan *plan = NULL;
    gf_signal_exec *exec = NULL;
    /* feed makes what needs no later frame, end the rest: as many in all, as no stage changes the rate */
    if (gf_context_create(NULL, &context, &error) == GF_OK &&
        gf_pipeline_parse("savgol:151", NULL, 0, &pipeline, &error) == GF_OK &&
        gf_signal_plan_create(context, pipeline, &shape, NULL, &plan, &error) == GF_OK &&
        gf_signal_exec_create(plan, &exec, &error) == GF_OK &&
        gf_signal_exec_feed(exec, noisy, N, N, smooth, N, &made, &error) == GF_OK &&
        gf_signal_exec_end(exec, smooth + made, N - made, &rest, &error) == GF_OK) {
        printf("noise %.4f before, %.4f after; %d frames, the last %d when the signal had ended\n",
               distance(noisy), distance(smooth), (int)(made + rest), (int)rest);
    } else {
        fprintf(stderr, "signal: %s\n", error.message);
    }
    gf_signal_exec_destroy(&exec);
    gf_signal_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return gf_status_exit_code(error.code);
}
