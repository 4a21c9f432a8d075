/* gpufilter/pipeline.h: chains of stages over pictures and signals, from simple to advanced.
 *
 *   gf_error error = GF_ERROR_INIT;
 *   gf_context *context = NULL;
 *   gf_pipeline *pipeline = NULL;
 *   gf_plan *plan = NULL;
 *   gf_exec *exec = NULL;
 *   if (gf_context_create(NULL, &context, &error) == GF_OK &&
 *       gf_pipeline_parse("blur:sigma=2,hist", NULL, 0, &pipeline, &error) == GF_OK &&
 *       gf_plan_create(context, pipeline, &shape, NULL, &plan, &error) == GF_OK &&
 *       gf_exec_create(plan, &exec, &error) == GF_OK &&
 *       gf_exec_run(exec, &in, &out, &error) == GF_OK) { ... }
 *
 * A pipeline is text made data: no shape, no device. A plan is a pipeline bound to a shape and a
 * device: every error that can be found before running is found when it is made. An exec runs one plan:
 * scratch memory and a stream. A context carries devices, memory hooks and the log. All are cheap but for the
 * memory of an exec: a short chain is parsed, planned and given an exec in some ten microseconds, so that a
 * program may make them anew for each value of a slider.
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

/* ---- context ------------------------------------------------------------------------------ */

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

/* ---- pipeline ------------------------------------------------------------------------------- */

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

GF_API int32_t gf_pipeline_stage_count(const gf_pipeline *pipeline);
GF_API const gf_stage_type *gf_pipeline_stage_type(const gf_pipeline *pipeline, int32_t stage);

/* BRIEF and CSV are of results alone. */
typedef enum gf_print_format {
    GF_PRINT_TEXT = 0,
    GF_PRINT_JSON = 1,
    GF_PRINT_BRIEF = 2, /* text with the first rows of a table, and how many more there are */
    GF_PRINT_CSV = 3    /* of a table: a line of names, then a line a row */
} gf_print_format;

/* Printing functions work like snprintf: they write at most `capacity` bytes with a terminating
 * zero and set *length (NULL: nobody asks) to the bytes that the whole needs without it. buffer may be NULL
 * where capacity is 0. */
GF_API gf_status gf_pipeline_print(const gf_pipeline *pipeline, gf_print_format format, char *buffer,
                                   size_t capacity, size_t *length, gf_error *error);

/* ---- plan -------------------------------------------------------------------------------------- */

typedef struct gf_plan gf_plan;

