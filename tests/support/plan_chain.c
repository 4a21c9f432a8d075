/* Chains drawn at random from all stages. */
#include "stage_cases.h"

#include <string.h>

enum { TRIES = 24 };

static const gf_stage_type *any_type(struct plan_random *random, bool window)
{
    int32_t n;
    const gf_stage_type *const *types = picture_stage_types(&n);
    for (;;) {
        const gf_stage_type *type = types[plan_random_below(random, (uint32_t)n)];
        if (!window || (type->flags & GF_STAGE_WINDOW)) {
            return type;
        }
    }
}

/* Appends a stage that the chain so far can be bound with, and says what comes out of it: before the last one
 * a picture of samples, as nothing takes the numbers of label. The chain may take `share` of the work that
 * tests can afford, all of it with its last stage: what is left is enough for the next one. */
static bool append_stage(gf_context *context, struct plan_random *random, const struct plan_chain *chain,
                         bool window, double share, gf_shape *now, char *text, size_t size)
{
    const struct stage_room room = {*now, chain->greatest_radius, chain->common, chain->common, 0};
    const size_t length = strlen(text);
    for (int32_t i = 0; i < TRIES; i++) {
        struct gf_text t = gf_text_begin(text + length, size - length);
        gf_plan *plan;
        gf_error error;
        gf_text_string(&t, length ? "," : "");
        stage_draw(random, any_type(random, window), &room, &t);
        if (t.length >= t.capacity) {
            break;
        }
        enum stage_answer answer = stage_bind(context, text, &chain->shape, chain->alpha, &plan, &error);
        bool taken = answer == STAGE_BOUND && stage_affordable(plan, share) &&
                     (share == 1 || gf_depth_white(gf_plan_output(plan).depth) > 0);
        *now = taken ? gf_plan_output(plan) : *now;
        gf_plan_destroy(&plan);
        if (taken || answer == STAGE_BROKEN) {
            return taken;
        }
    }
    return false;
}

int32_t plan_random_chain(struct plan_random *random, const struct plan_chain *chain, char *text, size_t size)
{
    gf_shape now = chain->shape;
    int32_t n = (int32_t)plan_random_between(random, chain->least, chain->most);
    int32_t window = (int32_t)plan_random_below(random, (uint32_t)n), made = 0;
    gf_context *context = NULL;
    text[0] = '\0';
    if (gf_context_create(NULL, &context, NULL) == GF_OK) {
        while (made < n &&
               append_stage(context, random, chain, made == window, (made + 1.0) / n, &now, text, size)) {
            made++;
        }
    }
    gf_context_destroy(&context);
    return made == n ? n : 0;
}
