#include "compare/compare_pair.h"

#include "base/message.h"
#include "job/limit_option.h"
#include "job/signal_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"equal", "within", "changed", "moved", "new", "missing", "failed"};
    return words[verdict];
}

bool verdict_passes(enum verdict verdict)
{
    return verdict == VERDICT_EQUAL || verdict == VERDICT_WITHIN;
}

/* ---- inputs ---- */

static gf_status give_rows(void *user, void *data, int64_t pitch, int64_t count, gf_error *error)
{
    struct pair_input *input = user;
    const gf_image *image = &input->picture->image;
    const size_t bytes =
        (size_t)gf_image_row_bytes(image->shape.width, image->shape.channels, image->shape.depth);
    (void)error;
    for (int64_t y = 0; y < count; y++, input->next++) {
        memcpy((char *)data + y * pitch, (const char *)image->data + input->next * image->pitch, bytes);
    }
    return GF_OK;
}

gf_status pair_input_open(const char *path, const gf_io_limits *limits, bool whole, struct pair_input *input)
{
    gf_error error = GF_ERROR_INIT;
    *input = (struct pair_input){NULL, NULL, 0, {0}};
    if (!whole && strcmp(path, "-") != 0 && !comes_once(path)) {
        CLI_TRY(limit_told(gf_reader_open(path, limits, &input->reader, &error), &error));
        input->source = gf_reader_source(input->reader);
        return GF_OK;
    }
    CLI_TRY(limit_told(gf_io_read(path, limits, &input->picture, &error), &error));
    input->source = (gf_source){.struct_size = sizeof input->source,
                                .shape = input->picture->image.shape,
                                .rows = give_rows,
                                .user = input};
    return GF_OK;
}

gf_status pair_input_again(const char *path, const gf_io_limits *limits, struct pair_input *input)
{
    input->next = 0;
    if (input->picture) {
        return GF_OK;
    }
    pair_input_close(input);
    return pair_input_open(path, limits, false, input);
}

gf_status pair_input_finish(struct pair_input *input)
{
    gf_error error = GF_ERROR_INIT;
    return input->reader ? limit_told(gf_reader_finish(input->reader, &error), &error) : GF_OK;
}

void pair_input_close(struct pair_input *input)
{
    gf_reader_close(&input->reader);
    gf_picture_destroy(&input->picture);
}

/* ---- comparing ---- */

static int32_t compared_channels(const struct criteria *criteria, const gf_shape *shape)
{
    return criteria->ignore_alpha && shape->channels % 2 == 0 ? shape->channels - 1 : shape->channels;
}

/* Returns what form of theirs differs, so that they cannot be compared; NULL: they can. */
static const char *other_form(const struct criteria *criteria, const gf_shape *a, const gf_shape *b)
{
    return a->width != b->width || a->height != b->height                     ? "size"
           : compared_channels(criteria, a) != compared_channels(criteria, b) ? "channels"
           : a->depth != b->depth                                             ? "depth"
                                                                              : NULL;
}

static gf_status check_rect(const char *option, gf_rect r, const gf_shape *shape)
{
    return r.w <= shape->width - r.x && r.h <= shape->height - r.y
               ? GF_OK
               : cli_fail(GF_ERROR_ARGUMENT,
                          "%s %" PRId64 "x%" PRId64 "+%" PRId64 "+%" PRId64
                          " reaches outside the pictures, which are %" PRId64 " x %" PRId64,
                          option, r.w, r.h, r.x, r.y, shape->width, shape->height);
}

/* Checks what can only be judged once the pictures are known. */
static gf_status check_criteria(const struct criteria *criteria, const gf_shape *shape)
{
    const char *depth = gf_depth_name(shape->depth);
    const bool has_white = gf_depth_white(shape->depth) > 0;
    const char *option = criteria->has_psnr                        ? "--psnr"
                         : criteria->has_ssim                      ? "--ssim"
                         : criteria->has_ms_ssim                   ? "--ms-ssim"
                         : criteria->diff_white > 0                ? "--max-diff in %, u8 or u16"
                         : criteria->by == GF_COMPARE_BY_YIQ       ? "--yiq"
                         : criteria->by == GF_COMPARE_BY_CIEDE2000 ? "--ciede2000"
                         : criteria->antialias                     ? "--antialias"
                                                                   : NULL;
    CLI_TRY(check_rect("--roi", criteria->roi, shape));
    for (int64_t i = 0; i < criteria->ignore_count; i++) {
        CLI_TRY(check_rect("--ignore", criteria->ignore[i], shape));
    }
    if (option && !has_white) {
        return cli_fail(GF_ERROR_ARGUMENT, "%s: full scale of %s is not defined", option, depth);
    }
    const bool is_real = shape->depth == GF_F32 || shape->depth == GF_F64;
    if (!is_real && criteria->by == GF_COMPARE_BY_SAMPLES && !(criteria->diff_white > 0) &&
        criteria->max_diff != (double)(int64_t)criteria->max_diff) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "--max-diff is %.10g: samples of %s are whole numbers, and so are their differences",
                        criteria->max_diff, depth);
    }
    return GF_OK;
}

static gf_compare_options library_options(const struct criteria *criteria, gf_depth depth, int threads)
{
    gf_compare_options o = GF_COMPARE_OPTIONS_INIT;
    o.by = criteria->by;
    o.max_diff = criteria->diff_white > 0 ? criteria->max_diff * gf_depth_white(depth) / criteria->diff_white
                                          : criteria->max_diff;
    o.ignore_alpha = criteria->ignore_alpha;
    o.antialias = criteria->antialias;
    o.metrics = criteria->metrics;
    o.threads = threads;
    o.area = criteria->roi;
    o.ignore = criteria->ignore;
    o.ignore_count = criteria->ignore_count;
    return o;
}

