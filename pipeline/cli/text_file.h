/* Text files in memory. */
#ifndef GF_CLI_TEXT_FILE_H
#define GF_CLI_TEXT_FILE_H

#include "gpufilter/types.h"

#include <stddef.h>

struct text_file {
    char *text; /* ended by a 0, which `length` does not count */
    size_t length;
};

/* All of a file, or with "-" of standard input; one that holds a byte 0 is refused. The failure stands in
 * `error`, unsaid. Free it in any case. */
gf_status text_file_read(const char *path, struct text_file *file, gf_error *error);
void text_file_free(struct text_file *file);

#endif
