#include "design/equaliser.h"

#include "base/gf_num.h"
#include "base/status.h"
#include "design/design_parts.h"
#include "design/response.h"

#include <math.h>

/* (b2 s^2 + b1 s + b0) / (a2 s^2 + a1 s + a0) by the bilinear transform, 1 radian a second to k = tan(pi
 * frequency). */
static struct gf_section bilinear(const double b[3], const double a[3], double k)
{
    const double scale = 1.0 / (a[2] + a[1] * k + a[0] * k * k);
    return (struct gf_section){
        (b[2] + b[1] * k + b[0] * k * k) * scale, 2.0 * (b[0] * k * k - b[2]) * scale,
        (b[2] - b[1] * k + b[0] * k * k) * scale, 2.0 * (a[0] * k * k - a[2]) * scale,
        (a[2] - a[1] * k + a[0] * k * k) * scale,
    };
}

gf_status gf_shelf_q(double slope, double gain_db, double *q, gf_error *error)
{
    const double a = gf_exp_double(gain_db * (GF_LN10 / 40.0));
    GF_TRY(gf_check("slope", slope, 0.0, 1.0, "(]", error));
    *q = 1.0 / gf_sqrt_double((a + 1.0 / a) * (1.0 / slope - 1.0) + 2.0);
    return GF_OK;
}

gf_status gf_design_equaliser(enum gf_equaliser kind, double frequency, double q, double gain_db,
                              struct gf_section *section, gf_error *error)
{
    GF_TRY(gf_check("frequency, in cycles a sample,", frequency, 0.0, 0.5, "()", error));
    GF_TRY(gf_check("q", q, kind == GF_NOTCH ? 2.0 * frequency : 0.0, 1e9, "(]", error));
    if (kind == GF_NOTCH) {
        const double gain = 1.0 / (1.0 + gf_tan_pi(frequency / q)),
                     turn = -2.0 * gain * gf_cos_pi(2.0 * frequency);
        *section = (struct gf_section){gain, turn, gain, turn, 2.0 * gain - 1.0};
        return GF_OK;
    }
    GF_TRY(gf_check("gain in dB", gain_db, -200.0, 200.0, "[]", error));
    const double a = gf_exp_double(gain_db * (GF_LN10 / 40.0)), width = gf_sqrt_double(a) / q,
                 k = gf_tan_pi(frequency);
    if (kind == GF_PEAK) {
        *section = bilinear((const double[]){1.0, a / q, 1.0}, (const double[]){1.0, 1.0 / (a * q), 1.0}, k);
    } else if (kind == GF_LOW_SHELF) {
        *section = bilinear((const double[]){a * a, a * width, a}, (const double[]){1.0, width, a}, k);
    } else {
        *section = bilinear((const double[]){a, a * width, a * a}, (const double[]){a, width, 1.0}, k);
    }
    return GF_OK;
}

gf_status gf_design_harmonics(double frequency, double q, int32_t most, struct gf_section *sections,
                              int32_t room, int32_t *count, gf_error *error)
{
    GF_TRY(gf_check("number of harmonics", most, 1.0, INT32_MAX, "[]", error));
    GF_TRY(gf_check("frequency, in cycles a sample,", frequency, 0.0, 0.5, "()", error));
    const double below_half = ceil(0.5 / frequency) - 1.0;
    const int32_t needed = below_half < most ? (int32_t)below_half : most;
    GF_TRY(gf_check("room for sections", room, needed, INT32_MAX, "[]", error));
    for (int32_t i = 0; i < needed; i++) {
        GF_TRY(gf_design_equaliser(GF_NOTCH, (i + 1) * frequency, (i + 1) * q, 0.0, &sections[i], error));
    }
    *count = needed;
    return GF_OK;
}

gf_status gf_design_dc_block(double frequency, struct gf_section *section, gf_error *error)
{
    GF_TRY(gf_check("frequency, in cycles a sample,", frequency, 0.0, 0.1, "(]", error));
    const double sine = gf_sine_pi(frequency), less = 2.0 * sine * sine; /* 1 - cos */
    *section = (struct gf_section){1.0, -1.0, 0.0, less + gf_sqrt_double(less * (2.0 + less)) - 1.0, 0.0};
    return GF_OK;
}

gf_status gf_design_deemphasis(double tau, struct gf_section *section, gf_error *error)
{
    GF_TRY(gf_check("time constant in samples", tau, 0.0, 1e9, "(]", error));
    const double gain = 1.0 / (1.0 + 2.0 * tau);
    *section = (struct gf_section){gain, gain, 0.0, (1.0 - 2.0 * tau) * gain, 0.0};
    return GF_OK;
}

/* The constants are those of which BS.1770's coefficients, given for 48 kHz, are made. */
static void k_weighting(double rate, struct gf_section sections[2])
{
    const double high = gf_exp_double(3.999843853973347 * (GF_LN10 / 20.0));
    const double middle = gf_exp_double(3.999843853973347 * 0.4996667741545416 * (GF_LN10 / 20.0));
    const double q = 0.7071752369554196, q_low = 0.5003270373238773;
    sections[0] = bilinear((const double[]){1.0, middle / q, high}, (const double[]){1.0, 1.0 / q, 1.0},
                           gf_tan_pi(1681.974450955533 / rate));
    sections[1] = bilinear((const double[]){0.0, 0.0, 1.0}, (const double[]){1.0, 1.0 / q_low, 1.0},
                           gf_tan_pi(38.13547087602444 / rate));
    sections[1].b0 = sections[1].b2 = 1.0; /* which the standard does not scale */
    sections[1].b1 = -2.0;
}

gf_status gf_design_weighting(enum gf_weighting kind, double rate,
                              struct gf_section sections[GF_WEIGHTING_SECTIONS], int32_t *count,
                              gf_error *error)
{
    static const double poles[] = {20.598997, 20.598997, 12194.217, 12194.217, 107.65265, 737.86223};
    struct gf_zero_pole filter = {.gain = 1.0};
    GF_TRY(gf_check("rate in Hz", rate, 4000.0, 1e9, "[]", error));
    *count = kind == GF_WEIGHTING_A ? 3 : 2;
    if (kind == GF_WEIGHTING_K) {
        k_weighting(rate, sections);
        return GF_OK;
    }
    for (int i = 0; i < 2 * *count; i++) {
        const double s = -GF_PI * poles[i] / rate;
        gf_roots_add(&filter.poles, (1.0 + s) / (1.0 - s), 0.0);
        gf_roots_add(&filter.zeros, i == 2 || i == 3 ? -1.0 : 1.0, 0.0);
    }
    gf_zero_pole_sections(&filter, sections);
    const double at_1_khz = gf_sections_response(sections, *count, 1000.0 / rate).db;
    filter.gain = gf_exp_double(-GF_LN10 / 20.0 * at_1_khz);
    gf_zero_pole_sections(&filter, sections);
    return GF_OK;
}
