/* language_random.h: random texts of pipelines, of any stage type and parameter. All follows from `state`.
 * For one test program, one thread. */
#ifndef LANGUAGE_RANDOM_H
#define LANGUAGE_RANDOM_H

#include "language_types.h"
#include "list_case.h"
#include "param/params.h"

#include <math.h>
#include <string.h>

static uint64_t state;

/* splitmix64 */
static uint64_t any(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int n)
{
    return (int)(any() % (uint64_t)n);
}

/* The test types, then the built-in ones, also those that the test types shadow; NULL past the end. */
static const gf_stage_type *type_at(int i)
{
    int32_t n;
    const gf_stage_type *const *types = gf_stage_types(&n);
    return i < N_TEST_TYPES ? test_types[i] : i < N_TEST_TYPES + n ? types[i - N_TEST_TYPES] : NULL;
}

static int type_count(void)
{
    int n = 0;
    while (type_at(n)) {
        n++;
    }
    return n;
}

/* A type that its name leads to. */
static const gf_stage_type *any_type(void)
{
    for (;;) {
        const gf_stage_type *type = type_at(below(type_count()));
        bool shadowed = false;
        for (int i = 0; i < N_TEST_TYPES; i++) {
            shadowed |= test_types[i] != type && strcmp(test_types[i]->name, type->name) == 0;
        }
        if (!shadowed) {
            return type;
        }
    }
}

/* ---- there and back ---- */

/* A random double in the row's interval: round, short or with all its bits. */
static double any_number(const gf_param *row)
{
    bool free = row->min == 0 && row->max == 0;
    double v, unit = (double)(any() >> 11) * 0x1p-53;
    if (free) {
        uint64_t bits = any();
        memcpy(&v, &bits, sizeof v);
        return isfinite(v) ? v : 1;
    }
    v = row->min + (row->max - row->min) * unit;
    if (below(2)) {
        v = round(v * 8) / 8;
    }
    return fmin(fmax(v, row->min), row->max);
}

static void append_text(struct gf_text *out)
{
    static const char bytes[] = "ab09 _.,:='\"\\[]@#|{}$;\n\t\xc3\xa9\xff%";
    int n = below(GF_PARAM_TEXT_SIZE);
    gf_text_string(out, "\"");
    for (int i = 0; i < n; i++) {
        char c = bytes[below(sizeof bytes - 1)];
        gf_text_string(out, c == '"' || c == '\\' || c == '\n' ? "\\" : "");
        gf_text_bytes(out, c == '\n' ? "n" : &c, 1);
    }
    gf_text_string(out, "\"");
}

/* Numbers of a shape that the row takes, or a file. */
static void append_list(const gf_param *row, struct gf_text *out)
{
    int32_t rows = 1 + (below(2) ? below(9) : 0), columns = 1 + below(20), shapes = 0;
    if (row->choices) {
        const int32_t any = columns;
        while (list_shape(row, shapes, any, &rows, &columns)) {
            shapes++;
        }
        list_shape(row, below(shapes), any, &rows, &columns);
    }
    if (below(4) == 0) {
        gf_text_string(out, below(2) ? "@k.npy" : "@\"it's\\n\"");
        return;
    }
    gf_text_string(out, "[");
    for (int i = 0; i < rows * columns; i++) {
        gf_text_string(out, i == 0 ? "" : i % columns ? " " : below(2) ? ";" : " ;\n");
        gf_text_number(out, any_number(row));
    }
    gf_text_string(out, "]");
}

static void append_value(const gf_param *row, struct gf_text *out)
{
    if (row->auto_word && below(3) == 0) {
        gf_text_string(out, row->auto_word);
        return;
    }
    switch (row->type) {
    case GF_PARAM_INT:
        gf_text_append(out, "%.0f", row->max > 0 ? round(any_number(row)) : (double)(int32_t)any());
        break;
    case GF_PARAM_NUMBER:
    case GF_PARAM_INTENSITY:
        gf_text_number(out, any_number(row));
        gf_text_string(out, row->type == GF_PARAM_NUMBER && row->unit && below(2) ? row->unit : "");
        break;
    case GF_PARAM_BOOL:
        gf_text_string(out, below(2) ? "on" : "0");
        break;
    case GF_PARAM_CHOICE: {
        const char *c = row->choices;
        for (int skip = below(8); skip > 0 && strchr(c, '|'); skip--) {
            c = strchr(c, '|') + 1;
        }
        gf_text_bytes(out, c, strcspn(c, "|"));
        break;
    }
    case GF_PARAM_RECT:
        gf_text_append(out, "%dx%d+%d+%d", 1 + below(9), 1 + below(70000), below(5), below(100000));
        break;
    case GF_PARAM_ROI:
        gf_text_append(out, "%s%dx%d+%d+%d", below(2) ? "ellipse@" : "", 1 + below(9), 1 + below(70000),
                       below(5), below(100000));
        break;
    case GF_PARAM_SPAN: {
        int from = 1 + below(1000);
        gf_text_append(out, "%d%s-%d%s", from, row->unit && below(2) ? row->unit : "", from + 1 + below(1000),
                       row->unit && below(2) ? row->unit : "");
        break;
    }
    case GF_PARAM_CHANNELS: {
        static const char *const words[] = {"r", "rgb", "a", "ba", "all", "0", "0+3", "3+1+2", "0+1+2+3"};
        gf_text_string(out, words[below(9)]);
        break;
    }
    case GF_PARAM_TEXT:
        append_text(out);
        break;
    case GF_PARAM_LIST:
        append_list(row, out);
        break;
    case GF_PARAM_PICTURE: {
        static const char *const words[] = {"in", "top-2", "'x.y'", "@a.png", "@'a b'", "'@c:d'"};
        gf_text_string(out, words[below(6)]);
        break;
    }
    }
}

static void any_pipeline(struct gf_text *out)
{
    int stages = 1 + below(6);
    for (int s = 0; s < stages; s++) {
        const gf_stage_type *type = any_type();
        const gf_param *row;
        gf_text_append(out, "%s%s", s ? (below(2) ? "," : "\n") : "", type->name);
        int every = 1 + below(4), start = below(8);
        for (int i = 0, n = 0; (row = gf_stage_param(type, i)) != NULL; i++) {
            if ((i + start) % every == 0) {
                gf_text_append(out, "%c%s=", n++ || below(2) ? ':' : '=', row->name);
                append_value(row, out);
            }
        }
    }
}

#endif
