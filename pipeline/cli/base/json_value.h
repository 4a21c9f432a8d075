/* Looks things up in a JSON text, whoever wrote it: objects in objects, lists, texts and numbers. */
#pragma once

#include "base/text_buffer.h"

#include <stdbool.h>

/* Tells whether the text is one JSON value to its end, at most 32 levels deep. Only then may the rest be
 * called with it. */
bool json_is_value(const char *text);

/* The value under that name in the object at `object`; NULL: it has none, or is no object. */
const char *json_member(const char *object, const char *name);

/* The first element of the list at `list`, or the one behind `element`; NULL: there is none, or it is no
 * list. */
const char *json_first(const char *list);
const char *json_next(const char *element);

/* The bytes of a value. */
size_t json_length(const char *value);

/* Adds the text of a string, as UTF-8, with bytes that are none as buffer_json_name writes them; false: it is
 * no string, or holds a zero. */
bool json_text(const char *value, struct buffer *text);

/* The text under that name, or what stands there if it is no string, in new memory; NULL: there is none, or
 * no memory. */
char *json_member_text(const char *object, const char *name);

/* false: it is no number. */
bool json_number(const char *value, double *number);
