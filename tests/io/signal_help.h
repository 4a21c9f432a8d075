/* Signals in memory, and as bytes: for the tests of signal_io.h. */
#ifndef SIGNAL_HELP_H
#define SIGNAL_HELP_H

#include "io_help.h"

#include "gpufilter/signal_io.h"

/* What a file was read to; all channels behind each other, `frames` each. */
struct heard {
    gf_status status;
    gf_error error;
    gf_signal_info info; /* without its pointers but `format` */
    int64_t frames;
    float *data;
    char note[256], names[256]; /* the names with '|' behind each */
};

static inline void forget(struct heard *heard)
{
    free(heard->data);
    heard->data = NULL;
}

/* Reads all frames, `portion` at a time. */
static inline void hear_reader(gf_signal_reader *reader, int64_t portion, struct heard *heard)
{
    const gf_signal_info *info = gf_signal_reader_info(reader);
    const int32_t channels = info->channels;
    int64_t got = 0, room = 0;
    float *piece = (float *)malloc((size_t)(portion * channels + 1) * sizeof *piece);
    float *all = NULL; /* frame by frame, until their number is known */
    heard->info = *info;
    heard->names[0] = '\0';
    for (int32_t c = 0; c < channels && info->names != NULL; c++) {
        const size_t length = strlen(heard->names);
        snprintf(heard->names + length, sizeof heard->names - length, "%s|", info->names[c]);
    }
    do {
        got = 77;
        heard->status = gf_signal_reader_read(reader, piece, portion, portion, &got, &heard->error);
        CHECK(got >= 0 && got <= portion);
        if (heard->frames + got > room) {
            room = 2 * (heard->frames + got);
            all = (float *)realloc(all, (size_t)(room * channels) * sizeof *all);
        }
        for (int64_t i = 0; i < got; i++) {
            for (int32_t c = 0; c < channels; c++) {
                memcpy(&all[(heard->frames + i) * channels + c], &piece[c * portion + i], sizeof *all);
            }
        }
        heard->frames += got;
    } while (heard->status == GF_OK && got == portion);
    heard->data = (float *)malloc((size_t)(heard->frames * channels + 1) * sizeof *all);
    for (int64_t i = 0; i < heard->frames * channels; i++) {
        memcpy(&heard->data[i % channels * heard->frames + i / channels], &all[i], sizeof *all);
    }
    if (heard->status == GF_OK) {
        CHECK(gf_signal_reader_read(reader, piece, portion, portion, &got, NULL) == GF_OK && got == 0);
    } else {
        CHECK(gf_signal_reader_read(reader, piece, portion, portion, &got, NULL) == GF_ERROR_ARGUMENT);
    }
    snprintf(heard->note, sizeof heard->note, "%s", gf_signal_reader_note(reader));
    free(all);
    free(piece);
}

/* Reads bytes in memory; `name` has the suffix, options may be NULL. Free it by forget(). */
static inline void hear(const void *bytes, size_t size, const char *name,
                        const gf_signal_read_options *options, int64_t portion, struct heard *heard)
{
    gf_signal_reader *reader = (gf_signal_reader *)heard;
    memset(heard, 0, sizeof *heard);
    heard->error = (gf_error)GF_ERROR_INIT;
    heard->status = gf_signal_reader_open_memory(bytes, size, name, options, &reader, &heard->error);
    CHECK((heard->status == GF_OK) == (reader != NULL));
    if (reader != NULL) {
        hear_reader(reader, portion, heard);
    }
    CHECK(heard->status == heard->error.code && strchr(heard->error.message, '\n') == NULL);
    gf_signal_reader_close(&reader);
    CHECK(reader == NULL);
}

/* Bytes that a function was given, or gives `portion` at a time. */
struct bytes {
    unsigned char *at;
    size_t size, taken, portion, fail_at; /* fail_at 0: never */
};

static inline gf_status take_bytes(void *user, const void *bytes, size_t size, gf_error *error)
{
    struct bytes *all = (struct bytes *)user;
    (void)error;
    if (all->fail_at != 0 && all->size + size >= all->fail_at) {
        return GF_ERROR_OUTPUT;
    }
    all->at = (unsigned char *)realloc(all->at, all->size + size);
    memcpy(all->at + all->size, bytes, size);
    all->size += size;
    return GF_OK;
}

static inline gf_status give_bytes(void *user, void *buffer, size_t size, size_t *got, gf_error *error)
{
    struct bytes *all = (struct bytes *)user;
    (void)error;
    if (all->fail_at != 0 && all->taken >= all->fail_at) {
        return GF_ERROR_INPUT;
    }
    *got = all->size - all->taken < all->portion ? all->size - all->taken : all->portion;
    *got = *got < size ? *got : size;
    memcpy(buffer, all->at + all->taken, *got);
    all->taken += *got;
    return GF_OK;
}

static inline gf_status give_again(void *user, gf_error *error)
{
    (void)error;
    ((struct bytes *)user)->taken = 0;
    return GF_OK;
}

static inline uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Writes to a function; `options` NULL: the defaults, and wav. */
static inline gf_status say(const float *data, int32_t channels, int64_t frames, double rate,
                            const gf_signal_write_options *given, int64_t portion, struct bytes *out,
                            gf_error *error)
{
    gf_signal_write_options options = GF_SIGNAL_WRITE_OPTIONS_INIT;
    gf_signal_writer *writer = NULL;
    options = given != NULL ? *given : options;
    options.format = options.format != NULL ? options.format : "wav";
    const gf_byte_sink sink = {sizeof sink, "sink", take_bytes, out};
    gf_status status = gf_signal_writer_open_callback(&sink, channels, rate, &options, &writer, error);
    CHECK((status == GF_OK) == (writer != NULL));
    for (int64_t i = 0; i < frames && status == GF_OK; i += portion) {
        const int64_t now = frames - i < portion ? frames - i : portion;
        status = gf_signal_writer_write(writer, data + i, frames, now, error);
    }
    if (status == GF_OK) {
        status = gf_signal_writer_commit(&writer, error);
    }
    CHECK(status != GF_OK || writer == NULL);
    gf_signal_writer_abort(&writer);
    return status;
}

#endif
