/* Parameters: the shared rows, and values in nodes. */
#include "param/param_value.h"

#include <stdlib.h>

enum {
    ROW_BORDER,
    ROW_VALUE,
    ROW_ROI,
    ROW_PART,
    ROW_FEATHER,
    ROW_CHANNELS,
    ROW_ALONG,
    ROW_NAME,
    ROW_SAVE,
    ROW_COUNT
};

/* offset: in gf_stage_common. */
static const gf_param shared[ROW_COUNT] = {
    {GF_ROW(CHOICE, gf_stage_common, border, "replicate"),
     .choices = "replicate|reflect101|reflect|wrap|constant", /* in the order of gf_border */
     .help = "what a window reads outside the picture"},
    {GF_ROW_IN(INTENSITY, gf_stage_common, value, "0", -1e6, 1e6),
     .help = "the value outside, for border=constant"},
    {GF_ROW(ROI, gf_stage_common, roi, ""),
     .help = "act inside this rectangle or ellipse only; default: the whole picture"},
    {.name = "roi",
     .type = GF_PARAM_RECT,
     .offset = offsetof(struct gf_stage_common, roi.rect),
     .text = "",
     .help = "measure inside this rectangle only; default: the whole picture"},
    {GF_ROW_IN(NUMBER, gf_stage_common, feather, "0", 0, 1e6), .unit = "px",
     .help = "how far inside its edge the roi takes full effect; 0: at once"},
    {GF_ROW(CHANNELS, gf_stage_common, channels, ""),
     .help = "act on these channels only, or luma, unweighed by alpha; default: colour"},
    {GF_ROW(CHANNELS, gf_stage_common, channels, ""),
     .help = "act on these channels only, as 0+2, the first being 0; default: all"},
    {GF_ROW(TEXT, gf_stage_common, name, ""), .help = "a name for the stage in results and reports"},
    {GF_ROW(TEXT, gf_stage_common, save, ""),
     .help = "a name for the picture behind the stage, for later ones that read a second picture"},
};

static bool has_row(const gf_stage_type *type, int row)
{
    const uint32_t flags = type->flags;
    const bool has_roi = !(flags & GF_STAGE_NO_ROI), changes = flags & (GF_STAGE_WINDOW | GF_STAGE_POINT);
    switch (row) {
    case ROW_BORDER:
    case ROW_VALUE:
        return flags & GF_STAGE_WINDOW;
    case ROW_ROI:
    case ROW_FEATHER:
        return changes && has_roi;
    case ROW_PART:
        return (flags & GF_STAGE_MEASURE) && !changes && has_roi;
    case ROW_CHANNELS:
        return type->lower && (changes || (flags & GF_STAGE_MEASURE && has_roi));
    case ROW_ALONG: /* of stages of signals alone */
        return !type->lower && changes;
    case ROW_SAVE:
        return type->lower != NULL;
    default:
        return true;
    }
}

const gf_param *gf_stage_param(const gf_stage_type *type, int32_t index)
{
    if (!type || index < 0) {
        return NULL;
    }
    const gf_param *row = type->params;
    for (; row && row->name; row++) {
        if (index-- == 0) {
            return row;
        }
    }
    for (int i = 0; i < ROW_COUNT; i++) {
        if (has_row(type, i) && index-- == 0) {
            return &shared[i];
        }
    }
    return NULL;
}

const gf_stage_field *gf_stage_result(const gf_stage_type *type, int32_t index)
{
    /* A type of an older program ends before the table. */
    if (!type || index < 0 || type->struct_size < offsetof(gf_stage_type, fields) + sizeof type->fields) {
        return NULL;
    }
    const gf_stage_field *row = type->fields;
    for (; row && row->name; row++) {
        if (index-- == 0) {
            return row;
        }
    }
    return NULL;
}

const gf_stage_table *gf_stage_result_table(const gf_stage_type *type, int32_t index)
{
    /* Likewise. */
    if (!type || index < 0 || type->struct_size < offsetof(gf_stage_type, tables) + sizeof type->tables) {
        return NULL;
    }
    const gf_stage_table *row = type->tables;
    for (; row && row->name; row++) {
        if (index-- == 0) {
            return row;
        }
    }
    return NULL;
}

