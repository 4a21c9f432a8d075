/* match: where the picture looks like a template, and how much. */
#include "pixel/whole/match/match.h"
#include "base/planted_fault.h"
#include "gpufilter/stage.h"
#include "lower/points_stage.h"
#include "result_builder.h"

#include <math.h>
#include <stdlib.h>

struct match {
    gf_picture_name template;
    double threshold;
    int64_t limit;
};

/* ---- the table ---- */

struct place {
    uint32_t x, y;
    float score;
};

static int by_score(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    return p->score != q->score ? (p->score < q->score ? 1 : -1)
           : p->y != q->y       ? (p->y > q->y) - (p->y < q->y)
                                : (p->x > q->x) - (p->x < q->x);
}

/* Places that stay, by cells as large as the template, of which each has one at most: so those that may
 * overlap are in a cell and the eight around it. A border of empty cells lies around all. */
struct cells {
    const struct place **cell;
    int64_t across, down, w, h;
};

static const struct place **cell_of(const struct cells *cells, const struct place *p)
{
    return &cells->cell[(p->y / cells->h + 1) * cells->across + p->x / cells->w + 1];
}

static bool is_free(const struct cells *cells, const struct place *p)
{
    for (int64_t i = -1; i <= 1; i++) {
        for (int64_t k = -1; k <= 1; k++) {
            const struct place *q = cell_of(cells, p)[i * cells->across + k];
            if (q && llabs((int64_t)p->x - q->x) < cells->w && llabs((int64_t)p->y - q->y) < cells->h) {
                return false;
            }
        }
    }
    return true;
}

/* Of n places those that no better one overlaps that stays itself, best first, moved to the front; returns
 * how many, or -1 without memory. w, h: the template's sides. */
static int64_t keep_best(struct place *places, int64_t n, int64_t w, int64_t h)
{
    struct cells cells = {NULL, 3, 3, w, h};
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        cells.across = places[i].x / w + 3 > cells.across ? places[i].x / w + 3 : cells.across;
        cells.down = places[i].y / h + 3 > cells.down ? places[i].y / h + 3 : cells.down;
    }
    cells.cell = calloc((size_t)(cells.across * cells.down), sizeof(struct place *));
    if (!cells.cell) {
        return -1;
    }
    qsort(places, (size_t)n, sizeof *places, by_score);
    for (int64_t i = 0; i < n; i++) {
        if (is_free(&cells, &places[i])) {
            places[kept] = places[i];
            *cell_of(&cells, &places[kept]) = &places[kept];
            kept++;
        }
    }
    free(cells.cell);
    return kept;
}

static void fill(const struct place *places, int64_t found, int64_t rows, gf_shape template,
                 gf_result_builder *builder)
{
    uint64_t *count = gf_result_u64(builder, "count", 1, 1);
    gf_result_begin_table(builder, "matches", rows);
    uint32_t *x = gf_result_column(builder, "x", NULL, GF_U32);
    uint32_t *y = gf_result_column(builder, "y", NULL, GF_U32);
    uint32_t *width = gf_result_column(builder, "width", NULL, GF_U32);
    uint32_t *height = gf_result_column(builder, "height", NULL, GF_U32);
    float *score = gf_result_column(builder, "score", NULL, GF_F32);
    if (!count || !x || !y || !width || !height || !score) {
        return;
    }
    *count = (uint64_t)found;
    for (int64_t i = 0; i < rows; i++) {
        x[i] = places[i].x;
        y[i] = places[i].y;
        width[i] = (uint32_t) template.width;
        height[i] = (uint32_t) template.height;
        score[i] = places[i].score;
    }
}

/* m->shape is the template's. */
static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct match *p = m->params;
    const int64_t n = (int64_t)((const uint64_t *)m->blocks[0])[0];
    const uint32_t *places = m->blocks[1];
    const float *scores = m->blocks[2];
    struct place *all = malloc(((size_t)n + 1) * sizeof *all);
    for (int64_t i = 0; all && i < n; i++) {
        all[i] = (struct place){places[2 * i], places[2 * i + 1], scores[i]};
    }
    const int64_t found = all ? keep_best(all, n, m->shape.width, m->shape.height) : -1;
    if (found < 0) {
        builder->status = GF_ERROR_MEMORY;
    } else {
        fill(all, found, p->limit && p->limit < found ? p->limit : found, m->shape, builder);
    }
    free(all);
}

/* ---- the op ---- */

