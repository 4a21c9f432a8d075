#include "compare/compare_show.h"

#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "compare/compare_files.h"
#include "gpufilter/io_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 1024, PIECE = 4096 };

/* What a terminal says of itself in its variables. */
static const struct {
    const char *variable, *has, *protocol;
} terminals[] = {{"KITTY_WINDOW_ID", "", "kitty"},
                 {"TERM", "kitty", "kitty"},
                 {"TERM_PROGRAM", "ghostty", "kitty"},
                 {"KONSOLE_VERSION", "", "kitty"},
                 {"TERM_PROGRAM", "iTerm", "iterm"},
                 {"TERM_PROGRAM", "WezTerm", "iterm"},
                 {"TERM_PROGRAM", "vscode", "iterm"},
                 {"TERM", "sixel", "sixel"},
                 {"TERM", "foot", "sixel"},
                 {"TERM", "mlterm", "sixel"},
                 {"TERM", "contour", "sixel"}};

static const char *protocol_of_terminal(void)
{
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        const char *value = getenv(terminals[i].variable);
        if (value && strstr(value, terminals[i].has)) {
            return terminals[i].protocol;
        }
    }
    return NULL;
}

/* kitty's: a PNG in pieces of at most 4096 letters. */
static void add_kitty(struct buffer *text, const struct buffer *letters)
{
    for (size_t at = 0; at < letters->length; at += PIECE) {
        const size_t left = letters->length - at, count = left < PIECE ? left : PIECE;
        buffer_printf(text, "\033_G%sm=%d;", at == 0 ? "a=T,f=100," : "", left > PIECE);
        buffer_add_bytes(text, letters->data + at, count);
        buffer_add(text, "\033\\");
    }
    buffer_add(text, "\n");
}

/* ---- sixel: six rows at a time, a colour of 6 x 6 x 6 after the other ---- */

static int colour_of(const gf_image *image, int64_t x, int64_t y)
{
    const uint8_t *p = (const uint8_t *)image->data + y * image->pitch + 3 * x;
    return (p[0] * 5 + 127) / 255 * 36 + (p[1] * 5 + 127) / 255 * 6 + (p[2] * 5 + 127) / 255;
}

static void add_sixel_row(struct buffer *text, const gf_image *image, int64_t top, int colour)
{
    const int64_t rows = image->shape.height - top < 6 ? image->shape.height - top : 6;
    buffer_printf(text, "#%d", colour);
    for (int64_t x = 0, run = 0; x < image->shape.width; x += run, run = 0) {
        int bits = -1;
        for (int now = 0; x + run < image->shape.width; run++) {
            now = 0;
            for (int64_t y = 0; y < rows; y++) {
                now |= (colour_of(image, x + run, top + y) == colour) << y;
            }
            if (bits >= 0 && now != bits) {
                break;
            }
            bits = now;
        }
        if (run > 3) {
            buffer_printf(text, "!%d%c", (int)run, '?' + bits);
        }
        for (int64_t i = 0; run <= 3 && i < run; i++) {
            buffer_printf(text, "%c", '?' + bits);
        }
    }
    buffer_add(text, "$");
}

static void add_sixel(struct buffer *text, const gf_image *image)
{
    buffer_printf(text, "\033P0;1q\"1;1;%d;%d", (int)image->shape.width, (int)image->shape.height);
    for (int i = 0; i < 216; i++) {
        buffer_printf(text, "#%d;2;%d;%d;%d", i, i / 36 * 20, i / 6 % 6 * 20, i % 6 * 20);
    }
    for (int64_t top = 0; top < image->shape.height; top += 6) {
        bool used[216] = {false};
        for (int64_t y = top; y < image->shape.height && y < top + 6; y++) {
            for (int64_t x = 0; x < image->shape.width; x++) {
                used[colour_of(image, x, y)] = true;
            }
        }
        for (int i = 0; i < 216; i++) {
            if (used[i]) {
                add_sixel_row(text, image, top, i);
            }
        }
        buffer_add(text, "-");
    }
    buffer_add(text, "\033\\\n");
}

static gf_status add_letters(struct buffer *letters, const gf_image *image)
{
    gf_error error = GF_ERROR_INIT;
    void *bytes = NULL;
    size_t size = 0;
    CLI_TRY(cli_told(gf_io_write_memory("png", image, NULL, NULL, &bytes, &size, &error), &error));
    buffer_base64(letters, bytes, size);
    gf_io_free_memory(bytes);
    return cli_need_memory(!letters->failed);
}

gf_status compare_show(const struct criteria *criteria, struct pair *pair)
{
    const char *protocol = *criteria->show ? criteria->show : protocol_of_terminal();
    struct buffer text = {0}, letters = {0};
    gf_picture *picture = NULL;
    if (!protocol) {
        cli_note("note: --show: this terminal is not known to show pictures; --show=kitty, iterm or sixel "
                 "says that it does");
        return GF_OK;
    }
    gf_status status = pair_draw_picture(criteria, pair, STYLE_MARKS, MOST_SIDE, &picture);
    if (status == GF_OK && !strcmp(protocol, "sixel")) {
        add_sixel(&text, &picture->image);
    } else if (status == GF_OK) {
        status = add_letters(&letters, &picture->image);
    }
    if (status == GF_OK && !strcmp(protocol, "kitty")) {
        add_kitty(&text, &letters);
    } else if (status == GF_OK && !strcmp(protocol, "iterm")) {
        buffer_printf(&text, "\033]1337;File=inline=1;size=%zu:", letters.length / 4 * 3);
        buffer_add_bytes(&text, letters.data, letters.length);
        buffer_add(&text, "\a\n");
    }
    status = status == GF_OK ? cli_need_memory(!text.failed) : status;
    if (status == GF_OK &&
        (fwrite(text.data, 1, text.length, stdout) != text.length || fflush(stdout) != 0)) {
        status = cli_fail(GF_ERROR_OUTPUT, "standard output: the picture cannot be written");
    }
    gf_picture_destroy(&picture);
    buffer_free(&letters);
    buffer_free(&text);
    return status;
}
