/* What will run, where and why, as text and as JSON. */
#include "base/text.h"
#include "lang/pipeline.h"
#include "pixel/ir/kernel_table.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "plan/staged.h"

#include <string.h>

/* ---- what a pass does, in words: "gray | separable 5x5 | table | store u8 | hist" ---- */

static const char *const insn_words[] = {
#define GF_INSN(name, word, properties, channels) [GF_INSN_##name] = word,
#include "pixel/ir/instructions.def"
#undef GF_INSN
};

static void add_word(struct gf_text *text, const char *word)
{
    gf_text_append(text, "%s%s", text->length ? " | " : "", word);
}

static const char *kernel_words(const struct gf_kernel *kernel)
{
    return kernel->words ? kernel->words : kernel->name;
}

static void add_program(struct gf_text *text, const struct gf_program *program)
{
    for (int32_t i = 0; i < program->n; i++) {
        if (insn_words[program->insn[i].code]) {
            add_word(text, insn_words[program->insn[i].code]);
        }
    }
}

static void add_window(struct gf_text *text, const struct gf_window *window)
{
    struct gf_halo halo;
    window->kernel->window.halo(window, &halo);
    add_word(text, window->kernel->name);
    const char *title = window->kernel->window.title ? window->kernel->window.title(window) : NULL;
    if (title) {
        gf_text_append(text, " '%.40s'", title);
    }
    bool beyond = halo.turns_x > 0 || halo.turns_y > 0;
    gf_text_append(text, " %lldx%lld%s %s", (long long)(halo.left + halo.right + 1),
                   (long long)(halo.up + halo.down + 1), beyond ? " and turns of" : "",
                   gf_border_name(window->border));
}

static void describe_step(const gf_plan *plan, int32_t index, struct gf_text *text)
{
    const struct gf_step *step = &plan->steps.step[index];
    if (step->kind != GF_STEP_PASS) {
        const struct gf_kernel *kernel = step->kind == GF_STEP_APPLY ? step->u.apply.kernel : NULL;
        add_word(text, kernel ? kernel_words(kernel) : "a function of the embedder");
        return;
    }
    const struct gf_pass *pass = step->u.pass;
    gf_text_append(text, "load %s", gf_depth_name(plan->lowered.list.values[pass->in].depth));
    gf_text_string(text, pass->map.move.kernel ? " from other places" : "");
    add_program(text, &pass->pre);
    if (pass->window.kernel) {
        add_window(text, &pass->window);
    }
    add_program(text, &pass->post);
    if (pass->out != GF_NONE) {
        add_word(text, "store ");
        gf_text_string(text, gf_depth_name(plan->lowered.list.values[pass->out].depth));
    }
    for (int32_t i = 0; i < pass->n_taps; i++) {
        add_word(text, kernel_words(pass->taps[i].kernel));
    }
}

/* Returns how the device runs the step, where it is a pass; NULL: it is none, or the device has no way. */
static const char *path_name(const gf_plan *plan, int32_t index)
{
    const struct gf_step *step = &plan->steps.step[index];
    const struct gf_path *path = step->kind == GF_STEP_PASS ? gf_pass_path(step->u.pass, plan->device) : NULL;
    return path ? path->name : NULL;
}

/* ---- text ---- */

static const char *channel_word(int32_t channels)
{
    static const char *const words[] = {"", "gray", "gray+alpha", "RGB", "RGBA"};
    return words[channels];
}

static void add_shape(struct gf_text *text, const char *label, gf_shape shape)
{
    gf_text_append(text, "%-8s %lld x %lld %s %s\n", label, (long long)shape.width, (long long)shape.height,
                   channel_word(shape.channels), gf_depth_name(shape.depth));
}

static void add_bytes(struct gf_text *text, uint64_t bytes)
{
    if (bytes < 1000000) {
        gf_text_append(text, "%llu B", (unsigned long long)bytes);
    } else {
        gf_text_fixed(text, 0, 1, (double)bytes * 1e-6);
        gf_text_string(text, " MB");
    }
}

static void add_device(struct gf_text *text, const gf_plan *plan)
{
    if (plan->device >= 0) {
        gf_text_append(text, "device   %s:%d (%s)\n", gf_device_kind(plan->device), plan->device,
                       plan->reason);
    } else {
        gf_text_append(text, "device   %s, %d thread%s (%s)\n", gf_device_kind(plan->device), plan->threads,
                       plan->threads == 1 ? "" : "s", plan->reason);
    }
}

static void add_bands(struct gf_text *text, const gf_plan *plan)
{
    const struct gf_bands *bands = &plan->bands;
    if (bands->count > 1) {
        gf_text_append(text, "bands    %lld, of at most %lld rows", (long long)bands->count,
                       (long long)bands->height);
        if (bands->above || bands->below) {
            gf_text_append(text, ", of which %lld above and %lld below are read again",
                           (long long)bands->above, (long long)bands->below);
        }
        if (bands->sweeps > 1) {
            gf_text_append(text, "\nsweeps   %d over all bands, the input is %s: %s", bands->sweeps,
                           bands->holds_input || !plan->options.stream_rows ? "held" : "read again",
                           bands->waits);
        }
    } else {
        gf_text_string(text, "bands    none, the whole picture at once");
        gf_text_append(text, "%s%s", *bands->reason ? ": " : "", bands->reason);
    }
    gf_text_string(text, "\n");
}

