/* The man pages in mdoc, from the tables that help uses. */
#include "help/help.h"

#include "base/argument_value.h"
#include "base/words.h"
#include "batch/batch_options.h"
#include "gpufilter/io.h"
#include "help/commands.h"
#include "job/job_options.h"
#include "job/limit_option.h"

#include <ctype.h>
#include <string.h>

#define DATE "November 22, 2026" /* of the last change of what is said here */

/* ---- text to mdoc ---- */

/* A line of text: nothing in it is a request or an escape. */
static void add_escaped(struct buffer *text, const char *line, size_t length)
{
    if (length && (*line == '.' || *line == '\'')) {
        buffer_add(text, "\\&");
    }
    for (size_t i = 0; i < length; i++) {
        switch (line[i]) {
        case '\\':
            buffer_add(text, "\\e");
            break;
        case '-':
            buffer_add(text, "\\-");
            break;
        case '\'':
            buffer_add(text, "\\(aq");
            break;
        case '`':
            buffer_add(text, "\\(ga");
            break;
        case '^':
            buffer_add(text, "\\(ha");
            break;
        case '~':
            buffer_add(text, "\\(ti");
            break;
        default:
            buffer_add_bytes(text, line + i, 1);
        }
    }
}

/* The rest of a line as it stands. Frees it. */
static void add_literal(struct buffer *text, struct buffer *words)
{
    add_escaped(text, words->data ? words->data : "", words->length);
    buffer_add(text, "\n");
    text->failed |= words->failed;
    buffer_free(words);
}

/* Adds a word as an argument of a macro: quoted, so that no word of it is taken for one. */
static void add_argument(struct buffer *text, const char *word)
{
    buffer_add(text, "\"");
    add_escaped(text, word, strlen(word));
    buffer_add(text, "\"");
}

enum { LINE = 76 };

/* One line of a paragraph, filled: broken behind a sentence and before LINE bytes. */
static void add_filled(struct buffer *text, const char *line, size_t length, size_t *column)
{
    for (size_t at = 0; at < length;) {
        size_t word = strcspn(line + at, " \n");
        word = word < length - at ? word : length - at;
        if (*column && *column + word > LINE) {
            buffer_add(text, "\n");
            *column = 0;
        }
        buffer_add(text, *column ? " " : "");
        size_t before = text->length;
        add_escaped(text, line + at, word);
        *column += text->length - before + 1;
        at += word + strspn(line + at + word, " \n");
        at = at < length ? at : length;
        bool ends = word > 1 && strchr(".?!", line[at - (at < length) - 1]) != NULL;
        if (ends) {
            buffer_add(text, "\n");
            *column = 0;
        }
    }
}

/* Paragraphs; lines that begin with two blanks stand as they are, in blocks. */
static void add_prose(struct buffer *text, const char *prose)
{
    bool literal = false, gap = false;
    size_t column = 0;
    for (const char *line = prose; line && *line;) {
        size_t length = strcspn(line, "\n");
        const char *next = line + length + (line[length] == '\n');
        bool indented = length > 2 && line[0] == ' ' && line[1] == ' ';
        if (column && (indented || !length)) {
            buffer_add(text, "\n");
            column = 0;
        }
        if (indented && !literal) {
            buffer_add(text, ".Bd -literal -offset indent\n");
        } else if (!indented && literal) {
            buffer_add(text, ".Ed\n");
        }
        if (!indented && length && gap) {
            buffer_add(text, ".Pp\n");
        }
        literal = indented;
        gap = length == 0;
        if (indented) {
            add_escaped(text, line + 2, length - 2);
            buffer_add(text, "\n");
        } else {
            add_filled(text, line, length, &column);
        }
        line = next;
    }
    buffer_add(text, column ? "\n" : literal ? ".Ed\n" : "");
}

/* A line of prose. */
static void add_line(struct buffer *text, const char *line)
{
    size_t column = 0;
    add_filled(text, line, strlen(line), &column);
    buffer_add(text, column ? "\n" : "");
}

static void add_head(struct buffer *text, const char *page, const char *section, const char *what)
{
    char title[40];
    size_t i = 0;
    for (; page[i] && i + 1 < sizeof title; i++) {
        title[i] = (char)toupper((unsigned char)page[i]);
    }
    title[i] = '\0';
    buffer_printf(text,
                  ".\\\" Written by script/docs from the tables of the program.\n"
                  ".Dd " DATE "\n.Dt %s %s\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n",
                  title, section, page, what);
}

/* ---- gpufilter(1) ---- */

