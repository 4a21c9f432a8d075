/* gpufilter/signal.h: chains of stages over signals, whole or live.
 *
 *   static void keep_speech(float *samples, int64_t frames, gf_error *error)
 *   {
 *       const gf_signal_shape shape = {-1, 1, 16000};
 *       gf_context *context = NULL;
 *       gf_pipeline *pipeline = NULL;
 *       gf_signal_plan *plan = NULL;
 *       gf_signal_exec *exec = NULL;
 *       int64_t made;
 *       if (gf_context_create(NULL, &context, error) == GF_OK &&
 *           gf_pipeline_parse("bandpass:300Hz-3.4kHz,gain:-3dB", NULL, 0, &pipeline, error) == GF_OK &&
 *           gf_signal_plan_create(context, pipeline, &shape, NULL, &plan, error) == GF_OK &&
 *           gf_signal_exec_create(plan, &exec, error) == GF_OK) {
 *           gf_signal_exec_feed(exec, samples, frames, frames, samples, frames, &made, error);
 *       }
 *       ...
 *   }
 *
 * A signal is frames x channels of f32, each channel by itself in memory: frame i of channel c is
 * data[c * pitch + i]. Stages run along time, each channel by itself but where one mixes them. What comes out
 * does not depend on the pieces in which a signal is fed, nor on the device or the number of threads: all
 * give the same bytes.
 *
 * Lifetimes, threads and errors are as in pipeline.h. An exec is for one thread at a time; after a call of
 * feed or end that failed it is good for nothing but gf_signal_exec_destroy, unless the error was
 * GF_ERROR_ARGUMENT. */
#ifndef GPUFILTER_SIGNAL_H
#define GPUFILTER_SIGNAL_H

#include "gpufilter/pipeline.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_signal_shape {
    int64_t frames;   /* 0 to 2^48; -1: only the end will tell */
    int32_t channels; /* 1 to 1024 */
    double rate;      /* Hz; 0: unknown, which stages that are told frequencies refuse */
} gf_signal_shape;

/* A signal as a whole, borrowed: frame i of channel c is data[c * pitch + i]. */
typedef struct gf_signal_input {
    gf_signal_shape shape; /* frames: not -1 */
    const float *data;
    int64_t pitch;
} gf_signal_input;

typedef struct gf_signal_options {
    uint32_t struct_size;
    gf_device device; /* GF_DEVICE_AUTO is the CPU, but see may_repeat */
    int32_t threads;  /* of the CPU, which take a channel or several each; 0: one a processor */
    /* Signals that stages read beside the one of the pipeline: gf_pipeline_input_name (inputs.h) tells their
     * order, from 1 on. Their samples must live, unchanged, until plan and execs are destroyed. */
    const gf_signal_input *other_inputs;
    int32_t n_other_inputs;
    const gf_signal_input
        *in;       /* the pipeline's own signal, whole, for stages that name 'in'; NULL: none may */
    int32_t first; /* the signal is what the stages in front of this one have made: they do not run */
    /* Other than 0: GF_DEVICE_AUTO is a GPU where that is likely to be clearly faster; should it fail, the
     * caller begins again with a plan for the CPU. The length must be known. */
    int32_t may_repeat;
    const char *reason; /* why it is that device, for --explain and reports; copied. NULL: it was asked for */
} gf_signal_options;

#define GF_SIGNAL_OPTIONS_INIT                                                                               \
    {                                                                                                        \
        sizeof(gf_signal_options), GF_DEVICE_AUTO, 0, NULL, 0, NULL, 0, 0, NULL                              \
    }

/* ---- a plan ---- */

typedef struct gf_signal_plan gf_signal_plan;

/* Binds the pipeline, which is copied. Stages that work on pictures alone are GF_ERROR_UNSUPPORTED. */
GF_API gf_status gf_signal_plan_create(gf_context *context, const gf_pipeline *pipeline,
                                       const gf_signal_shape *input, const gf_signal_options *options,
                                       gf_signal_plan **plan, gf_error *error);
GF_API void gf_signal_plan_destroy(gf_signal_plan **plan);

/* What comes out; frames is -1 where that of the input is, and where frames decide,
 * as of trim. For NULL all is 0. Where the last stage is GF_STAGE_PICTURE it is a picture: channels, of which
 * there may be any number, are its rows from the top, and frames its columns. */
GF_API gf_signal_shape gf_signal_plan_output(const gf_signal_plan *plan);

/* Never GF_DEVICE_AUTO, but for NULL. */
GF_API gf_device gf_signal_plan_device(const gf_signal_plan *plan);

/* How many results an exec of the plan has after its end: one for each stage that measures. 0 for NULL. */
GF_API int32_t gf_signal_plan_result_count(const gf_signal_plan *plan);

