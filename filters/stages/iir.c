/* iir: second-order sections of your own. */
#include "signal/signal_lowering.h"

struct iir {
    gf_list sections;
};

/* A row of SciPy's sos; false: it is refused. */
static bool read_row(gf_signal_lowering *l, const double *v, int row, struct gf_section *section)
{
    *section = (struct gf_section){v[0] / v[3], v[1] / v[3], v[2] / v[3], v[4] / v[3], v[5] / v[3]};
    const struct gf_section *s = section;
    if (v[3] == 0) {
        gf_signal_lower_fail(l, "sections", "row %d of sections has a0 = 0, must be another number", row);
    } else if (!(s->a2 < 1 && s->a2 > -1 && s->a1 < 1 + s->a2 && -s->a1 < 1 + s->a2)) {
        gf_signal_lower_fail(l, "sections",
                             "row %d of sections is not stable: a1 / a0 is %.17g and a2 / a0 %.17g, must be "
                             "|a2| < 1 and |a1| < 1 + a2",
                             row, s->a1, s->a2);
    } else {
        return true;
    }
    return false;
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const gf_list *list = &((const struct iir *)params)->sections;
    struct gf_section sections[GF_SIGNAL_SECTIONS];
    if (list->rows == 0 || list->rows > GF_SIGNAL_SECTIONS) {
        gf_signal_lower_fail(l, "sections", "sections= has %d rows, must have 1 to %d, as @sos.npy",
                             list->rows, GF_SIGNAL_SECTIONS);
        return;
    }
    for (int32_t i = 0; i < list->rows; i++) {
        if (!read_row(l, list->values + (ptrdiff_t)6 * i, i + 1, &sections[i])) {
            return;
        }
    }
    gf_signal_lower_iir(l, sections, list->rows, NULL, 0);
}

GF_PARAMS({GF_ROW(LIST, iir, sections, ""), .choices = "*x6", .positional = 1,
           .help = "rows b0 b1 b2 a0 a1 a2 as SciPy's sos, at most 16"});

GF_EXAMPLES({"iir:[1 0 0 1 -0.9 0]", "y = x + 0.9 y[-1]: a leaky sum"});

const gf_stage_type gf_stage_iir = {
    GF_STAGE_OF(iir),
    .group = "signal",
    .flags = GF_STAGE_POINT | GF_STAGE_NO_ROI,
    .summary = "a recursive filter of your own: second-order sections",
    .use = "For filters that another program has designed: save sos by numpy.save, and give @sos.npy.",
    .source = "Run as scipy.signal.sosfilt.",
    .formula = GF_SECTIONS_FORMULA "\nA row is divided by its a0 and must be stable; --explain shows poles.",
    .signal = signal,
};
