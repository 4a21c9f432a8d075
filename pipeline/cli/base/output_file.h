/* Files the program writes: checked early, and texts written whole or not at all. */
#pragma once

#include "base/text_buffer.h"

/* Whether a path is standard output by any of its names. */
bool is_standard_output(const char *path);

/* Fails at once when the file could not be written: before hours of work, not after. */
gf_status output_check(const char *path);

/* Replaces the path of a link by where it leads, there or not. */
enum { OUTPUT_LONGEST_PATH = 4096 };
void output_follow_links(char path[OUTPUT_LONGEST_PATH]);

/* A file that a run reads or writes, as messages call it: "OUT", "--report". */
struct run_file {
    const char *role;
    const char *path; /* NULL: not given */
    bool written;
};

/* Fails where writing one of the files would replace another, however their names are spelled and whether or
 * not they exist. Two that are only read may be the same; so may the first two, which are IN and OUT of a
 * run: the one is read to its end before the other appears. "-" is standard input of what is read. Only
 * regular files count: a device or a pipe takes more than one output. GF_ERROR_ARGUMENT, said. */
gf_status output_check_distinct(const struct run_file *files, int count, bool in_place);

/* Adds a name for people: on one line, without control characters. */
void output_add_name(struct buffer *text, const char *path);

/* "-" and other names of standard output: printed; the rest as gf_io_write_bytes does it, which takes no
 * memory, so that nothing fails for the lack of it behind an output that is written. GF_ERROR_OUTPUT,
 * GF_ERROR_MEMORY (when the buffer failed), with the message said. */
gf_status output_write_text(const char *path, const struct buffer *text);
