/* Parts of the sort and the merge on the CPU. */
#pragma once

#include "array/sort/sort_call.h"

#include <stdbool.h>

/* Tells whether keys are only counted: 8 or 16 bits, no values, and enough of them. */
bool gf_sort_counts(const struct gf_sort_call *call);
size_t gf_sort_count_scratch(const struct gf_sort_call *call);
void gf_sort_count(const struct gf_sort_call *call);

/* Tells whether keys go to quicksort by vectors: 32 or 64 bits, no values, and a processor that has them. */
bool gf_sort_is_quick(const struct gf_sort_call *call);
size_t gf_sort_quick_scratch(const struct gf_sort_call *call);
void gf_sort_quick(const struct gf_sort_call *call);
