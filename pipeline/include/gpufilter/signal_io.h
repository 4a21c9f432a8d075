/* gpufilter/signal_io.h: signals from and to files, a piece of time at a time.
 *
 *     gf_signal_reader *reader = NULL;
 *     gf_signal_writer *writer = NULL;
 *     gf_signal_reader_open("in.wav", NULL, &reader, &error);
 *     const gf_signal_info *info = gf_signal_reader_info(reader);
 *     gf_signal_writer_open("out.wav", info->channels, info->rate, NULL, &writer, &error);
 *     do {
 *         status = gf_signal_reader_read(reader, data, pitch, 4096, &got, &error);
 *         ... data[c * pitch + i] is frame i of channel c ...
 *         gf_signal_writer_write(writer, data, pitch, got, &error);
 *     } while (got == 4096);
 *     gf_signal_writer_commit(&writer, &error);
 *     gf_signal_reader_close(&reader);
 *
 * A signal is frames x channels of f32, each channel by itself in memory, at a rate in Hz. Samples of a file
 * that are integers are fractions of full scale: s16 is v / 32768, u8 (v - 128) / 128, and so on, exact in
 * f32 up to 24 bits; s32 and f64 are rounded to nearest, ties to even. The other way a sample is v times full
 * scale, rounded to nearest, ties to even, clamped, and NaN is 0; f32 keeps its bits. Numbers of text and of
 * arrays have no full scale and are taken as they are.
 *
 * What is held is a piece of the file, whatever its header claims. A damaged file is refused where the damage
 * is met: its frames before that have then been delivered. Files appear whole or not at all, and limits,
 * errors, threads and messages are as in io.h. Part of libgpufilter_io. */
#ifndef GPUFILTER_SIGNAL_IO_H
#define GPUFILTER_SIGNAL_IO_H

#include "gpufilter/io.h"
#include "gpufilter/io_memory.h"
#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats -------------------------------------------------------------------------- */

#define GF_SIGNAL_MAX_CHANNELS 1024

/* How a file stores a sample. */
typedef enum gf_signal_sample {
    GF_SIGNAL_DEFAULT = 0, /* what the format has by itself: f32, text in csv and tsv */
    GF_SIGNAL_U8 = 1,
    GF_SIGNAL_S8 = 2,
    GF_SIGNAL_S16 = 3,
    GF_SIGNAL_S24 = 4,
    GF_SIGNAL_S32 = 5,
    GF_SIGNAL_F32 = 6,
    GF_SIGNAL_F64 = 7,
    GF_SIGNAL_TEXT = 8,  /* decimal numbers */
    GF_SIGNAL_NUMBER = 9 /* of an array, of another type than f32 and f64, not scaled */
} gf_signal_sample;

/* A format. Pointers are to constants. */
typedef struct gf_signal_format {
    const char *name;     /* "wav", "w64", "flac", "csv", "tsv", "npy", "raw" */
    const char *suffixes; /* separated by blanks; "" where none tells it */
    const char *summary;  /* one line for a list */
    uint32_t samples;     /* bit 1 << sample set: samples that it is written with; 0: only read */
    int32_t has_rate;     /* 1: the file says the rate */
} gf_signal_format;

/* The formats, by index from 0; NULL past the last. */
GF_API const gf_signal_format *gf_signal_io_format(size_t index);

/* The format called `name`, which may also be a text of raw samples, "s16le:48000:2"; NULL: the one of the
 * path's suffix, case ignored. GF_ERROR_UNSUPPORTED lists the valid ones. */
GF_API gf_status gf_signal_io_format_for(const char *path, const char *name, const gf_signal_format **out,
                                         gf_error *error);

/* The format of files that begin with these bytes, of which 16 are enough; NULL: of those that a beginning
 * tells it is none. */
GF_API const gf_signal_format *gf_signal_io_format_of(const void *head, size_t size);

/* "s16", or "?" for what is none. */
GF_API const char *gf_signal_sample_name(gf_signal_sample sample);

/* ---- Reading -------------------------------------------------------------------------- */

