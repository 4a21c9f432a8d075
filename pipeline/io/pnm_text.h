/* The words in the head of PNM and PFM files, and the numbers of plain PNM. */
#pragma once

#include "io/bytes_in.h"

/* Blank, tab, line feed, vertical tab, form feed, carriage return, in any locale. */
int gf_pnm_is_space(int byte);

/* Takes a byte; a comment, from '#' to the end of its line, counts as that end. -1 where there is none. */
int gf_pnm_byte(struct gf_bytes_in *in);

/* Takes a word of up to size - 1 bytes: blanks and comments before it are skipped, and the one byte of
 * white space behind it is taken too. 0: it is longer, or the input ended. */
int gf_pnm_word(struct gf_bytes_in *in, char *word, size_t size);

/* Takes a word of digits, and the white space behind it. 1: *value is at most `most`. 0: the input ended, be
 * it right behind a digit, where more of them may be missing. -1: it is larger, or no number. */
int gf_pnm_number(struct gf_bytes_in *in, int64_t most, int64_t *value);
