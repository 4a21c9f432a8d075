/* fuzz_signal.h: what the targets of signals share. Bytes are a signal or none; in whatever portions it is
 * asked for, it has the same frames and the same end; and what was read is written and read again as it was.
 */
#ifndef FUZZ_SIGNAL_H
#define FUZZ_SIGNAL_H

#include "fuzz.h"

struct fuzz_signal {
    gf_status status;
    int32_t channels;
    int64_t frames;
    double rate;
    float *data; /* frame by frame */
};

static inline struct fuzz_signal fuzz_hear(struct fuzz_input *input, const gf_signal_read_options *options,
                                           int64_t most)
{
    struct fuzz_signal s = {GF_OK, 0, 0, 0, NULL};
    gf_error error = GF_ERROR_INIT;
    gf_signal_reader *reader = NULL;
    const gf_byte_source source = {sizeof source, "bytes",    input->told ? input->size : 0,
                                   fuzz_give,     fuzz_again, input};
    input->at = 0;
    s.status = input->portion > 0 ? gf_signal_reader_open_callback(&source, options, &reader, &error)
                                  : gf_signal_reader_open_memory(input->data, input->size, "bytes", options,
                                                                 &reader, &error);
    int64_t got = most;
    while (s.status == GF_OK && got == most) {
        const gf_signal_info *info = gf_signal_reader_info(reader);
        FUZZ_CHECK(info->channels >= 1 && info->channels <= GF_SIGNAL_MAX_CHANNELS, "%d channels",
                   (int)info->channels);
        s.channels = info->channels;
        s.rate = info->rate;
        float *piece =
            malloc((size_t)(most * s.channels) * sizeof *piece); /* of its size: a write beyond it is seen */
        s.status = gf_signal_reader_read(reader, piece, most, most, &got, &error);
        FUZZ_CHECK(got >= 0 && got <= most, "%lld frames", (long long)got);
        s.data = realloc(s.data, (size_t)((s.frames + got) * s.channels + 1) * sizeof *s.data);
        for (int64_t i = 0; i < got * s.channels; i++) {
            memcpy(&s.data[s.frames * s.channels + i], &piece[i % s.channels * most + i / s.channels],
                   sizeof *piece);
        }
        s.frames += got;
        FUZZ_CHECK(s.status != GF_OK || got == most || info->frames < 0 || info->frames == s.frames,
                   "%lld frames were promised", (long long)info->frames);
        free(piece);
    }
    if (reader != NULL) {
        FUZZ_CHECK(strlen(gf_signal_reader_note(reader)) < 256, "the note has no end");
    }
    fuzz_status(s.status, &error);
    FUZZ_CHECK(
        s.status == GF_OK ||
            ((s.status == GF_ERROR_INPUT || s.status == GF_ERROR_LIMIT || s.status == GF_ERROR_ARGUMENT) &&
             strncmp(error.message, "bytes: ", 7) == 0 && !strchr(error.message, '\n')),
        "%d, %s", (int)s.status, error.message);
    gf_signal_reader_close(&reader);
    return s;
}

static inline gf_status fuzz_take(void *user, const void *bytes, size_t size, gf_error *error)
{
    struct fuzz_input *all = (struct fuzz_input *)user;
    uint8_t *grown = realloc((void *)(uintptr_t)all->data, all->size + size);
    (void)error;
    memcpy(grown + all->size, bytes, size);
    all->data = grown;
    all->size += size;
    return GF_OK;
}

static inline void fuzz_same_signal(const struct fuzz_signal *a, const struct fuzz_signal *b)
{
    FUZZ_CHECK(a->status == b->status && a->channels == b->channels && a->frames == b->frames &&
                   a->rate == b->rate,
               "status %d and %d, %lld and %lld frames", (int)a->status, (int)b->status, (long long)a->frames,
               (long long)b->frames);
    for (int64_t i = 0; i < a->frames * a->channels; i++) {
        FUZZ_CHECK(memcmp(&a->data[i], &b->data[i], sizeof(float)) == 0 ||
                       (a->data[i] != a->data[i] && b->data[i] != b->data[i]),
                   "sample %lld", (long long)i);
    }
}

/* The bytes that were read in another way, and written and read again in `format`. */
static inline void fuzz_signal(const uint8_t *data, size_t size, const char *format, const char *as)
{
    gf_io_limits limits = fuzz_limits(0);
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    struct fuzz_input input = fuzz_input_of(data, size, 0), out = {0};
    options.limits = &limits;
    options.format = format;
    struct fuzz_signal whole = fuzz_hear(&input, &options, 5000);
    struct fuzz_signal pieces = fuzz_hear(&input, &options, 1 + (int64_t)size % 13);
    fuzz_same_signal(&whole, &pieces);
    if (whole.status == GF_OK) {
        const gf_byte_sink sink = {sizeof sink, "sink", fuzz_take, &out};
        gf_signal_write_options how = GF_SIGNAL_WRITE_OPTIONS_INIT;
        gf_signal_writer *writer = NULL;
        gf_error error = GF_ERROR_INIT;
        how.format = as;
        whole.rate += whole.rate == 0;
        FUZZ_CHECK(gf_signal_writer_open_callback(&sink, whole.channels, whole.rate, &how, &writer, &error) ==
                       GF_OK,
                   "%s", error.message);
        for (int64_t i = 0; i < whole.frames; i++) {
            FUZZ_CHECK(gf_signal_writer_write(writer, whole.data + i * whole.channels, 1, 1, &error) == GF_OK,
                       "%s", error.message);
        }
        FUZZ_CHECK(gf_signal_writer_commit(&writer, &error) == GF_OK, "%s", error.message);
        out.told = 1;
        options.limits = NULL;
        options.format = NULL;
        options.rate = strcmp(as, "wav") ? whole.rate : 0;
        struct fuzz_signal back = fuzz_hear(&out, &options, 5000);
        if (whole.frames > 0 || strcmp(as, "wav") == 0) {
            fuzz_same_signal(&whole, &back);
        }
        free(back.data);
    }
    free((void *)(uintptr_t)out.data);
    free(whole.data);
    free(pieces.data);
}

#endif
