/* --limit NAME=N: what a file may ask for. `decoder` is the memory that a decoder holds beside the picture.
 */
#ifndef GF_CLI_LIMIT_OPTION_H
#define GF_CLI_LIMIT_OPTION_H

#include "gpufilter/io.h"

/* Sets the limit that `value` names. Says its own error: GF_ERROR_ARGUMENT. */
gf_status limit_option_take(const char *value, gf_io_limits *limits);

/* Says what the library's error said, and of a limit how to change it. Returns `status`. */
gf_status limit_option_fail(gf_status status, const gf_error *error);

#endif
