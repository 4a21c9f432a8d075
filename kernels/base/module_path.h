/* Where the modules lie that the library opens at run time. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Looks for `file` in the folder of the library or program that this code is part of, and then where an
 * installed program has its libraries. path: where it lies; false: it does not, and places names both
 * folders. */
bool gf_module_find(const char *file, char path[PATH_MAX], char places[PATH_MAX]);
