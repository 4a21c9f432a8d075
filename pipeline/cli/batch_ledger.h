/* All files that a batch reads and writes, so that none that it writes is another of them. Each is known by
 * its place, links followed: the inode of its folder, and a hash of device and name; so a name that is not
 * there yet has a place, too, and a file keeps its own when it is replaced. 24 bytes a file. */
#ifndef GF_CLI_BATCH_LEDGER_H
#define GF_CLI_BATCH_LEDGER_H

#include "batch_list.h"
#include "output_file.h"

struct ledger_key {
    uint64_t inode, rest;
};

/* Zero-initialised: empty. */
struct batch_ledger {
    struct run_file *files; /* those of the batch as a whole */
    struct ledger_entry {
        struct ledger_key key;
        int64_t who; /* 0: free; of files[i] -1 - i; of input i and what it makes 1 + n i and on */
    } * at;
    size_t capacity, count;
    bool makes_folders; /* of outputs: those that are not there would else change their places */
    char *folder;       /* the last one that was looked at */
    struct ledger_key of_folder;
};
void batch_ledger_free(struct batch_ledger *ledger);

/* Enters the files of the batch as a whole, which are told apart already, and takes their memory over.
 * Pictures are replaced by renaming; these files are written where they are, so that other names of them
 * count, too. Says its own errors, as all that follows: GF_ERROR_MEMORY. */
gf_status batch_ledger_begin(struct batch_ledger *ledger, struct run_file *files, int count);

/* Enters the inputs and what they make. GF_ERROR_ARGUMENT: one would replace another file of the batch, or
 * leave the folder that a template names. An output may replace its own input where it has the same name. */
gf_status batch_ledger_check(struct batch_ledger *ledger, const struct batch_options *options,
                             const struct batch_list *list);

/* The same for an input of --from -, by its number among these. */
gf_status batch_ledger_take(struct batch_ledger *ledger, const struct batch_options *options,
                            const struct batch_input *input, int64_t index);

#endif
