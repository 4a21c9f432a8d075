/* signal_live RATE STAGES <IN >OUT: filters a signal while it comes, 10 ms at a time. IN and OUT are frames
 * of one channel, f32 as the machine has them:
 *   arecord -t raw -f FLOAT_LE -r 48000 | signal_live 48000 notch:50Hz:harmonics=8 | aplay -t raw ... */
#include <gpufilter/gpufilter.h>

#include <stdio.h>
#include <stdlib.h>

/* Feeds `frames` frames, or ends the signal where `in` is NULL, and writes what has become of it. */
static gf_status pass_on(gf_signal_exec *exec, const float *in, int64_t frames, gf_error *error)
{
    const int64_t room = in ? gf_signal_exec_ready(exec, frames) : gf_signal_exec_left(exec);
    float *out = malloc((size_t)(room + 1) * sizeof *out);
    int64_t made = 0;
    if (!out) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return error->code = GF_ERROR_MEMORY;
    }
    const gf_status status = in ? gf_signal_exec_feed(exec, in, frames, frames, out, room, &made, error)
                                : gf_signal_exec_end(exec, out, room, &made, error);
    const size_t count = status == GF_OK ? (size_t)made : 0;
    const int written = fwrite(out, sizeof *out, count, stdout) == count && fflush(stdout) == 0;
    free(out);
    if (!written) {
        snprintf(error->message, sizeof error->message, "standard output cannot be written");
        return error->code = GF_ERROR_OUTPUT;
    }
    return status;
}

/* A block that is not full is the last one. */
static gf_status pass_all_on(gf_signal_exec *exec, float *block, size_t frames, gf_error *error)
{
    size_t got = frames;
    gf_status status = GF_OK;
    while (status == GF_OK && got == frames) {
        got = fread(block, sizeof *block, frames, stdin);
        status = pass_on(exec, block, (int64_t)got, error);
    }
    do { /* once, or as often as it takes where a stage needs the whole signal */
        status = status == GF_OK ? pass_on(exec, NULL, 0, error) : status;
    } while (status == GF_OK && gf_signal_exec_left(exec) > 0);
    return status;
}

int main(int argc, char **argv)
{
    const gf_signal_shape shape = {-1, 1, argc == 3 ? strtod(argv[1], NULL) : 0};
    const size_t frames = shape.rate >= 100 && shape.rate <= 1e9 ? (size_t)(shape.rate / 100) : 1;
    float *block = calloc(frames, sizeof *block);
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_signal_plan *plan = NULL;
    gf_signal_exec *exec = NULL;
    if (argc != 3 || !block) {
        fputs("usage: signal_live RATE STAGES, as in signal_live 48000 lowpass:1kHz\n", stderr);
        free(block);
        return 2;
    }
    if (gf_context_create(NULL, &context, &error) != GF_OK ||
        gf_pipeline_parse(argv[2], NULL, 0, &pipeline, &error) != GF_OK ||
        gf_signal_plan_create(context, pipeline, &shape, NULL, &plan, &error) != GF_OK ||
        gf_signal_exec_create(plan, &exec, &error) != GF_OK ||
        pass_all_on(exec, block, frames, &error) != GF_OK) {
        fprintf(stderr, "signal_live: %s\n", error.message);
    }
    gf_signal_exec_destroy(&exec);
    gf_signal_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    free(block);
    return gf_status_exit_code(error.code);
}
