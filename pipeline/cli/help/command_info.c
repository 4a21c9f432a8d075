/* gpufilter info FILE...: what files are, pictures by their headers, signals read to their ends. */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "gpufilter/signal_io.h"
#include "job/limit_option.h"
#include "job/signal_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What was asked for. */
struct asked {
    const char **paths;
    int files;
    bool json, help, limited;
    gf_io_limits limits;
};

static void json_begin(struct buffer *text, const char *path, const char *kind, const char *format,
                       uint64_t bytes)
{
    buffer_add(text, "{\"path\":");
    buffer_json_name(text, path);
    buffer_printf(text, ",\"kind\":\"%s\",\"format\":\"%s\",\"file_bytes\":%" PRIu64, kind, format, bytes);
}

static void add_note(struct buffer *text, bool json, const char *note)
{
    if (json) {
        buffer_add(text, ",\"note\":");
        *note ? buffer_json_text(text, note) : buffer_add(text, "null");
        buffer_add(text, "}");
    } else {
        buffer_printf(text, "%s%s\n", *note ? "; " : "", note);
    }
}

static gf_status add_picture(struct buffer *text, const char *path, bool json, const gf_io_limits *limits)
{
    gf_reader *reader = NULL;
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(limit_told(gf_reader_open(path, limits, &reader, &error), &error));
    const gf_file_info *info = gf_reader_info(reader);
    const gf_shape *shape = &info->shape;
    if (json) {
        json_begin(text, path, "picture", info->format->name, info->file_bytes);
        buffer_printf(text,
                      ",\"width\":%" PRId64 ",\"height\":%" PRId64
                      ",\"channels\":%d,\"depth\":\"%s\",\"bits\":%u,\"icc_bytes\":%zu,"
                      "\"exif_bytes\":%zu,\"orientation\":%d,\"pages\":%" PRId64 ",\"compression\":%s%s%s",
                      shape->width, shape->height, shape->channels, gf_depth_name(shape->depth),
                      info->stored_bits, info->icc_size, info->exif_size, info->orientation, info->pages,
                      info->compression ? "\"" : "", info->compression ? info->compression : "null",
                      info->compression ? "\"" : "");
    } else {
        output_add_name(text, path);
        buffer_printf(text, ": %s, %" PRId64 " x %" PRId64 " %s %s, %u bits a sample in %" PRIu64 " bytes",
                      info->format->name, shape->width, shape->height, channels_word(shape->channels),
                      gf_depth_name(shape->depth), info->stored_bits, info->file_bytes);
        if (info->compression) {
            buffer_printf(text, "; compression %s", info->compression);
        }
        if (info->pages > 1) {
            buffer_printf(text, "; %" PRId64 " pages", info->pages);
        }
        if (info->icc_size > 0) {
            buffer_printf(text, "; ICC profile of %zu bytes", info->icc_size);
        }
        if (info->exif_size > 0) {
            buffer_printf(text, "; EXIF of %zu bytes", info->exif_size);
        }
        if (info->orientation != 1) {
            buffer_printf(text, "; turned by orientation %d", info->orientation);
        }
    }
    add_note(text, json, gf_reader_note(reader));
    gf_reader_close(&reader);
    return GF_OK;
}

/* Reads to the end, where damage and the last chunks are. */
static gf_status count_frames(gf_signal_reader *reader, int64_t *frames)
{
    const int32_t channels = gf_signal_reader_info(reader)->channels;
    const int64_t piece = (1 << 18) / channels;
    gf_error error = GF_ERROR_INIT;
    float *data = malloc((size_t)(piece * channels) * sizeof *data);
    gf_status status = cli_need_memory(data);
    for (int64_t got = piece; status == GF_OK && got == piece; *frames += got) {
        status = limit_told(gf_signal_reader_read(reader, data, piece, piece, &got, &error), &error);
    }
    free(data);
    return status;
}

static void json_signal(struct buffer *text, const gf_signal_info *info, int64_t frames)
{
    buffer_printf(text, ",\"frames\":%" PRId64 ",\"channels\":%d,\"rate\":", frames, info->channels);
    info->rate > 0 ? buffer_json_number(text, info->rate) : buffer_add(text, "null");
    buffer_add(text, ",\"seconds\":");
    info->rate > 0 ? buffer_json_number(text, (double)frames / info->rate) : buffer_add(text, "null");
    buffer_printf(text, ",\"sample\":\"%s\",\"bits\":%d,\"speakers\":%u,\"names\":",
                  gf_signal_sample_name(info->sample), info->bits, info->speakers);
    for (int32_t c = 0; c < info->channels && info->names; c++) {
        buffer_add(text, c ? "," : "[");
        buffer_json_text(text, info->names[c]);
    }
    buffer_add(text, info->names ? "]" : "null");
}