static void add_option(struct buffer *text, const struct cli_option *option)
{
    buffer_add(text, ".It");
    if (option->letter) {
        buffer_printf(text, " Fl %c ,", option->letter);
    }
    buffer_add(text, " Fl ");
    char name[40] = "-";
    strncat(name, option->name, sizeof name - 2);
    add_escaped(text, name, strlen(name));
    if (option->argument) {
        buffer_printf(text, "%s Ar ", option->optional ? " Ns" : "");
        add_argument(text, option->argument);
    }
    buffer_add(text, "\n");
    struct buffer words = {0};
    if (!option->help) {
        device_words_add(&words, true);
    }
    add_line(text, option->help ? option->help : words.data ? words.data : "");
    text->failed |= words.failed;
    buffer_free(&words);
}

static void add_options(struct buffer *text, const struct cli_option *table, bool with_more)
{
    buffer_add(text, ".Bl -tag -width Ds\n");
    for (const struct cli_option *option = table; option->name; option++) {
        const char *more = with_more ? help_option_more(option->name) : NULL;
        add_option(text, option);
        if (more) {
            buffer_add(text, ".Pp\n");
            add_prose(text, more);
        }
    }
    buffer_add(text, ".El\n");
}

static void add_commands(struct buffer *text)
{
    buffer_add(text, ".Bl -tag -width Ds\n");
    for (const struct cli_command *command = command_table; command->name; command++) {
        buffer_printf(text, ".It Cm %s ", command->name);
        if (*command->arguments) {
            buffer_add(text, "Ar ");
            add_argument(text, command->arguments);
        }
        buffer_add(text, "\n");
        add_line(text, command->help);
    }
    buffer_add(text, ".El\n");
}

static void add_topic(struct buffer *text, const char *name)
{
    const struct help_topic *topic = help_topic_find(name);
    struct buffer rows = {0};
    add_prose(text, topic->text);
    if (topic->add) {
        topic->add(&rows);
        add_prose(text, rows.data);
    }
    text->failed |= rows.failed;
    buffer_free(&rows);
}

static void add_formats(struct buffer *text)
{
    const gf_format *format;
    buffer_add(text, ".Bl -tag -width Ds\n");
    for (size_t i = 0; (format = gf_io_format(i)); i++) {
        buffer_printf(text, ".It Cm %s\nSuffixes: %s.\n", format->name, format->suffixes);
        add_line(text, format->summary);
    }
    buffer_add(text, ".El\n");
}

static void add_program(struct buffer *text)
{
    add_head(text, "gpufilter", "1",
             "filter pictures and signals through a chain of stages, on a GPU or the CPU");
    buffer_add(text,
               ".Sh SYNOPSIS\n"
               ".Nm\n.Op Ar options\n.Ar IN\n.Ar OUT\n.Fl \\-stages Ar LIST\n"
               ".Nm\n.Op Ar options\n.Ar IN\n.Fl \\-stages Ar LIST\n"
               ".Nm\n.Op Ar options\n.Ar IN\n.Ar OUT\n"
               ".Nm\n.Cm batch\n.Op Ar options\n.Ar IN ...\n.Fl o Ar DIR\n.Fl \\-stages Ar LIST\n"
               ".Nm\n.Ar command\n.Op Ar arguments\n"
               ".Sh DESCRIPTION\n"
               "The picture or signal\n.Ar IN\ngoes through the stages of\n.Ar LIST\nand is written to\n"
               ".Ar OUT .\nWithout\n.Ar OUT\nthe stages measure, and their results are printed.\n"
               "Without stages the file is converted.\nA\n.Sq \\-\n"
               "stands for standard input or standard output, which needs\n.Fl \\-format .\n.Pp\n"
               "The same chain on the same picture gives the same bits on the CPU and on\n"
               "the GPU, with any number of threads.\n"
               "The stages are described in\n.Xr gpufilter-stages 7 .\n.Sh COMMANDS\n");
    add_commands(text);
    buffer_add(text, ".Sh OPTIONS\nOptions may stand anywhere, and\n.Fl \\-\nends them.\n");
    add_options(text, job_option_table, true);
    buffer_add(text, ".Ss Options of compare\n");
    add_options(text, compare_option_table, false);
    buffer_add(text, ".Ss Options of sheet\n");
    add_options(text, sheet_option_table, false);
    buffer_add(text, ".Ss Options of stack\n");
    add_options(text, stack_option_table, false);
    buffer_add(text, ".Ss Options of batch\n");
    add_options(text, batch_option_table, false);
    buffer_add(
        text,
        ".Pp\nThe options of\n.Cm prim\nand\n.Cm bench\nare printed by\n.Ic gpufilter prim \\-\\-help\nand\n"
        ".Ic gpufilter bench \\-\\-help .\n.Sh LIMITS\n");
    add_topic(text, "limits");
    buffer_add(text, ".Sh FORMATS\n");
    add_formats(text);
    buffer_add(text, ".Sh ENVIRONMENT\n");
    add_topic(text, "environment");
    buffer_add(text, ".Sh EXIT STATUS\n");
    add_topic(text, "exit");
    buffer_add(text, ".Sh EXAMPLES\n");
    add_prose(text, "Soften a picture and raise its contrast:\n\n"
                    "  gpufilter in.png out.png --stages blur:2,contrast:1.5\n\n"
                    "Draw the histogram of its brightness:\n\n"
                    "  gpufilter in.png --stages gray,hist\n\n"
                    "Make small copies of all photos of a folder, and of those below it:\n\n"
                    "  gpufilter batch photos -r -o small --stages resize:800x\n\n"
                    "See what would run, where and why:\n\n"
                    "  gpufilter --explain in.png out.png --stages blur:sigma=3,equalize\n\n"
                    "Use it in a pipe:\n\n"
                    "  convert in.tif png:- | gpufilter - - --format png --stages gray >out.png\n\n"
                    "Test whether two pictures are nearly equal:\n\n"
                    "  gpufilter compare golden.png new.png --max-diff 2 --max-count 0.1%\n\n"
                    "Test a folder of pictures, and look at what differs in a browser:\n\n"
                    "  gpufilter compare goldens made --html report.html\n");
    buffer_add(text, ".Sh SEE ALSO\n.Xr gpufilter-stages 7\n");
}

