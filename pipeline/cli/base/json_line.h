/* Reads a line that this program wrote: one flat object of JSON, whose values are texts and numbers. */
#pragma once

#include <stdbool.h>

/* Tells whether the line is an object to its end: one that was cut is none. */
bool json_line_is_whole(const char *line);

/* The text under that name, or the digits of the number, in new memory; NULL: there is none. */
char *json_line_text(const char *line, const char *name);
