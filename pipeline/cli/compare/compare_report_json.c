/* What `gpufilter compare` says as JSON; docs/command-line.md has the fields. */
#include "compare/compare_report.h"

#include <inttypes.h>
#include <math.h>

void compare_json_measure(struct buffer *text, const char *name, double value)
{
    buffer_printf(text, ",\"%s\":", name);
    if (!isfinite(value)) {
        buffer_add(text, isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
    } else {
        buffer_json_number(text, value);
    }
}

static void json_files(struct buffer *text, const struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        const gf_shape *shape = &pair->shapes[i];
        buffer_printf(text, ",\"%s\":", i == 0 ? "a" : "b");
        if (!pair->paths[i]) {
            buffer_add(text, "null");
            continue;
        }
        buffer_add(text, "{\"path\":");
        buffer_json_text(text, pair->paths[i]);
        buffer_printf(text,
                      shape->width ? ",\"width\":%" PRId64 ",\"height\":%" PRId64
                                     ",\"channels\":%d,\"depth\":\"%s\"}"
                                   : "}",
                      shape->width, shape->height, shape->channels, gf_depth_name(shape->depth));
    }
}

static void json_place(struct buffer *text, const char *name, bool there, const gf_compare_place *place)
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

static void json_channels(struct buffer *text, const gf_comparison *c)
{
    buffer_add(text, ",\"by_channel\":[");
    for (int32_t i = 0; i < c->channels; i++) {
        buffer_printf(text, "%s{\"count\":%" PRIu64, i ? "," : "", c->channel[i].count);
        compare_json_measure(text, "share", c->pixels ? (double)c->channel[i].count / (double)c->pixels : 0);
        compare_json_measure(text, "max_diff", c->channel[i].largest);
        buffer_add(text, "}");
    }
    buffer_add(text, "]");
}

/* A number, or null where it was not asked for or is not defined. */
static void json_metric(struct buffer *text, const char *name, double value)
{
    isnan(value) ? buffer_printf(text, ",\"%s\":null", name) : compare_json_measure(text, name, value);
}

static void json_measures(struct buffer *text, const struct pair *pair)
{
    const gf_comparison *c = &pair->c;
    static const char *const by[] = {"samples", "yiq", "ciede2000"};
    buffer_printf(text,
                  ",\"by\":\"%s\",\"pixels\":%" PRIu64 ",\"pixel_count\":%" PRIu64 ",\"antialiased\":%" PRIu64
                  ",\"ignored\":%" PRIu64 ",\"nans\":%" PRIu64,
                  by[c->by], c->pixels, c->pixel_count, c->antialiased, c->ignored, c->nans);
    compare_json_measure(text, "mean", c->mean);
    json_metric(text, "ssim", c->ssim);
    json_metric(text, "ssim_uniform", c->ssim_uniform);
    json_metric(text, "ms_ssim", c->ms_ssim);
    json_metric(text, "ciede2000_mean", c->ciede2000_mean);
    json_metric(text, "ciede2000_largest", c->ciede2000_largest);
    json_metric(text, "ciede2000_share", c->ciede2000_share);
    if (c->box.w) {
        buffer_printf(text,
                      ",\"box\":{\"x\":%" PRId64 ",\"y\":%" PRId64 ",\"w\":%" PRId64 ",\"h\":%" PRId64 "}",
                      c->box.x, c->box.y, c->box.w, c->box.h);
    } else {
        buffer_add(text, ",\"box\":null");
    }
    if (pair->shift.pixels) {
        buffer_printf(text,
                      ",\"shift\":{\"x\":%d,\"y\":%d,\"pixels\":%" PRIu64 ",\"pixel_count\":%" PRIu64 "}",
                      pair->shift.dx, pair->shift.dy, pair->shift.pixels, pair->shift.pixel_count);
    } else {
        buffer_add(text, ",\"shift\":null");
    }
}

/* The file of --diff, and the difference that is white in it: 0 where all of it is black. */
static void json_diff(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    static const char *const styles[] = {"marks", "difference", "mask"};
    if (!criteria->diff || pair->name || pair->form) {
        buffer_add(text, ",\"diff\":null}");
        return;
    }
    buffer_add(text, ",\"diff\":{\"path\":");
    buffer_json_text(text, criteria->diff);
    compare_json_measure(text, "white", pair->c.count ? pair->c.largest : 0);
    buffer_printf(text, ",\"style\":\"%s\"}}", styles[criteria->style]);
}

static void json_reason(struct buffer *text, const struct pair *pair)
{
    const bool failed = pair->verdict == VERDICT_FAILED, passes = verdict_passes(pair->verdict);
    buffer_printf(text, "{\"equal\":%s,\"identical\":%s,\"verdict\":\"%s\",\"reason\":",
                  failed   ? "null"
                  : passes ? "true"
                           : "false",
                  failed                                                           ? "null"
                  : pair->same_bytes || (passes && pair->verdict == VERDICT_EQUAL) ? "true"
                                                                                   : "false",
                  verdict_word(pair->verdict));
    const char *reason = failed ? "error" : pair->form;
    buffer_printf(text, reason ? "\"%s\"" : "null", reason);
    buffer_add(text, pair->same_bytes ? ",\"same_bytes\":true" : "");
    if (pair->name) {
        buffer_add(text, ",\"name\":");
        buffer_json_name(text, pair->name);
    }
    if (failed) {
        buffer_add(text, ",\"error\":");
        buffer_json_text(text, pair->error.message);
    }
    for (int i = 0; i < 2; i++) {
        buffer_printf(text, pair->hash[i][0] ? ",\"%s\":\"%s\"" : "", i ? "hash" : "expected", pair->hash[i]);
    }
}

void compare_report_json(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    const gf_comparison *c = &pair->c;
    json_reason(text, pair);
    json_files(text, pair);
    if (pair->form) {
        buffer_add(text,
                   ",\"samples\":0,\"count\":0,\"share\":0,\"max_diff\":null,\"psnr\":null,\"first\":null,"
                   "\"largest\":null,\"by_channel\":[]");
    } else if (c->channels > 0) {
        buffer_printf(text, ",\"samples\":%" PRIu64 ",\"count\":%" PRIu64, c->samples, c->count);
        compare_json_measure(text, "share", c->samples ? (double)c->count / (double)c->samples : 0);
        compare_json_measure(text, "max_diff", c->largest);
        json_metric(text, "psnr", c->psnr);
        json_place(text, "first", c->count > 0, &c->first);
        json_place(text, "largest", !c->identical, &c->most);
        json_channels(text, c);
        json_measures(text, pair);
    }
    json_diff(text, criteria, pair);
}

void compare_report_error(struct buffer *text, const char *message)
{
    buffer_add(text, "{\"equal\":null,\"identical\":null,\"reason\":\"error\",\"error\":");
    buffer_json_text(text, message);
    buffer_add(text, "}\n");
}