/* "about 0.8 ms", "at least 35 ms", "about 12.0 s": more digits than the model is good for. */
static void add_time(struct gf_text *text, const gf_plan *plan)
{
    double ms;
    const enum gf_cost_truth truth = gf_cost_expected(plan, &ms);
    if (truth == GF_COST_UNKNOWN) {
        gf_text_append(text, "time     not known: %s\n",
                       plan->device == GF_DEVICE_REFERENCE ? "this is the judge"
                                                           : "a function of the embedder takes part");
        return;
    }
    gf_text_append(text, "time     %s ", truth == GF_COST_ABOUT ? "about" : "at least");
    gf_text_fixed(text, 0, ms >= 1000 || ms < 10, ms >= 1000 ? ms * 1e-3 : ms);
    gf_text_append(text, " %s to filter%s, by measured rates\n", ms >= 1000 ? "s" : "ms",
                   plan->device >= 0 ? ", with start and copies of the GPU" : "");
}

/* Says, where bands are gone through more than once, when the step measures, or first makes its picture. */
static void add_sweep(struct gf_text *text, const gf_plan *plan, const struct gf_step *step)
{
    const bool taps = gf_step_gathers(step) || (step->kind == GF_STEP_PASS && step->u.pass->n_taps > 0);
    if (plan->bands.count <= 1 || plan->bands.sweeps <= 1) {
        return;
    }
    if (gf_step_solves(step)) {
        gf_text_append(text, "         behind sweep %d\n", step->sweep + 1);
    } else if (gf_step_gathers(step) && !plan->lowered.list.values[step->u.apply.out[0]].is_block) {
        gf_text_append(text, "         measures in sweep %d, makes its picture from sweep %d on\n",
                       step->sweep + 1, step->sweep + 2);
    } else {
        gf_text_append(text, "         %s sweep %d%s\n", taps ? "measures in" : "from", step->sweep + 1,
                       taps ? "" : " on");
    }
}

static void explain_text(const gf_plan *plan, struct gf_text *text)
{
    uint64_t bytes_read = 0, bytes_written = 0;
    add_shape(text, "input", plan->input);
    for (int32_t i = 1; i < plan->n_inputs; i++) {
        gf_text_append(text, "input    ");
        gf_text_plain(text, plan->inputs[i].name, strlen(plan->inputs[i].name), 200);
        gf_text_string(text, "\n");
        add_shape(text, "", plan->inputs[i].shape);
    }
    add_device(text, plan);
    for (int32_t i = 0; i < plan->steps.n; i++) {
        char words[512];
        struct gf_text description = gf_text_begin(words, sizeof words);
        describe_step(plan, i, &description);
        gf_step_info info = {.struct_size = sizeof info};
        gf_plan_step(plan, i, &info);
        gf_text_append(text, "%-8d %s\n         %s\n", i + 1, info.label, words);
        const char *path = path_name(plan, i);
        if (info.bytes_read) {
            gf_text_string(text, "         reads ");
            add_bytes(text, info.bytes_read);
            gf_text_string(text, ", writes ");
            add_bytes(text, info.bytes_written);
            if (info.halo_x || info.halo_y) {
                gf_text_append(text, ", halo %lld x %lld", (long long)info.halo_x, (long long)info.halo_y);
            }
            gf_text_append(text, "%s%s", path ? ", path " : "", path ? path : "");
            gf_text_string(text, "\n");
        }
        add_sweep(text, plan, &plan->steps.step[i]);
        bytes_read += info.bytes_read;
        bytes_written += info.bytes_written;
    }
    add_shape(text, "output", gf_plan_output(plan));
    gf_text_string(text, "total    reads ");
    add_bytes(text, bytes_read);
    gf_text_string(text, ", writes ");
    add_bytes(text, bytes_written);
    gf_text_append(text, "; %d stage%s in %d step%s\n", plan->n_stages, plan->n_stages == 1 ? "" : "s",
                   plan->steps.n, plan->steps.n == 1 ? "" : "s");
    add_bands(text, plan);
    gf_text_string(text, "memory   ");
    add_bytes(text, plan->memory);
    gf_text_append(text, " of buffers%s%s\n", plan->lowered.n_results ? " and results" : "",
                   plan->options.stream_rows ? ", rows of input and output among them"
                   : plan->device >= 0       ? " beside the pictures of the caller"
                                             : " beside the pictures");
    if (plan->pieces > 0) {
        gf_text_string(text, "pinned   ");
        add_bytes(text, gf_plan_piece_bytes(plan));
        gf_text_append(text, " of these, for copies by %d thread%s\n", gf_plan_staging_threads(plan),
                       gf_plan_staging_threads(plan) == 1 ? "" : "s");
    }
    add_time(text, plan);
}

