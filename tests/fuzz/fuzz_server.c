/* Requests to `compare --server`: whatever a line holds, its answer is one line of JSON, with the request's
 * id and either a verdict or an error. Files are in a folder of their own: a line that names another is left
 * alone. */
#define _GNU_SOURCE /* mkdtemp */
#include "fuzz.h"

#include "base/json_value.h"
#include "compare/compare_server.h"

#include <fcntl.h>
#include <unistd.h>

enum { WIDTH = 8, HEIGHT = 6 };

static char folder[] = "/tmp/gpufilter-fuzz-XXXXXX";
static const char *const names[] = {"a.pgm", "b.pgm", "c.ppm"};

static void remove_folder(void)
{
    for (int i = 0; chdir(folder) == 0 && i < 3; i++) {
        unlink(names[i]);
    }
    rmdir(folder);
}

static void write_picture(const char *name, int32_t channels, int change)
{
    uint8_t samples[WIDTH * HEIGHT * 3];
    gf_error error = GF_ERROR_INIT;
    gf_image image = GF_IMAGE_INIT;
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++) {
        samples[i] = (uint8_t)(i * 3 + (i % 7 == change ? 90 : 0));
    }
    image.data = samples;
    image.shape = (gf_shape){WIDTH, HEIGHT, channels, GF_U8};
    image.pitch = WIDTH * channels;
    FUZZ_CHECK(gf_io_write(name, &image, NULL, NULL, &error) == GF_OK, "%s", error.message);
}

/* Goes to the folder with the pictures that requests name; returns where it was before. */
static int enter_folder(void)
{
    static int made;
    const int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FUZZ_CHECK(before >= 0 && (made || mkdtemp(folder) != NULL) && chdir(folder) == 0, "no folder %s",
               folder);
    if (!made) {
        write_picture(names[0], 1, -1);
        write_picture(names[1], 1, 3);
        write_picture(names[2], 3, -1);
        made = atexit(remove_folder) == 0;
    }
    return before;
}

/* Anything that could lead out of the folder, or write into it. */
static int leads_out(const char *line)
{
    return strchr(line, '/') != NULL || strcasestr(line, "u002") != NULL ||
           strcasestr(line, "output\"") != NULL;
}

static void check_answer(const char *line, struct buffer *text)
{
    FUZZ_CHECK(!text->failed && text->length > 2 && text->data[text->length - 1] == '\n' &&
                   memchr(text->data, '\n', text->length) == text->data + text->length - 1,
               "the answer is no line");
    FUZZ_CHECK(json_is_value(text->data) && text->data[0] == '{', "the answer is no JSON: %s", text->data);
    const char *match = json_member(text->data, "match"), *error = json_member(text->data, "error");
    FUZZ_CHECK((match != NULL) != (error != NULL), "neither a verdict nor an error, or both: %s", text->data);
    FUZZ_CHECK(match == NULL || strncmp(match, "true", 4) == 0 || json_member(text->data, "reason") != NULL,
               "no reason: %s", text->data);
    const char *id = json_is_value(line) ? json_member(line, "requestId") : NULL;
    const char *said = json_member(text->data, "requestId");
    FUZZ_CHECK((id != NULL) == (said != NULL), "the id: %s", text->data);
    FUZZ_CHECK(id == NULL || (json_length(id) == json_length(said) && memcmp(id, said, json_length(id)) == 0),
               "another id: %s", text->data);
}

/* Texts come back as they are, escaped by the program's own writer. */
static void check_text(const char *line, const char *name)
{
    struct buffer first = {0}, written = {0}, second = {0};
    const char *value = json_is_value(line) ? json_member(line, name) : NULL;
    if (value != NULL && json_text(value, &first) && first.length > 0) {
        buffer_json_name(&written, first.data);
        FUZZ_CHECK(json_is_value(written.data) && json_text(written.data, &second) &&
                       strcmp(first.data, second.data) == 0,
                   "%s", written.data);
    }
    buffer_free(&first);
    buffer_free(&written);
    buffer_free(&second);
}

void fuzz_server(const uint8_t *data, size_t size)
{
    char line[4096];
    struct buffer text = {0};
    struct criteria criteria;
    char *words[] = {"--server"};
    if (size >= sizeof line) {
        return;
    }
    memcpy(line, data, size);
    line[size] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (leads_out(line) || criteria_read(1, words, &criteria) != GF_OK) {
        return;
    }
    const int before = enter_folder();
    compare_answer(&criteria, line, &text);
    FUZZ_CHECK(fchdir(before) == 0 && close(before) == 0, "no way back");
    check_answer(line, &text);
    check_text(line, "base");
    check_text(line, "requestId");
    buffer_free(&text);
    criteria_free(&criteria);
}
