/* The inputs of a batch: files, those of folders, and names that somebody gives. */
#pragma once

#include "base/text_buffer.h"
#include "base/text_file.h"
#include "batch/batch_options.h"

/* An input. */
struct batch_input {
    char *path;
    const char *below; /* in it: what comes below the folder that was named, or the file's own name */
    char *why;         /* why it is none, as a folder that cannot be read; NULL: it is one */
    struct batch_member *member; /* of a tar, by which it is in memory; NULL: it is a file */
};

struct batch_list {
    struct batch_input *at;
    int64_t count, capacity;
    /* Files of folders that were left out: no format has their suffix, or no --glob their name. */
    int64_t others;
    struct buffer kinds; /* of these the suffixes: " a, b," */
};

void batch_list_free(struct batch_list *list);
void batch_input_free(struct batch_input *input);

/* Tells whether a file of a folder, or of a tar, is taken, and notes those that are not. */
bool batch_list_wants(const struct batch_options *options, struct batch_list *list, const char *path);

/* Lists all that the command line and the files of --from name, but for --from -, in the order of the words;
 * a folder's files in the order of their names. `skip`: a folder in whose place nothing is read, that of the
 * outputs; NULL: none. Says its own errors: GF_ERROR_MEMORY, GF_ERROR_INPUT (a file of --from). */
gf_status batch_list_make(const struct batch_options *options, const char *skip, struct batch_list *list);

/* The next name of --from -, or of another such file; false: there are no more, or *status says why. */
bool batch_list_next(const struct batch_options *options, struct text_stream *names, const char *file_name,
                     struct batch_input *input, gf_status *status);
