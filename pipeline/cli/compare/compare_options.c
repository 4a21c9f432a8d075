#include "compare/compare_options.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "job/job_options.h"
#include "job/limit_option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_MAX_DIFF,
    OPTION_MAX_COUNT,
    OPTION_ALLOW,
    OPTION_PSNR,
    OPTION_SSIM,
    OPTION_MS_SSIM,
    OPTION_YIQ,
    OPTION_CIEDE2000,
    OPTION_ANTIALIAS,
    OPTION_IGNORE_ALPHA,
    OPTION_ROI,
    OPTION_IGNORE,
    OPTION_MASK,
    OPTION_SHIFT,
    OPTION_METRICS,
    OPTION_DIFF,
    OPTION_DIFF_STYLE,
    OPTION_SHOW,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_UPDATE,
    OPTION_EXPECT,
    OPTION_HTML,
    OPTION_JUNIT,
    OPTION_REG,
    OPTION_SERVER,
    OPTION_LIMIT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP
};

#define STYLES  "marks|difference|mask"
#define METRICS "ssim|ssim-uniform|ms-ssim|ciede2000|all"
#define SHOWS   "kitty|iterm|sixel"

const struct cli_option compare_option_table[] = {
    [OPTION_MAX_DIFF] = {"max-diff", 0, false, "N", NULL, "samples may differ by N (0); also 5%, 10u8"},
    [OPTION_MAX_COUNT] = {"max-count", 0, false, "P%", NULL,
                          "that many may differ by more: 0.1% or 25 samples"},
    [OPTION_ALLOW] = {"allow", 0, false, "P%", NULL, "the same of pixels: 0.1% or 25 pixels"},
    [OPTION_PSNR] = {"psnr", 0, false, "DB", NULL, "the PSNR must be at least DB"},
    [OPTION_SSIM] = {"ssim", 0, false, "S", NULL, "the SSIM must be at least S, as 0.98"},
    [OPTION_MS_SSIM] = {"ms-ssim", 0, false, "S", NULL, "the MS-SSIM must be at least S"},
    [OPTION_YIQ] = {"yiq", 0, false, "T", NULL, "a pixel may differ by pixelmatch's threshold T, as 0.1"},
    [OPTION_CIEDE2000] = {"ciede2000", 0, false, "D", NULL, "a pixel may differ by a colour difference of D"},
    [OPTION_ANTIALIAS] = {"antialias", 0, false, NULL, NULL, "pixels that smooth edges may differ"},
    [OPTION_IGNORE_ALPHA] = {"ignore-alpha", 0, false, NULL, NULL, "compare colour only"},
    [OPTION_ROI] = {"roi", 0, false, "WxH+X+Y", NULL, "compare inside this rectangle"},
    [OPTION_IGNORE] = {"ignore", 0, false, "WxH+X+Y", NULL, "but not inside this one; again: another"},
    [OPTION_MASK] = {"mask", 0, false, "FILE", NULL, "compare where this gray picture is not black"},
    [OPTION_SHIFT] = {"shift", 0, false, "N", NULL,
                      "tell a picture moved by up to N pixels from a changed one"},
    [OPTION_METRICS] = {"metrics", 0, false, "LIST", NULL, "measure also " METRICS},
    [OPTION_DIFF] = {"diff", 0, false, "FILE", NULL,
                     "draw what differs; of folders: a folder of such pictures"},
    [OPTION_DIFF_STYLE] = {"diff-style", 0, false, "STYLE", STYLES, "red marks on the faded A, or how much"},
    [OPTION_SHOW] = {"show", 0, true, "[=PROTOCOL]", SHOWS, "show the marks in the terminal"},
    [OPTION_INCLUDE] = {"include", 0, false, "GLOB", NULL, "of folders: only such paths; again: these, too"},
    [OPTION_EXCLUDE] = {"exclude", 0, false, "GLOB", NULL, "of folders: no such paths"},
    [OPTION_UPDATE] = {"update", 0, false, NULL, NULL, "make A what B is: new and changed files, or hashes"},
    [OPTION_EXPECT] = {"expect", 0, false, "HASH", NULL, "of one picture, its hash; or a file of hashes"},
    [OPTION_HTML] = {"html", 0, false, "FILE", NULL, "write a page to look at what differs"},
    [OPTION_JUNIT] = {"junit", 0, false, "FILE", NULL, "write the verdicts as JUnit's XML"},
    [OPTION_REG] = {"reg-json", 0, false, "FILE", NULL, "write them as reg-cli's reg.json"},
    [OPTION_SERVER] = {"server", 0, false, NULL, NULL, "read requests, a JSON object a line, and answer"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that A and B may ask for, as pixels=512M"},
    [OPTION_JSON] = {"json", 0, false, NULL, NULL, "print JSON"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "print nothing: the exit code tells"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

/* ---- values ---- */

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

/* --max-count and --allow: whole numbers, or percentages. */
static gf_status take_count(const char *option, const char *what, const char *value, double *count,
                            bool *is_percent)
{
    CLI_TRY(value_number(option, value, true, count, is_percent));
    if (*is_percent && *count > 100) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': there are no more %s than 100%%", option, value,
                        what);
    }
    if (!*is_percent && *count != floor(*count)) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%s is '%s': must be a whole number of %s, or a percentage; did you mean '%s%%'?",
                        option, value, what, value);
    }
    return GF_OK;
}

