/* threshold: black or white. */
#include "gpufilter/stage.h"
#include "lower/lowering_private.h"
#include "pixel/solve/classes.h"

enum method { METHOD_FIXED, METHOD_OTSU, METHOD_MEAN, METHOD_GAUSSIAN, METHOD_SAUVOLA };

struct threshold {
    double level;
    int32_t method;
    int64_t radius, classes;
    double sigma, offset, k, range;
};

enum { F32_BINS = 256, MEAN_RADIUS = 7, CLASSES = 2 };
#define LEVEL          0.5
#define GAUSSIAN_SIGMA 3.0
#define SAUVOLA_K      0.2
#define SAUVOLA_RANGE  0.5

static const char *const method_names[] = {"fixed", "otsu", "mean", "gaussian", "sauvola"};

/* Fails where a parameter is given that the method does not look at. */
static bool fits(gf_lowering *l, const struct threshold *p)
{
    const bool sauvola = p->method == METHOD_SAUVOLA;
    const bool mean = p->method == METHOD_MEAN || p->method == METHOD_GAUSSIAN, local = mean || sauvola;
    const char *const what = local && p->level != LEVEL                                    ? "level"
                             : !local && p->radius != GF_AUTO                              ? "radius"
                             : p->method != METHOD_GAUSSIAN && p->sigma != (double)GF_AUTO ? "sigma"
                             : !mean && p->offset != 0                                     ? "offset"
                             : !sauvola && p->k != SAUVOLA_K                               ? "k"
                             : !sauvola && p->range != SAUVOLA_RANGE                       ? "range"
                             : p->method != METHOD_OTSU && p->classes != CLASSES           ? "classes"
                                                                                           : NULL;
    if (what) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "%s does not belong to method=%s: level is of fixed, radius of mean, gaussian and sauvola, "
            "offset of mean and gaussian, sigma of gaussian, k and range are of sauvola, classes of otsu",
            what, method_names[p->method]);
    }
    return !what;
}

static void finish(const gf_measured *m, gf_result_builder *builder)
{
    const struct threshold *p = m->params;
    const float *levels = m->blocks[0];
    const int64_t n = p->classes - 1;
    double *out = gf_result_f64(builder, "level", __builtin_popcount(m->channels), n);
    for (int64_t i = 0; out && i < m->shape.channels * n; i++) {
        if (m->channels >> i / n & 1) {
            *out++ = (double)levels[i];
        }
    }
}

/* Several levels, and a table of the classes between them. */
static void lower_classes(gf_lowering *l, gf_value_id v, gf_value_id counts, gf_value_id range, int64_t n)
{
    const struct gf_value *block = gf_lowering_value(l, counts, true);
    if (!block) {
        return;
    }
    const int32_t bins = (int32_t)(block->width - 3), channels = block->channels;
    const struct gf_classes_args args = {.bins = bins,
                                         .classes = (int32_t)n,
                                         .white = (float)gf_lower_white(l, v),
                                         .mask = gf_lowering_mask(l, channels)};
    const gf_depth depth = gf_lower_shape(l, v).depth;
    const int32_t levels = gf_lowering_block(l, GF_F32, channels, n - 1);
    const int32_t table = gf_lowering_block(l, depth, channels, bins);
    const struct gf_lowering_operands in = {{counts - 1, range - 1}, range ? 2 : 1},
                                      out = {{levels, table}, 2};
    if (gf_lowering_apply(l, &gf_kernel_classes, in, out, &args, sizeof args)) {
        const gf_value_id result = gf_to_id(levels);
        gf_lower_output(l, gf_lower_table(l, v, gf_to_id(table), range));
        gf_lower_result(l, v, &result, 1, finish);
    }
}

static void lower(gf_lowering *l, const void *params)
{
    const struct threshold *p = params;
    gf_value_id v = gf_lower_input(l);
    if (!fits(l, p)) {
        return;
    }
    const double offset = p->offset * gf_lower_white(l, v);
    const int64_t radius = p->radius == GF_AUTO ? MEAN_RADIUS : p->radius;
    if (p->method == METHOD_SAUVOLA) {
        gf_lower_output(l, gf_lowering_threshold_sauvola(l, v, radius, p->k, p->range));
        return;
    }
    if (p->method == METHOD_MEAN) {
        gf_lower_output(l, gf_lowering_threshold_mean(l, v, radius, offset));
        return;
    }
    if (p->method == METHOD_GAUSSIAN) {
        const double sigma = p->sigma == (double)GF_AUTO ? GAUSSIAN_SIGMA : p->sigma;
        gf_lower_output(l, gf_lowering_threshold_gaussian(l, v, sigma, p->radius, offset));
        return;
    }
    if (p->method == METHOD_FIXED) {
        gf_lower_output(l, gf_lower_threshold(l, v, p->level * gf_lower_white(l, v)));
        return;
    }
    gf_value_id range = gf_lower_range(l, v);
    gf_value_id counts = gf_lower_histogram(l, v, F32_BINS, 0, 1, range);
    if (p->classes > CLASSES) {
        lower_classes(l, v, counts, range, p->classes);
        return;
    }
    gf_value_id levels = gf_lower_otsu(l, counts, range);
    gf_lower_output(l, gf_lower_threshold_block(l, v, levels));
    gf_lower_result(l, v, &levels, 1, finish);
}

