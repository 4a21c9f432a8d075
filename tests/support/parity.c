#include "parity.h"

#include "image_rows.h"
#include "stage_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xC3, SLACK_BYTE = 0x5A };

static const struct parity_way ways[] = {
    {"cpu", GF_DEVICE_CPU, 0, 2, 0, 0},
    {"cpu, unfused, one thread", GF_DEVICE_CPU, 1, 1, 0, 0},
    {"cpu, bands of 7, three threads", GF_DEVICE_CPU, 0, 3, 7, 0},
    {"cpu, unfused, bands of 1", GF_DEVICE_CPU, 1, 2, 1, 0},
    {"cpu, streamed by 5 rows", GF_DEVICE_CPU, 0, 1, 0, 5},
    {"cuda", 0, 0, 1, 0, 0},
    {"cuda, unfused", 0, 1, 1, 0, 0},
    {"cuda, streamed by 9 rows", 0, 0, 1, 0, 9},
};
enum { CPU_WAYS = 5, WAYS = sizeof ways / sizeof *ways };

bool parity_has_cuda(void)
{
    static int known = -1;
    if (known < 0) {
        gf_context *context = NULL;
        gf_device_description description = {.struct_size = sizeof description};
        known = gf_context_create(NULL, &context, NULL) == GF_OK &&
                gf_device_describe(context, 1, 1, &description, NULL) == GF_OK;
        gf_context_destroy(&context);
    }
    return known != 0;
}

const struct parity_way *parity_ways(int *count)
{
    *count = parity_has_cuda() ? WAYS : CPU_WAYS;
    return ways;
}

/* ---- pictures ---- */

bool parity_picture_make(struct parity_picture *picture, const gf_shape *shape, int32_t slack)
{
    size_t sample = gf_depth_size(shape->depth);
    int64_t pitch = (shape->width * shape->channels + slack) * (int64_t)sample;
    picture->size = (size_t)(pitch * shape->height) + 2 * GUARD;
    picture->memory = malloc(picture->size);
    if (!picture->memory) {
        return false;
    }
    memset(picture->memory, GUARD_BYTE, picture->size);
    memset(picture->memory + GUARD, SLACK_BYTE, picture->size - 2 * GUARD);
    picture->image = (gf_image){.struct_size = sizeof(gf_image),
                                .shape = *shape,
                                .pitch = pitch,
                                .data = picture->memory + GUARD,
                                .device = GF_DEVICE_CPU};
    return true;
}

bool parity_picture_guarded(const struct parity_picture *picture)
{
    const gf_image *image = &picture->image;
    int64_t row = image->shape.width * image->shape.channels * (int64_t)gf_depth_size(image->shape.depth);
    for (size_t i = 0; i < GUARD; i++) {
        if (picture->memory[i] != GUARD_BYTE || picture->memory[picture->size - 1 - i] != GUARD_BYTE) {
            return false;
        }
    }
    for (int64_t y = 0; y < image->shape.height; y++) {
        for (int64_t i = row; i < image->pitch; i++) {
            if (picture->memory[GUARD + y * image->pitch + i] != SLACK_BYTE) {
                return false;
            }
        }
    }
    return true;
}

void parity_picture_free(struct parity_picture *picture)
{
    free(picture->memory);
    picture->memory = NULL;
}

/* ---- running ---- */

static gf_status stream(gf_exec *exec, const gf_image *in, const gf_image *out, gf_error *error)
{
    struct image_rows from = {.image = in}, to = {.image = out};
    gf_source source = image_source(&from);
    gf_sink sink = image_sink(&to);
    gf_status status = gf_exec_stream(exec, &source, &sink, error);
    bool all = from.next == in->shape.height && to.next == out->shape.height;
    return status == GF_OK && !all ? GF_ERROR_INTERNAL : status;
}

struct side {
    gf_plan *plan;
    gf_exec *exec;
    struct parity_picture out;
    struct stage_inputs others;
};

static void close_side(struct side *side)
{
    gf_exec_destroy(&side->exec);
    gf_plan_destroy(&side->plan);
    parity_picture_free(&side->out);
    stage_inputs_free(&side->others);
}

