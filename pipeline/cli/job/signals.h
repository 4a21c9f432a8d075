/* However the program ends, but by SIGKILL, it takes its temporary files with it. */
#pragma once

#include "gpufilter/io.h"

#include <stdbool.h>

/* From now on signals that end the program remove the temporary files, if there are any, and then end it as
 * they would have; those that were ignored stay ignored. So does exit, whoever calls it. A file that grows
 * beyond RLIMIT_FSIZE is a failed write, no signal. */
void signals_install(void);

/* The first SIGINT, SIGTERM or SIGHUP that comes from now on is handed to `take`, which is called by the
 * signal handler, and does not end the program; every later one does. NULL: nothing is handed over any more.
 */
void signals_first(void (*take)(int number));

/* Tells whether there is a temporary file: an output that is begun, with nothing to be seen yet. */
bool signals_has_temporary(void);

/* Sets the callbacks of the options, so that the temporary is known here, and a removed one is said. */
void signals_watch(gf_write_options *options);

/* The same for one of several files that are written at the same time, 0 to SIGNALS_FILES - 1; 0 is that of
 * signals_watch. */
enum { SIGNALS_FILES = 1025 };
void signals_watch_file(gf_write_options *options, int file);

/* The path of its temporary file while it is there, else NULL, also where the output itself is written, as
 * its folder has no rename. For whoever writes it. */
const char *signals_temporary(int file);