GF_PARAMS(
    {GF_ROW_IN(INTENSITY, threshold, level, "0.5", 0, 1), .help = "the level of method fixed",
     .positional = 1},
    {GF_ROW(CHOICE, threshold, method, "fixed"), .choices = "fixed|otsu|mean|gaussian|sauvola",
     .help =
         "fixed: level; otsu: the level that best separates two classes, per channel; mean, gaussian: the "
         "neighbours' mean, each sample's own; sauvola: their mean and how far they spread",
     .positional = 1},
    {GF_ROW_IN(INT, threshold, radius, "auto", 0, 1000000), .unit = "px", .auto_word = "auto",
     .help =
         "of the neighbourhood of mean and sauvola, 2 radius + 1 wide (auto: 7), and of gaussian (auto: as "
         "blur); of sauvola at most the longer side of the picture, or 64, and 32767"},
    {GF_ROW_IN(INTENSITY, threshold, offset, "0", -1, 1),
     .help = "taken from the neighbours' mean: above 0, plain areas become white; mean of u8 and u16: the "
             "nearest integer"},
    {GF_ROW_IN(NUMBER, threshold, sigma, "auto", 0.05, 10000), .unit = "px", .auto_word = "auto",
     .help = "standard deviation of gaussian; auto: 3"},
    {GF_ROW_IN(NUMBER, threshold, k, "0.2", 0, 1),
     .help = "of sauvola: how far below the mean the level is where all neighbours are alike, as part of the "
             "mean"},
    {GF_ROW_IN(INTENSITY, threshold, range, "0.5", 0.001, 1),
     .help = "of sauvola: the standard deviation of the neighbours at which the level is their mean"},
    {GF_ROW_IN(INT, threshold, classes, "2", 2, GF_CLASSES_MOST),
     .help = "of otsu: how many shades there are afterwards, from black to white"});

GF_FIELDS({"level", GF_F64, 0, "sample units",
           "the levels that method otsu chose, classes - 1; of no other method"});

GF_EXAMPLES({"gray,threshold:110u8", "makes all that is lighter than 110 of 255 white, the rest black"},
            {"gray,blur:1,threshold:otsu", "finds the level by itself, and prints it"},
            {"gray,threshold:otsu:classes=4", "four shades, parted where they differ most"},
            {"gray,threshold:mean:radius=15:offset=5%", "text on paper that is not evenly lit"},
            {"gray,threshold:gaussian:sigma=4", "what is lighter than its surroundings"},
            {"gray,threshold:sauvola:radius=12", "writing on paper, whose empty parts stay white"});

const gf_stage_type gf_stage_threshold = {
    GF_STAGE_OF(threshold),
    .group = "point",
    .summary = "black or white: threshold:0.5, threshold:otsu",
    .formula =
        "v -> white where v > level, else 0; NaN becomes 0.\n"
        "otsu: per channel, the level that maximises the variance between the classes, the lowest\n"
        "on ties, from 256 bins for u8, 65536 for u16, and for f32 256 over [min, max], far outliers\n"
        "counting in the last ones, where the level is the centre of its bin. The levels are a result of "
        "the\n"
        "run. classes=N: the N - 1 levels that do so for N classes, of 256 groups of values (u16: evenly "
        "from\n"
        "the least to the greatest one), which become the N shades from 0 to white; NaN stays.\n"
        "mean: v -> white where v > m - offset, m the mean of the (2 radius + 1)^2 samples around it, of\n"
        "u8 and u16 exact; gaussian: m the Gaussian of the stage blur in f32, not rounded. sauvola:\n"
        "v > m (1 + k (s / range - 1)), m and s the mean and the standard deviation of those samples. Every\n"
        "channel by itself, whatever its alpha; a signal (height 1) looks along x only.",
    .flags = GF_STAGE_WINDOW,
    .lower = lower,
    .fields = fields,
    .use =
        "To part what is light from what is dark, before label or a mask. otsu where the whole picture is "
        "evenly\n"
        "lit; mean or gaussian, with a neighbourhood wider than what is looked for, where it is not; sauvola "
        "for writing,\n"
        "as it leaves paper without any white.",
    .source =
        "otsu: N. Otsu, \"A Threshold Selection Method from Gray-Level Histograms\", 1979; classes as "
        "scikit-image's\n"
        "threshold_multiotsu. mean: as "
        "OpenCV's\n"
        "adaptiveThreshold, but of the mean that is not rounded. sauvola: J. Sauvola and M. Pietikainen,\n"
        "\"Adaptive document image binarization\", 2000, as scikit-image has it.",
};
