/* Bytes to a file that appears whole or not at all, or through to a FIFO, device, standard output or
 * function of the caller. Every error of write, fsync, close and rename is reported. In a folder without
 * rename the file itself is written, once and from its first byte to its last, and removed on failure. */
#pragma once

#include "io/bytes_in.h"
#include "io/temporary.h"

struct gf_bytes_out {
    int fd;            /* -1: none open */
    int through;       /* 1: written through, no temporary, no rename */
    int straight;      /* 1: through to the target, whose path is in `temporary`, too */
    int errno_seen;    /* of the first failed write, 0: none */
    gf_byte_sink sink; /* write is NULL where there is none */
    gf_error failed;   /* what it said; its code is GF_OK until then */
    uint8_t *buffer;
    size_t used;
    const gf_write_options *options;   /* for its callbacks; lives until commit or abort */
    char target[GF_PATH_SIZE];         /* the file to replace, symbolic links followed */
    char temporary[GF_TEMPORARY_SIZE]; /* the file being written; "" when through, or renamed */
    char label[GF_LABEL_SIZE];
};

/* Opens path ("-": standard output) by the rules of gf_io_write. On failure nothing is left. */
gf_status gf_bytes_out_open(struct gf_bytes_out *out, const char *path, const gf_write_options *options,
                            gf_error *error);

/* The same to a function. */
gf_status gf_bytes_out_open_sink(struct gf_bytes_out *out, const gf_byte_sink *sink,
                                 const gf_write_options *options, gf_error *error);

/* Buffered; returns 0 after a failure, which commit reports. */
int gf_bytes_out_write(struct gf_bytes_out *out, const void *bytes, size_t size);

/* Writes over the first bytes of what is not written through; as above. */
int gf_bytes_out_patch(struct gf_bytes_out *out, const void *bytes, size_t size);

/* Reports the failure that made gf_bytes_out_write return 0. */
gf_status gf_bytes_out_fail(const struct gf_bytes_out *out, gf_error *error);

/* Flushes, syncs, renames, closes. On failure the temporary is removed. Frees everything. */
gf_status gf_bytes_out_commit(struct gf_bytes_out *out, gf_error *error);

/* Removes the temporary and frees everything; safe after commit or a failed open. */
void gf_bytes_out_abort(struct gf_bytes_out *out);
