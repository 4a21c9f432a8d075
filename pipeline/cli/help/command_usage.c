/* What the help of a command says, and how commands without options of their own read their words. */
#include "help/commands.h"

#include "base/message.h"
#include "base/words.h"

#include <string.h>

void command_usage_add(struct buffer *buffer, const struct cli_command *command)
{
    buffer_printf(buffer, "gpufilter %s%s%s: %s\n", command->name, *command->arguments ? " " : "",
                  command->arguments, command->help);
    if (command->options) {
        buffer_add(buffer, "\nOptions\n");
        cli_options_help(buffer, command->options);
    }
    if (!strcmp(command->name, "compare")) {
        buffer_add(
            buffer,
            "\nTolerances are in sample units: 0 to 255, 0 to 65535, or 0 to 1 for f32; with %, u8\n"
            "or u16 behind, as 5% or 10u8, they are shares of full scale. A sample differs when it\n"
            "differs by more than --max-diff. Any differing sample fails, unless --max-count or\n"
            "--allow lets some, or a quality (--psnr, --ssim, --ms-ssim) alone is the criterion.\n"
            "Another size, number of channels or depth is a difference. NaN equals NaN of the same\n"
            "bits only, and 0 equals -0. Signals are compared in f32; another rate, number of channels\n"
            "or frames is a difference.\n"
            "Of two folders, A with what is expected, files under the same path are compared. With\n"
            "--expect FILE or a folder B is compared with hashes, which --update writes.\n"
            "Exit: 0 equal within the tolerance, 1 different, 2 trouble.\n");
    } else if (!strcmp(command->name, "batch")) {
        buffer_add(
            buffer,
            "\nIN are files, and folders, of which files with the suffixes of formats are taken; outputs\n"
            "keep their path below the folder. In a template {dir} is that path, {folder} the folder of the\n"
            "input, {name} its name, {stem} that without its suffix, {ext} the suffix, or that of --format.\n"
            "Files are done side by side, by all processors and GPUs, as far as --memory has room for them\n"
            "(half of the machine's, if it is not given). One that fails does not stop the others: all that\n"
            "failed are named at the end. Every output is whole or absent.\n"
            "Of in.tar -o out.tar, or in pipes of - -o -, the pictures that are members of the one become\n"
            "members of the other, in their order.\n"
            "\n"
            "In the names of --report and --journal {shard} is the number of the shard. Each process of a\n"
            "Slurm array takes its part with\n"
            "\n"
            "  sbatch --array=1-8 --wrap 'gpufilter batch in -r -o out --stages blur:2 --shard auto'\n"
            "\n"
            "and each job of GNU parallel with  parallel gpufilter ... --shard {}/4 ::: 1 2 3 4\n"
            "docs/scale.md has more of that.\n"
            "\n"
            "Exit: 0 all done, 8 some failed, else nothing could begin or go on: 2 usage, 3 input, 4 "
            "output,\n"
            "5 device, 6 memory.\n");
    } else if (!strcmp(command->name, "sheet")) {
        buffer_add(
            buffer,
            "\nPictures lie in the middle of cells of one size, row by row in the order given. The sheet has "
            "the\n"
            "depth of the first, colours where one has them, and alpha where one has it, unless "
            "--background\n"
            "is given or OUT holds none. It is held in memory as a whole, and the pictures one at a time.\n"
            "--labels name writes the name of its file below each picture, cut to the cell's width, by the "
            "stage\n"
            "text: black, or white on a dark background.\n"
            "Exit: as of a run without a command.\n");
    } else if (!strcmp(command->name, "stack")) {
        buffer_add(buffer,
                   "\nPictures of one size, depth and number of channels; each page of a TIFF is one. Means, "
                   "and medians\n"
                   "of an even number, are rounded half up in u8 and u16; NaN makes NaN. All files are open "
                   "at once,\n"
                   "and a row of each is in memory, or all of one that is turned or that cannot be read by\n"
                   "rows, as WebP. "
                   "What else the first one holds, as EXIF, goes into OUT.\n"
                   "Exit: as of a run without a command.\n");
    } else if (!strcmp(command->name, "prim")) {
        buffer_add(
            buffer,
            "\nWithout NAME: the primitives, their variants and types. Without --device: CUDA where\n"
            "there is a device, else the CPU; with --algo all both. A result is checked against the\n"
            "variant 'sequential' on the CPU, all of it; GB/s count the bytes that no way of computing\n"
            "it can do without, and a copy is measured between the runs. Exit 7: a check failed.\n");
    } else if (!strcmp(command->name, "bench")) {
        buffer_add(
            buffer,
            "\nRuns an experiment, writes its rows and figures, and says of each claim of its text whether\n"
            "it holds on this device. docs/primitives.md tells which texts these are.\n");
    }
}

int command_usage_print(const struct cli_command *command)
{
    struct buffer text = {0};
    command_usage_add(&text, command);
    const int code = gf_status_exit_code(buffer_to_stdout(&text));
    buffer_free(&text);
    return code;
}

int read_simple(const struct cli_command *command, int count, char **words, int most, const char **files,
                bool *json, int *code)
{
    struct cli_arguments arguments = cli_arguments_begin(command->options, count, words);
    const char *value = NULL;
    int n_files = 0;
    *code = gf_status_exit_code(GF_ERROR_ARGUMENT);
    for (int option; (option = cli_arguments_next(&arguments, &value)) != CLI_END;) {
        if (option == CLI_BAD) {
            *code = gf_status_exit_code(arguments.status);
            return -1;
        }
        if (option == CLI_POSITIONAL) {
            if (n_files == most) {
                cli_fail(GF_ERROR_ARGUMENT, "'%s' is one word too many: gpufilter %s%s%s", value,
                         command->name, *command->arguments ? " " : "", command->arguments);
                return -1;
            }
            files[n_files++] = value;
        } else if (!strcmp(command->options[option].name, "json")) {
            *json = true;
        } else {
            *code = command_usage_print(command);
            return -1;
        }
    }
    return n_files;
}
