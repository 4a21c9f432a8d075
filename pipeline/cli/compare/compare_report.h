/* What `gpufilter compare` says: as text and as JSON. */
#pragma once

#include "compare/compare_pair.h"

/* The verdict on two files, with its numbers, as text or as a line of JSON. */
void compare_report(struct buffer *text, const struct criteria *criteria, const struct pair *pair);

/* A line on one of many pairs: "changed  a/b.png: 358 of ...". */
void compare_report_line(struct buffer *text, const struct criteria *criteria, const struct pair *pair);

/* Only what stands behind the name there; may be nothing. */
void compare_report_why(struct buffer *text, const struct criteria *criteria, const struct pair *pair);

/* An object of JSON, without an end of line. */
void compare_report_json(struct buffer *text, const struct criteria *criteria, const struct pair *pair);

/* "A and B". */
void compare_add_names(struct buffer *text, const struct criteria *criteria);

/* A number with its name, or a word for what JSON has no number for. */
void compare_json_measure(struct buffer *text, const char *name, double value);

/* The JSON of a failure. */
void compare_report_error(struct buffer *text, const char *message);
