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

/* Returns what a suffix divides by; 0: not a suffix of this parameter. */
static double divisor_of(const gf_param *param, const char *suffix, size_t n)
{
    if (n == 0 || (param->type == GF_PARAM_NUMBER && gf_param_equal(suffix, n, param->unit))) {
        return 1;
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
    double divisor = divisor_of(param, a->text + used, a->length - used);
    if (divisor == 0) {
        return gf_param_wrong_form(param, a, why);
    }
    v /= divisor;
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
