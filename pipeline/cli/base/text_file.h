/* Text files in memory. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The characters of a text, whichever system wrote it: without a byte order mark, and each line ended by a
 * newline, for which a carriage return stands too. Zero-initialised but for the file. */
struct text_stream {
    FILE *file;
    int held[3], held_count; /* what looked like a mark and was none, backwards */
    bool begun, after_return;
};
int text_get(struct text_stream *stream); /* or EOF; waits for nothing behind the character */

/* Bytes that a matrix, or a list of edges, may have: more than 2^30 lines. */
#define TEXT_MOST_ENTRIES ((size_t)1 << 34)

struct text_file {
    char *text; /* ended by a 0, which `length` does not count */
    size_t length;
};

/* Reads all of a file, or of standard input ("-"), as text_get() gives it. More than `most` bytes, whole MiB,
 * are GF_ERROR_LIMIT, a byte 0 is GF_ERROR_INPUT. The failure is in `error`, unsaid. Free it in any case. */
gf_status text_file_read(const char *path, size_t most, struct text_file *file, gf_error *error);
void text_file_free(struct text_file *file);
