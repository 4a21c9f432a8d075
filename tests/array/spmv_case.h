/* Sparse matrices, and their product with a vector. */
#ifndef SPMV_CASE_H
#define SPMV_CASE_H

#include "array_case.h"

#include "gpufilter/spmv.h"

struct sparse {
    int64_t rows, columns, entries;
    int64_t *offsets;
    uint32_t *indices;
    void *values, *x;
};

static inline void *memory(size_t bytes)
{
    void *block = malloc(bytes + 1);
    if (!block) {
        abort();
    }
    return block;
}

static inline uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* Rows that end at these offsets, which it owns from now on. */
static inline struct sparse sparse_fill(gf_depth type, int64_t *offsets, int64_t rows, int64_t columns,
                                        array_data kind, uint64_t seed)
{
    struct sparse s = {.rows = rows, .columns = columns, .entries = offsets[rows], .offsets = offsets};
    uint64_t state = seed * 977 + 1;
    s.indices = memory((size_t)s.entries * sizeof *s.indices);
    for (int64_t e = 0; e < s.entries; e++) {
        s.indices[e] = (uint32_t)(draw(&state) % (uint64_t)columns);
    }
    s.values = memory((size_t)s.entries * gf_depth_size(type));
    s.x = memory((size_t)columns * gf_depth_size(type));
    array_data_fill(s.values, type, s.entries, kind, 0, seed);
    array_data_fill(s.x, type, columns, kind, 0, seed + 1);
    return s;
}

/* Rows of 0 to `most` entries, one of `longest`. */
static inline struct sparse sparse_make(gf_depth type, int64_t rows, int64_t columns, int64_t most,
                                        int64_t longest, array_data kind, uint64_t seed)
{
    uint64_t state = seed * 977 + 1;
    int64_t *offsets = memory((size_t)(rows + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t count = i == rows / 3 ? longest : (int64_t)(draw(&state) % (uint64_t)(most + 1));
        offsets[i + 1] = offsets[i] + (columns > 0 ? count : 0);
    }
    return sparse_fill(type, offsets, rows, columns, kind, seed);
}

static inline void sparse_free(struct sparse *s)
{
    free(s->offsets);
    free(s->indices);
    free(s->values);
    free(s->x);
}

enum { OFFSETS, INDICES, VALUES, X, Y, ARRAYS };

/* The matrix in memory of the device. */
static inline gf_csr upload(const struct sparse *s, gf_depth type, gf_device device,
                            struct array_memory m[ARRAYS])
{
    const size_t size = gf_depth_size(type);
    const size_t bytes[] = {(size_t)(s->rows + 1) * 8, (size_t)s->entries * 4, (size_t)s->entries * size,
                            (size_t)s->columns * size, (size_t)s->rows * size};
    const size_t element[] = {8, 4, size, size, size};
    const void *from[] = {s->offsets, s->indices, s->values, s->x};
    for (int i = 0; i < ARRAYS; i++) {
        CHECK(array_memory_make(&m[i], device, bytes[i], (size_t)array_next_offset(element[i]) * element[i]));
        if (i < Y) {
            array_memory_upload(&m[i], from[i]);
        }
    }
    return (gf_csr){sizeof(gf_csr),  s->rows,         s->columns,    s->entries,
                    m[OFFSETS].data, m[INDICES].data, m[VALUES].data};
}

static inline void release(struct array_memory m[ARRAYS])
{
    for (int i = 0; i < ARRAYS; i++) {
        array_memory_end(&m[i], i < Y ? "an input" : "the output");
    }
}

/* y; to be freed. */
static inline void *multiply(const struct sparse *s, gf_depth type, const char *algo, gf_device device,
                             int threads)
{
    struct array_memory m[ARRAYS];
    gf_spmv_options o = GF_SPMV_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    const gf_queue queue = {device, NULL};
    size_t bytes = 1;
    const gf_csr matrix = upload(s, type, device, m);
    void *y = memory(m[Y].bytes);
    o.array = (gf_array_options){algo, type, threads, 0, 0, 0};
    struct array_memory scratch;
    CHECK_EQ_INT(gf_spmv_scratch(device, &o, &matrix, &bytes, &error), GF_OK);
    CHECK(array_memory_make(&scratch, device, bytes, 0));
    gf_status status = gf_spmv(queue, &o, &matrix, m[X].data, m[Y].data, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", algo, error.message);
    array_memory_download(&m[Y], y);
    array_memory_end(&scratch, "the scratch memory");
    release(m);
    return y;
}

#endif
