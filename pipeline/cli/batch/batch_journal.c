#define _GNU_SOURCE /* flock, getline */
#include "batch/batch_journal.h"

#include "base/json_value.h"
#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The last line that there is of an input. */
struct journal_record {
    enum journal_status status;
    uint64_t work, key; /* of plan and output; of these with size and mtime */
    int64_t made;       /* bytes of the output of JOURNAL_DONE; -1: not known */
    char file[44];      /* of JOURNAL_WRITING: "device:inode" */
};

static const char *const status_words[] = {"", "writing", "done", "failed"};

struct file_identity identity_of(const char *path)
{
    struct stat is;
    struct file_identity identity = {.size = -1};
    if (stat(path, &is) == 0) {
        identity = (struct file_identity){
            is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec,
            is.st_dev,  is.st_ino,         !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode),
        };
    }
    return identity;
}

/* ---- texts ---- */

static void identity_text(const struct file_identity *is, char size[24], char mtime[44])
{
    snprintf(size, 24, "%" PRId64, is->size);
    snprintf(mtime, 44, "%" PRId64 ".%09" PRId64, is->seconds, is->nanoseconds);
}

static void file_text(const struct file_identity *is, char text[44])
{
    snprintf(text, 44, "%" PRIu64 ":%" PRIu64, is->device, is->inode);
}

static uint64_t add_hash(uint64_t hash, const char *text)
{
    return text ? name_hash(hash, text, strlen(text) + 1) : hash;
}

static uint64_t work_of(const char *plan, const char *output)
{
    return add_hash(add_hash(NAME_HASH_START, plan), output);
}

static uint64_t key_of(uint64_t work, const char *size, const char *mtime)
{
    return add_hash(add_hash(work, size), mtime);
}

/* ---- reading ---- */

/* The record of the input; NULL: no memory. */
static struct journal_record *record_of(struct journal *journal, const char *input)
{
    int64_t *number = name_table_add(&journal->names, input, journal->count);
    if (number && *number == journal->count) {
        if (journal->count == journal->capacity) {
            int64_t capacity = journal->capacity ? 2 * journal->capacity : 64;
            struct journal_record *records = realloc(journal->records, (size_t)capacity * sizeof *records);
            if (!records) {
                return NULL;
            }
            journal->records = records;
            journal->capacity = capacity;
        }
        journal->records[journal->count++] = (struct journal_record){0};
    }
    return number ? &journal->records[*number] : NULL;
}

/* A line that is none of ours, or was cut, says nothing. */
static gf_status take_line(struct journal *journal, const char *line)
{
    static const char *const names[] = {"input",  "plan", "output",      "size", "mtime",
                                        "status", "file", "output_size", "again"};
    char *texts[sizeof names / sizeof *names] = {0};
    gf_status status = GF_OK;
    bool whole = *line == '{' && json_is_value(line);
    for (size_t i = 0; whole && i < sizeof names / sizeof *names; i++) {
        texts[i] = json_member_text(line, names[i]);
    }
    if (texts[0] && texts[1] && texts[3] && texts[4] && texts[5]) {
        struct journal_record *record = record_of(journal, texts[0]);
        for (size_t i = 1; record && i < sizeof status_words / sizeof *status_words; i++) {
            if (!strcmp(texts[5], status_words[i])) {
                record->status = texts[8] ? JOURNAL_NOTHING : (enum journal_status)i;
                record->work = work_of(texts[1], texts[2]);
                record->key = key_of(record->work, texts[3], texts[4]);
                record->made = texts[7] ? strtoll(texts[7], NULL, 10) : -1;
                snprintf(record->file, sizeof record->file, "%s", texts[6] ? texts[6] : "");
            }
        }
        status = cli_need_memory(record);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        free(texts[i]);
    }
    return status;
}

