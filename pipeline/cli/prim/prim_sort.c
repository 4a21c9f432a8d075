/* gpufilter prim sort, gpufilter prim segmented_sort, gpufilter prim merge */
#include "base/message.h"
#include "prim/element.h"
#include "prim/prim_order.h"
#include "prim/prim_segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void begin(struct prim_job *job)
{
    const char *order = job->options.text[PRIM_ORDER];
    job->call.sort = (gf_sort_options)GF_SORT_OPTIONS_INIT;
    job->call.sort.descending = order && !strcmp(order, "desc");
    job->array = &job->call.sort.array;
}

/* ---- sort ------------------------------------------------------------------------------------- */

/* first, first + 1, ... below `all`: where each of n keys comes from. */
static gf_status make_indices(int64_t first, int64_t n, int64_t all, struct prim_array *values)
{
    gf_error error = GF_ERROR_INIT;
    const gf_depth type = all <= INT64_C(1) << 32 ? GF_U32 : GF_U64;
    CLI_TRY(cli_told(prim_array_create(type, n, values, &error), &error));
    for (int64_t i = 0; i < n; i++) {
        const uint64_t place = (uint64_t)(first + i);
        memcpy((char *)values->data + (size_t)i * gf_depth_size(type), &place, gf_depth_size(type));
    }
    return GF_OK;
}

static gf_status read_values(const char *path, int64_t n, size_t least, struct prim_array *values)
{
    CLI_TRY(prim_array_read(path, false, values));
    if (values->n != n || gf_depth_size(values->type) < least) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %" PRId64 " values of %s, must hold %" PRId64 " of %s",
                        path, values->n, gf_depth_name(values->type), n,
                        least > 1 ? "4 or 8 bytes" : "1 to 8 bytes");
    }
    return GF_OK;
}

gf_status prim_values_take(const char *text, int64_t n, size_t least, struct prim_array *values)
{
    return strcmp(text, "index") != 0 ? read_values(text, n, least, values) : make_indices(0, n, n, values);
}

/* "8:16" */
static gf_status read_bits(const char *text, gf_sort_options *options)
{
    int read = 0;
    if (sscanf(text, "%4d:%4d%n", &options->first_bit, &options->bits, &read) != 2 || text[read] != '\0' ||
        options->bits < 1) {
        return cli_fail(GF_ERROR_ARGUMENT, "--bits is '%s': must be FIRST:COUNT, like 8:16", text);
    }
    return GF_OK;
}

static gf_status prepare_sort(struct prim_job *job)
{
    const char *values = job->options.text[PRIM_VALUES];
    begin(job);
    CLI_TRY(job->options.text[PRIM_BITS] ? read_bits(job->options.text[PRIM_BITS], &job->call.sort) : GF_OK);
    job->out[0] = (struct prim_output){job->type, job->n, PRIM_OUT, 0};
    if (!values && job->options.text[PRIM_VALUES_OUT]) {
        return cli_fail(GF_ERROR_ARGUMENT, "--values-out needs --values FILE, or --values index");
    }
    if (values) {
        CLI_TRY(prim_values_take(values, job->n, 4, &job->in[1]));
        job->call.sort.value_size = (int32_t)gf_depth_size(job->in[1].type);
        job->out[1] = (struct prim_output){job->in[1].type, job->n, PRIM_VALUES_OUT, 0};
    }
    return GF_OK;
}

static gf_status sort_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_sort_scratch(device, &job->call.sort, job->n, bytes, error);
}

static gf_status run_sort(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                          gf_error *error)
{
    bool pairs = job->call.sort.value_size > 0;
    return gf_sort(queue, &job->call.sort, m->in[0], pairs ? m->in[1] : NULL, job->n, m->out[0],
                   pairs ? m->out[1] : NULL, m->scratch, m->scratch_bytes, error);
}

