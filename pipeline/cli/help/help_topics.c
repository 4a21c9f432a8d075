/* Words that are neither stages nor options nor commands. */
#include "help/help.h"

#include "base/words.h"
#include "help/commands.h"
#include "help/other_words.h"
#include "job/job_options.h"

#include <string.h>

static void add_commands(struct buffer *text)
{
    for (const struct cli_command *command = command_table; command->name; command++) {
        buffer_printf(text, "  %-12s %s\n", command->name, command->help);
    }
}

static void add_options(struct buffer *text)
{
    cli_options_help(text, job_option_table);
}

static void add_words(struct buffer *text)
{
    for (const struct help_topic *topic = help_topic_table; topic->name; topic++) {
        buffer_printf(text, "  %-12s %s\n", topic->name, topic->summary);
    }
}

const struct help_topic help_topic_table[] = {
    {"topics", "words", "the words that help knows beside stages, commands and options", NULL, add_words},
    {"stages", "language|list|pipeline-file", "how a list of stages is written, and which there are",
     "Stages are separated by commas. A stage is a name and its parameters, name=value, with\n"
     "':' before each. Only the first value may stand without its parameter's name.\n"
     "\n"
     "  gray,blur:sigma=2:border=wrap,threshold:otsu,hist\n"
     "\n"
     "In a file for --pipeline a newline may stand for the comma, and '#' begins a comment.\n"
     "Values with blanks or other signs than letters, digits and . _ + - % # / * ~ go in\n"
     "single quotes. Lists of numbers stand in brackets, their rows separated by ';', as in\n"
     "[0 1 0; 1 -4 1]; a single one needs none. @FILE is a file, of numbers (.npy, .cube, .csv) or a\n"
     "picture, as its stage takes it.\n"
     "`gpufilter help STAGE` explains a stage, `gpufilter help intensity` what a brightness\n"
     "may be.\n",
     list_stages_add},
    {"formats", "format-list|suffixes", "the formats of files",
     "The name, the suffixes, and what is read and written. IN is known by its content, OUT by\n"
     "its suffix or --format.\n",
     list_formats_add},
    {"limits", NULL, "what a file may ask for, and how to allow more",
     "A file that claims more than these is refused before memory is taken: it may be damaged,\n"
     "or made to fill the memory. --limit NAME=N sets one, for example\n"
     "\n"
     "  gpufilter large.png out.png --stages blur:2 --limit pixels=1G\n"
     "\n"
     "N is a whole number, with K, M, G or T behind it for powers of 1024. By default:\n",
     help_limits_add},
    {"intensity", "intensities|level|units|full-scale", "brightness as a value: 0.5, 50%, 128u8",
     "An intensity is a part of full scale, so that it means the same for every depth: 0 is\n"
     "black, 1 is white, which is stored as 255 (u8), 65535 (u16) or 1 (f32).\n"
     "\n"
     "  threshold:0.43        a fraction\n"
     "  threshold:43%         the same in percent\n"
     "  threshold:110u8       110 of 255, as an 8-bit picture has it\n"
     "  threshold:28270u16    28270 of 65535, as a 16-bit picture has it\n"
     "\n"
     "So threshold:110 is not 110 of 255 but 110 times white. Pictures and signals of f32 may\n"
     "have values below 0 and above 1; for them any number will do: threshold:-3.5.\n",
     NULL},
    {"roi", "region|rectangle|ellipse|circle|oval",
     "act inside a rectangle or ellipse only: roi=WIDTHxHEIGHT+X+Y",
     "A region of interest. Sizes and places are in pixels; X and Y count from 0 at the top\n"
     "left. Samples outside stay as they are, and measuring stages do not count them. A window\n"
     "at the edge of the rectangle reads the true samples around it. With ellipse@ before it the\n"
     "stage acts on pixels whose centre lies in the ellipse that touches the rectangle's sides; what\n"
     "it measures on its way it measures in the rectangle, and stages that only measure take\n"
     "rectangles. feather= makes the edge soft.\n"
     "\n"
     "  gpufilter in.png out.png --stages blur:12:roi=110x140+170+50\n"
     "  gpufilter in.png out.png --stages blur:12:roi=ellipse@110x140+170+50:feather=20\n"
     "  gpufilter in.png --stages stats:roi=64x64+190+180\n"
     "\n"
     "The rectangle must lie within the picture. The option --roi of `compare` is written so, too.\n",
     NULL},
    {"feather", "soft|soft-edge", "a soft edge of the roi, in pixels: feather=20",
     "Within the edge of roi= the effect rises from none on the edge to all of it that many pixels\n"
     "inside; outside nothing changes. A side of a rectangle that lies on the picture's own edge is\n"
     "not soft. Without it, or with 0, the edge is hard.\n"
     "\n"
     "  gpufilter in.png out.png --stages blur:12:roi=ellipse@110x140+170+50:feather=20\n"
     "  gpufilter in.png out.png --stages brightness:-0.3:roi=768x200+0+312:feather=120\n",
     NULL},
    {"channels", "channel|colour|color|alpha-channel",
     "act on some channels only: channels=rgb, a, g, 0+2, all, luma",
     "r, g and b are the first three channels, a is alpha: the last of 2 or 4. Letters are\n"
     "written together; numbers from 0 have + between them. Without channels= a stage acts on\n"
     "colour, and only what mixes pixels, as windows do, on alpha, too, by which it weighs colour\n"
     "(--alpha). channels=all are all, with alpha, each as it is stored.\n"
     "\n"
     "  gpufilter in.png out.png --stages gamma:1.2:channels=r\n"
     "  gpufilter in.png out.png --stages invert:channels=a\n"
     "  gpufilter in.png --stages stats:channels=0+2\n",
     NULL},
    {"border", "borders|edge", "what a window reads outside the picture: border=replicate",
     "A row begins with a b c and ends with x y z, and each border goes on so:\n"
     "\n"
     "  replicate    a a a | a b c ... x y z | z z z    (default)\n"
     "  reflect101   d c b | a b c ... x y z | y x w\n"
     "  reflect      c b a | a b c ... x y z | z y x\n"
     "  wrap         x y z | a b c ... x y z | a b c\n"
     "  constant     v v v | a b c ... x y z | v v v    with v from value=, 0 if it is not given\n"
     "\n"
     "  gpufilter in.png out.png --stages blur:5:border=reflect101\n"
     "  gpufilter in.png out.png --stages box:3:border=constant:value=50%\n",
     NULL},
    {"value", NULL, "the intensity outside the picture, for border=constant",
     "It is an intensity: 0 is black, 1, 100% or 255u8 is white.\n"
     "\n"
     "  gpufilter in.png out.png --stages box:3:border=constant:value=50%\n"
     "\n"
     "The parameter of that name of `gamma` is another one: gpufilter help gamma.\n",
     NULL},
    {"name", "names", "a name for a stage, in results and reports: name=sun",
     "Results are printed with it, in a report it is \"name\", and a program that uses the library\n"
     "finds a result by it. At most 255 bytes; with blanks in quotes: name='the sun'.\n"
     "\n"
     "  gpufilter in.png --stages stats:roi=64x64+190+180:name=sun\n",
     NULL},
    {"save", NULL, "a name for the picture behind a stage, for stages that read a second one",
     "Later stages name it as their second picture, without '@'. Letters, digits, '_', '-' and '.',\n"
     "at most 63; `in` is the picture that the stages begin with.\n"
     "\n"
     "  gpufilter in.png out.png --stages blur:2:save=fine,blur:8,difference:fine\n",
     NULL},
    {"depth", "depths|u8|u16|f32", "u8, u16 and f32: how samples are stored",
     "  u8     whole numbers from 0 to 255\n"
     "  u16    whole numbers from 0 to 65535\n"
     "  f32    floating point: 0 is black, 1 is white, and values outside are kept\n"
     "\n"
     "Stages keep the depth, but for `convert`. --depth converts OUT, --compute f32 converts\n"
     "first and back at the end, so that nothing is rounded in between.\n"
     "\n"
     "  gpufilter in.png out.png --stages blur:2 --depth u16\n",
     NULL},
    {"commands", "command", "what can stand first on the command line", NULL, add_commands},
    {"options", "option", "the options of a filter job; gpufilter help COMMAND has those of a command", NULL,
     add_options},
    {"other-words", "foreign|other-programs|imagemagick|opencv|pillow|ffmpeg",
     "words of other programs, and the commands that they are here",
     "The files stand for your own: top.png has the size of in.png, part.png is a piece of it.\n",
     other_words_table},
    {"exit", "exit-codes|exit-code|status", "the exit codes",
     "  0      done\n"
     "  1      failed otherwise, or `compare` found a difference\n"
     "  2      wrong usage; trouble in `compare`\n"
     "  3      the input cannot be read, or a limit is exceeded\n"
     "  4      the output cannot be written\n"
     "  5      the device that was asked for is absent, was lost, or refused a call\n"
     "  6      not enough memory\n"
     "  7      --verify, or the check of `prim` or `bench`, found a difference\n"
     "  8      some files of a batch failed; the others are done\n"
     "  128+n  ended by signal n\n"
     "\n"
     "An output file is absent, as it was, or complete: never half written.\n",
     NULL},
    {"environment", "env|variables", "the variables that stand for options",
     "  GPUFILTER_DEVICE    as --device\n"
     "  GPUFILTER_THREADS   as --threads\n"
     "  GPUFILTER_MEMORY    as --memory\n"
     "  GPUFILTER_CUDA_MODULE\n"
     "                      the module of CUDA, where libgpufilter_cuda.so does not lie beside the library\n"
     "  GPUFILTER_VENDOR    the module with the variants of CUB and Thrust, for `prim` and `bench`\n"
     "  TMPDIR              the folder for frames that wait until a signal has ended; without it /tmp\n"
     "\n"
     "Options win. CUDA_VISIBLE_DEVICES works as for every CUDA program.\n",
     NULL},
    {0},
};

const struct help_topic *help_topic_find(const char *word)
{
    for (const struct help_topic *topic = help_topic_table; topic->name; topic++) {
        if (!strcmp(topic->name, word) || words_index(topic->aliases, word) >= 0) {
            return topic;
        }
    }
    return NULL;
}

void help_topic_names(struct buffer *text)
{
    size_t column = 80;
    for (const struct help_topic *topic = help_topic_table; topic->name; topic++) {
        size_t width = strlen(topic->name) + 1;
        if (column + width > 78) {
            buffer_add(text, "\n ");
            column = 1;
        }
        buffer_printf(text, " %s", topic->name);
        column += width;
    }
}

void help_topic_add(struct buffer *text, const struct help_topic *topic)
{
    buffer_printf(text, "%s: %s\n\n%s", topic->name, topic->summary, topic->text ? topic->text : "");
    if (topic->add) {
        buffer_add(text, topic->text ? "\n" : "");
        topic->add(text);
    }
}
