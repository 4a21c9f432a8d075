/* Where the outputs of a batch go: below a folder, or as a template says. */
#pragma once

#include "batch/batch_list.h"

/* Checks whether -o is a template that can be understood. Says its own error: GF_ERROR_ARGUMENT. */
gf_status batch_output_check(const struct batch_options *options);

/* Tells whether -o is a template, and not a folder. */
bool batch_output_is_template(const char *output);

/* Checks whether the value of an option is such a template. Says its own error: GF_ERROR_ARGUMENT. */
gf_status batch_output_check_template(const char *option, const char *text);

/* Returns what a template makes of an input, in new memory; "": a name of the input would make '.' or '..' of
 * a part of the path, and so lead elsewhere; NULL: no memory. */
char *batch_output_by(const struct batch_options *options, const char *text, const struct batch_input *input);

/* The output of an input, likewise. */
char *batch_output_of(const struct batch_options *options, const struct batch_input *input);

/* Makes the folders that the path needs. Says its own error: GF_ERROR_OUTPUT. */
gf_status batch_output_folders(const char *path);

/* The files that an input makes, by number: its output, and one for each template of --table and --plot.
 * Tells whether there is one of that number; NULL: no memory. */
enum { BATCH_MOST_FILES = 1 + JOB_MOST_TABLES };
bool batch_output_has(const struct batch_options *options, int number);
char *batch_output_file(const struct batch_options *options, int number, const struct batch_input *input);