/* How a matrix of an .npy is a signal. */
typedef enum gf_signal_matrix {
    GF_SIGNAL_NO_MATRIX = 0,     /* not at all: a matrix is a picture */
    GF_SIGNAL_MATRIX_ROWS = 1,   /* a row is a channel: shape (channels, frames) */
    GF_SIGNAL_MATRIX_COLUMNS = 2 /* a column is a channel: shape (frames, channels) */
} gf_signal_matrix;

/* How to read. Everything is borrowed for the call. */
typedef struct gf_signal_read_options {
    uint32_t struct_size; /* sizeof(gf_signal_read_options) */
    gf_signal_matrix matrix;
    double rate; /* Hz, of a file that does not say it; 0: unknown. One that says another is GF_ERROR_INPUT */
    /* Name of a format; NULL: by the first bytes, or else by the suffix. Raw samples are only known by it:
     * SAMPLE:RATE:CHANNELS, SAMPLE u8, s8, or s16, s24, s32, f32 or f64 with le or be; ":CHANNELS" and
     * ":RATE:CHANNELS" may be missing: one channel, a rate from `rate`. */
    const char *format;
    const char *columns; /* of text: which become channels, by name or number from 1, "2,ecg"; NULL: all */
    /* max_input_bytes, max_metadata_bytes (of a line of names, and of an .npy's header) and max_memory count.
     * NULL: the defaults, but no limit to the bytes: none of them stay. */
    const gf_io_limits *limits;
} gf_signal_read_options;

#define GF_SIGNAL_READ_OPTIONS_INIT                                                                          \
    {                                                                                                        \
        sizeof(gf_signal_read_options), GF_SIGNAL_NO_MATRIX, 0, NULL, NULL, NULL                             \
    }

/* What is known of a signal before its first frame. Pointers are the reader's. */
typedef struct gf_signal_info {
    uint32_t struct_size;
    int32_t channels; /* 1 to GF_SIGNAL_MAX_CHANNELS */
    int64_t frames;   /* as the file says; -1: only its end will tell */
    double rate;      /* Hz; 0: unknown */
    const gf_signal_format *format;
    const char *const *names; /* of the channels, as the line above the numbers has them; NULL: none */
    gf_signal_sample sample;
    int32_t bits;        /* of a sample that count: 20 where 24 are stored; 0 for text */
    uint32_t speakers;   /* WAV's channel mask; 0: none */
    int32_t repeats;     /* 1: gf_signal_reader_again can be called */
    uint64_t file_bytes; /* 0: unknown, as for a pipe */
} gf_signal_info;

/* A file that is being read. For one thread at a time. */
typedef struct gf_signal_reader gf_signal_reader;

/* Opens a file, FIFO or device ("-": standard input) and reads its header. `options` NULL: the defaults. On
 * failure *reader is NULL. */
GF_API gf_status gf_signal_reader_open(const char *path, const gf_signal_read_options *options,
                                       gf_signal_reader **reader, gf_error *error);

/* The same of bytes in memory, borrowed until gf_signal_reader_close, and of what a function gives; see
 * io_memory.h. A format that only a suffix tells is told by that of `name`, or of the source's name. */
GF_API gf_status gf_signal_reader_open_memory(const void *data, size_t size, const char *name,
                                              const gf_signal_read_options *options,
                                              gf_signal_reader **reader, gf_error *error);
GF_API gf_status gf_signal_reader_open_callback(const gf_byte_source *source,
                                                const gf_signal_read_options *options,
                                                gf_signal_reader **reader, gf_error *error);

/* The reader's own; NULL for NULL. */
GF_API const gf_signal_info *gf_signal_reader_info(const gf_signal_reader *reader);

/* Reads the next `frames` frames, or as many as there are: frame i of channel c goes to data[c * pitch + i],
 * pitch at least `frames`. *got is smaller than `frames` only at the end, and then the rest of the file has
 * been found sound. GF_ERROR_INPUT: the file is damaged, or says that there are more; *got frames before that
 * are there. Then only closing may follow. */
