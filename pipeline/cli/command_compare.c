/* gpufilter compare A B */
#include "commands.h"

#include "argument_value.h"
#include "compare_picture.h"
#include "job_options.h"
#include "limit_option.h"
#include "message.h"
#include "output_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { EQUAL = 0, DIFFERENT = 1, TROUBLE = 2 };

enum {
    OPTION_MAX_DIFF,
    OPTION_MAX_COUNT,
    OPTION_PSNR,
    OPTION_IGNORE_ALPHA,
    OPTION_ROI,
    OPTION_DIFF,
    OPTION_LIMIT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP
};

const struct cli_option compare_option_table[] = {
    [OPTION_MAX_DIFF] = {"max-diff", 0, false, "N", NULL, "samples may differ by N (0)"},
    [OPTION_MAX_COUNT] = {"max-count", 0, false, "P%", NULL,
                          "that many may differ by more: 0.1% or 25 samples"},
    [OPTION_PSNR] = {"psnr", 0, false, "DB", NULL, "the PSNR must be at least DB"},
    [OPTION_IGNORE_ALPHA] = {"ignore-alpha", 0, false, NULL, NULL, "compare colour only"},
    [OPTION_ROI] = {"roi", 0, false, "WxH+X+Y", NULL, "compare inside this rectangle"},
    [OPTION_DIFF] = {"diff", 0, false, "FILE", NULL, "write a picture: white is the largest difference"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that A and B may ask for, as pixels=512M"},
    [OPTION_JSON] = {"json", 0, false, NULL, NULL, "print JSON"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "print nothing: the exit code tells"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

struct criteria {
    const char *paths[2];
    double max_diff, max_count, psnr;
    bool has_diff, has_count, count_is_percent, has_psnr, ignore_alpha, json;
    gf_rect roi; /* w = 0: the whole picture */
    const char *diff;
    gf_io_limits limits;
    bool help;
};

/* ---- options ---- */

static gf_status take_option(struct criteria *c, int option, const char *value)
{
    switch (option) {
    case OPTION_MAX_DIFF:
        c->has_diff = true;
        return value_number("--max-diff", value, false, &c->max_diff, NULL);
    case OPTION_MAX_COUNT:
        c->has_count = true;
        return value_number("--max-count", value, true, &c->max_count, &c->count_is_percent);
    case OPTION_PSNR:
        c->has_psnr = true;
        return value_number("--psnr", value, false, &c->psnr, NULL);
    case OPTION_IGNORE_ALPHA:
        c->ignore_alpha = true;
        return GF_OK;
    case OPTION_ROI:
        return value_rect("--roi", value, &c->roi);
    case OPTION_DIFF:
        c->diff = value;
        return GF_OK;
    case OPTION_LIMIT:
        return limit_option_take(value, &c->limits);
    case OPTION_JSON:
        c->json = true;
        return GF_OK;
    case OPTION_QUIET:
        cli_set_verbosity(CLI_QUIET);
        return GF_OK;
    default:
        c->help = true;
        return GF_OK;
    }
}

static gf_status read_criteria(int count, char **words, struct criteria *c)
{
    struct cli_arguments arguments = cli_arguments_begin(compare_option_table, count, words);
    const char *value = NULL;
    int n = 0;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        gf_status status = GF_OK;
        if (option == CLI_BAD) {
            status = GF_ERROR_ARGUMENT;
        } else if (option != CLI_POSITIONAL) {
            status = take_option(c, option, value);
        } else if (n < 2) {
            c->paths[n++] = value;
        } else {
            status = cli_fail(GF_ERROR_ARGUMENT, "compare takes two files, and '%s' is a third", value);
        }
        if (status != GF_OK) {
            return status;
        }
    }
    if (!c->help && n < 2) {
        return cli_fail(GF_ERROR_ARGUMENT, "compare needs two files: gpufilter compare A B");
    }
    if (!c->help && !strcmp(c->paths[0], "-") && !strcmp(c->paths[1], "-")) {
        return cli_fail(GF_ERROR_ARGUMENT, "A and B are both standard input");
    }
    const struct run_file files[] = {
        {"A", c->paths[0], false}, {"B", c->paths[1], false}, {"--diff", c->diff, true}};
    return c->help ? GF_OK : output_check_distinct(files, 3, false);
}

/* ---- verdict ---- */

static bool is_within(const struct criteria *criteria, const struct comparison *c)
{
    double allowed = !criteria->has_count         ? 0
                     : criteria->count_is_percent ? criteria->max_count / 100 * (double)c->samples
                                                  : criteria->max_count;
    bool psnr_alone = criteria->has_psnr && !criteria->has_count && !criteria->has_diff;
    return (psnr_alone || (double)c->count <= allowed) && (!criteria->has_psnr || c->psnr >= criteria->psnr);
}

static void add_value(struct buffer *text, double value, gf_depth depth)
{
    buffer_printf(text, depth == GF_F32 ? "%.9g" : "%.17g", value);
}

static void add_text(struct buffer *text, const struct criteria *criteria, const gf_shape *shape,
                     const struct comparison *c, bool within)
{
    buffer_printf(text, "%s and %s %s: %" PRId64 " x %" PRId64 " %s %s\n", criteria->paths[0],
                  criteria->paths[1],
                  c->identical ? "are equal"
                  : within     ? "are equal within the tolerance"
                               : "differ",
                  c->area.w, c->area.h, channels_word(c->channels), gf_depth_name(shape->depth));
    if (c->identical) {
        return;
    }
    double percent = 100 * (double)c->count / (double)c->samples;
    buffer_printf(text, "  differing  %" PRIu64 " of %" PRIu64 " samples (%.3g%%) by more than %.10g\n",
                  c->count, c->samples, percent, criteria->max_diff);
    buffer_add(text, "  largest    ");
    add_value(text, c->largest, shape->depth);
    if (!isnan(c->psnr)) {
        buffer_printf(text, "\n  PSNR       %.2f dB", c->psnr);
    }
    if (c->count > 0) {
        buffer_printf(text, "\n  first      x %" PRId64 " y %" PRId64 " channel %d: ", c->x, c->y,
                      c->channel);
        add_value(text, c->a, shape->depth);
        buffer_add(text, " and ");
        add_value(text, c->b, shape->depth);
    }
    buffer_add(text, "\n");
}

static void add_json(struct buffer *text, const struct comparison *c, bool within)
{
    buffer_printf(text,
                  "{\"equal\":%s,\"identical\":%s,\"reason\":null,\"samples\":%" PRIu64 ",\"count\":%" PRIu64
                  ",\"share\":",
                  within ? "true" : "false", c->identical ? "true" : "false", c->samples, c->count);
    buffer_json_number(text, (double)c->count / (double)c->samples);
    buffer_add(text, ",\"max_diff\":");
    buffer_json_number(text, c->largest);
    buffer_add(text, ",\"psnr\":");
    buffer_json_number(text, c->psnr);
    if (c->count > 0) {
        buffer_printf(text, ",\"first\":{\"x\":%" PRId64 ",\"y\":%" PRId64 ",\"channel\":%d,\"a\":", c->x,
                      c->y, c->channel);
        buffer_json_number(text, c->a);
        buffer_add(text, ",\"b\":");
        buffer_json_number(text, c->b);
        buffer_add(text, "}}\n");
    } else {
        buffer_add(text, ",\"first\":null}\n");
    }
}

static int print(struct buffer *text, int verdict)
{
    bool silent = cli_verbosity() == CLI_QUIET && !text->failed;
    gf_status status = silent ? GF_OK : buffer_to_stdout(text);
    buffer_free(text);
    return status == GF_OK ? verdict : TROUBLE;
}

/* ---- two pictures ---- */

/* Pictures of another form differ: says how. Returns false where they can be compared. */
static bool have_other_shapes(const struct criteria *criteria, const gf_shape *a, const gf_shape *b,
                              struct buffer *text)
{
    const char *what = a->width != b->width || a->height != b->height ? "size"
                       : compared_channels(a->channels, criteria->ignore_alpha) !=
                               compared_channels(b->channels, criteria->ignore_alpha)
                           ? "channels"
                       : a->depth != b->depth ? "depth"
                                              : NULL;
    if (!what) {
        return false;
    }
    if (criteria->json) {
        buffer_printf(text,
                      "{\"equal\":false,\"identical\":false,\"reason\":\"%s\",\"samples\":0,\"count\":0,"
                      "\"share\":0,\"max_diff\":null,\"psnr\":null,\"first\":null}\n",
                      what);
        return true;
    }
    buffer_printf(text, "%s and %s differ in %s:\n", criteria->paths[0], criteria->paths[1], what);
    const gf_shape *shapes[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        buffer_printf(text, "  %s: %" PRId64 " x %" PRId64 " %s %s\n", criteria->paths[i], shapes[i]->width,
                      shapes[i]->height, channels_word(shapes[i]->channels), gf_depth_name(shapes[i]->depth));
    }
    return true;
}

static int compare(const struct criteria *criteria, const gf_image *a, const gf_image *b)
{
    struct buffer text = {0};
    if (have_other_shapes(criteria, &a->shape, &b->shape, &text)) {
        return print(&text, DIFFERENT);
    }
    gf_rect area = criteria->roi.w ? criteria->roi : (gf_rect){0, 0, a->shape.width, a->shape.height};
    if (area.w > a->shape.width - area.x || area.h > a->shape.height - area.y) {
        cli_fail(GF_ERROR_ARGUMENT,
                 "--roi %" PRId64 "x%" PRId64 "+%" PRId64 "+%" PRId64
                 " reaches outside the pictures, which are %" PRId64 " x %" PRId64,
                 area.w, area.h, area.x, area.y, a->shape.width, a->shape.height);
        return TROUBLE;
    }
    if (criteria->has_psnr && !(gf_depth_white(a->shape.depth) > 0)) {
        cli_fail(GF_ERROR_ARGUMENT, "--psnr: full scale of %s is not defined", gf_depth_name(a->shape.depth));
        return TROUBLE;
    }
    struct comparison c;
    compare_pictures(a, b, area, compared_channels(a->shape.channels, criteria->ignore_alpha),
                     criteria->max_diff, &c);
    bool within = is_within(criteria, &c);
    if (criteria->json) {
        add_json(&text, &c, within);
    } else {
        add_text(&text, criteria, &a->shape, &c, within);
    }
    if (criteria->diff && !text.failed && write_difference(criteria->diff, a, b, &c) != GF_OK) {
        buffer_free(&text);
        return TROUBLE;
    }
    return print(&text, within ? EQUAL : DIFFERENT);
}

static gf_status read_picture(const char *path, const gf_io_limits *limits, gf_picture **picture)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status = gf_io_read(path, limits, picture, &error);
    return status == GF_OK ? GF_OK : limit_option_fail(status, &error);
}

int run_compare(int count, char **words)
{
    struct criteria criteria = {.limits = GF_IO_LIMITS_INIT};
    criteria.limits.result_depths = 1;
    if (read_criteria(count, words, &criteria) != GF_OK) {
        return TROUBLE;
    }
    if (criteria.help) {
        struct buffer text = {0};
        command_usage_add(&text, find_command("compare"));
        return print(&text, EQUAL);
    }
    gf_picture *a = NULL, *b = NULL;
    int verdict = TROUBLE;
    if (read_picture(criteria.paths[0], &criteria.limits, &a) == GF_OK &&
        read_picture(criteria.paths[1], &criteria.limits, &b) == GF_OK) {
        verdict = compare(&criteria, &a->image, &b->image);
    }
    gf_picture_destroy(&a);
    gf_picture_destroy(&b);
    return verdict;
}
