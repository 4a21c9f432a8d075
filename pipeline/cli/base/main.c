/* gpufilter: the program. It uses the public headers only. */
#define _POSIX_C_SOURCE 200809L
#include "help/commands.h"

#include "base/message.h"
#include "base/words.h"
#include "gpufilter/stage.h"
#include "help/other_words.h"
#include "job/signals.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Were one of the three closed, the next file that is opened would be in its place, and a message would land
 * in an output. Opened the wrong way round, so that it still fails to read or to write them. */
static void occupy_standard_descriptors(void)
{
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            return;
        }
    }
}

/* What is no stage and no command, but means something elsewhere. */
static bool is_other_word(const char *word)
{
    struct buffer text = {0};
    const bool known = other_word_add(&text, word, strlen(word));
    if (known) {
        cli_fail(GF_ERROR_ARGUMENT,
                 "'%s' is a word of other programs, and no file has that name: %s\n"
                 "  to read about it: gpufilter help %s",
                 word, text.data ? text.data : "", word);
    }
    buffer_free(&text);
    return known;
}

/* A first word that is no file but a stage, or near to a command. Returns whether it has been said. */
static bool is_misplaced(int count, char **words)
{
    const char *word = words[0];
    struct nearest nearest = {.word = word};
    if (word[0] == '-' || access(word, F_OK) == 0) {
        return false;
    }
    if (!strcmp(word, "convert")) {
        const bool named = count == 3 && words[1][0] != '-' && words[2][0] != '-';
        cli_fail(
            GF_ERROR_ARGUMENT,
            "'convert' is a stage, and no file has that name; formats are converted by\n  gpufilter %s %s\n"
            "  to read about it: gpufilter help formats",
            named ? words[1] : "IN", named ? words[2] : "OUT");
        return true;
    }
    if (gf_stage_find(word)) {
        cli_fail(GF_ERROR_ARGUMENT,
                 "'%s' is a stage, and no file has that name: gpufilter IN OUT --stages %s\n"
                 "  to read about it: gpufilter help %s",
                 word, word, word);
        return true;
    }
    for (const struct cli_command *command = command_table; command->name; command++) {
        nearest_try(&nearest, command->name, strlen(command->name));
    }
    if (nearest.best) {
        cli_fail(GF_ERROR_ARGUMENT,
                 "'%s' is no command, and no file has that name; did you mean 'gpufilter %.*s'?", word,
                 (int)nearest.best_length, nearest.best);
    }
    return nearest.best || is_other_word(word);
}

int main(int argc, char **argv)
{
    occupy_standard_descriptors();
    signals_install();
    const struct cli_command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command) {
        return command->run(command, argc - 2, argv + 2);
    }
    if (argc > 1 && is_misplaced(argc - 1, argv + 1)) {
        return gf_status_exit_code(GF_ERROR_ARGUMENT);
    }
    return run_job(argc - 1, argv + 1);
}
