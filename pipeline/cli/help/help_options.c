/* The help of one option. */
#include "help/help.h"

#include "base/argument_value.h"
#include "base/words.h"
#include "help/commands.h"
#include "job/job_options.h"
#include "job/limit_option.h"

#include <string.h>

/* Options of a filter job. */
static const struct {
    const char *name, *text;
} more[] = {
    {"stages",
     "Given again, the stages follow those given before. `gpufilter help stages` has the language.\n"
     "\n"
     "  gpufilter in.png out.png --stages gray,blur:2,threshold:otsu\n"},
    {"pipeline", "The file holds a list of stages, where a newline may stand for a comma and '#' begins a\n"
                 "comment, or what --print-pipeline json prints. It may stand beside --stages: the stages\n"
                 "follow each other as the options do.\n"
                 "\n"
                 "  gpufilter in.png out.png --pipeline clean.txt\n"},
    {"input", "Stages that read a second picture or signal name it: by its file, as in blend:@top.png, or by "
              "a name that\n"
              "this option gives a file. `in` is IN itself. Paths are as written, from the working folder;\n"
              "limits and turning upright are those of IN. May be given again for another name.\n"
              "\n"
              "  gpufilter in.png out.png --input top=logo.png --stages blur:2,blend:top\n"},
    {"device",
     "auto chooses by what the work is expected to take, and finishes on the CPU when the GPU\n"
     "fails. The others are binding: where the device cannot be used, the run fails. reference is the\n"
     "slow, plain computation that --verify compares with. `gpufilter devices` lists what there\n"
     "is.\n"},
    {"explain", "Reads the header of IN only. --explain=json prints JSON.\n"
                "\n"
                "  gpufilter --explain in.png out.png --stages blur:3,equalize\n"},
    {"verify", "On a GPU it is computed again by the CPU, on the CPU by the reference. Every byte and every\n"
               "result must be the same; where one is not, nothing is written and the exit code is 7.\n"},
    {"table",
     "What profile, points and label find, a row each, as CSV with a line of names, or as a structured "
     "array\n"
     "of NumPy; - is CSV on standard output. Where several stages find something, NAME=FILE says by\n"
     "the stage's name= or type whose it is; again: another table. Written whole or not at all.\n"
     "  gpufilter in.png --stages gray,points:0.9 --table points.csv\n"},
    {"plot",
     "What hist counts, and profile, percentiles and spectrum measure, as a line chart, a line a channel,\n"
     "four at most, as SVG;\n"
     "- is standard output. Where several stages can be drawn, NAME=FILE says by the stage's name= or type\n"
     "which; again: another chart. Written whole or not at all.\n"
     "  gpufilter in.png --stages gray,hist --plot hist.svg\n"},
    {"report", "Input, output with a hash of its samples, plan, device, times and results; - is standard\n"
               "output. `index` counts stages from 0, as the C API does; messages and texts count from 1.\n"
               "\n"
               "  gpufilter in.png --stages gray,stats --report - | jq '.results[0].mean[0]'\n"},
    {"print-pipeline", "Both read back by --stages and by --pipeline. Needs no IN.\n"
                       "\n"
                       "  gpufilter --print-pipeline json --stages blur:2 >blur.json\n"},
    {"format",
     "Needed where OUT is standard output or has no suffix that tells it. `gpufilter help formats`\n"
     "lists them.\n"
     "\n"
     "  gpufilter in.png - --format pnm --stages gray | display\n"},
    {"depth", "u8: 0 to 255, u16: 0 to 65535, f32: 0 to 1. A format that does not hold the depth of the\n"
              "result gets the nearest one, with a note.\n"},
    {"compute", "For long chains: without it u8 and u16 are rounded and clamped after each stage.\n"},
    {"alpha", "What the last channel of 2 or 4 is. premul: alpha; stages that mix pixels (windows, resize,\n"
              "rotate, warp) weigh colour by it, and filter it, too, so that the colour of transparent\n"
              "pixels is never seen; new corners are transparent. straight: alpha; colour is taken as it\n"
              "is stored, windows leave alpha as it is, and new corners are opaque. none: a channel like\n"
              "the others. The default is premul, and none for .npy of 2 or 4 channels: an array does not\n"
              "say that it has alpha. Channels that channels= names are never weighed.\n"},
    {"no-fuse", "For tests and measurements.\n"},
    {"threads", "GPUFILTER_THREADS says the same.\n"},
    {"memory", "K, M, G and T are powers of 1024. A picture that needs more is filtered by bands of rows,\n"
               "with the same result; where that is impossible it is an error that names the least that\n"
               "would do. GPUFILTER_MEMORY says the same.\n"},
    {"png-level",
     "-1 writes runs only, and yet is smaller than 1 for photos; 0 to 9 are the levels of zlib.\n"},
    {"palette",
     "A picture of u8 with at most 256 colours takes 1, 2, 4 or 8 bits a pixel; gray of few bits needs no\n"
     "palette. The pixels are the same. auto does it where quantize is the last stage that makes pixels, "
     "and\n"
     "leaves it where --memory makes bands, so that not all colours are known; on is then an error, as it\n"
     "is with more colours.\n"},
    {"quality", "Of JPEG 90 where it is not given; above that files grow fast. WebP is written without loss\n"
                "where it is not given.\n"},
    {"progressive", "The same pixels, and mostly a few percent smaller.\n"},
    {"strip",
     "The ICC profile stays, since colours depend on it, and so does the density. Texts of a file are\n"
     "never kept.\n"},
    {"page", "`gpufilter info FILE` tells how many there are.\n"},
    {"fast-load", "The decoder of JPEG makes a half, a quarter or an eighth of each side, the least that is "
                  "not smaller than\n"
                  "what resize makes of the picture; resize goes on from there. Much faster, and other "
                  "pixels come out.\n"},
    {"rate",
     "Frames a second, in Hz or kHz. A WAV says its own, and one that says another is an error; a table,\n"
     "an array and raw samples do not, and stages that are told frequencies need it.\n"
     "\n"
     "  gpufilter ecg.csv out.csv --rate 360Hz --stages highpass:0.5Hz\n"},
    {"sample",
     "Without it OUT stores samples as IN does, where its format can: a WAV of s16 becomes one. What is\n"
     "beyond the range of integers is cut off, which is said.\n"},
    {"raw",
     "SAMPLE:RATE:CHANNELS, SAMPLE u8, s8, or s16, s24, s32, f32 or f64 with le or be. RATE and CHANNELS\n"
     "may be missing. For OUT the same text stands behind --format.\n"
     "\n"
     "  gpufilter - out.wav --raw s16le:16000:1 --stages bandpass:300Hz-3.4kHz <in.raw\n"},
    {"columns", "By name or by number from 1, separated by commas. Without it all columns are channels.\n"},
    {"signal",
     "rows: each row of the matrix is a channel; columns: each column; picture: an array of one dimension\n"
     "is a picture of height 1. Without it that is a signal, and a matrix is a picture.\n"},
    {"no-clobber", "Where OUT exists it is an error, exit code 4, and OUT stays as it was.\n"},
};

