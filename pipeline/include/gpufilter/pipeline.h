/* gpufilter/pipeline.h: chains of stages over pictures and signals, from simple to advanced.
 *
 *   static void soften(const uint8_t *rgb, uint8_t *gray, int64_t width, int64_t height, double *mean,
 *                      gf_error *error)
 *   {
 *       const gf_image in = gf_image_view(rgb, width, height, 3, GF_U8, 0);
 *       gf_image out = gf_image_view(gray, width, height, 1, GF_U8, 0);
 *       gf_context *context = NULL;
 *       gf_pipeline *pipeline = NULL;
 *       gf_plan *plan = NULL;
 *       gf_exec *exec = NULL;
 *       if (gf_context_create(NULL, &context, error) == GF_OK &&
 *           gf_pipeline_parse("gray,blur:sigma=2,stats", NULL, 0, &pipeline, error) == GF_OK &&
 *           gf_plan_create(context, pipeline, &in.shape, NULL, &plan, error) == GF_OK &&
 *           gf_exec_create(plan, &exec, error) == GF_OK && gf_exec_run(exec, &in, &out, error) == GF_OK) {
 *           gf_result_number(gf_exec_result_named(exec, "stats"), "mean", 0, mean, error);
 *       }
 *       gf_exec_destroy(&exec);
 *       gf_plan_destroy(&plan);
 *       gf_pipeline_destroy(&pipeline);
 *       gf_context_destroy(&context);
 *   }
 *
 * A pipeline is text made data: no shape, no device. A plan is a pipeline bound to a shape and a
 * device: every error that can be found before running is found when it is made. An exec runs one plan:
 * scratch memory and a stream. A context carries devices, memory hooks and the log. All are cheap but for the
 * memory of an exec: a short chain is parsed, planned and given an exec in some ten microseconds, so that a
 * program may make them anew for each value of a slider. What an exec measured is read, printed and verified
 * by result.h; what a plan will do and what a run did is told by plan_info.h. Both come with this header.
 *
 * Lifetimes. Objects are counted: a plan keeps its context, an exec its plan. They may be destroyed in any
 * order, by any thread; gf_x_destroy gives up the caller's hold, and what others still need lives on until
 * they are gone. A plan has a copy of the pipeline as it was: stages appended later are not its. Borrowed,
 * and not counted, are the stage types of the caller: they must live until all pipelines and plans that use
 * them, and all execs of those plans, are destroyed. So must the hooks of gf_context_options and their `user`
 * for all that is made from the context. A run that is queued (gf_exec_submit, gf_exec_enqueue) is
 * waited for by gf_exec_destroy.
 *
 * Threads. A context and a plan may be used by several threads at once. A pipeline may be read by several
 * while none appends to it. An exec is for one thread at a time; make one per thread. Each then works with
 * as many threads as its plan says, by default as many as there are processors: a program that runs an
 * exec in each of its threads wants gf_plan_options.threads = 1. On the CPU an exec starts threads of its own
 * at its first run, one less than the plan says at most; they sleep between runs, take no signals and end
 * with the exec. Where a thread cannot be had, those there are do the work. A process that is forked while no
 * call is under way may use and destroy what there was on the CPU; an exec that had run then works on the
 * caller's thread alone, and new ones as ever.
 *
 * Every call returns a gf_status and fills the caller's gf_error (NULL allowed) on failure; types.h says what
 * other pointers that are NULL do. gf_x_destroy(&p) accepts NULL and a pointer to NULL, and sets *p to NULL.
 * Calls that make an object set it to NULL on failure. Option structs are borrowed for the call; NULL options
 * mean the defaults. The library never prints, exits, installs signal handlers or changes the locale.
 *
 * Functions of the caller (source, sink, stage) get an error to fill. One that fails without that gets a
 * text which names it. gf_error.code always is the status that the call returns.
 *
 * A CUDA device that fails gives GF_ERROR_DEVICE, or GF_ERROR_MEMORY where its memory is exhausted; the
 * message names the call or kernel and CUDA's error. After an error that CUDA cannot recover from in one
 * process, such as an illegal address, the device is lost: the context remembers it, every further use of the
 * device fails with GF_ERROR_DEVICE without a call of CUDA, GF_DEVICE_AUTO does not choose it, and what was
 * made for it can still be destroyed. The CPU stays as it was: gf_plan_rebind leads there. */
#ifndef GPUFILTER_PIPELINE_H
#define GPUFILTER_PIPELINE_H

