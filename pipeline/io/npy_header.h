/* The dictionary in the head of a .npy file (NumPy Enhancement Proposal 1, "A Simple File
 * Format for NumPy Arrays"), read strictly: the three keys, each once, nothing else. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define GF_NPY_MAX_DIMS 3

struct gf_npy_header {
    char order; /* '<', '>', '|' or '=' */
    char kind;  /* 'u', 'f', 'b', 'i', 'c', ... as NumPy spells it */
    int size;   /* bytes of a sample, 0 to 9999 */
    int fortran;
    int dims; /* 0 to GF_NPY_MAX_DIMS */
    int64_t dim[GF_NPY_MAX_DIMS];
};

/* Parses `length` bytes (no terminator needed). Returns NULL, or what is wrong, a constant. */
const char *gf_npy_parse(const char *text, size_t length, struct gf_npy_header *header);