/* ---- JSON ---- */

static void json_shape(struct gf_text *text, gf_shape shape)
{
    gf_text_append(text, "{\"width\":%lld,\"height\":%lld,\"channels\":%d,\"depth\":\"%s\"}",
                   (long long)shape.width, (long long)shape.height, shape.channels,
                   gf_depth_name(shape.depth));
}

/* The inputs beside "in", which is what "input" says: where there are any. */
static void json_others(struct gf_text *text, const gf_plan *plan)
{
    for (int32_t i = 1; i < plan->n_inputs; i++) {
        gf_text_append(text, "%s{\"name\":", i == 1 ? ",\"other_inputs\":[" : ",");
        gf_text_json_string(text, plan->inputs[i].name);
        gf_text_string(text, ",\"shape\":");
        json_shape(text, plan->inputs[i].shape);
        gf_text_string(text, i + 1 == plan->n_inputs ? "}]" : "}");
    }
}

static void json_step(struct gf_text *text, const gf_plan *plan, int32_t index)
{
    char words[512];
    struct gf_text description = gf_text_begin(words, sizeof words);
    describe_step(plan, index, &description);
    gf_step_info info = {.struct_size = sizeof info};
    gf_plan_step(plan, index, &info);
    gf_text_append(text, "%s{\"kind\":\"%s\",\"label\":", index ? "," : "", gf_step_kind_name(info.kind));
    gf_text_json_string(text, info.label);
    gf_text_string(text, ",\"does\":");
    gf_text_json_string(text, words);
    gf_text_string(text, ",\"path\":");
    if (path_name(plan, index)) {
        gf_text_json_string(text, path_name(plan, index));
    } else {
        gf_text_string(text, "null");
    }
    gf_text_append(text,
                   ",\"first_stage\":%d,\"last_stage\":%d,\"bytes_read\":%llu,\"bytes_written\":%llu,"
                   "\"halo_x\":%lld,\"halo_y\":%lld,\"sweep\":%d}",
                   info.first_stage, info.last_stage, (unsigned long long)info.bytes_read,
                   (unsigned long long)info.bytes_written, (long long)info.halo_x, (long long)info.halo_y,
                   plan->bands.count > 1 ? plan->steps.step[index].sweep + 1 : 1);
}

static void explain_json(const gf_plan *plan, struct gf_text *text)
{
    gf_text_string(text, "{\"input\":");
    json_shape(text, plan->input);
    json_others(text, plan);
    gf_text_string(text, ",\"output\":");
    json_shape(text, gf_plan_output(plan));
    gf_text_append(text, ",\"device\":\"%s", gf_device_kind(plan->device));
    if (plan->device >= 0) {
        gf_text_append(text, ":%d", plan->device);
    }
    gf_text_string(text, "\"");
    double ms;
    const enum gf_cost_truth truth = gf_cost_expected(plan, &ms);
    gf_text_string(text, ",\"expected_ms\":");
    if (truth != GF_COST_UNKNOWN) {
        gf_text_fixed(text, 0, 3, ms);
    } else {
        gf_text_string(text, "null");
    }
    gf_text_append(text, ",\"expected_is_least\":%s", truth == GF_COST_LEAST ? "true" : "false");
    gf_text_append(text, ",\"threads\":%d,\"reason\":", plan->threads);
    gf_text_json_string(text, plan->reason);
    const struct gf_bands *bands = &plan->bands;
    gf_text_append(text,
                   ",\"memory\":%llu,\"pinned\":%llu,\"bands\":{\"count\":%lld,\"rows\":%lld,\"above\":%lld,"
                   "\"below\":%lld,"
                   "\"reason\":",
                   (unsigned long long)plan->memory, (unsigned long long)gf_plan_piece_bytes(plan),
                   (long long)bands->count, (long long)bands->height, (long long)bands->above,
                   (long long)bands->below);
    gf_text_json_string(text, bands->reason);
    gf_text_append(text, ",\"sweeps\":%d,\"holds_input\":%s,\"waits\":", bands->sweeps,
                   bands->holds_input ? "true" : "false");
    gf_text_json_string(text, bands->sweeps > 1 ? bands->waits : "");
    gf_text_string(text, "},\"passes\":[");
    for (int32_t i = 0; i < plan->steps.n; i++) {
        json_step(text, plan, i);
    }
    gf_text_string(text, "]}");
}

static void explain(const void *plan, gf_print_format format, struct gf_text *text)
{
    (format == GF_PRINT_JSON ? explain_json : explain_text)(plan, text);
}

gf_status gf_plan_explain(const gf_plan *plan, gf_print_format format, char *buffer, size_t capacity,
                          size_t *length, gf_error *error)
{
    return gf_print(plan, "plan", explain, GF_PRINT_JSON, format, buffer, capacity, length, error);
}
