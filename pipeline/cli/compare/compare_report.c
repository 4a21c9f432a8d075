#include "compare/compare_report.h"

#include "base/argument_value.h"
#include "base/output_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what would pass ---- */

static double allowed_count(const struct criteria *criteria, const struct comparison *c)
{
    return !criteria->has_count         ? 0
           : criteria->count_is_percent ? criteria->max_count / 100 * (double)c->samples
                                        : criteria->max_count;
}

static bool has_few_enough(const struct criteria *criteria, const struct comparison *c)
{
    bool psnr_alone = criteria->has_psnr && !criteria->has_count && !criteria->has_diff;
    return psnr_alone || (double)c->count <= allowed_count(criteria, c);
}

static bool has_psnr_enough(const struct criteria *criteria, const struct comparison *c)
{
    return !criteria->has_psnr || c->psnr >= criteria->psnr;
}

bool compare_is_within(const struct criteria *criteria, const struct comparison *c)
{
    return has_few_enough(criteria, c) && has_psnr_enough(criteria, c);
}

/* The shortest number of at least two digits that is not below `value`, as a word for an option. */
static void round_up(double value, char word[32])
{
    for (int digits = 2; digits <= 17; digits++) {
        int exponent = (int)floor(log10(value)), decimals = digits - 1 - exponent;
        double step = pow(10, -decimals), up = ceil(value / step - 1e-6) * step;
        snprintf(word, 32, exponent < -5 ? "%.*g" : "%.*f",
                 exponent < -5  ? digits
                 : decimals > 0 ? decimals
                                : 0,
                 up);
        double read = strtod(word, NULL);
        if (read >= value && (read <= value * 1.1 || digits == 17)) {
            return;
        }
    }
    snprintf(word, 32, "%.17g", value);
}

/* The percentage with which so many samples pass. */
static void percent_word(const struct comparison *c, char word[32])
{
    double percent = 100 * (double)c->count / (double)c->samples;
    round_up(percent, word);
    while (strtod(word, NULL) / 100 * (double)c->samples < (double)c->count) { /* rounded once more */
        percent *= 1 + 1e-15;
        snprintf(word, 32, "%.17g", percent);
    }
}

static void diff_word(const struct comparison *c, gf_depth depth, char word[32])
{
    if (depth == GF_F32 || depth == GF_F64) {
        round_up(c->largest, word);
    } else {
        snprintf(word, 32, "%.17g", c->largest);
    }
}

static void psnr_word(const struct comparison *c, char word[32])
{
    snprintf(word, 32, "%.2f", floor(c->psnr * 100) / 100);
}

static void add_passes(struct buffer *text, const struct criteria *criteria, gf_depth depth,
                       const struct comparison *c)
{
    char word[32];
    bool few = has_few_enough(criteria, c), clear = has_psnr_enough(criteria, c);
    if ((few && clear) || (!clear && !(c->psnr >= 0))) {
        return;
    }
    buffer_add(text, "  passes     with ");
    if (!few && isfinite(c->largest)) {
        diff_word(c, depth, word);
        buffer_printf(text, "--max-diff %s or ", word);
    }
    if (!few) {
        percent_word(c, word);
        buffer_printf(text, "--max-count %s%%%s", word, clear ? "" : ", and ");
    }
    if (!clear) {
        psnr_word(c, word);
        buffer_printf(text, "--psnr %s", word);
    }
    buffer_add(text, "\n");
}

/* ---- text ---- */

static const char *channel_name(int32_t channels, int32_t channel)
{
    static const char *const gray[] = {"gray", "alpha"}, *const colour[] = {"r", "g", "b", "alpha"};
    return channels > 4 || channels < 1 ? "?" : channels <= 2 ? gray[channel] : colour[channel];
}

static void add_value(struct buffer *text, double value, gf_depth depth)
{
    buffer_printf(text, depth == GF_F32 ? "%.9g" : "%.17g", value);
}

