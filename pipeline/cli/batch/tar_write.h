/* Writes a tar (ustar, long names and large sizes by PAX), whose members are regular files of nobody in
 * particular. A regular file appears whole or not at all. Says its own errors: GF_ERROR_OUTPUT. */
#pragma once

#include "base/output_file.h"
#include "gpufilter/io.h"

struct tar_writer {
    FILE *file; /* NULL: not open */
    const char *label;
    char target[OUTPUT_LONGEST_PATH];
    char temporary[OUTPUT_LONGEST_PATH + 64]; /* "": written straight, as to a pipe */
    gf_write_options watch;                   /* who is told of the temporary file */
};

/* "-" is standard output. */
gf_status tar_create(struct tar_writer *tar, const char *path, bool no_clobber);
gf_status tar_add(struct tar_writer *tar, const char *name, int64_t mtime, const struct buffer *bytes);
/* Makes it appear. */
gf_status tar_finish(struct tar_writer *tar);
/* Leaves nothing of it; safe after the end, or before the begin of a zero-initialised one. */
void tar_abandon(struct tar_writer *tar);
