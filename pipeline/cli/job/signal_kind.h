/* Which files are signals, and which are pictures. */
#pragma once

#include "gpufilter/types.h"

#include <stdbool.h>

/* Tells whether it comes once, so that nobody may look what it begins with. */
bool comes_once(const char *path);

/* Tells whether a name stands for a format of signals that pictures have not. Either may be NULL. */
bool names_signal(const char *path, const char *format);

/* Tells whether a file is a signal: by what it begins with, or else by its suffix; an .npy by its dimensions.
 * Fails where it cannot look. */
gf_status file_is_signal(const char *path, bool *is_signal);
