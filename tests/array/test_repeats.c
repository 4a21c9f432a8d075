/* The same bytes every time: each variant that says so, run again and again with pointers off their
 * alignment, other numbers of threads, other grids, under the schedules of the emulator, and beside another
 * kernel. */
#include "array_job.h"

#ifdef GF_EMU
#include "emu_control.h"
#endif

/* Words of `gpufilter prim`; "special" in front: the elements that hurt. Floats first of all: their sums show
 * any change of order. */
static const char *const jobs[] = {
    "reduce --op sum --type f32",
    "scan --op sum --type f32",
    "compact --type u8 --keep ge:128 --data random",
    "sort --type u32 --values index",
    "histogram --type u8",
    "search --type i32 --at middle",
    "merge --type f32",
    "special reduce --op sum --type f64",
    "reduce --op var --type f32",
    "scan --op sum --type f32 --out-type f64 --kind inclusive",
    "special sort --type f32 --values index --order desc",
    "histogram --type u8 --channels 3 --data constant",
    "compact --type f32 --keep lt:0.25 --indices",
    "search --type f64 --mode all --value 0 --to 0.01",
    "reduce --op product --type f64",
    "special reduce --op argmin --type f32",
    "special reduce --op argmax --type f64",
    "reduce --op mean --type i64",
    "reduce --op sum --type u8",
    "scan --op sum --type u64 --kind inclusive",
    "special scan --op max --type f64",
    "scan --op sum --type u8 --out-type u32",
    "sort --type u8",
    "sort --type i64 --data twovalued",
    "sort --type u16",
    "histogram --type f32 --bins 100",
    "histogram --type u16 --bins 70000",
    "histogram --type f64 --bins 300000 --range -1:3",
    "histogram --type i16 --bins 70001",
    "histogram --type u16 --bins 1000 --channels 2",
    "compact --type u64 --data density:0.02",
    "compact --type u16 --keep ne:0 --data twovalued --indices",
    "search --type u8 --mode count --value 7",
    "partition --type u32 --data density:0.3",
    "partition --type f64 --keep lt:0.25 --indices",
    "top_k --type f32 --m 9",
    "special top_k --type f64 --m 7 --order asc",
    "segmented_sort --type f32 --values index",
    "special segmented_sort --type f64 --rows zipf --segments 50 --order desc",
    "merge --type u8 --data constant",
    "merge --type f32 --values index",
    "matmul --type f32 --shape 67x530x71",
    "special matmul --type f64 --shape 130x40x33",
    "matmul --type u8 --shape 33x259x65",
    "matmul --type f32 --shape 17x8x5 --batch 9",
    "matmul --type f32 --shape 67x530x71 --accuracy f32x",
    "spmv --type f32 --shape 300x77x41",
    "spmv --type f64 --shape 33x900x1100",
    "fft --shape 67x250 --real --dimensions 2",
    "stencil --type f32 --shape 67x251 --steps 5",
    "stencil --type f64 --shape 150x130 --border wrap",
    "segmented_reduce --type f32",
    "segmented_reduce --type f64 --segments 2",
    "special segmented_reduce --type f32 --op argmin --segments 9 --rows zipf",
    "unique_by_key --type u32 --data runs:1.5",
    "bounds --type f32 --side count",
    "special adjacent_difference --type f64",
    "histogram_2d --type u8 --bins 40x40",
    "histogram_2d --type f32 --bins 500x500 --weights i64",
    "sort --type u32 --bits 5:13",
    "sort --type i64 --bits 40:3 --values index",
    "run_length --type u32 --data runs:1.5",
    "special run_length --type f64",
    "run_length --type u8 --data runs:3000 --indices",
    "reduce_by_key --type f32 --keys runs:900",
    "special reduce_by_key --type f64 --keys runs:1.5",
    "reduce_by_key --type i16 --op argmax --keys runs:9",
    "scan_by_key --type f32 --keys runs:900",
    "special scan_by_key --type f64 --keys runs:1.5 --kind inclusive",
    "scan_by_key --type i16 --op max --keys runs:9",
    "segmented_scan --type f32 --segments 2",
    "segmented_scan --type u64 --segments 9 --rows zipf",
    "bfs --graph rmat:9",
    "bfs --graph grid:31x9 --source 100",
    "sssp --graph rmat:9",
    "sssp --graph random:500x5 --type i32",
    "components --graph random:900x2",
    "ragged --nx 700 --ny-max 40 --data skew:20",
    "ragged --nx 17000 --ny-max 3",
    "ragged --nx 90 --ny-max 9000 --data zipf --body segment-sum --type f32",
    "ragged --nx 500 --ny-max 90 --body segment-max --type f64",
    "ragged --nx 300 --ny-max 60 --data skew:5 --body expand",
    "bfs --picture noise:70x45 --connect 8",
    "sssp --picture noise:45x70 --join nonzero",
    "sssp --picture noise:40x40 --cost difference --type i32",
    "components --picture noise:70x45",
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

/* ---- What must not matter ------------------------------------------------------------------------------ */

/* The k-th way to run it. The block of a loose variant is part of its order. */
static void vary(struct prim_job *job, const gf_variant *v, int k)
{
    static const int32_t blocks[] = {0, 64, 256, 1024, 32};
    bool block = strstr(v->parameters, "block") != NULL && !v->loose;
    *job->array = (gf_array_options){v->name, job->type, k % 5, block ? blocks[k % 5] : 0, 0, 0};
#ifdef GF_EMU
    gf_emu_options.processors = k % 4; /* other grids */
    gf_emu_options.blocks = 1 + k % 5;
#endif
}

/* A kernel that reads and adds for a while, on a stream of its own: queued several times, not waited for. */
struct beside {
    gf_queue queue;
    struct prim_job job;
    struct prim_memory memory;
    char *words;
};

static bool beside_begin(struct beside *b, gf_device device)
{
    *b = (struct beside){.queue = {device, NULL}};
    bool ok = gf_queue_create(device, &b->queue, NULL) == GF_OK &&
              array_job_make("reduce --type f32 --op var", array_is_emulated() ? 1000 : 1 << 24, false,
                             &b->job, &b->words);
    b->job.array->algo = "auto";
    ok = ok && b->job.driver->scratch(&b->job, device, &b->memory.scratch_bytes, NULL) == GF_OK &&
         gf_memory_allocate(device, b->memory.scratch_bytes, &b->memory.scratch, NULL) == GF_OK &&
         gf_memory_allocate(device, (size_t)b->job.n * 4, &b->memory.in[0], NULL) == GF_OK &&
         gf_memory_allocate(device, 16, &b->memory.out[0], NULL) == GF_OK &&
         gf_memory_copy(b->queue, GF_COPY_UPLOAD, b->memory.in[0], b->job.in[0].data, (size_t)b->job.n * 4,
                        NULL) == GF_OK;
    CHECK(ok);
    return ok;
}

static void beside_run(struct beside *b, int times)
{
    for (int i = 0; i < times; i++) {
        CHECK_EQ_INT(b->job.driver->run(&b->job, b->queue, &b->memory, NULL), GF_OK);
    }
}

static void beside_end(struct beside *b)
{
    CHECK_EQ_INT(gf_queue_wait(b->queue, NULL), GF_OK);
    gf_memory_release(b->queue.device, b->memory.in[0]);
    gf_memory_release(b->queue.device, b->memory.out[0]);
    gf_memory_release(b->queue.device, b->memory.scratch);
    gf_queue_destroy(&b->queue);
    prim_job_destroy(&b->job);
    free(b->words);
}

/* ---- Runs ---------------------------------------------------------------------------------------------- */

/* The bytes of "sequential" of both outputs; what a run leaves unwritten is the canary's. */
static bool is_expected(const struct prim_job *job, const char *got)
{
    const void *out[PRIM_BLOCKS], *expected[PRIM_BLOCKS];
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        out[i] = got + array_job_place(job, i);
        expected[i] = job->expected[i].data;
    }
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        size_t bytes = prim_job_bytes(job, expected, i);
        if (memcmp(out[i], expected[i], bytes) != 0) {
            return false;
        }
        for (size_t k = bytes; k < array_job_out_bytes(job, i); k++) {
            if (((const unsigned char *)out[i])[k] != ARRAY_CANARY_BYTE) {
                return false;
            }
        }
    }
    return true;
}

