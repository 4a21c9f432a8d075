#include "bench/bench_sizes.h"

#include "base/message.h"

#include <stdio.h>

gf_status bench_read_sizes(const char *text, struct bench_sizes *sizes)
{
    sizes->count = bench_values(text, sizes->words);
    for (int i = 0; i < sizes->count; i++) {
        long long width = 0, height = 0;
        char rest;
        if (sscanf(sizes->words[i], "%7lldx%7lld%c", &width, &height, &rest) != 2 || width < 1 ||
            height < 1) {
            return cli_fail(GF_ERROR_ARGUMENT, "--size is '%s': must be WIDTHxHEIGHT, as 1920x1080",
                            sizes->words[i]);
        }
        sizes->shapes[i] = (gf_shape){.width = width, .height = height};
    }
    return GF_OK;
}

gf_status bench_open_device(const struct prim_how *how, struct prim_device *device)
{
    gf_error error = GF_ERROR_INIT;
    const bool any = how->device == GF_DEVICE_AUTO;
    gf_status status = prim_device_open(any ? 0 : how->device, how->emulated, device, &error);
    if (status != GF_OK && any) {
        cli_detail("on the CPU: %s", error.message);
        status = prim_device_open(GF_DEVICE_CPU, false, device, &error);
    }
    return cli_told(status, &error);
}

gf_status bench_keep_picture(struct bench_result *result, struct bench_row row, gf_shape shape,
                             const char *size, const struct prim_device *device)
{
    row.x = (double)shape.width * (double)shape.height;
    row.n = shape.width * shape.height;
    row.type = shape.depth;
    row.primitive = "chain";
    snprintf(row.x_word, sizeof row.x_word, "%s", size);
    snprintf(row.device, sizeof row.device, "%s", device->word);
    snprintf(row.data, sizeof row.data, "%s", array_data_name(ARRAY_RANDOM));
    return bench_keep(result, &row);
}
