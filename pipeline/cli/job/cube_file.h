/* Tables of colours from text as Adobe's Cube LUT Specification 1.0 has it (.cube, 2013). */
#pragma once

#include "gpufilter/types.h"

#include <stddef.h>

/* The numbers as the stage lut takes them. With three dimensions: n^3 rows of three, red's place changing
 * fastest, and, where the domain is not from 0 to 1, two rows more, its least and its greatest colour; with
 * one dimension: a row for each of red, green and blue. */
struct cube_file {
    int32_t rows, columns;
    double *values;
};

/* Everything is checked: GF_ERROR_INPUT names the line. `text` is ended by a 0, which `length` does not
 * count. Free the table in any case. Thread-safe. */
gf_status cube_file_parse(const char *name, const char *text, size_t length, struct cube_file *cube,
                          gf_error *error);

/* The same of a file, or with "-" of standard input. */
gf_status cube_file_read(const char *path, struct cube_file *cube, gf_error *error);

void cube_file_free(struct cube_file *cube);
