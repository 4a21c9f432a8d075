/* gpufilter/plan_info.h: what a plan will do, in what memory and in which steps, and what a run of it did. It
 * comes with pipeline.h, whose lifetimes, threads and errors hold here, too. */
#ifndef GPUFILTER_PLAN_INFO_H
#define GPUFILTER_PLAN_INFO_H

#include "gpufilter/result.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- all of it ------------------------------------------------------------------------------- */

/* Why the plan runs on its device (gf_plan_device), in a few words. Lives as long as the plan. */
GF_API const char *gf_plan_device_reason(const gf_plan *plan);

/* What the user should know of the plan, though it runs: "stage 2 'text': the font has no letter for ...".
 * "": nothing. Lives as long as the plan. */
GF_API const char *gf_plan_note(const gf_plan *plan);

/* Non-zero when the picture that leaves is the one that enters: every stage measures. */
GF_API int gf_plan_measures_only(const gf_plan *plan);

/* Results that an exec of this plan makes. */
GF_API int32_t gf_plan_result_count(const gf_plan *plan);

/* How many channels the result with that index measures; 0: there is none. */
GF_API int32_t gf_plan_result_channels(const gf_plan *plan, int32_t index);

/* How many rows the first table of the result with that index has, where the plan knows, as of profile; else
 * -1. */
GF_API int64_t gf_plan_result_rows(const gf_plan *plan, int32_t index);

/* Peak bytes of buffers, blocks, scratch, pinned pieces and results that an exec of this plan holds while it
 * runs on host pictures, the caller's own pictures not counted; of results what their stages tell
 * (gf_lower_result_bytes); with stream_rows, what gf_exec_stream takes to hold rows of input and output is
 * counted, too. */
GF_API uint64_t gf_plan_memory(const gf_plan *plan);

/* ---- bands ----------------------------------------------------------------------------------- */

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

/* ---- steps ----------------------------------------------------------------------------------- */

/* What a step is, and how gf_plan_explain names it. */
typedef enum gf_step_kind {
    GF_STEP_KIND_PASS = 0,  /* "pass": one read of a picture, by a window and arithmetic on single pixels */
    GF_STEP_KIND_SOLVE = 1, /* "solve": blocks are computed from blocks; no picture is read */
    GF_STEP_KIND_CALL = 2,  /* "call": a function of the caller (gf_lower_call) */
    GF_STEP_KIND_MAP = 3,   /* "map": pixels go to other places, or a picture becomes one of another size */
    GF_STEP_KIND_WHOLE = 4  /* "whole": what needs the whole picture at once */
} gf_step_kind;

/* "pass", "solve", ...; never NULL. */
GF_API const char *gf_step_kind_name(gf_step_kind kind);

/* A step of the plan. They are numbered in order of execution. */
typedef struct gf_step_info {
    uint32_t struct_size;
    gf_step_kind kind;
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

/* ---- what the last run did ------------------------------------------------------------------- */

/* Whether runs of gf_exec_enqueue measure their times (gf_exec_step_stats, gf_exec_run_stats), which puts
 * marks between the steps on the stream; off at first. Where it is off those times are 0, but total_ms; bytes
 * and memory are told always. gf_exec_run and gf_exec_stream measure theirs always. */
GF_API void gf_exec_set_times(gf_exec *exec, int on);

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

#ifdef __cplusplus
}
#endif
#endif