const struct prim_driver prim_driver_sort = {
    .name = "sort",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_VALUES) | PRIM_TAKES(PRIM_ORDER) |
             PRIM_TAKES(PRIM_VALUES_OUT) | PRIM_TAKES(PRIM_BITS),
    .type = "u32",
    .prepare = prepare_sort,
    .scratch = sort_scratch,
    .run = run_sort,
    .result = prim_result_ends,
};

/* ---- segmented_sort ---------------------------------------------------------------------------- */

enum { SEGMENTS = 2 }; /* which input has the offsets */

static gf_status prepare_segmented(struct prim_job *job)
{
    CLI_TRY(prepare_sort(job));
    return prim_segments_take(job, SEGMENTS);
}

static gf_status segmented_scratch(const struct prim_job *job, gf_device device, size_t *bytes,
                                   gf_error *error)
{
    return gf_segmented_sort_scratch(device, &job->call.sort, job->n, job->in[SEGMENTS].n - 1, bytes, error);
}

static gf_status run_segmented(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                               gf_error *error)
{
    const bool pairs = job->call.sort.value_size > 0;
    return gf_segmented_sort(queue, &job->call.sort, m->in[0], pairs ? m->in[1] : NULL, job->n,
                             m->in[SEGMENTS], job->in[SEGMENTS].n - 1, m->out[0], pairs ? m->out[1] : NULL,
                             m->scratch, m->scratch_bytes, error);
}

const struct prim_driver prim_driver_segmented_sort = {
    .name = "segmented_sort",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES_SEGMENTS | PRIM_TAKES(PRIM_VALUES) | PRIM_TAKES(PRIM_ORDER) |
             PRIM_TAKES(PRIM_VALUES_OUT),
    .type = "u32",
    .prepare = prepare_segmented,
    .scratch = segmented_scratch,
    .run = run_segmented,
    .result = prim_result_ends,
};

/* ---- merge ------------------------------------------------------------------------------------ */

gf_status prim_put_in_order(struct prim_array *array, bool descending)
{
    const gf_queue queue = {GF_DEVICE_CPU, NULL};
    gf_error error = GF_ERROR_INIT;
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    size_t bytes = 0;
    void *scratch = NULL;
    options.descending = descending;
    options.array.type = array->type;
    gf_status status = gf_sort_scratch(GF_DEVICE_CPU, &options, array->n, &bytes, &error);
    if (status == GF_OK && bytes > 0) {
        status = gf_memory_allocate(GF_DEVICE_CPU, bytes, &scratch, &error);
    }
    if (status == GF_OK) {
        status =
            gf_sort(queue, &options, array->data, NULL, array->n, array->data, NULL, scratch, bytes, &error);
    }
    gf_memory_release(GF_DEVICE_CPU, scratch);
    return cli_told(status, &error);
}

static gf_status make_second(struct prim_job *job)
{
    const char *text = job->options.text[PRIM_M];
    int64_t m = job->n;
    CLI_TRY(text ? prim_count("--m", text, 0, &m) : GF_OK);
    CLI_TRY(prim_job_make(job, 1, 0, m));
    CLI_TRY(prim_put_in_order(&job->in[1], job->call.sort.descending != 0));
    return prim_put_in_order(&job->in[0], job->call.sort.descending != 0);
}

static gf_status fail_order(const struct prim_job *job, const struct prim_array *array,
                            enum prim_option option, int64_t i, bool descending)
{
    const bool floats = element_is_float(array->type);
    struct buffer text = {0};
    element_add(&text, array->type, array->data, i, false);
    buffer_add(&text, " behind ");
    element_add(&text, array->type, array->data, i - 1, false);
    gf_status status =
        cli_fail(GF_ERROR_INPUT, "%s: element %" PRId64 " is out of order, %s: %s takes arrays that %s%s",
                 job->options.text[option], i, text.data ? text.data : "", job->driver->name,
                 descending ? "descend" : "ascend, unless --order is desc",
                 !floats      ? ""
                 : descending ? " (+0 before -0, every NaN last)"
                              : " (-0 before +0, every NaN last)");
    buffer_free(&text);
    return status;
}