#include "gpufilter/plan_info.h" /* IWYU pragma: export */
#include "gpufilter/result.h"    /* IWYU pragma: export */
#include "gpufilter/stage.h"
#include "gpufilter/stream.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: as text, and as a number to compare, 10000 * major + 100 * minor + patch. */
#define GF_VERSION        "0.1.0"
#define GF_VERSION_NUMBER 100

/* The same of the library that runs. */
GF_API const char *gf_version(void);
GF_API int32_t gf_version_number(void);

/* Non-zero when there is the CUDA backend, real or, for tests, emulated (gf_device_kind(0) tells): linked
 * into the library, or its module, libgpufilter_cuda.so, which the first call that asks for a CUDA device
 * opens. gf_cuda_missing (device.h) says why it is not there. A device may still be absent. */
GF_API int gf_has_cuda(void);

/* ---- context --------------------------------------------------------------------------------- */

typedef struct gf_context gf_context;

typedef enum gf_log_level { GF_LOG_WARNING = 0, GF_LOG_INFO = 1 } gf_log_level;

typedef struct gf_context_options {
    uint32_t struct_size;
    /* Told in one line without newline, possibly by several threads at once: as GF_LOG_INFO the device of
     * each plan and why that one, as GF_LOG_WARNING that a device is lost. NULL: nobody is. */
    void (*log)(void *user, gf_log_level level, const char *message);
    /* Host memory of pictures and scratch, but pinned memory, 64-byte aligned; NULL: the C library's. */
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);
    void *user;
} gf_context_options;

#define GF_CONTEXT_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        sizeof(gf_context_options), NULL, NULL, NULL, NULL                                                   \
    }

/* Starts no device. */
GF_API gf_status gf_context_create(const gf_context_options *options, gf_context **context, gf_error *error);
GF_API void gf_context_destroy(gf_context **context);

/* Begins to start a device on a thread of its own, and returns: CUDA takes a third of a second, in which a
 * program can read its picture. The first gf_exec_create for the device waits for it, and fails with what the
 * start failed with; after that each try is a new one. The last user of the context to be destroyed waits
 * too. Once is enough; for the CPU and the reference nothing happens. GF_ERROR_DEVICE: there is no CUDA
 * backend, or the device is lost. The thread takes no signals, and calls none of the caller's functions. */
GF_API gf_status gf_context_start(gf_context *context, gf_device device, gf_error *error);

/* What is known of a device. Index 0 is the CPU, 1 + N is CUDA device N. With `start` zero
 * nothing of CUDA is started and only what the operating system tells is filled in. Returns
 * GF_ERROR_DEVICE past the last device, and for a device that is lost; *description is untouched then. */
typedef struct gf_device_description {
    uint32_t struct_size;
    gf_device device;
    char name[128];
    int32_t compute_major, compute_minor; /* 0: CPU or unknown */
    int32_t units;                        /* cores or multiprocessors, 0: unknown */
    uint64_t memory, memory_free;         /* bytes, 0: unknown */
} gf_device_description;
GF_API gf_status gf_device_describe(gf_context *context, int32_t index, int start,
                                    gf_device_description *description, gf_error *error);

/* ---- pipeline -------------------------------------------------------------------------------- */

typedef struct gf_pipeline gf_pipeline;

/* Parses the --stages language (docs/stages.md), or the JSON of gf_pipeline_print. `types` are stage types of
 * the caller that may be named beside the built-in ones (and shadow them); the types are borrowed (see
 * Lifetimes), the array for the call only; NULL where n_types is 0. On GF_ERROR_PARSE or GF_ERROR_ARGUMENT
 * the error holds stage, place in the text, nearest name and valid set. An empty text is an error;
 * gf_pipeline_create(&p) makes a pipeline without stages. */
GF_API gf_status gf_pipeline_parse(const char *text, const gf_stage_type *const *types, int32_t n_types,
                                   gf_pipeline **pipeline, gf_error *error);
GF_API gf_status gf_pipeline_create(gf_pipeline **pipeline, gf_error *error);

/* Appends one stage; arguments as in the language ("sigma=2:border=wrap"), NULL: all defaults. On failure the
 * pipeline is as it was. Plans that were made before stay as they are. */
GF_API gf_status gf_pipeline_append(gf_pipeline *pipeline, const gf_stage_type *type, const char *arguments,
                                    gf_error *error);
GF_API void gf_pipeline_destroy(gf_pipeline **pipeline);

/* A pipeline of the first `stages` stages of `from`, as they stand there: what is set in one later, the other
 * does not have. */
GF_API gf_status gf_pipeline_head(const gf_pipeline *from, int32_t stages, gf_pipeline **head,
                                  gf_error *error);

