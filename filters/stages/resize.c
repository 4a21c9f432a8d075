/* resize: another size. */
#include "stages/gravity.h"

#include "base/text.h"
#include "lower/lowering_private.h"
#include "param/param_value.h"

#include <math.h>
#include <string.h>

enum { MOST = 1000000 }; /* pixels a side */
enum fit { FIT_EXACT, FIT_INSIDE, FIT_COVER };

struct resize {
    char size[GF_PARAM_TEXT_SIZE];
    int64_t width, height;
    int32_t filter, fit, gravity, light, enlarge;
    int64_t whole[2]; /* width and height, as fix_size is told; 0: it was not. No text says so */
};

/* WIDTHxHEIGHT, WIDTHx, xHEIGHT: what is not given is GF_AUTO. A percentage of both sides. */
static bool read_size(const char *text, int64_t *width, int64_t *height, double *percent)
{
    const size_t length = strlen(text);
    size_t used = gf_number_read(text, length, percent);
    *width = *height = GF_AUTO;
    if (used > 0 && used + 1 == length && text[used] == '%') {
        return *percent > 0 && *percent <= 1e8;
    }
    *percent = 0;
    used = gf_param_digits(text, length, width);
    *width = used ? *width : GF_AUTO;
    if (text[used++] != 'x') {
        return false;
    }
    const size_t more = gf_param_digits(text + used, length - used, height);
    *height = more ? *height : GF_AUTO;
    return used + more == length && length > 1;
}

static int64_t scaled(int64_t n, double factor)
{
    const double exact = floor((double)n * factor + 0.5);
    return exact < 1 ? 1 : exact > 1e18 ? (int64_t)1e18 : (int64_t)exact;
}

/* The size that is asked for; false after a failure. */
static bool wanted(gf_lowering *l, const struct resize *p, gf_shape shape, int64_t *width, int64_t *height)
{
    double percent = 0;
    *width = p->width;
    *height = p->height;
    if (p->size[0] && (p->width != GF_AUTO || p->height != GF_AUTO)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "size and width or height say the same; give only one");
        return false;
    }
    if (p->size[0] && !read_size(p->size, width, height, &percent)) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "size is '%s', must be as 800x600, 800x, x600 or 50%%", p->size);
        return false;
    }
    if (percent > 0) {
        *width = scaled(shape.width, percent / 100);
        *height = shape.height == 1 ? 1 : scaled(shape.height, percent / 100);
        return true;
    }
    if (*width == GF_AUTO && *height == GF_AUTO) {
        gf_lower_fail(l, GF_ERROR_ARGUMENT, "the size is missing, as resize:800x600, 800x, x600 or 50%%");
        return false;
    }
    if (*height == GF_AUTO) { /* a signal stays one */
        *height = shape.height == 1 ? 1 : scaled(shape.height, (double)*width / (double)shape.width);
    }
    if (*width == GF_AUTO) {
        *width = scaled(shape.width, (double)*height / (double)shape.height);
    }
    return true;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static bool fits(gf_lowering *l, gf_shape shape, int64_t width, int64_t height)
{
    if (width >= 1 && width <= MOST && height >= 1 && height <= MOST) {
        return true;
    }
    gf_lower_fail(
        l, GF_ERROR_ARGUMENT, "%lld x %lld pixels from %lld x %lld: a side must have from 1 to %d pixels",
        (long long)width, (long long)height, (long long)shape.width, (long long)shape.height, (int)MOST);
    return false;
}

/* One of `whole` that is read 2, 4 or 8 times smaller, its sides rounded up, is as large as it is, and not as
 * its samples are. With fit=cover some of the picture is cut off. */
static int32_t fix_size(void *params, const gf_shape *whole, const gf_shape *size)
{
    struct resize *p = params;
    if (p->fit == FIT_COVER || !size) {
        return p->fit != FIT_COVER;
    }
    memset(p->size, 0, sizeof p->size); /* all of it, so that it is the default */
    p->width = size->width;
    p->height = size->height;
    p->whole[0] = whole->width;
    p->whole[1] = whole->height;
    p->fit = FIT_EXACT;
    p->enlarge = 1; /* the size is decided */
    return 1;
}

