/* Letters one after the other: the pen goes on in 64ths of a pixel, by what the font says of the letter and
 * of the pair, and each outline is filled where the pen is. The first time over the text finds how large the
 * picture is, the second fills it. */
#include "text/lettering.h"

#if GF_HAVE_FREETYPE
#include "text/font_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"

struct writer {
    struct gf_font_library ft;
    const struct gf_lettering_text *what;
    int64_t left, top, right, bottom; /* from the pen's first place; bottom and right are behind the last */
    struct gf_lettering *made;        /* NULL: it measures */
    char *why;
    uint32_t missing;
    size_t missing_at;
};

/* The character at *text, behind which *text goes on; UINT32_MAX: it is not UTF-8. */
static uint32_t next_character(const char **text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)*text;
    const int n = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
    uint32_t code = n == 1 ? c[0] : c[0] & (0x7FU >> n);
    for (int i = 1; i < n; i++) {
        if (c[i] >> 6 != 2) {
            return UINT32_MAX;
        }
        code = code << 6 | (c[i] & 63);
    }
    *text += n;
    const bool is_half = code >= 0xD800 && code < 0xE000;
    return n == 0 || code < least[n] || code > 0x10FFFF || is_half ? UINT32_MAX : code;
}

static void grow(struct writer *w, int64_t left, int64_t top, int64_t right, int64_t bottom)
{
    w->left = left < w->left ? left : w->left;
    w->top = top < w->top ? top : w->top;
    w->right = right > w->right ? right : w->right;
    w->bottom = bottom > w->bottom ? bottom : w->bottom;
}

/* A filled letter, whose upper left pixel is at (x, y): where two meet, they add up. */
static void put(const struct writer *w, const FT_Bitmap *letter, int64_t x, int64_t y)
{
    const struct gf_lettering *made = w->made;
    for (unsigned row = 0; row < letter->rows; row++) {
        unsigned char *to = made->coverage + (y - w->top + row) * made->width + (x - w->left);
        const unsigned char *from = letter->buffer + (ptrdiff_t)row * letter->pitch;
        for (unsigned i = 0; i < letter->width; i++) {
            const int sum = to[i] + from[i];
            to[i] = (unsigned char)(sum < 255 ? sum : 255);
        }
    }
}

/* The glyph at the pen, in 64ths; the pen behind it. False: the font cannot. */
static bool write_glyph(struct writer *w, FT_UInt glyph, int64_t *pen, int64_t base)
{
    struct gf_font_library *ft = &w->ft;
    if (ft->Load_Glyph(ft->face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) {
        return false;
    }
    const FT_GlyphSlot slot = ft->face->glyph;
    const int64_t whole = *pen >> 6;
    *pen += slot->advance.x;
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE) {
        return true; /* which has nothing to fill */
    }
    ft->Outline_Translate(&slot->outline, (FT_Pos)((*pen - slot->advance.x) & 63), 0);
    if (ft->Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) {
        return false;
    }
    const FT_Bitmap *letter = &slot->bitmap;
    const int64_t x = whole + slot->bitmap_left, y = base - slot->bitmap_top;
    if (letter->width > 0 && letter->rows > 0) {
        if (w->made) {
            put(w, letter, x, y);
        } else {
            grow(w, x, y, x + letter->width, y + letter->rows);
        }
    }
    return true;
}

static gf_status write_text(struct writer *w)
{
    struct gf_font_library *ft = &w->ft;
    const FT_Size_Metrics *metrics = &ft->face->size->metrics;
    int64_t pen = 0, base = 0;
    FT_UInt before = 0;
    for (const char *c = w->what->text; *c;) {
        const size_t at = (size_t)(c - w->what->text);
        uint32_t code = next_character(&c);
        if (code == UINT32_MAX) {
            snprintf(w->why, GF_LETTERING_WHY, "text is no UTF-8 at byte %zu", at + 1);
            return GF_ERROR_ARGUMENT;
        }
        if (code == '\n') {
            pen = before = 0;
            base += metrics->height >> 6;
            continue;
        }
        const FT_UInt glyph = ft->Get_Char_Index(ft->face, code == '\t' || code == '\r' ? ' ' : code);
        if (!glyph && !w->missing) {
            w->missing = code;
            w->missing_at = at + 1;
        }
        FT_Vector kern = {0, 0};
        if (before && glyph) {
            ft->Get_Kerning(ft->face, before, glyph, FT_KERNING_UNFITTED, &kern);
        }
        pen += kern.x;
        before = glyph;
        if (!write_glyph(w, glyph, &pen, base)) {
            snprintf(w->why, GF_LETTERING_WHY, "the font has no outline for the letter at byte %zu", at + 1);
            return GF_ERROR_INPUT;
        }
        grow(w, 0, 0, w->made ? 0 : (pen + 63) >> 6, 0);
    }
    if (!w->made) {
        grow(w, 0, -(metrics->ascender >> 6), 1, base - (metrics->descender >> 6));
    }
    return GF_OK;
}

/* How wide the text is, which is not kept. */
static gf_status measure(const struct writer *w, const char *text, int64_t *width)
{
    const struct gf_lettering_text what = {.text = text};
    struct writer one = *w;
    one.what = &what;
    one.left = one.top = one.right = one.bottom = 0;
    const gf_status status = write_text(&one);
    *width = one.right - one.left;
    return status;
}

