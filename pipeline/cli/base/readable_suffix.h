/* Which files of a folder are pictures: by their suffix. */
#pragma once

#include <stdbool.h>

/* Tells whether some format that is read has the suffix of that name, in whatever case. */
bool readable_suffix_has(const char *name);