gf_status prim_check_order(const struct prim_job *job, const struct prim_array *array,
                           enum prim_option option, bool descending)
{
    for (int64_t i = 1; i < array->n; i++) {
        if (element_before(array->type, array->data, i, i - 1, descending)) {
            return fail_order(job, array, option, i, descending);
        }
    }
    return GF_OK;
}

/* Both arrays have values, or neither. They are inputs 2 and 3. */
static gf_status prepare_merge_values(struct prim_job *job)
{
    const char *first = job->options.text[PRIM_VALUES], *second = job->options.text[PRIM_VALUES2];
    const int64_t n = job->n, m = job->in[1].n;
    struct prim_array *a = &job->in[2], *b = &job->in[3];
    const bool made = first && !strcmp(first, "index");
    if (first ? made == (second != NULL) : second || job->options.text[PRIM_VALUES_OUT]) {
        return cli_fail(GF_ERROR_ARGUMENT, "merge takes values of both arrays, --values A --values2 B, or "
                                           "makes both, --values index; then there is --values-out");
    }
    if (!first) {
        return GF_OK;
    }
    CLI_TRY(made ? make_indices(0, n, n + m, a) : read_values(first, n, 4, a));
    CLI_TRY(made ? make_indices(n, m, n + m, b) : read_values(second, m, 4, b));
    if (a->type != b->type) {
        return cli_fail(GF_ERROR_INPUT, "%s: holds %s, %s holds %s: the values must be of one type", second,
                        gf_depth_name(b->type), first, gf_depth_name(a->type));
    }
    job->call.sort.value_size = (int32_t)gf_depth_size(a->type);
    job->out[1] = (struct prim_output){a->type, n + m, PRIM_VALUES_OUT, 0};
    return GF_OK;
}

static gf_status prepare_merge(struct prim_job *job)
{
    const char *first = job->options.text[PRIM_IN], *second = job->options.text[PRIM_IN2];
    begin(job);
    if (!first != !second || (second && job->options.text[PRIM_M])) {
        return cli_fail(GF_ERROR_ARGUMENT,
                        "merge takes both arrays from files, --in A --in2 B, or makes both, --n N --m M");
    }
    CLI_TRY(second ? prim_job_read(job, 1, PRIM_IN2, false) : make_second(job));
    if (first) { /* files must be in order; what is made is brought into it */
        CLI_TRY(prim_check_order(job, &job->in[0], PRIM_IN, job->call.sort.descending != 0));
        CLI_TRY(prim_check_order(job, &job->in[1], PRIM_IN2, job->call.sort.descending != 0));
    }
    job->out[0] = (struct prim_output){job->type, job->n + job->in[1].n, PRIM_OUT, 0};
    return prepare_merge_values(job);
}

static gf_status merge_scratch(const struct prim_job *job, gf_device device, size_t *bytes, gf_error *error)
{
    return gf_merge_scratch(device, &job->call.sort, job->n, job->in[1].n, bytes, error);
}

static gf_status run_merge(const struct prim_job *job, gf_queue queue, const struct prim_memory *m,
                           gf_error *error)
{
    const bool pairs = job->call.sort.value_size > 0;
    return gf_merge(queue, &job->call.sort, m->in[0], pairs ? m->in[2] : NULL, job->n, m->in[1],
                    pairs ? m->in[3] : NULL, job->in[1].n, m->out[0], pairs ? m->out[1] : NULL, m->scratch,
                    m->scratch_bytes, error);
}

const struct prim_driver prim_driver_merge = {
    .name = "merge",
    .takes = PRIM_TAKES_ARRAY | PRIM_TAKES(PRIM_M) | PRIM_TAKES(PRIM_IN2) | PRIM_TAKES(PRIM_ORDER) |
             PRIM_TAKES(PRIM_VALUES) | PRIM_TAKES(PRIM_VALUES2) | PRIM_TAKES(PRIM_VALUES_OUT),
    .type = "f32",
    .prepare = prepare_merge,
    .scratch = merge_scratch,
    .run = run_merge,
    .result = prim_result_ends,
};
