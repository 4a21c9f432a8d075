/* A text that grows: everything the program prints on standard output is made here first, so
 * that it is printed whole or not at all. */
#pragma once

#include "gpufilter/signal.h"

#include <stdbool.h>
#include <stdio.h>

/* Zero-initialised: empty. When memory runs out `failed` is set and later calls do nothing. */
struct buffer {
    char *data; /* terminated; NULL while empty */
    size_t length, capacity;
    bool failed;
};

void buffer_free(struct buffer *buffer);

/* Room for `count` more bytes and a zero, behind what is there: adding them cannot fail then. NULL: no
 * memory, and the buffer has failed. */
char *buffer_reserve(struct buffer *buffer, size_t count);

void buffer_add(struct buffer *buffer, const char *text);
void buffer_add_bytes(struct buffer *buffer, const char *bytes, size_t count);
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void buffer_json_text(struct buffer *buffer, const char *text);

/* The same of the name of a file, which is to be read back as it is: a byte that is no part of UTF-8 becomes
 * U+DC80 to U+DCFF, as Python's os.fsdecode has it. */
void buffer_json_name(struct buffer *buffer, const char *name);

/* The shortest decimal that reads back as the same double; null for NaN and infinities. */
void buffer_json_number(struct buffer *buffer, double value);

/* Add what the library prints of an object. */
gf_status buffer_add_pipeline(struct buffer *buffer, const gf_pipeline *pipeline, gf_print_format format,
                              gf_error *error);
gf_status buffer_add_plan(struct buffer *buffer, const gf_plan *plan, gf_print_format format,
                          gf_error *error);
gf_status buffer_add_signal_plan(struct buffer *buffer, const gf_signal_plan *plan, gf_print_format format,
                                 gf_error *error);
gf_status buffer_add_result(struct buffer *buffer, const gf_result *result, gf_print_format format,
                            gf_error *error);
gf_status buffer_add_table(struct buffer *buffer, const gf_table *table, gf_print_format format,
                           gf_error *error);

/* Bytes of the character at `text`, and what it is, with TEXT_HIDDEN where a terminal would obey it (control
 * characters, marks of direction); what is not UTF-8 is NO_CHARACTER, hidden, and one byte. */
enum { NO_CHARACTER = 0xfffd, TEXT_HIDDEN = 1 << 24 };
size_t text_character(const char *text, unsigned *code);

/* Hidden characters as '?', but for ends of lines, which names may have: only those of a message before a
 * space are its own. One is added to it. */
void text_print(const char *text, size_t length, bool is_message, FILE *file);
void buffer_print(const struct buffer *buffer, FILE *file);

/* Writes the text to standard output like that, and flushes it. GF_ERROR_OUTPUT, GF_ERROR_MEMORY (when the
 * buffer failed), with the message said. */
gf_status buffer_to_stdout(const struct buffer *buffer);