const gf_stage_settle *gf_stage_settle_of(const gf_stage_type *type)
{
    return type->struct_size < offsetof(gf_stage_type, settle) + sizeof type->settle ? NULL : type->settle;
}

void (*gf_stage_signal_of(const gf_stage_type *type))(gf_signal_lowering *lowering, const void *params)
{
    return type->struct_size < offsetof(gf_stage_type, signal) + sizeof type->signal ? NULL : type->signal;
}

bool gf_stage_fix_size(const gf_stage_type *type, void *params, const gf_shape *whole, const gf_shape *size)
{
    return type->struct_size >= offsetof(gf_stage_type, fix_size) + sizeof type->fix_size && type->fix_size &&
           type->fix_size(params, whole, size);
}

const gf_param *gf_stage_param_named(const gf_stage_type *type, const char *name, size_t length)
{
    const gf_param *row;
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        bool same = strlen(row->name) == length;
        for (size_t k = 0; same && k < length; k++) {
            same = row->name[k] == name[k] || (row->name[k] == '_' && name[k] == '-');
        }
        if (same) {
            return row;
        }
    }
    return NULL;
}

/* Returns where the node keeps the parameter. */
static void *place_of(const gf_param *param, const struct gf_stage_node *node)
{
    bool is_shared = false;
    for (int i = 0; i < ROW_COUNT; i++) {
        is_shared |= param == &shared[i];
    }
    return (char *)(is_shared ? (void *)&node->common : node->params) + param->offset;
}

static void load(const gf_param *param, const struct gf_stage_node *node, union gf_param_value *value)
{
    memcpy(value, place_of(param, node), gf_param_size(param->type));
}

gf_status gf_stage_node_init(struct gf_stage_node *node, const gf_stage_type *type, gf_error *error)
{
    *node = (struct gf_stage_node){.type = type, .text_offset = -1};
    if (type->params_size > 0) {
        node->params = calloc(1, type->params_size);
        if (!node->params) {
            node->type = NULL;
            node->text_offset = 0;
            return gf_fail(error, GF_ERROR_MEMORY, "no memory for the parameters of a stage");
        }
    }
    const gf_param *row;
    for (int32_t i = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
        struct gf_text why = gf_text_begin(NULL, 0);
        union gf_param_value value;
        gf_param_value_default(row, &value, &why); /* cannot fail: gf_stage_type_check read it */
        memcpy(place_of(row, node), &value, gf_param_size(row->type));
    }
    return GF_OK;
}

/* List i of the node's that may be large, NULL past the last. */
static gf_list *large_list(const struct gf_stage_node *node, int32_t i)
{
    const gf_param *row = node->type ? node->type->params : NULL;
    for (; row && row->name; row++) {
        if (gf_param_is_large(row) && i-- == 0) {
            return place_of(row, node);
        }
    }
    return NULL;
}

gf_status gf_param_list_fill(gf_list *list, int32_t rows, int32_t columns, const double *values)
{
    const size_t n = (size_t)rows * (size_t)columns;
    double *more = n > GF_LIST_NUMBERS ? malloc(n * sizeof *more) : NULL;
    if (n > GF_LIST_NUMBERS && !more) {
        return GF_ERROR_MEMORY;
    }
    free(list->more);
    list->more = more;
    list->rows = rows;
    list->columns = columns;
    for (size_t i = 0; i < n; i++) {
        (more ? more : list->values)[i] = values[i] == 0 ? 0 : values[i]; /* no -0, as in the text */
    }
    return GF_OK;
}

gf_status gf_stage_node_copy(struct gf_stage_node *node, const struct gf_stage_node *from, gf_error *error)
{
    struct gf_stage_node copy = *from;
    gf_list *list;
    gf_status status = GF_OK;
    copy.params = from->params ? malloc(from->type->params_size) : NULL;
    if (from->params && !copy.params) {
        return gf_fail(error, GF_ERROR_MEMORY, "no memory for the parameters of a stage");
    }
    if (copy.params) {
        memcpy(copy.params, from->params, from->type->params_size);
    }
    for (int32_t i = 0; (list = large_list(&copy, i)) != NULL; i++) { /* all, so that it can be cleared */
        const double *more = list->more;
        list->more = NULL;
        status = status == GF_OK && more ? gf_param_list_fill(list, list->rows, list->columns, more) : status;
    }
    if (status != GF_OK) {
        gf_stage_node_clear(&copy);
        return gf_fail(error, status, "no memory for the numbers of a stage");
    }
    *node = copy;
    return GF_OK;
}

