/* An allocator with a limit, for decoders: what they hold at one time never exceeds it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct gf_budget {
    uint64_t limit;
    uint64_t used;
    uint64_t refused; /* size of the first request beyond the limit, 0: none */
    int exhausted;    /* 1: malloc failed */
};

/* Memory aligned like malloc's, or NULL: beyond the limit (refused is set) or none left. */
void *gf_budget_alloc(struct gf_budget *budget, size_t size);

/* NULL-safe. */
void gf_budget_free(struct gf_budget *budget, void *memory);

/* The same as z_stream.zalloc and zfree want them, with the budget as opaque. */
void *gf_budget_zalloc(void *budget, unsigned items, unsigned size);
void gf_budget_zfree(void *budget, void *memory);
