/* Signals as text: a line a frame, numbers between commas, semicolons, tabs or blanks. */
#include "io/codec.h"
#include "io/signal/signal_codec.h"

#include "base/status.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct cell {
    const char *at;
    size_t length;
};

struct state {
    char *line; /* ended by a 0 */
    size_t length, room;
    int64_t number, before; /* of the line; of the one before the frames */
    bool held;              /* the line is a frame that is still to be read */
    char separator;         /* ' ': any blanks */
    int32_t columns;
    int32_t *channel;   /* of a column; -1: none */
    char *names;        /* one behind the other */
    const char **named; /* of a channel */
};

static gf_status grow(gf_signal_reader *reader, struct state *s, gf_error *error)
{
    const size_t room = s->room > 0 ? 2 * s->room : 1024;
    if (s->length >= reader->limits.max_metadata_bytes || room > INT32_MAX) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: line %" PRId64 " is longer than max_metadata_bytes, %" PRIu64, reader->in.label,
                       s->number, reader->limits.max_metadata_bytes);
    }
    char *more = realloc(s->line, room);
    if (more == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for a line", reader->in.label);
    }
    s->line = more;
    s->room = room;
    return GF_OK;
}

/* Reads a line, whichever system ended it. *there: there was one. */
static gf_status read_line(gf_signal_reader *reader, struct state *s, bool *there, gf_error *error)
{
    int byte = gf_bytes_in_byte(&reader->in);
    *there = byte >= 0;
    s->length = 0;
    s->number++;
    for (;; byte = gf_bytes_in_byte(&reader->in)) {
        if (s->length == s->room) {
            GF_TRY(grow(reader, s, error));
        }
        s->line[s->length] = '\0';
        if (byte == 0) {
            return gf_fail(error, GF_ERROR_INPUT, "%s: line %" PRId64 ": holds a byte 0, so it is no text",
                           reader->in.label, s->number);
        }
        if (byte < 0 || byte == '\n' || byte == '\r') {
            break;
        }
        s->line[s->length++] = (char)byte;
    }
    const uint8_t *next;
    if (byte == '\r' && gf_bytes_in_peek(&reader->in, &next, 1) == 1 && *next == '\n') {
        gf_bytes_in_byte(&reader->in);
    }
    return gf_signal_in_broken(&reader->in) ? gf_bytes_in_fail(&reader->in, "a line", error) : GF_OK;
}

/* Reads the next line that is neither blank nor a comment, from '#' on. */
static gf_status next_line(gf_signal_reader *reader, struct state *s, bool *there, gf_error *error)
{
    do {
        GF_TRY(read_line(reader, s, there, error));
    } while (*there && (s->line[strspn(s->line, " \t")] == '\0' || s->line[strspn(s->line, " \t")] == '#'));
    return GF_OK;
}

static char separator_of(const char *line)
{
    return strchr(line, '\t') ? '\t' : strchr(line, ';') ? ';' : strchr(line, ',') ? ',' : ' ';
}

/* Takes the next cell off *at, without the blanks and quotes around it; false: the line has no more. */
static bool next_cell(const char **at, char separator, struct cell *cell)
{
    if (*at == NULL) {
        return false;
    }
    const char *from = *at + strspn(*at, separator == '\t' ? " " : " \t");
    const char *close = *from == '"' ? strchr(from + 1, '"') : NULL;
    const char stops[3] = {separator, separator == ' ' ? '\t' : '\0', '\0'};
    const char *end = close != NULL ? close + 1 : from;
    end += strcspn(end, stops);
    const char *next = end + (separator == ' ' ? strspn(end, " \t") : 0);
    *at = *next == '\0' ? NULL : next + (separator != ' ');
    while (end > from && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    const int quoted = close != NULL && close + 1 == end;
    *cell = (struct cell){from + quoted, (size_t)(end - from) - 2 * (size_t)quoted};
    return true;
}

static bool parse_number(const struct cell *cell, float *value)
{
    static const struct {
        const char *word;
        float value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"infinity", INFINITY}};
    double number;
    if (cell->length > 0 && gf_number_read(cell->at, cell->length, &number) == cell->length) {
        *value = (float)number;
        return true;
    }
    const size_t sign = cell->length > 0 && (*cell->at == '-' || *cell->at == '+');
    for (size_t i = 0; i < 3; i++) {
        if (cell->length - sign == strlen(words[i].word) &&
            strncasecmp(cell->at + sign, words[i].word, cell->length - sign) == 0) {
            *value = *cell->at == '-' ? -words[i].value : words[i].value;
            return true;
        }
    }
    return false;
}

