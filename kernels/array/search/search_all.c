/* Apart from search.c, so that the module of CUDA can have a copy of its own. */
#include "array/search/search_call.h"

struct gf_compact_call gf_search_as_compact(const struct gf_search_call *call)
{
    return (struct gf_compact_call){.array = call->array,
                                    .keep = GF_KEEP_EQ,
                                    .indices = true,
                                    .test = call->test,
                                    .out = call->array.n <= INT64_C(1) << 32 ? GF_U32 : GF_U64,
                                    .capacity = call->capacity,
                                    .count = (uint64_t *)call->found};
}