/* A number up to `most`. */
static gf_status take_number(const char *option, const char *value, double most, double *number, bool *has)
{
    *has = true;
    CLI_TRY(value_number(option, value, false, number, NULL));
    return *number <= most
               ? GF_OK
               : cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be at most %g", option, value, most);
}

static gf_status take_by(struct criteria *c, gf_compare_by by, const char *option, const char *value)
{
    bool has;
    if (c->has_diff || c->by != GF_COMPARE_BY_SAMPLES) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "only one of --max-diff, --yiq and --ciede2000 says by what pixels differ");
    }
    c->by = by;
    return take_number(option, value, by == GF_COMPARE_BY_YIQ ? 1 : 1000, &c->max_diff, &has);
}

static gf_status take_ignore(struct criteria *c, const char *value)
{
    gf_rect *more = realloc(c->ignore, (size_t)(c->ignore_count + 1) * sizeof *more);
    CLI_TRY(cli_need_memory(more != NULL));
    c->ignore = more;
    return value_rect("--ignore", value, &more[c->ignore_count++]);
}

static gf_status take_metrics(struct criteria *c, const char *value)
{
    char word[32];
    for (const char *at = value;; at++) {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), at);
        const int index = words_index(METRICS, word);
        if (index < 0) {
            return value_fail_choice("--metrics", word, METRICS);
        }
        c->metrics |= index == 4 ? 15U : 1U << index;
        at += length;
        if (!*at) {
            return GF_OK;
        }
    }
}

static gf_status take_pattern(struct patterns *patterns, const char *value)
{
    if (patterns->count == MOST_PATTERNS) {
        return cli_fail(GF_ERROR_ARGUMENT, "'%s' is one pattern too many: at most %d may be given", value,
                        MOST_PATTERNS);
    }
    patterns->at[patterns->count++] = value;
    return GF_OK;
}

/* ---- options ---- */

static gf_status take_where(struct criteria *c, int option, const char *value)
{
    switch (option) {
    case OPTION_ANTIALIAS:
        c->antialias = true;
        return GF_OK;
    case OPTION_IGNORE_ALPHA:
        c->ignore_alpha = true;
        return GF_OK;
    case OPTION_ROI:
        return value_rect("--roi", value, &c->roi);
    case OPTION_IGNORE:
        return take_ignore(c, value);
    case OPTION_MASK:
        c->mask = value;
        return GF_OK;
    case OPTION_SHIFT:
        return value_integer("--shift", value, 1, 256, &c->shift);
    case OPTION_INCLUDE:
        return take_pattern(&c->include, value);
    case OPTION_EXCLUDE:
        return take_pattern(&c->exclude, value);
    case OPTION_LIMIT:
        return limit_option_take(value, &c->limits);
    default:
        return take_metrics(c, value);
    }
}

static gf_status take_quality(struct criteria *c, int option, const char *value)
{
    switch (option) {
    case OPTION_MAX_DIFF:
        return c->by != GF_COMPARE_BY_SAMPLES ? take_by(c, c->by, "", value) : take_diff(c, value);
    case OPTION_MAX_COUNT:
        c->has_count = true;
        return take_count("--max-count", "samples", value, &c->max_count, &c->count_is_percent);
    case OPTION_ALLOW:
        c->has_allow = true;
        return take_count("--allow", "pixels", value, &c->allow, &c->allow_is_percent);
    case OPTION_PSNR:
        return take_number("--psnr", value, INFINITY, &c->psnr, &c->has_psnr);
    case OPTION_SSIM:
        c->metrics |= GF_COMPARE_SSIM;
        return take_number("--ssim", value, 1, &c->ssim, &c->has_ssim);
    case OPTION_MS_SSIM:
        c->metrics |= GF_COMPARE_MS_SSIM;
        return take_number("--ms-ssim", value, 1, &c->ms_ssim, &c->has_ms_ssim);
    case OPTION_YIQ:
        return take_by(c, GF_COMPARE_BY_YIQ, "--yiq", value);
    default:
        return take_by(c, GF_COMPARE_BY_CIEDE2000, "--ciede2000", value);
    }
}

