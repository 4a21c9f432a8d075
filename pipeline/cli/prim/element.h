/* One element of an array: read from a word, printed, told apart. */
#pragma once

#include "base/text_buffer.h"

/* The types of arrays, as options take them. */
#define ELEMENT_TYPES "u8|u16|i16|u32|i32|u64|i64|f32|f64"

/* The type of that name, which is one of ELEMENT_TYPES. */
gf_depth element_type(const char *name);

bool element_is_float(gf_depth type);

/* Reads a number of the type, all of its interval; floats also nan, inf and -inf. Says its own error. */
gf_status element_read(const char *option, const char *text, gf_depth type, void *element);

/* Element i of an array, as a number (64-bit integers are rounded). */
double element_value(gf_depth type, const void *array, int64_t i);

/* Adds element i in decimal, exactly; as JSON, null for NaN and infinities. */
void element_add(struct buffer *buffer, gf_depth type, const void *array, int64_t i, bool json);

/* Tells whether search finds the one when it looks for the other: numbers that are equal, and any two NaN. */
bool element_same(gf_depth type, const void *a, const void *b);

/* Tells whether the first is less than the second; never where one is NaN. */
bool element_less(gf_depth type, const void *a, const void *b);

/* Tells whether element i of a sorted array must stand before element j: the order of sort.h. There -0 is
 * less than +0, and every NaN comes last, descending too. */
bool element_before(gf_depth type, const void *array, int64_t i, int64_t j, bool descending);

/* Changes element i to a number that is not the same: its neighbour. */
void element_change(gf_depth type, void *array, int64_t i);
