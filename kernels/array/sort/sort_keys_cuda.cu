/* Passes of the radix sort over keys alone. */
#include "array/sort/sort_pass_cuda.cuh"

gf_status gf_radix_pass_keys(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                             gf_error *error)
{
    return gf_radix_pass_typed<0>(r, type, pass, stream, error);
}
