/* Times products of f32 matrices beside cuBLAS, turn by turn in one run, and says how far each is from the
 * product in f64, on a sample of rows and columns. A program that measures, of no suite.
 *
 *     test_bench_matmul [--device cpu] [--data even|bell|positive] [--rounds N] [SIZE...]
 *
 * Matrices are SIZE x SIZE (1024 2048 4096 8192): even in (-1, 1); bell: sums of four of these; positive:
 * even in (0, 1). Median and largest relative error of 64 x 64 elements. */
#include "gpufilter/device.h"
#include "gpufilter/matmul.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 64, MOST_ROUNDS = 100 };

struct way {
    const char *name, *algo;
    int32_t accuracy, slices, tile;
    int64_t largest; /* size that it is worth waiting for; 0: any */
};
static const struct way ways[] = {
    {"cublas", "cublas", GF_MATMUL_F32, 0, 0, 0},
    {"auto", "auto", GF_MATMUL_F32, 0, 0, 0},
    {"register-tiled", "register-tiled", GF_MATMUL_F32, 0, 0, 4096},
    {"tiled", "tiled", GF_MATMUL_F32, 0, 0, 4096},
    {"f32x, 3 slices", "auto", GF_MATMUL_F32X, 3, 0, 0}, /* groups of warps, where there are such */
    {"  tiles of 96", "auto", GF_MATMUL_F32X, 3, 96, 0},
    {"f32x, 4 slices", "auto", GF_MATMUL_F32X, 4, 0, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static gf_error error = GF_ERROR_INIT;
static gf_queue queue;

static void must(gf_status status, const char *what)
{
    if (status != GF_OK) {
        fprintf(stderr, "bench_matmul: %s: %s\n", what, error.message);
        exit(1);
    }
}

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    must(bytes > 0 ? gf_memory_allocate(queue.device, bytes, &memory, &error) : GF_OK, "memory");
    return memory;
}

static void copy(gf_copy_kind kind, void *to, const void *from, size_t bytes)
{
    must(gf_memory_copy(queue, kind, to, from, bytes, &error), "a copy");
    must(gf_queue_wait(queue, &error), "a copy");
}

/* Elements of one of 65536 positions each, by a generator of 64 bits. */
static void fill(float *to, size_t n, const char *data, uint64_t state)
{
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const uint64_t x = (state ^ state >> 29) * 0xbf58476d1ce4e5b9U;
        if (data[0] == 'b') {
            int32_t sum = 0;
            for (int e = 0; e < 64; e += 16) {
                sum += (int16_t)(uint16_t)(x >> e);
            }
            to[i] = (float)sum * 0x1p-15F;
        } else {
            const float even = (float)(int32_t)(uint32_t)(x >> 32) * 0x1p-31F;
            to[i] = data[0] == 'p' ? fabsf(even) : even;
        }
    }
}

struct matrices {
    int64_t n;
    float *a, *b, *c, *row; /* on the host; a row of C */
    void *device[3];
    double expected[SAMPLE][SAMPLE];
    int64_t at[SAMPLE]; /* rows and columns of the sample */
};

static void make(struct matrices *m, int64_t n, const char *data)
{
    const size_t bytes = (size_t)(n * n) * sizeof(float);
    m->n = n;
    m->a = malloc(bytes);
    m->b = malloc(bytes);
    m->row = malloc((size_t)n * sizeof(float));
    if (!m->a || !m->b || !m->row) {
        must(GF_ERROR_MEMORY, "host memory");
    }
    fill(m->a, (size_t)(n * n), data, 1);
    fill(m->b, (size_t)(n * n), data, 2);
    for (int i = 0; i < 3; i++) {
        m->device[i] = device_memory(bytes);
    }
    copy(GF_COPY_UPLOAD, m->device[0], m->a, bytes);
    copy(GF_COPY_UPLOAD, m->device[1], m->b, bytes);
    memset(m->expected, 0, sizeof m->expected);
    for (int s = 0; s < SAMPLE; s++) {
        m->at[s] = (s * n + n / 3) / SAMPLE;
    }
    for (int i = 0; i < SAMPLE; i++) {
        for (int64_t l = 0; l < n; l++) {
            const double x = (double)m->a[m->at[i] * n + l];
            for (int j = 0; j < SAMPLE; j++) {
                m->expected[i][j] += x * (double)m->b[l * n + m->at[j]];
            }
        }
    }
}

static void drop(struct matrices *m)
{
    for (int i = 0; i < 3; i++) {
        gf_memory_release(queue.device, m->device[i]);
    }
    free(m->a);
    free(m->b);
    free(m->row);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare_doubles);
    return values[n / 2];
}

/* The errors of the product that lies in memory. */
static void errors_of(struct matrices *m, double *middle, double *most)
{
    static double far[SAMPLE * SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
        const char *row = (const char *)m->device[2] + (size_t)(m->at[i] * m->n) * sizeof(float);
        copy(GF_COPY_DOWNLOAD, m->row, row, (size_t)m->n * sizeof(float));
        for (int j = 0; j < SAMPLE; j++) {
            const double must_be = m->expected[i][j];
            far[i * SAMPLE + j] = fabs((double)m->row[m->at[j]] - must_be) / fabs(must_be);
        }
    }
    *middle = median(far, SAMPLE * SAMPLE);
    *most = far[SAMPLE * SAMPLE - 1];
}

