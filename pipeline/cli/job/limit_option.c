#include "job/limit_option.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct limit {
    struct limit_help help;
    const char *field; /* what the library's messages call it */
    size_t offset;     /* in gf_io_limits: 8 bytes, a count */
} limits_known[] = {
    {{"width", "pixels a row; of pictures, not of signals"}, "max_width", offsetof(gf_io_limits, max_width)},
    {{"height", "rows"}, "max_height", offsetof(gf_io_limits, max_height)},
    {{"pixels", "width times height"}, "max_pixels", offsetof(gf_io_limits, max_pixels)},
    {{"input", "bytes of the file or stream"}, "max_input_bytes", offsetof(gf_io_limits, max_input_bytes)},
    {{"metadata", "bytes of profiles, EXIF and the like"},
     "max_metadata_bytes",
     offsetof(gf_io_limits, max_metadata_bytes)},
    {{"decoder", "bytes of memory that a decoder holds beside the picture"},
     "max_memory",
     offsetof(gf_io_limits, max_memory)},
};

#define NAMES "width|height|pixels|input|metadata|decoder" /* in that order */

enum { COUNT = sizeof limits_known / sizeof *limits_known };

const struct limit_help *limit_option_at(int index)
{
    return index < COUNT ? &limits_known[index].help : NULL;
}

/* Writes a size as --limit takes it, rounded up to three digits or more. */
static void size_word(uint64_t n, char text[24])
{
    static const char units[] = " KMGT";
    int unit = 0;
    while (unit < 4 && (n >= 1000000 || (n >= 1024 && n % 1024 == 0))) {
        n = n / 1024 + (n % 1024 != 0);
        unit++;
    }
    snprintf(text, 24, "%" PRIu64 "%.*s", n, unit > 0, &units[unit]);
}

void limit_option_default(int index, char text[24])
{
    const gf_io_limits limits = GF_IO_LIMITS_INIT;
    uint64_t n = 0;
    memcpy(&n, (const char *)&limits + limits_known[index].offset, sizeof n);
    if (n % 1000000 == 0) {
        snprintf(text, 24, "%" PRIu64, n);
    } else {
        size_word(n, text);
    }
}

static const char *names_in_text(struct buffer *text)
{
    words_add(text, NAMES);
    return text->failed ? NAMES : text->data;
}

gf_status limit_option_take(const char *value, gf_io_limits *limits)
{
    char name[16], option[32];
    size_t length = strcspn(value, "=");
    if (value[length] == '\0') {
        struct buffer names = {0};
        cli_fail(GF_ERROR_ARGUMENT,
                 "--limit is '%s': must be NAME=N, as pixels=400M, NAME one of %s; gpufilter help limits",
                 value, names_in_text(&names));
        buffer_free(&names);
        return GF_ERROR_ARGUMENT;
    }
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : (int)sizeof name - 1, value);
    int index = words_index(NAMES, name);
    if (index < 0) {
        return value_fail_choice("--limit", name, NAMES);
    }
    snprintf(option, sizeof option, "--limit %s", name);
    uint64_t n = 0;
    gf_status status = value_size(option, value + length + 1, &n);
    if (status == GF_OK) {
        n = n > INT64_MAX ? INT64_MAX : n;
        memcpy((char *)limits + limits_known[index].offset, &n, sizeof n);
    }
    return status;
}

/* Returns what the file asks for, by the numbers before the limit's name: a count of pixels is the product of
 * width and height, others are sums ("needs 10 bytes beside the 20 it holds"). 0: it does not say. */
static uint64_t asked_for(const char *from, const char *to, const char *name)
{
    uint64_t numbers[4] = {0}, sum = 0;
    int n = 0;
    for (const char *c = from; c < to && n < 4; c++) {
        if (isdigit((unsigned char)*c)) {
            char *end;
            numbers[n++] = strtoull(c, &end, 10);
            c = end - 1;
        }
    }
    uint64_t product;
    if (!strcmp(name, "width") || !strcmp(name, "height")) {
        return numbers[!strcmp(name, "height")];
    }
    if (!strcmp(name, "pixels")) {
        return n == 2 && !__builtin_mul_overflow(numbers[0], numbers[1], &product) ? product : 0;
    }
    for (int i = 0; i < n; i++) {
        sum = numbers[i] > UINT64_MAX - sum ? UINT64_MAX : sum + numbers[i];
    }
    bool may_grow = !strcmp(name, "decoder"); /* it may need more later on */
    return may_grow && sum <= UINT64_MAX / 2 ? 2 * sum : sum;
}

/* "the plan needs at least 182784 bytes of buffers, the memory limit is 1024", with a value that would do. */
static gf_status memory_fail(gf_status status, const gf_error *error)
{
    const char *at = strstr(error->message, " bytes of buffers");
    at = at ? at : strstr(error->message, " bytes are needed");
    if (!at || !strstr(error->message, "the memory limit is ")) {
        return cli_fail_error(status, error);
    }
    char enough[24];
    while (at > error->message && isdigit((unsigned char)at[-1])) {
        at--;
    }
    size_word(strtoull(at, NULL, 10), enough);
    return cli_fail(status, "%s\n  to allow it: --memory %s", error->message, enough);
}

/* The limit that the message names last, and where: the file's name in front of it may hold the same words.
 */
static const struct limit *limit_in(const char *message, const char **at)
{
    const struct limit *found = NULL;
    for (int i = 0; i < COUNT; i++) {
        const char *next = message;
        for (; (next = strstr(next, limits_known[i].field)); next++) {
            if (!found || next > *at) {
                found = &limits_known[i];
                *at = next;
            }
        }
    }
    return found;
}

gf_status limit_told(gf_status status, const gf_error *error)
{
    if (status == GF_ERROR_MEMORY) {
        return memory_fail(status, error);
    }
    const char *at = NULL;
    const struct limit *known = status == GF_ERROR_LIMIT ? limit_in(error->message, &at) : NULL;
    if (!known) {
        return cli_told(status, error);
    }
    /* "FILE: claims ..., beyond max_pixels, 268435456": a file's name may hold numbers */
    const char *from = strstr(error->message, ": ");
    for (const char *next; from && (next = strstr(from + 2, ": ")) && next < at; from = next) {
    }
    const char *end = at + strlen(known->field);
    end += strncmp(end, ", ", 2) == 0 ? 2 : 0;
    uint64_t limit = strtoull(end, NULL, 10),
             asked = asked_for(from ? from : error->message, at, known->help.name);
    char enough[24];
    size_word(asked > limit ? asked : limit > UINT64_MAX / 2 ? limit : 2 * limit, enough);
    return cli_fail(status, "%.*sthe limit of %s\n  %s: --limit %s=%s", (int)(at - error->message),
                    error->message, end, asked > limit ? "to allow it" : "a higher one", known->help.name,
                    enough);
}
