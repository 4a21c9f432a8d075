/* A program of both libraries: a call that both have, one of arrays, and one of pictures. */
#include <gpufilter/gpufilter.h>

#include <stdio.h>

int main(void)
{
    static uint64_t scratch[1 << 12];
    const gf_queue cpu = {GF_DEVICE_CPU, NULL};
    const float a[4] = {1, 0, 0, 1}, b[2] = {2, 3};
    const uint32_t keys[3] = {3, 1, 2};
    const int64_t offsets[2] = {0, 0};
    float product[2];
    uint32_t sorted[3], label[1];
    gf_matmul_options matmul = GF_MATMUL_OPTIONS_INIT;
    gf_sort_options sort = GF_SORT_OPTIONS_INIT;
    gf_components_options components = GF_COMPONENTS_OPTIONS_INIT;
    gf_csr graph = {sizeof(gf_csr), 1, 1, 0, NULL, NULL, NULL};
    gf_pipeline *pipeline = NULL;
    gf_error error = GF_ERROR_INIT;
    char *room = (char *)scratch + (256 - (uintptr_t)scratch % 256) % 256;
    graph.offsets = offsets;
    matmul.array.type = GF_F32;
    if (gf_matmul(cpu, &matmul, a, b, 2, 2, 1, product, room, sizeof scratch - 256, &error) != GF_OK ||
        gf_sort(cpu, &sort, keys, NULL, 3, sorted, NULL, room, sizeof scratch - 256, &error) != GF_OK ||
        gf_components(cpu, &components, &graph, label, room, sizeof scratch - 256, &error) != GF_OK ||
        gf_pipeline_parse("gray,blur:2", NULL, 0, &pipeline, &error) != GF_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    gf_pipeline_destroy(&pipeline);
    printf("%g %g; %u %u %u; %u component\n", (double)product[0], (double)product[1], sorted[0], sorted[1],
           sorted[2], label[0] + 1);
    return 0;
}
