/* Signals as text, written: a line a frame, each number the shortest that reads back as the same f32. */
#include "io/signal/signal_codec.h"

#include "base/status.h"
#include "base/text.h"

#include <string.h>

static char separator_of(const gf_signal_writer *writer)
{
    return writer->codec == &gf_signal_codec_tsv ? '\t' : ',';
}

/* A name that would be read as a number or would end its line is none. */
static gf_status put_name(gf_signal_writer *writer, const char *name, char before, gf_error *error)
{
    double number;
    const size_t length = name != NULL ? strlen(name) : 0;
    if (name == NULL || name[strcspn(name, "\"\r\n")] != '\0' || strcmp(name, "nan") == 0 ||
        strcmp(name, "inf") == 0 || (length > 0 && gf_number_read(name, length, &number) == length)) {
        char shown[GF_LABEL_SIZE];
        gf_label(shown, name != NULL ? name : "NULL", "-");
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "%.200s: \"%.64s\" cannot name a channel: a name is no number, and has no quotes and "
                       "ends of lines",
                       writer->out.label, shown);
    }
    const bool quoted = length == 0 || name[strcspn(name, " \t,;#")] != '\0';
    const bool good = (before == '\0' || gf_bytes_out_write(&writer->out, &before, 1)) &&
                      gf_bytes_out_write(&writer->out, "\"", quoted) &&
                      gf_bytes_out_write(&writer->out, name, length) &&
                      gf_bytes_out_write(&writer->out, "\"", quoted);
    return good ? GF_OK : gf_bytes_out_fail(&writer->out, error);
}

gf_status gf_text_signal_begin(gf_signal_writer *writer, const gf_signal_write_options *options,
                               gf_error *error)
{
    for (int32_t c = 0; c < writer->channels && options->names != NULL; c++) {
        GF_TRY(put_name(writer, options->names[c], c > 0 ? separator_of(writer) : '\0', error));
    }
    return gf_bytes_out_write(&writer->out, "\n", options->names != NULL)
               ? GF_OK
               : gf_bytes_out_fail(&writer->out, error);
}

gf_status gf_text_signal_write(gf_signal_writer *writer, const float *data, int64_t pitch, int64_t frames,
                               gf_error *error)
{
    const char separator = separator_of(writer);
    for (int64_t i = 0; i < frames; i++) {
        for (int32_t c = 0; c < writer->channels; c++) {
            char bytes[40];
            struct gf_text text = gf_text_begin(bytes, sizeof bytes);
            gf_text_float(&text, data[c * pitch + i]);
            bytes[text.length] = c + 1 < writer->channels ? separator : '\n';
            if (!gf_bytes_out_write(&writer->out, bytes, text.length + 1)) {
                return gf_bytes_out_fail(&writer->out, error);
            }
        }
    }
    return GF_OK;
}
