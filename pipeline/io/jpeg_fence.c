#include "jpeg_private.h"

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

/* Bytes that belong to nothing cost no sample, and cameras leave some before the end of the file. Before a
 * restart marker they are samples that were lost. */
static int harmless(const struct jpeg_error_mgr *manager)
{
    switch (manager->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
        return manager->msg_parm.i[1] < 0xd0 || manager->msg_parm.i[1] > 0xd7;
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
        return 1;
    default:
        return 0;
    }
}

static void emit_message(j_common_ptr jpeg, int level)
{
    struct gf_jpeg_fence *fence = (struct gf_jpeg_fence *)jpeg->err;
    if (level >= 0) {
        return;
    }
    if (!harmless(jpeg->err)) {
        error_exit(jpeg);
    }
    if (fence->note != NULL) {
        jpeg->err->format_message(jpeg, fence->message);
        gf_add_note(fence->note, "%s", fence->message);
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