typedef struct gf_plan_options {
    uint32_t struct_size;
    gf_device device;  /* default GF_DEVICE_AUTO */
    gf_alpha alpha;    /* default GF_ALPHA_STRAIGHT */
    int32_t no_fuse;   /* non-zero: at least one pass a stage */
    int32_t threads;   /* CPU threads, the caller's among them, at most GF_MOST_THREADS; 0: one a processor
                        * of the process, by affinity and its container's quota. Never changes a result */
    int32_t band_rows; /* CPU rows a band; 0: chosen. Never changes a result */
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
        sizeof(gf_plan_options), GF_DEVICE_AUTO, GF_ALPHA_STRAIGHT, 0, 0, 0, 0, 0, 0, 0, NULL, 0             \
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
GF_API const char *gf_plan_device_reason(const gf_plan *plan);
GF_API gf_shape gf_plan_input(const gf_plan *plan);
GF_API gf_shape gf_plan_output(const gf_plan *plan);

/* Non-zero when the picture that leaves is the one that enters: every stage measures. */
GF_API int gf_plan_measures_only(const gf_plan *plan);

/* Results that an exec of this plan makes. */
GF_API int32_t gf_plan_result_count(const gf_plan *plan);

/* Peak bytes of buffers, blocks, scratch, pinned pieces and results that an exec of this plan holds while it
 * runs on host pictures, the caller's own pictures not counted; of results what their stages tell
 * (gf_lower_result_bytes); with stream_rows, what gf_exec_stream takes to hold
 * rows of input and output is counted, too. */
GF_API uint64_t gf_plan_memory(const gf_plan *plan);

/* How a plan works through its picture: at once, or in bands of rows. A band is read with the rows around it
 * that windows need, which its neighbours read again. Each band has a share of the input's rows of its own:
 * it measures those, and makes the rows of the output that begin in them, which after crop or resize are
 * fewer, more or none; a source is asked for all its rows, in order, needed or not. Bands are what
 * stream_rows and memory_limit ask for, where the chain allows it: not where it reads a second picture of
 * another height, where a window wraps around vertically, where rows change their order (flip:y, rotate,
 * transpose), or where a stage is a function of the caller or works on the whole picture (on the CPU points
 * and find do not, nor label without windows or maps behind it; what they find is not counted in memory).
 *
 * A stage that needs what is measured of the whole picture first (threshold:otsu, equalize, label) takes
 * another sweep over all bands, which computes again what comes before it. Between sweeps gf_exec_stream
 * holds the input, unless memory_limit forbids that: then the source must be one that can give its rows
 * again. */
typedef struct gf_band_info {
    uint32_t struct_size;
    const char *reason;   /* why the plan cannot work in bands; "": it can. Lives as long as the plan */
    int64_t count;        /* 1: the whole picture at once */
    int64_t rows;         /* of input that a band reads, at most */
    int64_t above, below; /* of input beyond a band's own rows, at most: what windows, and stages whose rows
                           * come from other places, reach for */
    int32_t sweeps;       /* over all bands, at least 1 */
    int32_t holds_input;  /* non-zero: gf_exec_stream holds the input between sweeps */
    const char *waits;    /* the stage for which there is more than one sweep, and why; "": none */
} gf_band_info;
GF_API gf_status gf_plan_bands(const gf_plan *plan, gf_band_info *info);

/* One pass, solve or call of the plan, in order of execution. */
typedef struct gf_step_info {
    uint32_t struct_size;
    const char *kind;                   /* "pass", "solve" or "call" */
    char label[160];                    /* "gray + blur + contrast + threshold + hist" */
    int32_t first_stage, last_stage;    /* stages it takes part in */
    uint64_t bytes_read, bytes_written; /* of picture samples, each once */
    int64_t halo_x, halo_y;             /* pixels read beyond the one computed */
} gf_step_info;
GF_API int32_t gf_plan_step_count(const gf_plan *plan);
GF_API gf_status gf_plan_step(const gf_plan *plan, int32_t step, gf_step_info *info);

/* What will run, where and why, in what memory, and in about what time; needs no device and no pixels. */
GF_API gf_status gf_plan_explain(const gf_plan *plan, gf_print_format format, char *buffer, size_t capacity,
                                 size_t *length, gf_error *error);

/* ---- what pixels tell --------------------------------------------------------------------------- */

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

/* ---- exec --------------------------------------------------------------------------------------- */

typedef struct gf_exec gf_exec;

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

/* Whether runs of gf_exec_enqueue measure their times (gf_exec_step_stats, gf_exec_run_stats), which puts
 * marks between the steps on the stream; off at first. Where it is off those times are 0, but total_ms; bytes
 * and memory are told always. gf_exec_run and gf_exec_stream measure theirs always. */
GF_API void gf_exec_set_times(gf_exec *exec, int on);

/* Results of the last run, owned by the exec, valid until its next run or gf_exec_destroy; after a run that
 * failed there are none. By index, or by the stage's name= or type name; NULL when there is none.
 * gf_stage_result (stage.h) and docs/stages.md list the fields of each stage with their units. */
GF_API int32_t gf_exec_result_count(const gf_exec *exec);
GF_API const gf_result *gf_exec_result(const gf_exec *exec, int32_t index);
GF_API const gf_result *gf_exec_result_named(const gf_exec *exec, const char *name);
GF_API const gf_field *gf_result_field(const gf_result *result, const char *name);
/* A table of a result by its name, and a column of a table; NULL when there is none. */
GF_API const gf_table *gf_result_table(const gf_result *result, const char *name);
GF_API const gf_column *gf_table_column(const gf_table *table, const char *name);

/* One number of a result, whatever its depth: the field's value of the channel, counted from 0 among those
 * that were measured. GF_ERROR_ARGUMENT where there is no such field or channel, with a text that lists the
 * fields, and for a field of several values a channel. A u64 beyond 2^53 is rounded. */
GF_API gf_status gf_result_number(const gf_result *result, const char *field, int32_t channel, double *number,
                                  gf_error *error);

/* Text (a chart, a table; TEXT or BRIEF) or a JSON object of one result. In JSON a table is an array of
 * objects, one a row. */
GF_API gf_status gf_result_print(const gf_result *result, gf_print_format format, char *buffer,
                                 size_t capacity, size_t *length, gf_error *error);

/* One table alone, in any of the formats. Columns of several numbers have a name for each in CSV and text,
 * as box_x; f32 and f64 are written so that they read back as the same number. */
GF_API gf_status gf_table_print(const gf_table *table, gf_print_format format, char *buffer, size_t capacity,
                                size_t *length, gf_error *error);

/* What the last run did, as counted by the executor. GF_ERROR_ARGUMENT where there is no such step, or no
 * steps, as with the reference. */
typedef struct gf_step_stats {
    uint32_t struct_size;
    uint64_t bytes_read, bytes_written;
    double milliseconds; /* device time on CUDA */
} gf_step_stats;
GF_API gf_status gf_exec_step_stats(const gf_exec *exec, int32_t step, gf_step_stats *stats);

typedef struct gf_run_stats {
    uint32_t struct_size;
    uint64_t peak_memory;                                /* bytes, as gf_plan_memory predicts */
    double upload_ms, kernels_ms, download_ms, total_ms; /* total: wall clock of the call */
} gf_run_stats;
GF_API gf_status gf_exec_run_stats(const gf_exec *exec, gf_run_stats *stats);

/* ---- verification ------------------------------------------------------------------------------- */

/* The first difference found, in raster order, and the stage that first makes one. */
typedef struct gf_mismatch {
    uint32_t struct_size;
    int32_t stage; /* index in the pipeline, -1: no difference */
    char stage_name[64];
    char what[64]; /* "picture", or the field of a result that differs; where it has more or fewer numbers,
                    * those are counted below */
    int64_t x, y;  /* pixel (0, 0 for results) */
    int32_t channel;
    double expected, got; /* the judge's value and the plan's */
    uint64_t count;       /* samples that differ */
} gf_mismatch;

/* Recomputes the plan's pipeline on `judge` (the CPU, the reference, or a CUDA device; AUTO: the
 * other backend, or the reference where there is none) and compares picture and results bit for
 * bit with `out` and the results of the exec that made it. GF_OK: equal. GF_ERROR_MISMATCH:
 * *mismatch tells where. Host pictures only; `out` may be NULL: results only. GF_ERROR_ARGUMENT where the
 * plan has results and the exec none, as its last run failed or there was none. */
GF_API gf_status gf_verify(gf_exec *exec, const gf_image *in, const gf_image *out, gf_device judge,
                           gf_mismatch *mismatch, gf_error *error);

/* The judge that AUTO chooses for this plan. */
GF_API gf_device gf_verify_judge(const gf_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
