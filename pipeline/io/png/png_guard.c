#include "io/png/png_private.h"

#include "base/status.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>

int gf_png_guard(struct gf_png *p, void (*step)(void *argument), void *argument, gf_error *error)
{
    p->error = error;
    /* Nothing in this frame changes after setjmp, so nothing can be clobbered. */
    if (setjmp(png_jmpbuf(p->png)) != 0) {
        return 0;
    }
    step(argument);
    /* libpng shrugs at some failed allocations and goes on without what it had to keep. */
    return p->budget.refused == 0 && !p->budget.exhausted;
}

gf_status gf_png_memory(const struct gf_png *p, const char *label, gf_error *error)
{
    if (p->budget.exhausted) {
        return gf_fail(error, GF_ERROR_MEMORY, "%s: no memory for PNG", label);
    }
    if (p->budget.refused != 0) {
        return gf_fail(error, GF_ERROR_LIMIT,
                       "%s: needs %" PRIu64 " bytes beside the %" PRIu64
                       " it holds, beyond max_memory, %" PRIu64,
                       label, p->budget.refused, p->budget.used, p->budget.limit);
    }
    return GF_OK;
}

png_voidp gf_png_malloc(png_structp png, png_alloc_size_t size)
{
    struct gf_png *p = png_get_mem_ptr(png);
    return gf_budget_alloc(&p->budget, size);
}

void gf_png_free(png_structp png, png_voidp memory)
{
    struct gf_png *p = png_get_mem_ptr(png);
    gf_budget_free(&p->budget, memory);
}

void gf_png_error(png_structp png, png_const_charp message)
{
    struct gf_png *p = png_get_error_ptr(png);
    snprintf(p->message, sizeof p->message, "%s", message != NULL ? message : "unknown");
    png_longjmp(png, 1);
}