/* Cuts a line, behind which there is room for ELLIPSIS: between `fits` bytes, with which it is narrow enough
 * or which are none, and `not` lies the first letter that has no place. */
static gf_status shorten(const struct writer *w, const char *line, size_t length, char *cut)
{
    int64_t width;
    size_t fits = 0, not = length;
    memcpy(cut, line, length);
    cut[length] = '\0';
    gf_status status = measure(w, cut, &width);
    if (status != GF_OK || width <= w->what->width) {
        return status;
    }
    while (status == GF_OK) {
        size_t middle = (fits + not ) / 2;
        while (middle > fits && (line[middle] & 0xC0) == 0x80) {
            middle--;
        }
        for (middle += middle == fits; middle < not &&(line[middle] & 0xC0) == 0x80;) {
            middle++;
        }
        const bool found = middle >= not ;
        const size_t kept = found ? fits : middle;
        memcpy(cut, line, kept);
        memcpy(cut + kept, ELLIPSIS, sizeof ELLIPSIS);
        if (found) {
            return GF_OK;
        }
        status = measure(w, cut, &width);
        fits = width <= w->what->width ? middle : fits;
        not = width <= w->what->width ? not : middle;
    }
    return status;
}

/* The text with each of its lines as wide as it may be, to be freed. */
static gf_status shorten_lines(const struct writer *w, char **made)
{
    size_t room = 1, used = 0;
    for (const char *c = w->what->text; *c; c++) {
        room += *c == '\n' ? sizeof ELLIPSIS : 1;
    }
    *made = malloc(room + sizeof ELLIPSIS);
    gf_status status = *made ? GF_OK : GF_ERROR_MEMORY;
    for (const char *line = w->what->text; status == GF_OK; line++) {
        const size_t length = strcspn(line, "\n");
        status = shorten(w, line, length, *made + used);
        used += status == GF_OK ? strlen(*made + used) : 0;
        line += length;
        if (!*line) {
            break;
        }
        (*made)[used++] = '\n';
    }
    return status;
}

/* Measures the text, and makes it narrower where it is too wide: then `cut` is what is written. */
static gf_status measure_all(struct writer *w, struct gf_lettering_text *cut, char **shortened)
{
    gf_status status = write_text(w);
    if (status == GF_OK && w->what->width > 0 && w->right - w->left > w->what->width) {
        status = shorten_lines(w, shortened);
        *cut = *w->what;
        cut->text = *shortened;
        w->what = cut;
        w->left = w->top = w->right = w->bottom = 0;
        status = status == GF_OK ? write_text(w) : status;
    }
    return status;
}

/* The picture of the text that was measured. */
static gf_status fill(struct writer *w, struct gf_lettering *made)
{
    const int64_t width = w->right - w->left, height = w->bottom - w->top;
    if (width > GF_LETTERING_PIXELS || height > GF_LETTERING_PIXELS / width) {
        snprintf(
            w->why, GF_LETTERING_WHY,
            "the text has %lld x %lld pixels, must have at most %d in all: a smaller size=, or shorter lines",
            (long long)width, (long long)height, GF_LETTERING_PIXELS);
        return GF_ERROR_LIMIT;
    }
    *made = (struct gf_lettering){.width = (int32_t)width,
                                  .height = (int32_t)height,
                                  .coverage = calloc((size_t)(width * height), 1),
                                  .missing = w->missing,
                                  .missing_at = (int32_t)w->missing_at};
    w->made = made;
    const gf_status status = made->coverage ? write_text(w) : GF_ERROR_MEMORY;
    if (status != GF_OK) {
        free(made->coverage);
        *made = (struct gf_lettering){0};
    }
    return status;
}

static gf_status make(struct writer *w, struct gf_lettering *made)
{
    struct gf_font_library *ft = &w->ft;
    if (ft->Set_Char_Size(ft->face, 0, (FT_F26Dot6)(w->what->size * 64 + 0.5), 72, 72) != 0) {
        snprintf(w->why, GF_LETTERING_WHY, "the font has no letters of %g pixels", w->what->size);
        return GF_ERROR_ARGUMENT;
    }
    struct gf_lettering_text cut;
    char *shortened = NULL;
    gf_status status = measure_all(w, &cut, &shortened);
    status = status == GF_OK ? fill(w, made) : status;
    free(shortened);
    return status;
}

gf_status gf_lettering_make(const struct gf_lettering_text *what, struct gf_lettering *made,
                            char why[GF_LETTERING_WHY])
{
    struct writer w = {.what = what, .why = why};
    *made = (struct gf_lettering){0};
    snprintf(why, GF_LETTERING_WHY, "out of memory");
    gf_status status = gf_font_open(&w.ft, what->font, why, GF_LETTERING_WHY);
    const bool opened = status == GF_OK;
    status = opened ? make(&w, made) : status;
    made->blames_font = !opened || status == GF_ERROR_INPUT;
    gf_font_close(&w.ft);
    return status;
}

#else
#include <stdio.h>

gf_status gf_lettering_make(const struct gf_lettering_text *what, struct gf_lettering *made,
                            char why[GF_LETTERING_WHY])
{
    (void)what;
    *made = (struct gf_lettering){0};
    snprintf(why, GF_LETTERING_WHY,
             "this program was built without FreeType, which draws letters: install libfreetype-dev and "
             "build again");
    return GF_ERROR_UNSUPPORTED;
}
#endif
