#include "compare/compare_server.h"

#include "base/json_value.h"
#include "base/message.h"
#include "base/text_file.h"
#include "compare/compare_pair.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that was read. */
struct request {
    const char *object, *id; /* in the line */
    struct buffer base, compare, output;
    struct criteria criteria;
    gf_rect *ignore;
};

static gf_status refuse(const char *what)
{
    return cli_fail(GF_ERROR_ARGUMENT, "%s", what);
}

static gf_status take_path(const struct request *r, const char *name, bool needed, struct buffer *path)
{
    const char *value = json_member(r->object, name);
    const bool null = value && *value == 'n';
    if (!value || null) {
        return needed ? cli_fail(GF_ERROR_ARGUMENT, "the request has no \"%s\"", name) : GF_OK;
    }
    if (!json_text(value, path) || !path->length || !strcmp(path->data, "-")) { /* requests come there */
        return cli_fail(GF_ERROR_ARGUMENT, "\"%s\" is no name of a file", name);
    }
    return cli_need_memory(!path->failed);
}

static bool is_true(const char *options, const char *name)
{
    const char *value = options ? json_member(options, name) : NULL;
    return value && *value == 't';
}

/* Corners, of which the last is inside, as odiff has them, become a rectangle. */
static gf_status take_region(const char *region, gf_rect *rect)
{
    static const char *const names[4] = {"x1", "y1", "x2", "y2"};
    double corner[4];
    for (int i = 0; i < 4; i++) {
        const char *value = json_member(region, names[i]);
        if (!value || !json_number(value, &corner[i]) || corner[i] < 0 || corner[i] > 1e9 ||
            corner[i] != floor(corner[i])) {
            return refuse("each of \"ignoreRegions\" must have x1, y1, x2 and y2, whole numbers from 0");
        }
    }
    if (corner[2] < corner[0] || corner[3] < corner[1]) {
        return refuse("one of \"ignoreRegions\" ends before it begins");
    }
    *rect = (gf_rect){(int64_t)corner[0], (int64_t)corner[1], (int64_t)(corner[2] - corner[0]) + 1,
                      (int64_t)(corner[3] - corner[1]) + 1};
    return GF_OK;
}

static gf_status take_regions(struct request *r, const char *list)
{
    int64_t count = r->criteria.ignore_count;
    for (const char *at = json_first(list); at; at = json_next(at)) {
        count++;
    }
    r->ignore = malloc((size_t)(count ? count : 1) * sizeof *r->ignore);
    CLI_TRY(cli_need_memory(r->ignore != NULL));
    if (r->criteria.ignore_count > 0) {
        memcpy(r->ignore, r->criteria.ignore, (size_t)r->criteria.ignore_count * sizeof *r->ignore);
    }
    r->criteria.ignore = r->ignore;
    for (const char *at = json_first(list); at; at = json_next(at)) {
        CLI_TRY(take_region(at, &r->ignore[r->criteria.ignore_count++]));
    }
    return GF_OK;
}

/* Without any measure of its own or of the command line a request has odiff's: a threshold of 0.1. */
static gf_status take_options(struct request *r)
{
    struct criteria *c = &r->criteria;
    const char *options = json_member(r->object, "options");
    const char *threshold = options ? json_member(options, "threshold") : NULL;
    const char *regions = options ? json_member(options, "ignoreRegions") : NULL;
    if (options && *options != '{' && *options != 'n') {
        return refuse("\"options\" must be an object");
    }
    const bool own = c->has_diff || c->has_count || c->has_psnr || c->has_ssim || c->has_ms_ssim ||
                     c->by != GF_COMPARE_BY_SAMPLES;
    if (threshold || !own) {
        double value = 0.1;
        if (threshold && (!json_number(threshold, &value) || value < 0 || value > 1)) {
            return refuse("\"threshold\" must be a number from 0 to 1");
        }
        c->by = GF_COMPARE_BY_YIQ;
        c->max_diff = value;
        c->diff_white = 0;
    }
    c->antialias = c->antialias || is_true(options, "antialiasing");
    c->style = is_true(options, "outputDiffMask") ? STYLE_MASK : c->style;
    return regions && *regions != 'n' ? take_regions(r, regions) : GF_OK;
}

