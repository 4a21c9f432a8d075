/* Parameters: colours as people write them. */
#include "param/param_value.h"

/* CSS gives these names these bytes. */
static const struct {
    const char *name;
    uint32_t rgb;
} names[] = {{"black", 0x000000},  {"gray", 0x808080},   {"grey", 0x808080},    {"silver", 0xc0c0c0},
             {"white", 0xffffff},  {"red", 0xff0000},    {"green", 0x008000},   {"blue", 0x0000ff},
             {"yellow", 0xffff00}, {"cyan", 0x00ffff},   {"magenta", 0xff00ff}, {"lime", 0x00ff00},
             {"maroon", 0x800000}, {"olive", 0x808000},  {"navy", 0x000080},    {"purple", 0x800080},
             {"teal", 0x008080},   {"orange", 0xffa500}, {"brown", 0xa52a2a},   {"pink", 0xffc0cb},
             {"gold", 0xffd700}};

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* #rgb, #rgba, #rrggbb and #rrggbbaa, behind '#'; returns how many bytes there are, 0 for another form. */
static int32_t read_digits(const char *text, size_t n, int64_t bytes[4])
{
    const bool one = n == 3 || n == 4; /* a digit a byte, which counts twice */
    if (!one && n != 6 && n != 8) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        const int digit = digit_of(text[i]);
        int64_t *byte = &bytes[one ? i : i / 2];
        if (digit < 0) {
            return 0;
        }
        *byte = one ? 17 * digit : i % 2 ? *byte + digit : 16 * digit;
    }
    return (int32_t)(one ? n : n / 2);
}

/* rgb(255, 136, 0), behind its bracket. */
static int32_t read_three(const char *text, size_t n, int64_t bytes[4])
{
    size_t at = 0;
    for (int32_t c = 0; c < 3; c++) {
        while (at < n && text[at] == ' ') {
            at++;
        }
        const size_t digits = gf_param_digits(text + at, n - at, &bytes[c]);
        at += digits;
        if (digits == 0 || bytes[c] > 255 || at == n || text[at++] != (c < 2 ? ',' : ')')) {
            return 0;
        }
    }
    return at == n ? 3 : 0;
}

static int32_t read_name(const char *text, size_t n, int64_t bytes[4])
{
    if (gf_param_equal(text, n, "transparent")) {
        memset(bytes, 0, 4 * sizeof *bytes);
        return 4;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (gf_param_equal(text, n, names[i].name)) {
            for (int c = 0; c < 3; c++) {
                bytes[c] = names[i].rgb >> (16 - 8 * c) & 255;
            }
            return 3;
        }
    }
    return 0;
}

int32_t gf_param_read_colour(const char *text, size_t n, double values[4])
{
    int64_t bytes[4] = {0};
    int32_t count = n > 0 && text[0] == '#'                 ? read_digits(text + 1, n - 1, bytes)
                    : n > 4 && memcmp(text, "rgb(", 4) == 0 ? read_three(text + 4, n - 4, bytes)
                                                            : read_name(text, n, bytes);
    count -= count == 4 && bytes[3] == 255;
    if (count == 3 && bytes[0] == bytes[1] && bytes[1] == bytes[2]) {
        count = 1;
    }
    for (int32_t c = 0; c < count; c++) {
        values[c] = (double)bytes[c] / 255;
    }
    return count;
}
