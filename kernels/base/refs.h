/* How many hold an object: its maker, and every object that needs it. The last to let go destroys it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

struct gf_refs {
    atomic_int others; /* that hold the object beside the first; zeroed memory is an object held once */
};

static inline void gf_refs_hold(struct gf_refs *refs)
{
    atomic_fetch_add_explicit(&refs->others, 1, memory_order_relaxed);
}

/* Lets go. True for the last, who sees all that the others have written. */
static inline bool gf_refs_drop(struct gf_refs *refs)
{
    return atomic_fetch_sub_explicit(&refs->others, 1, memory_order_acq_rel) == 0;
}
