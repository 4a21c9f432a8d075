#include "prim/element.h"

#include "base/message.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

gf_depth element_type(const char *name)
{
    gf_depth type = GF_U8;
    while (type < GF_S64 && strcmp(gf_depth_name(type), name) != 0) {
        type++;
    }
    return type;
}

bool element_is_float(gf_depth type)
{
    return type == GF_F32 || type == GF_F64;
}

static bool is_signed(gf_depth type)
{
    return type == GF_S16 || type == GF_S32 || type == GF_S64;
}

/* ---- Integers by their bits, sign extended -------------------------------------------------- */

static uint64_t load_bits(gf_depth type, const void *array, int64_t i)
{
    size_t size = gf_depth_size(type);
    uint64_t wide = 0;
    uint16_t half;
    uint32_t word;
    const char *at = (const char *)array + i * (int64_t)size;
    switch (size) {
    case 1:
        return *(const uint8_t *)at;
    case 2:
        memcpy(&half, at, 2);
        return is_signed(type) ? (uint64_t)(int16_t)half : half;
    case 4:
        memcpy(&word, at, 4);
        return is_signed(type) ? (uint64_t)(int32_t)word : word;
    default:
        memcpy(&wide, at, 8);
        return wide;
    }
}

static void store_bits(gf_depth type, void *array, int64_t i, uint64_t bits)
{
    size_t size = gf_depth_size(type);
    char *at = (char *)array + i * (int64_t)size;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    switch (size) {
    case 1:
        *(uint8_t *)at = (uint8_t)bits;
        break;
    case 2:
        memcpy(at, &half, 2);
        break;
    case 4:
        memcpy(at, &word, 4);
        break;
    default:
        memcpy(at, &bits, 8);
        break;
    }
}

double element_value(gf_depth type, const void *array, int64_t i)
{
    if (type == GF_F32) {
        return (double)((const float *)array)[i];
    }
    if (type == GF_F64) {
        return ((const double *)array)[i];
    }
    uint64_t bits = load_bits(type, array, i);
    return is_signed(type) ? (double)(int64_t)bits : (double)bits;
}

/* ---- Text ----------------------------------------------------------------------------------- */

static bool read_float(const char *text, gf_depth type, void *element)
{
    char *end;
    double value = strtod(text, &end);
    const float narrow = (float)value;
    if (end == text || *end || isspace((unsigned char)*text)) {
        return false;
    }
    if (type == GF_F32) {
        memcpy(element, &narrow, sizeof narrow);
    } else {
        memcpy(element, &value, sizeof value);
    }
    return true;
}

static bool read_integer(const char *text, gf_depth type, void *element)
{
    const char *digits = text + (*text == '-');
    int bits = (int)(8 * gf_depth_size(type));
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed(type));
    char *end;
    if (!isdigit((unsigned char)*digits)) {
        return false;
    }
    errno = 0;
    uint64_t magnitude = strtoull(digits, &end, 10);
    bool negative = digits != text;
    if (*end || errno != 0 || (negative && !is_signed(type) && magnitude != 0) ||
        magnitude > most + (negative && is_signed(type))) {
        return false;
    }
    store_bits(type, element, 0, negative ? 0 - magnitude : magnitude);
    return true;
}

gf_status element_read(const char *option, const char *text, gf_depth type, void *element)
{
    if (element_is_float(type)) {
        return read_float(text, type, element)
                   ? GF_OK
                   : cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be a number, nan, inf or -inf", option,
                              text);
    }
    if (read_integer(text, type, element)) {
        return GF_OK;
    }
    int bits = (int)(8 * gf_depth_size(type));
    if (is_signed(type)) {
        int64_t most = INT64_MAX >> (64 - bits);
        return cli_fail(GF_ERROR_ARGUMENT,
                        "%s is '%s': must be a whole number from %" PRId64 " to %" PRId64 " (%s)", option,
                        text, -most - 1, most, gf_depth_name(type));
    }
    return cli_fail(GF_ERROR_ARGUMENT, "%s is '%s': must be a whole number from 0 to %" PRIu64 " (%s)",
                    option, text, UINT64_MAX >> (64 - bits), gf_depth_name(type));
}

void element_add(struct buffer *buffer, gf_depth type, const void *array, int64_t i, bool json)
{
    if (element_is_float(type)) {
        double value = element_value(type, array, i);
        if (json || isfinite(value)) {
            buffer_json_number(buffer, value);
        } else {
            buffer_add(buffer, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        }
    } else if (is_signed(type)) {
        buffer_printf(buffer, "%" PRId64, (int64_t)load_bits(type, array, i));
    } else {
        buffer_printf(buffer, "%" PRIu64, load_bits(type, array, i));
    }
}

/* ---- Equality --------------------------------------------------------------------------------- */

bool element_same(gf_depth type, const void *a, const void *b)
{
    if (!element_is_float(type)) {
        return load_bits(type, a, 0) == load_bits(type, b, 0);
    }
    double x = element_value(type, a, 0), y = element_value(type, b, 0);
    return x == y || (isnan(x) && isnan(y));
}

bool element_less(gf_depth type, const void *a, const void *b)
{
    if (element_is_float(type)) {
        return element_value(type, a, 0) < element_value(type, b, 0);
    }
    uint64_t x = load_bits(type, a, 0), y = load_bits(type, b, 0);
    return is_signed(type) ? (int64_t)x < (int64_t)y : x < y;
}

static bool is_number_less(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

bool element_before(gf_depth type, const void *array, int64_t i, int64_t j, bool descending)
{
    if (element_is_float(type)) {
        double a = element_value(type, array, i), b = element_value(type, array, j);
        return isnan(a) || isnan(b) ? !isnan(a) && isnan(b)
               : descending         ? is_number_less(b, a)
                                    : is_number_less(a, b);
    }
    uint64_t a = load_bits(type, array, descending ? j : i), b = load_bits(type, array, descending ? i : j);
    return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

void element_change(gf_depth type, void *array, int64_t i)
{
    double value = element_is_float(type) ? element_value(type, array, i) : 0;
    if (type == GF_F32) {
        ((float *)array)[i] = isfinite(value) ? nextafterf((float)value, value > 0 ? 0.0F : 1.0F) : 1;
    } else if (type == GF_F64) {
        ((double *)array)[i] = isfinite(value) ? nextafter(value, value > 0 ? 0 : 1) : 1;
    } else {
        store_bits(type, array, i, load_bits(type, array, i) ^ 1);
    }
}
