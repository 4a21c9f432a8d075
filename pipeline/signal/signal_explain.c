/* What a chain over a signal will do, as text and as JSON. */
#include "base/text.h"
#include "design/response.h"
#include "gpufilter/inputs.h"
#include "lang/pipeline.h"
#include "pixel/along/formula_along.h"
#include "signal/signal_plan.h"
#include "signal/stft.h"

#include <inttypes.h>

static void add_frames(struct gf_text *text, const gf_signal_shape *shape)
{
    gf_text_append(text, "%d channel%s, ", shape->channels, shape->channels == 1 ? "" : "s");
    if (shape->rate > 0) {
        gf_text_number(text, shape->rate);
        gf_text_string(text, " Hz");
    } else {
        gf_text_string(text, "rate unknown");
    }
    if (shape->frames >= 0) {
        gf_text_append(text, ", %" PRId64 " frames", shape->frames);
    }
    gf_text_string(text, "\n");
}

static void add_section(struct gf_text *text, const struct gf_section *section, int32_t index)
{
    const double numbers[] = {section->b0, section->b1, section->b2, section->a1, section->a2};
    static const char *const names[] = {"b", "", "", "  a 1", ""};
    const struct gf_section_poles poles = gf_section_poles(section);
    gf_text_append(text, "         section %d ", index + 1);
    for (int i = 0; i < 5; i++) {
        gf_text_append(text, "%s ", names[i]);
        gf_text_number(text, numbers[i]);
    }
    gf_text_string(text, poles.complex ? "\n           poles " : "\n           pole ");
    gf_text_fixed(text, 0, 9, poles.first);
    gf_text_string(text, poles.complex ? " +- " : ", ");
    gf_text_fixed(text, 0, 9, poles.second);
    gf_text_string(text, poles.complex ? "i, radius " : ", radius ");
    gf_text_fixed(text, 0, 9, poles.radius);
    gf_text_string(text, "\n");
}

static void add_iir(struct gf_text *text, const struct gf_lowered_node *node)
{
    const struct gf_signal_iir *args = node->node.args;
    const bool zero_phase = node->node.kernel == &gf_signal_iir_settled, again = zero_phase && !node->n_marks;
    gf_text_append(text, ": %d section%s of second order%s, settled after ", args->count,
                   args->count == 1 ? "" : "s",
                   again        ? " backward"
                   : zero_phase ? " forward"
                                : "");
    gf_text_fixed(text, 0, 0, gf_sections_settling(args->section, args->count));
    gf_text_string(text, " frames\n");
    for (int32_t i = 0; i < args->count && !again; i++) {
        add_section(text, &args->section[i], i);
    }
    for (int32_t i = 0; i < node->n_marks; i++) {
        gf_text_string(text, "         gain ");
        gf_text_fixed(text, 0, 3,
                      gf_sections_response(args->section, args->count, node->marks[i] / node->rate).db);
        gf_text_string(text, " dB at ");
        gf_text_number(text, node->marks[i]);
        gf_text_string(text, " Hz\n");
    }
}

