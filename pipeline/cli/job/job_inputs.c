/* Pictures and numbers that stages read beside IN: found by their names, checked against what is written,
 * opened for their shapes, and read when it is certain that they are needed. */
#include "job/job.h"

#include "base/message.h"
#include "gpufilter/inputs.h"
#include "gpufilter/signal_io.h"
#include "job/cube_file.h"
#include "job/limit_option.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- --input ---- */

gf_status job_named_take(const char *value, struct job_named named[JOB_MOST_INPUTS], int *n)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    struct job_named *next = &named[*n];
    size_t length = strspn(value, letters);
    if (*n == JOB_MOST_INPUTS) {
        return cli_fail(GF_ERROR_ARGUMENT, "--input is given more than %d times", JOB_MOST_INPUTS);
    }
    if (length == 0 || length >= sizeof next->name || value[length] != '=' || !value[length + 1]) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "--input %s: must be NAME=FILE, NAME of letters, digits, '_', '-' and '.', at most 63,\n"
            "  as --input top=top.png for a stage that reads the picture top",
            value);
    }
    memcpy(next->name, value, length);
    next->name[length] = '\0';
    next->path = value + length + 1;
    if (!strcmp(next->name, "in")) {
        return cli_fail(GF_ERROR_ARGUMENT, "--input %s: 'in' is IN itself, choose another name", value);
    }
    for (int i = 0; i < *n; i++) {
        if (!strcmp(named[i].name, next->name)) {
            return cli_fail(GF_ERROR_ARGUMENT, "--input %s: the name is taken by --input %s=%s", value,
                            named[i].name, named[i].path);
        }
    }
    ++*n;
    return GF_OK;
}

/* ---- names ---- */

int job_other_count(const struct job *job)
{
    return gf_pipeline_input_count(job->pipeline) - 1;
}

const char *job_other_path(const struct job *job, int i)
{
    const char *name = gf_pipeline_input_name(job->pipeline, i + 1);
    if (name[0] == '@') {
        return name + 1;
    }
    for (int k = 0; k < job->options.n_named; k++) {
        if (!strcmp(job->options.named[k].name, name)) {
            return job->options.named[k].path;
        }
    }
    return NULL;
}

/* Says what is wrong with input i + 1 at the place of the stages that names it. */
static gf_status refuse(const struct job *job, int i, gf_status code, const char *reason)
{
    gf_error error = GF_ERROR_INIT;
    gf_status status = gf_pipeline_refuse_input(job->pipeline, i + 1, code, reason, &error);
    return stages_text_fail(&job->options.stages, status, &error);
}

static gf_status refuse_unknown(const struct job *job, int i)
{
    char reason[400];
    const char *name = gf_pipeline_input_name(job->pipeline, i + 1);
    int used = snprintf(reason, sizeof reason,
                        "no picture or signal is called '%.60s': --input %.60s=FILE says which; known: in",
                        name, name);
    for (int k = 0; k < job->options.n_named && used < (int)sizeof reason; k++) {
        used += snprintf(reason + used, sizeof reason - (size_t)used, ", %s", job->options.named[k].name);
    }
    for (int32_t s = 0; s < gf_pipeline_stage_count(job->pipeline) && used < (int)sizeof reason; s++) {
        const char *saved = gf_pipeline_saved_name(job->pipeline, s);
        used += saved ? snprintf(reason + used, sizeof reason - (size_t)used, ", %s", saved) : 0;
    }
    return refuse(job, i, GF_ERROR_ARGUMENT, reason);
}