static void text_signal(struct buffer *text, const gf_signal_info *info, int64_t frames)
{
    buffer_printf(text, ": %s, %" PRId64 " frames of %d channel%s", info->format->name, frames,
                  info->channels, info->channels == 1 ? "" : "s");
    if (info->rate > 0) {
        buffer_printf(text, " at %.10g Hz, %.10g s", info->rate, (double)frames / info->rate);
    } else {
        buffer_add(text, ", no rate");
    }
    const char *sample = gf_signal_sample_name(info->sample);
    buffer_printf(text, ", %s", sample);
    if (info->bits > 0 && atoi(sample + 1) != info->bits) {
        buffer_printf(text, " of %d bits", info->bits);
    }
    if (info->speakers != 0) {
        buffer_printf(text, "; speakers 0x%x", info->speakers);
    }
    for (int32_t c = 0; c < info->channels && info->names; c++) {
        buffer_printf(text, "%s%s", c ? ", " : "; columns ", info->names[c]);
    }
}

static gf_status add_signal(struct buffer *text, const char *path, bool json, const gf_io_limits *limits)
{
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    gf_signal_reader *reader = NULL;
    gf_error error = GF_ERROR_INIT;
    int64_t frames = 0;
    options.limits = limits;
    CLI_TRY(limit_told(gf_signal_reader_open(path, &options, &reader, &error), &error));
    const gf_status status = count_frames(reader, &frames);
    if (status == GF_OK) {
        const gf_signal_info *info = gf_signal_reader_info(reader);
        if (json) {
            json_begin(text, path, "signal", info->format->name, info->file_bytes);
            json_signal(text, info, frames);
        } else {
            output_add_name(text, path);
            text_signal(text, info, frames);
        }
        add_note(text, json, gf_signal_reader_note(reader));
    }
    gf_signal_reader_close(&reader);
    return status;
}

static gf_status add_file(struct buffer *text, const char *path, const struct asked *asked)
{
    if (comes_once(path)) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: comes once, and info looks at a file twice: save it first",
                        !strcmp(path, "-") ? "standard input" : path);
    }
    bool is_signal = false;
    CLI_TRY(file_is_signal(path, &is_signal));
    return is_signal ? add_signal(text, path, asked->json, asked->limited ? &asked->limits : NULL)
                     : add_picture(text, path, asked->json, &asked->limits);
}

enum { OPTION_JSON, OPTION_LIMIT, OPTION_HELP };

const struct cli_option info_option_table[] = {
    [OPTION_JSON] = {"json", 0, false, NULL, NULL, "print JSON"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that a file may ask for, as pixels=512M"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

static gf_status read_words(struct asked *asked, int count, char **words)
{
    struct cli_arguments arguments = cli_arguments_begin(info_option_table, count, words);
    const char *value = NULL;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_BAD) {
            return arguments.status;
        }
        if (option == CLI_POSITIONAL) {
            asked->paths[asked->files++] = value;
        } else if (option == OPTION_LIMIT) {
            CLI_TRY(limit_option_take(value, &asked->limits));
            asked->limited = true;
        }
        asked->json = asked->json || option == OPTION_JSON;
        asked->help = asked->help || option == OPTION_HELP;
    }
    return asked->files > 0 || asked->help
               ? GF_OK
               : cli_fail(GF_ERROR_ARGUMENT, "info needs a file: gpufilter info FILE...");
}

/* The others are still told where one cannot be read; the first failure is the command's. */
static gf_status tell(const struct asked *asked)
{
    gf_status first = GF_OK;
    struct buffer text = {0};
    buffer_add(&text, asked->json ? "{\"files\":[" : "");
    for (int i = 0; i < asked->files; i++) {
        buffer_add(&text, asked->json && i > 0 ? "," : "");
        const gf_status status = add_file(&text, asked->paths[i], asked);
        if (status != GF_OK && asked->json) {
            buffer_add(&text, "{\"path\":");
            buffer_json_name(&text, asked->paths[i]);
            buffer_add(&text, ",\"error\":");
            buffer_json_text(&text, cli_error_said());
            buffer_add(&text, "}");
        }
        first = first == GF_OK ? status : first;
    }
    buffer_add(&text, asked->json ? "]}\n" : "");
    const gf_status printed = buffer_to_stdout(&text);
    buffer_free(&text);
    return first == GF_OK ? printed : first;
}

int run_info(const struct cli_command *command, int count, char **words)
{
    struct asked asked = {.limits = GF_IO_LIMITS_INIT};
    asked.paths = calloc((size_t)count + 1, sizeof *asked.paths);
    gf_status status = cli_need_memory(asked.paths);
    status = status == GF_OK ? read_words(&asked, count, words) : status;
    status = status == GF_OK && !asked.help ? tell(&asked) : status;
    free(asked.paths);
    return status == GF_OK && asked.help ? command_usage_print(command) : gf_status_exit_code(status);
}
