#include "base/argument_value.h"

#include "base/message.h"
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gf_status value_fail_choice(const char *name, const char *text, const char *choices)
{
    struct buffer message = {0};
    struct nearest nearest = {.word = text};
    buffer_printf(&message, "%s is '%s': must be ", name, text);
    words_add(&message, choices);
    nearest_try_list(&nearest, choices);
    nearest_add(&message, &nearest, "");
    gf_status status = message.failed ? cli_fail(GF_ERROR_MEMORY, "out of memory")
                                      : cli_fail(GF_ERROR_ARGUMENT, "%s", message.data);
    buffer_free(&message);
    return status;
}

/* Digits with an optional minus sign, all of the text up to *end. */
static bool read_integer(const char *text, int64_t *value, const char **end)
{
    const char *digits = text + (*text == '-');
    if (!isdigit((unsigned char)*digits)) {
        return false;
    }
    char *stop;
    errno = 0;
    long long read = strtoll(text, &stop, 10);
    *value = read;
    *end = stop;
    return errno == 0;
}

gf_status value_integer(const char *name, const char *text, int64_t least, int64_t greatest, int64_t *value)
{
    const char *end;
    if (!read_integer(text, value, &end) || *end || *value < least || *value > greatest) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be a whole number from %lld to %lld", name, text,
                        (long long)least, (long long)greatest);
    }
    return GF_OK;
}

/* A finite number >= 0 in decimal digits: where it ends; NULL: there is none. */
static const char *read_number(const char *text, double *value)
{
    bool starts = isdigit((unsigned char)*text) || *text == '.';
    char *end = NULL;
    *value = starts ? strtod(text, &end) : 0;
    bool is_hexadecimal = *text == '0' && (text[1] == 'x' || text[1] == 'X');
    return starts && end != text && isfinite(*value) && !is_hexadecimal ? end : NULL;
}

gf_status value_number(const char *name, const char *text, bool percent, double *value, bool *is_percent)
{
    const char *end = read_number(text, value);
    bool has_percent = percent && end && *end == '%';
    if (!end || end[has_percent]) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be a number from 0%s", name, text,
                        percent ? ", or a percentage like 0.5%" : "");
    }
    if (is_percent) {
        *is_percent = has_percent;
    }
    return GF_OK;
}

gf_status value_rate(const char *name, const char *text, double *value)
{
    const char *end = read_number(text, value);
    const bool kilo = end && !strcmp(end, "kHz");
    if (!end || (*end && !kilo && strcmp(end, "Hz") != 0) || !(*value > 0)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%s is '%s': must be a number above 0, as 44100, 44100Hz or 44.1kHz", name, text);
    }
    *value *= kilo ? 1000 : 1;
    return GF_OK;
}

gf_status value_size(const char *name, const char *text, uint64_t *value)
{
    static const char units[] = "KMGT";
    int64_t number = 0;
    const char *end = text;
    int shift = 0;
    bool good = read_integer(text, &number, &end) && number > 0;
    const char *unit = good && *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        shift = 10 * (int)(unit - units + 1);
        end++;
    }
    if (!good || *end || (uint64_t)number > UINT64_MAX >> shift) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "%s is '%s': must be a whole number from 1, as it is or with K, M, G or T (powers of 1024)", name,
            text);
    }
    *value = (uint64_t)number << shift;
    return GF_OK;
}

void device_words_add(struct buffer *text, bool judges)
{
    const char *gpu = gf_device_kind(0);
    buffer_printf(text, "%s, %s, %s%s%s:N%s%s", gf_device_kind(GF_DEVICE_AUTO), gf_device_kind(GF_DEVICE_CPU),
                  gpu, judges ? ", " : " or ", gpu, judges ? " or " : "",
                  judges ? gf_device_kind(GF_DEVICE_REFERENCE) : "");
}

gf_status value_device(const char *name, const char *text, bool judges, gf_device *value)
{
    static const gf_device devices[] = {GF_DEVICE_AUTO, GF_DEVICE_CPU, GF_DEVICE_REFERENCE, 0};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if ((judges || devices[i] != GF_DEVICE_REFERENCE) && !strcmp(text, gf_device_kind(devices[i]))) {
            *value = devices[i];
            return GF_OK;
        }
    }
    size_t length = strlen(gf_device_kind(0));
    const char *end;
    int64_t index = -1;
    if (!strncmp(text, gf_device_kind(0), length) && text[length] == ':' &&
        read_integer(text + length + 1, &index, &end) && !*end && index >= 0 && index < 1024) {
        *value = (gf_device)index;
        return GF_OK;
    }
    struct buffer words = {0};
    device_words_add(&words, judges);
    gf_status status = cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be %s", name, text,
                                words.failed ? "a device" : words.data);
    buffer_free(&words);
    return status;
}

gf_status value_rect(const char *name, const char *text, gf_rect *value)
{
    static const char separators[] = "x++";
    int64_t numbers[4] = {0};
    const char *at = text;
    bool good = true;
    for (int i = 0; good && i < 4; i++) {
        good = isdigit((unsigned char)*at) && read_integer(at, &numbers[i], &at) && *at == separators[i];
        at += good && i < 3;
    }
    if (!good || numbers[0] == 0 || numbers[1] == 0) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be WIDTHxHEIGHT+X+Y, like 64x48+10+20", name,
                        text);
    }
    *value = (gf_rect){.x = numbers[2], .y = numbers[3], .w = numbers[0], .h = numbers[1]};
    return GF_OK;
}

void device_word(gf_device device, char word[24])
{
    int length = snprintf(word, 24, "%s", gf_device_kind(device));
    if (device >= 0) {
        snprintf(word + length, (size_t)(24 - length), ":%d", (int)device);
    }
}

const char *channels_word(int32_t channels)
{
    static const char *const words[] = {"?", "gray", "gray+alpha", "RGB", "RGBA"};
    return words[channels >= 1 && channels <= 4 ? channels : 0];
}
