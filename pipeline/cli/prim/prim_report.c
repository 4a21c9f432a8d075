#include "prim/prim_report.h"

#include "base/message.h"
#include "help/other_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void prim_row_run(struct prim_job *job, struct prim_device *device, const struct prim_how *how,
                  struct prim_row *row)
{
    gf_error error = GF_ERROR_INIT;
    snprintf(row->algo, sizeof row->algo, "%s", how->algo);
    snprintf(row->device, sizeof row->device, "%s", device->word);
    row->untimed = !how->timed;
    row->status = prim_measure(job, device, how, &row->measured, &error);
    if (row->status != GF_OK) {
        snprintf(row->why, sizeof row->why, "%s",
                 error.message[0] ? error.message : gf_status_name(row->status));
    }
}

void prim_row_free(struct prim_row *row)
{
    prim_measurement_free(&row->measured);
}

static void results_of(const struct prim_row *row, const void *out[PRIM_BLOCKS])
{
    for (int i = 0; i < PRIM_BLOCKS; i++) {
        out[i] = row->measured.out[i].data;
    }
}

/* ---- Words --------------------------------------------------------------------------------------- */

static void add_time(struct buffer *text, double us)
{
    buffer_printf(text,
                  us < 9999.95   ? "%.1f us"
                  : us < 9999950 ? "%.1f ms"
                                 : "%.2f s",
                  us < 9999.95   ? us
                  : us < 9999950 ? us / 1e3
                                 : us / 1e6);
}

static void add_subject(const struct prim_job *job, struct buffer *text)
{
    struct buffer asked = {0};
    prim_options_add(&asked, &job->options);
    if (job->shape[0]) {
        buffer_add(text, job->shape);
    } else {
        buffer_printf(text, "%" PRId64, job->n);
    }
    buffer_printf(text, " %s, %s%s%s", gf_depth_name(job->type), job->file ? job->file : job->recipe.word,
                  asked.length ? ", " : "", asked.length ? asked.data : "");
    buffer_free(&asked);
}

/* Operations of arithmetic in a nanosecond. */
static double giga_a_second(const struct prim_job *job, const struct prim_measurement *m)
{
    return m->time_us > 0 ? job->driver->work(job) * 1e-3 / m->time_us : 0;
}

/* A call on no elements: it takes time, and has no speed. */
static bool moves_nothing(const struct prim_job *job, const void *const out[PRIM_BLOCKS])
{
    return prim_job_traffic(job, out) <= 0;
}

void prim_report_one(const struct prim_job *job, const struct prim_row *row, struct buffer *text)
{
    const struct prim_measurement *m = &row->measured;
    const void *out[PRIM_BLOCKS];
    results_of(row, out);
    buffer_printf(text, "%s, %s on %s: ", job->driver->name, row->algo, row->device);
    add_subject(job, text);
    buffer_add(text, "\n  result     ");
    job->driver->result(job, out, text, false);
    buffer_add(text, "\n  checked    ");
    switch (m->verdict) {
    case PRIM_UNCHECKED:
        buffer_add(text, "not asked for");
        break;
    case PRIM_RIGHT:
        buffer_add(text, "yes, every byte is that of 'sequential'");
        break;
    case PRIM_NEAR:
        buffer_printf(text, "yes, within %.3g of 'sequential': it adds in an order of its own", m->worst);
        break;
    case PRIM_WRONG:
        buffer_printf(text, "no: %s", m->difference);
        break;
    }
    buffer_add(text, "\n");
    if (m->timed) {
        buffer_add(text, "  time       ");
        add_time(text, m->time_us);
        buffer_printf(text, ", median of %d\n  bandwidth  ", m->repeat);
        if (moves_nothing(job, out)) {
            buffer_add(text, "none: there is nothing to read or write\n");
        } else {
            buffer_printf(text, "%.4g GB/s, %.2f of a copy (%.4g GB/s)\n", m->gbps, m->copy_fraction,
                          m->copy_gbps);
        }
        if (job->driver->work) {
            buffer_printf(text, "  arithmetic %.4g G operations a second\n", giga_a_second(job, m));
        }
    } else if (m->verdict != PRIM_WRONG) {
        buffer_printf(text, "  time       %s\n",
                      row->untimed ? "not taken: --time asks for it"
                                   : "none: an emulated device has no speed");
    }
}

/* ---- Table ------------------------------------------------------------------------------------------ */

static void add_line(const struct prim_job *job, const struct prim_row *row, struct buffer *text)
{
    static const char *const verdicts[] = {"-", "yes", "near", "no"};
    const struct prim_measurement *m = &row->measured;
    const void *out[PRIM_BLOCKS];
    struct buffer time = {0};
    results_of(row, out);
    buffer_printf(text, "  %-18s %-7s ", row->algo, row->device);
    if (row->status != GF_OK) {
        buffer_printf(text, "%-7s %s\n", "-", row->why);
        return;
    }
    buffer_printf(text, "%-7s ", verdicts[m->verdict]);
    if (m->timed) {
        add_time(&time, m->time_us);
        buffer_printf(text, "%11s ", time.data ? time.data : "");
        if (moves_nothing(job, out)) {
            buffer_printf(text, "%9s %8s\n", "-", "-");
        } else {
            buffer_printf(text, "%9.4g %8.2f\n", m->gbps, m->copy_fraction);
        }
        buffer_free(&time);
    } else {
        buffer_printf(text, "%s\n", m->verdict == PRIM_WRONG ? m->difference : "         no time: emulated");
    }
}

