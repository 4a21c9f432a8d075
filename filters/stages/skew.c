/* skew: the angle by which lines of text lean; the picture passes unchanged. */
#include "stages/skew.h"
#include "lower/lowering_private.h"
#include "param/sine_pi.h"
#include "pixel/whole/points/points.h"
#include "result_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the small picture, at most; angles in a degree; and the agreement below which there are no lines. */
enum { COLUMNS = 256, ROWS = 1024, ANGLES = 10 };
#define LEAST_AGREEMENT 0.05

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The small picture as steps from each row to the next one, column by column. */
struct sheet {
    int64_t columns, steps; /* steps of a column: rows - 1 */
    double aspect;          /* rows that a column's width is high */
    int32_t *step, *sums;   /* [columns][steps]; [2 rows] */
};

static void add(int32_t *sums, const int32_t *steps, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        sums[i] += steps[i];
    }
}

/* Sum of the squares of what the steps add up to along lines of that angle, in tenths of a degree. The rows
 * are those of a circle: so far apart that a line leaves the picture and comes back, both ends of it meet. */
static uint64_t score(const struct sheet *s, int64_t angle)
{
    const double turns = (double)angle / ANGLES / 180;
    const double slope = gf_sine_pi(turns) / gf_sine_pi(turns + 0.5) * s->aspect;
    const int64_t circle = 2 * (s->steps + 1);
    uint64_t squares = 0;
    memset(s->sums, 0, (size_t)circle * sizeof *s->sums);
    for (int64_t x = 0; x < s->columns; x++) {
        const double lean = floor(((double)x - (double)(s->columns - 1) / 2) * slope + 0.5);
        const int64_t up = (int64_t)lean % circle, first = ((up > 0 ? circle : 0) - up) % circle;
        const int64_t n = least(s->steps, circle - first);
        const int32_t *steps = s->step + x * s->steps;
        add(s->sums + first, steps, n);
        add(s->sums, steps + n, s->steps - n);
    }
    for (int64_t y = 0; y < circle; y++) {
        squares += (uint64_t)((int64_t)s->sums[y] * s->sums[y]);
    }
    return squares;
}

/* The first of the angles 0, 1, -1, 2, -2 ... with the greatest score. */
static int64_t search(const struct sheet *s, int64_t most, uint64_t *greatest)
{
    int64_t best = 0;
    *greatest = score(s, 0);
    for (int64_t i = 2; i < 2 * most + 2; i++) {
        const int64_t angle = i % 2 ? -(i / 2) : i / 2;
        const uint64_t here = score(s, angle);
        if (here > *greatest) {
            *greatest = here;
            best = angle;
        }
    }
    return best;
}

/* Fills the sheet with samples, row by row; returns the sum of the squares of all steps. */
static uint64_t fill(const struct sheet *s, const float *samples)
{
    uint64_t squares = 0;
    for (int64_t x = 0; x < s->columns; x++) {
        for (int64_t y = 0; y < s->steps; y++) {
            const float *at = samples + y * s->columns + x;
            const int32_t step = (int32_t)at[s->columns] - (int32_t)at[0];
            s->step[x * s->steps + y] = step;
            squares += (uint64_t)((int64_t)step * step);
        }
    }
    return squares;
}

static gf_rect part_of(const struct gf_skew *p, gf_shape shape)
{
    return p->roi.w ? p->roi : (gf_rect){0, 0, shape.width, shape.height};
}

static size_t sheet_bytes(gf_rect part)
{
    return (size_t)((least(part.w, COLUMNS) + 2) * least(part.h, ROWS)) * sizeof(int32_t);
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct gf_skew *p = m->params;
    const gf_rect part = part_of(p, m->shape);
    const int64_t columns = least(part.w, COLUMNS), rows = least(part.h, ROWS);
    double *angle = gf_result_f64(builder, "angle", 1, 1);
    double *agreement = gf_result_f64(builder, "agreement", 1, 1);
    int32_t *memory = malloc(sheet_bytes(part));
    if (!angle || !agreement || !memory) {
        builder->status = memory ? builder->status : GF_ERROR_MEMORY;
        free(memory);
        return;
    }
    const struct sheet sheet = {.columns = columns,
                                .steps = rows - 1,
                                .aspect = (double)part.w * (double)rows / ((double)columns * (double)part.h),
                                .step = memory + 2 * rows,
                                .sums = memory};
    uint64_t greatest;
    const double apart = (double)fill(&sheet, m->blocks[2]);
    const int64_t best = search(&sheet, (int64_t)floor(p->max * ANGLES + 0.5), &greatest);
    const double all = (double)(columns - 1) * apart;
    *agreement = all > 0 ? ((double)greatest - apart) / all : 0;
    *angle = *agreement < LEAST_AGREEMENT ? 0 : (double)best / ANGLES;
    free(memory);
}

