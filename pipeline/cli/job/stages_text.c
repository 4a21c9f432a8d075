#include "job/stages_text.h"

#include "base/message.h"
#include "base/text_file.h"
#include "gpufilter/stage.h"
#include "help/other_words.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 1 << 20 };

#define BLANKS "\t\r\n "

void stages_text_free(struct stages_text *stages)
{
    buffer_free(&stages->text);
    free(stages->pieces);
    *stages = (struct stages_text){0};
}

static const char *file_name(const struct stages_piece *piece)
{
    return !strcmp(piece->file, "-") ? "standard input" : piece->file;
}

/* ---- where an error is ---- */

/* The piece that holds the byte. */
static const struct stages_piece *piece_at(const struct stages_text *stages, size_t offset)
{
    int i = stages->count - 1;
    while (i > 0 && stages->pieces[i].from > offset) {
        i--;
    }
    return &stages->pieces[i];
}

/* The message without the lines that show the text: a file that begins with no stage may be anything, so no
 * more of it is shown than the word. */
static void fail_briefly(gf_status status, const char *place, const char *message)
{
    const char *line = strchr(message, '\n');
    int head = line ? (int)(line - message) : (int)strlen(message);
    for (int i = 0; line && i < 2; i++) { /* the text, and the caret below it */
        line = strchr(line + 1, '\n');
    }
    cli_fail(status, "%s: %.*s%s", place, head, message, line ? line : "");
}

static bool is_first_word(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (strchr(BLANKS, text[at]) || text[at] == '#')) {
        at += text[at] == '#' ? strcspn(text + at, "\n") : 1;
    }
    return at >= length;
}

/* Says what is wrong, and behind that what a command of another program is here, where it stands as a stage.
 */
static gf_status fail_plainly(const struct stages_text *stages, gf_status status, const gf_error *error)
{
    struct buffer other = {0};
    const size_t at = (size_t)error->text_offset;
    const bool is_name = status == GF_ERROR_PARSE && error->text_offset >= 0 && at < stages->text.length &&
                         (at == 0 || stages->text.data[at - 1] != ':');
    const char *word = is_name ? stages->text.data + at : NULL;
    if (word && !gf_stage_known_as(word, (size_t)error->text_length) &&
        other_word_add(&other, word, (size_t)error->text_length) && !other.failed) {
        cli_fail(status, "%s\n  '%.*s' of other programs: %s", error->message, (int)error->text_length, word,
                 other.data);
    } else {
        cli_fail_error(status, error);
    }
    buffer_free(&other);
    return status;
}

gf_status stages_text_fail(const struct stages_text *stages, gf_status status, const gf_error *error)
{
    bool has_place = error->text_offset >= 0 && (size_t)error->text_offset <= stages->text.length;
    if (stages->count == 0 || (!has_place && stages->count > 1)) {
        return cli_fail_error(status, error);
    }
    const struct stages_piece *piece = piece_at(stages, has_place ? (size_t)error->text_offset : 0);
    if (!piece->file) {
        return fail_plainly(stages, status, error);
    }
    struct buffer place = {0};
    size_t length = has_place ? (size_t)error->text_offset - piece->from : 0, line = 1, column = 1;
    const char *text = stages->text.data + piece->from;
    for (size_t i = 0; i < length; i++) {
        bool begins = ((unsigned char)text[i] & 0xC0) != 0x80; /* a character of UTF-8 */
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + begins;
    }
    buffer_add(&place, file_name(piece));
    if (has_place && !piece->translated) {
        buffer_printf(&place, ":%zu:%zu", line, column);
    }
    if (place.failed) {
        cli_fail_error(status, error);
    } else if (has_place && status == GF_ERROR_PARSE && is_first_word(text, length)) {
        fail_briefly(status, place.data, error->message);
    } else {
        cli_fail(status, "%s: %s", place.data, error->message);
    }
    buffer_free(&place);
    return status;
}

/* ---- pieces ---- */

/* Pieces are separated by newlines, so that a comment at the end of one does not eat the next. */
static gf_status append(struct stages_text *stages, const char *text, const char *file, bool translated)
{
    struct stages_piece *pieces = realloc(stages->pieces, (size_t)(stages->count + 1) * sizeof *pieces);
    CLI_TRY(cli_need_memory(pieces));
    stages->pieces = pieces;
    buffer_add(&stages->text, stages->count ? "\n" : "");
    pieces[stages->count++] = (struct stages_piece){stages->text.length, file, translated};
    buffer_add(&stages->text, text);
    return cli_need_memory(!stages->text.failed);
}

/* JSON becomes the text that it stands for, which may stand beside others. */
static gf_status append_json(struct stages_text *stages, const char *json, const char *file)
{
    struct buffer text = {0};
    struct stages_text alone = {0};
    gf_error error = GF_ERROR_INIT;
    gf_pipeline *pipeline = NULL;
    gf_status status = append(&alone, json, file, false);
    if (status == GF_OK) {
        status = gf_pipeline_parse(json, NULL, 0, &pipeline, &error);
        status = status == GF_OK ? buffer_add_pipeline(&text, pipeline, GF_PRINT_TEXT, &error) : status;
        if (status != GF_OK) {
            stages_text_fail(&alone, status, &error);
        } else {
            status = text.failed ? cli_need_memory(false) : append(stages, text.data, file, true);
        }
    }
    gf_pipeline_destroy(&pipeline);
    stages_text_free(&alone);
    buffer_free(&text);
    return status;
}

static gf_status add(struct stages_text *stages, const char *text, const char *file)
{
    return text[strspn(text, BLANKS)] == '{' ? append_json(stages, text, file)
                                             : append(stages, text, file, false);
}

gf_status stages_text_add(struct stages_text *stages, const char *text)
{
    if (text[strspn(text, BLANKS)] == '\0') {
        return cli_fail(GF_ERROR_ARGUMENT, "--stages is empty: name at least one stage, like blur, or leave "
                                           "--stages out to convert a file as it is");
    }
    return add(stages, text, NULL);
}

gf_status stages_text_read(struct stages_text *stages, const char *path)
{
    struct text_file file;
    gf_error error = GF_ERROR_INIT;
    gf_status status = text_file_read(path, FILE_BYTES, &file, &error);
    status =
        status == GF_OK ? add(stages, file.text, path) : cli_fail(status, "--pipeline %s", error.message);
    text_file_free(&file);
    return status;
}
