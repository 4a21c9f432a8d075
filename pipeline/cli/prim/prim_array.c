#include "prim/prim_array.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/parts.h"
#include "base/words.h"
#include "gpufilter/device.h"
#include "job/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILL_ALONE = 1 << 16 }; /* elements: fewer are not worth a thread */
#define KINDS                                                                                                \
    "random|unique|sorted|reverse|constant|ramp|twovalued|density:P|runs:MEAN" /* in the order of array_data \
                                                                                */

gf_status prim_recipe_read(const struct prim_options *options, const char *usual, struct prim_recipe *recipe)
{
    const char *text = options->text[PRIM_DATA] ? options->text[PRIM_DATA] : usual;
    char *end = NULL;
    *recipe = (struct prim_recipe){.kind = ARRAY_RANDOM};
    snprintf(recipe->word, sizeof recipe->word, "%s", text);
    const bool is_runs = !strncmp(text, "runs:", 5);
    if (is_runs || !strncmp(text, "density:", 8)) {
        const char *number = strchr(text, ':') + 1;
        const double value = strtod(number, &end), least = is_runs ? 1 : 0, most = is_runs ? 1e12 : 1;
        const bool good = end != number && !*end && value >= least && value <= most;
        recipe->kind = is_runs ? ARRAY_RUNS : ARRAY_DENSITY;
        recipe->density = is_runs && good ? 1 / value : value;
        return good ? GF_OK : value_fail_choice("--data", text, KINDS);
    }
    while (recipe->kind < ARRAY_DENSITY && strcmp(array_data_name(recipe->kind), text) != 0) {
        recipe->kind++;
    }
    return recipe->kind < ARRAY_DENSITY ? GF_OK : value_fail_choice("--data", text, KINDS);
}

gf_status prim_array_create(gf_depth type, int64_t n, struct prim_array *array, gf_error *error)
{
    size_t size = gf_depth_size(type);
    *array = (struct prim_array){.type = type, .n = n};
    if ((uint64_t)n > (SIZE_MAX >> 1) / size) {
        return cli_error(error, GF_ERROR_MEMORY, "%lld elements of %s are more than memory can hold",
                         (long long)n, gf_depth_name(type));
    }
    size_t bytes = (size_t)n * size;
    return gf_memory_allocate(GF_DEVICE_CPU, bytes > 0 ? bytes : 1, &array->data, error);
}

struct filling {
    const struct prim_array *array;
    const struct prim_recipe *recipe;
    uint64_t seed;
};

static void fill_part(const void *argument, int64_t from, int64_t to)
{
    const struct filling *f = argument;
    array_data_fill_part(f->array->data, f->array->type, f->array->n, f->recipe->kind, f->recipe->density,
                         f->seed, from, to);
}

gf_status prim_array_make(const struct prim_recipe *recipe, gf_depth type, int64_t n, uint64_t seed,
                          struct prim_array *array)
{
    gf_error error = GF_ERROR_INIT;
    CLI_TRY(cli_told(prim_array_create(type, n, array, &error), &error));
    const struct filling filling = {array, recipe, seed};
    parts_run(n, n < FILL_ALONE ? 1 : 0, fill_part, &filling);
    return GF_OK;
}

/* Moves the rows together: a picture has gaps behind them. */
static void close_rows(const gf_image *image)
{
    const size_t row = (size_t)image->shape.width * gf_depth_size(image->shape.depth);
    for (int64_t y = 1; y < image->shape.height; y++) {
        memmove((char *)image->data + (size_t)y * row, (char *)image->data + y * image->pitch, row);
    }
}

gf_status prim_array_read(const char *path, bool matrix, struct prim_array *array)
{
    gf_error error = GF_ERROR_INIT;
    gf_io_limits limits = GF_IO_LIMITS_INIT;
    limits.result_depths = 2;
    limits.max_width = limits.max_height = limits.max_pixels = INT64_MAX;
    limits.max_input_bytes = UINT64_MAX;
    *array = (struct prim_array){0};
    CLI_TRY(cli_told(gf_io_read(path, &limits, &array->file, &error), &error));
    const gf_image *image = &array->file->image;
    if (*array->file->note) {
        cli_note("note: %s: %s", path, array->file->note);
    }
    if ((!matrix && image->shape.height != 1) || image->shape.channels != 1) {
        cli_fail(GF_ERROR_INPUT, "%s: is %lld x %lld of %d channels; a primitive takes %s", path,
                 (long long)image->shape.width, (long long)image->shape.height, (int)image->shape.channels,
                 matrix ? "a matrix of one channel: a .npy of shape (rows, columns)"
                        : "an array of one dimension: a .npy of shape (n,)");
        prim_array_free(array);
        return GF_ERROR_INPUT;
    }
    array->type = image->shape.depth;
    array->n = image->shape.width * image->shape.height;
    array->rows = matrix ? image->shape.height : 0;
    array->data = image->data;
    close_rows(image);
    return GF_OK;
}

gf_status prim_array_check_name(const char *path)
{
    const gf_format *format = NULL;
    const char *dot = strrchr(path, '.');
    if (gf_io_format_for(path, NULL, &format, NULL) != GF_OK || !strcmp(format->name, "npy")) {
        return GF_OK;
    }
    return cli_fail(GF_ERROR_ARGUMENT,
                    "%s: results are written as .npy, and .%s is a suffix of %s: call it %.*s.npy", path,
                    dot + 1, format->name, (int)(dot - path), path);
}

gf_status prim_array_write(const char *path, gf_depth type, int64_t rows, int64_t n, const void *data)
{
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    const int64_t columns = rows > 0 ? n / rows : n;
    gf_image image = {sizeof image,
                      {columns, rows > 0 ? rows : 1, 1, type},
                      columns * (int64_t)gf_depth_size(type),
                      NULL,
                      GF_DEVICE_CPU};
    memcpy(&image.data, &data, sizeof data); /* only read: an image has no const form */
    signals_watch(&options);
    options.format = "npy";
    options.npy_matrix = rows > 0;
    return cli_told(gf_io_write(path, &image, NULL, &options, &error), &error);
}

void prim_array_free(struct prim_array *array)
{
    if (array->file) {
        gf_picture_destroy(&array->file);
    } else {
        gf_memory_release(GF_DEVICE_CPU, array->data);
    }
    *array = (struct prim_array){0};
}
