/* sample_font.h: text of small letters in the pictures that samples paint. */
#ifndef SAMPLE_FONT_H
#define SAMPLE_FONT_H

/* Returns 1 where `length` letters of `text`, with `zoom` pixels a dot and their upper left corner at (0, 0),
 * have ink; letters other than adefgilnprstux are blank. */
int sample_text(const char *text, int length, int zoom, int x, int y);

#endif
