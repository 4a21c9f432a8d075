/* Files the program writes: checked early, and texts written whole or not at all. */
#ifndef GF_CLI_OUTPUT_FILE_H
#define GF_CLI_OUTPUT_FILE_H

#include "text_buffer.h"

/* Fails at once when the file could not be written: before hours of work, not after. */
gf_status output_check(const char *path);

/* Whether writing one would replace the other: the same name, or the same regular file. */
bool output_is_same(const char *path, const char *other);

/* "-" and other names of standard output: printed; the rest as gf_io_write_bytes does it, which takes no
 * memory, so that nothing fails for the lack of it behind an output that is written. GF_ERROR_OUTPUT,
 * GF_ERROR_MEMORY (when the buffer failed), with the message said. */
gf_status output_write_text(const char *path, const struct buffer *text);

#endif
