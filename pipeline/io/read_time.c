#include "gpufilter/io.h"

#include <stdbool.h>
#include <string.h>

static const struct {
#define GF_COST(what, cpu, gpu)
#define GF_RATE(what, value) double what;
#include "plan/cost_model.def"
#undef GF_RATE
} rate = {
#define GF_RATE(what, value) value,
#include "plan/cost_model.def"
};

double gf_io_read_time(const gf_file_info *info)
{
    const gf_shape *shape = &info->shape;
    double bytes =
        (double)shape->width * (double)shape->height * shape->channels * (double)gf_depth_size(shape->depth);
    bool packed = info->format && !strcmp(info->format->name, "png");
    return bytes * (packed ? rate.READ_PNG : rate.READ_RAW) * 1e-6;
}
