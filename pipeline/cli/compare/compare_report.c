#include "compare/compare_report.h"

#include "base/argument_value.h"
#include "base/output_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what would pass ---- */

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

/* The percentage with which so many pass. */
static void percent_word(uint64_t count, uint64_t of, char word[32])
{
    double percent = 100 * (double)count / (double)of;
    round_up(percent, word);
    while (strtod(word, NULL) / 100 * (double)of < (double)count) { /* rounded once more */
        percent *= 1 + 1e-15;
        snprintf(word, 32, "%.17g", percent);
    }
}

static void diff_word(const gf_comparison *c, gf_depth depth, char word[32])
{
    if (depth == GF_F32 || depth == GF_F64) {
        round_up(c->largest, word);
    } else {
        snprintf(word, 32, "%.17g", c->largest);
    }
}

/* A quality with so many decimals, rounded down. */
static void quality_word(double value, double decimals, char word[32])
{
    snprintf(word, 32, "%.*f", decimals > 100 ? 4 : 2, floor(value * decimals) / decimals);
}

static void add_passes(struct buffer *text, const struct criteria *criteria, gf_depth depth,
                       const gf_comparison *c)
{
    const struct {
        const char *option;
        bool asked;
        double least, found, decimals;
    } qualities[] = {{"--psnr", criteria->has_psnr, criteria->psnr, c->psnr, 100},
                     {"--ssim", criteria->has_ssim, criteria->ssim, c->ssim, 10000},
                     {"--ms-ssim", criteria->has_ms_ssim, criteria->ms_ssim, c->ms_ssim, 10000}};
    char word[32];
    const bool few = criteria_allow_count(criteria, c);
    const char *before = "  passes     with ";
    for (int i = 0; i < 3; i++) {
        if (qualities[i].asked && !(qualities[i].found >= 0)) {
            return; /* it cannot */
        }
    }
    if (!few && criteria->by == GF_COMPARE_BY_SAMPLES && isfinite(c->largest)) {
        diff_word(c, depth, word);
        buffer_printf(text, "%s--max-diff %s", before, word);
        before = " or ";
    }
    if (!few) {
        const bool pixels = criteria->by != GF_COMPARE_BY_SAMPLES || criteria->has_allow;
        percent_word(pixels ? c->pixel_count : c->count, pixels ? c->pixels : c->samples, word);
        buffer_printf(text, "%s--%s %s%%", before, pixels ? "allow" : "max-count", word);
        before = ", and ";
    }
    for (int i = 0; i < 3; i++) {
        if (qualities[i].asked && !(qualities[i].found >= qualities[i].least)) {
            quality_word(qualities[i].found, qualities[i].decimals, word);
            buffer_printf(text, "%s%s %s", before, qualities[i].option, word);
            before = ", and ";
        }
    }
    buffer_add(text, *before == ' ' && before[1] == ' ' ? "" : "\n");
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

static void add_place(struct buffer *text, const gf_compare_place *place, gf_depth depth)
{
    buffer_printf(text, "x %" PRId64 " y %" PRId64 " channel %d: ", place->x, place->y, place->channel);
    add_value(text, place->a, depth);
    buffer_add(text, " and ");
    add_value(text, place->b, depth);
    buffer_add(text, "\n");
}

static double percent_of(uint64_t count, uint64_t samples)
{
    return samples ? 100 * (double)count / (double)samples : 0;
}

static void add_channels(struct buffer *text, const gf_shape *shape, const gf_comparison *c)
{
    const uint64_t samples = c->pixels;
    for (int32_t i = 0; i < c->channels && c->channels > 1; i++) {
        buffer_printf(text, "%s%d (%s) %.3g%%, largest ", i == 0 ? "  channels   " : "; ", i,
                      channel_name(shape->channels, i), percent_of(c->channel[i].count, samples));
        add_value(text, c->channel[i].largest, shape->depth);
    }
    buffer_add(text, c->channels > 1 ? "\n" : "");
}

/* Says what the picture of --diff shows. */
static void add_scale(struct buffer *text, const struct criteria *criteria, gf_depth depth,
                      const gf_comparison *c)
{
    if (!criteria->diff) {
        return;
    }
    buffer_add(text, "  diff       ");
    output_add_name(text, criteria->diff);
    if (criteria->style != STYLE_DIFFERENCE) {
        buffer_add(text, criteria->style == STYLE_MASK ? ": white are the pixels that differ\n"
                                                       : ": A, faded; red are the pixels that differ\n");
        return;
    }
    if (c->count == 0) {
        buffer_add(text,
                   c->identical ? ": black, nothing differs\n" : ": black, all is within the tolerance\n");
        return;
    }
    buffer_add(text, ": white is ");
    add_value(text, c->largest, depth);
    buffer_printf(text, ", black at most %.10g\n", criteria->by == GF_COMPARE_BY_SAMPLES ? c->max_diff : 0);
}

/* What was measured besides, a line each. */
static void add_metrics(struct buffer *text, const struct criteria *criteria, const gf_comparison *c)
{
    const struct {
        uint32_t bit;
        const char *name;
        double value;
    } similar[] = {{GF_COMPARE_SSIM, "SSIM      ", c->ssim},
                   {GF_COMPARE_SSIM_UNIFORM, "SSIM 7x7  ", c->ssim_uniform},
                   {GF_COMPARE_MS_SSIM, "MS-SSIM   ", c->ms_ssim}};
    for (int i = 0; i < 3; i++) {
        if (criteria->metrics & similar[i].bit) {
            buffer_printf(text, isnan(similar[i].value) ? "  %s not defined\n" : "  %s %.6f\n",
                          similar[i].name, similar[i].value);
        }
    }
    if (criteria->metrics & GF_COMPARE_CIEDE2000) {
        buffer_printf(text, "  CIEDE2000  mean %.4g, largest %.4g, %.3g%% of the pixels above 1\n",
                      c->ciede2000_mean, c->ciede2000_largest, 100 * c->ciede2000_share);
    }
    if (c->antialiased > 0) {
        buffer_printf(text, "  edges      %" PRIu64 " pixels smooth an edge, and do not count\n",
                      c->antialiased);
    }
    if (c->ignored > 0) {
        buffer_printf(text, "  ignored    %" PRIu64 " pixels\n", c->ignored);
    }
}

/* By how much B is moved. */
static void add_shift(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    const int dx = pair->shift.dx, dy = pair->shift.dy;
    if (pair->verdict == VERDICT_MOVED) {
        buffer_add(text, "  moved      by ");
        buffer_printf(text, dx ? "%d to the %s" : "", abs(dx), dx < 0 ? "left" : "right");
        buffer_printf(text, dy ? "%s%d %s" : "", dx ? " and " : "", abs(dy), dy < 0 ? "up" : "down");
        buffer_printf(text, "; then %" PRIu64 " of %" PRIu64 " pixels differ\n", pair->shift.pixel_count,
                      pair->shift.pixels);
    } else if (pair->verdict == VERDICT_CHANGED && criteria->shift > 0) {
        buffer_printf(text, "  moved      by no shift of up to %" PRId64 "\n", criteria->shift);
    }
}

void compare_add_names(struct buffer *text, const struct criteria *criteria)
{
    output_add_name(text, criteria->paths[0]);
    buffer_add(text, " and ");
    output_add_name(text, criteria->paths[1]);
}

/* How many samples differ, or, where colours are judged, pixels. */
static void add_counts(struct buffer *text, const struct criteria *criteria, const gf_comparison *c)
{
    if (criteria->by == GF_COMPARE_BY_SAMPLES) {
        buffer_printf(text, "%" PRIu64 " of %" PRIu64 " samples (%.3g%%) by more than %.10g", c->count,
                      c->samples, percent_of(c->count, c->samples), c->max_diff);
    } else {
        buffer_printf(text, "%" PRIu64 " of %" PRIu64 " pixels (%.3g%%) by more than %.10g of %s",
                      c->pixel_count, c->pixels, percent_of(c->pixel_count, c->pixels), c->max_diff,
                      criteria->by == GF_COMPARE_BY_YIQ ? "YIQ" : "CIEDE2000");
    }
}

static void add_text(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    const gf_comparison *c = &pair->c;
    const gf_shape *shape = &pair->shapes[0];
    compare_add_names(text, criteria);
    buffer_printf(text, " %s: %" PRId64 " x %" PRId64 " %s %s\n",
                  pair->verdict == VERDICT_EQUAL    ? "are equal"
                  : pair->verdict == VERDICT_WITHIN ? "are equal within the tolerance"
                                                    : "differ",
                  c->area.w, c->area.h, channels_word(c->channels), gf_depth_name(shape->depth));
    if (!c->identical) {
        buffer_add(text, "  differing  ");
        add_counts(text, criteria, c);
        buffer_add(text, "\n  largest    ");
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
    }
    add_metrics(text, criteria, c);
    if (!c->identical) {
        add_shift(text, criteria, pair);
        add_passes(text, criteria, shape->depth, c);
    }
    add_scale(text, criteria, shape->depth, c);
}

void compare_report_why(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    const gf_comparison *c = &pair->c;
    if (pair->verdict == VERDICT_FAILED) {
        buffer_add(text, pair->error.message);
    } else if (pair->hash[0][0] || pair->hash[1][0]) {
        buffer_printf(text, pair->hash[1][0] ? "its hash is %s" : "", pair->hash[1]);
    } else if (pair->form) {
        buffer_printf(text, "another %s", pair->form);
        for (int i = 0; i < 2; i++) {
            const gf_shape *s = &pair->shapes[i];
            buffer_printf(text, "%s%" PRId64 " x %" PRId64 " %s %s", i ? ", and is " : ", it was ", s->width,
                          s->height, channels_word(s->channels), gf_depth_name(s->depth));
        }
    } else if (pair->verdict == VERDICT_MOVED) {
        buffer_printf(text, "by x %+d y %+d", pair->shift.dx, pair->shift.dy);
    } else if (pair->paths[0] && pair->paths[1] && c->channels > 0 && !c->identical) {
        add_counts(text, criteria, c);
        buffer_add(text, ", largest ");
        add_value(text, c->largest, pair->shapes[0].depth);
        buffer_printf(text, isnan(c->psnr) ? "" : ", PSNR %.2f dB", c->psnr);
    }
}

void compare_report_line(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    buffer_printf(text, "%-8s ", verdict_word(pair->verdict));
    output_add_name(text, pair->name);
    const size_t length = text->length;
    buffer_add(text, ": ");
    compare_report_why(text, criteria, pair);
    if (text->length == length + 2) { /* there is nothing to add */
        text->length = length;
    }
    buffer_add(text, "\n");
}

/* ---- all of it ---- */

/* Pictures that differ in form. */
static void add_form(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    compare_add_names(text, criteria);
    buffer_printf(text, " differ in %s:\n", pair->form);
    for (int i = 0; i < 2; i++) {
        const gf_shape *shape = &pair->shapes[i];
        buffer_add(text, "  ");
        output_add_name(text, pair->paths[i]);
        buffer_printf(text, ": %" PRId64 " x %" PRId64 " %s %s\n", shape->width, shape->height,
                      channels_word(shape->channels), gf_depth_name(shape->depth));
    }
}

void compare_report(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    if (criteria->json) {
        compare_report_json(text, criteria, pair);
        buffer_add(text, "\n");
    } else {
        (pair->form ? add_form : add_text)(text, criteria, pair);
    }
}
