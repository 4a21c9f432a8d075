/* Memory and order of work on one device: what an executor needs beside kernels.
 * The only two implementations are gf_backend_cpu and gf_backend_cuda (which may be absent: then
 * gf_backend_for says so). Entries never print and keep no global state. They may return
 * GF_STATUS_LOST (status.h); after it only what releases may be called for that device. */
#pragma once

#include "gpufilter/device.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gf_device_info {
    char name[128];
    int32_t compute_major, compute_minor; /* 0 on the CPU */
    int32_t multiprocessors;              /* on the CPU those for this process */
    uint64_t memory, memory_free;         /* bytes */
    uint64_t l2;                          /* bytes, 0 when unknown */
    int32_t driver, runtime;              /* CUDA versions as 13000; 0 on the CPU */
};

struct gf_backend {
    const char *name; /* how users call it: "cpu", "cuda", or "emu" where CUDA is emulated (tests/emu) */

    /* What a plan that may choose knows before anything is started. CPU: false and NULL.
     * list: devices that the operating system names, at most `capacity`. */
    bool emulated;
    int32_t (*list)(char names[][128], int32_t capacity);

    /* Number of devices; 0 (and GF_OK) where there is no driver. */
    gf_status (*count)(int32_t *count, gf_error *error);
    /* Does what the first use of the device would do, so that a thread can do it while others work. CPU:
     * NULL. GF_ERROR_DEVICE when there is no such device. */
    gf_status (*start)(gf_device device, gf_error *error);
    gf_status (*info)(int32_t ordinal, struct gf_device_info *info, gf_error *error);

    /* Memory of the device, 256-byte aligned, uninitialised; bytes > 0. release(NULL) is a no-op. */
    gf_status (*allocate)(gf_device device, size_t bytes, void **memory, gf_error *error);
    void (*release)(gf_device device, void *memory);

    /* Memory of the host that all devices of the backend read and write without the host's help (pinned): the
     * only one whose copies go on while the host does something else. On the CPU any memory. */
    gf_status (*pinned_allocate)(gf_device device, size_t bytes, void **memory, gf_error *error);
    void (*pinned_release)(gf_device device, void *memory);
    /* Makes memory of the caller such memory, and takes that back. */
    gf_status (*pin)(gf_device device, void *memory, size_t bytes, gf_error *error);
    gf_status (*unpin)(gf_device device, void *memory, gf_error *error);
    /* Tells whether all of it is, however it came to be. CPU: no. */
    gf_status (*is_pinned)(gf_device device, const void *memory, size_t bytes, bool *is, gf_error *error);

    /* Streams for callers that have none. CPU: NULL streams. */
    gf_status (*stream_create)(gf_device device, void **stream, gf_error *error);
    void (*stream_destroy)(gf_device device, void *stream);

    /* Queued copies of `rows` rows of row_bytes bytes; host memory must stay valid until wait. */
    gf_status (*copy)(gf_queue queue, enum gf_copy_kind kind, void *to, int64_t to_pitch, const void *from,
                      int64_t from_pitch, size_t row_bytes, int64_t rows, gf_error *error);

    /* Waits for all work of the queue and reports the first failure of it. */
    gf_status (*wait)(gf_queue queue, gf_error *error);

    /* Time marks on the queue: created, recorded in order, read after wait (milliseconds from `from` to
     * `to`). CPU marks take a monotonic clock. sleeps: whoever waits for the mark leaves the processor to
     * others, and is woken a little late; else it looks again and again. */
    gf_status (*mark_create)(gf_device device, bool sleeps, void **mark, gf_error *error);
    void (*mark_destroy)(gf_device device, void *mark);
    gf_status (*mark_record)(gf_queue queue, void *mark, gf_error *error);
    /* Waits for what the queue was given before the mark was recorded; not for what came later. */
    gf_status (*mark_wait)(gf_device device, void *mark, gf_error *error);
    gf_status (*mark_elapsed)(void *from, void *to, double *milliseconds, gf_error *error);

    /* gf_work_counted of device.h. CPU: NULL. */
    void (*work)(int64_t *launches, int64_t *additions);
};

extern const struct gf_backend gf_backend_cpu;
extern const struct gf_backend gf_backend_cuda; /* where it is linked: in the module, or in what has none */

/* CUDA's, linked or of the module, which the first call opens; NULL: there is none (gf_cuda_missing).
 * Thread-safe; the answer stays for the life of the process. */
const struct gf_backend *gf_cuda_backend(void);

/* The backend of a device: CPU for GF_DEVICE_CPU, CUDA for N >= 0; NULL when there is none. */
const struct gf_backend *gf_backend_for(gf_device device);

#ifdef __cplusplus
}
#endif
