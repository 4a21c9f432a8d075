/* embed_sort: sorts numbers, with the places where they stood, in the memory of a device.
 *
 *     embed_sort         on the CPU
 *     embed_sort cuda    on the first GPU
 *
 * A program with CUDA's headers may pass pointers and a stream of its own: memory is cudaMalloc's, and
 * gf_queue holds a cudaStream_t. */
#include <gpufilter/gpufilter.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 8 };

static gf_status sort(gf_queue queue, float *keys, uint32_t *places, gf_error *error)
{
    gf_sort_options options = GF_SORT_OPTIONS_INIT;
    const size_t size = N * sizeof *keys;
    void *k = NULL, *p = NULL, *scratch = NULL;
    size_t bytes = 0;
    options.array.type = GF_F32;
    options.value_size = sizeof *places;
    gf_status status = gf_sort_scratch(queue.device, &options, N, &bytes, error);
    if (status == GF_OK && (status = gf_memory_allocate(queue.device, size, &k, error)) == GF_OK &&
        (status = gf_memory_allocate(queue.device, size, &p, error)) == GF_OK &&
        (status = gf_memory_allocate(queue.device, bytes > 0 ? bytes : 1, &scratch, error)) == GF_OK &&
        (status = gf_memory_copy(queue, GF_COPY_UPLOAD, k, keys, size, error)) == GF_OK &&
        (status = gf_memory_copy(queue, GF_COPY_UPLOAD, p, places, size, error)) == GF_OK &&
        (status = gf_sort(queue, &options, k, p, N, k, p, scratch, bytes, error)) == GF_OK &&
        (status = gf_memory_copy(queue, GF_COPY_DOWNLOAD, keys, k, size, error)) == GF_OK &&
        (status = gf_memory_copy(queue, GF_COPY_DOWNLOAD, places, p, size, error)) == GF_OK) {
        status = gf_queue_wait(queue, error);
    }
    gf_memory_release(queue.device, k);
    gf_memory_release(queue.device, p);
    gf_memory_release(queue.device, scratch);
    return status;
}

int main(int argc, char **argv)
{
    float keys[N] = {3, -1, NAN, 7, -INFINITY, 0.5F, 3, 12};
    uint32_t places[N] = {0, 1, 2, 3, 4, 5, 6, 7};
    gf_error error = GF_ERROR_INIT;
    gf_queue queue = {GF_DEVICE_CPU, NULL};
    const gf_device device = argc > 1 && !strcmp(argv[1], "cuda") ? 0 : GF_DEVICE_CPU;
    gf_status status = gf_queue_create(device, &queue, &error);
    status = status == GF_OK ? sort(queue, keys, places, &error) : status;
    for (int i = 0; status == GF_OK && i < N; i++) {
        printf("%g from %u%s", (double)keys[i], (unsigned)places[i], i < N - 1 ? ", " : "\n");
    }
    if (status != GF_OK) {
        fprintf(stderr, "embed_sort: %s\n", error.message);
    }
    gf_queue_destroy(&queue);
    return gf_status_exit_code(status);
}
