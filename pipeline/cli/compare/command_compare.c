/* gpufilter compare A B */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "compare/compare_picture.h"
#include "compare/compare_report.h"
#include "compare/compare_signal.h"
#include "job/job_options.h"
#include "job/limit_option.h"
#include "job/progress.h"
#include "job/signal_kind.h"

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
    [OPTION_MAX_DIFF] = {"max-diff", 0, false, "N", NULL, "samples may differ by N (0); also 5%, 10u8"},
    [OPTION_MAX_COUNT] = {"max-count", 0, false, "P%", NULL,
                          "that many may differ by more: 0.1% or 25 samples"},
    [OPTION_PSNR] = {"psnr", 0, false, "DB", NULL, "the PSNR must be at least DB"},
    [OPTION_IGNORE_ALPHA] = {"ignore-alpha", 0, false, NULL, NULL, "compare colour only"},
    [OPTION_ROI] = {"roi", 0, false, "WxH+X+Y", NULL, "compare inside this rectangle"},
    [OPTION_DIFF] = {"diff", 0, false, "FILE", NULL, "draw what differs by more than --max-diff"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that A and B may ask for, as pixels=512M"},
    [OPTION_JSON] = {"json", 0, false, NULL, NULL, "print JSON"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "print nothing: the exit code tells"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

/* ---- options ---- */

/* A number of sample units, or one with the unit of an intensity behind it: 5%, 10u8, 2000u16. */
static gf_status take_diff(struct criteria *c, const char *value)
{
    static const struct {
        const char *unit;
        double white;
    } units[] = {{"%", 100}, {"u8", 255}, {"u16", 65535}};
    char number[64];
    size_t length = strlen(value);
    c->has_diff = true;
    c->diff_white = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t tail = strlen(units[i].unit);
        if (length > tail && length < sizeof number && !strcmp(value + length - tail, units[i].unit)) {
            memcpy(number, value, length - tail);
            number[length - tail] = '\0';
            c->diff_white = units[i].white;
            return value_number("--max-diff without its unit", number, false, &c->max_diff, NULL);
        }
    }
    return value_number("--max-diff", value, false, &c->max_diff, NULL);
}

static gf_status take_count(struct criteria *c, const char *value)
{
    c->has_count = true;
    CLI_TRY(value_number("--max-count", value, true, &c->max_count, &c->count_is_percent));
    if (c->count_is_percent && c->max_count > 100) {
        return cli_fail(GF_ERROR_ARGUMENT, "--max-count is '%s': there are no more samples than 100%%",
                        value);
    }
    if (!c->count_is_percent && c->max_count != floor(c->max_count)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--max-count is '%s': must be a whole number of samples, or a percentage; did you "
                        "mean '%s%%'?",
                        value, value);
    }
    return GF_OK;
}

static gf_status take_option(struct criteria *c, int option, const char *value)
{
    switch (option) {
    case OPTION_MAX_DIFF:
        return take_diff(c, value);
    case OPTION_MAX_COUNT:
        return take_count(c, value);
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
        if (option == CLI_POSITIONAL && n < 2) {
            c->paths[n++] = value;
            continue;
        }
        CLI_TRY(option == CLI_BAD ? GF_ERROR_ARGUMENT
                : option == CLI_POSITIONAL
                    ? cli_fail(GF_ERROR_ARGUMENT, "compare takes two files, and '%s' is a third", value)
                    : take_option(c, option, value));
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

static int print(struct buffer *text, int verdict)
{
    progress_end();
    bool silent = cli_verbosity() == CLI_QUIET && !text->failed;
    gf_status status = silent ? GF_OK : buffer_to_stdout(text);
    buffer_free(text);
    return status == GF_OK ? verdict : TROUBLE;
}

/* ---- two pictures ---- */

/* Returns what form of theirs differs, so that they cannot be compared; NULL: they can. */
static const char *other_form(const struct criteria *criteria, const gf_shape *a, const gf_shape *b)
{
    return a->width != b->width || a->height != b->height ? "size"
           : compared_channels(a->channels, criteria->ignore_alpha) !=
                   compared_channels(b->channels, criteria->ignore_alpha)
               ? "channels"
           : a->depth != b->depth ? "depth"
                                  : NULL;
}

/* Checks what can only be judged once the pictures are known. */
static gf_status check_criteria(const struct criteria *criteria, const gf_shape *shape, gf_rect area)
{
    if (area.w > shape->width - area.x || area.h > shape->height - area.y) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--roi %" PRId64 "x%" PRId64 "+%" PRId64 "+%" PRId64
                        " reaches outside the pictures, which are %" PRId64 " x %" PRId64,
                        area.w, area.h, area.x, area.y, shape->width, shape->height);
    }
    if (criteria->has_psnr && !(gf_depth_white(shape->depth) > 0)) {
        return cli_fail(GF_ERROR_ARGUMENT, "--psnr: full scale of %s is not defined",
                        gf_depth_name(shape->depth));
    }
    if (criteria->diff_white > 0) {
        return gf_depth_white(shape->depth) > 0
                   ? GF_OK
                   : cli_fail(GF_ERROR_ARGUMENT,
                              "--max-diff in %%, u8 or u16: full scale of %s is not defined",
                              gf_depth_name(shape->depth));
    }
    bool is_real = shape->depth == GF_F32 || shape->depth == GF_F64;
    if (!is_real && criteria->max_diff != floor(criteria->max_diff)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--max-diff is %.10g: samples of %s are whole numbers, and so are their differences",
                        criteria->max_diff, gf_depth_name(shape->depth));
    }
    return GF_OK;
}

