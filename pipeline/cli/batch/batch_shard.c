/* Which part of a batch this process does, and which of the machine's GPUs are meant for it. */
#include "base/argument_value.h"
#include "base/message.h"
#include "base/name_table.h"
#include "batch/batch_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Variables by which schedulers tell a process its number and how many there are, in the order in which they
 * are asked: the first whose number is set counts. */
static const struct scheduler {
    const char *name;
    const char *index, *first; /* of this process, and of the first one; NULL: it is 0 */
    const char *step;          /* from one to the next; NULL: 1 */
    const char *count;
} schedulers[] = {
    {"Slurm array", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
     "SLURM_ARRAY_TASK_COUNT"},
    {"Slurm step", "SLURM_PROCID", NULL, NULL, "SLURM_NTASKS"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", NULL, NULL, "OMPI_COMM_WORLD_SIZE"},
    {"MPICH or PMI", "PMI_RANK", NULL, NULL, "PMI_SIZE"},
    {"Kubernetes", "JOB_COMPLETION_INDEX", NULL, NULL, "JOB_COMPLETIONS"},
    {"torchrun", "RANK", NULL, NULL, "WORLD_SIZE"},
};

enum { MOST_SHARDS = 1000000 };

static gf_status fail(const char *value)
{
    return cli_fail(GF_ERROR_ARGUMENT,
                    "--shard is '%s': must be K/N, as 2/8 for the second of eight parts, or auto", value);
}

/* A whole number, all of the text. */
static bool read_number(const char *text, int64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = text ? strtoll(text, &end, 10) : -1;
    return text && *text && !*end && errno == 0;
}

static gf_status fail_variable(const struct scheduler *s, const char *name)
{
    const char *value = getenv(name);
    return cli_fail(GF_ERROR_ARGUMENT,
                    "--shard auto: %s is set (%s), but %s is %s%s%s; --shard K/N says it too", s->index,
                    s->name, name, value ? "'" : "not set", value ? value : "", value ? "'" : "");
}

/* Nobody says both. */
static gf_status fail_unknown(void)
{
    if (getenv("PARALLEL_SEQ")) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "--shard auto: GNU parallel says the number of this job (PARALLEL_SEQ) and not how many "
            "there are:\n  say so, as in --shard {#}/8, of which it replaces {#}");
    }
    return cli_fail(GF_ERROR_ARGUMENT,
                    "--shard auto: no scheduler says which part this is; it asks for SLURM_ARRAY_TASK_ID,\n"
                    "  SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK, JOB_COMPLETION_INDEX and RANK, in that "
                    "order;\n  --shard K/N says it, too");
}

/* An array task that runs several processes is one of its steps in each: then both numbers count. */
static gf_status within_step(struct batch_options *options)
{
    int64_t rank = 0, ranks = 0;
    if (strcmp(options->shard_from, "Slurm array") != 0 || !getenv("SLURM_STEP_ID") ||
        !read_number(getenv("SLURM_PROCID"), &rank) || !read_number(getenv("SLURM_NTASKS"), &ranks) ||
        rank < 0 || rank >= ranks || options->shards * ranks > MOST_SHARDS) {
        return GF_OK;
    }
    options->shard = (options->shard - 1) * ranks + rank + 1;
    options->shards *= ranks;
    snprintf(options->shard_from, sizeof options->shard_from, "Slurm array of steps");
    return GF_OK;
}

static gf_status find(struct batch_options *options)
{
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
        const struct scheduler *s = &schedulers[i];
        int64_t index = 0, first = 0, step = 1, count = 0;
        if (!getenv(s->index)) {
            continue;
        }
        if (!read_number(getenv(s->index), &index)) {
            return fail_variable(s, s->index);
        }
        if (s->first && !read_number(getenv(s->first), &first)) {
            return fail_variable(s, s->first);
        }
        if (s->step && getenv(s->step) && (!read_number(getenv(s->step), &step) || step < 1)) {
            return fail_variable(s, s->step);
        }
        if (!read_number(getenv(s->count), &count) || count < 1 || count > MOST_SHARDS) {
            return fail_variable(s, s->count);
        }
        if (index < first || (index - first) % step != 0 || (index - first) / step >= count) {
            return cli_fail(GF_ERROR_ARGUMENT,
                            "--shard auto: %s is %lld, not one of the %lld from %lld on in steps of %lld "
                            "that %s and others say (an array must number its tasks without gaps)",
                            s->index, (long long)index, (long long)count, (long long)first, (long long)step,
                            s->count);
        }
        options->shard = (index - first) / step + 1;
        options->shards = count;
        snprintf(options->shard_from, sizeof options->shard_from, "%s", s->name);
        return within_step(options);
    }
    return fail_unknown();
}

gf_status batch_shard_take(const char *value, struct batch_options *options)
{
    if (!strcmp(value, "auto")) {
        return find(options);
    }
    char *end = NULL;
    options->shard = strtoll(value, &end, 10);
    options->shard_from[0] = '\0';
    if (end == value || *end != '/' || !read_number(end + 1, &options->shards) || options->shard < 1 ||
        options->shards > MOST_SHARDS || options->shard > options->shards) {
        return fail(value);
    }
    return GF_OK;
}

int64_t batch_local_rank(void)
{
    static const char *const names[] = {"SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "PMI_LOCAL_RANK", "LOCAL_RANK"};
    int64_t rank = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (read_number(getenv(names[i]), &rank) && rank >= 0) {
            return rank;
        }
    }
    return -1;
}

bool batch_shard_has(const struct batch_options *options, const char *below)
{
    if (options->shards == 0) {
        return true;
    }
    uint64_t hash = name_hash(NAME_HASH_START, below, strlen(below));
    hash = (hash ^ hash >> 33) *
           UINT64_C(0xff51afd7ed558ccd); /* its lowest bits alone follow the last letters */
    hash ^= hash >> 33;
    return hash % (uint64_t)options->shards == (uint64_t)options->shard - 1;
}

char *batch_shard_name(const struct batch_options *options, const char *text)
{
    static const char mark[] = "{shard}";
    struct buffer made = {0};
    for (const char *at = text, *next; *at; at = next) {
        next = strstr(at, mark);
        buffer_add_bytes(&made, at, next ? (size_t)(next - at) : strlen(at));
        if (!next) {
            break;
        }
        buffer_printf(&made, "%lld", (long long)(options->shards ? options->shard : 1));
        next += strlen(mark);
    }
    if (made.failed || !made.data) {
        buffer_free(&made);
        return NULL;
    }
    return made.data;
}
