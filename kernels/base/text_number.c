/* text: numbers. The C library writes and reads the decimal point of the process's locale. Digits
 * and a decimal exponent alone mean the same in every locale, so only those cross the border:
 * "1.25" is read as "125e-2", and of "%.*e" only digits and exponent are taken. */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The powers of ten that f64 holds: with a whole number below 2^53 a product or quotient is rounded once. */
static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The exponent at bytes ("e-3"), clamped far outside the range of a double. Returns its length, 0
 * when there is none. */
static size_t read_exponent(const char *bytes, size_t count, long *exponent)
{
    size_t i = 1;
    if (count < 2 || (bytes[0] != 'e' && bytes[0] != 'E')) {
        return 0;
    }
    bool negative = bytes[1] == '-';
    i += bytes[1] == '-' || bytes[1] == '+';
    if (i == count || !is_digit(bytes[i])) {
        return 0;
    }
    long value = 0;
    for (; i < count && is_digit(bytes[i]); i++) {
        value = value < 100000 ? value * 10 + (bytes[i] - '0') : value;
    }
    *exponent = negative ? -value : value;
    return i;
}

size_t gf_number_read(const char *bytes, size_t count, double *value)
{
    char digits[GF_NUMBER_DIGITS + 32];
    size_t n = 0, i = 0;
    long exponent = 0, shift = 0;
    bool any = false, point = false;
    uint64_t whole = 0;
    if (count > 0 && (bytes[0] == '-' || bytes[0] == '+')) {
        digits[n++] = bytes[i++];
    }
    for (; i < count; i++) {
        if (bytes[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(bytes[i]) || n == GF_NUMBER_DIGITS) {
            break;
        }
        digits[n++] = bytes[i];
        whole = whole * 10 + (uint64_t)(bytes[i] - '0');
        any = true;
        shift += point;
    }
    if (!any || (i < count && is_digit(bytes[i]))) {
        return 0;
    }
    i += read_exponent(bytes + i, count - i, &exponent);
    exponent -= shift;
    if (n <= 15 && exponent >= -22 && exponent <= 22) {
        const double scaled = exponent < 0 ? (double)whole / tens[-exponent] : (double)whole * tens[exponent];
        *value = digits[0] == '-' ? -scaled : scaled;
        return i;
    }
    snprintf(digits + n, sizeof digits - n, "e%ld", exponent);
    *value = strtod(digits, NULL);
    return i;
}

/* The digits of |value| (finite, not 0) to `places` places: 0.DIGITS x 10^*power. */
static void digits_of(double value, int places, char digits[20], int *power)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", places - 1, fabs(value));
    size_t n = 0, i = 0;
    for (; text[i] && text[i] != 'e'; i++) {
        if (is_digit(text[i])) {
            digits[n++] = text[i];
        }
    }
    while (n > 1 && digits[n - 1] == '0') {
        n--;
    }
    digits[n] = '\0';
    *power = (int)strtol(text + i + 1, NULL, 10) + 1;
}

/* The same as below of a float from 1e-4 to 1e6, whose products with powers of ten f64 holds. */
static bool shortest_float(double value, char digits[20], int *power)
{
    int before = 6; /* digits before the point; below 0: zeros behind it */
    while (before > -4 && value < (before > 0 ? tens[before - 1] : 1 / tens[1 - before])) {
        before--;
    }
    for (int places = 6; places <= 9; places++) {
        const double scale = tens[places - before], whole = value * scale + 0x1.8p52 - 0x1.8p52;
        if ((float)(whole / scale) == (float)value) {
            int n = snprintf(digits, 20, "%lld", (long long)whole);
            *power = n - (places - before);
            while (n > 1 && digits[n - 1] == '0') {
                digits[--n] = '\0';
            }
            return true;
        }
    }
    return false;
}

/* Fewest digits that read back as the value, rounded to f32 where it is `narrow`; 17, or 9, always do. */
static void shortest(double value, bool narrow, char digits[20], int *power)
{
    if (narrow && fabs(value) >= 1e-4 && fabs(value) < 1e6 && shortest_float(fabs(value), digits, power)) {
        return;
    }
    /* Of f32, normal and of up to 6 digits, all are found with 6 places. */
    for (int places = narrow && fabs(value) >= 1e-37 ? 6 : 1; places <= 17; places++) {
        char text[32];
        double back = 0;
        digits_of(value, places, digits, power);
        int n = snprintf(text, sizeof text, "%se%d", digits, *power - (int)strlen(digits));
        gf_number_read(text, (size_t)n, &back);
        if (back == fabs(value) || (narrow && (float)back == (float)fabs(value))) {
            return;
        }
    }
}

static void put_number(struct gf_text *text, double value, bool narrow)
{
    char digits[20];
    int power;
    if (isnan(value)) {
        gf_text_string(text, "nan");
        return;
    }
    gf_text_string(text, signbit(value) ? "-" : "");
    if (isinf(value) || value == 0) {
        gf_text_string(text, value == 0 ? "0" : "inf");
        return;
    }
    shortest(value, narrow, digits, &power);
    int n = (int)strlen(digits);
    if (power < -4 || power > 17) {
        gf_text_append(text, "%c%s%se%d", digits[0], n > 1 ? "." : "", digits + 1, power - 1);
    } else if (power <= 0) {
        gf_text_string(text, "0.");
        gf_text_repeat(text, '0', (size_t)-power);
        gf_text_string(text, digits);
    } else if (power >= n) {
        gf_text_string(text, digits);
        gf_text_repeat(text, '0', (size_t)(power - n));
    } else {
        gf_text_append(text, "%.*s.%s", power, digits, digits + power);
    }
}

void gf_text_number(struct gf_text *text, double value)
{
    put_number(text, value, false);
}

void gf_text_float(struct gf_text *text, float value)
{
    put_number(text, (double)value, true);
}

void gf_text_fixed(struct gf_text *text, int width, int decimals, double value)
{
    /* 309 digits before the point at most; beyond 40 decimals nobody asks. */
    char raw[400], fixed[400];
    size_t n = 0;
    bool separator = false;
    snprintf(raw, sizeof raw, "%.*f", decimals < 40 ? decimals : 40, value);
    for (size_t i = 0; raw[i]; i++) {
        /* The locale's point may take several bytes, none of them a digit, sign or letter. */
        bool plain = is_digit(raw[i]) || raw[i] == '-' || (raw[i] >= 'a' && raw[i] <= 'z');
        if (plain || !separator) {
            fixed[n++] = plain ? raw[i] : '.';
        }
        separator = !plain;
    }
    gf_text_repeat(text, ' ', width > 0 && (size_t)width > n ? (size_t)width - n : 0);
    gf_text_bytes(text, fixed, n);
}

void gf_text_json_number(struct gf_text *text, double value)
{
    if (isfinite(value)) {
        gf_text_number(text, value);
    } else {
        gf_text_string(text, "null");
    }
}
