/* All files that a batch reads and writes, so that none that it writes is another of them. Each is known by
 * its place, links followed: device and inode of its folder, and its name there. So what is not there yet has
 * a place, too, and a file keeps its own when it is replaced. */
#pragma once

#include "base/name_table.h"
#include "base/output_file.h"
#include "batch/batch_list.h"

/* Zero-initialised: empty. */
struct batch_ledger {
    struct run_file *files; /* those of the batch as a whole */
    struct name_table
        places;         /* whose they are: of files[i] -1 - i; of input i and what it makes 1 + n i and on */
    bool makes_folders; /* of outputs, at once: else their places would change when they are made */
    struct ledger_folder {
        char *path;
        struct buffer place;
    } folders[2]; /* the last ones that were looked at, for what is read and for what is made */
    struct buffer key;
};
void batch_ledger_free(struct batch_ledger *ledger);

/* Takes over the files of the batch as a whole, which are told apart already. They are written where they
 * are, so that other names of them count, too; pictures are renamed into their places. Errors of this and of
 * what follows are said: GF_ERROR_MEMORY. */
gf_status batch_ledger_begin(struct batch_ledger *ledger, struct run_file *files, int count);

/* Enters an input, by its number, and the files that it makes. `list`: NULL for a name of --from -, as it
 * comes: it may then be what an earlier one has made. GF_ERROR_ARGUMENT: one would replace another file of
 * the batch, or an output its own input by another name than that. */
gf_status batch_ledger_take(struct batch_ledger *ledger, const struct batch_options *options,
                            const struct batch_list *list, const struct batch_input *input, int64_t index);
