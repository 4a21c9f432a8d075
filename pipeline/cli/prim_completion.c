#include "prim_completion.h"

#include "bench.h"
#include "gpufilter/array.h"

#include <string.h>

void completion_add_primitives(struct buffer *text)
{
    const gf_primitive *primitive;
    const struct bench_experiment *experiment;
    buffer_add(text,
               "        elif [[ ${COMP_WORDS[1]} == prim && $COMP_CWORD == 2 ]]; then\n            words=\"");
    for (size_t i = 0; (primitive = gf_primitive_at(i)) != NULL; i++) {
        buffer_printf(text, "%s%s", i ? " " : "", primitive->name);
    }
    buffer_add(
        text,
        "\"\n        elif [[ ${COMP_WORDS[1]} == bench && $COMP_CWORD == 2 ]]; then\n            words=\"");
    for (int i = 0; (experiment = bench_experiment_at(i)) != NULL; i++) {
        buffer_printf(text, "%s%s", i ? " " : "", experiment->id);
    }
    buffer_add(text, "\"\n");
}

/* Whether a variant in front of the given one, of this primitive or one before it, has the same name. */
static bool is_named_before(const char *name, size_t primitive, size_t variant)
{
    const gf_variant *v;
    for (size_t p = 0; p <= primitive; p++) {
        for (size_t i = 0; (v = gf_primitive_variant(gf_primitive_at(p)->name, i)) != NULL; i++) {
            if (p == primitive && i == variant) {
                break;
            }
            if (!strcmp(v->name, name)) {
                return true;
            }
        }
    }
    return false;
}

void completion_add_variants(struct buffer *text)
{
    const gf_primitive *primitive;
    const gf_variant *v;
    buffer_add(text, "    --algo) words=\"all");
    for (size_t p = 0; (primitive = gf_primitive_at(p)) != NULL; p++) {
        for (size_t i = 0; (v = gf_primitive_variant(primitive->name, i)) != NULL; i++) {
            if (!is_named_before(v->name, p, i)) {
                buffer_printf(text, " %s", v->name);
            }
        }
    }
    buffer_add(text, "\" ;;\n");
}