/* One variant, `times` runs; every other one beside another kernel. */
static void repeat(struct prim_job *job, const gf_variant *v, gf_queue queue, int times, struct beside *other)
{
    size_t bytes = array_job_all_bytes(job);
    char *first = calloc(bytes + 1, 1), *again = calloc(bytes + 1, 1);
    REQUIRE(first && again);
    for (int k = 0; k < times && check_now.failures == 0; k++) {
        vary(job, v, k);
        if (other && k % 2) {
            beside_run(other, 4);
        }
        gf_status status = array_job_run(job, queue, (size_t)k % 16, k ? again : first);
        if (status == GF_ERROR_UNSUPPORTED) {
            break;
        }
        CHECK_MSG(k == 0 || memcmp(first, again, bytes) == 0, "%s, %s, %s: run %d differs from the first",
                  job->driver->name, v->name, gf_depth_name(job->type), k);
        CHECK_MSG(k > 0 || v->loose || is_expected(job, first), "%s, %s, %s: differs from sequential",
                  job->driver->name, v->name, gf_depth_name(job->type));
    }
    free(first);
    free(again);
}

/* `few`: for a variant whose work grows with the square of n. */
static void all_variants(const char *line, gf_queue queue, int64_t n, bool few, int times,
                         struct beside *other)
{
    struct prim_job job = {.driver = NULL};
    char *words;
    const gf_variant *v;
    bool special = !strncmp(line, "special ", 8);
    if (array_job_make(line + (special ? 8 : 0), n, special, &job, &words)) {
        for (size_t i = 0; (v = gf_primitive_variant(job.driver->name, i)) != NULL; i++) {
            bool wanted =
                v->cuda == (queue.device >= 0) && v->deterministic && (v->types >> job.type & 1) != 0;
            if (wanted && !strcmp(v->name, "quadratic") == few) {
                repeat(&job, v, queue, times, other);
            }
        }
    }
    prim_job_destroy(&job);
    free(words);
}

static void repeats(gf_device device, int64_t n, int64_t least_n, int times, struct beside *other)
{
    gf_queue queue = {device, NULL};
    REQUIRE(gf_queue_create(device, &queue, NULL) == GF_OK);
    for (int at = 0; at < JOBS; at++) {
        if (check_slice(at % 16, 16)) { /* 16 shares have them all */
            all_variants(jobs[at], queue, n + at, false, times, other);
            all_variants(jobs[at], queue, least_n + at, true, times, other);
        }
    }
    gf_queue_destroy(&queue);
#ifdef GF_EMU
    gf_emu_options.processors = 0;
#endif
}

static void cpu_repeats(void)
{
    repeats(GF_DEVICE_CPU, 100003, 0, 10, NULL);
}

static void cuda_repeats(void)
{
    struct beside other;
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    if (beside_begin(&other, 0)) {
        repeats(0, array_is_emulated() ? 9001 : 300007, array_is_emulated() ? 300 : 20011,
                array_is_emulated() ? 4 : 100, &other);
    }
    beside_end(&other);
}

static const struct check_case cases[] = {
    {"CPU variants, again and again", cpu_repeats},
    {"CUDA variants, again and again", cuda_repeats},
};
CHECK_MAIN(cases)