/* What a node does, behind the name of its stage. rate: of its output. */
static void add_node(struct gf_text *text, const struct gf_lowered_node *node, double rate)
{
    const struct gf_signal_kernel *kernel = node->node.kernel;
    if (kernel == &gf_signal_iir || kernel == &gf_signal_iir_settled) {
        add_iir(text, node);
        return;
    }
    gf_text_string(text, ": ");
    if (kernel == &gf_signal_fir || kernel == &gf_signal_envelope || kernel == &gf_signal_overlap) {
        const struct gf_signal_fir *args = node->node.args; /* which those of gf_signal_overlap begin with */
        gf_text_append(text, "%d taps, %d of them ahead", args->taps, args->centre);
        if (kernel == &gf_signal_overlap) {
            gf_text_append(text, ", %d frames at a time",
                           ((const struct gf_signal_overlap *)node->node.args)->stft->hop);
        }
    } else if (kernel == &gf_signal_resample) {
        const struct gf_signal_resample *args = node->node.args;
        gf_text_append(text, "%" PRId64 " frames for %" PRId64 ", %d taps each", args->up, args->down,
                       args->taps);
        const bool exact = node->rate * (double)args->up / (double)args->down == rate;
        gf_text_string(text, exact ? "" : ", which is the ratio within 1e-9");
    } else if (kernel == &gf_signal_rank) {
        const struct gf_signal_rank *args = node->node.args;
        gf_text_append(text, "rank %d of %d frames", args->rank, args->size);
    } else if (kernel == &gf_signal_comb) {
        gf_text_append(text, "%d frames back", ((const struct gf_signal_comb *)node->node.args)->delay);
    } else if (kernel == &gf_signal_rms) {
        gf_text_append(text, "rms of %d frames", ((const struct gf_signal_rms *)node->node.args)->size);
    } else if (node->measure) {
        gf_text_string(text, gf_signal_barrier_of(&node->node) ? "waits for the whole signal, and measures it"
                                                               : "measures");
    } else if (kernel == &gf_signal_gain) {
        gf_text_string(text, "times ");
        gf_text_number(text, (double)((const struct gf_signal_gain *)node->node.args)->gain);
    } else if (kernel == &gf_signal_extend) {
        gf_text_append(text, "%d frames more at each end",
                       ((const struct gf_signal_extend *)node->node.args)->frames);
    } else if (gf_signal_barrier_of(&node->node)) {
        gf_text_string(text, "waits for the whole signal");
        gf_text_string(text, gf_signal_barrier_of(&node->node)->backward ? ", and turns it round" : "");
    } else if (kernel == &gf_signal_spectrogram || kernel == &gf_signal_mel) {
        const struct gf_stft *stft = ((const struct gf_signal_spectrogram *)node->node.args)->stft;
        if (stft->mel) {
            gf_text_append(text, "%d bands, ", stft->mel->bands);
        }
        gf_text_append(text, "a column every %d frame%s, of %d frames", stft->hop, stft->hop == 1 ? "" : "s",
                       stft->size);
    } else if (kernel == &gf_signal_mix) {
        gf_text_append(text, "%d of %d channels", kernel->outputs(node->node.args, 0), node->channels);
    } else if (kernel == &gf_signal_formula) {
        const struct gf_signal_formula *args = node->node.args;
        gf_text_append(text, "%d formula%s, %d channel%s by number", args->rows, args->rows == 1 ? "" : "s",
                       args->reads, args->reads == 1 ? "" : "s");
    } else if (kernel == &gf_signal_fade) {
        const struct gf_signal_fade *args = node->node.args;
        gf_text_append(text, "in over %" PRId64 " frames, out over %" PRId64, args->in, args->out);
    } else if (kernel == &gf_signal_shift) {
        const struct gf_signal_shift *args = node->node.args;
        gf_text_append(text, "from frame %" PRId64 " on, %" PRId64 " in front and %" PRId64 " behind",
                       args->start, args->before, args->after);
    } else {
        gf_text_string(text, "each frame by itself");
    }
    gf_text_string(text, "\n");
}

static void add_device(const gf_signal_plan *plan, struct gf_text *text)
{
    gf_text_string(text, gf_device_kind(plan->device));
    if (plan->device >= 0) {
        gf_text_append(text, ":%d", plan->device);
    }
}

/* Those that the stage changes, as by nodes that carry them beside a copy. */
static void add_channels(struct gf_text *text, const gf_signal_plan *plan, const struct gf_lowered_node *node)
{
    const uint32_t chosen = (uint32_t)plan->pipeline->nodes[node->stage].common.channels;
    const bool some = !(chosen & GF_CHANNELS_ALL) && node->node.kernel != &gf_signal_extend;
    for (int32_t c = 0, shown = 0; some && c < GF_CHANNELS_NAMED; c++) {
        if (chosen >> c & 1) {
            gf_text_append(text, "%s%d", shown++ ? "+" : ", channels=", c);
        }
    }
}

static void explain_text(const gf_signal_plan *plan, struct gf_text *text)
{
    gf_text_string(text, "device   ");
    add_device(plan, text);
    if (plan->device == GF_DEVICE_CPU) {
        gf_text_append(text, ", %d thread%s", plan->threads, plan->threads == 1 ? "" : "s");
    }
    gf_text_append(text, ": %s\ninput    ", plan->reason);
    add_frames(text, &plan->input);
    const int32_t others = gf_pipeline_input_count(plan->pipeline) - 1;
    for (int32_t i = 0; i < others && i < plan->n_others; i++) { /* not those of a picture before it */
        gf_text_append(text, "input    %s\n         ", plan->others[i].name);
        add_frames(
            text, &(gf_signal_shape){plan->others[i].frames, plan->others[i].channels, plan->others[i].rate});
    }
    for (int32_t i = 0; i < plan->chain.n; i++) {
        const struct gf_lowered_node *node = &plan->chain.nodes[i];
        gf_text_append(text, "node %-3d %s", i + 1, plan->pipeline->nodes[node->stage].type->name);
        for (int32_t k = 1; k <= node->joined; k++) {
            gf_text_append(text, ", %s", plan->pipeline->nodes[node->stage + k].type->name);
        }
        add_channels(text, plan, node);
        add_node(text, node, i + 1 < plan->chain.n ? node[1].rate : plan->chain.rate);
    }
    gf_text_string(text, "output   ");
    gf_text_string(text, plan->is_picture ? "a picture of channels as rows, frames as columns: " : "");
    add_frames(text, &plan->output);
}

