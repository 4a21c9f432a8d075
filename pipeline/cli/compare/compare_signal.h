/* Compares two signals, a piece of time at a time. */
#pragma once

#include "compare/compare_report.h"

/* Compares the files and adds what is found. *within: they are equal within what was allowed. Says its own
 * errors. */
gf_status compare_signals(const struct criteria *criteria, struct buffer *text, bool *within);
