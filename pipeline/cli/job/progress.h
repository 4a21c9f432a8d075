/* One line on a terminal about a run that takes longer than two seconds: rewritten as it goes on, and removed
 * at its end. A thread of its own draws it, so that it moves also while one step takes long. */
#pragma once

#include <stdint.h>

/* Begins to watch, unless standard error is no terminal or -q was given; `what` is what goes on first. One at
 * a time. Where no thread can be had there is no line. */
void progress_begin(const char *what);

/* The line is gone. Again, or without a begin: nothing. */
void progress_end(void);

/* Tells whether somebody looks. */
int progress_is_shown(void);

/* Shows what goes on now, a literal, and how much of it is done, out of `of`; 0: unknown. From any thread. */
void progress_set(const char *what, int64_t done, int64_t of);