GF_API int32_t gf_pipeline_stage_count(const gf_pipeline *pipeline);
GF_API const gf_stage_type *gf_pipeline_stage_type(const gf_pipeline *pipeline, int32_t stage);

/* Writes the text of --stages, or JSON, of the whole pipeline; gf_print_format says how printing works. */
GF_API gf_status gf_pipeline_print(const gf_pipeline *pipeline, gf_print_format format, char *buffer,
                                   size_t capacity, size_t *length, gf_error *error);

/* ---- plan ------------------------------------------------------------------------------------ */

typedef struct gf_plan_options {
    uint32_t struct_size;
    gf_device device; /* default GF_DEVICE_AUTO */
    gf_alpha alpha;  /* what the last of 2 or 4 channels is, of all inputs: default GF_ALPHA_PREMUL. Of a file
                      * gf_picture.alpha and gf_file_info.alpha have what it says; of an array that is no
                      * picture: GF_ALPHA_NONE */
    int32_t no_fuse; /* non-zero: at least one pass a stage */
    int32_t threads; /* CPU threads, the caller's among them, at most GF_MOST_THREADS; 0: one a processor
                      * of the process, by affinity and its container's quota. Never changes a result */
    int32_t band_rows;     /* CPU rows a band; 0: chosen. Never changes a result */
    uint64_t memory_limit; /* bytes as gf_plan_memory counts them; 0: none. What would exceed it works in
                            * bands of rows; GF_ERROR_MEMORY where that cannot be or does not help */
    int64_t runs;          /* GF_DEVICE_AUTO: how many runs share the start of the device; 0: one */
    double busy_ms; /* GF_DEVICE_AUTO: how long the caller will be busy, as with reading a picture, between
                     * gf_context_start and the first exec: so much of the start costs no time */
    int64_t stream_rows; /* for gf_exec_stream: about how many rows a band makes; GF_STREAM_CHOSEN: as
                          * fit in the caches; 0: the whole picture at once. Never changes a result */
    const gf_shape *other_inputs; /* shapes of the pipeline's inputs 1 and on (gf_pipeline_input_name);
                                   * borrowed for the call */
    int64_t n_other_inputs;       /* one less than gf_pipeline_input_count */
} gf_plan_options;

#define GF_STREAM_CHOSEN (-1)
#define GF_MOST_THREADS  1024

#define GF_PLAN_OPTIONS_INIT                                                                                 \
    {                                                                                                        \
        sizeof(gf_plan_options), GF_DEVICE_AUTO, GF_ALPHA_PREMUL, 0, 0, 0, 0, 0, 0, 0, NULL, 0               \
    }

/* Binds a pipeline, as it is now, to the shape of its input: at most 2^31 - 1 pixels wide and high, and 2^48
 * in all.
 * GF_DEVICE_AUTO chooses the CPU or CUDA device 0 without starting CUDA (gf_plan_device tells,
 * gf_plan_device_reason why): CUDA where a model of measured rates expects its start, unless this context has
 * started it, copies of host pictures, and work to take clearly less time than the CPU's work. A plan never
 * changes its device. */
GF_API gf_status gf_plan_create(gf_context *context, const gf_pipeline *pipeline, const gf_shape *input,
                                const gf_plan_options *options, gf_plan **plan, gf_error *error);
GF_API void gf_plan_destroy(gf_plan **plan);

/* The same pipeline, input and options on another device, for the same pictures and results, bit for bit: how
 * work goes on after a device failed,
 *
 *   if ((status == GF_ERROR_DEVICE || status == GF_ERROR_MEMORY) && gf_plan_device(plan) >= 0) {
 *       gf_exec_destroy(&exec);
 *       gf_plan_rebind(plan, GF_DEVICE_CPU, error.message, &on_cpu, &error); ...
 *
 * `reason` is what gf_plan_device_reason says then, cut at 159 bytes; NULL: what gf_plan_create would. */
GF_API gf_status gf_plan_rebind(const gf_plan *plan, gf_device device, const char *reason, gf_plan **rebound,
                                gf_error *error);

GF_API gf_device gf_plan_device(const gf_plan *plan);
GF_API gf_shape gf_plan_input(const gf_plan *plan);
GF_API gf_shape gf_plan_output(const gf_plan *plan);

/* ---- what pixels tell ------------------------------------------------------------------------ */

/* The first stage whose parameters only pixels can tell, from 0: trim without area=. -1: there is none, and
 * the pipeline can be bound. */
GF_API int32_t gf_pipeline_unsettled(const gf_pipeline *pipeline);

