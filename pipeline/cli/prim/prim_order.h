/* Arrays in the order of a sort, and values that travel with keys: for the drivers of sort and of what takes
 * sorted arrays. */
#pragma once

#include "prim/prim.h"

/* Puts an array that was made into order. Says its own errors. */
gf_status prim_put_in_order(struct prim_array *array, bool descending);

/* Refuses an array, of the file that the option names, that is not in order, naming the element. */
gf_status prim_check_order(const struct prim_job *job, const struct prim_array *array,
                           enum prim_option option, bool descending);

/* --values: a file of n values with at least `least` bytes, or with "index" 0, 1, 2... */
gf_status prim_values_take(const char *text, int64_t n, size_t least, struct prim_array *values);