static void add_place(struct buffer *text, const struct sample_place *place, gf_depth depth)
{
    buffer_printf(text, "x %" PRId64 " y %" PRId64 " channel %d: ", place->x, place->y, place->channel);
    add_value(text, place->a, depth);
    buffer_add(text, " and ");
    add_value(text, place->b, depth);
    buffer_add(text, "\n");
}

static double percent_of(uint64_t count, uint64_t samples)
{
    return 100 * (double)count / (double)samples;
}

static void add_channels(struct buffer *text, const gf_shape *shape, const struct comparison *c)
{
    uint64_t samples = c->samples / (uint64_t)c->channels;
    for (int32_t i = 0; i < c->channels && c->channels > 1; i++) {
        buffer_printf(text, "%s%d (%s) %.3g%%, largest ", i == 0 ? "  channels   " : "; ", i,
                      channel_name(shape->channels, i), percent_of(c->channel[i].count, samples));
        add_value(text, c->channel[i].largest, shape->depth);
    }
    buffer_add(text, c->channels > 1 ? "\n" : "");
}

/* Says what the picture of --diff shows. */
static void add_scale(struct buffer *text, const struct criteria *criteria, gf_depth depth,
                      const struct comparison *c)
{
    if (!criteria->diff) {
        return;
    }
    buffer_add(text, "  diff       ");
    output_add_name(text, criteria->diff);
    if (c->count == 0) {
        buffer_add(text,
                   c->identical ? ": black, nothing differs\n" : ": black, all is within the tolerance\n");
        return;
    }
    buffer_add(text, ": white is ");
    add_value(text, c->largest, depth);
    buffer_printf(text, ", black at most %.10g\n", c->max_diff);
}

void compare_add_names(struct buffer *text, const struct criteria *criteria)
{
    output_add_name(text, criteria->paths[0]);
    buffer_add(text, " and ");
    output_add_name(text, criteria->paths[1]);
}

static void add_text(struct buffer *text, const struct criteria *criteria, const gf_shape *shape,
                     const struct comparison *c)
{
    compare_add_names(text, criteria);
    buffer_printf(text, " %s: %" PRId64 " x %" PRId64 " %s %s\n",
                  c->identical                     ? "are equal"
                  : compare_is_within(criteria, c) ? "are equal within the tolerance"
                                                   : "differ",
                  c->area.w, c->area.h, channels_word(c->channels), gf_depth_name(shape->depth));
    if (!c->identical) {
        buffer_printf(text, "  differing  %" PRIu64 " of %" PRIu64 " samples (%.3g%%) by more than %.10g\n",
                      c->count, c->samples, percent_of(c->count, c->samples), c->max_diff);
        buffer_add(text, "  largest    ");
        add_value(text, c->largest, shape->depth);
        buffer_add(text, " at ");
        add_place(text, &c->most, shape->depth);
        if (!isnan(c->psnr)) {
            buffer_printf(text, "  PSNR       %.2f dB\n", c->psnr);
        }
        if (c->count > 0) {
            buffer_add(text, "  first      ");
            add_place(text, &c->first, shape->depth);
        }
        add_channels(text, shape, c);
        add_passes(text, criteria, shape->depth, c);
    }
    add_scale(text, criteria, shape->depth, c);
}

/* ---- JSON ---- */

void compare_json_measure(struct buffer *text, const char *name, double value)
{
    buffer_printf(text, ",\"%s\":", name);
    if (!isfinite(value)) {
        buffer_add(text, isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
    } else {
        buffer_json_number(text, value);
    }
}

static void json_files(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2])
{
    for (int i = 0; i < 2; i++) {
        buffer_printf(text, ",\"%s\":{\"path\":", i == 0 ? "a" : "b");
        buffer_json_text(text, criteria->paths[i]);
        buffer_printf(text, ",\"width\":%" PRId64 ",\"height\":%" PRId64 ",\"channels\":%d,\"depth\":\"%s\"}",
                      shapes[i].width, shapes[i].height, shapes[i].channels, gf_depth_name(shapes[i].depth));
    }
}

