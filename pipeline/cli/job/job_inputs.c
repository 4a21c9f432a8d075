/* Pictures that stages read beside IN: found by their names, checked against what is written, opened for
 * their shapes, and read when it is certain that they are needed. */
#include "job/job.h"

#include "base/message.h"
#include "gpufilter/inputs.h"
#include "job/limit_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const bool frames = job->format && job->format->frames && o->out && !strcmp(o->out, "-");
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