const char *help_option_more(const char *name)
{
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        if (!strcmp(more[i].name, name)) {
            return more[i].text;
        }
    }
    return NULL;
}

void help_limits_add(struct buffer *text)
{
    const struct limit_help *limit;
    for (int i = 0; (limit = limit_option_at(i)); i++) {
        char value[24], word[48];
        limit_option_default(i, value);
        snprintf(word, sizeof word, "%s=%s", limit->name, value);
        buffer_printf(text, "  %-16s %s\n", word, limit->help);
    }
}

/* Is it called by its name, or its letter? */
static bool is_called(const struct cli_option *option, const char *name)
{
    return !strcmp(option->name, name) || (option->letter && name[0] == option->letter && !name[1]);
}

static const struct cli_option *find(const struct cli_option *table, const char *name)
{
    while (table && table->name && !is_called(table, name)) {
        table++;
    }
    return table && table->name ? table : NULL;
}

static void add_row(struct buffer *text, const struct cli_option *option)
{
    const struct cli_option row[2] = {*option, {0}};
    cli_options_help(text, row);
    if (option->choices && !option->optional) {
        buffer_add(text, "  one of ");
        words_add(text, option->choices);
        buffer_add(text, "\n");
    }
}

bool help_option_add(struct buffer *text, const char *word)
{
    const char *name = word + strspn(word, "-");
    const struct cli_option *option = find(job_option_table, name);
    bool found = option != NULL;
    if (option) {
        add_row(text, option);
        const char *said = help_option_more(option->name);
        buffer_printf(text, "%s%s", said ? "\n" : "", said ? said : "");
        if (!strcmp(name, "limit")) {
            buffer_add(text, "\n");
            help_topic_add(text, help_topic_find("limits"));
        }
    }
    for (const struct cli_command *command = command_table; command->name; command++) {
        const struct cli_option *same = find(command->options, name);
        if (same && strcmp(name, "help") != 0) {
            buffer_printf(text, "%sof gpufilter %s\n", found ? "\n" : "", command->name);
            add_row(text, same);
            found = true;
        }
    }
    return found;
}
