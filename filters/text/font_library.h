/* FreeType, opened where a text is written: nobody who writes none needs it. */
#pragma once

#include "gpufilter/types.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

/* Its functions by their names there, without FT_. */
struct gf_font_library {
    void *module;
    FT_Library library;
    FT_Face face;
    __typeof__(&FT_Init_FreeType) Init_FreeType;
    __typeof__(&FT_Done_FreeType) Done_FreeType;
    __typeof__(&FT_New_Face) New_Face;
    __typeof__(&FT_Set_Char_Size) Set_Char_Size;
    __typeof__(&FT_Get_Char_Index) Get_Char_Index;
    __typeof__(&FT_Get_Kerning) Get_Kerning;
    __typeof__(&FT_Load_Glyph) Load_Glyph;
    __typeof__(&FT_Render_Glyph) Render_Glyph;
    __typeof__(&FT_Outline_Translate) Outline_Translate;
};

/* Opens it, and in it the font, which is a file, or the name of one in the places for fonts; "": DejaVuSans.
 * On failure `why`, of so many bytes, says what is missing and what to install; gf_font_close is due either
 * way. */
gf_status gf_font_open(struct gf_font_library *ft, const char *font, char *why, size_t capacity);
void gf_font_close(struct gf_font_library *ft);
