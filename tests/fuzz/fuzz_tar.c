/* Tars that a batch reads: every member is found or refused, with the place; none is larger than the file.
 * What links and folders hold is nothing. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_path.h"

#include "base/message.h"
#include "batch/tar_read.h"

/* Goes through all members; those whose number is odd are taken, the others passed. */
static gf_status read_all(struct tar_reader *tar, size_t size)
{
    bool more = true;
    gf_status status = tar_next(tar, &more);
    for (size_t number = 0; status == GF_OK && more; number++) {
        struct buffer bytes = {0};
        FUZZ_CHECK(tar->name.length > 0 && tar->name.length <= 4095 &&
                       tar->name.data[tar->name.length] == '\0' &&
                       strlen(tar->name.data) == tar->name.length && tar->mtime >= 0,
                   "a name of %zu bytes", tar->name.length);
        FUZZ_CHECK(!(tar->is_file && tar->is_link) && tar->at <= size && number < size / 512, "member %zu",
                   number);
        if (number % 2 == 0) {
            status = tar_take(tar, &bytes);
            FUZZ_CHECK(status != GF_OK || bytes.length == tar->size, "%zu bytes", bytes.length);
            FUZZ_CHECK(bytes.length <= size, "more than there is");
        }
        buffer_free(&bytes);
        status = status == GF_OK ? tar_next(tar, &more) : status;
    }
    return status;
}

void fuzz_tar(const uint8_t *data, size_t size)
{
    struct tar_reader tar;
    char path[64];
    gf_error error = GF_ERROR_INIT;
    const int fd = fuzz_path(data, size, path);
    cli_catch(&error);
    gf_status status = tar_open(&tar, path);
    status = status == GF_OK ? read_all(&tar, size) : status;
    cli_catch(NULL);
    fuzz_status(status, &error);
    if (status != GF_OK) {
        FUZZ_CHECK(status == GF_ERROR_INPUT, "%d, %s", (int)status, error.message);
        fuzz_check_named(&error, path);
    }
    tar_close(&tar);
    close(fd);
}