static gf_status read_lines(struct journal *journal, bool *ends)
{
    char *line = NULL;
    size_t room = 0;
    int copy = dup(journal->fd);
    FILE *file = copy >= 0 ? fdopen(copy, "r") : NULL;
    gf_status status = GF_OK;
    *ends = true;
    if (!file) {
        if (copy >= 0) {
            close(copy);
        }
        return cli_fail(GF_ERROR_OUTPUT, "--journal %s: %s", journal->path, strerror(errno));
    }
    errno = 0;
    for (ssize_t length, first = 1; status == GF_OK && (length = getdelim(&line, &room, '\n', file)) > 0;
         first = 0) {
        *ends = line[length - 1] == '\n';
        status = take_line(journal, line);
        if (status == GF_OK && first && journal->count == 0 && /* but one of ours that was cut */
            (strncmp(line, "{\"input\":\"", 10) != 0 || line[strcspn(line, "\n") - 1] == '}')) {
            status = cli_fail(GF_ERROR_ARGUMENT,
                              "--journal %s: is another file: it does not begin with a line of a journal",
                              journal->path);
        }
    }
    if (status == GF_OK && (ferror(file) || errno == ENOMEM)) {
        status = cli_fail(errno == ENOMEM ? GF_ERROR_MEMORY : GF_ERROR_OUTPUT, "--journal %s: %s",
                          journal->path, strerror(errno));
    }
    free(line);
    fclose(file);
    return status;
}

/* ---- opening ---- */