static gf_status take_option(struct criteria *c, int option, const char *value)
{
    const char **const files[] = {[OPTION_DIFF] = &c->diff,
                                  [OPTION_EXPECT] = &c->expect,
                                  [OPTION_HTML] = &c->html,
                                  [OPTION_JUNIT] = &c->junit,
                                  [OPTION_REG] = &c->reg};
    bool *const flags[] = {[OPTION_UPDATE] = &c->update,
                           [OPTION_SERVER] = &c->server,
                           [OPTION_JSON] = &c->json,
                           [OPTION_HELP] = &c->help};
    if (option < (int)(sizeof files / sizeof *files) && files[option]) {
        *files[option] = value;
        return GF_OK;
    }
    if (option < (int)(sizeof flags / sizeof *flags) && flags[option]) {
        *flags[option] = true;
        return GF_OK;
    }
    switch (option) {
    case OPTION_DIFF_STYLE:
        c->style = (enum diff_style)words_index(STYLES, value);
        return (int)c->style >= 0 ? GF_OK : value_fail_choice("--diff-style", value, STYLES);
    case OPTION_SHOW:
        c->show = value ? value : "";
        return !value || words_index(SHOWS, value) >= 0 ? GF_OK : value_fail_choice("--show", value, SHOWS);
    case OPTION_QUIET:
        cli_set_verbosity(CLI_QUIET);
        return GF_OK;
    default:
        return option <= OPTION_CIEDE2000 ? take_quality(c, option, value) : take_where(c, option, value);
    }
}

/* What does not go together. */
static gf_status check_together(struct criteria *c)
{
    const int wanted = c->expect ? 1 : 2;
    if (c->server) {
        return c->n_paths ? cli_fail(GF_ERROR_ARGUMENT,
                                     "--server reads the names of files from its requests, and '%s' is none",
                                     c->paths[0])
                          : GF_OK;
    }
    if (c->n_paths < wanted) {
        return cli_fail(GF_ERROR_ARGUMENT, c->expect
                                               ? "compare needs a file: gpufilter compare FILE --expect HASH"
                                               : "compare needs two files: gpufilter compare A B");
    }
    if (c->n_paths > wanted) {
        return cli_fail(GF_ERROR_ARGUMENT, "with --expect there is one file, and '%s' is a second",
                        c->paths[1]);
    }
    if (wanted == 2 && !strcmp(c->paths[0], "-") && !strcmp(c->paths[1], "-")) {
        return cli_fail(GF_ERROR_ARGUMENT, "A and B are both standard input");
    }
    const struct run_file files[] = {{"A", c->paths[0], false},   {"B", c->paths[1], false},
                                     {"--mask", c->mask, false},  {"--diff", c->diff, true},
                                     {"--html", c->html, true},   {"--junit", c->junit, true},
                                     {"--reg-json", c->reg, true}};
    return output_check_distinct(files, sizeof files / sizeof *files, false);
}

gf_status criteria_read(int count, char **words, struct criteria *c)
{
    struct cli_arguments arguments = cli_arguments_begin(compare_option_table, count, words);
    const char *value = NULL;
    *c = (struct criteria){.limits = GF_IO_LIMITS_INIT};
    c->limits.result_depths = 1;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_POSITIONAL && c->n_paths < 2) {
            c->paths[c->n_paths++] = value;
            continue;
        }
        CLI_TRY(option == CLI_BAD ? GF_ERROR_ARGUMENT
                : option == CLI_POSITIONAL
                    ? cli_fail(GF_ERROR_ARGUMENT, "compare takes two files, and '%s' is a third", value)
                    : take_option(c, option, value));
    }
    return c->help ? GF_OK : check_together(c);
}

void criteria_free(struct criteria *criteria)
{
    free(criteria->ignore);
    criteria->ignore = NULL;
}

/* ---- what passes ---- */

static bool is_allowed(double most, bool is_percent, uint64_t count, uint64_t of)
{
    return (double)count <= (is_percent ? most / 100 * (double)of : most);
}

bool criteria_allow_pixels(const struct criteria *criteria, uint64_t pixels, uint64_t of)
{
    return criteria->has_allow ? is_allowed(criteria->allow, criteria->allow_is_percent, pixels, of)
                               : pixels == 0;
}

bool criteria_allow_count(const struct criteria *criteria, const gf_comparison *c)
{
    const bool quality = criteria->has_psnr || criteria->has_ssim || criteria->has_ms_ssim;
    if (quality && !criteria->has_count && !criteria->has_diff && !criteria->has_allow &&
        criteria->by == GF_COMPARE_BY_SAMPLES) {
        return true; /* the quality alone is the criterion */
    }
    if (criteria->has_allow && !criteria_allow_pixels(criteria, c->pixel_count, c->pixels)) {
        return false;
    }
    return criteria->has_count
               ? is_allowed(criteria->max_count, criteria->count_is_percent, c->count, c->samples)
           : criteria->has_allow ? true
                                 : c->count == 0;
}

bool criteria_allow_quality(const struct criteria *criteria, const gf_comparison *c)
{
    return (!criteria->has_psnr || c->psnr >= criteria->psnr) &&
           (!criteria->has_ssim || c->ssim >= criteria->ssim) &&
           (!criteria->has_ms_ssim || c->ms_ssim >= criteria->ms_ssim);
}

bool criteria_allow(const struct criteria *criteria, const gf_comparison *c)
{
    return criteria_allow_count(criteria, c) && criteria_allow_quality(criteria, c);
}
