/* What `gpufilter compare` says: as text and as JSON. */
#pragma once

#include "base/text_buffer.h"
#include "compare/compare.h"
#include "gpufilter/io.h"

struct criteria {
    const char *paths[2];
    double max_diff, max_count, psnr;
    /* White in the unit that max_diff is in: 100 of %, 255 of u8, 65535 of u16; 0: sample units. */
    double diff_white;
    bool has_diff, has_count, count_is_percent, has_psnr, ignore_alpha, json;
    gf_rect roi; /* w = 0: the whole picture */
    const char *diff;
    gf_io_limits limits;
    bool help;
};

/* Tells whether the pictures are equal within what was allowed. */
bool compare_is_within(const struct criteria *criteria, const struct comparison *c);

/* The verdict with its numbers. `shapes`: those of A and B. */
void compare_report(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2],
                    const struct comparison *c);

/* Pictures that differ in form: `what` is "size", "channels" or "depth". */
void compare_report_form(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2],
                         const char *what);

/* "A and B". */
void compare_add_names(struct buffer *text, const struct criteria *criteria);

/* A number with its name, or a word for what JSON has no number for. */
void compare_json_measure(struct buffer *text, const char *name, double value);

/* The JSON of a failure. */
void compare_report_error(struct buffer *text, const char *message);
