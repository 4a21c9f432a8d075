/* The text of the pipeline, in the pieces that it was given in, so that an error names the file and the line
 * of the one that it is in. */
#pragma once

#include "base/text_buffer.h"

struct stages_piece {
    size_t from;      /* in the text */
    const char *file; /* borrowed; NULL: of --stages */
    bool translated;  /* from JSON: its lines are not those of the file */
};

/* Zero-initialised: nothing given. */
struct stages_text {
    struct buffer text;
    struct stages_piece *pieces;
    int count;
};

void stages_text_free(struct stages_text *stages);

/* Adds a list of stages, or what --print-pipeline json prints. Says its own errors. */
gf_status stages_text_add(struct stages_text *stages, const char *text);

/* Adds what is in a file; "-" is standard input. Says its own errors. */
gf_status stages_text_read(struct stages_text *stages, const char *path);

/* Says an error of gf_pipeline_parse, or of binding what it made, with its file, line and column. Returns
 * `status`. */
gf_status stages_text_fail(const struct stages_text *stages, gf_status status, const gf_error *error);
