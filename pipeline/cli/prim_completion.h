/* The part of the shell's completion that knows the array primitives. */
#ifndef GF_CLI_PRIM_COMPLETION_H
#define GF_CLI_PRIM_COMPLETION_H

#include "text_buffer.h"

/* Branches of the script's `if`: the names of primitives after `prim`, of experiments after `bench`. */
void completion_add_primitives(struct buffer *text);

/* A branch of its `case`: the variants after --algo, each name once. */
void completion_add_variants(struct buffer *text);

#endif
