/* Where a second picture lies on the first: at=southeast+10+10, at=30+40, and scale=. */
#include "base/planted_fault.h"
#include "lower/lowering_private.h"
#include "param/param_value.h"

#include <math.h>
#include <string.h>

/* Thirds from the left and from the top. */
static const struct gravity {
    const char *word;
    int32_t across, down;
} gravities[] = {{"northwest", 0, 0}, {"north", 1, 0},    {"northeast", 2, 0}, {"west", 0, 1},
                 {"centre", 1, 1},    {"center", 1, 1},   {"east", 2, 1},      {"southwest", 0, 2},
                 {"south", 1, 2},     {"southeast", 2, 2}};
enum { GRAVITIES = sizeof gravities / sizeof *gravities, MOST_PIXELS = 1 << 28 };

/* A number with its sign, which the first may lack. */
static const char *read_offset(const char *text, bool bare, int64_t *number)
{
    const bool sign = *text == '+' || *text == '-';
    const size_t digits = gf_param_digits(text + sign, strlen(text + sign), number);
    if (digits == 0 || (!sign && !bare) || *number > INT32_MAX) {
        return NULL;
    }
    *number = *text == '-' ? -*number : *number;
    return text + sign + digits;
}

/* GRAVITY, GRAVITY+X+Y or X+Y; false: it is none of them. */
static bool read_at(const char *text, const struct gravity **gravity, int64_t *x, int64_t *y)
{
    const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    *gravity = NULL;
    *x = *y = 0;
    for (int i = 0; i < GRAVITIES; i++) {
        if (strlen(gravities[i].word) == letters && !strncmp(gravities[i].word, text, letters)) {
            *gravity = &gravities[i];
        }
    }
    if (letters > 0 && (!*gravity || !text[letters])) {
        return *gravity != NULL;
    }
    const char *rest = read_offset(text + letters, letters == 0, x);
    rest = rest ? read_offset(rest, false, y) : NULL;
    return rest && !*rest;
}

/* Where `length` samples of `whole` begin; the offset goes inwards from the end. */
static int64_t begin_of(int32_t third, int64_t whole, int64_t length, int64_t offset)
{
    const int64_t rest = whole - length;
    return third == 0   ? offset
           : third == 2 ? rest - offset
                        : (rest - (rest < 0 ? -rest % 2 : 0)) / 2 + offset;
}

static int64_t scaled(int64_t n, double factor)
{
    return (int64_t)fmax(1, fmin(floor((double)n * factor + 0.5), INT32_MAX));
}

/* `other` in the size that scale= gives it. It is made as a whole, however little of it is seen. */
static gf_value_id resized(gf_lowering *l, gf_value_id other, double scale)
{
    const gf_shape shape = gf_lower_shape(l, other);
    const int64_t width = scaled(shape.width, scale), height = scaled(shape.height, scale);
    if (scale > 1 && width > MOST_PIXELS / height) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "scale"),
                            "scale=%g makes %lld x %lld pixels of the second picture, which has %lld x %lld: "
                            "more than 256M; crop it to the part that is to be seen",
                            scale, (long long)width, (long long)height, (long long)shape.width,
                            (long long)shape.height);
        return 0;
    }
    if (!other || (width == shape.width && height == shape.height)) {
        return other;
    }
    return gf_lower_resize(l, other, width, height, GF_FILTER_LANCZOS, GF_LIGHT_STORED);
}

bool gf_lowering_place(gf_lowering *l, gf_shape on, int64_t width, int64_t height, const char *at,
                       gf_rect *place)
{
    const struct gravity *gravity;
    int64_t x, y;
    if (!read_at(at, &gravity, &x, &y)) {
        gf_lowering_fail_at(l, gf_lowering_row(l, "at"),
                            "at is '%.60s', must be the place of the upper left corner, as 30+40, or one of "
                            "northwest north northeast west centre east southwest south southeast, as "
                            "southeast or southeast+10+10",
                            at);
        return false;
    }
    x = begin_of(gravity ? gravity->across : 0, on.width, width, x) + GF_FAULT(place_beside);
    y = begin_of(gravity ? gravity->down : 0, on.height, height, y);
    *place = (gf_rect){.x = x, .y = y, .w = width, .h = height};
    return true;
}

gf_value_id gf_lowering_placed(gf_lowering *l, gf_value_id v, gf_value_id other, const char *at, double scale,
                               gf_rect *placed)
{
    static const double nothing[4];
    gf_rect place;
    *placed = (gf_rect){0};
    other = resized(l, other, scale);
    const gf_shape a = gf_lower_shape(l, v), b = gf_lower_shape(l, other);
    if (!other || !at[0]) {
        return other;
    }
    if (!gf_lowering_place(l, a, b.width, b.height, at, &place)) {
        return 0;
    }
    const gf_rect all = {.w = a.width, .h = a.height};
    *placed = gf_rect_common(all, place);
    if (!placed->w) {
        gf_lowering_fail_at(
            l, gf_lowering_row(l, "at"),
            "at=%.60s puts the second picture, of %lld x %lld pixels, at %lld, %lld: none of it "
            "lies on the first, which has %lld x %lld",
            at, (long long)b.width, (long long)b.height, (long long)place.x, (long long)place.y,
            (long long)a.width, (long long)a.height);
        return 0;
    }
    const bool fills = place.x == 0 && place.y == 0 && a.width == b.width && a.height == b.height;
    return fills ? other
                 : gf_lowering_canvas(
                       l, other, (gf_rect){.x = place.x, .y = place.y, .w = a.width, .h = a.height}, nothing);
}
