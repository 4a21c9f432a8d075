#include "pixel/ir/op_list.h"

#include <stdlib.h>

/* Room for one more element of an array that doubles at powers of two. */
static void *grow(void *array, int32_t n, size_t size)
{
    if (n & (n - 1)) {
        return array;
    }
    return realloc(array, (n ? (size_t)n * 2 : 1) * size);
}

int32_t gf_op_list_add_value(struct gf_op_list *list, struct gf_value value)
{
    struct gf_value *values = grow(list->values, list->n_values, sizeof *values);
    if (!values) {
        return GF_NONE;
    }
    list->values = values;
    values[list->n_values] = value;
    return list->n_values++;
}

void *gf_op_list_add_constant(struct gf_op_list *list, gf_depth depth, int32_t channels, int64_t width,
                              int32_t *value)
{
    void *content = calloc((size_t)channels * (size_t)width, gf_depth_size(depth));
    if (!content) {
        return NULL;
    }
    *value = gf_op_list_add_value(list, (struct gf_value){.is_block = true,
                                                          .depth = depth,
                                                          .channels = channels,
                                                          .width = width,
                                                          .height = 1,
                                                          .constant = content});
    if (*value == GF_NONE) {
        free(content);
        return NULL;
    }
    return content;
}

struct gf_op *gf_op_list_add_op(struct gf_op_list *list, struct gf_op op)
{
    struct gf_op *ops = grow(list->ops, list->n_ops, sizeof *ops);
    if (!ops) {
        return NULL;
    }
    list->ops = ops;
    ops[list->n_ops] = op;
    return &ops[list->n_ops++];
}

bool gf_op_list_own(struct gf_op_list *list, void *object, void (*destroy)(void *object))
{
    struct gf_owned *owned = grow(list->owned, list->n_owned, sizeof *owned);
    if (!owned) {
        destroy(object);
        return false;
    }
    list->owned = owned;
    owned[list->n_owned++] = (struct gf_owned){object, destroy};
    return true;
}

void gf_op_list_free(struct gf_op_list *list)
{
    for (int32_t i = 0; i < list->n_owned; i++) {
        list->owned[i].destroy(list->owned[i].object);
    }
    for (int32_t i = 0; i < list->n_values; i++) {
        free((void *)(uintptr_t)list->values[i].constant);
    }
    for (int32_t i = 0; i < list->n_ops; i++) {
        if (list->ops[i].kind == GF_OP_POINT) {
            free(list->ops[i].u.point);
        }
    }
    free(list->values);
    free(list->ops);
    free(list->owned);
    *list = (struct gf_op_list){0};
}
