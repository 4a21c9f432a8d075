/* Journals of batches: whatever a file holds, it is read or refused; what is added to one that was read is
 * found when it is read again. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_path.h"

#include "base/message.h"
#include "batch/batch_journal.h"

enum { PLAN = 0x1234 };

/* Opens it to go on from; whether it could be. */
static int open_again(struct journal *journal, const char *path)
{
    gf_error error = GF_ERROR_INIT;
    cli_catch(&error);
    const gf_status status = journal_open(journal, path, true, PLAN);
    cli_catch(NULL);
    fuzz_status(status, &error);
    FUZZ_CHECK(status != GF_ERROR_MEMORY, "%s", error.message);
    if (status != GF_OK) {
        journal_close(journal);
    }
    return status == GF_OK;
}

/* Names of inputs, as seeds have them, and outputs that are there and that are not. */
static const struct journal_entry entries[] = {
    {"in/a.png", NULL, {.size = 5, .seconds = 1, .nanoseconds = 2}, false},
    {"in/a.png", "/dev/null", {.size = 5, .seconds = 1, .nanoseconds = 2}, false},
    {"in/b \n\"\xff.png", NULL, {.size = 0}, false},
    {"in/b \n\"\xff.png", "/nowhere/b.png", {.size = 7}, false},
    {"", NULL, {.size = INT64_MAX, .seconds = INT64_MIN, .nanoseconds = 999999999}, false},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

/* Returns what it says of the entry when it is opened again. */
static enum journal_status look(const char *path, const struct journal_entry *entry)
{
    struct journal journal;
    FUZZ_CHECK(open_again(&journal, path), "what was added is refused");
    const enum journal_status found = journal_look(&journal, entry);
    journal_close(&journal);
    return found;
}

static void add(const char *path, const struct journal_entry *entry, enum journal_status status)
{
    struct journal journal;
    const struct file_identity made = {.size = 1, .device = 2, .inode = UINT64_MAX};
    FUZZ_CHECK(open_again(&journal, path), "what was read is refused");
    FUZZ_CHECK(journal_add(&journal, entry, status, status == JOURNAL_WRITING ? &made : NULL,
                           status == JOURNAL_FAILED ? "a \"reason\"\n" : NULL, 1.5, NULL) == GF_OK,
               "a line cannot be added");
    journal_close(&journal);
}

/* A line is found; behind it one that was cut, as by a crash, changes nothing. */
static void add_and_look(const char *path, int fd, size_t size)
{
    const struct journal_entry *entry = &entries[size % ENTRIES];
    const enum journal_status status = (enum journal_status)(JOURNAL_WRITING + size / ENTRIES % 3);
    const int is_gone = entry->output != NULL && access(entry->output, F_OK) != 0;
    const enum journal_status expected =
        status == JOURNAL_WRITING || (status == JOURNAL_DONE && is_gone) ? JOURNAL_NOTHING : status;
    add(path, entry, status);
    enum journal_status found = look(path, entry);
    FUZZ_CHECK(found == expected, "status %d, found %d", (int)status, (int)found);
    const off_t before = lseek(fd, 0, SEEK_END);
    add(path, entry, status == JOURNAL_FAILED ? JOURNAL_DONE : JOURNAL_FAILED);
    const off_t left = lseek(fd, 0, SEEK_END) - before - 2; /* without its brace, at least */
    FUZZ_CHECK(left > 0 && ftruncate(fd, before + left - (off_t)size % left) == 0, "no line was added");
    found = look(path, entry);
    FUZZ_CHECK(found == expected, "behind status %d a line was cut, found %d", (int)status, (int)found);
}

void fuzz_journal(const uint8_t *data, size_t size)
{
    struct journal journal;
    char path[64];
    const int fd = fuzz_path(data, size, path);
    if (open_again(&journal, path)) {
        for (int i = 0; i < ENTRIES; i++) {
            const enum journal_status found = journal_look(&journal, &entries[i]);
            FUZZ_CHECK(found >= JOURNAL_NOTHING && found <= JOURNAL_APPEARED, "status %d", (int)found);
        }
        journal_close(&journal);
        add_and_look(path, fd, size);
    }
    close(fd);
}
