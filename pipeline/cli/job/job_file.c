/* The files of a job: read and written by rows, whatever holds the rows between. */
#define _POSIX_C_SOURCE 200809L
#include "job/job.h"

#include "base/message.h"
#include "base/output_file.h"
#include "gpufilter/io_memory.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signals.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* FNV-1a, 64 bits, over the samples row by row as they lie in memory, without padding. */
uint64_t job_hash_rows(uint64_t hash, const void *data, int64_t pitch, int64_t count, gf_shape shape)
{
    size_t row = (size_t)shape.width * (size_t)shape.channels * gf_depth_size(shape.depth);
    for (int64_t y = 0; y < count; y++) {
        const unsigned char *bytes = (const unsigned char *)data + y * pitch;
        for (size_t i = 0; i < row; i++) {
            hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

const char *job_in_name(const struct job *job)
{
    return strcmp(job->options.in, "-") ? job->options.in : "standard input";
}

const char *job_out_name(const struct job *job)
{
    return strcmp(job->options.out, "-") ? job->options.out : "standard output";
}

/* ---- the input ---- */

gf_status job_open_input(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    double began = now_ms();
    gf_io_limits limits = job->options.limits;
    limits.page = job->options.page;
    gf_reader_close(&job->reader);
    gf_status status = job->memory ? gf_reader_open_memory(job->memory->in.data, job->memory->in.length,
                                                           job->options.in, &limits, &job->reader, &error)
                                   : gf_reader_open(job->options.in, &limits, &job->reader, &error);
    job->times.decode = now_ms() - began;
    CLI_TRY(limit_told(status, &error));
    job->info = *gf_reader_info(job->reader);
    job->hash_in = JOB_HASH_START;
    return job->shrink ? job_shrink_input(job) : GF_OK;
}

/* --fast-load: the least picture the file's decoder makes that is not smaller than what the first stage, a
 * resize, makes of it. */
gf_status job_shrink_input(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    const gf_shape whole = job->info.shape;
    const bool decided = job->shrink != 0; /* the file is opened once more */
    gf_shape size;
    if (!job->options.fast_load || strcmp(job->info.format->name, "jpeg") != 0) {
        return GF_OK;
    }
    gf_status status =
        decided ? GF_OK : gf_pipeline_fix_size(job->context, job->pipeline, &whole, &size, &error);
    if (status != GF_OK) {
        return stages_text_fail(&job->options.stages, status, &error);
    }
    status = GF_ERROR_UNSUPPORTED;
    for (int32_t f = decided ? job->shrink : 8; status == GF_ERROR_UNSUPPORTED; f /= 2) {
        if (decided || f == 1 ||
            ((whole.width + f - 1) / f >= size.width && (whole.height + f - 1) / f >= size.height)) {
            job->shrink = f;
            status = gf_reader_shrink(job->reader, f, &error);
        }
    }
    CLI_TRY(limit_told(status, &error));
    job->info = *gf_reader_info(job->reader);
    job->shrunk = job->shrink > 1 ? whole : (gf_shape){0};
    return GF_OK;
}

/* Returns how many rows at a time: all of them, or so few that progress is seen. */
static int64_t rows_at_once(int64_t count, bool whole, gf_shape shape)
{
    int64_t few = 1 + (INT64_C(1) << 20) / (shape.width * shape.channels);
    return progress_is_shown() && !whole && few < count ? few : count;
}

/* In bands the exec tells how far all of it is. */
static void show_rows(const struct job *job, const char *what, int64_t done, int64_t count)
{
    if (!job->in_bands) {
        progress_set(what, done, count);
    }
}

static gf_status give_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct job *job = user;
    gf_source source = gf_reader_source(job->reader);
    double began = now_ms();
    int64_t most = rows_at_once(count, source.whole, source.shape);
    gf_status status = GF_OK;
    job->has_read = true;
    for (int64_t y = 0, n; y < count && status == GF_OK; y += n) {
        n = most < count - y ? most : count - y;
        show_rows(job, "reading", y, count);
        status = source.rows(source.user, (char *)data + y * pitch, pitch, n, error);
    }
    job->times.decode += now_ms() - began;
    if (status != GF_OK) { /* the output is written at the same time, and says so in the same place */
        atomic_store(&job->file_failed, true);
    }
    if (status == GF_OK && job->options.report) {
        job->hash_in = job_hash_rows(job->hash_in, data, pitch, count, job->info.shape);
    }
    return status;
}

static gf_status again(void *user, gf_error *error)
{
    struct job *job = user;
    gf_source source = gf_reader_source(job->reader);
    job->hash_in = JOB_HASH_START;
    gf_status status = source.again(source.user, error);
    if (status != GF_OK) {
        atomic_store(&job->file_failed, true);
    }
    return status;
}

gf_source job_source(struct job *job)
{
    gf_source source = gf_reader_source(job->reader);
    source.rows = give_rows;
    source.again = source.again ? again : NULL;
    source.user = job;
    return source;
}

gf_status job_finish_input(struct job *job)
{
    gf_error error = GF_ERROR_INIT;
    double began = now_ms();
    gf_status status = gf_reader_finish(job->reader, &error);
    job->times.decode += now_ms() - began;
    CLI_TRY(limit_told(status, &error));
    if (*gf_reader_note(job->reader) && !job->noted_in && !job->frames) {
        job->noted_in = true;
        cli_note("note: %s: %s", job_in_name(job), gf_reader_note(job->reader));
    }
    if (job->writer && !job->format->metadata) { /* EXIF may have come behind the samples */
        job_note_no_room(job, gf_reader_metadata(job->reader));
    }
    return GF_OK;
}

bool job_input_rereads(const struct job *job)
{
    struct stat status;
    return job->memory || (strcmp(job->options.in, "-") != 0 && stat(job->options.in, &status) == 0 &&
                           S_ISREG(status.st_mode));
}

bool job_is_in_place(const struct job *job)
{
    struct stat in, out;
    return stat(job->options.in, &in) == 0 && stat(job->options.out, &out) == 0 && S_ISREG(out.st_mode) &&
           in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* ---- the exec ---- */

static int on_progress(void *user, int32_t done, int32_t steps)
{
    (void)user;
    progress_set("filtering", done, steps);
    return 0;
}

void job_watch(struct job *job)
{
    gf_band_info bands = {.struct_size = sizeof bands};
    job->in_bands = gf_plan_bands(job->plan, &bands) == GF_OK && bands.count > 1;
    if (progress_is_shown()) {
        gf_exec_set_progress(job->exec, on_progress, NULL);
    }
}

/* ---- the output ---- */

static gf_status take_bytes(void *user, const void *bytes, size_t size, gf_error *error)
{
    struct buffer *out = user;
    buffer_add_bytes(out, bytes, size);
    return out->failed ? cli_error(error, GF_ERROR_MEMORY, "out of memory") : GF_OK;
}

static gf_status open_memory(struct job *job, const gf_shape *shape, const gf_metadata *metadata,
                             const gf_write_options *options, gf_error *error)
{
    gf_byte_sink sink = GF_BYTE_SINK_INIT;
    job->memory->out.length = 0; /* it may have been begun before */
    sink.name = job->options.out;
    sink.write = take_bytes;
    sink.user = &job->memory->out;
    return gf_writer_open_callback(&sink, job->format->name, shape, metadata, options, &job->writer, error);
}

gf_status job_open_output(struct job *job)
{
    if (!job->options.out) {
        return GF_OK;
    }
    gf_error error = GF_ERROR_INIT;
    gf_shape shape = gf_plan_output(job->plan);
    gf_metadata metadata = job_kept_metadata(job);
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    options.png_level = job->options.png_level;
    CLI_TRY(job_choose_palette(job, &options.png_palette));
    options.jpeg_quality = job->options.jpeg_quality;
    options.jpeg_progressive = job->options.progressive;
    options.webp_quality = job->options.has_quality ? job->options.jpeg_quality : 0;
    options.format = job->options.format;
    options.no_clobber = job->options.no_clobber;
    options.follows = job->follows;
    options.threads = job->options.threads;
    double began = now_ms();
    gf_status status = GF_OK;
    if (job->memory) {
        status = open_memory(job, &shape, &metadata, &options, &error);
    } else {
        options.in_place = job_is_in_place(job);
        signals_watch_file(&options, job->file);
        status = gf_writer_open(job->options.out, &shape, &metadata, &options, &job->writer, &error);
    }
    job->times.encode = now_ms() - began;
    job->hash_out = JOB_HASH_START;
    return cli_told(status, &error);
}

static gf_status take_rows(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct job *job = user;
    gf_sink sink = gf_writer_sink(job->writer);
    if (job->options.report) {
        job->hash_out = job_hash_rows(job->hash_out, data, pitch, count, gf_plan_output(job->plan));
    }
    double began = now_ms();
    int64_t most = rows_at_once(count, sink.whole, gf_plan_output(job->plan));
    gf_status status = GF_OK;
    for (int64_t y = 0, n; y < count && status == GF_OK; y += n) {
        n = most < count - y ? most : count - y;
        show_rows(job, "writing", y, count);
        status = sink.rows(sink.user, (const char *)data + y * pitch, pitch, n, error);
    }
    job->times.encode += now_ms() - began;
    if (status != GF_OK) {
        atomic_store(&job->file_failed, true);
    }
    return status;
}

gf_sink job_sink(struct job *job)
{
    gf_sink sink = gf_writer_sink(job->writer);
    sink.rows = take_rows;
    sink.user = job;
    return sink;
}

gf_status job_commit_output(struct job *job)
{
    if (!job->writer) {
        return GF_OK;
    }
    gf_error error = GF_ERROR_INIT;
    double began = now_ms();
    gf_status status = gf_writer_commit(&job->writer, &error);
    job->times.encode += now_ms() - began;
    return cli_told(status, &error);
}

void job_close_files(struct job *job)
{
    gf_writer_abort(&job->writer);
    gf_reader_close(&job->reader);
    gf_reader_close(&job->known);
}

/* ---- before anything is read ---- */

bool job_only_prints(const struct job *job)
{
    return job->options.explain != JOB_PRINT_NONE || job->options.print_pipeline != JOB_PRINT_NONE;
}

gf_status job_check_target(const struct job *job)
{
    const struct job_options *options = &job->options;
    struct stat status;
    if (is_standard_output(options->out) && !job_only_prints(job) && isatty(STDOUT_FILENO)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "standard output is a terminal, and %s is no text: send it to a file or a pipe",
                        job->format ? "a picture" : "a signal");
    }
    if (options->no_clobber && !job_only_prints(job) && lstat(options->out, &status) == 0 &&
        S_ISREG(status.st_mode)) {
        return cli_fail(GF_ERROR_OUTPUT, "%s: exists, and --no-clobber keeps it", options->out);
    }
    return job_only_prints(job) ? GF_OK : output_check(options->out);
}
