/* What the user asked of a batch. */
#pragma once

#include "job/job_options.h"

enum { BATCH_MOST_WORDS = 64 };
enum batch_progress { BATCH_PROGRESS_AUTO, BATCH_PROGRESS_JSON, BATCH_PROGRESS_OFF };

/* Words of an option that may be given again; borrowed. */
struct batch_words {
    const char *at[BATCH_MOST_WORDS];
    int count;
};

struct batch_options {
    struct job_options job; /* of each picture; `in` and `out` of none */
    bool every_gpu;         /* --device cuda, without a number */
    const char **inputs;    /* n of them; borrowed words in memory of ours */
    int n_inputs;
    const char *output; /* a folder or a template; NULL: results only */
    struct batch_words from, globs;
    bool tar; /* the only input is a tar, and so is what -o names */
    bool null, recursive, skip_existing, dry_run, resume, retry_failed;
    enum batch_progress progress;
    const char *report, *journal;
    double max_failures; /* more than that ends the batch; negative: no number does */
    bool max_is_percent;
    int64_t shard, shards; /* this one, from 1; and how many. 0 shards: all of it is one */
    char shard_from[40];   /* which variables say so; "": the command line */
    bool help;
};

extern const struct cli_option batch_option_table[];

/* Reads the words after "batch". Says its own errors. `options` is to be freed in any case. */
gf_status batch_options_read(int count, char **words, struct batch_options *options);
void batch_options_free(struct batch_options *options);
/* Tells whether --from - is among them. */
bool batch_reads_stdin(const struct batch_options *options);

/* batch_shard.c: --shard K/N or auto. Says its own error. */
gf_status batch_shard_take(const char *value, struct batch_options *options);
/* The place of this process among those of its machine, as its scheduler says; -1: it does not. */
int64_t batch_local_rank(void);
/* Tells whether a file, by its name below the inputs, is in the shard. */
bool batch_shard_has(const struct batch_options *options, const char *below);
/* The text with "{shard}" replaced by the shard's number, in new memory; NULL: no memory. */
char *batch_shard_name(const struct batch_options *options, const char *text);
