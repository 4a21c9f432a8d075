/* text: a bounded writer for every function that prints like snprintf, and numbers that read the
 * same in every locale.
 *
 *     struct gf_text t = gf_text_begin(buffer, capacity);
 *     gf_text_append(&t, "%d passes, ", n);
 *     gf_text_number(&t, milliseconds);
 *     *length = t.length;
 *
 * What does not fit is counted and dropped, so a call with capacity 0 measures. The buffer holds
 * a terminated text after every call unless its capacity is 0. Nothing is allocated and nothing
 * global is touched: safe from any thread on distinct texts. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct gf_text {
    char *buffer; /* of the caller; may be NULL when capacity is 0 */
    size_t capacity;
    size_t length; /* bytes of the whole text without its zero, also those dropped: from `capacity` on it is
                      cut */
};

/* An empty text in the caller's buffer. */
struct gf_text gf_text_begin(char *buffer, size_t capacity);

/* printf. Not for %f %e %g, whose decimal point depends on the locale: see below. */
void gf_text_append(struct gf_text *text, const char *format, ...) GF_PRINTF(2, 3);

void gf_text_string(struct gf_text *text, const char *string);
void gf_text_bytes(struct gf_text *text, const char *bytes, size_t count);
void gf_text_repeat(struct gf_text *text, char c, size_t count);

/* The shortest decimal text that gf_number_read reads back as the same double: 0.1, 2, 1.5e-7,
 * 1e21; also "nan", "inf", "-inf", and "-0". */
void gf_text_number(struct gf_text *text, double value);

/* The same of a float: the shortest text whose double, rounded, is that float. */
void gf_text_float(struct gf_text *text, float value);

/* %*.*f with a point in every locale: at least `width` characters, right-aligned. */
void gf_text_fixed(struct gf_text *text, int width, int decimals, double value);

/* A JSON number; null for NaN and the infinities, which JSON has not. */
void gf_text_json_number(struct gf_text *text, double value);

/* A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void gf_text_json_string(struct gf_text *text, const char *string);

/* Writes for a person who may sit at a terminal: UTF-8 letters as they are; a space for a tab; '?'
 * for each control character, byte that is not UTF-8, and character whose width or direction is in
 * doubt. At most `columns` columns, then "..." (within them). Returns the columns written. */
size_t gf_text_plain(struct gf_text *text, const char *bytes, size_t count, size_t columns);

/* Length in bytes of the character at bytes (1 for a byte that is not UTF-8) and the columns it
 * takes when gf_text_plain writes it; *shown tells whether as itself. count >= 1. */
size_t gf_text_glyph(const char *bytes, size_t count, size_t *columns, bool *shown);

/* Reads the longest decimal number (sign, digits, point, exponent) at the start of the bytes, in
 * any locale, correctly rounded. Returns its length; 0 when there is none, or when it has more
 * than GF_NUMBER_DIGITS digits. No hexadecimal, inf or nan; beyond the range: infinite. */
enum { GF_NUMBER_DIGITS = 400 };
size_t gf_number_read(const char *bytes, size_t count, double *value);
