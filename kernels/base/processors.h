/* How many processors there are for this process. */
#pragma once

#include <stdint.h>

enum { GF_MOST_PROCESSORS = 1024 };

/* The processors that the process may run on, or the time of processors that its control group (a container)
 * is given, rounded up, whichever is less; 1 to GF_MOST_PROCESSORS. Found at the first call and the same ever
 * after, so that what is measured for so many threads also runs on so many. Thread-safe. */
int32_t gf_processors(void);

/* What gf_processors finds from: the affinity of the process's first thread; and the quota of its control
 * group and of those above it, versions 1 and 2, where the files begin with `root` ("" but in tests).
 * INT32_MAX: there is no limit. */
int32_t gf_processors_affinity(void);
int32_t gf_processors_quota(const char *root);
