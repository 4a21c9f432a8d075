/* Numbers that stages read from files: kernels, tables of boxes, cubes of colours. */
#include "job/job.h"

#include "base/message.h"
#include "gpufilter/inputs.h"
#include "gpufilter/signal_io.h"
#include "job/cube_file.h"
#include "job/limit_option.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static double number_at(const gf_image *image, int64_t y, int64_t x)
{
    const char *row = (const char *)image->data + y * image->pitch;
    switch (image->shape.depth) {
    case GF_U8: /* and bool, as 0 and 1 */
        return ((const uint8_t *)row)[x];
    case GF_S16: /* and int8 */
        return ((const int16_t *)row)[x];
    case GF_S32:
        return ((const int32_t *)row)[x];
    case GF_S64:
        return (double)((const int64_t *)row)[x];
    case GF_U16:
        return ((const uint16_t *)row)[x];
    case GF_U32:
        return ((const uint32_t *)row)[x];
    case GF_U64:
        return (double)((const uint64_t *)row)[x];
    case GF_F64:
        return ((const double *)row)[x];
    default:
        return (double)((const float *)row)[x];
    }
}

/* Reads an array of one or two dimensions, or a picture of one channel. */
static gf_status read_numbers(const char *path, const gf_io_limits *limits, gf_picture **picture,
                              gf_error *error)
{
    gf_io_limits taken = *limits;
    gf_reader *reader = NULL;
    taken.result_depths = 2;
    gf_status status = gf_reader_open(path, &taken, &reader, error);
    if (strstr(error->message, "not a format")) {
        status = cli_error(error, status,
                           "%s: not a format that numbers come in: .npy and .cube are, .csv of boxes, and "
                           "pictures of one channel",
                           path);
    } else if (status == GF_OK) {
        const gf_file_info *info = gf_reader_info(reader);
        if (info->shape.channels != 1) {
            const bool is_npy = !strcmp(info->format->name, "npy");
            status =
                cli_error(error, GF_ERROR_INPUT,
                          "%s: is %s; numbers come from a .npy of one or two dimensions, a .cube or a "
                          "picture of one channel",
                          path, is_npy ? "an array of three dimensions" : "a picture of several channels");
        } else if (info->shape.width < 1 || info->shape.width > GF_LIST_FILE_NUMBERS ||
                   info->shape.height > GF_LIST_FILE_NUMBERS / info->shape.width) {
            status = cli_error(error, GF_ERROR_INPUT,
                               "%s: has %" PRId64 " x %" PRId64 " numbers, a list has from 1 to %d", path,
                               info->shape.height, info->shape.width, GF_LIST_FILE_NUMBERS);
        }
    }
    status = status == GF_OK ? gf_reader_picture(reader, picture, error) : status;
    gf_reader_close(&reader);
    return status;
}

