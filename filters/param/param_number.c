/* Parameters: reading numbers. */
#include "param/param_value.h"

#include <float.h>
#include <math.h>

static bool has_interval(const gf_param *param)
{
    return param->min != 0 || param->max != 0;
}

bool gf_param_in_interval(const gf_param *param, double value)
{
    return !has_interval(param) || (value >= param->min && value <= param->max);
}

static gf_status out_of_interval(const gf_param *param, const struct gf_argument *a, struct gf_text *why)
{
    char must_be[96];
    struct gf_text t = gf_text_begin(must_be, sizeof must_be);
    gf_text_string(&t, "from ");
    gf_text_number(&t, param->min);
    gf_text_string(&t, " to ");
    gf_text_number(&t, param->max);
    return gf_param_out_of_range(param, a, must_be, why);
}

size_t gf_param_digits(const char *p, size_t n, int64_t *value)
{
    size_t i = 0;
    *value = 0;
    for (; i < n && p[i] >= '0' && p[i] <= '9'; i++) {
        int digit = p[i] - '0';
        *value = *value > (INT64_MAX - digit) / 10 ? INT64_MAX : *value * 10 + digit;
    }
    return i;
}

gf_status gf_param_read_int(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                            struct gf_text *why)
{
    const char *p = a->text;
    size_t sign = a->length > 0 && (p[0] == '-' || p[0] == '+');
    int64_t v;
    size_t digits = gf_param_digits(p + sign, a->length - sign, &v);
    size_t used = sign + digits;
    if (digits == 0 || (used < a->length && !gf_param_equal(p + used, a->length - used, param->unit))) {
        return gf_param_wrong_form(param, a, why);
    }
    bool huge = v == INT64_MAX;
    v = sign && p[0] == '-' ? -v : v;
    if (has_interval(param) && (huge || (double)v < param->min || (double)v > param->max)) {
        return out_of_interval(param, a, why);
    }
    if (huge) {
        return gf_param_out_of_range(param, a, "less than 2^63 - 1", why);
    }
    value->integer = v;
    return GF_OK;
}

/* What a unit is called in thousands and thousandths. */
static const struct scaled_unit {
    const char *unit, *suffix;
    double times, divisor;
} scaled_units[] = {{"Hz", "kHz", 1e3, 1}, {"Hz", "MHz", 1e6, 1}, {"s", "ms", 1, 1e3}, {"s", "us", 1, 1e6}};

/* Returns what a suffix divides by; 0: not a suffix of this parameter. *times: what it multiplies by. */
static double divisor_of(const gf_param *param, const char *suffix, size_t n, double *times)
{
    *times = 1;
    if (n == 0 || (param->type == GF_PARAM_NUMBER && gf_param_equal(suffix, n, param->unit))) {
        return 1;
    }
    for (size_t i = 0; param->unit && i < sizeof scaled_units / sizeof *scaled_units; i++) {
        if (strcmp(param->unit, scaled_units[i].unit) == 0 &&
            gf_param_equal(suffix, n, scaled_units[i].suffix)) {
            *times = scaled_units[i].times;
            return scaled_units[i].divisor;
        }
    }
    if (param->type != GF_PARAM_INTENSITY) {
        return 0;
    }
    return gf_param_equal(suffix, n, "%")     ? 100
           : gf_param_equal(suffix, n, "u8")  ? 255
           : gf_param_equal(suffix, n, "u16") ? 65535
                                              : 0;
}

gf_status gf_param_read_number(const gf_param *param, const struct gf_argument *a,
                               union gf_param_value *value, struct gf_text *why)
{
    double v, below;
    size_t used = gf_number_read(a->text, a->length, &v);
    if (used == 0) {
        return gf_param_wrong_form(param, a, why);
    }
    if (used < a->length && a->text[used] == '/') {
        size_t more = gf_number_read(a->text + used + 1, a->length - used - 1, &below);
        if (more == 0) {
            return gf_param_wrong_form(param, a, why);
        }
        used += 1 + more;
        v /= below;
    }
    double times, divisor = divisor_of(param, a->text + used, a->length - used, &times);
    if (divisor == 0) {
        return gf_param_wrong_form(param, a, why);
    }
    v = v * times / divisor;
    /* The interval of an intensity depends on the depth: it is checked when the stage is lowered. */
    if (param->type == GF_PARAM_INTENSITY ? fabs(v) > (double)FLT_MAX : !gf_param_in_interval(param, v)) {
        return param->type == GF_PARAM_INTENSITY ? gf_param_out_of_range(param, a, "finite in f32", why)
                                                 : out_of_interval(param, a, why);
    }
    if (!isfinite(v)) {
        return gf_param_out_of_range(param, a, "finite", why);
    }
    value->number = v == 0 ? 0 : v; /* no -0: it would print as another value than the default */
    return GF_OK;
}

gf_status gf_param_read_span(const gf_param *param, const struct gf_argument *a, union gf_param_value *value,
                             struct gf_text *why)
{
    gf_param item = *param;
    item.type = GF_PARAM_NUMBER;
    double number;
    char first[64];
    const size_t digits = gf_number_read(a->text, a->length, &number);
    size_t at = digits;
    while (at < a->length && a->text[at] != '-') {
        at++;
    }
    if (digits == 0 || at + 1 >= a->length || at >= 32) {
        return gf_param_wrong_form(param, a, why);
    }
    const struct gf_argument second = {GF_ARGUMENT_BARE, a->text + at + 1, a->length - at - 1};
    const size_t behind = gf_number_read(second.text, second.length, &number);
    struct gf_text t = gf_text_begin(first, sizeof first);
    gf_text_bytes(&t, a->text, at);
    if (at == digits && second.length - behind < 32) {
        gf_text_bytes(&t, second.text + behind, second.length - behind);
    }
    const struct gf_argument low = {GF_ARGUMENT_BARE, first, strlen(first)};
    union gf_param_value read;
    struct gf_text unread = gf_text_begin(NULL, 0);
    if (gf_param_read_number(&item, &low, &read, &unread) == GF_ERROR_PARSE ||
        gf_param_read_number(&item, &second, &read, &unread) == GF_ERROR_PARSE) {
        return gf_param_wrong_form(param, a, why);
    }
    GF_TRY(gf_param_read_number(&item, &low, &read, why));
    value->span.low = read.number;
    GF_TRY(gf_param_read_number(&item, &second, &read, why));
    value->span.high = read.number;
    return value->span.low < value->span.high
               ? GF_OK
               : gf_param_out_of_range(param, a, "LOW-HIGH, from the lower to the higher", why);
}
