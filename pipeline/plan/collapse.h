/* Collapsing point programs to tables. */
#pragma once

#include "pixel/ir/op.h"

enum { GF_COLLAPSE_BLOCKS = 4 }; /* tables that the two programs of a pass may get, at most */

/* Replaces every run of instructions that maps one integer sample to another by one look-up in
 * a constant block: for u8 always, for u16 where the run has a power. The table is filled by the
 * instructions themselves, so no result changes. */
gf_status gf_collapse(struct gf_op_list *list, struct gf_pass *pass, struct gf_program *program,
                      gf_error *error);
