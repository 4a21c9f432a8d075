/* frequency: what is coarser, or finer, than a wavelength. */
#include "gpufilter/stage.h"
#include "lower/frequency_stage.h"

struct frequency {
    double low, high;
    int64_t order;
    int32_t shape, negative, border; /* indices of their words */
};

static void lower(gf_lowering *l, const void *params)
{
    const struct frequency *p = params;
    const gf_value_id v = gf_lower_input(l);
    struct gf_frequency_filter filter = {
        .args = {.shape = p->shape, .order = (int32_t)p->order, .below = p->low > 0}, .border = p->border};
    if (!(p->low > 0) && !(p->high > 0)) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "low= and high= are 0, or not given: it passes what is below low, or above high, in cycles a "
            "pixel, as low=0.1, or what is between high and low");
        return;
    }
    if (p->low > 0 && p->high >= p->low) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "low is %.10g and high %.10g: what is above high and below low passes, so high must be less",
            p->low, p->high);
        return;
    }
    if (p->low > 0) {
        filter.place[filter.args.terms++].distance = p->low;
    }
    if (p->high > 0) {
        filter.place[filter.args.terms++].distance = p->high;
    }
    const gf_depth depth = gf_lower_shape(l, v).depth;
    filter.negative = p->high > 0 ? gf_negative_of(p->negative, depth) : GF_NEGATIVE_KEEP;
    gf_lower_output(l, gf_lowering_frequency(l, v, &filter));
}

static const gf_param params[] = {
    {GF_ROW_IN(NUMBER, frequency, low, "", 0, 1),
     .help = "frequencies below it pass, in cycles a pixel: 0.1 are waves of 10 pixels", .positional = 1},
    {GF_ROW_IN(NUMBER, frequency, high, "", 0, 1),
     .help = "those above it pass; with low=: those in between"},
    {GF_ROW(CHOICE, frequency, shape, "gauss"),
     .choices = "ideal|gauss|butterworth", /* in the order of gf_frequency_shape */
     .help =
         "how it ends there: at once, which rings; as a Gaussian, 61 % there; as a Butterworth filter, 50 %"},
    {GF_ROW_IN(INT, frequency, order, "2", 1, GF_FREQUENCY_ORDERS),
     .help = "of butterworth: the higher, the steeper"},
    {GF_ROW(CHOICE, frequency, negative, "auto"), .choices = GF_NEGATIVE_CHOICES,
     .help =
         "results below 0 of high=: absolute values, halved and moved to mid-gray, kept; auto: kept in f32, "
         "else absolute"},
    GF_FREQUENCY_BORDER_ROW(frequency, "what lies outside the picture; wrap: it is taken as a period"),
    {0},
};

static const gf_example examples[] = {
    {"frequency:low=0.05", "a blur: of waves of 20 pixels 61 % stay, of 10 pixels 14 %"},
    {"gray,frequency:high=0.02:negative=offset", "waves well below 50 pixels stay, around mid-gray: light "
                                                 "that falls unevenly goes"},
    {"frequency:low=0.25:high=0.01:shape=butterworth:order=4:negative=offset", "a band of frequencies"},
    {0},
};

const gf_stage_type gf_stage_frequency = {
    .struct_size = sizeof(gf_stage_type),
    .name = "frequency",
    .group = "whole",
    .summary = "low-, high- or band-pass of a picture, by its Fourier transform",
    .use = "To leave out what is finer or coarser than a wavelength, whatever the direction: uneven light, "
           "grain,\n"
           "a blur that ends at a frequency. Waves of one frequency: notch.",
    .source = "R. C. Gonzalez, R. E. Woods, Digital Image Processing, chapter 4.",
    .formula =
        "v = back(H(d) there(v)), d = sqrt(u^2 + v^2) being the distance from zero frequency in cycles a "
        "pixel (0.5\n"
        "along an axis is every other pixel). low: H is 1 where d <= low, else 0 (ideal), exp(-d^2 / (2 "
        "low^2)),\n"
        "or 1 / (1 + (d / low)^(2 order)); high: 1 less that of high; both: their product. The picture is "
        "extended\n"
        "on all sides, in all by twice 1 / low or 1 / high, the larger, or by its own side, whichever is "
        "less,\n"
        "and on to the next even side without primes above 7; with wrap it is not extended, and taken as a\n"
        "period. A picture of one row along x only. Each channel by itself, in f32, rounded once. One NaN or "
        "infinity\n"
        "makes NaN of all of its channel.",
    .params = params,
    .params_size = sizeof(struct frequency),
    .flags = GF_STAGE_POINT,
    .lower = lower,
    .examples = examples,
};
