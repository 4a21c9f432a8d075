/* What an embedder may have got wrong in a gf_stage_type. */
#include "base/sized.h"
#include "param/param_value.h"

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

/* Lower case letters, digits and _, a letter first. */
static bool is_name(const char *name, size_t n)
{
    return n > 0 && strspn(name, LOWER) > 0 && strspn(name, LOWER DIGITS "_") >= n;
}

/* Tells whether a word may stand bare in the language, as u8 or 3x3. */
static bool is_choice(const char *word, size_t n)
{
    return n > 0 && strspn(word, LOWER DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-%/*~") >= n;
}

/* Tells whether all parts of the list, which '|' separates, are words by `is_word`. */
static bool all_words(const char *list, bool (*is_word)(const char *, size_t))
{
    for (;;) {
        size_t n = strcspn(list, "|");
        if (!is_word(list, n)) {
            return false;
        }
        if (!list[n]) {
            return true;
        }
        list += n + 1;
    }
}

static size_t alignment_of(gf_param_type type)
{
    switch (type) {
    case GF_PARAM_INT:
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
    case GF_PARAM_RECT:
    case GF_PARAM_ROI:
    case GF_PARAM_SPAN:
        return _Alignof(int64_t);
    case GF_PARAM_LIST:
        return _Alignof(gf_list);
    case GF_PARAM_TEXT:
    case GF_PARAM_PICTURE:
        return 1;
    default:
        return _Alignof(int32_t);
    }
}

/* Returns what is wrong with a row of the type's own table, NULL: nothing that shows without its default. */
static const char *row_fault(const gf_stage_type *type, const gf_param *row)
{
    size_t size = gf_param_size(row->type);
    if (!is_name(row->name, strlen(row->name))) {
        return "its name must be of lower case letters, digits and _";
    }
    if (strcmp(row->name, "op") == 0) {
        return "op names the stage itself in JSON";
    }
    const gf_param *other;
    for (int32_t i = 0; (other = gf_stage_param(type, i)) != NULL; i++) {
        if (other != row && strcmp(other->name, row->name) == 0) {
            return "its name stands twice, or is that of a shared parameter";
        }
    }
    if (size == 0) {
        return "its type is unknown";
    }
    if (row->offset > type->params_size || size > type->params_size - row->offset ||
        row->offset % alignment_of(row->type) != 0) {
        return "its offset is outside params_size or not aligned";
    }
    if (row->type == GF_PARAM_CHOICE && (!row->choices || !all_words(row->choices, is_choice))) {
        return "its choices must be words separated by '|'";
    }
    if (row->type == GF_PARAM_CHOICE && (!row->text || !row->text[0])) {
        return "a choice needs a default";
    }
    if (row->type == GF_PARAM_LIST && row->choices && !gf_param_shapes_are_fine(row->choices)) {
        return "its shapes must be rows x columns, as 3x3 or 1x*, separated by '|'";
    }
    bool may_be_auto =
        row->type == GF_PARAM_INT || row->type == GF_PARAM_NUMBER || row->type == GF_PARAM_INTENSITY;
    if (row->auto_word && (!may_be_auto || !is_name(row->auto_word, strlen(row->auto_word)))) {
        return "only numbers have an auto_word, of lower case letters";
    }
    if (!(row->min <= row->max)) {
        return "its interval is empty";
    }
    return NULL;
}

static const char *settle_fault(const gf_stage_type *type, const gf_stage_settle *settle)
{
    if (!settle->parameter || !settle->waits || !settle->measure || !settle->store) {
        return "settle must have parameter, waits, measure and store";
    }
    const size_t size = settle->measure->params_size;
    if (size > type->params_size || settle->offset > type->params_size - size) {
        return "settle->offset is outside params_size";
    }
    for (const gf_param *row = settle->measure->params; row && row->name; row++) {
        if (gf_param_is_large(row)) {
            return "settle->measure has a list of any length";
        }
    }
    return NULL;
}

static const char *type_fault(const gf_stage_type *type)
{
    const gf_stage_settle *settle = gf_stage_settle_of(type);
    if (!type->name || !is_name(type->name, strlen(type->name)) ||
        (type->aliases && !all_words(type->aliases, is_name))) {
        return "names must be of lower case letters, digits and _";
    }
    if (!type->lower && !gf_stage_signal_of(type)) {
        return "lower is NULL";
    }
    if (type->params_size > 1 << 20) {
        return "params_size is more than 1 MiB";
    }
    int rows = 0;
    for (const gf_param *row = type->params; row && row->name; row++) {
        if (++rows > GF_STAGE_OWN_ROWS) {
            return "there are more than 48 parameters";
        }
    }
    return settle ? settle_fault(type, settle) : NULL;
}

static bool is_auto(const gf_param *row, double value)
{
    return row->auto_word && value == GF_AUTO;
}

gf_status gf_stage_type_check(const gf_stage_type *type, gf_error *error)
{
    static const struct gf_sized sized = GF_SIZED(gf_stage_type, lower);
    GF_TRY(gf_struct_check(&sized, type, error));
    const char *fault = type_fault(type);
    if (fault) {
        return gf_fail(error, GF_ERROR_ARGUMENT, "stage type '%.40s': %s", type->name ? type->name : "?",
                       fault);
    }
    for (const gf_param *row = type->params; row && row->name; row++) {
        char reason[240];
        struct gf_text why = gf_text_begin(reason, sizeof reason);
        union gf_param_value value;
        fault = row_fault(type, row);
        if (!fault && gf_param_value_default(row, &value, &why) != GF_OK) {
            fault = reason;
        } else if (!fault && row->type == GF_PARAM_INTENSITY && !is_auto(row, value.number) &&
                   !gf_param_in_interval(row, value.number)) {
            fault = "its default is outside its interval";
        }
        if (fault) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "stage type '%.40s', parameter '%.40s': %s", type->name,
                           row->name, fault);
        }
    }
    return GF_OK;
}
