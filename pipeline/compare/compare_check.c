/* Checks what is to be compared, and how. */
#include "compare/compare.h"

#include <math.h>

static gf_status fail_rect(gf_error *error, const char *what, gf_rect r, gf_shape shape)
{
    return gf_fail(error, GF_ERROR_ARGUMENT,
                   "%s %lldx%lld+%lld+%lld does not lie in the pictures, which are %lld x %lld", what,
                   (long long)r.w, (long long)r.h, (long long)r.x, (long long)r.y, (long long)shape.width,
                   (long long)shape.height);
}

static bool lies_in(gf_rect r, gf_shape shape)
{
    return r.x >= 0 && r.y >= 0 && r.w > 0 && r.h > 0 && r.w <= shape.width && r.h <= shape.height &&
           r.x <= shape.width - r.w && r.y <= shape.height - r.h;
}

static int32_t compared(int32_t channels, bool ignore_alpha)
{
    return ignore_alpha && channels % 2 == 0 ? channels - 1 : channels;
}

static gf_status check_shapes(struct gf_compare_job *job, gf_shape a, gf_shape b, gf_error *error)
{
    const bool bare = job->o.ignore_alpha != 0;
    const gf_shape *shapes[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        if (shapes[i]->width < 1 || shapes[i]->height < 1 || shapes[i]->channels < 1 ||
            shapes[i]->channels > 4) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "%c has no shape of a picture: %lld x %lld, %d channels",
                           "AB"[i], (long long)shapes[i] -> width, (long long)shapes[i] -> height,
                           shapes[i] -> channels);
        }
    }
    if (a.width != b.width || a.height != b.height) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "A is %lld x %lld and B %lld x %lld: only pictures of one size are compared",
                       (long long)a.width, (long long)a.height, (long long)b.width, (long long)b.height);
    }
    if (a.depth != b.depth || compared(a.channels, bare) != compared(b.channels, bare)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "A has %d channels of %s and B %d of %s: only pictures of one form are compared",
                       compared(a.channels, bare), gf_depth_name(a.depth), compared(b.channels, bare),
                       gf_depth_name(b.depth));
    }
    if ((int)a.depth < GF_U8 || a.depth > GF_F64) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "pictures of %s are not compared",
                       gf_depth_name(a.depth));
    }
    job->shape = a;
    job->shape.channels = compared(a.channels, bare);
    job->side[0].channels = a.channels;
    job->side[1].channels = b.channels;
    job->has_alpha = job->shape.channels % 2 == 0;
    job->size = gf_depth_size(a.depth);
    job->white = gf_depth_white(a.depth);
    return GF_OK;
}

static gf_status check_measure(struct gf_compare_job *job, gf_error *error)
{
    const gf_compare_options *o = &job->o;
    if (o->by < GF_COMPARE_BY_SAMPLES || o->by > GF_COMPARE_BY_CIEDE2000) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "by is %d: must be one of gf_compare_by", (int)o->by);
    }
    if (!(o->max_diff >= 0) || (o->by == GF_COMPARE_BY_YIQ && o->max_diff > 1)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "max_diff is %g: must be at least 0%s", o->max_diff,
                       o->by == GF_COMPARE_BY_YIQ ? ", and at most 1 by YIQ" : "");
    }
    if ((o->by != GF_COMPARE_BY_SAMPLES || o->antialias) && !(job->white > 0)) {
        return gf_fail(error, GF_ERROR_UNSUPPORTED, "full scale of %s is not defined, and colours need it",
                       gf_depth_name(job->shape.depth));
    }
    if (o->threads < 0 || o->threads > 1024) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "threads is %d: must be 0 to 1024", (int)o->threads);
    }
    if (o->metrics > 15) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "metrics has a bit that is none of GF_COMPARE_SSIM and the others");
    }
    job->bound = o->by == GF_COMPARE_BY_YIQ ? 35215 * o->max_diff * o->max_diff : o->max_diff;
    job->halo = o->antialias ? GF_COMPARE_HALO : 0;
    return GF_OK;
}

gf_status gf_compare_begin(struct gf_compare_job *job, const gf_compare_options *options, gf_shape a,
                           gf_shape b, const gf_shape *mask, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_compare_options, user);
    job->o = (gf_compare_options)GF_COMPARE_OPTIONS_INIT;
    GF_TRY(options ? gf_struct_in(&sized, options, &job->o, error) : GF_OK);
    GF_TRY(check_shapes(job, a, b, error));
    GF_TRY(check_measure(job, error));
    job->area = job->o.area.w ? job->o.area : (gf_rect){0, 0, a.width, a.height};
    if (!lies_in(job->area, job->shape)) {
        return fail_rect(error, "the area", job->area, job->shape);
    }
    if (job->o.ignore_count < 0 || (job->o.ignore_count > 0 && !job->o.ignore)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "ignore is NULL, or its count negative");
    }
    for (int64_t i = 0; i < job->o.ignore_count; i++) {
        if (!lies_in(job->o.ignore[i], job->shape)) {
            return fail_rect(error, "a rectangle to ignore,", job->o.ignore[i], job->shape);
        }
    }
    if (mask &&
        (mask->width != a.width || mask->height != a.height || mask->channels != 1 || mask->depth != GF_U8)) {
        return gf_fail(error, GF_ERROR_ARGUMENT,
                       "the mask is %lld x %lld of %d channels of %s: must be gray u8 of the pictures' size, "
                       "%lld x %lld",
                       (long long)mask->width, (long long)mask->height, mask->channels,
                       gf_depth_name(mask->depth), (long long)a.width, (long long)a.height);
    }
    job->masked = mask || job->o.ignore_count > 0;
    job->side[2].channels = 1;
    return GF_OK;
}