/* How many cells the line has, and how many of them are numbers. */
static int32_t count_cells(const char *at, char separator, int32_t *numbers)
{
    struct cell cell;
    float value;
    int32_t cells = 0;
    *numbers = 0;
    while (next_cell(&at, separator, &cell)) {
        cells++;
        *numbers += parse_number(&cell, &value);
    }
    return cells;
}

static gf_status bad_cell(const gf_signal_reader *reader, const struct cell *cell, int32_t column,
                          gf_error *error)
{
    const struct state *s = reader->state;
    char shown[48];
    struct gf_text text = gf_text_begin(shown, sizeof shown);
    gf_text_plain(&text, cell->at, cell->length, 30);
    const bool comma = memchr(cell->at, s->separator == ',' ? ' ' : ',', cell->length) != NULL;
    return gf_fail(error, GF_ERROR_INPUT, "%s: line %" PRId64 ", column %d: %s%s%s%s", reader->in.label,
                   s->number, (int)column + 1, cell->length > 0 ? "'" : "", shown,
                   cell->length > 0 ? "' is no number" : "an empty cell; what is missing must be nan",
                   comma ? "; a decimal comma must be a point: change them, as by  tr , ." : "");
}

static gf_status read_frame(gf_signal_reader *reader, float *data, int64_t pitch, gf_error *error)
{
    const struct state *s = reader->state;
    const char *at = s->line;
    struct cell cell;
    int32_t column = 0;
    for (; next_cell(&at, s->separator, &cell); column++) {
        const int32_t channel = column < s->columns ? s->channel[column] : -1;
        if (channel >= 0 && !parse_number(&cell, &data[channel * pitch])) {
            return bad_cell(reader, &cell, column, error);
        }
    }
    return column == s->columns
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT, "%s: line %" PRId64 ": has %d columns, and the first had %d",
                         reader->in.label, s->number, (int)column, (int)s->columns);
}

static gf_status read_text(gf_signal_reader *reader, float *data, int64_t pitch, int64_t frames, int64_t *got,
                           gf_error *error)
{
    struct state *s = reader->state;
    bool there = true;
    for (; *got < frames; s->held = false, ++*got) {
        GF_TRY(s->held ? GF_OK : next_line(reader, s, &there, error));
        if (!there) {
            return GF_OK;
        }
        GF_TRY(read_frame(reader, data + *got, pitch, error));
    }
    return GF_OK;
}

static void again_text(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    s->number = s->before;
    s->held = false;
}

/* ---- columns -------------------------------------------------------------------------- */

static bool is_name(const struct cell *name, const struct cell *wanted)
{
    return name->length == wanted->length && memcmp(name->at, wanted->at, name->length) == 0;
}

/* The column that a word of options->columns means: its name, else its number; -1: none. `names` may be NULL.
 */
static int32_t find_column(const struct state *s, const char *names, const struct cell *wanted)
{
    struct cell cell;
    double number;
    for (int32_t column = 0; column < s->columns && next_cell(&names, s->separator, &cell); column++) {
        if (is_name(&cell, wanted)) {
            return column;
        }
    }
    const bool good = wanted->length > 0 &&
                      gf_number_read(wanted->at, wanted->length, &number) == wanted->length && number >= 1 &&
                      number <= s->columns && number == floor(number);
    return good ? (int32_t)number - 1 : -1;
}

static gf_status pick_columns(gf_signal_reader *reader, const char *picks, const char *names, gf_error *error)
{
    struct state *s = reader->state;
    struct cell wanted;
    int32_t *channels = &reader->info.channels;
    for (int32_t column = 0; column < s->columns; column++) {
        s->channel[column] = picks == NULL ? column : -1;
    }
    *channels = picks == NULL ? s->columns : 0;
    while (picks != NULL && next_cell(&picks, ',', &wanted)) {
        const int32_t column = find_column(s, names, &wanted);
        if (column < 0 || s->channel[column] >= 0) {
            return gf_fail(error, GF_ERROR_ARGUMENT, "%s: columns: '%.*s' is %s; there are 1 to %d%s",
                           reader->in.label, (int)(wanted.length < 64 ? wanted.length : 64), wanted.at,
                           column < 0 ? "no column" : "named twice", (int)s->columns,
                           names != NULL ? ", or their names" : ", without names");
        }
        s->channel[column] = (*channels)++;
    }
    return *channels <= GF_SIGNAL_MAX_CHANNELS
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT,
                         "%s: %d columns are too many channels, %d at most: choose some", reader->in.label,
                         (int)*channels, GF_SIGNAL_MAX_CHANNELS);
}

