/* deskew: turned so that lines of text lie level. */
#include "stages/outside_rows.h"
#include "stages/rotate.h"
#include "stages/skew.h"

struct deskew {
    struct rotate turn; /* first, so that the rows of its members are rotate's; its angle is not used */
    struct gf_skew skew;
    gf_list angle; /* no rows: not found yet */
};

static int32_t waits(const void *params)
{
    return ((const struct deskew *)params)->angle.rows == 0;
}

static void store(void *params, const gf_result *found)
{
    gf_list *angle = &((struct deskew *)params)->angle;
    angle->rows = angle->columns = 1;
    angle->values[0] = ((const double *)found->fields[0].values)[0];
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    double *angle = gf_result_f64(builder, "angle", 1, 1);
    if (angle) {
        *angle = ((const struct deskew *)m->params)->angle.values[0];
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct deskew *p = params;
    if (waits(p)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "how lines lean is not known before pixels are looked at: gf_pipeline_settle finds it, or "
            "angle=DEGREES says it");
        return;
    }
    gf_lower_result(l, gf_lower_input(l), NULL, 0, finish);
    struct rotate turn = p->turn;
    turn.angle = -p->angle.values[0];
    gf_rotate_lower(l, &turn);
}

GF_PARAMS(
    GF_SKEW_PARAMS(offsetof(struct deskew, skew)),
    {GF_ROW_IN(LIST, deskew, angle, "", -45, 45), .choices = "1x1",
     .help = "by how many degrees lines lean clockwise, found before by skew or by deskew itself; then no "
             "pixel is looked at"},
    {GF_ROW(BOOL, rotate, expand, "on"), .help = "on: large enough for all corners; off: as large as before"},
    GF_INTERPOLATION_ROW(rotate, "what lies between pixels"),
    GF_OUTSIDE_ROWS(rotate, "constant", "what lies outside the picture", "its"));

GF_FIELDS({"angle", GF_F64, 1, "degrees", "by which lines leaned clockwise, and which was turned back"});

GF_EXAMPLES({"deskew:value=1", "lines of a scan lie level; the new corners are white"},
            {"deskew:5:expand=off", "looks for at most 5 degrees, and keeps the size"},
            {"deskew:angle=2.5", "what deskew is once it has looked: see --print-pipeline"});

extern const gf_stage_type gf_stage_skew;
static const gf_stage_settle settle = {
    .parameter = "angle",
    .waits = waits,
    .measure = &gf_stage_skew,
    .offset = offsetof(struct deskew, skew),
    .store = store,
};

const gf_stage_type gf_stage_deskew = {
    GF_STAGE_OF(deskew),
    .aliases = "straighten",
    .group = "geometry",
    .summary = "turned so that lines of text lie level",
    .use =
        "For scanned pages, receipts and forms. Before anything else runs, the stages before it run once to\n"
        "find the angle, so that IN is read twice. A page without lines, noise for one, stays as it "
        "is.",
    .formula =
        "rotate by the angle that the stage skew finds, the other way round; 0: no bit of a sample changes. "
        "The\n"
        "program, and gf_pipeline_settle, look for the angle; a plan has one shape, so that it wants angle=.",
    .lower = lower,
    .fields = fields,
    .settle = &settle,
};