static void json_shape(struct gf_text *text, const char *name, const gf_signal_shape *shape)
{
    gf_text_append(text, "\"%s\":{\"frames\":%" PRId64 ",\"channels\":%d,\"rate\":", name, shape->frames,
                   shape->channels);
    gf_text_json_number(text, shape->rate);
    gf_text_string(text, "}");
}

static void json_others(struct gf_text *text, const gf_signal_plan *plan)
{
    const int32_t all = gf_pipeline_input_count(plan->pipeline) - 1;
    const int32_t n = all < plan->n_others ? all : plan->n_others;
    for (int32_t i = 0; i < n; i++) {
        const struct gf_signal_other *other = &plan->others[i];
        gf_text_string(text, i ? ",{\"name\":" : ",\"other_inputs\":[{\"name\":");
        gf_text_json_string(text, other->name);
        gf_text_string(text, ",");
        json_shape(text, "shape", &(gf_signal_shape){other->frames, other->channels, other->rate});
        gf_text_string(text, i + 1 == n ? "}]" : "}");
    }
}

static void json_sections(struct gf_text *text, const struct gf_signal_iir *args)
{
    gf_text_string(text, ",\"sections\":[");
    for (int32_t i = 0; i < args->count; i++) {
        const struct gf_section *s = &args->section[i];
        const double row[] = {s->b0, s->b1, s->b2, 1, s->a1, s->a2}; /* as SciPy has it */
        for (int k = 0; k < 6; k++) {
            gf_text_string(text, k ? "," : i ? ",[" : "[");
            gf_text_json_number(text, row[k]);
        }
        gf_text_string(text, "]");
    }
    gf_text_string(text, "]");
}

static void explain_json(const gf_signal_plan *plan, struct gf_text *text)
{
    gf_text_string(text, "{\"device\":\"");
    add_device(plan, text);
    gf_text_append(text, "\",\"threads\":%d,\"reason\":", plan->threads);
    gf_text_json_string(text, plan->reason);
    gf_text_string(text, ",");
    json_shape(text, "input", &plan->input);
    gf_text_string(text, ",");
    json_shape(text, "output", &plan->output);
    json_others(text, plan);
    gf_text_string(text, plan->is_picture ? ",\"picture\":true" : "");
    gf_text_string(text, ",\"nodes\":[");
    for (int32_t i = 0; i < plan->chain.n; i++) {
        const struct gf_lowered_node *node = &plan->chain.nodes[i];
        gf_text_append(text, "%s{\"stage\":%d,\"name\":\"%s\",\"kernel\":\"%s\"", i ? "," : "", node->stage,
                       plan->pipeline->nodes[node->stage].type->name, node->node.kernel->name);
        if (node->joined > 0) { /* stages behind it */
            gf_text_append(text, ",\"joined\":%d", node->joined);
        }
        if (node->node.kernel == &gf_signal_iir || node->node.kernel == &gf_signal_iir_settled) {
            json_sections(text, node->node.args);
        } else if (node->node.kernel == &gf_signal_spectrogram || node->node.kernel == &gf_signal_mel) {
            const struct gf_stft *stft = ((const struct gf_signal_spectrogram *)node->node.args)->stft;
            gf_text_append(text, ",\"size\":%d,\"hop\":%d", stft->size, stft->hop);
        } else if (node->node.kernel == &gf_signal_formula) {
            gf_text_append(text, ",\"formulas\":%d",
                           ((const struct gf_signal_formula *)node->node.args)->rows);
        }
        gf_text_string(text, "}");
    }
    gf_text_string(text, "]}");
}

static void explain(const void *plan, gf_print_format format, struct gf_text *text)
{
    (format == GF_PRINT_JSON ? explain_json : explain_text)(plan, text);
}

gf_status gf_signal_plan_explain(const gf_signal_plan *plan, gf_print_format format, char *buffer,
                                 size_t capacity, size_t *length, gf_error *error)
{
    return gf_print(plan, "plan", explain, GF_PRINT_JSON, format, buffer, capacity, length, error);
}
