#define _POSIX_C_SOURCE 200809L
#include "job/signal_kind.h"

#include "base/message.h"
#include "gpufilter/signal_io.h"
#include "job/job_signal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool comes_once(const char *path)
{
    struct stat status;
    return !strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

bool names_signal(const char *path, const char *format)
{
    const gf_signal_format *of_signal;
    const gf_format *of_picture;
    return (path || format) && gf_signal_io_format_for(path, format, &of_signal, NULL) == GF_OK &&
           gf_io_format_for(path, format, &of_picture, NULL) != GF_OK;
}

/* An array of one dimension is a signal; the reader of signals takes no other that nobody has explained. What
 * hinders it from looking is an error, else the file would be taken for a picture. */
static gf_status reads_as_signal(const char *path, bool *reads)
{
    gf_signal_reader *reader = NULL;
    gf_error error = GF_ERROR_INIT;
    const gf_status status = gf_signal_reader_open(path, NULL, &reader, &error);
    gf_signal_reader_close(&reader);
    *reads = status == GF_OK;
    return status == GF_ERROR_MEMORY || error.system ? cli_fail_error(status, &error) : GF_OK;
}

gf_status file_is_signal(const char *path, bool *is_signal)
{
    unsigned char head[16];
    const int file = comes_once(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = file < 0 ? 0 : read(file, head, sizeof head);
    if (file >= 0) {
        close(file);
    }
    const gf_signal_format *format = gf_signal_io_format_of(head, n > 0 ? (size_t)n : 0);
    if (format && !names_signal(path, format->name)) {
        return reads_as_signal(path, is_signal);
    }
    *is_signal = format || names_signal(path, NULL);
    return GF_OK;
}

const gf_stage_type *job_picture_stage(const struct job *job)
{
    const int32_t n = gf_pipeline_stage_count(job->pipeline);
    const gf_stage_type *type = NULL;
    for (int32_t i = 0; i < n && !(type && type->flags & GF_STAGE_PICTURE); i++) {
        type = gf_pipeline_stage_type(job->pipeline, i);
    }
    return type && type->flags & GF_STAGE_PICTURE ? type : NULL;
}
