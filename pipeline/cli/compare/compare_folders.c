/* Two folders compared. */
#define _POSIX_C_SOURCE 200809L
#include "compare/compare_folders.h"

#include "base/message.h"
#include "job/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tells whether two files have the same bytes. What cannot be read has not. */
static bool have_same_bytes(const char *a, const char *b)
{
    enum { PIECE = 1 << 16 };
    struct stat is[2];
    bool same =
        stat(a, &is[0]) == 0 && stat(b, &is[1]) == 0 && is[0].st_size == is[1].st_size && is[0].st_size > 0;
    char *pieces = same ? malloc((size_t)2 * PIECE) : NULL;
    FILE *files[2] = {pieces ? fopen(a, "rbe") : NULL, pieces ? fopen(b, "rbe") : NULL};
    same = files[0] && files[1];
    for (size_t got = PIECE; same && got == PIECE;) {
        got = fread(pieces, 1, PIECE, files[0]);
        same = fread(pieces + PIECE, 1, PIECE, files[1]) == got && !memcmp(pieces, pieces + PIECE, got) &&
               !ferror(files[0]) && !ferror(files[1]);
    }
    for (int i = 0; i < 2; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
    free(pieces);
    return same;
}

/* Makes the folders of a path. */
static gf_status make_folders(char *path)
{
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        const int error = errno;
        *at = '/';
        if (!made) {
            return cli_fail(GF_ERROR_OUTPUT, "%s: cannot create its folder: %s", path, strerror(error));
        }
    }
    return GF_OK;
}

/* Draws a pair into the folder of --diff, as NAME.png unless the name is of a PNG. */
static gf_status draw(const struct criteria *criteria, struct pair *pair, int file)
{
    struct buffer path = {0};
    const size_t length = strlen(pair->name);
    const bool is_png = length > 4 && !strcmp(pair->name + length - 4, ".png");
    buffer_printf(&path, "%s/%s%s", criteria->diff, pair->name, is_png ? "" : ".png");
    gf_status status = cli_need_memory(!path.failed);
    if (status == GF_OK && (pair->form || verdict_passes(pair->verdict))) {
        unlink(path.data); /* of a run before */
    } else if (status == GF_OK) {
        status = make_folders(path.data);
        status = status == GF_OK ? pair_draw(criteria, pair, path.data, file) : status;
    }
    buffer_free(&path);
    return status;
}

/* Reads a file whole, also where signals interrupt; the caller frees *bytes in any case. */
static gf_status read_whole(const char *path, char **bytes, size_t *size)
{
    struct stat is;
    ssize_t got = 0;
    int fd;
    while ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0 && errno == EINTR) {
    }
    bool good = fd >= 0 && fstat(fd, &is) == 0;
    const size_t all = good ? (size_t)is.st_size : 0;
    *bytes = good ? malloc(all + 1) : NULL;
    for (*size = 0; *bytes && good && *size<all; *size += got> 0 ? (size_t)got : 0) {
        got = read(fd, *bytes + *size, all - *size);
        good = got > 0 || (got < 0 && errno == EINTR);
    }
    const int error = got == 0 && *bytes && *size < all ? EIO : errno; /* it became shorter */
    if (fd >= 0) {
        close(fd);
    }
    return !good ? cli_fail(GF_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(error))
                 : cli_need_memory(*bytes != NULL);
}

/* Copies a file whole over another. */
static gf_status copy(const char *from, const char *to, int file)
{
    gf_error error = GF_ERROR_INIT;
    gf_write_options options = GF_WRITE_OPTIONS_INIT;
    char *bytes = NULL;
    size_t size;
    gf_status status = read_whole(from, &bytes, &size);
    if (status == GF_OK) {
        signals_watch_file(&options, file);
        status = cli_told(gf_io_write_bytes(to, bytes, size, &options, &error), &error);
    }
    free(bytes);
    return status;
}

static gf_status update(const struct criteria *criteria, struct pair *pair, int file)
{
    struct buffer path = {0};
    buffer_printf(&path, "%s/%s", criteria->paths[0], pair->name);
    gf_status status = cli_need_memory(!path.failed);
    status = status == GF_OK ? make_folders(path.data) : status;
    status = status == GF_OK ? copy(pair->paths[1], path.data, file) : status;
    buffer_free(&path);
    return status;
}

static gf_status compare_one(const struct criteria *criteria, struct pair *pair, int threads, int file)
{
    if (!pair->paths[0] || !pair->paths[1]) {
        pair->verdict = pair->paths[0] ? VERDICT_MISSING : VERDICT_NEW;
    } else if (have_same_bytes(pair->paths[0], pair->paths[1])) {
        gf_error error = GF_ERROR_INIT;
        gf_file_info info = GF_FILE_INFO_INIT;
        pair->verdict = VERDICT_EQUAL;
        pair->same_bytes = true;
        CLI_TRY(cli_told(gf_io_probe(pair->paths[0], &criteria->limits, &info, &error), &error));
        pair->shapes[0] = pair->shapes[1] = info.shape;
    } else {
        CLI_TRY(pair_compare(criteria, pair, threads));
        CLI_TRY(criteria->diff ? draw(criteria, pair, file) : GF_OK);
    }
    if (criteria->update && pair->verdict == VERDICT_NEW) { /* what is expected can be read */
        char hash[65];
        CLI_TRY(pair_hash(criteria, pair->paths[1], hash, &pair->shapes[1]));
    }
    const bool differs = pair->verdict == VERDICT_CHANGED || pair->verdict == VERDICT_MOVED;
    return criteria->update && (differs || pair->verdict == VERDICT_NEW) ? update(criteria, pair, file)
                                                                         : GF_OK;
}

static void take_pair(const struct criteria *criteria, struct pair *pair, int threads, int file)
{
    if (compare_one(criteria, pair, threads, file) != GF_OK) {
        pair->verdict = VERDICT_FAILED;
    }
    pair_close(pair);
}

gf_status compare_folders(const struct criteria *criteria, struct pair_list *list)
{
    struct pair_list other = {NULL, 0};
    gf_status status = pair_list_walk(criteria, criteria->paths[0], 0, list);
    status = status == GF_OK ? pair_list_walk(criteria, criteria->paths[1], 1, &other) : status;
    status = status == GF_OK ? pair_list_join(list, &other) : status;
    pair_list_free(&other);
    if (status == GF_OK) {
        pair_list_each(criteria, list, take_pair);
    }
    return status;
}
