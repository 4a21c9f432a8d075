#include "text/font_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libfreetype.so.6"

/* Where systems keep DejaVu Sans: Debian and Ubuntu, Fedora, Arch, Alpine and SUSE, by hand. */
static const char *const places[] = {
    "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF",
    "/usr/share/fonts/dejavu",          "/usr/share/fonts/truetype",          "/usr/local/share/fonts",
};

static gf_status open_library(struct gf_font_library *ft, char *why, size_t capacity)
{
    const struct {
        const char *name;
        void *to;
    } functions[] = {{"FT_Init_FreeType", &ft->Init_FreeType},
                     {"FT_Done_FreeType", &ft->Done_FreeType},
                     {"FT_New_Face", &ft->New_Face},
                     {"FT_Set_Char_Size", &ft->Set_Char_Size},
                     {"FT_Get_Char_Index", &ft->Get_Char_Index},
                     {"FT_Get_Kerning", &ft->Get_Kerning},
                     {"FT_Load_Glyph", &ft->Load_Glyph},
                     {"FT_Render_Glyph", &ft->Render_Glyph},
                     {"FT_Outline_Translate", &ft->Outline_Translate}};
    ft->module = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool whole = ft->module != NULL;
    for (size_t i = 0; whole && i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(ft->module, functions[i].name);
        memcpy(functions[i].to, &function, sizeof function);
        whole = function != NULL;
    }
    if (!whole || ft->Init_FreeType(&ft->library) != 0) {
        snprintf(why, capacity,
                 "letters are drawn by FreeType, and " LIBRARY
                 " cannot be opened: install libfreetype6 (Debian, "
                 "Ubuntu) or freetype");
        return GF_ERROR_UNSUPPORTED;
    }
    return GF_OK;
}

static gf_status open_font(struct gf_font_library *ft, const char *font, char *why, size_t capacity)
{
    const char *name = *font ? font : "DejaVuSans";
    char path[512];
    if (strchr(name, '/') || strchr(name, '.')) {
        if (ft->New_Face(ft->library, name, 0, &ft->face) == 0) {
            return GF_OK;
        }
        snprintf(why, capacity, "font '%.200s' is no file that FreeType can read as a font", name);
        return GF_ERROR_INPUT;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s.ttf", places[i], name);
        if (ft->New_Face(ft->library, path, 0, &ft->face) == 0) {
            return GF_OK;
        }
    }
    snprintf(why, capacity,
             "there is no font %.60s.ttf in /usr/share/fonts (truetype/dejavu, dejavu-sans-fonts, TTF, "
             "dejavu, truetype) "
             "or /usr/local/share/fonts: %s, or name a file, as font=letters.ttf",
             name,
             *font ? "DejaVuSans-Bold and DejaVuSansMono are of fonts-dejavu-core"
                   : "install fonts-dejavu-core");
    return GF_ERROR_INPUT;
}

gf_status gf_font_open(struct gf_font_library *ft, const char *font, char *why, size_t capacity)
{
    memset(ft, 0, sizeof *ft);
    const gf_status status = open_library(ft, why, capacity);
    return status == GF_OK ? open_font(ft, font, why, capacity) : status;
}

void gf_font_close(struct gf_font_library *ft)
{
    if (ft->library) {
        ft->Done_FreeType(ft->library); /* its fonts, too */
    }
    if (ft->module) {
        dlclose(ft->module);
    }
}
