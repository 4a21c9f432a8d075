/* receipt: hashes of what a device makes of a fixed list of chains.
 *
 *   receipt DEVICE           prints "device NAME" and a line "hash text width height channels depth" a case
 *                            (DEVICE: cpu, reference, cuda)
 *   receipt --check FILE     TAP: recomputes every line of a receipt on the CPU, and on CUDA or its emulation
 *                            where there is one, and compares */
#include "check.h"
#include "parity.h"
#include "plan_cases.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

static const char *const texts[] = {
    "gray,blur:sigma=1.1:radius=2,contrast:1.2,threshold:0.5,hist",
    "blur:sigma=0.6",
    "blur:sigma=1:border=wrap",
    "blur:sigma=2.5:border=reflect101",
    "blur:sigma=7:radius=21:border=constant:value=0.4",
    "box:radius=1",
    "box:radius=9:border=reflect",
    "sobel",
    "sobel:roi=60x31+9+7",
    "threshold:otsu",
    "equalize,stats",
    "gamma:2.2,hist:bins=33:min=0.1:max=0.8",
    "convert:f32,blur:sigma=1.5,gamma:0.45,convert:u16,stats",
    "invert,brightness:0.1,contrast:1.5,box:radius=2,sobel,equalize,hist",
    "stats,hist",
};
static const int64_t sizes[][2] = {{1, 1}, {3, 200}, {513, 67}, {1030, 130}};
enum { TEXTS = sizeof texts / sizeof *texts, SIZES = sizeof sizes / sizeof *sizes };

static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ p[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t hash_run(const gf_exec *exec, const gf_image *out)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    size_t row = (size_t)(out->shape.width * out->shape.channels) * gf_depth_size(out->shape.depth);
    for (int64_t y = 0; y < out->shape.height; y++) {
        hash = fnv(hash, (const char *)out->data + y * out->pitch, row);
    }
    for (int32_t r = 0; r < gf_exec_result_count(exec); r++) {
        const gf_result *result = gf_exec_result(exec, r);
        for (int32_t f = 0; f < result->n_fields; f++) {
            const gf_field *field = &result->fields[f];
            hash = fnv(hash, field->values, (size_t)(field->channels * field->count) * 8);
        }
    }
    return hash;
}

/* The hash of one case on one device; false after saying why not on stdout. */
static bool hash_case(const char *text, const gf_shape *shape, gf_device device, uint64_t *hash)
{
    gf_error error = GF_ERROR_INIT;
    gf_context *context = NULL;
    gf_pipeline *pipeline = NULL;
    gf_plan *plan = NULL;
    gf_exec *exec = NULL;
    struct parity_picture in = {0}, out = {0};
    struct plan_random random;
    gf_plan_options options = GF_PLAN_OPTIONS_INIT;
    options.device = device;
    bool ok = parity_picture_make(&in, shape, 0) && gf_context_create(NULL, &context, &error) == GF_OK &&
              gf_pipeline_parse(text, NULL, 0, &pipeline, &error) == GF_OK &&
              gf_plan_create(context, pipeline, shape, &options, &plan, &error) == GF_OK &&
              gf_exec_create(plan, &exec, &error) == GF_OK;
    if (ok) {
        gf_shape made = gf_plan_output(plan);
        plan_random_seed(&random, (uint64_t)(shape->width * 31 + shape->channels), 3);
        plan_random_picture(&random, shape->width % 2 ? PLAN_SMOOTH : PLAN_EXTREMES, false, &in.image);
        ok = parity_picture_make(&out, &made, 0) && gf_exec_run(exec, &in.image, &out.image, &error) == GF_OK;
    }
    if (ok) {
        *hash = hash_run(exec, &out.image);
    } else {
        printf("# %s: %s\n", text, error.message);
    }
    gf_exec_destroy(&exec);
    gf_plan_destroy(&plan);
    gf_pipeline_destroy(&pipeline);
    gf_context_destroy(&context);
    parity_picture_free(&in);
    parity_picture_free(&out);
    return ok;
}

static int print_all(gf_device device)
{
    for (int t = 0; t < TEXTS; t++) {
        for (int s = 0; s < SIZES; s++) {
            for (int32_t channels = 1; channels <= 4; channels++) {
                for (int depth = GF_U8; depth <= GF_F32; depth++) {
                    gf_shape shape = {sizes[s][0], sizes[s][1], channels, (gf_depth)depth};
                    uint64_t hash;
                    if (strstr(texts[t], "roi") && (shape.width < 69 || shape.height < 38)) {
                        continue;
                    }
                    if (!hash_case(texts[t], &shape, device, &hash)) {
                        return 1;
                    }
                    printf("%016" PRIx64 " %s %" PRId64 " %" PRId64 " %d %s\n", hash, texts[t], shape.width,
                           shape.height, channels, gf_depth_name(shape.depth));
                }
            }
        }
    }
    return 0;
}

/* ---- checking a receipt ---- */

static FILE *receipt;

static void check_device(gf_device device)
{
    char line[512], text[256], depth[8];
    int64_t width, height;
    int lines = 0;
    rewind(receipt);
    while (fgets(line, sizeof line, receipt)) {
        gf_shape shape = {0};
        uint64_t expected, hash = 0;
        if (sscanf(line, "%16" SCNx64 " %255s %" SCNd64 " %" SCNd64 " %d %7s", &expected, text, &width,
                   &height, &shape.channels, depth) != 6) {
            continue; /* a heading */
        }
        shape.width = width;
        shape.height = height;
        shape.depth = !strcmp(depth, "u8") ? GF_U8 : !strcmp(depth, "u16") ? GF_U16 : GF_F32;
        bool ran = hash_case(text, &shape, device, &hash);
        check_that(ran && hash == expected, __FILE__, __LINE__,
                   "%s on %s: %016" PRIx64 ", the receipt has %016" PRIx64, text, depth, hash, expected);
        lines++;
    }
    check_that(lines >= 500, __FILE__, __LINE__, "the receipt has only %d lines", lines);
}

static void cpu(void)
{
    check_device(GF_DEVICE_CPU);
}

static void cuda(void)
{
    if (!parity_has_cuda()) {
        SKIP("no CUDA device");
    }
    check_device(0);
}

int main(int argc, char **argv)
{
    static const struct check_case cases[] = {{"the CPU gives the receipt's hashes", cpu},
                                              {"CUDA gives the receipt's hashes", cuda}};
    if (argc == 3 && !strcmp(argv[1], "--check")) {
        receipt = fopen(argv[2], "r");
        if (!receipt) {
            printf("ok 1 - receipt # SKIP no %s: script/test-gpu writes it on a machine with a GPU\n1..1\n",
                   argv[2]);
            return 0;
        }
        int status = check_run(cases, 2, NULL);
        fclose(receipt);
        return status;
    }
    if (argc == 2 && !strcmp(argv[1], "cpu")) {
        return print_all(GF_DEVICE_CPU);
    }
    if (argc == 2 && !strcmp(argv[1], "reference")) {
        return print_all(GF_DEVICE_REFERENCE);
    }
    if (argc == 2 && !strcmp(argv[1], "cuda")) {
        return print_all(0);
    }
    fprintf(stderr, "usage: receipt cpu|reference|cuda | receipt --check FILE\n");
    return 2;
}
