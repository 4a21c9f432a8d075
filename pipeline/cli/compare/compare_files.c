#include "compare/compare_files.h"

#include "base/message.h"
#include "base/output_file.h"
#include "compare/compare_report.h"

#include <inttypes.h>
#include <string.h>

const char *pair_title(const struct pair *pair)
{
    return pair->name ? pair->name : pair->paths[1] ? pair->paths[1] : pair->paths[0];
}

void buffer_base64(struct buffer *text, const void *bytes, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = bytes;
    char *to = buffer_reserve(text, (size + 2) / 3 * 4);
    if (!to) {
        return;
    }
    for (size_t i = 0; i < size; i += 3) {
        const unsigned left = size - i > 2 ? 3 : (unsigned)(size - i);
        const unsigned v =
            (unsigned)at[i] << 16 | (left > 1 ? (unsigned)at[i + 1] << 8 : 0) | (left > 2 ? at[i + 2] : 0);
        const char four[4] = {letters[v >> 18], letters[v >> 12 & 63], left > 1 ? letters[v >> 6 & 63] : '=',
                              left > 2 ? letters[v & 63] : '='};
        buffer_add_bytes(text, four, 4);
    }
}

/* ---- JUnit ---- */

/* XML's own characters are escaped; bytes that are not UTF-8, and control characters, become '?'. */
static void add_xml(struct buffer *text, const char *words)
{
    unsigned code;
    for (size_t n; *words; words += n) {
        n = text_character(words, &code);
        const char *name = *words == '&'         ? "&amp;"
                           : *words == '<'       ? "&lt;"
                           : *words == '>'       ? "&gt;"
                           : *words == '"'       ? "&quot;"
                           : *words == '\n'      ? "&#10;"
                           : code >= TEXT_HIDDEN ? "?"
                                                 : NULL;
        name ? buffer_add(text, name) : buffer_add_bytes(text, words, n);
    }
}

static void add_case(struct buffer *text, const struct criteria *criteria, const struct pair *pair)
{
    struct buffer why = {0};
    buffer_add(text, "  <testcase classname=\"gpufilter.compare\" name=\"");
    add_xml(text, pair_title(pair));
    if (verdict_passes(pair->verdict)) {
        buffer_add(text, "\"/>\n");
        return;
    }
    compare_report_why(&why, criteria, pair);
    const char *tag = pair->verdict == VERDICT_FAILED ? "error" : "failure";
    buffer_printf(text, "\">\n    <%s type=\"%s\" message=\"", tag, verdict_word(pair->verdict));
    add_xml(text, why.length ? why.data : verdict_word(pair->verdict));
    buffer_printf(text, "\"/>\n  </testcase>\n");
    text->failed = text->failed || why.failed;
    buffer_free(&why);
}

static void add_junit(struct buffer *text, const struct criteria *criteria, const struct pair_list *list)
{
    const int64_t errors = pair_list_count(list, VERDICT_FAILED);
    const int64_t passed = pair_list_count(list, VERDICT_EQUAL) + pair_list_count(list, VERDICT_WITHIN);
    buffer_printf(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"gpufilter compare\" tests=\"%" PRId64
        "\" failures=\"%" PRId64 "\" errors=\"%" PRId64 "\">\n",
        list->count, list->count - passed - errors, errors);
    for (int64_t i = 0; i < list->count; i++) {
        add_case(text, criteria, &list->at[i]);
    }
    buffer_add(text, "</testsuite>\n");
}

/* ---- reg.json, as reg-cli writes it and reg-suit reads it ---- */

enum { PASSED = 1, FAILED = 2, NEW = 4, DELETED = 8, DRAWN = 16 };

static int reg_kind(const struct pair *pair)
{
    const enum verdict verdict = pair->verdict;
    const bool drawn = pair->paths[0] && pair->paths[1] && !pair->form && verdict != VERDICT_FAILED;
    return verdict_passes(verdict)      ? PASSED
           : verdict == VERDICT_NEW     ? NEW
           : verdict == VERDICT_MISSING ? DELETED
                                        : FAILED | (drawn ? DRAWN : 0);
}

static void add_items(struct buffer *text, const char *name, const struct pair_list *list, int kinds)
{
    const char *before = "";
    buffer_printf(text, "\"%s\":[", name);
    for (int64_t i = 0; i < list->count; i++) {
        if (reg_kind(&list->at[i]) & kinds) {
            buffer_add(text, before);
            buffer_json_name(text, pair_title(&list->at[i]));
            before = ",";
        }
    }
    buffer_add(text, "],");
}

static void add_reg(struct buffer *text, const struct criteria *criteria, const struct pair_list *list)
{
    static const struct {
        const char *name;
        int kinds;
    } items[] = {{"failedItems", FAILED},
                 {"newItems", NEW},
                 {"deletedItems", DELETED},
                 {"passedItems", PASSED},
                 {"expectedItems", PASSED | FAILED | DELETED},
                 {"actualItems", PASSED | FAILED | NEW},
                 {"diffItems", DRAWN}};
    const char *folders[3][2] = {{"actualDir", criteria->paths[criteria->n_paths - 1]},
                                 {"expectedDir", criteria->expect ? criteria->expect : criteria->paths[0]},
                                 {"diffDir", criteria->diff ? criteria->diff : ""}};
    buffer_add(text, "{");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        add_items(text, items[i].name, list, items[i].kinds);
    }
    for (int i = 0; i < 3; i++) {
        buffer_printf(text, "\"%s\":", folders[i][0]);
        buffer_json_name(text, folders[i][1]);
        buffer_add(text, i < 2 ? "," : "}\n");
    }
}

/* ---- all of them ---- */

static gf_status write(const char *path, struct buffer *text)
{
    const gf_status status = output_write_text(path, text);
    buffer_free(text);
    return status;
}

gf_status compare_files_write(const struct criteria *criteria, struct pair_list *list)
{
    struct buffer text = {0};
    if (criteria->junit) {
        add_junit(&text, criteria, list);
        CLI_TRY(write(criteria->junit, &text));
    }
    if (criteria->reg) {
        add_reg(&text, criteria, list);
        CLI_TRY(write(criteria->reg, &text));
    }
    if (criteria->html) {
        const gf_status status = compare_page_add(&text, criteria, list);
        if (status != GF_OK) {
            buffer_free(&text);
            return status;
        }
        CLI_TRY(write(criteria->html, &text));
    }
    return GF_OK;
}
