/* text: letters on the picture. */
#include "base/text.h"
#include "lower/drawn.h"
#include "lower/lowering_private.h"
#include "text/lettering.h"

#include <stdlib.h>
#include <string.h>

struct text {
    char text[GF_PARAM_TEXT_SIZE], size[GF_PARAM_TEXT_SIZE], at[GF_PARAM_TEXT_SIZE];
    gf_list colour, box;
    int64_t padding, width;
    char font[GF_PARAM_TEXT_SIZE];
};

/* Pixels of 24, 24px and 5%; 0 after a failure. */
static double size_of(gf_lowering *l, const char *text, int64_t height)
{
    double size = 0;
    const size_t used = gf_number_read(text, strlen(text), &size);
    const char *unit = text + used;
    const bool of_height = strcmp(unit, "%") == 0;
    size = of_height ? size * (double)height / 100 : size;
    if (used == 0 || !(of_height || !*unit || strcmp(unit, "px") == 0) || !(size >= 1 && size <= 10000)) {
        gf_lowering_fail_at(
            l, gf_lowering_row(l, "size"),
            "size is '%.60s', must be 1 to 10000 pixels, as 24 or 24px, or as much as a part of the "
            "picture's height, as 5%%",
            text);
        return 0;
    }
    return size;
}

/* The letters before their box, as numbers of colour and alpha: one rounding each. */
static float *painted(const struct gf_lettering *letters, int64_t padding, const struct gf_ink *ink,
                      const struct gf_ink *box)
{
    const int64_t width = letters->width + 2 * padding, height = letters->height + 2 * padding;
    float *pixels = malloc((size_t)(width * height) * 4 * sizeof *pixels);
    for (int64_t i = 0; pixels && i < width * height; i++) {
        const int64_t x = i % width - padding, y = i / width - padding;
        const bool on = x >= 0 && x < letters->width && y >= 0 && y < letters->height;
        const double share = on ? letters->coverage[y * letters->width + x] / 255.0 * ink->alpha : 0;
        const double rest = box->alpha * (1 - share), alpha = share + rest;
        for (int32_t c = 0; c < 3; c++) {
            pixels[4 * i + c] = (float)(alpha > 0 ? (ink->c[c] * share + box->c[c] * rest) / alpha : 0);
        }
        pixels[4 * i + 3] = (float)alpha;
    }
    return pixels;
}

static void put(gf_lowering *l, const struct text *p, double size, const struct gf_lettering *letters)
{
    const gf_value_id v = gf_lower_input(l);
    const gf_shape shape = gf_lower_shape(l, v);
    const int64_t quarter = (int64_t)(size / 4 + 0.5);
    const int64_t padding = p->padding != GF_AUTO ? p->padding : p->box.columns ? quarter : 0;
    const int64_t width = letters->width + 2 * padding, height = letters->height + 2 * padding;
    struct gf_ink ink, box = {{0}, 0};
    gf_rect place;
    if (!gf_lowering_ink(l, v, &p->colour, "colour", &ink) ||
        (p->box.columns && !gf_lowering_ink(l, v, &p->box, "box", &box)) ||
        !gf_lowering_place(l, shape, width, height, p->at, &place)) {
        return;
    }
    if (width > GF_LETTERING_PIXELS / height) {
        gf_lower_fail(l, GF_ERROR_LIMIT,
                      "the text and its padding have %lld x %lld pixels, must have at most %d in all",
                      (long long)width, (long long)height, GF_LETTERING_PIXELS);
        return;
    }
    if (!gf_rect_common((gf_rect){.w = shape.width, .h = shape.height}, place).w) {
        gf_lowering_fail_at(
            l, gf_lowering_row(l, "at"),
            "at=%.60s puts the text, of %lld x %lld pixels, at %lld, %lld: none of it lies on the "
            "picture, which has %lld x %lld",
            p->at, (long long)width, (long long)height, (long long)place.x, (long long)place.y,
            (long long)shape.width, (long long)shape.height);
        return;
    }
    float *pixels = painted(letters, padding, &ink, &box);
    if (pixels) {
        gf_lower_output(l, gf_lowering_stamped(l, v, pixels, place));
    } else {
        gf_lower_fail(l, GF_ERROR_MEMORY, "out of memory");
    }
    free(pixels);
}

