/* --show: a picture in the terminal. */
#pragma once

#include "compare/compare_pair.h"

/* Prints the marks on standard output by the protocol that was asked for, or that the terminal is known to
 * have; where none is, a note says so. Says its own errors. */
gf_status compare_show(const struct criteria *criteria, struct pair *pair);
