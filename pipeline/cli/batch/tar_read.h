/* Reads a tar member by member: ustar, with names and sizes by PAX or GNU. Links, folders and the like are
 * told, and hold nothing. Says its own errors, with the member and the place: GF_ERROR_INPUT where the tar is
 * damaged or ends too early, and for sparse files and archives of several volumes; not
 * GF_ERROR_CANCELLED, of a signal. */
#pragma once

#include "base/text_buffer.h"

struct tar_reader {
    FILE *file;
    const char *label;
    uint64_t at; /* bytes that were read */
    /* The member that was found: */
    struct buffer name;
    uint64_t size;  /* of its bytes */
    int64_t mtime;  /* in seconds, 0 or more */
    bool is_file;   /* a regular one */
    bool is_link;   /* of either kind */
    uint64_t left;  /* bytes not read yet, with those that fill the last block */
    bool is_inside; /* for messages: in it, not behind it */
};

/* "-" is standard input. The reader is to be closed in any case. */
gf_status tar_open(struct tar_reader *tar, const char *path);
/* Goes to the next member; *more is false where there is none, and all of the file has been read. */
gf_status tar_next(struct tar_reader *tar, bool *more);
/* All bytes of the member, which are only asked for once; memory grows as they come. */
gf_status tar_take(struct tar_reader *tar, struct buffer *bytes);
void tar_close(struct tar_reader *tar);
