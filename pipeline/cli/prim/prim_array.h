/* Arrays in host memory: made, read from a .npy file, written to one. */
#pragma once

#include "gpufilter/io.h"
#include "prim/array_data.h"
#include "prim/prim_options.h"

/* Zero-initialised: none. */
struct prim_array {
    gf_depth type;
    int64_t n;
    int64_t rows;     /* of a matrix, n = rows x columns; 0: it has one dimension */
    void *data;       /* n elements; NULL only where there is no array */
    gf_picture *file; /* whose samples they are; NULL: memory of its own */
};

/* How to make one: --data, or what the primitive makes of itself. */
struct prim_recipe {
    array_data kind;
    double density;
    char word[40]; /* "density:0.5" */
};

/* Makes an uninitialised array. The failure stands in `error`, unsaid; the functions below say theirs. */
gf_status prim_array_create(gf_depth type, int64_t n, struct prim_array *array, gf_error *error);

/* Reads --data; `usual` ("random") without it. */
gf_status prim_recipe_read(const struct prim_options *options, const char *usual, struct prim_recipe *recipe);

gf_status prim_array_make(const struct prim_recipe *recipe, gf_depth type, int64_t n, uint64_t seed,
                          struct prim_array *array);

/* Reads one dimension, or with `matrix` two, where (n,) is one row; any type: one that is not ours becomes
 * the next that holds it, with a note. */
gf_status prim_array_read(const char *path, bool matrix, struct prim_array *array);

/* GF_ERROR_ARGUMENT, with the message said, for a name by which others would take the file for another
 * format. */
gf_status prim_array_check_name(const char *path);

/* rows: those of a matrix, which keeps its shape though it has one; 0: one dimension. */
gf_status prim_array_write(const char *path, gf_depth type, int64_t rows, int64_t n, const void *data);
void prim_array_free(struct prim_array *array);
