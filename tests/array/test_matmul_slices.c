/* Products with slices: the CPU's and CUDA's against the definition, bit by bit. */
#include "slices_case.h"

static void compare(struct slices_product *p, enum kind kind, uint64_t seed)
{
    struct slices_product definition = *p;
    float *a =
        slices_filled(p->transpose_a ? p->k : p->m, (p->transpose_a ? p->m : p->k) + p->gap, kind, seed);
    float *b =
        slices_filled(p->transpose_b ? p->n : p->k, (p->transpose_b ? p->k : p->n) + p->gap, kind, seed + 1);
    definition.algo = "sequential";
    definition.device = GF_DEVICE_CPU;
    float *expected = slices_multiply(&definition, a, b), *found = slices_multiply(p, a, b);
    CHECK_MSG(
        memcmp(found, expected, (size_t)(p->m * p->n) * sizeof *found) == 0 &&
            memcmp(p->plain, definition.plain, sizeof p->plain) == 0,
        "%s on %s: %s, %lld x %lld x %lld, transposed %d %d, %d slices, gap %lld; plain %lld %lld, must "
        "be %lld %lld",
        p->algo, p->device < 0 ? "CPU" : "CUDA", slices_kind_name(kind), (long long)p->m, (long long)p->k,
        (long long)p->n, p->transpose_a, p->transpose_b, p->slices, (long long)p->gap, (long long)p->plain[0],
        (long long)p->plain[1], (long long)definition.plain[0], (long long)definition.plain[1]);
    free(a);
    free(b);
    free(expected);
    free(found);
}

/* ---- Devices --------------------------------------------------------------------------------------- */

static void shapes_on(gf_device device, int tile)
{
    static const int64_t shapes[][3] = {{1, 1, 1},    {0, 5, 7},     {5, 0, 7},    {5, 7, 0},
                                        {1, 300, 1},  {3, 5, 130},   {131, 2, 3},  {37, 41, 43},
                                        {64, 64, 64}, {129, 65, 97}, {17, 600, 9}, {1, 1, 200}};
    unsigned turn = 0;
    for (int shape = 0; shape < 12; shape++) {
        for (int kind = 0; kind < KINDS; kind++) {
            turn++;
            if (!array_in_slice()) {
                continue;
            }
            struct slices_product p = {.algo = "auto",
                                       .device = device,
                                       .m = shapes[shape][0],
                                       .k = shapes[shape][1],
                                       .n = shapes[shape][2],
                                       .transpose_a = turn / 2 % 2,
                                       .transpose_b = turn / 3 % 2,
                                       .slices = 3 + (int)(turn / 5 % 2),
                                       .threads = (int)(turn % 4),
                                       .tile = tile,
                                       .gap = turn % 3};
            compare(&p, (enum kind)kind, turn);
        }
    }
}

static void on_cpu(void)
{
    shapes_on(GF_DEVICE_CPU, 0);
    for (int slices = 3; slices <= 4; slices++) { /* several blocks and parts */
        struct slices_product p = {.algo = "auto",
                                   .device = GF_DEVICE_CPU,
                                   .m = 150,
                                   .k = 1100,
                                   .n = 300,
                                   .slices = slices,
                                   .threads = 3};
        compare(&p, slices == 3 ? WIDE : EVEN, 5);
    }
}

static void on_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    shapes_on(0, 0);
    if (!array_is_emulated()) {
        for (int slices = 3; slices <= 4; slices++) {
            struct slices_product p = {
                .algo = "auto", .device = 0, .m = 700, .k = 1100, .n = 900, .slices = slices};
            compare(&p, EVEN, 5);
            compare(&p, WIDE, 6);
        }
    }
}

/* Both kernels of a device that has groups of warps: fewer pieces than they keep, and many. */
static void on_both(void)
{
    if (!array_has_cuda() || array_is_emulated()) {
        SKIP("no CUDA device that is one");
    }
    for (int tile = 96; tile <= 128; tile += 32) {
        shapes_on(0, tile);
        for (int64_t k = 1; k < 3000; k += k < 600 ? 61 : 799) {
            struct slices_product p = {
                .algo = "auto", .device = 0, .m = 300, .k = k, .n = 200, .slices = 3, .tile = tile};
            compare(&p, k % 2 ? EVEN : HIGH, 5);
        }
        struct slices_product p = {
            .algo = "auto", .device = 0, .m = 2, .k = 30730, .n = 1, .slices = 3, .tile = tile};
        compare(&p, HIGH, 9);
    }
}

/* Sums that 32 bits do not hold: the largest digits, of more steps than one part has. */
static void deep_on(gf_device device)
{
    for (int slices = 3; slices <= (device < 0 || !array_is_emulated() ? 4 : 3); slices++) {
        struct slices_product p = {
            .algo = "auto", .device = device, .m = 2, .k = 30730, .n = 1, .slices = slices, .transpose_b = 1};
        compare(&p, HIGH, 9);
    }
}

static void deep(void)
{
    deep_on(GF_DEVICE_CPU);
}

static void deep_on_cuda(void)
{
    if (!array_has_cuda()) {
        SKIP("no CUDA device");
    }
    deep_on(0);
}

static const struct check_case cases[] = {
    {"on the CPU", on_cpu},
    {"deep sums", deep},
    {"CUDA", on_cuda},
    {"CUDA, deep sums", deep_on_cuda},
    {"CUDA, either kernel", on_both},
};
CHECK_MAIN(cases)