static int compare(const struct criteria *criteria, const gf_image *a, const gf_image *b)
{
    struct buffer text = {0};
    const gf_shape shapes[2] = {a->shape, b->shape};
    const char *other = other_form(criteria, &shapes[0], &shapes[1]);
    if (other) {
        if (criteria->diff) {
            remove_difference(criteria->diff);
        }
        compare_report_form(&text, criteria, shapes, other);
        return print(&text, DIFFERENT);
    }
    gf_rect area = criteria->roi.w ? criteria->roi : (gf_rect){0, 0, a->shape.width, a->shape.height};
    if (check_criteria(criteria, &shapes[0], area) != GF_OK) {
        return TROUBLE;
    }
    struct comparison c;
    double white = gf_depth_white(a->shape.depth);
    double max_diff =
        criteria->diff_white > 0 ? criteria->max_diff * white / criteria->diff_white : criteria->max_diff;
    progress_set("comparing", 0, 0);
    compare_pictures(a, b, area, compared_channels(a->shape.channels, criteria->ignore_alpha), max_diff, &c);
    compare_report(&text, criteria, shapes, &c);
    if (criteria->diff && !text.failed && write_difference(criteria->diff, a, b, &c) != GF_OK) {
        buffer_free(&text);
        return TROUBLE;
    }
    return print(&text, compare_is_within(criteria, &c) ? EQUAL : DIFFERENT);
}

static gf_status read_picture(const char *path, const gf_io_limits *limits, gf_picture **picture)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status = gf_io_read(path, limits, picture, &error);
    return limit_told(status, &error);
}

/* ---- two signals ---- */

static bool is_npy(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, ".npy");
}

/* Arrays are compared number by number as they are stored, so they are no signals among themselves. */
static gf_status are_signals(const struct criteria *criteria, bool *are)
{
    const char *a = criteria->paths[0], *b = criteria->paths[1];
    *are = false;
    if (!is_npy(a) || !is_npy(b)) {
        CLI_TRY(file_is_signal(a, are));
        CLI_TRY(*are ? file_is_signal(b, are) : GF_OK);
    }
    return GF_OK;
}

static int run_signals(const struct criteria *criteria)
{
    struct buffer text = {0};
    bool within = false;
    progress_begin("comparing");
    const gf_status status = compare_signals(criteria, &text, &within);
    if (status == GF_OK) {
        return print(&text, within ? EQUAL : DIFFERENT);
    }
    progress_end();
    buffer_free(&text);
    return TROUBLE;
}

/* Tells whether --json is among the words, also behind one that is wrong. */
static bool wants_json(int count, char **words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (!strcmp(words[i], "--json")) {
            return true;
        }
    }
    return false;
}

static int run(const struct criteria *criteria)
{
    gf_picture *a = NULL, *b = NULL;
    int verdict = TROUBLE;
    progress_begin("reading A and B");
    if (read_picture(criteria->paths[0], &criteria->limits, &a) == GF_OK &&
        read_picture(criteria->paths[1], &criteria->limits, &b) == GF_OK) {
        verdict = compare(criteria, &a->image, &b->image);
    }
    progress_end();
    gf_picture_destroy(&a);
    gf_picture_destroy(&b);
    return verdict;
}

int run_compare(const struct cli_command *command, int count, char **words)
{
    struct buffer text = {0};
    struct criteria criteria = {.limits = GF_IO_LIMITS_INIT};
    criteria.limits.result_depths = 1;
    gf_status status = read_criteria(count, words, &criteria);
    if (status == GF_OK && criteria.help) {
        command_usage_add(&text, command);
        return print(&text, EQUAL);
    }
    bool signals = false;
    status = status == GF_OK ? are_signals(&criteria, &signals) : status;
    int verdict = status != GF_OK ? TROUBLE : signals ? run_signals(&criteria) : run(&criteria);
    if (verdict == TROUBLE && wants_json(count, words) && !ferror(stdout)) {
        compare_report_error(&text, cli_error_said());
        if (!text.failed) {
            return print(&text, TROUBLE);
        }
        buffer_free(&text); /* the error is said, if not there */
    }
    return verdict;
}