void gf_stage_node_clear(struct gf_stage_node *node)
{
    gf_list *list;
    for (int32_t i = 0; node->params && (list = large_list(node, i)) != NULL; i++) {
        free(list->more);
    }
    free(node->params);
    memset(node, 0, sizeof *node);
}

gf_status gf_param_read(const gf_param *param, struct gf_stage_node *node, const struct gf_argument *argument,
                        struct gf_text *why)
{
    union gf_param_value value;
    GF_TRY(gf_param_value_read(param, argument, &value, why));
    if (gf_param_is_large(param)) {
        free(gf_param_list(param, node)->more);
    }
    memcpy(place_of(param, node), &value, gf_param_size(param->type));
    return GF_OK;
}

gf_list *gf_param_list(const gf_param *param, const struct gf_stage_node *node)
{
    return param->type == GF_PARAM_LIST ? place_of(param, node) : NULL;
}

const gf_picture_name *gf_param_picture(const gf_param *param, const struct gf_stage_node *node)
{
    return param->type == GF_PARAM_PICTURE ? place_of(param, node) : NULL;
}

const char *gf_param_file(const gf_param *param, const struct gf_stage_node *node)
{
    const gf_picture_name *picture = gf_param_picture(param, node);
    if (picture) {
        return picture->name[0] == '@' ? picture->name + 1 : NULL;
    }
    const gf_list *list = param->type == GF_PARAM_LIST ? place_of(param, node) : NULL;
    return list && list->file[0] ? list->file : NULL;
}

void gf_param_write(const gf_param *param, const struct gf_stage_node *node, struct gf_text *text)
{
    union gf_param_value value;
    load(param, node, &value);
    gf_param_value_write(param, &value, text);
}

/* A list, a name or a choice, which may be of any length, as a JSON string. */
static void write_long(const gf_param *param, const struct gf_stage_node *node, struct gf_text *text)
{
    const gf_picture_name *picture = gf_param_picture(param, node);
    const char *file = gf_param_file(param, node);
    char name[GF_FILE_NAME_SIZE + 1];
    struct gf_text t = gf_text_begin(name, sizeof name);
    if (file || picture) {
        gf_text_append(&t, "%s%s", file ? "@" : "", file ? file : picture->name);
        gf_text_json_string(text, name);
    } else { /* of characters that JSON takes as they are */
        gf_text_string(text, "\"");
        gf_param_write(param, node, text);
        gf_text_string(text, "\"");
    }
}

void gf_param_write_json(const gf_param *param, const struct gf_stage_node *node, struct gf_text *text)
{
    char word[4 * 24 + GF_PARAM_TEXT_SIZE]; /* the longest: a rectangle */
    struct gf_text t = gf_text_begin(word, sizeof word);
    bool number =
        param->type == GF_PARAM_INT || param->type == GF_PARAM_NUMBER || param->type == GF_PARAM_INTENSITY;
    if (param->type == GF_PARAM_CHOICE || param->type == GF_PARAM_LIST || param->type == GF_PARAM_PICTURE) {
        write_long(param, node, text);
        return;
    }
    gf_param_write(param, node, &t);
    if (param->type == GF_PARAM_BOOL) {
        gf_text_string(text, strcmp(word, "on") == 0 ? "true" : "false");
        return;
    }
    bool is_auto = param->auto_word && strcmp(word, param->auto_word) == 0;
    if (number && !is_auto) {
        gf_text_string(text, word);
    } else {
        gf_text_json_string(text, word);
    }
}

double gf_param_number(const gf_param *param, const struct gf_stage_node *node)
{
    union gf_param_value value;
    load(param, node, &value);
    return value.number;
}

bool gf_param_is_default(const gf_param *param, const struct gf_stage_node *node)
{
    struct gf_text why = gf_text_begin(NULL, 0);
    union gf_param_value value, normal;
    load(param, node, &value);
    gf_param_value_default(param, &normal, &why);
    return memcmp(&value, &normal, gf_param_size(param->type)) == 0;
}
