/* gpufilter sheet IN... OUT */
#include "help/commands.h"

#include "base/argument_value.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/words.h"
#include "job/limit_option.h"
#include "sheet/sheet.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_COLUMNS,
    OPTION_GAP,
    OPTION_CELL,
    OPTION_BACKGROUND,
    OPTION_PLACES,
    OPTION_LABELS,
    OPTION_LABEL_SIZE,
    OPTION_LABEL_FONT,
    OPTION_LIMIT,
    OPTION_QUIET,
    OPTION_HELP
};

const struct cli_option sheet_option_table[] = {
    [OPTION_COLUMNS] = {"columns", 0, false, "N", NULL, "pictures side by side; default: nearly a square"},
    [OPTION_GAP] = {"gap", 0, false, "N", NULL, "pixels between two cells (0)"},
    [OPTION_CELL] = {"cell", 0, false, "WxH", NULL,
                     "each fits into so much, made smaller or larger; default: the largest picture"},
    [OPTION_BACKGROUND] = {"background", 0, false, "COLOUR", NULL,
                           "as [1 0.5 0] or 0.5; default: transparent where a picture is, else white"},
    [OPTION_PLACES] = {"places", 0, false, "FILE", NULL, "JSON of name, x, y, width, height of each"},
    [OPTION_LABELS] = {"labels", 0, false, "WHAT", NULL,
                       "name or number: what stands below each picture; none (default)"},
    [OPTION_LABEL_SIZE] = {"label-size", 0, false, "N", NULL, "pixels of an em of the labels (14)"},
    [OPTION_LABEL_FONT] = {"label-font", 0, false, "FONT", NULL,
                           "a file, or a name, as DejaVuSans (default)"},
    [OPTION_LIMIT] = {"limit", 0, false, "NAME=N", NULL, "most that a picture may ask for, as pixels=512M"},
    [OPTION_QUIET] = {"quiet", 'q', false, NULL, NULL, "say errors only"},
    [OPTION_HELP] = {"help", 'h', false, NULL, NULL, "this text"},
    {0},
};

/* WxH, which are the first half of a rectangle. */
static gf_status take_cell(struct sheet *sheet, const char *value)
{
    char text[80];
    gf_rect cell;
    const bool is_size = strspn(value, "0123456789x") == strlen(value) && strlen(value) < 40;
    snprintf(text, sizeof text, "%.39s+0+0", value);
    if (!is_size || strchr(value, 'x') == NULL || value[0] == 'x' || value[strlen(value) - 1] == 'x') {
        return cli_fail(GF_ERROR_ARGUMENT, "--cell is '%s', must be WIDTHxHEIGHT, as 160x120", value);
    }
    CLI_TRY(value_rect("--cell", text, &cell));
    sheet->width = cell.w;
    sheet->height = cell.h;
    return GF_OK;
}

static gf_status take_labels(struct sheet *sheet, const char *value)
{
    const int labels = words_index("name|number|none", value);
    sheet->labels = (enum sheet_labels)labels;
    return labels >= 0 ? GF_OK
                       : cli_fail(GF_ERROR_ARGUMENT, "--labels is '%s', must be name, number or none", value);
}

static gf_status take_option(struct sheet *sheet, int option, const char *value, bool *help)
{
    switch (option) {
    case OPTION_COLUMNS:
        return value_integer("--columns", value, 1, SHEET_MOST, &sheet->columns);
    case OPTION_GAP:
        return value_integer("--gap", value, 0, 1000000, &sheet->gap);
    case OPTION_CELL:
        return take_cell(sheet, value);
    case OPTION_BACKGROUND:
        sheet->background = value;
        return GF_OK;
    case OPTION_PLACES:
        sheet->places = value;
        return GF_OK;
    case OPTION_LABELS:
        return take_labels(sheet, value);
    case OPTION_LABEL_SIZE:
        return value_integer("--label-size", value, 1, 1000, &sheet->label_size);
    case OPTION_LABEL_FONT:
        sheet->label_font = value;
        return GF_OK;
    case OPTION_LIMIT:
        return limit_option_take(value, &sheet->limits);
    case OPTION_QUIET:
        cli_set_verbosity(CLI_QUIET);
        return GF_OK;
    default:
        *help = true;
        return GF_OK;
    }
}

static gf_status check_files(const struct sheet *sheet)
{
    struct run_file *files = calloc((size_t)sheet->count + 2, sizeof *files);
    CLI_TRY(cli_need_memory(files != NULL));
    gf_status status = GF_OK;
    for (int i = 0; i < sheet->count && status == GF_OK; i++) {
        files[i] = (struct run_file){"IN", sheet->paths[i], false};
        if (!strcmp(sheet->paths[i], "-")) {
            status =
                cli_fail(GF_ERROR_ARGUMENT, "sheet reads each picture twice: IN cannot be standard input");
        }
    }
    files[sheet->count] = (struct run_file){"OUT", sheet->out, true};
    files[sheet->count + 1] = (struct run_file){"--places", sheet->places, true};
    status = status == GF_OK ? output_check_distinct(files, sheet->count + 2, false) : status;
    free(files);
    return status;
}

static gf_status read_words(struct sheet *sheet, int count, char **words, bool *help)
{
    struct cli_arguments arguments = cli_arguments_begin(sheet_option_table, count, words);
    const char *value = NULL;
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        CLI_TRY(option == CLI_BAD ? GF_ERROR_ARGUMENT : GF_OK);
        if (option == CLI_POSITIONAL) {
            sheet->paths[sheet->count++] = value;
        } else {
            CLI_TRY(take_option(sheet, option, value, help));
        }
    }
    if (*help) {
        return GF_OK;
    }
    if (sheet->count < 2 || sheet->count > SHEET_MOST + 1) {
        return cli_fail(GF_ERROR_ARGUMENT, "sheet takes 1 to %d pictures and OUT: gpufilter sheet IN... OUT",
                        SHEET_MOST);
    }
    sheet->out = sheet->paths[--sheet->count];
    return check_files(sheet);
}

int run_sheet(const struct cli_command *command, int count, char **words)
{
    struct sheet sheet = {
        .labels = SHEET_NO_LABELS, .label_size = 14, .label_font = "", .limits = GF_IO_LIMITS_INIT};
    bool help = false;
    sheet.paths = calloc((size_t)count + 1, sizeof *sheet.paths);
    gf_status status = cli_need_memory(sheet.paths != NULL);
    status = status == GF_OK ? read_words(&sheet, count, words, &help) : status;
    int code = 0;
    if (status == GF_OK && help) {
        code = command_usage_print(command);
    } else {
        status = status == GF_OK ? sheet_make(&sheet) : status;
        code = gf_status_exit_code(status);
    }
    free(sheet.paths);
    return code;
}
