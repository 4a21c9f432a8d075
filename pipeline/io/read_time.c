#include "gpufilter/io.h"
#include "rates/cost_rates.h"

#include <stdbool.h>
#include <string.h>

double gf_io_read_time(const gf_file_info *info)
{
    if (!info) {
        return 0;
    }
    const gf_shape *shape = &info->shape;
    double bytes =
        (double)shape->width * (double)shape->height * shape->channels * (double)gf_depth_size(shape->depth);
    bool packed = info->format && !strcmp(info->format->name, "png");
    return bytes * (packed ? gf_cost_rate.READ_PNG : gf_cost_rate.READ_RAW) * 1e-6;
}
