/* --server: requests on standard input, answers on standard output, as odiff has them. */
#pragma once

#include "compare/compare_options.h"

/* Answers each line until there are no more. `base`: what the command line said, for all requests. Says its
 * own errors: GF_ERROR_OUTPUT, GF_ERROR_MEMORY. What is wrong with a request is answered. */
gf_status compare_serve(const struct criteria *base);

/* Adds the answer to one request, a line; for tests. */
void compare_answer(const struct criteria *base, const char *line, struct buffer *text);
