/* Values of options. Each function says its own error, naming the option or variable, what was
 * written and what may be written, and returns GF_ERROR_ARGUMENT. */
#pragma once

#include "base/text_buffer.h"

#include <stdbool.h>

/* "--op is 'summ': must be sum, min or max; did you mean 'sum'?" with the choices separated by '|'. */
gf_status value_fail_choice(const char *name, const char *text, const char *choices);

/* A whole number in [least, greatest]. */
gf_status value_integer(const char *name, const char *text, int64_t least, int64_t greatest, int64_t *value);

/* A finite number >= 0; with `percent`, "5%" sets *is_percent. */
gf_status value_number(const char *name, const char *text, bool percent, double *value, bool *is_percent);

/* Hz above 0: 44100, 44100Hz, 44.1kHz. */
gf_status value_rate(const char *name, const char *text, double *value);

/* Bytes: a whole number >= 1, K, M, G or T after it for powers of 1024. */
gf_status value_size(const char *name, const char *text, uint64_t *value);

/* auto, cpu, cuda (device 0) or cuda:N, emu for cuda in the build with the emulated device; and, for whoever
 * has pictures to judge, reference. */
gf_status value_device(const char *name, const char *text, bool judges, gf_device *value);

/* WIDTHxHEIGHT+X+Y */
gf_status value_rect(const char *name, const char *text, gf_rect *value);

/* "auto, cpu, cuda, cuda:N or reference", as this build calls them */
void device_words_add(struct buffer *text, bool judges);

/* "cpu", "reference", "cuda:0" */
void device_word(gf_device device, char word[24]);

/* "gray", "gray+alpha", "RGB", "RGBA" */
const char *channels_word(int32_t channels);
