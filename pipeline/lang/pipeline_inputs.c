/* What a pipeline reads beside the picture that it begins with: pictures, and files of numbers. */
#include "base/text.h"
#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "param/params.h"

#include <math.h>
#include <string.h>

/* A parameter of some stage. */
struct at {
    int32_t stage, row;
};

const char *gf_pipeline_saved_name(const gf_pipeline *pipeline, int32_t stage)
{
    const bool saves = pipeline && stage >= 0 && stage < pipeline->n && pipeline->nodes[stage].common.save[0];
    return saves ? pipeline->nodes[stage].common.save : NULL;
}

static bool is_saved(const gf_pipeline *pipeline, const char *name)
{
    for (int32_t i = 0; i < pipeline->n; i++) {
        if (strcmp(pipeline->nodes[i].common.save, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The next parameter behind `at`, of those that are the stage's own, for which `name_of` has a name; NULL:
 * none. */
typedef const char *(*name_fn)(const gf_param *param, const struct gf_stage_node *node);

static const char *next(const gf_pipeline *pipeline, name_fn name_of, struct at *at)
{
    for (; at->stage < pipeline->n; at->stage++, at->row = -1) {
        const struct gf_stage_node *node = &pipeline->nodes[at->stage];
        if (!node->type->params) {
            continue;
        }
        const gf_param *param;
        while ((param = &node->type->params[++at->row])->name) {
            const char *name = name_of(param, node);
            if (name) {
                return name;
            }
        }
    }
    return NULL;
}

/* The name that is number `index` of those that differ, `first` being number 0 unless it is NULL; or NULL. */
static const char *nth(const gf_pipeline *pipeline, name_fn name_of, const char *first, int32_t index)
{
    const char *name, *before;
    struct at at = {.row = -1};
    if (first && index-- == 0) {
        return first;
    }
    while (index >= 0 && (name = next(pipeline, name_of, &at)) != NULL) {
        struct at earlier = {.row = -1};
        while ((before = next(pipeline, name_of, &earlier)) != name && strcmp(before, name) != 0) {
        }
        bool is_new = before == name && !(first && (strcmp(first, name) == 0 || is_saved(pipeline, name)));
        if (is_new && index-- == 0) {
            return name;
        }
    }
    return NULL;
}

/* Fails at the parameter, in the pipeline's text where it stands there. */
static gf_status refuse(const gf_pipeline *pipeline, struct at at, gf_status code, const char *reason,
                        gf_error *error)
{
    const struct gf_stage_node *node = &pipeline->nodes[at.stage];
    const struct gf_text_place *place = &node->places[at.row];
    gf_error why = GF_ERROR_INIT;
    gf_fail(&why, code, "stage %d '%s': %s", at.stage + 1, node->type->name, reason);
    bool placed = place->length > 0;
    gf_error_place(&why, at.stage, placed ? place->offset : -1, placed ? place->length : 0);
    gf_pipeline_locate(pipeline, &why);
    gf_error_copy(error, &why);
    return code;
}

/* Refuses the first parameter of that name. */
static gf_status refuse_name(const gf_pipeline *pipeline, name_fn name_of, const char *wanted, gf_status code,
                             const char *reason, gf_error *error)
{
    const char *name;
    struct at at = {.row = -1};
    if (!reason) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the reason is NULL");
    }
    while (wanted && code != GF_OK && (name = next(pipeline, name_of, &at)) != NULL) {
        if (strcmp(name, wanted) == 0) {
            return refuse(pipeline, at, code, reason, error);
        }
    }
    return gf_fail(error, GF_ERROR_ARGUMENT, "no stage names it: %s", reason);
}

/* ---- pictures ---- */

static const char *picture_of(const gf_param *param, const struct gf_stage_node *node)
{
    const gf_picture_name *picture = gf_param_picture(param, node);
    return picture && picture->name[0] ? picture->name : NULL;
}

const char *gf_pipeline_input_name(const gf_pipeline *pipeline, int32_t index)
{
    return pipeline && index >= 0 ? nth(pipeline, picture_of, "in", index) : NULL;
}

int32_t gf_pipeline_input_count(const gf_pipeline *pipeline)
{
    int32_t n = 0;
    while (gf_pipeline_input_name(pipeline, n)) {
        n++;
    }
    return n;
}

gf_status gf_pipeline_refuse_input(const gf_pipeline *pipeline, int32_t index, gf_status code,
                                   const char *reason, gf_error *error)
{
    return refuse_name(pipeline, picture_of, gf_pipeline_input_name(pipeline, index), code, reason, error);
}

/* ---- files of numbers ---- */

static const char *file_of(const gf_param *param, const struct gf_stage_node *node)
{
    const gf_list *list = gf_param_list(param, node);
    return list && list->file[0] ? list->file : NULL;
}

const char *gf_pipeline_file_name(const gf_pipeline *pipeline, int32_t index)
{
    return pipeline && index >= 0 ? nth(pipeline, file_of, NULL, index) : NULL;
}

int32_t gf_pipeline_file_count(const gf_pipeline *pipeline)
{
    int32_t n = 0;
    while (gf_pipeline_file_name(pipeline, n)) {
        n++;
    }
    return n;
}

const gf_param *gf_pipeline_file_param(const gf_pipeline *pipeline, int32_t index)
{
    const char *wanted = gf_pipeline_file_name(pipeline, index), *name;
    struct at at = {.row = -1};
    while (wanted && (name = next(pipeline, file_of, &at)) != NULL) {
        if (strcmp(name, wanted) == 0) {
            return gf_stage_param(pipeline->nodes[at.stage].type, at.row);
        }
    }
    return NULL;
}

gf_status gf_pipeline_refuse_file(const gf_pipeline *pipeline, int32_t index, gf_status code,
                                  const char *reason, gf_error *error)
{
    return refuse_name(pipeline, file_of, gf_pipeline_file_name(pipeline, index), code, reason, error);
}

static gf_status check_list(const gf_pipeline *pipeline, struct at at, int32_t rows, int32_t columns,
                            const double *values, gf_error *error)
{
    const gf_param *param = gf_stage_param(pipeline->nodes[at.stage].type, at.row);
    char reason[320];
    struct gf_text why = gf_text_begin(reason, sizeof reason);
    if (gf_param_list_check(param, rows, columns, &why) != GF_OK) {
        return refuse(pipeline, at, GF_ERROR_ARGUMENT, reason, error);
    }
    for (int32_t i = 0; i < rows * columns; i++) {
        if (isfinite(values[i]) && gf_param_in_interval(param, values[i])) {
            continue;
        }
        gf_text_append(&why, "row %d, column %d of %s is ", i / columns + 1, i % columns + 1, param->name);
        gf_text_number(&why, values[i]);
        gf_text_string(&why, ", must be ");
        if (!isfinite(values[i])) {
            gf_text_string(&why, "finite");
        } else {
            gf_text_string(&why, "from ");
            gf_text_number(&why, param->min);
            gf_text_string(&why, " to ");
            gf_text_number(&why, param->max);
        }
        return refuse(pipeline, at, GF_ERROR_ARGUMENT, reason, error);
    }
    return GF_OK;
}

gf_status gf_pipeline_set_file(gf_pipeline *pipeline, int32_t index, int32_t rows, int32_t columns,
                               const double *values, gf_error *error)
{
    const char *wanted = gf_pipeline_file_name(pipeline, index), *name;
    if (!pipeline || !values) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "pipeline and values must not be NULL");
    }
    if (!wanted) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "the pipeline names %d files, and there is none of index %d",
                       gf_pipeline_file_count(pipeline), index);
    }
    for (struct at at = {.row = -1}; (name = next(pipeline, file_of, &at)) != NULL;) {
        if (strcmp(name, wanted) == 0) {
            GF_TRY(check_list(pipeline, at, rows, columns, values, error));
        }
    }
    for (struct at at = {.row = -1}; (name = next(pipeline, file_of, &at)) != NULL;) {
        const struct gf_stage_node *node = &pipeline->nodes[at.stage];
        gf_list *list = gf_param_list(gf_stage_param(node->type, at.row), node);
        if (strcmp(name, wanted) != 0) {
            continue;
        }
        if (gf_param_list_fill(list, rows, columns, values) != GF_OK) {
            return refuse(pipeline, at, GF_ERROR_MEMORY, "no memory for its numbers", error);
        }
    }
    return GF_OK;
}
