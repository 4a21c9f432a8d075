/* sort_case.h: runs one sort on guarded memory. */
#ifndef TESTS_SORT_CASE_H
#define TESTS_SORT_CASE_H

#include "array_case.h"

#include "array/sort/sort_before.h"
#include "gpufilter/sort.h"

struct sort_case {
    const char *algo;
    gf_device device;
    gf_depth type;
    int64_t n;
    int descending, value_size; /* values are the places of the keys in the input */
    int keys_in_place, values_in_place;
    size_t offset; /* elements by which inputs and outputs lie off a 256-byte boundary */
    int threads, block, tile;
    void *keys, *values; /* results, on the host */
};

static inline void *sort_case_data(gf_depth type, int64_t n, array_data kind, uint64_t seed)
{
    void *data = malloc((size_t)n * gf_depth_size(type) + 1);
    CHECK(data != NULL);
    if (data) {
        array_data_fill(data, type, n, kind, 0.1, seed);
    }
    return data;
}

static inline void sort_case_free(struct sort_case *c)
{
    free(c->keys);
    free(c->values);
    c->keys = c->values = NULL;
}

static inline void *sort_case_places(int64_t n, int size)
{
    char *places = (char *)malloc((size_t)n * 8 + 8);
    for (int64_t i = 0; places && i < n; i++) {
        memcpy(places + i * size, &i, (size_t)size); /* little end first */
    }
    return places;
}

/* The call itself: keys, values, and where they go. */
static inline void sort_case_call(const struct sort_case *c, struct array_memory *const m[4])
{
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    gf_error error = GF_ERROR_INIT;
    gf_queue queue = {c->device, NULL};
    struct array_memory scratch;
    size_t bytes = 0;
    options.descending = c->descending;
    options.value_size = c->value_size;
    options.array = (gf_array_options){c->algo, c->type, c->threads, c->block, c->tile, 0};
    gf_status status = gf_sort_scratch(c->device, &options, c->n, &bytes, &error);
    CHECK_MSG(status == GF_OK, "scratch: %s", error.message);
    if (status != GF_OK || !array_memory_make(&scratch, c->device, bytes, 0)) {
        return;
    }
    bool values = c->value_size > 0;
    status = gf_sort(queue, &options, m[0]->data, values ? m[1]->data : NULL, c->n, m[2]->data,
                     values ? m[3]->data : NULL, scratch.data, bytes, &error);
    status = status == GF_OK ? gf_queue_wait(queue, &error) : status;
    CHECK_MSG(status == GF_OK, "%s: %s", c->algo, error.message);
    array_memory_end(&scratch, "scratch");
}

/* Sorts `in`; keys and values of the case get the results, to be freed by sort_case_free. */
static inline void sort_case_run(struct sort_case *c, const void *in)
{
    size_t keys = (size_t)c->n * gf_depth_size(c->type), values = (size_t)(c->n * c->value_size);
    size_t key_offset = c->offset * gf_depth_size(c->type), value_offset = c->offset * (size_t)c->value_size;
    struct array_memory m[4];
    struct array_memory *at[4] = {&m[0], &m[1], c->keys_in_place ? &m[0] : &m[2],
                                  c->values_in_place ? &m[1] : &m[3]};
    void *places = sort_case_places(c->n, c->value_size), *again = malloc(keys + values + 1);
    c->keys = malloc(keys + 1);
    c->values = malloc(values + 1);
    for (int i = 0; i < 4; i++) {
        CHECK(array_memory_make(&m[i], c->device, i % 2 ? values : keys, i % 2 ? value_offset : key_offset));
    }
    array_memory_upload(&m[0], in);
    array_memory_upload(&m[1], places);
    sort_case_call(c, at);
    array_memory_download(at[2], c->keys);
    array_memory_download(at[3], c->values);
    for (int i = 0; i < 4; i++) {
        array_memory_check(&m[i], i % 2 ? "values" : "keys");
    }
    if (!c->keys_in_place) {
        array_memory_download(&m[0], again);
        CHECK_MSG(memcmp(again, in, keys) == 0, "%s changed its input", c->algo);
    }
    if (!c->values_in_place) {
        array_memory_download(&m[1], again);
        CHECK_MSG(memcmp(again, places, values) == 0, "%s changed its values", c->algo);
    }
    for (int i = 0; i < 4; i++) {
        array_memory_free(&m[i]);
    }
    free(places);
    free(again);
}

#endif
