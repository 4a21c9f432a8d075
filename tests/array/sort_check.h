/* sort_check.h: a case of the sort (sort_case.h) beside its properties, and beside the definition. For one
 * test program. */
#ifndef SORT_CHECK_H
#define SORT_CHECK_H

#include "sort_case.h"

/* The i-th value: a place in the input. */
static uint64_t place_of(const struct sort_case *c, int64_t i)
{
    uint64_t place = 0;
    memcpy(&place, (const char *)c->values + i * c->value_size, (size_t)c->value_size); /* little end first */
    return place;
}

/* The keys are those of the input, and neighbours are in order. With values, each key goes where its value
 * says, and places of equal keys ascend. */
static void check_properties(const struct sort_case *c, const void *in)
{
    size_t size = gf_depth_size(c->type);
    const char *keys = c->keys;
    int64_t wrong = 0;
    CHECK_MSG(array_bag(keys, size, c->n) == array_bag(in, size, c->n), "%s of %s, n %lld: other keys",
              c->algo, gf_depth_name(c->type), (long long)c->n);
    for (int64_t i = 0; i < c->n; i++) {
        const char *key = keys + (size_t)i * size;
        uint64_t place = c->value_size ? place_of(c, i) : 0;
        wrong += c->value_size &&
                 (place >= (uint64_t)c->n || memcmp(key, (const char *)in + place * size, size) != 0);
        if (i > 0) {
            bool before = gf_sort_before(c->type, c->descending, key - size, key);
            bool after = gf_sort_before(c->type, c->descending, key, key - size);
            wrong += after || (c->value_size && !before && place_of(c, i - 1) >= place);
        }
    }
    CHECK_MSG(wrong == 0, "%s of %s, n %lld: %lld elements are misplaced", c->algo, gf_depth_name(c->type),
              (long long)c->n, (long long)wrong);
}

/* The definition's result for a case, to compare others with. */
static struct sort_case judge(const struct sort_case *c, const void *in)
{
    struct sort_case j = {.algo = "sequential",
                          .device = GF_DEVICE_CPU,
                          .type = c->type,
                          .n = c->n,
                          .descending = c->descending,
                          .value_size = c->value_size};
    sort_case_run(&j, in);
    return j;
}

static void compare(struct sort_case *c, const struct sort_case *expected, const void *in, const char *data)
{
    sort_case_run(c, in);
    size_t n = (size_t)c->n, keys = n * gf_depth_size(c->type), values = n * (size_t)c->value_size;
    bool same = c->keys && memcmp(c->keys, expected->keys, keys) == 0 &&
                (values == 0 || memcmp(c->values, expected->values, values) == 0);
    CHECK_MSG(same, "%s on %s: %s %s, n %lld, %s, values %d, in place %d%d, offset %zu block %d tile %d",
              c->algo, c->device < 0 ? "CPU" : "CUDA", gf_depth_name(c->type), data, (long long)c->n,
              c->descending ? "descending" : "ascending", c->value_size, c->keys_in_place, c->values_in_place,
              c->offset, c->block, c->tile);
    if (c->n < 20000) {
        check_properties(c, in);
    }
    sort_case_free(c);
}

/* A case beside the definition. */
static void check_keys(struct sort_case *c, const void *in, const char *data)
{
    struct sort_case expected = judge(c, in);
    compare(c, &expected, in, data);
    sort_case_free(&expected);
}

#endif