static gf_status answer(struct request *r, struct buffer *text)
{
    r->id = json_member(r->object, "requestId");
    CLI_TRY(take_path(r, "base", true, &r->base));
    CLI_TRY(take_path(r, "compare", true, &r->compare));
    CLI_TRY(take_path(r, "output", false, &r->output));
    CLI_TRY(take_options(r));
    struct pair pair = {.paths = {r->base.data, r->compare.data}, .error = GF_ERROR_INIT};
    gf_status status = pair_compare(&r->criteria, &pair, 0);
    const bool differs = status == GF_OK && !verdict_passes(pair.verdict);
    if (differs && !pair.form && r->output.data) {
        status = pair_draw(&r->criteria, &pair, r->output.data, 0);
    }
    pair_close(&pair);
    CLI_TRY(status);
    buffer_printf(text, "\"match\":%s", differs ? "false" : "true");
    if (differs) {
        buffer_add(text, pair.form                       ? ",\"reason\":\"layout-diff\""
                         : pair.verdict == VERDICT_MOVED ? ",\"reason\":\"moved\""
                                                         : ",\"reason\":\"pixel-diff\"");
    }
    if (differs && !pair.form) {
        buffer_printf(text, ",\"diffCount\":%" PRIu64 ",\"diffPercentage\":%.2f", pair.c.pixel_count,
                      100 * (double)pair.c.pixel_count / (double)(pair.c.pixels ? pair.c.pixels : 1));
    }
    return GF_OK;
}

void compare_answer(const struct criteria *base, const char *line, struct buffer *text)
{
    struct request r = {.object = line, .criteria = *base};
    struct buffer body = {0};
    gf_error error = GF_ERROR_INIT;
    cli_catch(&error);
    gf_status status = json_is_value(line) && line[strspn(line, " \t\r\n")] == '{'
                           ? answer(&r, &body)
                           : refuse("the line is no JSON object");
    cli_catch(NULL);
    buffer_add(text, "{");
    if (r.id) {
        buffer_add(text, "\"requestId\":");
        buffer_add_bytes(text, r.id, json_length(r.id));
        buffer_add(text, ",");
    }
    if (status == GF_OK) {
        buffer_add_bytes(text, body.data, body.length);
    } else {
        buffer_add(text, "\"error\":");
        buffer_json_text(text, error.message);
    }
    buffer_add(text, "}\n");
    text->failed = text->failed || body.failed;
    buffer_free(&body);
    buffer_free(&r.base);
    buffer_free(&r.compare);
    buffer_free(&r.output);
    free(r.ignore);
}

static gf_status say(struct buffer *text)
{
    const gf_status status = cli_need_memory(!text->failed);
    const bool said =
        status == GF_OK && fwrite(text->data, 1, text->length, stdout) == text->length && fflush(stdout) == 0;
    buffer_free(text);
    return status != GF_OK ? status
           : said          ? GF_OK
                           : cli_fail(GF_ERROR_OUTPUT, "standard output: an answer cannot be written");
}

/* The next line, without its end; false: there is none. Look at line->failed. */
static bool next_line(struct text_stream *in, struct buffer *line)
{
    int c;
    line->length = 0;
    while ((c = text_get(in)) != EOF && c != '\n') {
        buffer_add_bytes(line, &(char){(char)c}, 1);
    }
    return c != EOF || line->length > 0;
}

gf_status compare_serve(const struct criteria *base)
{
    struct text_stream in = {.file = stdin};
    struct buffer text = {0}, line = {0};
    buffer_add(&text, "{\"ready\":true}\n");
    gf_status status = say(&text);
    while (status == GF_OK && next_line(&in, &line)) {
        status = cli_need_memory(!line.failed);
        if (status == GF_OK && memchr(line.data ? line.data : "", '\0', line.length)) {
            line.data[0] = '\x01'; /* which is no JSON either */
        }
        if (status == GF_OK && line.length > 0 && line.data[strspn(line.data, " \t")] != '\0') {
            compare_answer(base, line.data, &text);
            status = say(&text);
        }
    }
    buffer_free(&line);
    return status;
}
