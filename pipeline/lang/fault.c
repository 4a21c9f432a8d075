#include "lang/fault.h"

#include <string.h>

enum { BEFORE_COLUMNS = 30, DOTS = 3 };

/* A part of a line, from a character's first byte to another's. */
struct window {
    size_t from, to;
};

/* The line that holds the offset; a newline belongs to the line that it ends. */
static struct window line_of(const char *text, size_t length, size_t offset)
{
    struct window line = {offset, offset};
    while (line.from > 0 && text[line.from - 1] != '\n') {
        line.from--;
    }
    while (line.to < length && text[line.to] != '\n') {
        line.to++;
    }
    while (line.to > line.from && line.to > offset && text[line.to - 1] == '\r') {
        line.to--;
    }
    return line;
}

static size_t columns(const char *text, size_t from, size_t to)
{
    size_t total = 0;
    while (from < to) {
        size_t wide;
        bool shown;
        from += gf_text_glyph(text + from, to - from, &wide, &shown);
        total += wide;
    }
    return total;
}

/* The place that is `limit` columns behind `from`, or a little less, at most `to`. */
static size_t forward(const char *text, size_t from, size_t to, size_t limit)
{
    size_t total = 0;
    while (from < to) {
        size_t wide;
        bool shown;
        size_t n = gf_text_glyph(text + from, to - from, &wide, &shown);
        total += wide;
        if (total > limit) {
            break;
        }
        from += n;
    }
    return from;
}

/* The part of a long line to show: `offset` inside, room for dots on both sides. */
static struct window window_of(const char *text, struct window line, size_t offset)
{
    struct window w = line;
    if (columns(text, line.from, line.to) <= GF_EXCERPT_COLUMNS) {
        return w;
    }
    size_t left = columns(text, line.from, offset);
    size_t right = columns(text, offset, line.to);
    size_t room = GF_EXCERPT_COLUMNS - 2 * DOTS;
    size_t before = right < room - BEFORE_COLUMNS ? room - right : BEFORE_COLUMNS;
    if (left > before) {
        w.from = forward(text, line.from, offset, left - before);
        while (columns(text, w.from, offset) > before) { /* a character of two columns was cut */
            w.from = forward(text, w.from, offset, 2);
        }
    }
    w.to = forward(text, w.from, line.to, w.from > line.from ? room : room + DOTS);
    return w;
}

void gf_fault_excerpt(struct gf_text *out, const char *text, size_t text_length, size_t offset, size_t length)
{
    struct window line = line_of(text, text_length, offset);
    struct window w = window_of(text, line, offset);
    size_t end = offset + length < w.to ? offset + length : w.to;
    bool dots = w.from > line.from;
    gf_text_string(out, dots ? "\n  ..." : "\n  ");
    gf_text_plain(out, text + w.from, w.to - w.from, (size_t)-1);
    gf_text_string(out, w.to < line.to ? "...\n  " : "\n  ");
    gf_text_repeat(out, ' ', columns(text, w.from, offset) + (dots ? DOTS : 0));
    gf_text_string(out, "^");
    size_t marked = offset < end ? columns(text, offset, end) : 1;
    gf_text_repeat(out, '~', marked > 1 ? marked - 1 : 0);
}

/* The list on a line of its own, cut between words, with " ..." when cut. */
static void append_list(struct gf_text *out, const char *list)
{
    static const char cut[] = " ...";
    size_t used = out->length + 3, n = strlen(list);
    size_t room = out->capacity > used + 2 ? out->capacity - used - 2 : 0; /* full would look cut */
    if (n == 0 || room < 24) {
        return;
    }
    gf_text_string(out, "\n  ");
    if (n <= room) {
        gf_text_string(out, list);
        return;
    }
    n = room - (sizeof cut - 1);
    while (n > 0 && list[n] != ' ') {
        n--;
    }
    gf_text_bytes(out, list, n);
    gf_text_string(out, cut);
}

gf_status gf_fault_report(const struct gf_fault *fault, gf_error *error)
{
    char message[sizeof error->message];
    struct gf_text t = gf_text_begin(message, sizeof message);
    gf_text_string(&t, fault->head);
    if (fault->text) {
        gf_fault_excerpt(&t, fault->text, fault->text_length, fault->offset, fault->length);
    }
    append_list(&t, fault->list);
    gf_fail(error, fault->code, "%s", message);
    gf_error_place(error, fault->stage, fault->text ? (int32_t)fault->offset : -1,
                   fault->text ? (int32_t)fault->length : 0);
    return fault->code;
}