/* Where the plan would hold the input between sweeps, takes one without memory for that, if there is one. */
static void read_again(gf_context *context, const gf_pipeline *pipeline, const gf_image *in,
                       gf_plan_options options, struct side *side)
{
    gf_band_info info = {.struct_size = sizeof info};
    gf_plan *plan = NULL;
    gf_plan_bands(side->plan, &info);
    options.memory_limit = gf_plan_memory(side->plan) - 1;
    if (info.holds_input && gf_plan_create(context, pipeline, &in->shape, &options, &plan, NULL) == GF_OK) {
        gf_plan_destroy(&side->plan);
        side->plan = plan;
    }
}

static gf_status run(gf_context *context, gf_pipeline *pipeline, const gf_image *in, gf_alpha alpha,
                     const struct parity_way *way, struct side *side, gf_error *error)
{
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = way->device;
    options.no_fuse = way->no_fuse;
    options.threads = way->threads;
    options.band_rows = way->band_rows;
    options.stream_rows = way->stream_rows;
    options.alpha = alpha;
    stage_inputs_find(pipeline, &in->shape, &side->others, &options);
    gf_status status = gf_plan_create(context, pipeline, &in->shape, &options, &side->plan, error);
    if (status == GF_OK && in->shape.width % 2) {
        read_again(context, pipeline, in, options, side);
    }
    if (status == GF_OK) {
        status = gf_exec_create(side->plan, &side->exec, error);
    }
    if (status == GF_OK) {
        status = stage_inputs_give(&side->others, side->exec, error);
    }
    if (status == GF_OK) {
        gf_shape shape = gf_plan_output(side->plan);
        bool made = parity_picture_make(&side->out, &shape, 3);
        status = !made              ? GF_ERROR_MEMORY
                 : way->stream_rows ? stream(side->exec, in, &side->out.image, error)
                                    : gf_exec_run(side->exec, in, &side->out.image, error);
    }
    return status;
}

/* ---- comparing ---- */

static bool same_picture(const gf_image *a, const gf_image *b, char *why, size_t size)
{
    size_t sample = gf_depth_size(a->shape.depth);
    int64_t samples = a->shape.width * a->shape.channels;
    for (int64_t y = 0; y < a->shape.height; y++) {
        const unsigned char *p = (const unsigned char *)a->data + y * a->pitch;
        const unsigned char *q = (const unsigned char *)b->data + y * b->pitch;
        for (int64_t i = 0; i < samples; i++, p += sample, q += sample) {
            if (!memcmp(p, q, sample)) {
                continue;
            }
            unsigned long long u = 0, v = 0;
            memcpy(&u, p, sample);
            memcpy(&v, q, sample);
            snprintf(why, size, "x %lld y %lld channel %lld: %#llx, the judge has %#llx",
                     (long long)(i / a->shape.channels), (long long)y, (long long)(i % a->shape.channels), v,
                     u);
            return false;
        }
    }
    return true;
}

static bool same_tables(const gf_result *a, const gf_result *b, char *why, size_t size)
{
    if (a->n_tables != b->n_tables) {
        snprintf(why, size, "%lld tables, the judge has %lld", (long long)b->n_tables,
                 (long long)a->n_tables);
        return false;
    }
    for (int64_t t = 0; t < a->n_tables; t++) {
        const gf_table *p = &a->tables[t], *q = &b->tables[t];
        if (p->rows != q->rows || p->n_columns != q->n_columns) {
            snprintf(why, size, "%s.%s: %lld rows, the judge has %lld", a->stage, p->name, (long long)q->rows,
                     (long long)p->rows);
            return false;
        }
        for (int32_t c = 0; c < p->n_columns; c++) {
            const gf_column *u = &p->columns[c], *v = &q->columns[c];
            if (u->depth != v->depth || u->count != v->count ||
                memcmp(u->values, v->values, (size_t)(p->rows * u->count) * gf_depth_size(u->depth)) != 0) {
                snprintf(why, size, "%s.%s: column %s differs", a->stage, p->name, u->name);
                return false;
            }
        }
    }
    return true;
}

