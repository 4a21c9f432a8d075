/* What the report of a batch says of a file. */
#include "batch/batch_file.h"

#include "base/argument_value.h"

#include <inttypes.h>

static void add_picture(struct buffer *text, const char *name, const char *path, const gf_format *format,
                        gf_shape shape)
{
    buffer_printf(text, "%s{\"path\":", name);
    buffer_json_name(text, path);
    buffer_printf(text,
                  ",\"format\":\"%s\",\"width\":%" PRId64 ",\"height\":%" PRId64
                  ",\"channels\":%d,\"depth\":\"%s\"}",
                  format ? format->name : "", shape.width, shape.height, (int)shape.channels,
                  gf_depth_name(shape.depth));
}

/* A line of the report. */
static void add_report_line(const struct batch_file *file, const gf_batch_outcome *outcome,
                            struct buffer *line)
{
    char device[24];
    if (file->is_signal) {
        batch_file_add_signal_line(file, line);
        return;
    }
    device_word(outcome->device, device);
    add_picture(line, "{\"input\":", file->input.path, file->job.info.format, outcome->in);
    if (file->out) {
        add_picture(line, ",\"output\":", file->out, file->job.format, outcome->out);
    } else {
        buffer_add(line, ",\"output\":null");
    }
    buffer_printf(line, ",\"device\":\"%s\",\"times_ms\":{\"decode\":%.3f,\"filter\":%.3f,\"encode\":%.3f}",
                  device, outcome->read_ms, outcome->run_ms, outcome->write_ms);
    if (file->job.verified) {
        device_word(file->job.judge, device);
        buffer_printf(line, ",\"verified_by\":\"%s\"", device);
    }
    buffer_add(line, file->json.length ? file->json.data : ",\"results\":[]");
    buffer_add(line, "}\n");
}

gf_status batch_file_report(struct batch_file *file, const gf_batch_outcome *outcome)
{
    struct batch *batch = file->batch;
    gf_status status = GF_OK;
    if (batch->report.fd >= 0 && batch->report.csv) {
        status = batch_report_write(&batch->report, &file->lines);
    } else if (batch->report.fd >= 0) {
        add_report_line(file, outcome, &file->report_line);
        status = batch_report_write(&batch->report, &file->report_line);
    }
    return status;
}