static gf_status lock(const struct journal *journal)
{
    int result;
    do {
        result = flock(journal->fd, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result == 0) {
        return GF_OK;
    }
    if (errno == ENOSYS || errno == ENOTSUP) {
        cli_note("note: --journal %s: its file system has no locks, so that no other batch may use it",
                 journal->path);
        return GF_OK;
    }
    if (errno == EWOULDBLOCK) {
        return cli_fail(GF_ERROR_OUTPUT,
                        "--journal %s: another batch is using it; let it end, or give each its own, as with "
                        "'{shard}' in the name",
                        journal->path);
    }
    return cli_fail(GF_ERROR_OUTPUT, "--journal %s: cannot lock it: %s", journal->path, strerror(errno));
}

static gf_status start(struct journal *journal, bool resume)
{
    struct stat is;
    bool ends = true;
    gf_status status = lock(journal);
    if (status == GF_OK && (fstat(journal->fd, &is) != 0 || !S_ISREG(is.st_mode))) {
        return cli_fail(GF_ERROR_ARGUMENT, "--journal %s: is no regular file", journal->path);
    }
    status = status == GF_OK && is.st_size > 0 ? read_lines(journal, &ends) : status;
    if (status == GF_OK && is.st_size > 0 && !resume) {
        return cli_fail(
            GF_ERROR_ARGUMENT,
            "--journal %s: there is one already: --resume goes on from it; remove it to do all again",
            journal->path);
    }
    if (status == GF_OK && !ends && write(journal->fd, "\n", 1) != 1) { /* behind a line that was cut */
        return cli_fail(GF_ERROR_OUTPUT, "--journal %s: %s", journal->path, strerror(errno));
    }
    return status;
}

gf_status journal_open(struct journal *journal, const char *path, bool resume, uint64_t plan)
{
    *journal = (struct journal){.fd = -1, .path = path, .plan = plan};
    pthread_mutex_init(&journal->lock, NULL);
    if (!path) {
        return GF_OK;
    }
    do {
        journal->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    } while (journal->fd < 0 && errno == EINTR);
    if (journal->fd < 0) {
        return cli_fail(
            GF_ERROR_OUTPUT, "--journal %s: %s%s", path, strerror(errno),
            errno == EPERM || errno == EINVAL || errno == ENOTSUP
                ? "; a journal grows line by line: a folder of an object store may not take it, and "
                  "a local one does"
                : "");
    }
    return start(journal, resume);
}

void journal_close(struct journal *journal)
{
    if (journal->fd >= 0) {
        close(journal->fd);
    }
    name_table_free(&journal->names);
    free(journal->records);
    journal->records = NULL;
    journal->fd = -1;
}

/* ---- asking and telling ---- */

enum journal_status journal_look(const struct journal *journal, const struct journal_entry *entry)
{
    char plan[20], size[24], mtime[44], file[44];
    const int64_t *number = name_table_find(&journal->names, entry->input);
    const struct journal_record *record = number ? &journal->records[*number] : NULL;
    identity_text(&entry->was, size, mtime);
    snprintf(plan, sizeof plan, "%016" PRIx64, journal->plan);
    if (!record || entry->was.size < 0 || record->work != work_of(plan, entry->output)) {
        return JOURNAL_NOTHING;
    }
    struct file_identity made = entry->output ? identity_of(entry->output) : entry->was;
    file_text(&made, file);
    if (record->status == JOURNAL_WRITING) { /* an input whose output replaces it is another now */
        bool in_place = made.device == entry->was.device && made.inode == entry->was.inode;
        bool same = in_place || record->key == key_of(record->work, size, mtime);
        return same && made.size >= 0 && !strcmp(file, record->file) ? JOURNAL_APPEARED : JOURNAL_NOTHING;
    }
    if (record->key != key_of(record->work, size, mtime)) {
        return JOURNAL_NOTHING;
    }
    bool is_there = made.size >= 0 && (!entry->output || record->made < 0 || record->made == made.size);
    return record->status == JOURNAL_DONE && !is_there ? JOURNAL_NOTHING : record->status;
}

static void make_line(struct buffer *line, const struct journal *journal, const struct journal_entry *entry,
                      enum journal_status status)
{
    char size[24], mtime[44];
    identity_text(&entry->was, size, mtime);
    buffer_add(line, "{\"input\":");
    buffer_json_name(line, entry->input);
    buffer_printf(line, ",\"size\":%s,\"mtime\":\"%s\",\"plan\":\"%016" PRIx64 "\"", size, mtime,
                  journal->plan);
    if (entry->output) {
        buffer_add(line, ",\"output\":");
        buffer_json_name(line, entry->output);
    }
    buffer_printf(line, ",\"status\":\"%s\"", status_words[status]);
}

static gf_status write_line(struct journal *journal, const struct buffer *line)
{
    CLI_TRY(cli_need_memory(!line->failed));
    pthread_mutex_lock(&journal->lock);
    ssize_t written;
    do {
        written = write(journal->fd, line->data, line->length);
    } while (written < 0 && errno == EINTR);
    int why = written < 0 ? errno : ENOSPC;
    journal->dirty = true;
    pthread_mutex_unlock(&journal->lock);
    return written == (ssize_t)line->length
               ? GF_OK
               : cli_fail(GF_ERROR_OUTPUT, "--journal %s: cannot write: %s", journal->path, strerror(why));
}

gf_status journal_add(struct journal *journal, const struct journal_entry *entry, enum journal_status status,
                      const struct file_identity *file, const char *why, double ms, struct buffer *room)
{
    struct buffer own = {0}, *line = room ? room : &own;
    struct timespec now;
    if (journal->fd < 0) {
        return GF_OK;
    }
    line->length = 0;
    make_line(line, journal, entry, status);
    if (file) {
        char text[44];
        file_text(file, text);
        buffer_printf(line, ",\"file\":\"%s\"", text);
    }
    if (status == JOURNAL_DONE && entry->output) {
        buffer_printf(line, ",\"output_size\":%" PRId64, identity_of(entry->output).size);
    }
    if (why) {
        buffer_add(line, ",\"error\":");
        buffer_json_text(line, why);
    }
    if (entry->again) {
        buffer_add(line, ",\"again\":true");
    }
    clock_gettime(CLOCK_REALTIME, &now);
    buffer_printf(line, ",\"time\":%lld.%03ld", (long long)now.tv_sec, now.tv_nsec / 1000000);
    if (status != JOURNAL_WRITING) {
        buffer_printf(line, ",\"ms\":%.1f", ms);
    }
    buffer_add(line, "}\n");
    if (status == JOURNAL_WRITING) {
        buffer_reserve(line, 96);
    }
    gf_status result = write_line(journal, line);
    buffer_free(&own);
    return result;
}

gf_status journal_sync(struct journal *journal)
{
    if (journal->fd < 0) {
        return GF_OK;
    }
    pthread_mutex_lock(&journal->lock);
    bool dirty = journal->dirty;
    journal->dirty = false;
    pthread_mutex_unlock(&journal->lock);
    return !dirty || fdatasync(journal->fd) == 0 || errno == ENOSYS || errno == EINVAL || errno == ENOTSUP
               ? GF_OK
               : cli_fail(GF_ERROR_OUTPUT, "--journal %s: %s", journal->path, strerror(errno));
}
