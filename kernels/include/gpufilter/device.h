/* gpufilter/device.h: memory, copies, streams and time marks of a device, for programs that have no
 * CUDA headers of their own. Programs that have may use CUDA directly: memory is cudaMalloc's, a stream
 * is a cudaStream_t.
 *
 * GF_DEVICE_CPU is a device too: plain memory, no streams, work done when the call returns.
 * Thread-safe; no globals. Calls on a CUDA device start it, and leave the thread's current device as it was.
 * GF_ERROR_DEVICE where the device is absent, lost or refuses; GF_ERROR_MEMORY; GF_ERROR_UNSUPPORTED for a
 * CUDA device where there is no CUDA backend: gf_cuda_missing says why. */
#ifndef GPUFILTER_DEVICE_H
#define GPUFILTER_DEVICE_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why there is no CUDA backend, in words that begin "no CUDA backend" and name the place where the module was
 * looked for, or what is wrong with it; "" where there is one. The text stays for the life of the process. */
GF_API const char *gf_cuda_missing(void);

/* Memory of the device, aligned to 256 bytes, not initialised; bytes > 0. Free with gf_memory_release. */
GF_API gf_status gf_memory_allocate(gf_device device, size_t bytes, void **memory, gf_error *error);

/* NULL-safe. Waits for work that uses the memory. */
GF_API void gf_memory_release(gf_device device, void *memory);

/* Pinned memory of the host: every CUDA device reads and writes it without the host's help. A copy from it or
 * to it is as fast as the bus and goes on while the host does something else; from and to other memory rows
 * take a way through pieces of it, copied by threads of the host (gf_exec_run of pipeline.h). The library
 * sees by itself which memory is pinned, by these calls, by cudaHostAlloc or by cudaHostRegister.
 *
 * It cannot be swapped out, so too much of it slows all down; and to make it takes as long as several copies
 * of it: keep it for pictures that come again and again. Aligned to 256 bytes, not initialised; bytes > 0. On
 * the CPU plain memory. gf_pinned_release is NULL-safe, and waits for no copy. */
GF_API gf_status gf_pinned_allocate(gf_device device, size_t bytes, void **memory, gf_error *error);
GF_API void gf_pinned_release(gf_device device, void *memory);

/* Pins memory of the caller, and makes it pageable again, which is to be done before it is freed; no copy may
 * be under way then. On the CPU nothing happens. */
GF_API gf_status gf_memory_pin(gf_device device, void *memory, size_t bytes, gf_error *error);
GF_API gf_status gf_memory_unpin(gf_device device, void *memory, gf_error *error);

/* Direction of a copy; on the CPU all are the same. */
typedef enum gf_copy_kind {
    GF_COPY_UPLOAD,   /* host to device */
    GF_COPY_DOWNLOAD, /* device to host */
    GF_COPY_DEVICE    /* within the device */
} gf_copy_kind;

/* Queues a copy. Both memories must live, and the source stay as it is, until the queue has been waited for.
 */
GF_API gf_status gf_memory_copy(gf_queue queue, gf_copy_kind kind, void *to, const void *from, size_t bytes,
                                gf_error *error);

/* A queue with a stream of its own. Destroy with gf_queue_destroy, which resets it to {GF_DEVICE_CPU, NULL}.
 */
GF_API gf_status gf_queue_create(gf_device device, gf_queue *queue, gf_error *error);
GF_API void gf_queue_destroy(gf_queue *queue);

/* Waits for all work of the queue and reports the first failure of it. */
GF_API gf_status gf_queue_wait(gf_queue queue, gf_error *error);

/* A moment in the order of a queue's work. */
typedef struct gf_mark gf_mark;
GF_API gf_status gf_mark_create(gf_device device, gf_mark **mark, gf_error *error);
GF_API void gf_mark_destroy(gf_device device, gf_mark **mark);
GF_API gf_status gf_mark_record(gf_queue queue, gf_mark *mark, gf_error *error);

/* Milliseconds from one recorded mark to another of the same device, after the queue has been waited for. */
GF_API gf_status gf_mark_elapsed(gf_device device, gf_mark *from, gf_mark *to, double *milliseconds,
                                 gf_error *error);

/* What the calling thread has had queued on devices of that kind so far: kernels that were launched (on the
 * CPU 0), and additions of the published scans, which only an emulated device counts; -1 elsewhere. */
GF_API gf_status gf_work_counted(gf_device device, int64_t *launches, int64_t *additions, gf_error *error);

#ifdef __cplusplus
}
#endif
#endif
