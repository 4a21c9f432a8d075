/* What calls would queue on a device: kernels, fills and copies of memory, noted in their order instead of
 * being run. The emulated device (GPUFILTER_CUDA=EMU) can do it. Notes come from where kernels are launched,
 * so they are what runs.
 *
 *     gf_notes_begin(0, &error);
 *     gf_scan(queue, &options, in, n, out, scratch, bytes, &error);    memory need not be there: nothing touches it
 *     gf_notes_end(0);
 *     for (size_t i = 0; (note = gf_note_at(0, i)) != NULL; i++) ...
 *
 * A call whose variant waits (gf_variant.waits) may read on the host what its kernels would have written, and
 * launch more by it: such calls are not for notes. One thread at a time. Errors: GF_ERROR_UNSUPPORTED where
 * the device notes nothing. */
#ifndef GPUFILTER_QUEUE_NOTES_H
#define GPUFILTER_QUEUE_NOTES_H

#include "gpufilter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_queue_note {
    const char *kernel; /* "gf_scan_naive"; NULL: a fill or a copy */
    uint32_t grid[3], block[3];
    uint64_t bytes; /* dynamic shared memory of a block; or how many are filled or copied */
} gf_queue_note;

/* Forgets all notes, and notes from now on. */
GF_API gf_status gf_notes_begin(gf_device device, gf_error *error);
GF_API void gf_notes_end(gf_device device);

/* The index-th note; NULL past the last. Valid until the next gf_notes_begin. */
GF_API const gf_queue_note *gf_note_at(gf_device device, size_t index);

#ifdef __cplusplus
}
#endif
#endif