/* Gray in u16, on gray where it has alpha, so that ink of any colour stands out. */
static gf_value_id sheet_of(gf_lowering *l, gf_value_id v, gf_rect part)
{
    const double middle = gf_lower_white(l, v) / 2;
    v = gf_lower_gray(l, gf_lower_flatten(l, gf_lower_crop(l, v, part), &middle, 1));
    return gf_lower_resize(l, gf_lower_convert(l, v, GF_U16), least(part.w, COLUMNS), least(part.h, ROWS),
                           GF_FILTER_BOX, GF_LIGHT_STORED);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct gf_skew *p = params;
    const gf_value_id v = gf_lower_input(l);
    if (!gf_lowering_samples(l, v)) {
        return;
    }
    const gf_rect part = part_of(p, gf_lower_shape(l, v));
    const int64_t w = least(part.w, COLUMNS), h = least(part.h, ROWS);
    const gf_value_id small = sheet_of(l, v, part);
    const struct gf_points_args args = {.roi = {0, 0, w, h}, .hi = {65535}, .mask = 1};
    const int32_t counts = gf_lowering_block(l, GF_U64, 1, 2);
    const int32_t places = gf_lowering_rows(l, GF_U32, 2, w * h, counts);
    const int32_t samples = gf_lowering_rows(l, GF_F32, 1, w * h, counts);
    const struct gf_lowering_operands in = {{small - 1}, 1}, out = {{counts, places, samples}, 3};
    const gf_value_id blocks[] = {gf_to_id(counts), gf_to_id(places), gf_to_id(samples)};
    gf_lowering_gathered_bytes(l, (uint64_t)(w * h) * 3 * sizeof(float)); /* every pixel is a point */
    if (gf_lowering_apply(l, &gf_kernel_points, in, out, &args, sizeof args)) {
        gf_lower_result(l, v, blocks, 3, finish);
        gf_lower_result_bytes(l, sheet_bytes(part));
    }
}

GF_PARAMS(GF_SKEW_PARAMS(0));

GF_FIELDS({"angle", GF_F64, 1, "degrees",
           "by which lines lean clockwise, their right end being lower; in tenths; 0: there are none"},
          {"agreement", GF_F64, 1, "0 to 1",
           "how alike all columns are along them; below 0.05 nothing is taken for lines"});

GF_EXAMPLES({"skew", "tells how askew a scanned page is"},
            {"skew:5:roi=200x100+10+20", "looks at a part of it, for at most 5 degrees"});

const gf_stage_type gf_stage_skew = {
    GF_STAGE_NAMED(skew),
    .group = "measure",
    .summary = "the angle by which lines of text lean; the picture passes unchanged",
    .use =
        "To sort out pages that are askew, or to turn a page by what a part of it tells: deskew:angle=2.5.",
    .formula =
        "The picture is made small: gray, at most 256 columns and 1024 rows. For each tenth of a degree up "
        "to\n"
        "max, either way, the steps from row to row are added up along lines of that angle, and the sums\n"
        "squared. Lines of text, dark or light, make few and large sums: the greatest sum of squares wins, "
        "of\n"
        "equal ones the one nearest to 0, and of two such the clockwise one. agreement compares it with the\n"
        "squares of the single steps: 0 is what chance makes, 1 that all columns are alike. A page "
        "of\n"
        "text has 0.1 and more.",
    .params = params,
    .params_size = sizeof(struct gf_skew),
    .flags = GF_STAGE_MEASURE | GF_STAGE_NO_ROI,
    .lower = lower,
    .fields = fields,
};
