/* --limit NAME=N: what a file may ask for. */
#pragma once

#include "gpufilter/io.h"

/* What the user calls a limit, and what it is; by index from 0, NULL past the last. */
struct limit_help {
    const char *name, *help;
};
const struct limit_help *limit_option_at(int index);

/* The limit as it is by default, as the option takes it: "256M". */
void limit_option_default(int index, char text[24]);

/* Sets the limit that `value` names. Says its own error: GF_ERROR_ARGUMENT. */
gf_status limit_option_take(const char *value, gf_io_limits *limits);

/* Hands on what a call of the library returned, after saying its error where it failed; a limit by the name
 * of the option, with a value that would do, and the limit of --memory likewise. */
gf_status limit_told(gf_status status, const gf_error *error);