static void json_place(struct buffer *text, const char *name, bool there, const struct sample_place *place)
{
    if (!there) {
        buffer_printf(text, ",\"%s\":null", name);
        return;
    }
    buffer_printf(text, ",\"%s\":{\"x\":%" PRId64 ",\"y\":%" PRId64 ",\"channel\":%d", name, place->x,
                  place->y, place->channel);
    compare_json_measure(text, "a", place->a);
    compare_json_measure(text, "b", place->b);
    buffer_add(text, "}");
}

static void json_channels(struct buffer *text, const struct comparison *c)
{
    buffer_add(text, ",\"by_channel\":[");
    for (int32_t i = 0; i < c->channels; i++) {
        buffer_printf(text, "%s{\"count\":%" PRIu64, i ? "," : "", c->channel[i].count);
        compare_json_measure(text, "share",
                             (double)c->channel[i].count / (double)(c->samples / (uint64_t)c->channels));
        compare_json_measure(text, "max_diff", c->channel[i].largest);
        buffer_add(text, "}");
    }
    buffer_add(text, "]");
}

/* The file of --diff, and the difference that is white in it: 0 where all of it is black. */
static void json_diff(struct buffer *text, const struct criteria *criteria, const struct comparison *c)
{
    if (!criteria->diff) {
        buffer_add(text, ",\"diff\":null}\n");
        return;
    }
    buffer_add(text, ",\"diff\":{\"path\":");
    buffer_json_text(text, criteria->diff);
    compare_json_measure(text, "white", c->count ? c->largest : 0);
    buffer_add(text, "}}\n");
}

static void add_json(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2],
                     const struct comparison *c)
{
    buffer_printf(text, "{\"equal\":%s,\"identical\":%s,\"reason\":null",
                  compare_is_within(criteria, c) ? "true" : "false", c->identical ? "true" : "false");
    json_files(text, criteria, shapes);
    buffer_printf(text, ",\"samples\":%" PRIu64 ",\"count\":%" PRIu64, c->samples, c->count);
    compare_json_measure(text, "share", (double)c->count / (double)c->samples);
    compare_json_measure(text, "max_diff", c->largest);
    isnan(c->psnr) ? buffer_add(text, ",\"psnr\":null") : compare_json_measure(text, "psnr", c->psnr);
    json_place(text, "first", c->count > 0, &c->first);
    json_place(text, "largest", !c->identical, &c->most);
    json_channels(text, c);
    json_diff(text, criteria, c);
}

/* ---- all of it ---- */

void compare_report(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2],
                    const struct comparison *c)
{
    if (criteria->json) {
        add_json(text, criteria, shapes, c);
    } else {
        add_text(text, criteria, &shapes[0], c);
    }
}

void compare_report_form(struct buffer *text, const struct criteria *criteria, const gf_shape shapes[2],
                         const char *what)
{
    if (criteria->json) {
        buffer_printf(text, "{\"equal\":false,\"identical\":false,\"reason\":\"%s\"", what);
        json_files(text, criteria, shapes);
        buffer_add(text,
                   ",\"samples\":0,\"count\":0,\"share\":0,\"max_diff\":null,\"psnr\":null,\"first\":null,"
                   "\"largest\":null,\"by_channel\":[],\"diff\":null}\n");
        return;
    }
    compare_add_names(text, criteria);
    buffer_printf(text, " differ in %s:\n", what);
    for (int i = 0; i < 2; i++) {
        buffer_add(text, "  ");
        output_add_name(text, criteria->paths[i]);
        buffer_printf(text, ": %" PRId64 " x %" PRId64 " %s %s\n", shapes[i].width, shapes[i].height,
                      channels_word(shapes[i].channels), gf_depth_name(shapes[i].depth));
    }
}

void compare_report_error(struct buffer *text, const char *message)
{
    buffer_add(text, "{\"equal\":null,\"identical\":null,\"reason\":\"error\",\"error\":");
    buffer_json_text(text, message);
    buffer_add(text, "}\n");
}
