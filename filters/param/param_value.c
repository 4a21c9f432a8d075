/* Parameters: reading and writing one value of each type. Numbers are read in param_number.c. */
#include "param/param_value.h"

#include <inttypes.h>

enum { SHOWN_COLUMNS = 32 }; /* of a user's value in a message */

size_t gf_param_size(gf_param_type type)
{
    switch (type) {
    case GF_PARAM_INT:
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
        return 8;
    case GF_PARAM_BOOL:
    case GF_PARAM_CHOICE:
    case GF_PARAM_CHANNELS:
        return sizeof(int32_t);
    case GF_PARAM_RECT:
        return sizeof(gf_rect);
    case GF_PARAM_TEXT:
        return GF_PARAM_TEXT_SIZE;
    case GF_PARAM_LIST:
        return sizeof(gf_list);
    case GF_PARAM_PICTURE:
        return sizeof(gf_picture_name);
    case GF_PARAM_ROI:
        return sizeof(gf_roi);
    case GF_PARAM_SPAN:
        return sizeof(gf_span);
    }
    return 0;
}

void gf_param_describe(const gf_param *param, struct gf_text *text)
{
    switch (param->type) {
    case GF_PARAM_INT:
        gf_text_string(text, "a whole number");
        break;
    case GF_PARAM_NUMBER:
        gf_text_string(text, "a number");
        break;
    case GF_PARAM_INTENSITY:
        gf_text_string(text, "a fraction of full scale, as 0.5, 50%, 128u8 or 32768u16");
        break;
    case GF_PARAM_BOOL:
        gf_text_string(text, "on or off");
        break;
    case GF_PARAM_CHOICE:
        gf_text_string(text, "one of");
        for (const char *c = param->choices; *c; c += strcspn(c, "|"), c += *c == '|') {
            gf_text_append(text, " %.*s", (int)strcspn(c, "|"), c);
        }
        break;
    case GF_PARAM_RECT:
        gf_text_string(text, "WIDTHxHEIGHT+X+Y, as 640x480+0+0");
        break;
    case GF_PARAM_CHANNELS:
        gf_text_string(text, "letters of rgba, numbers from 0 to 27 as 0+2, all or luma");
        break;
    case GF_PARAM_TEXT:
        gf_text_string(text, "a text");
        break;
    case GF_PARAM_LIST:
        gf_param_describe_list(param, text);
        break;
    case GF_PARAM_PICTURE:
        gf_text_string(text, "a file, as @other.png, or the name of an input");
        break;
    case GF_PARAM_ROI:
        gf_text_string(text, "WIDTHxHEIGHT+X+Y, as 640x480+0+0, or ellipse@WIDTHxHEIGHT+X+Y");
        break;
    case GF_PARAM_SPAN:
        gf_text_string(text, "two numbers, as 300-3400");
        break;
    }
    if (param->unit &&
        (param->type == GF_PARAM_INT || param->type == GF_PARAM_NUMBER || param->type == GF_PARAM_SPAN)) {
        gf_text_append(text, " (%s)", param->unit);
    }
    if (param->auto_word) {
        gf_text_append(text, " or %s", param->auto_word);
    }
}

gf_status gf_param_wrong_form(const gf_param *param, const struct gf_argument *a, struct gf_text *why)
{
    if (a->kind == GF_ARGUMENT_LIST || a->kind == GF_ARGUMENT_FILE) {
        gf_text_append(why, "%s takes ", param->name);
        gf_param_describe(param, why);
        gf_text_string(why, a->kind == GF_ARGUMENT_LIST ? ", not a list" : ", not a file");
        return GF_ERROR_PARSE;
    }
    if (param->type == GF_PARAM_CHOICE) { /* the words follow on a line of their own */
        gf_text_append(why, "no %s '", param->name);
        gf_text_plain(why, a->text, a->length, SHOWN_COLUMNS);
        gf_text_string(why, "'");
        return GF_ERROR_PARSE;
    }
    gf_text_append(why, "%s is '", param->name);
    gf_text_plain(why, a->text, a->length, SHOWN_COLUMNS);
    gf_text_string(why, "', must be ");
    gf_param_describe(param, why);
    return GF_ERROR_PARSE;
}