/* A name that --input gives and a stage saves could mean either. */
static gf_status check_named(const struct job *job)
{
    const char *names[JOB_MOST_INPUTS], *saved;
    const int n = job_other_count(job);
    for (int i = 0; i < n; i++) {
        names[i] = gf_pipeline_input_name(job->pipeline, i + 1);
    }
    for (int k = 0; k < job->options.n_named; k++) {
        const struct job_named *named = &job->options.named[k];
        bool used = false;
        for (int32_t s = 0; s < gf_pipeline_stage_count(job->pipeline); s++) {
            saved = gf_pipeline_saved_name(job->pipeline, s);
            if (saved && !strcmp(saved, named->name)) {
                return cli_fail(
                    GF_ERROR_ARGUMENT,
                    "--input %s=%s: stage %d saves what is called %s: choose another name for one",
                    named->name, named->path, (int)s + 1, named->name);
            }
        }
        for (int i = 0; i < n && !used; i++) {
            used =
                !strcmp(named->name, names[i]) || (names[i][0] == '@' && !strcmp(named->name, names[i] + 1));
        }
        if (!used) {
            cli_note("note: --input %s=%s changes nothing: no stage names %s, which is written without '@'",
                     named->name, named->path, named->name);
        }
    }
    return GF_OK;
}

/* Tells whether input i + 1 is standard input, as IN is, and may not be: where pictures follow each other
 * from there to standard output, a name means the one before. */
static bool is_twice(const struct job *job, int i)
{
    const struct job_options *o = &job->options;
    const char *path = job_other_path(job, i);
    const bool frames = job->format && !strcmp(job->format->name, "pnm") && o->out && !strcmp(o->out, "-");
    return path && !strcmp(path, "-") && !strcmp(o->in, "-") &&
           (!frames || gf_pipeline_input_name(job->pipeline, i + 1)[0] == '@');
}

gf_status job_check_files(const struct job *job, const struct run_file *first, int n, struct run_file **all,
                          int *count)
{
    const struct stages_text *stages = &job->options.stages;
    const int pictures = job_other_count(job), numbers = gf_pipeline_file_count(job->pipeline);
    if (pictures > JOB_MOST_INPUTS) {
        return cli_fail(GF_ERROR_ARGUMENT, "a pipeline reads at most %d pictures beside IN, not %d",
                        JOB_MOST_INPUTS, pictures);
    }
    struct run_file *files = calloc((size_t)(n + stages->count + pictures + numbers), sizeof *files),
                    *next = files;
    gf_status status = cli_need_memory(files);
    for (int i = 0; i < n && files; i++) {
        *next++ = first[i];
    }
    for (int i = 0; i < stages->count && files; i++) {
        *next++ = (struct run_file){"--pipeline", stages->pieces[i].file, false};
    }
    for (int i = 0; i < pictures && status == GF_OK; i++) {
        *next = (struct run_file){"a picture that a stage reads", job_other_path(job, i), false};
        status = !next->path        ? refuse_unknown(job, i)
                 : is_twice(job, i) ? refuse(job, i, GF_ERROR_ARGUMENT, "it and IN are both standard input")
                                    : GF_OK;
        next++;
    }
    for (int i = 0; i < numbers && status == GF_OK; i++) {
        *next++ = (struct run_file){"a file of numbers", gf_pipeline_file_name(job->pipeline, i), false};
    }
    status = status == GF_OK ? output_check_distinct(files, (int)(next - files), true) : status;
    status = status == GF_OK ? check_named(job) : status;
    if (status == GF_OK && all) {
        *count = (int)(next - files);
        *all = files;
    } else {
        free(files);
    }
    return status;
}

/* ---- numbers ---- */

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

gf_status job_read_lists(struct job *job)
{
    gf_status status = GF_OK;
    for (int32_t i = 0; i < gf_pipeline_file_count(job->pipeline) && status == GF_OK; i++) {
        const char *path = gf_pipeline_file_name(job->pipeline, i);
        status = ends_in(path, ".cube")  ? read_cube(job, i)
                 : ends_in(path, ".csv") ? read_boxes(job, i)
                                         : read_list(job, i);
    }
    return status;
}

/* ---- pictures ---- */

gf_status job_other_fail(const struct job *job, int i, gf_status status, const gf_error *error)
{
    return status == GF_ERROR_LIMIT || status == GF_ERROR_MEMORY ? limit_told(status, error)
                                                                 : refuse(job, i, status, error->message);
}

