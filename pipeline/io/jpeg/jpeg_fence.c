#include "io/jpeg/jpeg_private.h"

#include <string.h>

_Noreturn void gf_jpeg_stop(struct gf_jpeg_fence *fence)
{
    longjmp(fence->stop, 1);
}

static void error_exit(j_common_ptr jpeg)
{
    struct gf_jpeg_fence *fence = (struct gf_jpeg_fence *)jpeg->err;
    jpeg->err->format_message(jpeg, fence->message);
    gf_jpeg_stop(fence);
}

/* Bytes in front of a restart marker are samples that were lost, unless they are zeros, with which webcams
 * pad. libjpeg tells only their number, and of those that it had taken in advance only at the next marker: so
 * all that it skipped is compared with all zeros that there were. */
static int is_padding(j_common_ptr jpeg, int count)
{
    struct gf_jpeg_reader *reader = jpeg->client_data;
    gf_jpeg_count_padding(reader, reader->jpeg.src->next_input_byte);
    reader->skipped += (uint64_t)count;
    return reader->skipped <= reader->padding + reader->zeros;
}

/* Returns what to note of a warning that leaves every sample as it was; NULL: samples are lost. */
static const char *harmless(j_common_ptr jpeg, struct gf_jpeg_fence *fence)
{
    const struct jpeg_error_mgr *manager = jpeg->err;
    const int *number = manager->msg_parm.i;
    switch (manager->msg_code) {
    case JWRN_EXTRANEOUS_DATA: /* cameras leave some before the end of the file */
        if (number[1] >= 0xd0 && number[1] <= 0xd7) {
            return is_padding(jpeg, number[0]) ? "zero bytes before restart markers, skipped" : NULL;
        }
        break;
    case JWRN_NOT_SEQUENTIAL: /* three bytes that mean nothing there, and that phones and cameras leave 0 */
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
        break;
    default:
        return NULL;
    }
    jpeg->err->format_message(jpeg, fence->message);
    return fence->message;
}

static void emit_message(j_common_ptr jpeg, int level)
{
    struct gf_jpeg_fence *fence = (struct gf_jpeg_fence *)jpeg->err;
    if (level >= 0) {
        return;
    }
    const char *what = harmless(jpeg, fence);
    if (what == NULL) {
        error_exit(jpeg);
    } else if (fence->note != NULL && strstr(fence->note, what) == NULL) { /* once, not for every scan */
        gf_add_note(fence->note, "%s", what);
    }
}

static void output_message(j_common_ptr jpeg)
{
    (void)jpeg; /* libjpeg's own would print */
}

void gf_jpeg_fence(struct gf_jpeg_fence *fence, char *note)
{
    jpeg_std_error(&fence->manager);
    fence->manager.error_exit = error_exit;
    fence->manager.emit_message = emit_message;
    fence->manager.output_message = output_message;
    fence->note = note;
}

int gf_jpeg_guard(struct gf_jpeg_fence *fence, void (*step)(void *argument), void *argument, gf_error *error)
{
    fence->error = error;
    /* Nothing in this frame changes after setjmp, so nothing can be clobbered. */
    if (setjmp(fence->stop) != 0) {
        return 0;
    }
    step(argument);
    return 1;
}
