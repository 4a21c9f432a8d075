#define _POSIX_C_SOURCE 200809L /* getc_unlocked */
#include "base/text_file.h"

#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int next_byte(struct text_stream *stream)
{
    return stream->held_count > 0 ? stream->held[--stream->held_count] : getc_unlocked(stream->file);
}

static void skip_mark(struct text_stream *stream)
{
    static const int mark[3] = {0xEF, 0xBB, 0xBF};
    int n = 0, c = 0;
    while (n < 3 && (c = getc_unlocked(stream->file)) == mark[n]) {
        n++;
    }
    if (n < 3) {
        stream->held[stream->held_count++] = c;
        while (n > 0) {
            stream->held[stream->held_count++] = mark[--n];
        }
    }
}

int text_get(struct text_stream *stream)
{
    if (!stream->begun) {
        stream->begun = true;
        skip_mark(stream);
    }
    int c = next_byte(stream);
    if (c == '\n' && stream->after_return) {
        c = next_byte(stream);
    }
    stream->after_return = c == '\r';
    return c == '\r' ? '\n' : c;
}

static gf_status cannot(const char *what, const char *path, gf_error *error)
{
    cli_fail_system(errno);
    return errno == ENOMEM
               ? cli_error(error, GF_ERROR_MEMORY, "%s: out of memory", path)
               : cli_error(error, GF_ERROR_INPUT, "%s: cannot be %s: %s", path, what, strerror(errno));
}

static gf_status read_stream(const char *path, size_t most, FILE *file, struct text_file *text,
                             gf_error *error)
{
    struct text_stream stream = {.file = file};
    size_t room = 0;
    int c;
    do {
        if (text->length == room) {
            room = room > 0 ? 2 * room : 1 << 16;
            char *more = realloc(text->text, room);
            if (!more) {
                return cannot("held", path, error);
            }
            text->text = more;
        }
        c = text_get(&stream);
        text->text[text->length++] = (char)(c == EOF ? 0 : c);
    } while (c > 0 && text->length <= most);
    text->length--;
    if (c == EOF) {
        return ferror(file) ? cannot("read", path, error) : GF_OK;
    }
    return c == 0 ? cli_error(error, GF_ERROR_INPUT, "%s: holds a byte 0, so it is no text", path)
                  : cli_error(error, GF_ERROR_LIMIT, "%s: is longer than %zu MiB", path, most >> 20);
}

gf_status text_file_read(const char *path, size_t most, struct text_file *file, gf_error *error)
{
    *file = (struct text_file){NULL, 0};
    FILE *stream = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!stream) {
        return cannot("opened", path, error);
    }
    gf_status status = read_stream(path, most, stream, file, error);
    if (stream != stdin) {
        fclose(stream);
    }
    return status;
}

void text_file_free(struct text_file *file)
{
    free(file->text);
    *file = (struct text_file){NULL, 0};
}
