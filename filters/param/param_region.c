/* Parameters: rectangles, and ellipses in them. */
#include "param/param_value.h"

#include <inttypes.h>
#include <string.h>

static const char ELLIPSE[] = "ellipse@";

static bool is_ellipse(const struct gf_argument *a)
{
    return a->length >= sizeof ELLIPSE - 1 && memcmp(a->text, ELLIPSE, sizeof ELLIPSE - 1) == 0;
}

/* "roi is ..., must be ...", and why, where an ellipse is given to what takes none. */
static gf_status wrong_rect(const gf_param *param, const struct gf_argument *a, struct gf_text *why)
{
    const gf_status status = gf_param_wrong_form(param, a, why);
    if (param->type == GF_PARAM_RECT && is_ellipse(a)) {
        gf_text_string(why, "; an ellipse is for stages that change samples, in their roi");
    }
    return status;
}

/* `used`: bytes of the argument that stand before it. */
static gf_status read_rect(const gf_param *param, const struct gf_argument *a, size_t used, gf_rect *rect,
                           struct gf_text *why)
{
    static const char before[4] = {0, 'x', '+', '+'};
    int64_t n[4];
    for (int i = 0; i < 4; i++) {
        const bool less = i > 1 && param->min < 0 && used < a->length && a->text[used] == '-';
        if (i > 0 && (used == a->length || (a->text[used++] != before[i] && !less))) {
            return wrong_rect(param, a, why);
        }
        size_t digits = gf_param_digits(a->text + used, a->length - used, &n[i]);
        if (digits == 0) {
            return wrong_rect(param, a, why);
        }
        n[i] = less ? -n[i] : n[i];
        used += digits;
    }
    if (used != a->length) {
        return wrong_rect(param, a, why);
    }
    if (n[0] < 1 || n[1] < 1) {
        return gf_param_out_of_range(param, a, "at least 1 pixel wide and high", why);
    }
    if (n[2] > INT64_MAX - n[0] || n[3] > INT64_MAX - n[1]) {
        return gf_param_out_of_range(param, a, "within 2^63 pixels", why);
    }
    *rect = (gf_rect){.x = n[2], .y = n[3], .w = n[0], .h = n[1]};
    return GF_OK;
}

gf_status gf_param_read_rect(const gf_param *param, const struct gf_argument *a, gf_rect *rect,
                             struct gf_text *why)
{
    return read_rect(param, a, 0, rect, why);
}

gf_status gf_param_read_region(const gf_param *param, const struct gf_argument *a, gf_roi *roi,
                               struct gf_text *why)
{
    const bool ellipse = is_ellipse(a);
    roi->ellipse = ellipse;
    return read_rect(param, a, ellipse ? sizeof ELLIPSE - 1 : 0, &roi->rect, why);
}

void gf_param_write_region(const gf_roi *roi, struct gf_text *text)
{
    const gf_rect *rect = &roi->rect;
    if (rect->w) {
        gf_text_append(text, "%s%" PRId64 "x%" PRId64 "%+" PRId64 "%+" PRId64, roi->ellipse ? ELLIPSE : "",
                       rect->w, rect->h, rect->x, rect->y);
    }
}