/* The template as samples of the picture's depth and channels; 0 after a failure. */
static gf_value_id template_of(gf_lowering *l, const struct match *p, const gf_shape *shape)
{
    gf_value_id t = gf_lower_picture(l, &p->template);
    const gf_shape own = gf_lower_shape(l, t);
    t = gf_lower_drop_alpha(l, shape->channels < 3 ? gf_lower_gray(l, t) : gf_lower_rgb(l, t));
    t = gf_lower_convert(l, t, shape->depth);
    if (t && (own.width > shape->width || own.height > shape->height)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "the template has %lld x %lld pixels, must not be larger than the picture, %lld x %lld",
                      (long long)own.width, (long long)own.height, (long long)shape->width,
                      (long long)shape->height);
        return 0;
    }
    if (t && own.width > GF_MATCH_PIXELS / own.height) {
        gf_lower_fail(l, GF_ERROR_LIMIT,
                      "the template has %lld x %lld pixels, must have at most 2^29, so that sums fit 64 bits",
                      (long long)own.width, (long long)own.height);
        return 0;
    }
    return t;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct match *p = params;
    const gf_value_id in = gf_lower_input(l);
    if (!gf_lowering_samples(l, in)) {
        return;
    }
    const gf_shape shape = gf_lower_shape(l, in);
    if (shape.depth == GF_F32) {
        gf_lower_fail(l, GF_ERROR_UNSUPPORTED,
                      "scores are exact for integers only: put convert:u8 or convert:u16 before it");
        return;
    }
    const gf_value_id t = template_of(l, p, &shape), v = gf_lower_drop_alpha(l, in);
    if (!t || !v) {
        return;
    }
    const gf_shape own = gf_lower_shape(l, t);
    const int32_t scores =
        gf_lowering_picture(l, shape.width - own.width + 1, shape.height - own.height + 1, 1, GF_F32);
    const struct gf_lowering_operands from = {{v - 1, t - 1}, 2}, out = {{scores}, 1};
    struct gf_points_args args = {.lo = {(float)p->threshold}, .hi = {INFINITY}};
    struct gf_points_found found;
    const char none = 0;
    if (gf_lowering_apply(l, &gf_kernel_match, from, out, &none, sizeof none) &&
        gf_lowering_points(l, gf_to_id(scores), &args, 0, NULL, &found)) {
        const gf_value_id blocks[] = {gf_to_id(found.counts), gf_to_id(found.places), gf_to_id(found.values)};
        const int64_t across = shape.width / own.width + 3, down = shape.height / own.height + 3;
        const uint64_t place = sizeof(struct place) + 2 * sizeof(uint32_t); /* with the sides of its row */
        gf_lower_result_bytes(l, (uint64_t)(args.roi.w * args.roi.h) * place +
                                     (uint64_t)(across * down) * sizeof(struct place *)); /* of finish */
        gf_lower_output(l, gf_to_id(scores));
        gf_lower_result(l, t, blocks, 3, finish);
    }
}

static const gf_param params[] = {
    {GF_ROW(PICTURE, match, template, ""),
     .help = "what is looked for, not larger than the picture: @FILE, or the name of an input",
     .positional = 1},
    {GF_ROW_IN(NUMBER, match, threshold, "0.9", -1, 1), .help = "the least score of a place in the table"},
    {GF_ROW_IN(INT, match, limit, "0", 0, 2147483647),
     .help = "only the best so many rows; 0: all. count stays the true one"},
    {0},
};

static const gf_stage_field fields[] = {
    {"count", GF_U64, 1, "places", "how many there are, however many rows limit leaves; one value"},
    {0},
};

static const gf_stage_field columns[] = {
    {"x", GF_U32, 1, "pixels", "column of the template's left edge, from 0"},
    {"y", GF_U32, 1, "pixels", "row of its upper edge, from 0"},
    {"width", GF_U32, 1, "pixels", "of the template, so that draw:boxes takes the table"},
    {"height", GF_U32, 1, "pixels", "likewise"},
    {"score", GF_F32, 1, "-1 to 1", "how alike they are there"},
    {0},
};

static const gf_stage_table tables[] = {
    {"matches", "a row a place, best first, of equal ones row by row", columns},
    {0},
};

static const gf_example examples[] = {
    {"gray,match:@template.png", "where the picture looks like template.png, and how much"},
    {"match:@template.png:threshold=0.7:limit=2", "the two places that look most like it, in colour"},
    {0},
};

const gf_stage_type gf_stage_match = {
    .struct_size = sizeof(gf_stage_type),
    .name = "match",
    .aliases = "template|matchtemplate",
    .group = "whole",
    .summary = "how alike a template and the picture are at each place; the best places as a table",
    .use = "To find a thing whose picture is known: a button, a mark on a board, a cell, a star. Light and\n"
           "contrast may differ, size and angle may not.",
    .source =
        "As OpenCV's matchTemplate by TM_CCOEFF_NORMED and scikit-image's match_template, which round sums.",
    .formula =
        "Pixel (x, y) of the result is the correlation of the template with what it covers if its first\n"
        "pixel is there: (n sum I T - sum I sum T) / root((n sum I^2 - (sum I)^2) (n sum T^2 - (sum T)^2)),\n"
        "each difference summed over the channels. Sums are integers, and the quotient is rounded once, to\n"
        "f32; where a root is 0, as in flat places, the score is 0. The result is as much smaller than the\n"
        "picture as the template is large, less a pixel. The table has those of at least threshold,\n"
        "the best first, but no place where the template would overlap one further up. The template takes\n"
        "the picture's depth, and its colours or gray; alpha does not count. It takes 52 bytes a place, as\n"
        "all may be in the table, and what --explain states for sums of products. With a side of the\n"
        "template above 2048 pixels the CPU adds them up place by place, which takes long.",
    .params = params,
    .params_size = sizeof(struct match),
    .lower = lower,
    .fields = fields,
    .examples = examples,
    .tables = tables,
};
