#define _POSIX_C_SOURCE 200809L
#include "batch/batch_report.h"

#include "base/message.h"
#include "base/output_file.h"
#include "job/job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gf_status fail(const struct batch_report *report)
{
    return cli_fail(GF_ERROR_OUTPUT, "%s %s: %s", report->option, report->path, strerror(errno));
}

/* Cuts off a last line that is not whole, left by a batch that was killed while it wrote it. */
static int cut_line(int fd)
{
    char block[4096];
    off_t end = lseek(fd, 0, SEEK_END);
    for (off_t from = end; from > 0;) {
        size_t size = from < (off_t)sizeof block ? (size_t)from : sizeof block;
        ssize_t got = pread(fd, block, size, from - (off_t)size);
        for (ssize_t i = got; i > 0; i--) {
            if (block[i - 1] == '\n') {
                off_t length = from - (off_t)size + i;
                return length == end ? 0 : ftruncate(fd, length);
            }
        }
        if (got != (ssize_t)size) {
            return -1;
        }
        from -= got;
    }
    return end > 0 ? ftruncate(fd, 0) : 0;
}

static gf_status write_all(const struct batch_report *report, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(report->fd, data, length);
        if (written < 0 && errno != EINTR) {
            return fail(report);
        }
        data += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return GF_OK;
}

static bool is_csv(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".csv");
}

gf_status batch_report_open(struct batch_report *report, const char *path, bool resume)
{
    bool csv = path && is_csv(path);
    return batch_report_open_as(
        report, "--report", csv ? "input,stage,index,name,field,channel,place,value\n" : NULL, path, resume);
}

gf_status batch_report_open_as(struct batch_report *report, const char *option, const char *head,
                               const char *path, bool resume)
{
    struct stat is;
    *report = (struct batch_report){.fd = -1, .option = option, .path = path};
    pthread_mutex_init(&report->lock, NULL);
    if (!path) {
        return GF_OK;
    }
    report->csv = is_csv(path);
    bool standard = is_standard_output(path);
    do {
        report->fd = standard
                         ? dup(STDOUT_FILENO)
                         : open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | (resume ? 0 : O_TRUNC), 0666);
    } while (report->fd < 0 && errno == EINTR);
    if (report->fd < 0 || fstat(report->fd, &is) != 0) {
        return fail(report);
    }
    bool regular = !standard && S_ISREG(is.st_mode);
    if (regular && resume && cut_line(report->fd) != 0) {
        return fail(report);
    }
    bool empty = !regular || lseek(report->fd, 0, SEEK_END) == 0;
    return head && empty ? write_all(report, head, strlen(head)) : GF_OK;
}

void batch_report_close(struct batch_report *report)
{
    if (report->fd >= 0) {
        close(report->fd);
    }
    report->fd = -1;
}

gf_status batch_report_results(struct buffer *text, const struct job *job, gf_error *error)
{
    gf_status status = GF_OK;
    buffer_add(text, "\"results\":[");
    for (int32_t i = 0; i < job_result_count(job) && status == GF_OK; i++) {
        buffer_add(text, i ? "," : "");
        status = buffer_add_result(text, job_result(job, i), GF_PRINT_JSON, error);
    }
    buffer_add(text, "]");
    return status;
}

static void add_text(struct buffer *text, const char *before, const char *word)
{
    const char *quote = strpbrk(word, ",\"\r\n") ? "\"" : "";
    buffer_printf(text, "%s%s", quote, before);
    for (const char *c = word; *c; c++) {
        buffer_add(text, *c == '"' ? "\"" : "");
        buffer_add_bytes(text, c, 1);
    }
    buffer_add(text, quote);
}

void batch_report_name(struct buffer *text, const char *path)
{
    add_text(text, *path && strchr("=+-@\t\r", *path) ? "./" : "", path);
}

static void add_number(struct buffer *text, const gf_field *field, int64_t at)
{
    if (field->depth == GF_U64) {
        buffer_printf(text, "%" PRIu64 "\n", ((const uint64_t *)field->values)[at]);
    } else {
        double value = ((const double *)field->values)[at];
        if (value - value == 0) { /* finite */
            buffer_json_number(text, value);
            buffer_add(text, "\n");
        } else {
            buffer_add(text, value > 0 ? "inf\n" : value < 0 ? "-inf\n" : "nan\n");
        }
    }
}

/* The n-th channel among those that were measured. */
static int32_t channel_of(const gf_result *result, int32_t n)
{
    int32_t channel = 0;
    if (result->channels == 0) { /* a signal, all of whose channels are measured */
        return n;
    }
    for (uint32_t left = result->channels; left; left >>= 1, channel++) {
        if (left & 1u && n-- == 0) {
            break;
        }
    }
    return channel;
}

void batch_report_rows(struct buffer *text, const char *input, const struct job *job)
{
    struct buffer head = {0};
    for (int32_t i = 0; i < job_result_count(job); i++) {
        const gf_result *result = job_result(job, i);
        head.length = 0;
        batch_report_name(&head, input);
        buffer_printf(&head, ",%s,%d,", result->stage, (int)result->index);
        add_text(&head, "", result->name);
        for (int32_t f = 0; f < result->n_fields; f++) {
            const gf_field *field = &result->fields[f];
            for (int64_t at = 0; at < field->channels * field->count; at++) {
                buffer_add_bytes(text, head.data ? head.data : "", head.length);
                buffer_printf(text, ",%s,%d,%" PRId64 ",", field->name,
                              (int)channel_of(result, (int32_t)(at / field->count)), at % field->count);
                add_number(text, field, at);
            }
        }
    }
    text->failed |= head.failed;
    buffer_free(&head);
}

gf_status batch_report_write(struct batch_report *report, const struct buffer *lines)
{
    CLI_TRY(cli_need_memory(!lines->failed));
    pthread_mutex_lock(&report->lock);
    gf_status status =
        report->fd >= 0 && lines->length ? write_all(report, lines->data, lines->length) : GF_OK;
    pthread_mutex_unlock(&report->lock);
    return status;
}
