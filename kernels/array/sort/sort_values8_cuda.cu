/* Passes of the radix sort over keys with values of 8 bytes. */
#include "array/sort/sort_pass_cuda.cuh"

gf_status gf_radix_pass_values8(const struct gf_radix *r, gf_depth type, int pass, cudaStream_t stream,
                                gf_error *error)
{
    return gf_radix_pass_typed<8>(r, type, pass, stream, error);
}