static void lower(gf_lowering *l, const void *params)
{
    const struct resize *p = params;
    gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    int64_t width, height;
    if (!wanted(l, p, shape, &width, &height) || !fits(l, shape, width, height)) {
        return;
    }
    const double across = (double)width / (double)shape.width, down = (double)height / (double)shape.height;
    const bool by_width = p->fit == FIT_INSIDE ? across <= down : across >= down;
    int64_t w = width, h = height;
    if (p->fit != FIT_EXACT && by_width) {
        h = scaled(shape.height, across);
    } else if (p->fit != FIT_EXACT) {
        w = scaled(shape.width, down);
    }
    if (!p->enlarge) { /* a side that would grow stays; of cover what it cuts to, too */
        w = smaller(w, shape.width);
        h = smaller(h, shape.height);
        width = smaller(width, w);
        height = smaller(height, h);
    }
    if (!fits(l, shape, w, h)) {
        return;
    }
    double wide = (double)shape.width, high = (double)shape.height;
    for (int64_t f = 2; f <= 8; f *= 2) { /* one sample is all of a side, of however many it was made */
        if ((p->whole[0] + f - 1) / f == shape.width && (p->whole[1] + f - 1) / f == shape.height) {
            wide = fmax(1, (double)p->whole[0] / (double)f);
            high = fmax(1, (double)p->whole[1] / (double)f);
        }
    }
    v = gf_lowering_resize(l, v, wide, high, w, h, (gf_resize_filter)p->filter, (gf_light)p->light);
    if (p->fit == FIT_COVER) {
        v = gf_lower_crop(l, v, gf_gravity_part(w, h, width, height, p->gravity));
    }
    gf_lower_output(l, v);
}

GF_PARAMS({GF_ROW(TEXT, resize, size, ""), .help = "800x600, 800x, x600 (the other side follows), or 50%",
           .positional = 1},
          {GF_ROW_IN(INT, resize, width, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: follows from height"},
          {GF_ROW_IN(INT, resize, height, "auto", 1, MOST), .unit = "px", .auto_word = "auto",
           .help = "of the result; auto: follows from width"},
          {GF_ROW(CHOICE, resize, filter, "lanczos"),
           .choices = "box|triangle|hamming|cubic|lanczos|mitchell", /* in the order of gf_resize_filter */
           .help = "what a sample is made of, from coarse to sharp"},
          {GF_ROW(CHOICE, resize, fit, "exact"), .choices = "exact|inside|cover",
           .help = "exact: stretched; inside: as large as fits; cover: fills it, cut off"},
          GF_GRAVITY_ROW(resize, "the side that fit=cover keeps, top being north"),
          {GF_ROW(BOOL, resize, enlarge, "on"), .help = "off: a picture that is smaller keeps its size"},
          {GF_ROW(CHOICE, resize, light, "stored"), .choices = "stored|linear", /* in the order of gf_light */
           .help = "what is weighted: samples as they are, or as sRGB the light they stand for"});

GF_EXAMPLES({"resize:50%", "halves width and height"},
            {"resize:160x", "makes it 160 pixels wide, and as high as that takes"},
            {"resize:200x200:fit=cover", "a square, filled: what is too much is cut off on both sides"},
            {"resize:600x600:fit=inside:enlarge=off", "shrinks what is larger, and leaves the rest alone"},
            {"resize:300%:filter=cubic", "enlarges softly"},
            {"resize:120x160:fit=cover:gravity=north",
             "upright, with all of the top: what is too much goes below"},
            {"resize:25%:light=linear",
             "keeps how bright fine patterns look: of black and white it makes 188, not 128"});

const gf_stage_type gf_stage_resize = {
    GF_STAGE_OF(resize),
    .aliases = "scale",
    .group = "geometry",
    .summary = "another size, antialiased: resize:800x600, resize:50%",
    .use =
        "To make pictures smaller without patterns that were not there (each filter is widened), or larger.",
    .source = "Filters and the rounding of u8: Pillow's ImagingResample. cubic: R. Keys, IEEE Trans. ASSP "
              "29, 1981; "
              "mitchell: D. Mitchell, A. Netravali, SIGGRAPH 1988. light: IEC 61966-2-1.",
    .formula =
        "Rows first, then columns: output i of n from n_in samples is the sum of those within\n"
        "support s of c = (i + 1/2) s, s = n_in / n (1 for the filter where it enlarges), weighted by\n"
        "f((k + 1/2 - c) / s), divided by the sum of weights inside the picture. Support: box 1/2,\n"
        "triangle 1, hamming 1, cubic (a = -1/2) 2, lanczos 3, mitchell (B = C = 1/3) 2. u8: the bytes of\n"
        "Pillow. u16, f32, light=linear: f32 chains, not rounded in between. A signal (height 1) stays\n"
        "one unless its height is given.",
    .lower = lower,
    .fix_size = fix_size,
};
