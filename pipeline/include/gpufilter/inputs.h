/* gpufilter/inputs.h: what a pipeline reads beside the picture that it begins with: other pictures, which
 * PICTURE parameters name, and files of numbers, which LIST parameters name. The library itself opens no
 * file.
 *
 *   gf_pipeline_parse("blur:2,blend:@top.png,blend:mask", ...);
 *   const gf_shape others[] = {top.shape, mask.shape};
 *   (gf_pipeline_input_name tells their order)
 *   gf_plan_options options = GF_PLAN_OPTIONS_INIT;
 *   options.other_inputs = others;
 *   options.n_other_inputs = 2;
 *   gf_plan_create(context, pipeline, &in.shape, &options, &plan, &error);
 *   gf_exec_create(plan, &exec, &error);
 *   gf_exec_set_input(exec, 1, &top, &error);
 *   gf_exec_set_input(exec, 2, &mask, &error);
 *   gf_exec_run(exec, &in, &out, &error);
 *
 * Lifetimes, threads and NULL are as pipeline.h and types.h say. */
#ifndef GPUFILTER_INPUTS_H
#define GPUFILTER_INPUTS_H

#include "gpufilter/pipeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The pictures that the pipeline reads. Input 0 is "in", the one that it begins with; the others are what its
 * PICTURE parameters name, each once, in the order of the text: "@top.png" for a file, "top" for a name,
 * which may be "in" itself. The caller says what shapes they have (gf_plan_options.other_inputs) and gives
 * the pictures (gf_exec_set_input); of signals both are gf_signal_options.other_inputs and in. A plan
 * takes at most 255 beside input 0. What a stage saves (save=) is no input, also where a PICTURE parameter
 * names it. Names live until the pipeline changes; NULL past the last. */
GF_API int32_t gf_pipeline_input_count(const gf_pipeline *pipeline);
GF_API const char *gf_pipeline_input_name(const gf_pipeline *pipeline, int32_t index);

/* What the stage of that index calls the picture that leaves it (save=), as long as the pipeline does not
 * change; NULL: nothing, or there is no such stage. */
GF_API const char *gf_pipeline_saved_name(const gf_pipeline *pipeline, int32_t stage);

/* The files that LIST parameters name (kernel=@k.npy), each once, without '@'; likewise. */
GF_API int32_t gf_pipeline_file_count(const gf_pipeline *pipeline);
GF_API const char *gf_pipeline_file_name(const gf_pipeline *pipeline, int32_t index);

/* The first parameter that names that file; NULL: there is no such file. Its choices tell
 * whether a picture may be given (GF_LIST_COLOURS). */
GF_API const gf_param *gf_pipeline_file_param(const gf_pipeline *pipeline, int32_t index);

/* The numbers of a file, row by row, for all parameters that name it; copied. A pipeline is bound when every
 * file has its numbers. GF_ERROR_ARGUMENT: no such file, or a parameter does not take that shape or a number,
 * and then the pipeline is as it was. */
GF_API gf_status gf_pipeline_set_file(gf_pipeline *pipeline, int32_t index, int32_t rows, int32_t columns,
                                      const double *values, gf_error *error);

/* Fails at the stage that names input `index` (0: 'in'), or file `index`: "stage 2 'blend': REASON", with
 * the place in the pipeline's text, for what the caller finds wrong with it. Returns `code`;
 * GF_ERROR_ARGUMENT where there is no such input or file, or code is GF_OK. */
GF_API gf_status gf_pipeline_refuse_input(const gf_pipeline *pipeline, int32_t index, gf_status code,
                                          const char *reason, gf_error *error);
GF_API gf_status gf_pipeline_refuse_file(const gf_pipeline *pipeline, int32_t index, gf_status code,
                                         const char *reason, gf_error *error);

/* The shape of input `index` of the pipeline; 0 is the same as gf_plan_input. Zeros past the last. */
GF_API gf_shape gf_plan_input_at(const gf_plan *plan, int32_t index);

/* The picture of input `index`, 1 and on, of the pipeline (gf_pipeline_input_name) for all runs that begin
 * from now on, of the plan's shape and any pitch, in host memory or that of the plan's device. The samples
 * are borrowed: they must live, unchanged, until the last run's work is done. NULL takes it back; a run for
 * which one is missing is GF_ERROR_ARGUMENT. Inputs may be the same memory, `out` may overlap none. */
GF_API gf_status gf_exec_set_input(gf_exec *exec, int32_t index, const gf_image *image, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
