/* Temporary files: written beside a target, renamed over it. A writer that was killed leaves one behind, and
 * the next writer of that target removes it.
 *
 * A temporary is ".gpufilter-NAME.XXXXXXXX.tmp" in the folder of the target; NAME is the target's name, cut
 * at 100 bytes, the digits are a hash of the whole name and of a small number, the slot. A writer takes the
 * first slot that is free: so one that was left behind is found without a look through the folder. Its writer
 * holds a lock on it (flock), which ends with the process: a regular file of our own under such a name that
 * nobody has locked is stale and goes. An empty one may just have been made and not locked yet: it goes too,
 * as its writer can take the next slot, but nobody is told that a run was killed. Where a file system has no
 * locks nothing counts as stale; and where all slots are taken, the name is drawn. */
#pragma once

#include "gpufilter/io.h"
#include "io/target.h"

#include <sys/types.h>

#define GF_TEMPORARY_SIZE                                                                                    \
    (GF_PATH_SIZE + 128) /* of a temporary's path: the name is at most 124 bytes more                        \
                          */

/* Removes what is stale, then creates and locks a temporary, its path in `path`, and tells both to the
 * callbacks of `options`. Returns its descriptor, or -1 with errno. The lock ends when the descriptor is
 * closed. */
int gf_temporary_create(const char *target, mode_t mode, const gf_write_options *options,
                        char path[GF_TEMPORARY_SIZE]);

/* Tells whether a file in the target's folder can be renamed. Object stores that are mounted (FUSE) often
 * cannot: there a file of one name is made, renamed and removed, once a process and device. Elsewhere nothing
 * is tried. */
int gf_folder_renames(const char *target);

/* open(2) with O_CLOEXEC and O_NOCTTY, again after a signal. */
int gf_open_again(const char *path, int flags, mode_t mode);
