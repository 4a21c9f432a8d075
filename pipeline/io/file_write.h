/* Writing by rows: begin, rows until the last, then commit or abort. gf_io_write is these
 * four; a sink that streams uses them one by one. */
#ifndef GF_IO_FILE_WRITE_H
#define GF_IO_FILE_WRITE_H

#include "codec.h"

struct gf_writer {
    struct gf_bytes_out out;
    struct gf_encoder encoder;
    gf_write_options options;
    gf_metadata metadata; /* shallow: the blocks are borrowed until commit or abort */
    const struct gf_codec *codec;
    int64_t rows_left;
};

/* Opens the output and writes the header. On failure nothing is left behind. The writer must
 * not be moved until commit or abort. */
gf_status gf_writer_begin(struct gf_writer *writer, const char *path, const gf_shape *shape,
                          const gf_metadata *metadata, const gf_write_options *options, gf_error *error);

/* Writes the next `count` rows. After a failure only abort may follow. */
gf_status gf_writer_rows(struct gf_writer *writer, const void *data, int64_t pitch, int64_t count,
                         gf_error *error);

/* Makes the file appear; every row must have been written. On failure it aborts by itself. */
gf_status gf_writer_commit(struct gf_writer *writer, gf_error *error);

/* Leaves no trace of the output (what went through a pipe is gone). */
void gf_writer_abort(struct gf_writer *writer);

#endif
