/* Building op lists: arrays that grow, contents that the list owns. */
#pragma once

#include "pixel/ir/op.h"

/* Appends a value; its index, or GF_NONE without memory. */
int32_t gf_op_list_add_value(struct gf_op_list *list, struct gf_value value);

/* Appends a block with a known content: zeroed memory to fill; NULL without memory. */
void *gf_op_list_add_constant(struct gf_op_list *list, gf_depth depth, int32_t channels, int64_t width,
                              int32_t *value);

/* Appends an op; NULL without memory. Valid until the next one is added. */
struct gf_op *gf_op_list_add_op(struct gf_op_list *list, struct gf_op op);

/* Gives the list an object, which is destroyed with it, or at once where there is no memory: false. */
bool gf_op_list_own(struct gf_op_list *list, void *object, void (*destroy)(void *object));

/* Frees arrays, programs, constants and what the list owns; safe on a zeroed list. */
void gf_op_list_free(struct gf_op_list *list);