GF_API gf_status gf_signal_reader_read(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames,
                                       int64_t *got, gf_error *error);

/* The next frame is the first one again. GF_ERROR_UNSUPPORTED where the bytes come only once (info.repeats),
 * GF_ERROR_INPUT when the file was written meanwhile. */
GF_API gf_status gf_signal_reader_again(gf_signal_reader *reader, gf_error *error);

/* What was left out or taken for granted so far, one line ("LIST, bext: not kept"), or "". */
GF_API const char *gf_signal_reader_note(const gf_signal_reader *reader);

/* NULL-safe; sets *reader to NULL. */
GF_API void gf_signal_reader_close(gf_signal_reader **reader);

/* ---- Writing -------------------------------------------------------------------------- */

/* How to write. `names` and `format` are borrowed for the call. */
typedef struct gf_signal_write_options {
    uint32_t struct_size; /* sizeof(gf_signal_write_options) */
    gf_signal_sample sample;
    const char *format;       /* as in gf_signal_read_options; NULL: by the suffix */
    const char *const *names; /* of the channels, the first line of csv and tsv; NULL: no such line */
    int64_t frames; /* that will come, where it is known; -1: it is not. A WAV through a pipe then has no size
                     * but 0xffffffff, as ffmpeg writes it, and every reader goes on to the end */
    int32_t bits;   /* of an integer sample, that count: 20 of s24; 0: all */
    uint32_t speakers; /* WAV's channel mask; one of more or fewer speakers than channels is left out */
    const gf_write_options *file; /* no_clobber and the callbacks count; copied. NULL: the defaults */
} gf_signal_write_options;

#define GF_SIGNAL_WRITE_OPTIONS_INIT                                                                         \
    {                                                                                                        \
        sizeof(gf_signal_write_options), GF_SIGNAL_DEFAULT, NULL, NULL, -1, 0, 0, NULL                       \
    }

/* A file that is being written. For one thread at a time. */
typedef struct gf_signal_writer gf_signal_writer;

/* Begins to write a signal to `path` ("-": standard output) by the rules of gf_io_write. `rate` in Hz; 0:
 * unknown, which WAV refuses, as it does a rate that is no whole number. `options` NULL: the defaults. On
 * failure nothing is left behind, and *writer is NULL. GF_ERROR_UNSUPPORTED: no such format, or one that does
 * not hold this; GF_ERROR_OUTPUT, GF_ERROR_ARGUMENT, GF_ERROR_MEMORY. */
GF_API gf_status gf_signal_writer_open(const char *path, int32_t channels, double rate,
                                       const gf_signal_write_options *options, gf_signal_writer **writer,
                                       gf_error *error);

/* The same to a function, which gets the bytes in order, as a pipe does; options->format says the format. */
GF_API gf_status gf_signal_writer_open_callback(const gf_byte_sink *sink, int32_t channels, double rate,
                                                const gf_signal_write_options *options,
                                                gf_signal_writer **writer, gf_error *error);

/* Writes the next `frames` frames, laid out as gf_signal_reader_read lays them out. The bytes of the file do
 * not depend on how frames are portioned. After a failure only commit, which then fails, or abort may follow.
 */
GF_API gf_status gf_signal_writer_write(gf_signal_writer *writer, const float *data, int64_t pitch,
                                        int64_t frames, gf_error *error);

/* Samples so far that were beyond what the file can hold, or NaN in one of integers; 0 for NULL. */
GF_API int64_t gf_signal_writer_clipped(const gf_signal_writer *writer);

/* Ends the file and makes it appear. Frees the writer in any case and sets *writer to NULL; on failure
 * (GF_ERROR_OUTPUT; GF_ERROR_ARGUMENT when options.frames were promised and others came) no file is left. */
GF_API gf_status gf_signal_writer_commit(gf_signal_writer **writer, gf_error *error);

/* Leaves no trace of the output (what went through a pipe is gone). NULL-safe; sets *writer to NULL. */
GF_API void gf_signal_writer_abort(gf_signal_writer **writer);

#ifdef __cplusplus
}
#endif
#endif
