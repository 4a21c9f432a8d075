/* Bytes from a file, FIFO, device or standard input, from memory, or from a function of the caller:
 * buffered, bounded, with one way to say why they ended. */
#pragma once

#include "gpufilter/io_memory.h"

#define GF_LABEL_SIZE   256
#define GF_SIZE_UNKNOWN UINT64_MAX

struct gf_bytes_in {
    int fd; /* -1: none, for memory and functions */
    int owns_fd;
    int is_memory;  /* 1: the buffer is the caller's, is never written, and holds everything */
    int ended;      /* 1: the source has no more, and is not asked again */
    int errno_seen; /* of a failed read, 0: none */
    int over_limit; /* max_bytes was reached with more to come */
    uint8_t excess; /* the byte that proved it, which comes first where a limit begins anew */
    int has_excess;
    uint64_t size;      /* where it is known, as for a regular file, or GF_SIZE_UNKNOWN */
    uint64_t max_bytes; /* limit on taken */
    uint64_t taken;     /* bytes that came into the buffer, or past it */
    int64_t start;      /* where in a regular file it begins; -1: cannot be read again */
    uint64_t written;   /* when that file was last, in ns */
    uint8_t *buffer;    /* bytes [begin, end) are read and not yet delivered */
    size_t begin, end;
    gf_byte_source source;     /* read is NULL where there is none */
    gf_error failed;           /* what a function of it said; its code is GF_OK until then */
    char label[GF_LABEL_SIZE]; /* how messages call it */
};

/* The path as messages show it: unprintable bytes as '?', a long one by its end, "-" as
 * `standard`. */
void gf_label(char label[GF_LABEL_SIZE], const char *path, const char *standard);

/* The text of an errno value in `text`; thread-safe. Returns text. */
const char *gf_errno_text(int number, char *text, size_t size);

/* Opens path ("-": standard input). On failure nothing is left open. */
gf_status gf_bytes_in_open(struct gf_bytes_in *in, const char *path, uint64_t max_bytes, gf_error *error);

/* The same of `size` bytes in memory, which are borrowed until the end. */
gf_status gf_bytes_in_open_memory(struct gf_bytes_in *in, const void *data, size_t size, const char *name,
                                  uint64_t max_bytes, gf_error *error);

/* The same of what a function gives. */
gf_status gf_bytes_in_open_source(struct gf_bytes_in *in, const gf_byte_source *source, uint64_t max_bytes,
                                  gf_error *error);

void gf_bytes_in_close(struct gf_bytes_in *in);

/* Back to where it began, in the file that was opened. GF_ERROR_INPUT: it was written meanwhile. */
gf_status gf_bytes_in_again(struct gf_bytes_in *in, gf_error *error);
gf_status gf_bytes_in_check_same(const struct gf_bytes_in *in, gf_error *error);
gf_status gf_bytes_in_fail_changed(const struct gf_bytes_in *in, gf_error *error);

/* Shows up to `want` (at most 4096) bytes without taking them; returns how many there are. */
size_t gf_bytes_in_peek(struct gf_bytes_in *in, const uint8_t **bytes, size_t want);

/* Takes up to `size` bytes; fewer only at the end, on an error or at the limit. */
size_t gf_bytes_in_read(struct gf_bytes_in *in, void *bytes, size_t size);

/* Takes one byte; -1 where there is none, as gf_bytes_in_read would return 0. */
static inline int gf_bytes_in_byte(struct gf_bytes_in *in)
{
    uint8_t byte;
    if (in->begin < in->end) {
        return in->buffer[in->begin++];
    }
    return gf_bytes_in_read(in, &byte, 1) == 1 ? byte : -1;
}

/* Tells whether bytes can be had from anywhere: memory, or a regular file. */
int gf_bytes_in_is_random(const struct gf_bytes_in *in);

/* Then: copies up to `size` bytes from that place of it, and takes none; fewer as gf_bytes_in_read. */
size_t gf_bytes_in_at(struct gf_bytes_in *in, uint64_t at, void *bytes, size_t size);

/* Takes all that is left, which may be `most` bytes: *held is to be freed, NULL for memory, which *bytes then
 * lies in. */
gf_status gf_bytes_in_hold(struct gf_bytes_in *in, uint64_t most, uint8_t **held, const uint8_t **bytes,
                           uint64_t *size, gf_error *error);

/* Bytes from here to the end, or GF_SIZE_UNKNOWN. */
uint64_t gf_bytes_in_left(const struct gf_bytes_in *in);

/* Reports why a read came up short: read error, limit, or end of file (naming `where`). */
gf_status gf_bytes_in_fail(const struct gf_bytes_in *in, const char *where, gf_error *error);

/* Passes on what a function of the caller failed with: said->code, which it returned, and its text. */
gf_status gf_fail_callback(const gf_error *said, const char *label, const char *what, gf_error *error);