void prim_report_table(const struct prim_job *job, const struct prim_row *rows, int count,
                       struct buffer *text)
{
    const char *device = "";
    buffer_printf(text, "%s of ", job->driver->name);
    add_subject(job, text);
    buffer_printf(text, "\n  %-18s %-7s %-7s %11s %9s %8s\n", "variant", "device", "checked", "time", "GB/s",
                  "of copy");
    for (int i = 0; i < count; i++) {
        add_line(job, &rows[i], text);
    }
    for (int i = 0; i < count; i++) {
        if (rows[i].measured.timed && strcmp(device, rows[i].device) != 0) {
            device = rows[i].device;
            buffer_printf(text, "  a copy on %s: %.4g GB/s, read and written\n", device,
                          rows[i].measured.copy_gbps);
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void add_number(struct buffer *text, const char *name, bool there, double value)
{
    buffer_printf(text, ",\"%s\":", name);
    if (there) {
        buffer_printf(text, "%.6g", value); /* six digits are more than a clock has */
    } else {
        buffer_add(text, "null");
    }
}

void prim_report_json(const struct prim_job *job, const struct prim_row *row, struct buffer *text)
{
    static const char *const verdicts[] = {"null", "true", "true", "false"};
    const struct prim_measurement *m = &row->measured;
    const void *out[PRIM_BLOCKS];
    struct buffer asked = {0};
    results_of(row, out);
    prim_options_add(&asked, &job->options);
    buffer_printf(text, "{\"primitive\":\"%s\",\"algo\":", job->driver->name);
    buffer_json_text(text, row->algo);
    buffer_printf(text, ",\"device\":\"%s\",\"n\":%" PRId64, row->device, job->n);
    if (job->shape[0]) {
        buffer_printf(text, ",\"shape\":\"%s\"", job->shape);
    }
    buffer_printf(text, ",\"type\":\"%s\",\"data\":", gf_depth_name(job->type));
    buffer_json_text(text, job->file ? job->file : job->recipe.word);
    buffer_add(text, ",\"parameters\":");
    buffer_json_text(text, asked.data ? asked.data : "");
    buffer_free(&asked);
    buffer_printf(text, ",\"checked\":%s", row->status == GF_OK ? verdicts[m->verdict] : "null");
    add_number(text, "max_difference", m->verdict == PRIM_NEAR, m->worst);
    add_number(text, "time_us", m->timed, m->time_us);
    const bool moved = m->timed && !moves_nothing(job, out);
    add_number(text, "gbps", moved, m->gbps);
    add_number(text, "copy_fraction", moved, m->copy_fraction);
    add_number(text, "copy_gbps", m->timed, m->copy_gbps);
    if (job->driver->work) {
        add_number(text, "gops", m->timed, giga_a_second(job, m));
    }
    add_number(text, "repeat", m->timed, m->repeat);
    buffer_add(text, ",\"result\":");
    if (row->status == GF_OK) {
        job->driver->result(job, out, text, true);
    } else {
        buffer_add(text, "null");
    }
    if (row->status != GF_OK || m->verdict == PRIM_WRONG) {
        buffer_add(text, ",\"why\":");
        buffer_json_text(text, row->status != GF_OK ? row->why : m->difference);
    }
    buffer_add(text, "}");
}

/* ---- List ------------------------------------------------------------------------------------------- */

static void add_types(uint32_t types, struct buffer *text)
{
    for (int type = 0; type < 32; type++) {
        if (types >> type & 1) {
            buffer_printf(text, "%s%s", text->length > 0 ? " " : "", gf_depth_name((gf_depth)type));
        }
    }
}

static uint32_t types_of(const char *primitive)
{
    uint32_t types = 0;
    const gf_variant *v;
    for (size_t i = 0; (v = gf_primitive_variant(primitive, i)) != NULL; i++) {
        types |= v->types;
    }
    return types;
}

void prim_report_types(const char *primitive, struct buffer *text)
{
    add_types(types_of(primitive), text);
}

static void add_variant(const gf_variant *v, uint32_t common, struct buffer *text)
{
    buffer_printf(text, "  %-4s  %-18s %s", v->cuda ? "cuda" : "cpu", v->name, v->summary);
    buffer_printf(text, *v->parameters ? " (%s)" : "%s", v->parameters);
    if (v->types != common) {
        buffer_add(text, "; only");
        add_types(v->types, text);
    }
    if (v->max_n > 0) {
        buffer_printf(text, "; n up to %" PRId64, v->max_n);
    }
    buffer_add(text, v->loose ? "; float sums rounded in another order" : "");
    buffer_add(text, v->waits ? "; waits for its work" : "");
    buffer_add(text, v->deterministic ? "\n" : "; bits may differ\n");
}

static void add_primitive(const gf_primitive *primitive, struct buffer *text)
{
    const uint32_t common = types_of(primitive->name);
    const gf_variant *v;
    buffer_printf(text, "%s: %s\n", primitive->name, primitive->summary);
    for (size_t i = 0; (v = gf_primitive_variant(primitive->name, i)) != NULL; i++) {
        add_variant(v, common, text);
    }
    for (size_t i = 0; (v = gf_primitive_missing_variant(primitive->name, i)) != NULL; i++) {
        buffer_add(text, i > 0 ? "" : "  cuda  none: there is no CUDA backend. " PRIM_ELSEWHERE ":\n");
        add_variant(v, common, text);
    }
    buffer_add(text, "  types");
    add_types(common, text);
    primitive_page_add(text, primitive->name, "\n  page  ");
    buffer_add(text, "\n");
}

void prim_report_list(const char *name, struct buffer *text)
{
    const gf_primitive *primitive;
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        if (!name || !strcmp(primitive->name, name)) {
            buffer_add(text, text->length > 0 && !name ? "\n" : "");
            add_primitive(primitive, text);
        }
    }
}