gf_status gf_param_out_of_range(const gf_param *param, const struct gf_argument *a, const char *must_be,
                                struct gf_text *why)
{
    gf_text_append(why, "%s is ", param->name);
    gf_text_plain(why, a->text, a->length, SHOWN_COLUMNS);
    gf_text_append(why, ", must be %s", must_be);
    return GF_ERROR_ARGUMENT;
}

/* ---- words ---- */

static gf_status read_bool(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                           struct gf_text *why)
{
    static const char *const words[] = {"off", "on", "false", "true", "0", "1"};
    for (int i = 0; i < 6; i++) {
        if (gf_param_equal(a->text, a->length, words[i])) {
            value->word = i & 1;
            return GF_OK;
        }
    }
    return gf_param_wrong_form(param, a, why);
}

static gf_status read_choice(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                             struct gf_text *why)
{
    const char *c = param->choices;
    for (int32_t i = 0; *c; i++) {
        size_t n = strcspn(c, "|");
        if (n == a->length && memcmp(c, a->text, n) == 0) {
            value->word = i;
            return GF_OK;
        }
        c += n + (c[n] == '|');
    }
    return gf_param_wrong_form(param, a, why);
}

/* A number, and a + behind it where one more follows; -1: there is none below GF_CHANNELS_NAMED. */
static int32_t read_channel_number(const struct gf_argument *a, size_t *at)
{
    int32_t number = -1;
    for (; *at < a->length && a->text[*at] >= '0' && a->text[*at] <= '9' && number < 100; ++*at) {
        number = 10 * (number < 0 ? 0 : number) + (a->text[*at] - '0');
    }
    const bool ends = *at == a->length || (a->text[*at] == '+' && ++*at < a->length);
    return ends && number < GF_CHANNELS_NAMED ? number : -1;
}

/* all, luma, letters of rgba each once, or numbers each once with + between them */
static gf_status read_channels(const gf_param *param, const struct gf_argument *a,
                               union gf_param_value *value, struct gf_text *why)
{
    bool digits = a->length > 0 && a->text[0] >= '0' && a->text[0] <= '9';
    int32_t bits = 0;
    if (gf_param_equal(a->text, a->length, "all") || gf_param_equal(a->text, a->length, "luma")) {
        value->word = a->text[0] == 'a' ? GF_CHANNELS_ALL : GF_CHANNELS_LUMA;
        return GF_OK;
    }
    for (size_t i = 0; i < a->length;) {
        const char word[] = {digits ? '\0' : a->text[i++], '\0'};
        const int32_t number = digits ? read_channel_number(a, &i) : (int32_t)strcspn("rgba", word);
        if (number < 0 || (!digits && number > 3)) {
            return gf_param_wrong_form(param, a, why);
        }
        const int32_t bit = !digits && number == 3 ? GF_CHANNELS_ALPHA : 1 << number;
        if (bits & bit) {
            return gf_param_out_of_range(param, a, "channels named once each", why);
        }
        bits |= bit;
    }
    value->word = bits;
    return bits ? GF_OK : gf_param_wrong_form(param, a, why);
}

static void write_channels(int32_t bits, struct gf_text *text)
{
    if (bits & (GF_CHANNELS_ALL | GF_CHANNELS_LUMA)) {
        gf_text_string(text, bits & GF_CHANNELS_ALL ? "all" : "luma");
        return;
    }
    const bool numbers = bits & ((1 << GF_CHANNELS_NAMED) - 8); /* from 3 on: `a` is the last one */
    bool first = true;
    for (int c = 0; c < GF_CHANNELS_NAMED; c++) {
        if (!(bits >> c & 1)) {
            continue;
        }
        if (numbers) {
            gf_text_append(text, "%s%d", first ? "" : "+", c);
        } else {
            gf_text_bytes(text, &"rgb"[c], 1);
        }
        first = false;
    }
    gf_text_string(text, bits & GF_CHANNELS_ALPHA ? "a" : "");
}

static gf_status read_text(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                           struct gf_text *why)
{
    if (a->length >= GF_PARAM_TEXT_SIZE) {
        gf_text_append(why, "%s has %zu bytes, must have at most %d", param->name, a->length,
                       GF_PARAM_TEXT_SIZE - 1);
        return GF_ERROR_ARGUMENT;
    }
    memcpy(value->text, a->text, a->length);
    return GF_OK;
}

