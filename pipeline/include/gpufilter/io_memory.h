/* gpufilter/io_memory.h: pictures from and to memory, and through functions of the caller.
 *
 *     gf_picture *picture = NULL;
 *     void *bytes = NULL;
 *     size_t size = 0;
 *     if (gf_io_read_memory(data, data_size, NULL, NULL, &picture, &error) == GF_OK &&
 *         gf_io_write_memory("png", &picture->image, &picture->metadata, NULL, &bytes, &size, &error) ==
 *             GF_OK) {
 *         answer(bytes, size);
 *     }
 *     gf_io_free_memory(bytes);
 *     gf_picture_destroy(&picture);
 *
 * Everything else is as for files (io.h): formats, limits, notes, errors, threads; and with the readers and
 * writers below rows go to and from gf_exec_stream. Messages begin with a name instead of a path. Part of
 * libgpufilter_io. */
#ifndef GPUFILTER_IO_MEMORY_H
#define GPUFILTER_IO_MEMORY_H

#include "gpufilter/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory --------------------------------------------------------------------------- */

/* Reads a picture from `size` bytes of a file in one of the formats, as gf_io_read does from the file. The
 * bytes are only read, and borrowed for the call. `name` is what messages call them; NULL: "memory".
 * `limits` NULL: the defaults. No bytes at all are GF_ERROR_INPUT; NULL for more than none is
 * GF_ERROR_ARGUMENT. *out is the caller's to destroy; NULL on failure. */
GF_API gf_status gf_io_read_memory(const void *data, size_t size, const char *name,
                                   const gf_io_limits *limits, gf_picture **out, gf_error *error);

/* Opens the bytes by rows, as gf_reader_open does a file. They are borrowed until gf_reader_close and not
 * copied, and their rows can be given again. gf_reader_info then says what gf_io_probe says of a file. */
GF_API gf_status gf_reader_open_memory(const void *data, size_t size, const char *name,
                                       const gf_io_limits *limits, gf_reader **reader, gf_error *error);

/* Writes a picture in host memory as a file of the format called `format`, "png", into memory: *bytes, of
 * *size bytes, which gf_io_free_memory frees. From `options` (NULL: the defaults) png_level, jpeg_quality and
 * threads count. On failure (as in gf_io_write, but for GF_ERROR_OUTPUT) *bytes is NULL and *size 0. */
GF_API gf_status gf_io_write_memory(const char *format, const gf_image *image, const gf_metadata *metadata,
                                    const gf_write_options *options, void **bytes, size_t *size,
                                    gf_error *error);

/* Frees what gf_io_write_memory made. NULL-safe. */
GF_API void gf_io_free_memory(void *bytes);

/* ---- Functions of the caller ----------------------------------------------------------- */

/* Gives the bytes of a file, from the first on. Its functions are called by one thread at a time: by those
 * that open the reader, ask for rows and finish it, and gf_exec_stream asks for rows on a thread of its own.
 * `error` is never NULL. Any status but GF_OK is a failure, which the call under way returns, with the text
 * that the function put into `error`, or one for that status where it put none; the function is not called
 * again. Functions must return, and may call this library. */
typedef struct gf_byte_source {
    uint32_t struct_size; /* sizeof(gf_byte_source) */
    const char *name;     /* what messages call it, copied; NULL: "input" */
    uint64_t size; /* of all bytes where it is known, so that a limit is met before reading; 0: unknown */
    /* Puts at least 1 and at most `size` bytes into buffer and their number into *got, which is 0 before;
     * leaves it at 0 where there are no more. May be asked for more than the picture needs, and once more
     * after the samples: a PNM may have pictures behind the first, and that is noted. */
    gf_status (*read)(void *user, void *buffer, size_t size, size_t *got, gf_error *error);
    /* The next byte is the first one again; NULL: bytes come only once. See gf_source.again. */
    gf_status (*again)(void *user, gf_error *error);
    void *user;
} gf_byte_source;

#define GF_BYTE_SOURCE_INIT                                                                                  \
    {                                                                                                        \
        sizeof(gf_byte_source), NULL, 0, NULL, NULL, NULL                                                    \
    }

/* Opens a picture that a function gives, as gf_reader_open does a file; gf_reader_picture reads it whole. The
 * source is copied; what `user` points to must outlive the reader. */
GF_API gf_status gf_reader_open_callback(const gf_byte_source *source, const gf_io_limits *limits,
                                         gf_reader **reader, gf_error *error);

/* Takes the bytes of a file, in order. Called by one thread at a time: by those that open the writer, give it
 * rows and commit it. Failures as of a gf_byte_source. */
typedef struct gf_byte_sink {
    uint32_t struct_size; /* sizeof(gf_byte_sink) */
    const char *name;     /* what messages call it, copied; NULL: "output" */
    /* Takes all `size` bytes, at least 1. */
    gf_status (*write)(void *user, const void *bytes, size_t size, gf_error *error);
    void *user;
} gf_byte_sink;

#define GF_BYTE_SINK_INIT                                                                                    \
    {                                                                                                        \
        sizeof(gf_byte_sink), NULL, NULL, NULL                                                               \
    }

/* Begins to write a picture of that shape, as a file of the format called `format`, to a function, as
 * gf_writer_open does to a file. The sink is copied; what `user` points to must outlive the writer. Bytes are
 * whole and sound only when gf_writer_commit returns GF_OK; gf_writer_abort just stops. `options` as for
 * gf_io_write_memory. */
GF_API gf_status gf_writer_open_callback(const gf_byte_sink *sink, const char *format, const gf_shape *shape,
                                         const gf_metadata *metadata, const gf_write_options *options,
                                         gf_writer **writer, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
