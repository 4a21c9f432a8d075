#include "limit_option.h"

#include "argument_value.h"
#include "message.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* In the order of set_limit. */
#define NAMES "width|height|pixels|input|metadata|decoder"

static void set_limit(gf_io_limits *limits, int index, uint64_t n)
{
    int64_t pixels = n > INT64_MAX ? INT64_MAX : (int64_t)n;
    switch (index) {
    case 0:
        limits->max_width = pixels;
        break;
    case 1:
        limits->max_height = pixels;
        break;
    case 2:
        limits->max_pixels = pixels;
        break;
    case 3:
        limits->max_input_bytes = n;
        break;
    case 4:
        limits->max_metadata_bytes = n;
        break;
    default:
        limits->max_memory = n;
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
        cli_fail(GF_ERROR_ARGUMENT, "--limit is '%s': must be NAME=N, NAME one of %s", value,
                 names_in_text(&names));
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
        set_limit(limits, index, n);
    }
    return status;
}

/* What the library's messages call the limits, in the order of NAMES. */
static const char *const fields[] = {"max_width",       "max_height",         "max_pixels",
                                     "max_input_bytes", "max_metadata_bytes", "max_memory"};

gf_status limit_option_fail(gf_status status, const gf_error *error)
{
    cli_fail_error(status, error);
    size_t length;
    const char *name;
    for (int i = 0; status == GF_ERROR_LIMIT && (name = words_at(NAMES, i, &length)); i++) {
        if (strstr(error->message, fields[i])) {
            cli_note("--limit %.*s=N sets another", (int)length, name);
            break;
        }
    }
    return status;
}