/* ---- gpufilter-stages(7) ---- */

static void add_param(struct buffer *text, const gf_param *param)
{
    struct buffer values = {0};
    help_param_values(&values, param);
    buffer_printf(text, ".It Cm %s Ns =\n", param->name);
    add_line(text, param->help ? param->help : "");
    buffer_add(text, ".br\n");
    add_line(text, values.data ? values.data : "");
    text->failed |= values.failed;
    buffer_free(&values);
}

static void add_params(struct buffer *text, const gf_stage_type *type)
{
    int32_t own = help_own_params(type);
    const gf_param *param;
    if (own > 0) {
        buffer_add(text, ".Bl -tag -width Ds\n");
        for (int32_t i = 0; i < own; i++) {
            add_param(text, &type->params[i]);
        }
        buffer_add(text, ".El\n");
    }
    buffer_add(text, ".Pp\nShared:");
    for (int32_t i = own; (param = gf_stage_param(type, i)); i++) {
        buffer_printf(text, " %s", param->name);
    }
    buffer_add(text, ".\n");
}

/* Lines as they are, below a heading; NULL: none. */
static void add_lines(struct buffer *text, const char *heading, const char *lines)
{
    if (!lines) {
        return;
    }
    buffer_printf(text, ".Pp\n%s\n.Bd -literal -offset indent\n", heading);
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        add_escaped(text, line, length);
        buffer_add(text, "\n");
        line += length + (line[length] == '\n');
    }
    buffer_add(text, ".Ed\n");
}

static void add_stage(struct buffer *text, const gf_stage_type *type)
{
    struct buffer words = {0};
    buffer_printf(text, ".Ss %s\n", type->name);
    add_line(text, type->summary);
    if (type->aliases) {
        words_add(&words, type->aliases);
        buffer_printf(text, ".br\nAlso called %s.\n", words.data ? words.data : "");
        buffer_free(&words);
    }
    add_lines(text, "When to use it:", type->use);
    buffer_add(text, ".Pp\n.Dl ");
    help_stage_signature(&words, type);
    add_literal(text, &words);
    add_params(text, type);
    for (const gf_example *example = type->examples; example && example->stages; example++) {
        buffer_add(text, ".Pp\n.Dl ");
        help_example_command(&words, type, example->stages);
        add_literal(text, &words);
        add_line(text, example->help);
    }
    add_lines(text, "Formula and exactness:", type->formula);
    add_lines(text, "Source:", type->source);
}

static void add_stages_page(struct buffer *text)
{
    static const char *const shared[] = {"roi", "feather", "channels", "border", "value", "name", "save"};
    int32_t n = 0;
    const gf_stage_type *const *types = gf_stage_types(&n);
    add_head(text, "gpufilter-stages", "7", "the stages of gpufilter and how they are written");
    buffer_add(text, ".Sh DESCRIPTION\n");
    add_prose(text, help_topic_find("stages")->text);
    buffer_add(text, ".Ss Intensities\n");
    add_topic(text, "intensity");
    buffer_add(text, ".Sh PARAMETERS THAT STAGES SHARE\n");
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        buffer_printf(text, ".Ss %s\n", shared[i]);
        add_line(text, help_topic_find(shared[i])->summary);
        buffer_add(text, ".Pp\n");
        add_topic(text, shared[i]);
    }
    buffer_add(text, ".Sh STAGES\n");
    for (int32_t i = 0; i < n; i++) {
        add_stage(text, types[i]);
    }
    buffer_add(text, ".Sh SEE ALSO\n.Xr gpufilter 1\n");
}

bool man_page_add(struct buffer *text, const char *page)
{
    if (!strcmp(page, "gpufilter")) {
        add_program(text);
    } else if (!strcmp(page, "gpufilter-stages")) {
        add_stages_page(text);
    } else {
        return false;
    }
    return true;
}
