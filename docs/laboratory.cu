/* laboratory: kernels with faults of published texts, for the emulated device to find, without a GPU and
 * without nvcc.
 *
 * A block scans 256 numbers after Hillis and Steele: in each step a thread adds the sum that lies `distance`
 * in front of its own.
 *
 *     laboratory          between reading that sum and writing its own a barrier is missing, as in a published kernel,
 *                         so a thread reads what another has written already. On a GPU the sums are right on most
 *                         days; here threads run one after the other, and the last sum is wrong
 *     laboratory branch   the barrier is there, in a branch that not all threads take: refused, with both places
 *     laboratory right    two barriers, which all threads reach
 *
 * docs/course.md has the commands that build it, and goes on from here. */
#include "base/gf_cuda.h"

#include <stdio.h>
#include <string.h>

enum { N = 256 };

enum way { RACE, BRANCH, RIGHT };

static __global__ void scan_in_steps(const uint32_t *in, uint32_t *out, way how)
{
    GF_SHARED(uint32_t, sums, N);
    const unsigned i = threadIdx.x;
    sums[i] = in[i];
    __syncthreads();
    for (unsigned distance = 1; distance < N; distance *= 2) {
        const uint32_t before = i >= distance ? sums[i - distance] : 0;
        if (how == RIGHT) {
            __syncthreads(); /* all have read before anyone writes */
        }
        if (i >= distance) {
            if (how == BRANCH) {
                __syncthreads(); /* which the first threads never reach */
            }
            sums[i] += before;
        }
        __syncthreads();
    }
    out[i] = sums[i];
}

int main(int count, char **words)
{
    uint32_t host[N], *in = nullptr, *out = nullptr;
    for (uint32_t i = 0; i < N; i++) {
        host[i] = i + 1;
    }
    const way how = count > 1 && !strcmp(words[1], "right") ? RIGHT : count > 1 ? BRANCH : RACE;
    gf_launch launch = {};
    launch.grid = dim3(1);
    launch.block = dim3(N);
    cudaError_t status = cudaMalloc(reinterpret_cast<void **>(&in), sizeof host);
    status = status == cudaSuccess ? cudaMalloc(reinterpret_cast<void **>(&out), sizeof host) : status;
    status = status == cudaSuccess ? cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) : status;
    status = status == cudaSuccess ? GF_LAUNCH(scan_in_steps, launch, in, out, how) : status;
    status = status == cudaSuccess ? cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) : status;
    (void)cudaFree(in);
    (void)cudaFree(out);
    if (status != cudaSuccess) {
        printf("laboratory: %s\n", cudaGetErrorString(status));
        return 1;
    }
    printf("the last sum is %u, must be %u\n", host[N - 1], N * (N + 1) / 2);
    return host[N - 1] != N * (N + 1) / 2;
}