/* ---- all types ---- */

gf_status gf_param_value_read(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                              struct gf_text *why)
{
    memset(value, 0, gf_param_size(param->type));
    if (param->type == GF_PARAM_LIST) {
        return gf_param_read_list(param, a, value, why);
    }
    if (param->type == GF_PARAM_PICTURE) {
        return gf_param_read_picture(param, a, value, why);
    }
    if (a->kind == GF_ARGUMENT_LIST || a->kind == GF_ARGUMENT_FILE) {
        return gf_param_wrong_form(param, a, why);
    }
    if (param->auto_word && gf_param_equal(a->text, a->length, param->auto_word)) {
        if (param->type == GF_PARAM_INT) {
            value->integer = GF_AUTO;
        } else {
            value->number = GF_AUTO;
        }
        return GF_OK;
    }
    switch (param->type) {
    case GF_PARAM_INT:
        return gf_param_read_int(param, a, value, why);
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
        return gf_param_read_number(param, a, value, why);
    case GF_PARAM_BOOL:
        return read_bool(param, a, value, why);
    case GF_PARAM_CHOICE:
        return read_choice(param, a, value, why);
    case GF_PARAM_RECT:
        return gf_param_read_rect(param, a, &value->rect, why);
    case GF_PARAM_ROI:
        return gf_param_read_region(param, a, &value->roi, why);
    case GF_PARAM_SPAN:
        return gf_param_read_span(param, a, value, why);
    case GF_PARAM_CHANNELS:
        return read_channels(param, a, value, why);
    case GF_PARAM_TEXT:
        return read_text(param, a, value, why);
    case GF_PARAM_LIST:
    case GF_PARAM_PICTURE:
        break; /* above */
    }
    return gf_param_wrong_form(param, a, why);
}

gf_status gf_param_value_default(const gf_param *param, union gf_param_value *value, struct gf_text *why)
{
    memset(value, 0, gf_param_size(param->type));
    if (!param->text || !param->text[0]) {
        if (param->auto_word && param->type == GF_PARAM_INT) {
            value->integer = GF_AUTO;
        } else if (param->auto_word) {
            value->number = GF_AUTO;
        }
        return GF_OK;
    }
    struct gf_argument a = {GF_ARGUMENT_BARE, param->text, strlen(param->text)};
    return gf_param_value_read(param, &a, value, why);
}

void gf_param_value_write(const gf_param *param, const union gf_param_value *value, struct gf_text *text)
{
    const char *choice = param->choices;
    switch (param->type) {
    case GF_PARAM_INT:
        if (param->auto_word && value->integer == GF_AUTO) {
            gf_text_string(text, param->auto_word);
        } else {
            gf_text_append(text, "%" PRId64, value->integer);
        }
        break;
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
        if (param->auto_word && value->number == GF_AUTO) {
            gf_text_string(text, param->auto_word);
        } else {
            gf_text_number(text, value->number);
        }
        break;
    case GF_PARAM_BOOL:
        gf_text_string(text, value->word ? "on" : "off");
        break;
    case GF_PARAM_CHOICE:
        for (int32_t i = 0; i < value->word; i++) {
            choice += strcspn(choice, "|") + 1;
        }
        gf_text_bytes(text, choice, strcspn(choice, "|"));
        break;
    case GF_PARAM_RECT:
        gf_param_write_region(&(gf_roi){.rect = value->rect}, text);
        break;
    case GF_PARAM_ROI:
        gf_param_write_region(&value->roi, text);
        break;
    case GF_PARAM_SPAN:
        if (value->span.low < value->span.high) {
            gf_text_number(text, value->span.low);
            gf_text_string(text, "-");
            gf_text_number(text, value->span.high);
        }
        break;
    case GF_PARAM_CHANNELS:
        write_channels(value->word, text);
        break;
    case GF_PARAM_TEXT:
        gf_text_string(text, value->text);
        break;
    case GF_PARAM_LIST:
        gf_param_write_list(&value->list, text);
        break;
    case GF_PARAM_PICTURE:
        gf_text_string(text, value->picture.name);
        break;
    }
}