/* Says why it cannot be opened: perhaps it was the name of an input that was meant. */
static gf_status refuse_file(const struct job *job, int i, gf_status status, const gf_error *error)
{
    const char *name = gf_pipeline_input_name(job->pipeline, i + 1);
    for (int k = 0; k < job->options.n_named && name[0] == '@'; k++) {
        if (!strcmp(job->options.named[k].name, name + 1)) {
            char reason[160];
            snprintf(reason, sizeof reason,
                     "no such file, but an input is called %.63s: write it without '@'", name + 1);
            return refuse(job, i, GF_ERROR_ARGUMENT, reason);
        }
    }
    return job_other_fail(job, i, status, error);
}

static gf_status open_other(struct job *job, int i)
{
    struct job_other *other = &job->others[i];
    const char *path = other->path = job_other_path(job, i);
    gf_error error = GF_ERROR_INIT;
    other->same = -1;
    for (int k = 0; k < i && other->same < 0; k++) {
        other->same = !strcmp(path, job->others[k].path) ? k : -1;
    }
    other->is_in = !strcmp(path, job->options.in);
    if (other->same >= 0 || other->is_in) {
        other->info = other->is_in ? job->info : job->others[other->same].info;
    } else {
        gf_status status = gf_reader_open(path, &job->options.limits, &other->reader, &error);
        if (status != GF_OK) {
            return refuse_file(job, i, status, &error);
        }
        other->info = *gf_reader_info(other->reader);
    }
    job->other_shapes[i] = other->info.shape;
    return GF_OK;
}

gf_status job_open_others(struct job *job)
{
    gf_status status = GF_OK;
    for (int i = 0, n = job_other_count(job); i < n && status == GF_OK; i++) {
        status = open_other(job, i);
        job->n_others = i + 1;
    }
    return status;
}

static gf_status read_other(struct job *job, int i)
{
    struct job_other *other = &job->others[i];
    gf_error error = GF_ERROR_INIT;
    double began = now_ms();
    gf_status status = gf_reader_picture(other->reader, &other->picture, &error);
    job->times.decode += now_ms() - began;
    if (status != GF_OK) {
        return job_other_fail(job, i, status, &error);
    }
    if (*other->picture->note) {
        cli_note("note: %s: %s", job_other_path(job, i), other->picture->note);
    }
    gf_reader_close(&other->reader);
    return GF_OK;
}

gf_status job_read_others(struct job *job)
{
    gf_status status = GF_OK;
    for (int i = 0; i < job->n_others && status == GF_OK; i++) {
        status = job->others[i].reader ? read_other(job, i) : GF_OK;
    }
    return status;
}

static const gf_image *image_of(const struct job *job, int i)
{
    const struct job_other *other = &job->others[i];
    if (other->is_in) {
        return &(job->before && !strcmp(other->path, "-") ? job->before : job->in)->image;
    }
    return &job->others[other->same >= 0 ? other->same : i].picture->image;
}

gf_status job_set_others(const struct job *job, gf_error *error)
{
    gf_status status = GF_OK;
    for (int i = 0; i < job->n_others && status == GF_OK; i++) {
        status = gf_exec_set_input(job->exec, i + 1, image_of(job, i), error);
    }
    return status;
}

bool job_names_in(const struct job *job)
{
    for (int i = 0; i < job->n_others; i++) {
        if (job->others[i].is_in) {
            return true;
        }
    }
    return false;
}

void job_add_others(struct buffer *text, const struct job *job)
{
    for (int i = 0; i < job->n_others; i++) {
        const gf_image *image = image_of(job, i);
        const struct job_other *other = &job->others[i];
        uint64_t hash =
            job_hash_rows(JOB_HASH_START, image->data, image->pitch, image->shape.height, image->shape);
        buffer_add(text, i ? ",{\"name\":" : ",\"other_inputs\":[{\"name\":");
        buffer_json_text(text, gf_pipeline_input_name(job->pipeline, i + 1));
        buffer_add(text, ",\"picture\":");
        job_add_picture(text, job_other_path(job, i), other->info.format, other->info.shape, hash);
        buffer_add(text, i + 1 == job->n_others ? "}]" : "}");
    }
}

void job_close_others(struct job *job)
{
    for (int i = 0; i < job->n_others; i++) {
        gf_reader_close(&job->others[i].reader);
        gf_picture_destroy(&job->others[i].picture);
    }
}