/* Runs through the rows of both, and of the mask. */
static gf_status run(const struct criteria *criteria, struct pair_input in[2],
                     const gf_compare_options *options, gf_comparison *c)
{
    gf_error error = GF_ERROR_INIT;
    struct pair_input mask = {NULL, NULL, 0, {0}};
    gf_status status =
        criteria->mask ? pair_input_open(criteria->mask, &criteria->limits, false, &mask) : GF_OK;
    if (status == GF_OK) {
        status = limit_told(gf_compare_rows(&in[0].source, &in[1].source,
                                            criteria->mask ? &mask.source : NULL, options, c, &error),
                            &error);
        status = status == GF_OK ? pair_input_finish(&mask) : status;
    }
    pair_input_close(&mask);
    for (int i = 0; i < 2 && status == GF_OK; i++) {
        status = pair_input_finish(&in[i]);
    }
    return status;
}

/* Looks whether B is A, moved. Whatever comes by rows is read once more, whole. */
static gf_status find_shift(const struct criteria *criteria, struct pair *pair, int threads)
{
    struct pair_input *in = pair->in;
    gf_error error = GF_ERROR_INIT;
    const gf_compare_options all = library_options(criteria, pair->shapes[0].depth, threads);
    for (int i = 0; i < 2; i++) {
        if (!in[i].picture) {
            pair_input_close(&in[i]);
            CLI_TRY(pair_input_open(pair->paths[i], &criteria->limits, true, &in[i]));
        }
    }
    gf_compare_options options = GF_COMPARE_OPTIONS_INIT;
    options.max_diff = criteria->by == GF_COMPARE_BY_SAMPLES ? all.max_diff : 0;
    options.ignore_alpha = all.ignore_alpha;
    options.threads = threads;
    pair->shift = (gf_compare_shift_result)GF_COMPARE_SHIFT_RESULT_INIT;
    CLI_TRY(cli_told(gf_compare_shift(&in[0].picture->image, &in[1].picture->image, &options,
                                      (int32_t)criteria->shift, &pair->shift, &error),
                     &error));
    if ((pair->shift.dx || pair->shift.dy) &&
        criteria_allow_pixels(criteria, pair->shift.pixel_count, pair->shift.pixels)) {
        pair->verdict = VERDICT_MOVED;
    }
    return GF_OK;
}

static gf_status compare(const struct criteria *criteria, struct pair *pair, int threads)
{
    struct pair_input *in = pair->in;
    for (int i = 0; i < 2; i++) {
        CLI_TRY(pair_input_open(pair->paths[i], &criteria->limits, false, &in[i]));
        pair->shapes[i] = in[i].source.shape;
    }
    pair->form = other_form(criteria, &pair->shapes[0], &pair->shapes[1]);
    pair->verdict = VERDICT_CHANGED;
    if (pair->form) {
        return GF_OK;
    }
    CLI_TRY(check_criteria(criteria, &pair->shapes[0]));
    const gf_compare_options options = library_options(criteria, pair->shapes[0].depth, threads);
    pair->c = (gf_comparison)GF_COMPARISON_INIT;
    CLI_TRY(run(criteria, in, &options, &pair->c));
    if (pair->c.identical || criteria_allow(criteria, &pair->c)) {
        pair->verdict = pair->c.identical ? VERDICT_EQUAL : VERDICT_WITHIN;
        return GF_OK;
    }
    return criteria->shift > 0 ? find_shift(criteria, pair, threads) : GF_OK;
}

gf_status pair_compare(const struct criteria *criteria, struct pair *pair, int threads)
{
    const gf_status status = compare(criteria, pair, threads);
    pair->verdict = status == GF_OK ? pair->verdict : VERDICT_FAILED;
    return status;
}

void pair_close(struct pair *pair)
{
    pair_input_close(&pair->in[0]);
    pair_input_close(&pair->in[1]);
}

gf_status pair_again(const struct criteria *criteria, struct pair *pair,
                     gf_status (*row)(void *user, const gf_compare_row *row, gf_error *error), void *user)
{
    /* One of many has a thread of its own. */
    gf_compare_options options = library_options(criteria, pair->shapes[0].depth, pair->name ? 1 : 0);
    gf_comparison c = GF_COMPARISON_INIT;
    options.metrics = 0;
    options.row = row;
    options.user = user;
    for (int i = 0; i < 2; i++) {
        CLI_TRY(pair_input_again(pair->paths[i], &criteria->limits, &pair->in[i]));
    }
    return run(criteria, pair->in, &options, &c);
}

gf_status pair_hash(const struct criteria *criteria, const char *path, char hash[65], gf_shape *shape)
{
    struct pair_input in;
    gf_error error = GF_ERROR_INIT;
    uint8_t bytes[32] = {0};
    gf_status status = pair_input_open(path, &criteria->limits, false, &in);
    if (status == GF_OK) {
        *shape = in.source.shape;
        status = limit_told(gf_compare_hash_rows(&in.source, bytes, &error), &error);
    }
    status = status == GF_OK ? pair_input_finish(&in) : status;
    pair_input_close(&in);
    for (int i = 0; i < 32; i++) {
        snprintf(hash + 2 * i, 3, "%02x", bytes[i]);
    }
    return status;
}
