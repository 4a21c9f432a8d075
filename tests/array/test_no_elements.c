/* Arrays of no elements: every variant of every primitive, on every element type it takes, gives what
 * "sequential" gives, with pointers to memory and with NULL for what is not there; and that is what the
 * headers say of n = 0. */
#include "array_job.h"

#include "prim/element.h"

#include <math.h>

/* Words of `gpufilter prim`, for every primitive all that it can be asked for. */
static const char *const jobs[] = {
    "reduce --op sum",
    "reduce --op product",
    "reduce --op min",
    "reduce --op max",
    "reduce --op argmin",
    "reduce --op argmax",
    "reduce --op and",
    "reduce --op or",
    "reduce --op mean",
    "reduce --op var",
    "scan --op sum",
    "scan --op sum --kind inclusive",
    "scan --op min --kind inclusive",
    "scan --op max",
    "compact",
    "compact --keep ge:1 --indices",
    "partition",
    "partition --keep ge:1 --indices",
    "sort",
    "sort --bits 3:5",
    "sort --order desc",
    "sort --values index",
    "segmented_sort",
    "segmented_sort --segments 5 --values index",
    "merge",
    "merge --m 5",
    "merge --m 5 --order desc",
    "merge --m 5 --values index",
    "top_k",
    "segmented_reduce",
    "segmented_reduce --op argmax",
    "segmented_reduce --segments 40 --op min",
    "unique_by_key",
    "adjacent_difference",
    "bounds",
    "bounds --m 5 --side count",
    "histogram_2d",
    "histogram_2d --bins 9 --weights i32",
    "run_length",
    "run_length --indices",
    "run_length --unique",
    "reduce_by_key",
    "reduce_by_key --op min",
    "scan_by_key",
    "scan_by_key --op min --kind inclusive",
    "segmented_scan",
    "segmented_scan --segments 40 --op max",
    "histogram",
    "histogram --bins 1000 --channels 3",
    "search",
    "search --value 1",
    "search --at absent",
    "search --mode all --value 0 --to 1",
    "search --mode count --value 0",
    "matmul --shape 0x5x7",
    "matmul --shape 5x0x7",
    "matmul --shape 5x7x0",
    "matmul --batch 3 --shape 5x0x7",
    "matmul --batch 3 --shape 5x7x0",
    "matmul --accuracy f32x --shape 0x5x7",
    "matmul --accuracy f32x --shape 5x0x7",
    "matmul --accuracy f32x --shape 5x7x0",
    "spmv --shape 0x5x3",
    "spmv --shape 5x0x0",
    "spmv --shape 5x7x0",
    "fft --shape 0x5",
    "stencil --shape 0x5",
    "stencil --shape 5x0 --steps 3",
    "bfs --graph path:0",
    "bfs --graph grid:0x7",
    "sssp --graph path:0",
    "sssp --graph path:0 --type i64",
    "components --graph path:0",
    "components --graph grid:5x0",
    "ragged --nx 0",
    "ragged --nx 0 --body segment-sum",
    "ragged --nx 0 --body expand",
    "ragged --nx 7 --ny-max 0",
    "ragged --nx 7 --ny-max 0 --body segment-min",
    "ragged --nx 7 --ny-max 0 --body segment-max",
    "ragged --nx 7 --ny-max 0 --body fill",
    "ragged --nx 7 --ny-max 0 --body decode",
    "bfs --picture blank:0x7",
    "sssp --picture blank:5x0",
    "components --picture blank:0x0",
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

/* Runs as array_job_run does, with NULL for memory of no bytes. */
static gf_status run_with_null(const struct prim_job *job, gf_queue queue, char *out)
{
    gf_error error = GF_ERROR_INIT;
    struct array_memory in[PRIM_BLOCKS] = {{0}}, to[PRIM_BLOCKS] = {{0}}, scratch = {0};
    struct prim_memory memory = {.scratch = NULL};
    gf_status status = job->driver->scratch(job, queue.device, &memory.scratch_bytes, &error);
    if (status == GF_OK && memory.scratch_bytes > 0) {
        CHECK(array_memory_make(&scratch, queue.device, memory.scratch_bytes, 0));
        memory.scratch = scratch.data;
    }
    for (int i = 0; status == GF_OK && i < PRIM_BLOCKS; i++) {
        const size_t from = (size_t)job->in[i].n * gf_depth_size(job->in[i].type);
        if (from > 0 && array_memory_make(&in[i], queue.device, from, 0)) {
            array_memory_upload(&in[i], job->in[i].data);
            memory.in[i] = in[i].data;
        }
        if (job->out[i].n > 0 && array_memory_make(&to[i], queue.device, array_job_out_bytes(job, i), 0)) {
            memory.out[i] = to[i].data;
        }
    }
    status = status == GF_OK ? job->driver->run(job, queue, &memory, &error) : status;
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s, %s with NULL: %s", job->driver->name, job->array->algo, error.message);
    array_memory_free(&scratch);
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        if (to[i].whole) {
            array_memory_download(&to[i], out + array_job_place(job, i));
        }
        array_memory_free(&in[i]);
        array_memory_free(&to[i]);
    }
    return status;
}

