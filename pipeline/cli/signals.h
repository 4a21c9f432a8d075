/* However the program ends, but by SIGKILL, it takes its temporary files with it. */
#ifndef GF_CLI_SIGNALS_H
#define GF_CLI_SIGNALS_H

#include "gpufilter/io.h"

#include <stdbool.h>

/* From now on signals that end the program remove the temporary file, if there is one, and then end it as
 * they would have; those that were ignored stay ignored. So does exit, whoever calls it. A file that grows
 * beyond RLIMIT_FSIZE is a failed write, no signal. */
void signals_install(void);

/* Whether there is a temporary file: an output that is begun, and of which nothing is to be seen yet. */
bool signals_has_temporary(void);

/* Sets the callbacks of the options, so that the temporary is known here, and a removed one is said. */
void signals_watch(gf_write_options *options);

#endif
