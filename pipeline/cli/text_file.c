#include "text_file.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gf_status read_stream(const char *path, FILE *stream, struct text_file *file, gf_error *error)
{
    size_t room = 0;
    for (size_t some = 1; some > 0; file->length += some) {
        if (file->length + 1 >= room) {
            room = room > 0 ? 2 * room : 1 << 16;
            char *more = realloc(file->text, room);
            if (!more) {
                return cli_error(error, GF_ERROR_MEMORY, "%s: out of memory", path);
            }
            file->text = more;
        }
        some = fread(file->text + file->length, 1, room - file->length - 1, stream);
    }
    file->text[file->length] = '\0';
    return ferror(stream) ? cli_error(error, GF_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno))
                          : GF_OK;
}

gf_status text_file_read(const char *path, struct text_file *file, gf_error *error)
{
    const bool is_input = !strcmp(path, "-");
    *file = (struct text_file){NULL, 0};
    FILE *stream = is_input ? stdin : fopen(path, "rb");
    if (!stream) {
        cli_fail_system(errno);
        return cli_error(error, GF_ERROR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    }
    gf_status status = read_stream(path, stream, file, error);
    if (!is_input) {
        fclose(stream);
    }
    if (status == GF_OK && strlen(file->text) != file->length) {
        status = cli_error(error, GF_ERROR_INPUT, "%s: holds a byte 0, so it is no text", path);
    }
    return status;
}

void text_file_free(struct text_file *file)
{
    free(file->text);
    *file = (struct text_file){NULL, 0};
}