/* What will run: of recursive filters sections, poles and gains. Printed as by gf_plan_explain. */
GF_API gf_status gf_signal_plan_explain(const gf_signal_plan *plan, gf_print_format format, char *buffer,
                                        size_t capacity, size_t *length, gf_error *error);

/* ---- what filters do to a sine ---- */

/* What a stage does to a sine that goes on for ever. */
typedef enum gf_signal_effect {
    GF_SIGNAL_KEEPS,   /* it stays as strong: the stage measures, delays or cuts */
    GF_SIGNAL_FILTERS, /* its frequency alone decides by how much it grows: sections, taps, a gain */
    GF_SIGNAL_BENDS    /* neither: levels, other channels, the time or another rate take part */
} gf_signal_effect;

/* Of a stage by its index; GF_SIGNAL_BENDS where there is none. */
GF_API gf_signal_effect gf_signal_plan_effect(const gf_signal_plan *plan, int32_t stage);

/* How many stages with that name=, or of that type, are GF_SIGNAL_FILTERS; NULL: of all. */
GF_API int32_t gf_signal_plan_filters(const gf_signal_plan *plan, const char *name);

/* The factor by which those filters together change the size of a sine in a channel, from 0: the product of
 * all of them, phase=zero squared, and 0 beyond half of a rate in the chain. Others count as 1. frequency: in
 * Hz, or, where the rate is unknown, in cycles a frame; above 0. A stage that mixes channels is no filter: in
 * front of it and behind it the channel of that number counts. Any number of threads may ask at the same
 * time; it takes a product for each tap. NaN for NULL. */
GF_API double gf_signal_plan_gain(const gf_signal_plan *plan, const char *name, int32_t channel,
                                  double frequency);

/* Frequencies where the gain may change fast, in the same unit: those of poles and zeros of recursive
 * filters, in no order. Writes at most `most` of them, and returns how many there are. */
GF_API int32_t gf_signal_plan_turns(const gf_signal_plan *plan, const char *name, double *frequencies,
                                    int32_t most);

/* ---- an exec ---- */

typedef struct gf_signal_exec gf_signal_exec;

GF_API gf_status gf_signal_exec_create(const gf_signal_plan *plan, gf_signal_exec **exec, gf_error *error);
GF_API void gf_signal_exec_destroy(gf_signal_exec **exec);

/* How many frames a feed of so many would make now, and how many the next gf_signal_exec_end makes (on the
 * device reference, at most). 0 for NULL, and after the end. On the device reference all is left for the end,
 * and so it is where a stage needs the whole signal: phase=zero, normalize, detrend, trim,
 * percentiles. */
GF_API int64_t gf_signal_exec_ready(const gf_signal_exec *exec, int64_t frames);
GF_API int64_t gf_signal_exec_left(const gf_signal_exec *exec);

/* Takes the next `frames` frames, and makes those of the output that can be made: gf_signal_exec_ready, for
 * which there is room in `out`, whose pitch is at least as many. `in` and `out` may be the same where no
 * stage changes the number of frames or of channels. */
GF_API gf_status gf_signal_exec_feed(gf_signal_exec *exec, const float *in, int64_t in_pitch, int64_t frames,
                                     float *out, int64_t out_pitch, int64_t *made, gf_error *error);

/* The input has ended: makes the next gf_signal_exec_left frames of the rest. To be called until none is
 * left:
 *   do {
 *       room for gf_signal_exec_left(exec) frames; gf_signal_exec_end(...); what becomes of `made` frames
 *   } while (gf_signal_exec_left(exec) > 0);
 * Where no stage needs the whole signal the first call makes all. Where one does it makes nothing, and takes
 * longest; the others make some 2^18 frames of all channels each. Frames wait in memory, and beyond 32 MiB in
 * a file without a name in TMPDIR, or /tmp: also GF_ERROR_OUTPUT, GF_ERROR_INPUT. */
GF_API gf_status gf_signal_exec_end(gf_signal_exec *exec, float *out, int64_t out_pitch, int64_t *made,
                                    gf_error *error);

/* Results of stages that measure, after gf_signal_exec_end; before it, and where a call failed, there are
 * none. They are the exec's, valid until it is destroyed: by index, or by the stage's name= or type name;
 * NULL where there is none. Fields are as result.h has them, a row of values for each channel, or one for
 * all. `shape` says frames as width, 0 as height, and the channels; the bits of `channels` are 0. */
GF_API int32_t gf_signal_exec_result_count(const gf_signal_exec *exec);
GF_API const gf_result *gf_signal_exec_result(const gf_signal_exec *exec, int32_t index);
GF_API const gf_result *gf_signal_exec_result_named(const gf_signal_exec *exec, const char *name);

#ifdef __cplusplus
}
#endif
#endif
