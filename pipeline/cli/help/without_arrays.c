/* The commands prim and bench of a program that was built without array primitives: they say so. It has no
 * list of primitives from a library, so this file has an empty one. */
#include "base/message.h"
#include "bench/bench.h"
#include "gpufilter/array.h"
#include "help/commands.h"
#include "prim/prim_options.h"

const struct cli_option prim_option_table[] = {{0}}, bench_option_table[] = {{0}};

const gf_primitive *gf_primitive_at(size_t index)
{
    (void)index;
    return NULL;
}

const gf_variant *gf_primitive_variant(const char *primitive, size_t index)
{
    (void)primitive;
    (void)index;
    return NULL;
}

const gf_variant *gf_primitive_missing_variant(const char *primitive, size_t index)
{
    (void)primitive;
    (void)index;
    return NULL;
}

const struct bench_experiment *bench_experiment_at(int index)
{
    (void)index;
    return NULL;
}

static int say(const struct cli_command *command)
{
    const gf_status status = cli_fail(GF_ERROR_UNSUPPORTED,
                                      "this program was built without array primitives, which '%s' runs: "
                                      "configure with GPUFILTER_ARRAYS=ON, "
                                      "the default (docs/install.md)",
                                      command->name);
    return gf_status_exit_code(status);
}

int run_prim(const struct cli_command *command, int count, char **words)
{
    (void)count;
    (void)words;
    return say(command);
}

int run_bench(const struct cli_command *command, int count, char **words)
{
    (void)count;
    (void)words;
    return say(command);
}