static bool same_results(const gf_exec *a, const gf_exec *b, char *why, size_t size)
{
    if (gf_exec_result_count(a) != gf_exec_result_count(b)) {
        snprintf(why, size, "%d results, the judge has %d", gf_exec_result_count(b), gf_exec_result_count(a));
        return false;
    }
    for (int32_t r = 0; r < gf_exec_result_count(a); r++) {
        const gf_result *p = gf_exec_result(a, r), *q = gf_exec_result(b, r);
        for (int32_t f = 0; f < p->n_fields; f++) {
            const gf_field *m = &p->fields[f], *n = &q->fields[f];
            const uint64_t *u = m->values, *v = n->values;
            for (int64_t i = 0; i < m->channels * m->count; i++) {
                if (u[i] != v[i]) {
                    snprintf(why, size, "result %d %s.%s[%lld]: bits %#llx, the judge has %#llx", r, p->stage,
                             m->name, (long long)i, (unsigned long long)v[i], (unsigned long long)u[i]);
                    return false;
                }
            }
        }
        if (!same_tables(p, q, why, size)) {
            return false;
        }
    }
    return true;
}

/* Results are the same where no picture is wanted. Fused plans only: others store each but the last.
 */
static bool same_results_alone(const struct side *judge, struct side *side, const gf_image *in,
                               const struct parity_way *way, char *why, size_t size)
{
    gf_error error = GF_ERROR_INIT;
    if (way->no_fuse || gf_exec_result_count(judge->exec) == 0) {
        return true;
    }
    if (gf_exec_run(side->exec, in, NULL, &error) != GF_OK) {
        snprintf(why, size, "results only: %.200s", error.message);
        return false;
    }
    return same_results(judge->exec, side->exec, why, size);
}

static bool agree(gf_context *context, gf_pipeline *pipeline, const gf_image *in, gf_alpha alpha,
                  const struct parity_way *way, const struct side *judge, char *why, size_t size)
{
    struct side side = {0};
    gf_error error = GF_ERROR_INIT;
    gf_status status = run(context, pipeline, in, alpha, way, &side, &error);
    bool ok = status == GF_OK;
    if (!ok) {
        snprintf(why, size, "%s: status %d: %s", way->name, (int)status, error.message);
    } else {
        char what[256] = "";
        ok = same_picture(&judge->out.image, &side.out.image, what, sizeof what) &&
             same_results(judge->exec, side.exec, what, sizeof what) &&
             same_results_alone(judge, &side, in, way, what, sizeof what);
        if (ok && !parity_picture_guarded(&side.out)) {
            snprintf(what, sizeof what, "bytes outside the picture were written");
            ok = false;
        }
        if (!ok) {
            snprintf(why, size, "%s: %s", way->name, what);
        }
    }
    close_side(&side);
    return ok;
}

int parity_check_ways(const char *text, const gf_image *in, gf_alpha alpha, const struct parity_way *way,
                      int count, char *why, size_t size)
{
    static const struct parity_way reference = {"reference", GF_DEVICE_REFERENCE, 0, 1, 0, 0};
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    struct side judge = {0};
    int agreed = -1;
    gf_status status = gf_context_create(NULL, &context, &error);
    if (status == GF_OK) {
        status = gf_pipeline_parse(text, NULL, 0, &pipeline, &error);
    }
    if (status == GF_OK) {
        status = run(context, pipeline, in, alpha, &reference, &judge, &error);
    }
    if (status != GF_OK) {
        snprintf(why, size, "judge: status %d: %s", (int)status, error.message);
    } else {
        for (agreed = 0; agreed < count; agreed++) {
            if (!agree(context, pipeline, in, alpha, &way[agreed], &judge, why, size)) {
                agreed = -1;
                break;
            }
        }
    }
    close_side(&judge);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    return agreed;
}

int parity_check(const char *text, const gf_image *in, gf_alpha alpha, char *why, size_t size)
{
    static unsigned checks;
    const bool streams =
        checks++ % 8 == 0; /* on CUDA every eighth: emulated it takes as long as all the rest */
    int count;
    const struct parity_way *way = parity_ways(&count);
    return parity_check_ways(text, in, alpha, way, count - (count == WAYS && !streams), why, size);
}