/* A way on these matrices: its scratch memory, what it takes, how good it is. */
struct run {
    gf_matmul_options options;
    void *scratch;
    size_t bytes;
    int64_t *plain;
    int runs; /* 0: it does not run here */
    double ms[MOST_ROUNDS], middle, most;
};

static gf_status call(const struct matrices *m, const struct run *r)
{
    return gf_matmul(queue, &r->options, m->device[0], m->device[1], m->n, m->n, m->n, m->device[2],
                     r->scratch, r->bytes, &error);
}

static void prepare(struct matrices *m, const struct way *way, struct run *r)
{
    memset(r, 0, sizeof *r);
    r->options = (gf_matmul_options)GF_MATMUL_OPTIONS_INIT;
    r->options.array.algo = way->algo;
    r->options.accuracy = way->accuracy;
    r->options.slices = way->slices;
    r->options.array.tile = way->tile;
    if (way->largest > 0 && m->n > way->largest) {
        return;
    }
    if (gf_matmul_scratch(queue.device, &r->options, m->n, m->n, m->n, &r->bytes, &error) != GF_OK) {
        return;
    }
    r->scratch = device_memory(r->bytes);
    if (way->accuracy == GF_MATMUL_F32X) {
        r->plain = device_memory(2 * sizeof *r->plain);
        r->options.plain = r->plain;
    }
    must(call(m, r), way->name);
    must(gf_queue_wait(queue, &error), way->name);
    errors_of(m, &r->middle, &r->most);
    r->runs = 1;
}

static void report(const struct matrices *m, struct run *runs, int rounds)
{
    double first = 0;
    for (int w = 0; w < WAYS; w++) {
        struct run *r = &runs[w];
        if (!r->runs) {
            continue;
        }
        const double ms = median(r->ms, rounds), n = (double)m->n;
        int64_t plain[2] = {0, 0};
        if (r->plain) {
            copy(GF_COPY_DOWNLOAD, plain, r->plain, sizeof plain);
        }
        first = first > 0 ? first : ms;
        printf("%6lld  %-16s %10.3f ms %8.2f TF/s %7.2f   %.2e %.2e", (long long)m->n, ways[w].name, ms,
               2e-9 * n * n * n / ms, first / ms, r->middle, r->most);
        printf(plain[0] + plain[1] > 0 ? "   %lld rows, %lld columns plain\n" : "\n", (long long)plain[0],
               (long long)plain[1]);
    }
    fflush(stdout);
}

static void size(int64_t n, const char *data, int rounds)
{
    static struct matrices m;
    static struct run runs[WAYS];
    gf_mark *from = NULL, *to = NULL;
    make(&m, n, data);
    must(gf_mark_create(queue.device, &from, &error), "a mark");
    must(gf_mark_create(queue.device, &to, &error), "a mark");
    for (int w = 0; w < WAYS; w++) {
        prepare(&m, &ways[w], &runs[w]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int w = 0; w < WAYS; w++) {
            if (runs[w].runs) {
                must(gf_mark_record(queue, from, &error), "a mark");
                must(call(&m, &runs[w]), ways[w].name);
                must(gf_mark_record(queue, to, &error), "a mark");
                must(gf_queue_wait(queue, &error), ways[w].name);
                must(gf_mark_elapsed(queue.device, from, to, &runs[w].ms[round], &error), "a mark");
            }
        }
    }
    report(&m, runs, rounds);
    for (int w = 0; w < WAYS; w++) {
        gf_memory_release(queue.device, runs[w].scratch);
        gf_memory_release(queue.device, runs[w].plain);
    }
    gf_mark_destroy(queue.device, &from);
    gf_mark_destroy(queue.device, &to);
    drop(&m);
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"1024", "2048", "4096", "8192"};
    const char *data = "even";
    int rounds = 9, at = 1;
    gf_device device = 0;
    for (; at + 1 < argc && !strncmp(argv[at], "--", 2); at += 2) {
        data = !strcmp(argv[at], "--data") ? argv[at + 1] : data;
        rounds = !strcmp(argv[at], "--rounds") ? atoi(argv[at + 1]) : rounds;
        device = !strcmp(argv[at], "--device") && !strcmp(argv[at + 1], "cpu") ? GF_DEVICE_CPU : device;
    }
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    if (gf_vendor_load(NULL, &error) != GF_OK) {
        printf("without cuBLAS: %s\n", error.message);
    }
    must(gf_queue_create(device, &queue, &error), "the device");
    printf("%s matrices, median of %d turns; error of %d elements: median and largest\n", data, rounds,
           SAMPLE * SAMPLE);
    for (int s = 0; s < (at < argc ? argc - at : 4); s++) {
        const char *text = at < argc ? argv[at + s] : usual[s];
        size(strtoll(text, NULL, 10), data, rounds);
    }
    gf_queue_destroy(&queue);
    return 0;
}