/* Says what a file of numbers failed with, at the parameter that names it. */
static gf_status refuse_list(const struct job *job, int32_t i, gf_status status, const gf_error *error)
{
    gf_error at = GF_ERROR_INIT;
    status = gf_pipeline_refuse_file(job->pipeline, i, status, error->message, &at);
    return stages_text_fail(&job->options.stages, status, &at);
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

/* Opens a table of boxes, whose columns are called as results call them: as of bounds, or as of label. */
static gf_status open_boxes(const struct job *job, const char *path, gf_signal_reader **reader,
                            gf_error *error)
{
    gf_signal_read_options options = GF_SIGNAL_READ_OPTIONS_INIT;
    gf_error first = GF_ERROR_INIT;
    options.limits = &job->options.limits;
    options.columns = "box_x,box_y,box_w,box_h";
    if (gf_signal_reader_open(path, &options, reader, &first) == GF_OK) {
        return GF_OK;
    }
    options.columns = "x,y,width,height";
    return gf_signal_reader_open(path, &options, reader, error);
}

/* Rows of x, y, width, height. */
static gf_status read_boxes(const struct job *job, int32_t i)
{
    enum { MOST = 1 << 16 }; /* more than any list of them has */
    const char *path = gf_pipeline_file_name(job->pipeline, i);
    gf_error error = GF_ERROR_INIT;
    gf_signal_reader *reader = NULL;
    int64_t rows = 0;
    float *read = malloc((size_t)4 * MOST * sizeof *read);
    double *values = malloc((size_t)4 * MOST * sizeof *values);
    gf_status status = read && values ? open_boxes(job, path, &reader, &error)
                                      : cli_error(&error, GF_ERROR_MEMORY, "out of memory");
    status = status == GF_OK ? gf_signal_reader_read(reader, read, MOST, MOST, &rows, &error) : status;
    if (status == GF_OK && rows == MOST) {
        status = cli_error(&error, GF_ERROR_INPUT, "%s: has %d boxes or more", path, MOST);
    }
    for (int64_t k = 0; status == GF_OK && k < 4 * rows; k++) {
        values[k] = (double)read[k % 4 * MOST + k / 4];
    }
    gf_signal_reader_close(&reader);
    if (status != GF_OK) {
        status = refuse_list(job, i, status, &error);
    } else if ((status = gf_pipeline_set_file(job->pipeline, i, (int32_t)rows, 4, values, &error)) != GF_OK) {
        status = stages_text_fail(&job->options.stages, status, &error);
    }
    free(read);
    free(values);
    return status;
}

static gf_status read_cube(struct job *job, int32_t i)
{
    gf_error error = GF_ERROR_INIT;
    struct cube_file cube;
    gf_status status = cube_file_read(gf_pipeline_file_name(job->pipeline, i), &cube, &error);
    if (status != GF_OK) {
        status = refuse_list(job, i, status, &error);
    } else {
        status = gf_pipeline_set_file(job->pipeline, i, cube.rows, cube.columns, cube.values, &error);
        status = status == GF_OK ? GF_OK : stages_text_fail(&job->options.stages, status, &error);
    }
    cube_file_free(&cube);
    return status;
}

static gf_status read_list(struct job *job, int32_t i)
{
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    gf_status status =
        read_numbers(gf_pipeline_file_name(job->pipeline, i), &job->options.limits, &picture, &error);
    if (status != GF_OK) {
        return refuse_list(job, i, status, &error);
    }
    const gf_shape shape = picture->image.shape;
    const bool wide = shape.depth == GF_U64 || shape.depth == GF_S64; /* and may be rounded */
    double *values = malloc((size_t)(shape.width * shape.height) * sizeof *values);
    if (!values) {
        status = cli_error(&error, GF_ERROR_MEMORY, "out of memory");
    }
    for (int64_t k = 0; values && k < shape.width * shape.height; k++) {
        values[k] = number_at(&picture->image, k / shape.width, k % shape.width);
        if (wide && fabs(values[k]) >= 0x1p53) {
            status = cli_error(&error, GF_ERROR_INPUT, "%s: number %d is about %g, must be below 2^53",
                               gf_pipeline_file_name(job->pipeline, i), (int)k + 1, values[k]);
        }
    }
    gf_picture_destroy(&picture);
    if (status != GF_OK) {
        free(values);
        return refuse_list(job, i, status, &error);
    }
    status =
        gf_pipeline_set_file(job->pipeline, i, (int32_t)shape.height, (int32_t)shape.width, values, &error);
    free(values);
    return status == GF_OK ? GF_OK : stages_text_fail(&job->options.stages, status, &error);
}

enum { MOST_COLOURS = 256 };

/* The colours of a picture of u8, each once, in the order in which rows have them; returns how many there
 * are, one more than MOST_COLOURS where there are more. */
static int32_t find_colours(const gf_image *image, uint8_t colours[MOST_COLOURS][4])
{
    const gf_shape s = image->shape;
    const size_t size = (size_t)s.channels;
    int32_t n = 0, last = 0;
    for (int64_t i = 0; i < s.width * s.height; i++) {
        const uint8_t *pixel =
            (const uint8_t *)image->data + i / s.width * image->pitch + i % s.width * s.channels;
        if (n > 0 && memcmp(colours[last], pixel, size) == 0) {
            continue;
        }
        for (last = 0; last < n && memcmp(colours[last], pixel, size) != 0; last++) {
        }
        if (last == MOST_COLOURS) {
            return MOST_COLOURS + 1;
        }
        if (last == n) {
            memcpy(colours[n++], pixel, size);
        }
    }
    return n;
}

/* Rows of the colours that a picture has. */
static gf_status read_colours(struct job *job, int32_t i)
{
    const char *path = gf_pipeline_file_name(job->pipeline, i);
    uint8_t colours[MOST_COLOURS][4];
    double values[4 * MOST_COLOURS];
    gf_error error = GF_ERROR_INIT;
    gf_picture *picture = NULL;
    gf_status status = gf_io_read(path, &job->options.limits, &picture, &error);
    const gf_shape shape = status == GF_OK ? picture->image.shape : (gf_shape){0};
    int32_t n = 0;
    if (status == GF_OK && shape.depth != GF_U8) {
        status =
            cli_error(&error, GF_ERROR_INPUT, "%s: has samples of %s, and colours of a palette are of u8",
                      path, gf_depth_name(shape.depth));
    } else if (status == GF_OK && (n = find_colours(&picture->image, colours)) > MOST_COLOURS) {
        status = cli_error(&error, GF_ERROR_INPUT,
                           "%s: has more than %d colours; quantize:%d in a run of its own leaves so many",
                           path, MOST_COLOURS, MOST_COLOURS);
    }
    for (int32_t k = 0; status == GF_OK && k < n * shape.channels; k++) {
        values[k] = colours[k / shape.channels][k % shape.channels];
    }
    gf_picture_destroy(&picture);
    if (status != GF_OK) {
        return refuse_list(job, i, status, &error);
    }
    status = gf_pipeline_set_file(job->pipeline, i, n, shape.channels, values, &error);
    return status == GF_OK ? GF_OK : stages_text_fail(&job->options.stages, status, &error);
}

/* Tells whether the file is a picture where colours are wanted. */
static bool gives_colours(const struct job *job, int32_t i)
{
    const char *choices = gf_pipeline_file_param(job->pipeline, i)->choices;
    return choices && !strcmp(choices, GF_LIST_COLOURS) &&
           !ends_in(gf_pipeline_file_name(job->pipeline, i), ".npy");
}

gf_status job_read_lists(struct job *job)
{
    gf_status status = GF_OK;
    for (int32_t i = 0; i < gf_pipeline_file_count(job->pipeline) && status == GF_OK; i++) {
        const char *path = gf_pipeline_file_name(job->pipeline, i);
        status = ends_in(path, ".cube")  ? read_cube(job, i)
                 : ends_in(path, ".csv") ? read_boxes(job, i)
                 : gives_colours(job, i) ? read_colours(job, i)
                                         : read_list(job, i);
    }
    return status;
}
