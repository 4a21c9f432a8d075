/* --verify of a signal: the judge takes what the exec takes, and at the end both have made the same. */
#include "base/argument_value.h"
#include "base/message.h"
#include "gpufilter/device.h"
#include "job/job_signal.h"

#include <inttypes.h>
#include <string.h>

gf_status job_signal_have_judged(struct job_signal *s, int64_t got, bool ends)
{
    const int64_t makes = ends ? gf_signal_exec_left(s->judge) : gf_signal_exec_ready(s->judge, got);
    const int64_t all = s->judged + makes;
    gf_error error = GF_ERROR_INIT;
    int64_t made = 0;
    CLI_TRY(job_signal_reserve(s, &s->right, all > s->right.pitch ? 2 * all : all, s->judged));
    float *out = s->right.data ? s->right.data + s->judged : NULL;
    CLI_TRY(cli_told(ends ? gf_signal_exec_end(s->judge, out, s->right.pitch, &made, &error)
                          : gf_signal_exec_feed(s->judge, s->in.data, s->in.pitch, got, out, s->right.pitch,
                                                &made, &error),
                     &error));
    s->judged += made;
    return GF_OK;
}

/* The results of both execs are the same. */
static gf_status verify_results(const struct job_signal *s)
{
    gf_error error = GF_ERROR_INIT;
    bool same = true;
    for (int32_t i = 0; same && i < gf_signal_exec_result_count(s->exec); i++) {
        struct buffer a = {0}, b = {0};
        const gf_result *of = gf_signal_exec_result(s->exec, i);
        gf_status status = buffer_add_result(&a, of, GF_PRINT_JSON, &error);
        status = status == GF_OK
                     ? buffer_add_result(&b, gf_signal_exec_result(s->judge, i), GF_PRINT_JSON, &error)
                     : status;
        if (status == GF_OK && (a.failed || b.failed)) {
            status = cli_error(&error, GF_ERROR_MEMORY, "out of memory");
        }
        same = status == GF_OK && a.length == b.length && !memcmp(a.data, b.data, a.length);
        buffer_free(&a);
        buffer_free(&b);
        if (!same) {
            return status != GF_OK
                       ? cli_fail_error(status, &error)
                       : cli_fail(GF_ERROR_MISMATCH, "--verify: the result of stage %d '%s' differs",
                                  (int)of->index + 1, of->stage);
        }
    }
    return GF_OK;
}

gf_status job_signal_verify(struct job_signal *s)
{
    char device[24];
    if (!s->judge) {
        return GF_OK;
    }
    do {
        CLI_TRY(job_signal_have_judged(s, 0, true));
    } while (gf_signal_exec_left(s->judge) > 0);
    device_word(gf_signal_plan_device(s->plan), device);
    if (s->judged != s->made) {
        return cli_fail(GF_ERROR_MISMATCH, "--verify: %s makes %" PRId64 " frames, and must make %" PRId64,
                        device, s->made, s->judged);
    }
    for (int32_t c = 0; c < gf_signal_plan_output(s->plan).channels; c++) {
        for (int64_t i = 0; i < s->made; i++) {
            const float a = s->all.data[c * s->all.pitch + i], b = s->right.data[c * s->right.pitch + i];
            if (memcmp(&a, &b, sizeof a) != 0 && (a == a || b == b)) {
                return cli_fail(GF_ERROR_MISMATCH,
                                "--verify: frame %" PRId64 " of channel %d is %.9g on %s, and must be %.9g",
                                i, c + 1, (double)a, device, (double)b);
            }
        }
    }
    CLI_TRY(verify_results(s));
    gf_pinned_release(s->memory, s->right.data);
    s->right = (struct frames){0};
    s->job->verified = true;
    s->job->judge = gf_signal_plan_device(s->judge_plan);
    cli_note("verified: %s and %s give the same, bit for bit", device,
             gf_device_kind(gf_signal_plan_device(s->judge_plan)));
    return GF_OK;
}
