#include "lang/pipeline.h"

#include "lang/fault.h"
#include "lang/parser.h"
#include "param/params.h"

#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

gf_status gf_pipeline_create(gf_pipeline **pipeline, gf_error *error)
{
    if (!pipeline) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "pipeline is NULL");
    }
    *pipeline = calloc(1, sizeof **pipeline);
    return gf_need_memory(*pipeline != NULL, error);
}

void gf_pipeline_destroy(gf_pipeline **pipeline)
{
    if (!pipeline || !*pipeline) {
        return;
    }
    gf_pipeline *p = *pipeline;
    *pipeline = NULL;
    if (!gf_refs_drop(&p->refs)) {
        return;
    }
    while (p->n > 0) {
        gf_pipeline_drop(p);
    }
    free(p->nodes);
    free(p->text);
    free(p);
}

gf_status gf_pipeline_add(gf_pipeline *pipeline, const gf_stage_type *type, gf_error *error)
{
    if (pipeline->n == GF_PIPELINE_STAGES) {
        return gf_fail(error, GF_ERROR_LIMIT, "a pipeline has at most %d stages", GF_PIPELINE_STAGES);
    }
    if (pipeline->n == pipeline->capacity) {
        int32_t capacity = pipeline->capacity ? 2 * pipeline->capacity : 8;
        void *nodes = realloc(pipeline->nodes, (size_t)capacity * sizeof *pipeline->nodes);
        GF_TRY(gf_need_memory(nodes != NULL, error));
        pipeline->nodes = nodes;
        pipeline->capacity = capacity;
    }
    GF_TRY(gf_stage_node_init(&pipeline->nodes[pipeline->n], type, error));
    pipeline->n++;
    return GF_OK;
}

static gf_status copy_into(gf_pipeline *copy, const gf_pipeline *from, gf_error *error)
{
    copy->text = from->text ? duplicate(from->text) : NULL;
    copy->nodes = calloc((size_t)from->n + 1, sizeof *copy->nodes);
    if (!copy->nodes || (from->text && !copy->text)) {
        return gf_need_memory(false, error);
    }
    copy->capacity = from->n + 1;
    for (; copy->n < from->n; copy->n++) {
        GF_TRY(gf_stage_node_copy(&copy->nodes[copy->n], &from->nodes[copy->n], error));
    }
    return GF_OK;
}

gf_status gf_pipeline_copy(const gf_pipeline *from, gf_pipeline **copy, gf_error *error)
{
    GF_TRY(gf_pipeline_create(copy, error));
    gf_status status = copy_into(*copy, from, error);
    if (status != GF_OK) {
        gf_pipeline_destroy(copy);
    }
    return status;
}

void gf_pipeline_drop(gf_pipeline *pipeline)
{
    gf_stage_node_clear(&pipeline->nodes[--pipeline->n]);
}

gf_status gf_pipeline_head(const gf_pipeline *from, int32_t stages, gf_pipeline **head, gf_error *error)
{
    if (head) {
        *head = NULL;
    }
    if (!from || !head || stages < 0 || stages > from->n) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "from or head is NULL, or there are not %d stages", stages);
    }
    GF_TRY(gf_pipeline_copy(from, head, error));
    while ((*head)->n > stages) {
        gf_pipeline_drop(*head);
    }
    return GF_OK;
}

gf_status gf_pipeline_parse(const char *text, const gf_stage_type *const *types, int32_t n_types,
                            gf_pipeline **pipeline, gf_error *error)
{
    if (!pipeline) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "pipeline is NULL");
    }
    *pipeline = NULL;
    if (!text || n_types < 0 || (n_types > 0 && !types)) {
        return gf_fail(error, GF_ERROR_ARGUMENT, !text ? "the text is NULL" : "there are no types");
    }
    for (int32_t i = 0; i < n_types; i++) {
        GF_TRY(gf_stage_type_check(types[i], error));
    }
    GF_TRY(gf_pipeline_create(pipeline, error));
    struct gf_parse_types known = {types, n_types};
    gf_status status = gf_parse_pipeline(*pipeline, text, &known, error);
    if (status == GF_OK && !((*pipeline)->text = duplicate(text))) {
        status = gf_need_memory(false, error);
    }
    if (status != GF_OK) {
        gf_pipeline_destroy(pipeline);
    }
    return status;
}

gf_status gf_pipeline_append(gf_pipeline *pipeline, const gf_stage_type *type, const char *arguments,
                             gf_error *error)
{
    if (!pipeline) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "pipeline is NULL");
    }
    GF_TRY(gf_stage_type_check(type, error));
    GF_TRY(gf_pipeline_add(pipeline, type, error));
    gf_status status = arguments ? gf_parse_arguments(pipeline, arguments, error) : GF_OK;
    if (status != GF_OK) {
        gf_pipeline_drop(pipeline);
    }
    return status;
}

int32_t gf_pipeline_stage_count(const gf_pipeline *pipeline)
{
    return pipeline ? pipeline->n : 0;
}

const gf_stage_type *gf_pipeline_stage_type(const gf_pipeline *pipeline, int32_t stage)
{
    return pipeline && stage >= 0 && stage < pipeline->n ? pipeline->nodes[stage].type : NULL;
}

void gf_pipeline_locate(const gf_pipeline *pipeline, gf_error *error)
{
    if (error->stage < 0 || error->stage >= pipeline->n) {
        return;
    }
    const struct gf_stage_node *node = &pipeline->nodes[error->stage];
    if (!pipeline->text || node->text_offset < 0 || strchr(error->message, '\n')) {
        return;
    }
    bool is_placed = error->text_offset >= 0; /* at a parameter's value */
    char head[sizeof error->message];
    memcpy(head, error->message, sizeof head);
    struct gf_fault fault = {.code = error->code,
                             .stage = error->stage,
                             .text = pipeline->text,
                             .text_length = strlen(pipeline->text),
                             .offset = (size_t)(is_placed ? error->text_offset : node->text_offset),
                             .length = (size_t)(is_placed ? error->text_length : node->text_length),
                             .head = head,
                             .list = ""};
    gf_fault_report(&fault, error);
}
