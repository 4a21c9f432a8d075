/* The judge: a naive interpreter of ops, one pixel at a time, that follows docs/exactness.md to
 * the letter and shares no fast path with the executors it judges. */
#pragma once

#include "pixel/ir/op.h"

/* Interprets the list on host pictures. in[0] has the shape of values[input], in[1] and on those of `others`,
 * `out` (NULL when only blocks are wanted) that of values[output]. blocks[v], for every value v that is a
 * block and not constant, receives its content unless it is NULL: channels * width elements. Memory: every
 * value of the list at once. Thread-safe; O(pixels * window area). */
gf_status gf_reference_run(const struct gf_op_list *list, const gf_image *in, gf_image *out,
                           void *const *blocks, gf_error *error);
