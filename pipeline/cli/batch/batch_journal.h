/* --journal FILE: what a batch has done, a line of JSON each, so that another run can go on from there.
 *
 * A line has the input and what it was like (size, mtime), a hash of all that decides on the bytes of its
 * output (plan), the output, and a status: "writing" when the output is about to appear, with its file as
 * device and inode; then "done", with the size of the output, or "failed", with "again":true where the file
 * was not to blame, but a full disk or the like. So a batch that is killed between the two leaves a line by
 * which the next one sees whether the output did appear. */
#pragma once

#include "base/name_table.h"
#include "base/text_buffer.h"

#include <pthread.h>

enum journal_status { JOURNAL_NOTHING, JOURNAL_WRITING, JOURNAL_DONE, JOURNAL_FAILED, JOURNAL_APPEARED };

/* What a file is like. */
struct file_identity {
    int64_t size, seconds, nanoseconds; /* size -1: it cannot be looked at */
    uint64_t device, inode;
    bool waits; /* is a pipe, a device or a socket, on which a reader waits for others */
};
struct file_identity identity_of(const char *path);

/* An input on its way. */
struct journal_entry {
    const char *input, *output; /* output NULL: results only */
    struct file_identity was;   /* of the input */
    bool again;                 /* it has failed by no fault of its own, and not for good */
};

struct journal_record;

struct journal {
    int fd; /* -1: there is none */
    const char *path;
    uint64_t plan;
    pthread_mutex_t lock;
    bool dirty; /* since the last sync */
    struct name_table names;
    struct journal_record *records; /* by the numbers of names */
    int64_t count, capacity;
};

/* Opens it, alone, and reads what it has; creates it where it is not there. Without `resume` it must be
 * empty; with it, it must begin with a line of a journal, so that no other file is taken for one. Says its
 * own errors: GF_ERROR_OUTPUT, GF_ERROR_ARGUMENT, GF_ERROR_MEMORY. */
gf_status journal_open(struct journal *journal, const char *path, bool resume, uint64_t plan);
void journal_close(struct journal *journal);

/* Returns what it says of the entry with the same plan, output and unchanged input. An output that was being
 * written and did appear, but nothing else is known of it, is JOURNAL_APPEARED, or else JOURNAL_NOTHING; one
 * that was written and is gone, or is of another size, is JOURNAL_NOTHING. */
enum journal_status journal_look(const struct journal *journal, const struct journal_entry *entry);

/* Adds a line, in one write. From any thread. `file`: for JOURNAL_WRITING; `why`: for the two that failed; ms
 * for the two ends. `room`: for JOURNAL_WRITING the same as for the line that follows, which then lacks no
 * memory; NULL: no other line is to come. GF_ERROR_OUTPUT, GF_ERROR_MEMORY, said. Without a journal nothing
 * happens.
 */
gf_status journal_add(struct journal *journal, const struct journal_entry *entry, enum journal_status status,
                      const struct file_identity *file, const char *why, double ms, struct buffer *room);

/* Brings what was added to the disk. */
gf_status journal_sync(struct journal *journal);
