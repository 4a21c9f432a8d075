/* fault: an error of the language, shown where it is.
 *
 *     stage 1 'blurr': unknown stage; did you mean 'blur'?
 *       blurr:sigma=2,hist
 *       ^~~~~
 *       stages: gray invert brightness ... */
#pragma once

#include "base/text.h"

enum { GF_EXCERPT_COLUMNS = 70 };

struct gf_fault {
    gf_status code;
    int32_t stage;    /* from 0; -1: no stage */
    const char *text; /* the pipeline's, text_length bytes; NULL: no excerpt */
    size_t text_length;
    size_t offset, length; /* of what is wrong; length 0: a place between bytes */
    const char *head;      /* one line */
    const char *list;      /* the valid words, "" for none; cut between words where it does not fit */
};

/* Fills the error and returns fault->code. */
gf_status gf_fault_report(const struct gf_fault *fault, gf_error *error);

/* Writes "\n  excerpt\n  caret": the line of the text that holds `offset`, at most
 * GF_EXCERPT_COLUMNS of it around the place, safe for a terminal. */
void gf_fault_excerpt(struct gf_text *out, const char *text, size_t text_length, size_t offset,
                      size_t length);
