/* gpufilter/stream.h: pictures as rows on their way. What makes rows is a source, what takes them a sink; a
 * file (gf_reader_source and gf_writer_sink of io.h) or functions of the caller. gf_exec_stream connects
 * them. `error` of their functions is the library's, to be filled by whoever fails; it may be NULL where
 * others call them. */
#ifndef GPUFILTER_STREAM_H
#define GPUFILTER_STREAM_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives rows from the top down. */
typedef struct gf_source {
    uint32_t struct_size; /* sizeof(gf_source) */
    int32_t whole;        /* non-zero: `rows` is called once, for all rows */
    gf_shape shape;       /* of the picture */
    /* Writes the next `count` rows to data, which is host memory, `pitch` bytes from row to row, a multiple
     * of 64. Anything but GF_OK ends the run with that status and error. Called by one thread at a time,
     * which need not be the one that runs the exec. It must not use or destroy the exec that reads from it.
     */
    gf_status (*rows)(void *user, void *data, int64_t pitch, int64_t count, gf_error *error);
    /* The next row is the first one again; NULL: rows come only once. Called, between calls of `rows`, where
     * a plan goes over its bands more than once and does not hold the input (gf_band_info). */
    gf_status (*again)(void *user, gf_error *error);
    void *user;
    uint64_t held; /* bytes that it takes beside the rows, from the first of them on: what a decoder must have
                    * whole */
} gf_source;

/* Takes rows from the top down, each once. */
typedef struct gf_sink {
    uint32_t struct_size; /* sizeof(gf_sink) */
    int32_t whole;        /* non-zero: `rows` is called once, with all rows */
    /* Reads the next `count` rows from data, which are its for the call. Called by the thread that runs the
     * exec, which it must not use or destroy. */
    gf_status (*rows)(void *user, const void *data, int64_t pitch, int64_t count, gf_error *error);
    void *user;
} gf_sink;

#ifdef __cplusplus
}
#endif
#endif
