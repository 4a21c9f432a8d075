/* Codes of deflate: short ones for what comes often. */
#ifndef GF_IO_HUFFMAN_H
#define GF_IO_HUFFMAN_H

#include <stdint.h>

#define GF_HUFFMAN_SYMBOLS 286
#define GF_HUFFMAN_BITS    15 /* of a code at most */

/* A code, its bits as they are written, the first one lowest. */
struct gf_code {
    uint16_t bits, length; /* length 0: the symbol never comes */
};

/* Codes of at most `most` bits for the symbols whose counts are not 0: two of them at least, each below
 * 2^16. The sum of bits is the least there is, but for what `most` costs where it is too small for that. */
void gf_huffman_make(const uint32_t *counts, int symbols, int most, struct gf_code *codes);

#endif