/* Compares also where outputs have room for more than is written, as a merge's second array: all of it. */
static void check_bytes(const struct prim_job *job, const char *got, const char *how)
{
    const void *expected[PRIM_BLOCKS];
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        expected[i] = job->expected[i].data;
    }
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        CHECK_MSG(memcmp(got + array_job_place(job, i), expected[i], prim_job_bytes(job, expected, i)) == 0,
                  "%s, %s of %s%s: output %d differs from sequential", job->driver->name, job->array->algo,
                  gf_depth_name(job->type), how, i);
    }
}

/* Every variant of the device's kind that takes the type and what is asked of it; how many there were. */
static int variants_of(struct prim_job *job, gf_queue queue)
{
    const gf_variant *v;
    int ran = 0;
    char *out = malloc(array_job_all_bytes(job) + 1);
    CHECK(out != NULL);
    for (size_t i = 0; out && (v = gf_primitive_variant(job->driver->name, i)) != NULL; i++) {
        if (v->cuda != (queue.device >= 0) || !(v->types >> job->type & 1)) {
            continue;
        }
        *job->array = (gf_array_options){.algo = v->name, .type = job->type};
        if (array_job_run(job, queue, 0, out) == GF_ERROR_UNSUPPORTED) {
            continue;
        }
        check_bytes(job, out, "");
        if (run_with_null(job, queue, out) == GF_OK) {
            check_bytes(job, out, ", with NULL");
        }
        ran++;
    }
    free(out);
    return ran;
}

/* Tells whether the primitive's definition takes this operation on this type at all. */
static bool is_defined(struct prim_job *job)
{
    size_t bytes;
    *job->array = (gf_array_options){.algo = "sequential", .type = job->type};
    return job->driver->scratch(job, GF_DEVICE_CPU, &bytes, NULL) == GF_OK;
}

/* Tells whether the primitive of a line has a variant for such devices. */
static bool is_there(const char *line, gf_device device)
{
    char name[32];
    const gf_variant *v;
    bool found = false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
    for (size_t i = 0; (v = gf_primitive_variant(name, i)) != NULL; i++) {
        found = found || v->cuda == (device >= 0);
    }
    return found;
}

static void every_variant(gf_device device)
{
    gf_queue queue = {device, NULL};
    REQUIRE(gf_queue_create(device, &queue, NULL) == GF_OK);
    for (int j = 0; j < JOBS; j++) {
        int ran = 0;
        for (int type = GF_U8; type <= GF_S64; type++) {
            char line[96];
            struct prim_job job = {.driver = NULL};
            char *words = NULL;
            snprintf(line, sizeof line, "%s --type %s", jobs[j], gf_depth_name((gf_depth)type));
            if (array_job_parse(line, 0, &job, &words) && is_defined(&job)) {
                CHECK_EQ_INT(prim_job_expect(&job, NULL), GF_OK);
                ran += variants_of(&job, queue);
            }
            prim_job_destroy(&job);
            free(words);
        }
        CHECK_MSG(ran > 0 || !is_there(jobs[j], device), "%s: no variant took it", jobs[j]);
    }
    gf_queue_destroy(&queue);
}

static void cpu(void)
{
    every_variant(GF_DEVICE_CPU);
}

static void cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    every_variant(0);
}

/* No primitive of the list is without a job above. */
static void every_primitive(void)
{
    const gf_primitive *primitive;
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        int found = 0;
        for (int j = 0; j < JOBS; j++) {
            found += strncmp(jobs[j], primitive->name, strlen(primitive->name)) == 0;
        }
        CHECK_MSG(found > 0, "%s has no job here", primitive->name);
    }
}

/* The values are what reduce.h says. */
static void values(void)
{
    static const struct {
        const char *line;
        double value; /* of output 0 */
    } table[] = {
        {"reduce --op sum --type f32", 0},
        {"reduce --op product --type i32", 1},
        {"reduce --op min --type u8", 255},
        {"reduce --op max --type u8", 0},
        {"reduce --op min --type i16", 32767},
        {"reduce --op max --type i16", -32768},
        {"reduce --op min --type f32", INFINITY},
        {"reduce --op max --type f64", -INFINITY},
        {"reduce --op argmin --type f32", -1},
        {"reduce --op argmax --type u8", -1},
        {"reduce --op and --type u16", 65535},
        {"reduce --op or --type u16", 0},
        {"reduce --op mean --type f32", (double)NAN},
        {"reduce --op var --type u8", (double)NAN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct prim_job job = {.driver = NULL};
        char *words = NULL;
        if (array_job_make(table[i].line, 0, false, &job, &words)) {
            const double got = element_value(job.out[0].type, job.expected[0].data, 0), must = table[i].value;
            CHECK_MSG(got == must || (isnan(got) && isnan(must)), "%s: %g", table[i].line, got);
        }
        prim_job_destroy(&job);
        free(words);
    }
}

static const struct check_case cases[] = {
    {"every primitive has a job", every_primitive},
    {"what a reduction of nothing gives", values},
    {"every variant, CPU", cpu},
    {"every variant, CUDA", cuda},
};
CHECK_MAIN(cases)