/* Finds what that stage is to do and stores it in its parameters, so that the pipeline prints with it: the
 * stages before it run once on the rows of `source`, with the options of gf_plan_create (NULL: the defaults),
 * measuring only. Where stages wait one behind the other it is called once for each, with the rows from the
 * first one again. Nothing happens where none waits. GF_ERROR_UNSUPPORTED: a stage before it reads another
 * picture. */
GF_API gf_status gf_pipeline_settle(gf_context *context, gf_pipeline *pipeline, const gf_source *source,
                                    const gf_plan_options *options, gf_error *error);

/* Where the first stage, or the one behind a convert, is a resize of the whole picture: what size it makes of
 * one of that shape, which is then written into its parameters, so that it makes the same size of the picture
 * read smaller (gf_reader_shrink), of whose last samples not all may be picture: of a pipeline that is
 * printed and parsed this must be called again. Otherwise *size is *in, and nothing changes. */
GF_API gf_status gf_pipeline_fix_size(gf_context *context, gf_pipeline *pipeline, const gf_shape *in,
                                      gf_shape *size, gf_error *error);

/* ---- exec ------------------------------------------------------------------------------------ */

/* Takes the plan's memory and, on CUDA, a stream. Starts the device when it was not. Holds the plan. */
GF_API gf_status gf_exec_create(const gf_plan *plan, gf_exec **exec, gf_error *error);
GF_API void gf_exec_destroy(gf_exec **exec);

/* Runs and waits. `in` and `out` have the plan's shapes and any pitch, in host memory or (CUDA
 * plans not in bands) in memory of the plan's device, and must not overlap. `out` may be NULL when only
 * results are wanted. Failures of device work are reported here; `out` is then undefined.
 *
 * On CUDA pictures in pinned memory (gf_pinned_allocate of device.h) are copied by the device itself. Those
 * in other host memory go through a few pinned pieces, which up to 8 of the plan's threads fill or empty
 * while the device copies others; gf_plan_memory counts them, and the context keeps them for the next exec.
 * Runs of several execs, of one plan or of several, in a thread each, overlap on the device: one picture is
 * copied there while another is filtered and a third is copied back. */
GF_API gf_status gf_exec_run(gf_exec *exec, const gf_image *in, gf_image *out, gf_error *error);

/* The same in two halves, so that one thread has several execs at work: gf_exec_finish does what is left, and
 * waits. On CUDA this returns when the work is queued, with `in` copied where it is pageable; the download to
 * pageable memory is mostly left to gf_exec_finish. A plan in bands, the CPU and the reference do all of it
 * here. Views, memory and exec must live and stay untouched until gf_exec_finish. */
GF_API gf_status gf_exec_submit(gf_exec *exec, const gf_image *in, gf_image *out, gf_error *error);

/* Runs from a source to a sink and waits: both of the plan's shapes, other inputs as set before; `sink` may
 * be NULL when only results are wanted. A plan in bands (stream_rows) holds a few of them at a time: while
 * one is worked on, another thread has the source make rows of the next. Without bands, and where the source
 * or the sink deals with whole pictures, or a source that cannot give its rows again is to, those are held as
 * a whole, beside what gf_plan_memory says where it did not know; beyond memory_limit that is
 * GF_ERROR_MEMORY. A failure of source or sink is returned as it is, once the call that the source is in has
 * ended; what the sink has taken until then is the caller's to undo. When this returns, neither is called any
 * more, whatever happened. */
GF_API gf_status gf_exec_stream(gf_exec *exec, const gf_source *source, const gf_sink *sink, gf_error *error);

/* Queues what gf_exec_run does on the caller's CUDA stream (NULL: the default stream) without waiting, when
 * both pictures are in memory of the plan's device and the plan does not work in bands; on the CPU it runs at
 * once. Views, memory and exec must live and stay untouched until gf_exec_finish, which waits, reports
 * failures of the queued work and makes the results readable: on CUDA they stay on the device until then. */
GF_API gf_status gf_exec_enqueue(gf_exec *exec, const gf_image *in, gf_image *out, void *stream,
                                 gf_error *error);
GF_API gf_status gf_exec_finish(gf_exec *exec, gf_error *error);

/* Called between steps on the running thread with the steps done and their number, in bands those of all
 * bands and sweeps; a non-zero return stops the run with GF_ERROR_CANCELLED. A step is a pass over a picture
 * or band, so without bands a chain that is one pass is told of twice, at its beginning and end, and stops at
 * neither's middle: stream_rows makes progress finer. On CUDA steps are told of as they are queued. It must
 * not use the exec. */
typedef int (*gf_progress)(void *user, int32_t done, int32_t steps);
GF_API void gf_exec_set_progress(gf_exec *exec, gf_progress progress, void *user);

#ifdef __cplusplus
}
#endif
#endif