static void lower(gf_lowering *l, const void *params)
{
    const struct text *p = params;
    struct gf_lettering letters;
    char why[GF_LETTERING_WHY];
    if (!p->text[0]) {
        gf_lower_fail(
            l, GF_ERROR_ARGUMENT,
            "text= is not given, must be what to write, in quotes, as \"a b: c\"; \\n begins a new line");
        return;
    }
    const double size = size_of(l, p->size, gf_lower_shape(l, gf_lower_input(l)).height);
    const struct gf_lettering_text what = {p->text, p->font, size, p->width == GF_AUTO ? 0 : p->width};
    if (size > 0) {
        const gf_status status = gf_lettering_make(&what, &letters, why);
        if (status == GF_OK) {
            put(l, p, size, &letters);
            free(letters.coverage);
            if (letters.missing) {
                gf_lowering_note(
                    l,
                    "the font has no letter for U+%04X, at byte %d of the text, and draws what it "
                    "has instead; font= names another font",
                    (unsigned)letters.missing, letters.missing_at);
            }
        } else {
            gf_lowering_fail_as(l,
                                letters.blames_font ? gf_lowering_row(l, "font") : gf_lowering_row(l, "text"),
                                status, "%s", why);
        }
    }
}

GF_PARAMS({GF_ROW(TEXT, text, text, ""),
           .help = "what to write, UTF-8; in double quotes \\n begins a new line", .positional = 1},
          {GF_ROW(TEXT, text, size, "24"),
           .help = "how high an em is: 24, 24px, or 5% of the picture's height"},
          {GF_ROW(TEXT, text, at, "northwest"),
           .help = "where it lies: southeast, southeast+10+10, centre, 30+40, ..."},
          {GF_ROW(LIST, text, colour, "1"), .max = 1, .choices = "1x1|1x3|1x4", .unit = "colour",
           .help = "of the letters, with alpha where they are to be transparent"},
          {GF_ROW(LIST, text, box, ""), .max = 1, .choices = "1x1|1x3|1x4", .unit = "colour",
           .help = "of a rectangle behind them; default: none"},
          {GF_ROW_IN(INT, text, padding, "auto", 0, 10000), .unit = "px", .auto_word = "auto",
           .help = "pixels of the rectangle around them; auto: a quarter of the size, without box 0"},
          {GF_ROW(TEXT, text, font, ""),
           .help = "a file, or the name of a font where systems have them; default: DejaVuSans"},
          {GF_ROW_IN(INT, text, width, "auto", 1, 1000000), .unit = "px", .auto_word = "auto",
           .help = "most pixels of a line, which is cut and ends in an ellipsis; auto: as many as it has"});

GF_EXAMPLES({"text:\"Lake, at dusk\":size=28:at=southwest+12+10",
             "a caption in white, in the lower left corner"},
            {"text:\"Fig. 1: the house\":size=6%:at=south+0+8:box=#0008",
             "on a strip that lets half of the picture through"},
            {"text:\"two\\nlines of text\":at=centre:colour=orange:font=DejaVuSans-Bold",
             "two lines in the middle"},
            {"text:draft:size=40%:at=centre:colour=#ffffff40", "a watermark"});

const gf_stage_type gf_stage_text = {
    GF_STAGE_OF(text),
    .group = "pictures",
    .summary = "writes letters on the picture",
    .use = "To caption a picture, to label what is measured in it, or for a watermark.",
    .formula =
        "Letters are filled by FreeType without hinting, in 256 steps of coverage, one after the other: the\n"
        "pen goes on in 64ths of a pixel by the advance of the letter and the kerning (table kern) of the\n"
        "pair; where letters overlap coverage adds up to 255. Lines are as far apart as the font says, and\n"
        "begin at the left. A line that is wider than width= ends in an ellipsis, behind the letters that\n"
        "have a place with it. The text is as wide as its longest line and as high as from ascender to\n"
        "descender, or ink where that reaches farther; box and padding count with it. It lies over the\n"
        "picture as by blend:over, alpha being colour's times coverage / 255, over box's. at= is as of "
        "blend:\n"
        "the place of the upper left corner, or a word, and +X+Y from there into the picture.\n"
        "Fonts by name are NAME.ttf in truetype/dejavu, dejavu-sans-fonts, TTF, dejavu and truetype of\n"
        "/usr/share/fonts, and in /usr/local/share/fonts. The letters are FreeType's: another version of "
        "it,\n"
        "or of the font, may make other bytes. CPU and GPU get the same.",
    .lower = lower,
};
