/* notch: takes one frequency away, and its multiples: hum; or waves of a picture, which have a direction. */
#include "design/equaliser.h"
#include "lower/frequency_stage.h"
#include "signal/signal_lowering.h"

struct notch {
    double frequency, q, radius;
    int64_t harmonics;
    int32_t phase, border; /* indices of their words */
    gf_list at;
};

enum { ROW_FREQUENCY, ROW_Q, ROW_HARMONICS, ROW_PHASE, ROW_AT }; /* of params */

/* The defaults of q and radius, and such a number as a row has it. */
#define Q               30
#define RADIUS          0.01
#define WRITTEN(number) AS_TEXT(number)
#define AS_TEXT(words)  #words

/* A wave is at two places, (u, v) and (-u, -v). */
enum { PLACES = GF_FREQUENCY_TERMS / 2 };

static bool picture_fits(gf_lowering *l, const struct notch *p)
{
    if (p->frequency > 0) {
        gf_lowering_fail_at(
            l, ROW_FREQUENCY,
            "it gets a picture, and frequency= is of signals: give the places of waves in cycles "
            "a pixel, as at=[0.1 0.25]");
    } else if (p->q != Q || p->harmonics != 1 || p->phase != 0) {
        gf_lowering_fail_at(l,
                            p->q != Q           ? ROW_Q
                            : p->harmonics != 1 ? ROW_HARMONICS
                                                : ROW_PHASE,
                            "it gets a picture, and q=, harmonics= and phase= are of signals: of a picture "
                            "radius= says how wide a notch is, and at= has a place for each wave");
    } else if (p->at.rows == 0) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT,
                      "at= is not given: of a picture it needs the places of waves, in cycles a pixel, as "
                      "at=[0.1 0.25]");
    } else if (p->at.rows > PLACES) {
        gf_lowering_fail_at(l, ROW_AT, "at= has %d places, must have at most %d", p->at.rows, PLACES);
    }
    return l->status == GF_OK;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct notch *p = params;
    struct gf_frequency_filter filter = {
        .args = {.shape = GF_FREQUENCY_GAUSS}, .border = p->border, .negative = GF_NEGATIVE_KEEP};
    if (!picture_fits(l, p)) {
        return;
    }
    for (int32_t i = 0; i < p->at.rows; i++) {
        const double u = p->at.values[2 * i], v = p->at.values[2 * i + 1];
        filter.place[filter.args.terms++] = (struct gf_frequency_place){u, v, p->radius};
        filter.place[filter.args.terms++] = (struct gf_frequency_place){-u, -v, p->radius};
    }
    gf_lower_output(l, gf_lowering_frequency(l, gf_lower_input(l), &filter));
}

static void signal(gf_signal_lowering *l, const void *params)
{
    const struct notch *p = params;
    struct gf_section sections[GF_SIGNAL_SECTIONS];
    int32_t count = 0;
    gf_error why = GF_ERROR_INIT;
    if (p->at.rows > 0) {
        gf_signal_lower_fail(l, "at", "it gets a signal, and at= is of pictures: give frequency=, as 50Hz");
    } else if (p->radius != RADIUS || p->border != GF_BORDER_REFLECT) {
        gf_signal_lower_fail(
            l, p->radius != RADIUS ? "radius" : "border",
            "it gets a signal, and radius= and border= are of pictures: q= says how narrow the "
            "notch is");
    }
    const double rate = gf_signal_lower_rate_for(l, "frequency", p->frequency);
    gf_signal_lower_phase(l, p->phase);
    if (rate > 0) {
        const gf_status status = gf_design_harmonics(p->frequency / rate, p->q, (int32_t)p->harmonics,
                                                     sections, GF_SIGNAL_SECTIONS, &count, &why);
        gf_signal_lower_design(l, status, &why, sections, count, &p->frequency, 1);
    }
}

GF_PARAMS(
    {GF_ROW_IN(NUMBER, notch, frequency, "", 0, 1e12), .unit = "Hz",
     .help = "of a signal: which goes, as 50Hz; below half the rate", .positional = 1},
    {GF_ROW_IN(NUMBER, notch, q, WRITTEN(Q), 0.01, 100000),
     .help = "of a signal: the frequency over the width of the notch"},
    {GF_ROW_IN(INT, notch, harmonics, "1", 1, GF_SIGNAL_SECTIONS),
     .help = "of a signal: notches at multiples of the frequency, itself counted"},
    GF_PHASE_ROW(notch),
    {GF_ROW_IN(LIST, notch, at, "", -0.5, 0.5), .choices = "1x2|*x2",
     .help = "of a picture: u v of each wave that goes, in cycles a pixel across and down; 0.1 0 are bars 10 "
             "pixels apart, 0 0 is the mean"},
    {GF_ROW_IN(NUMBER, notch, radius, WRITTEN(RADIUS), 1e-6, 0.5),
     .help = "of a picture: how far around each place, in the same unit"},
    GF_FREQUENCY_BORDER_ROW(notch, "of a picture: what lies outside; wrap: it is taken as a period"));

GF_EXAMPLES({"notch:50Hz", "takes the hum of the mains away"},
            {"notch:50Hz:phase=zero", "the same, and the waves of an ECG stay where they are"},
            {"notch:60Hz:q=20:harmonics=8", "the same with its harmonics, up to 480 Hz"},
            {"notch:at=[0.125 0.0625]", "of a picture: slanting lines go, 8 pixels apart across and 16 down"},
            {"notch:at=[0.25 0; 0 0.25]:radius=0.02", "of a picture: a grid of 4 pixels"});

const gf_stage_type gf_stage_notch = {
    GF_STAGE_OF(notch),
    .group = "signal",
    .flags = GF_STAGE_POINT,
    .summary = "takes one frequency away: hum and its multiples, or waves that run through a picture",
    .use =
        "Against the hum of the mains, at 50 or 60 Hz, and its harmonics. bandstop is wider. Of pictures "
        "against\n"
        "lines of interference, screens of print, moire: peaks of the spectrum that are not near its middle.",
    .source = "scipy.signal.iirnotch, for each harmonic with a Q that keeps the width.",
    .formula = GF_SECTIONS_FORMULA
    "\n"
    "A notch is frequency / q wide, where the gain is -3 dB; harmonics beyond half the rate are "
    "left out." GF_PHASE_FORMULA "\n"
    "Of a picture as frequency, H being the product of 1 - exp(-d^2 / (2 radius^2)) for all places of at= "
    "and\n"
    "their opposites, (-u, -v), where d is the distance from there; u and v go round at 0.5. Keep radius "
    "well\n"
    "below the distance of a place from (0, 0), or the mean changes, too.",
    .lower = lower,
    .signal = signal,
};
