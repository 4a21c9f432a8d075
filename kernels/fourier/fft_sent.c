/* The factors of a plan in the memory of CUDA devices. */
#include "base/status.h"
#include "fourier/fft_plan.h"
#include "gpufilter/device.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    TABLES = 4 * GF_FFT_STAGES + 5, /* at most: of two lines and their sums, with what Bluestein's need; v */
    STAGED = 1 << 20                /* numbers that travel at a time */
};

/* The copy of one device. */
struct copy {
    gf_device device;
    void *memory;
    struct copy *next;
};

struct gf_fft_sent {
    pthread_mutex_t lock;
    struct copy *first;
    int32_t count;
    int64_t numbers; /* of all tables */
    struct {
        const float *re, *im;
        int64_t n;
    } table[TABLES];
};

/* Says where the next table lies. */
static int64_t add(struct gf_fft_sent *sent, const float *re, const float *im, int64_t n)
{
    const int64_t at = sent->numbers;
    sent->table[sent->count].re = re;
    sent->table[sent->count].im = im;
    sent->table[sent->count++].n = n;
    sent->numbers += n;
    return at;
}

static void add_line(struct gf_fft_sent *sent, struct gf_fft_line *line)
{
    for (int32_t s = 0; s < line->stages; s++) {
        struct gf_fft_stage *stage = &line->stage[s];
        stage->at = add(sent, stage->re, stage->im, (stage->radix - 1) * stage->span);
    }
    if (line->sum) {
        line->chirp_at = add(sent, line->chirp.re, line->chirp.im, line->n);
        line->b_at = add(sent, line->b.re, line->b.im, line->sum->n);
        add_line(sent, line->sum);
    }
}

gf_status gf_fft_sent_make(struct gf_fft_plan *plan, gf_error *error)
{
    plan->sent = calloc(1, sizeof *plan->sent);
    if (!plan->sent) {
        return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for a plan");
    }
    pthread_mutex_init(&plan->sent->lock, NULL);
    add_line(plan->sent, &plan->row);
    add_line(plan->sent, &plan->column);
    if (plan->joined.re) {
        plan->joined_at = add(plan->sent, plan->joined.re, plan->joined.im, plan->half);
    }
    return GF_OK;
}

uint64_t gf_fft_factor_bytes(const struct gf_fft_plan *plan)
{
    return (uint64_t)plan->sent->numbers * 2 * sizeof(float);
}

void gf_fft_sent_free(struct gf_fft_plan *plan)
{
    if (!plan->sent) {
        return;
    }
    for (struct copy *copy = plan->sent->first, *next; copy; copy = next) {
        next = copy->next;
        gf_memory_release(copy->device, copy->memory);
        free(copy);
    }
    pthread_mutex_destroy(&plan->sent->lock);
    free(plan->sent);
}

/* ---- Making one -------------------------------------------------------------------------------------- */

static gf_status upload(gf_queue queue, float *to, const float *from, size_t bytes, gf_error *error)
{
    GF_TRY(gf_memory_copy(queue, GF_COPY_UPLOAD, to, from, bytes, error));
    return gf_queue_wait(queue, error);
}

static gf_status send(const struct gf_fft_sent *sent, gf_queue queue, float *memory, gf_error *error)
{
    const int64_t most = sent->numbers < STAGED ? sent->numbers : STAGED;
    float *staged = malloc((size_t)most * 2 * sizeof(float) + 1);
    gf_status status = staged ? GF_OK : gf_fail(error, GF_ERROR_MEMORY, "fft: no memory to copy factors");
    int64_t held = 0, left = sent->numbers;
    for (int32_t t = 0; t < sent->count; t++) {
        for (int64_t i = 0; status == GF_OK && i < sent->table[t].n; i++) {
            staged[2 * held] = sent->table[t].re[i];
            staged[2 * held++ + 1] = sent->table[t].im[i];
            if (held == most || held == left) {
                status = upload(queue, memory, staged, (size_t)held * 2 * sizeof(float), error);
                memory += 2 * held;
                left -= held;
                held = 0;
            }
        }
    }
    free(staged);
    return status;
}

static gf_status make(struct gf_fft_sent *sent, gf_device device, struct copy **made, gf_error *error)
{
    struct copy *copy = calloc(1, sizeof *copy);
    if (!copy) {
        return gf_fail(error, GF_ERROR_MEMORY, "fft: no memory for a copy of factors");
    }
    *copy = (struct copy){device, NULL, sent->first};
    gf_status status =
        gf_memory_allocate(device, (size_t)sent->numbers * 2 * sizeof(float) + 1, &copy->memory, error);
    if (status == GF_OK) {
        status = send(sent, (gf_queue){device, NULL}, copy->memory, error);
    }
    if (status != GF_OK) {
        gf_memory_release(device, copy->memory);
        free(copy);
        return status;
    }
    *made = sent->first = copy;
    return GF_OK;
}

gf_status gf_fft_factors_on(const struct gf_fft_plan *plan, gf_device device, const float **factors,
                            gf_error *error)
{
    gf_status status = GF_OK;
    pthread_mutex_lock(&plan->sent->lock);
    struct copy *copy = plan->sent->first;
    while (copy && copy->device != device) {
        copy = copy->next;
    }
    if (!copy) {
        status = make(plan->sent, device, &copy, error);
    }
    *factors = copy ? copy->memory : NULL;
    pthread_mutex_unlock(&plan->sent->lock);
    return status;
}