/* The names of the channels. The line of names is cut into them. */
static void take_names(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    const char *at = s->names;
    struct cell cell;
    for (int32_t column = 0; next_cell(&at, s->separator, &cell); column++) {
        char *name = s->names + (cell.at - s->names);
        name[cell.length] = '\0';
        if (s->channel[column] >= 0) {
            s->named[s->channel[column]] = name;
        }
    }
    reader->info.names = s->named;
}

/* Takes the line for names, and reads the first frame's, whose separator counts. */
static gf_status read_second_line(gf_signal_reader *reader, gf_error *error)
{
    struct state *s = reader->state;
    const char separator = s->separator;
    int32_t numbers;
    s->names = s->line;
    s->line = NULL;
    s->room = 0;
    s->before = s->number;
    reader->begin = gf_signal_at(&reader->in);
    GF_TRY(next_line(reader, s, &s->held, error));
    if (!s->held) {
        return GF_OK;
    }
    s->separator = separator_of(s->line);
    s->columns = count_cells(s->line, s->separator, &numbers);
    if (s->columns == 1) { /* its name may have blanks */
        s->separator = separator == ' ' ? '\n' : separator;
    }
    const int32_t names = count_cells(s->names, s->separator, &numbers);
    return names == s->columns
               ? GF_OK
               : gf_fail(error, GF_ERROR_INPUT,
                         "%s: line %" PRId64 ": has %d columns, and the line of names above %d",
                         reader->in.label, s->number, (int)s->columns, (int)names);
}

/* The first line may be names: then none of its cells is a number. */
static gf_status read_first_lines(gf_signal_reader *reader, gf_error *error)
{
    struct state *s = reader->state;
    int32_t numbers = 0;
    GF_TRY(next_line(reader, s, &s->held, error));
    s->separator = separator_of(s->line);
    s->columns = count_cells(s->line, s->separator, &numbers);
    if (s->held && numbers == 0) {
        GF_TRY(read_second_line(reader, error));
    }
    return s->held ? GF_OK : gf_fail(error, GF_ERROR_INPUT, "%s: has no line of numbers", reader->in.label);
}

static gf_status open_text(gf_signal_reader *reader, const gf_signal_read_options *options, gf_error *error)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf};
    const uint8_t *head;
    struct state *s = reader->state = calloc(1, sizeof *s);
    GF_TRY(gf_need_memory(s != NULL, error));
    if (gf_bytes_in_peek(&reader->in, &head, 3) == 3 && memcmp(head, mark, 3) == 0) {
        gf_signal_skip(reader, 3);
    }
    reader->begin = gf_signal_at(&reader->in);
    GF_TRY(read_first_lines(reader, error));
    s->channel = malloc((size_t)s->columns * sizeof *s->channel);
    s->named = calloc((size_t)s->columns, sizeof *s->named);
    if (s->channel == NULL || s->named == NULL) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for %d columns", reader->in.label,
                       (int)s->columns);
    }
    GF_TRY(pick_columns(reader, options->columns, s->names, error));
    if (s->names != NULL) {
        take_names(reader);
    }
    reader->info.sample = GF_SIGNAL_TEXT;
    return GF_OK;
}

static void close_text(gf_signal_reader *reader)
{
    struct state *s = reader->state;
    if (s != NULL) {
        free(s->line);
        free(s->channel);
        free(s->names);
        free(s->named);
        free(s);
    }
}

#define TEXT_CODEC(word)                                                                                     \
    const struct gf_signal_codec gf_signal_codec_##word = {                                                  \
        .format = {#word, SUFFIXES_##word, SUMMARY_##word, 1u << GF_SIGNAL_TEXT, 0},                         \
        .open = open_text,                                                                                   \
        .read = read_text,                                                                                   \
        .again = again_text,                                                                                 \
        .close = close_text,                                                                                 \
        .begin = gf_text_signal_begin,                                                                       \
        .write = gf_text_signal_write,                                                                       \
    };

#define SUFFIXES_csv "csv txt dat"
#define SUFFIXES_tsv "tsv tab"
#define SUMMARY_csv  "lines of numbers; commas when written, and whatever stands between them when read"
#define SUMMARY_tsv  "the same with tabs"

TEXT_CODEC(csv)
TEXT_CODEC(tsv)
